/* SPDX-License-Identifier: MIT
 * Boots and processes that can be told apart later. */
#include "identity.h"

#include <stdio.h>
#include <string.h>

#include "file.h"
#include "mem.h"

const char *boot_id_read(char *buffer, size_t size)
{
	_autofree_ char *id = file_read_line("", "/proc/sys/kernel/random/boot_id");

	snprintf(buffer, size, "%s", id ? id : "unknown");
	return buffer;
}

uint64_t process_start_time(int pid)
{
	_autofree_ char *stat = file_read("", "/proc/%d/stat", pid);
	/* Counted behind the last parenthesis: the name may hold anything. */
	const char *rest = stat ? strrchr(stat, ')') : NULL;
	unsigned long long start = 0;

	if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
		"%*d %*d %llu", &start) != 1)
		return 0;
	return start;
}

bool process_is_alive(const char *boot_id, int pid, uint64_t start_time)
{
	char boot[BOOT_ID_SIZE];

	return pid > 0 && !strcmp(boot_id_read(boot, sizeof(boot)), boot_id) &&
		process_start_time(pid) == start_time && start_time != 0;
}
