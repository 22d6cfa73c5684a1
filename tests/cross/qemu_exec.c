/* SPDX-License-Identifier: MIT
 *
 * Preloaded into a program of another architecture that runs under qemu-user: what it executes runs
 * under the same emulator. The kernel does that by itself where binfmt_misc is set up; a container
 * mostly has none. BB_QEMU is the path of the emulator; QEMU_SET_ENV, which is inherited, preloads this.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

#define ARGUMENTS_MAX 256

/* Is this file for the architecture that this code is for? */
static bool is_ours(const char *path)
{
	unsigned char mine[EI_NIDENT + 4], its[EI_NIDENT + 4];
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), file = open(path, O_RDONLY | O_CLOEXEC);
	bool both = self >= 0 && file >= 0 && read(self, mine, sizeof(mine)) == (ssize_t)sizeof(mine) &&
		read(file, its, sizeof(its)) == (ssize_t)sizeof(its);
	if (self >= 0)
		close(self);
	if (file >= 0)
		close(file);
	/* Class, and e_machine behind e_type. */
	return both && memcmp(its, ELFMAG, SELFMAG) == 0 && mine[EI_CLASS] == its[EI_CLASS] &&
		memcmp(mine + EI_NIDENT + 2, its + EI_NIDENT + 2, 2) == 0;
}

static int execute(const char *path, char *const argv[], char *const envp[])
{
	const char *qemu = getenv("BB_QEMU");
	char real[PATH_MAX];
	ssize_t length = readlink(path, real, sizeof(real) - 1);
	if (strncmp(path, "/proc/", 6) == 0 && length > 0) {
		real[length] = '\0';
		path = real;
	}
	if (!qemu || !is_ours(path))
		return (int)syscall(SYS_execve, path, argv, envp);
	const char *all[ARGUMENTS_MAX] = { qemu, "-0", argv[0] ? argv[0] : path, path };
	size_t count = 4;
	for (size_t i = 1; argv[0] && argv[i]; i++) {
		if (count + 1 >= ARGUMENTS_MAX) {
			errno = E2BIG;
			return -1;
		}
		all[count++] = argv[i];
	}
	return (int)syscall(SYS_execve, qemu, all, envp);
}

int execve(const char *path, char *const argv[], char *const envp[])
{
	return execute(path, argv, envp);
}

int execv(const char *path, char *const argv[])
{
	return execute(path, argv, environ);
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
	char path[40] = "/proc/self/fd/";
	char digits[16];
	size_t length = 0, at = strlen(path);
	do
		digits[length++] = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	while (length > 0)
		path[at++] = digits[--length];
	return execute(path, argv, envp);
}
