/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzzer's function over files that were kept, so that every build tests its corpus, with any
 * compiler. Usage: replay_NAME DIRECTORY...; writes TAP.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	/* Exactly as large as the input, so that a sanitizer sees a read past its end. */
	size_t size = (size_t)status.st_size, done = 0;
	uint8_t *data = malloc(size > 0 ? size : 1);
	while (data && done < size) {
		ssize_t got = read(fd, data + done, size - done);
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	close(fd);
	if (data && done == size)
		LLVMFuzzerTestOneInput(data, size);
	free(data);
	return data && done == size ? 0 : -1;
}

static int replay_directory(const char *path, int number)
{
	DIR *directory = opendir(path);
	if (!directory) {
		printf("not ok %d - %s: %s\n", number + 1, path, strerror(errno));
		return number + 1;
	}
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (entry->d_name[0] == '.')
			continue;
		/* Before the call too: when it crashes, this tells the file. */
		fprintf(stderr, "%s/%s\n", path, entry->d_name);
		int failed = replay(dirfd(directory), entry->d_name) < 0;
		printf("%s %d - %s\n", failed ? "not ok" : "ok", ++number, entry->d_name);
		fflush(stdout);
	}
	closedir(directory);
	return number;
}

int main(int argc, char **argv)
{
	int number = 0;
	for (int i = 1; i < argc; i++)
		number = replay_directory(argv[i], number);
	printf("1..%d\n", number);
	return 0;
}
