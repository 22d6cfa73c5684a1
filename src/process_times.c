/* SPDX-License-Identifier: MIT */
/* CPU time of every process, to find who else was busy while something was measured. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "environment.h"
#include "file.h"
#include "mem.h"
#include "text.h"

#define KERNEL_THREAD 0x00200000ul /* PF_KTHREAD in the flags of /proc/PID/stat */

struct process_time {
	int pid;
	unsigned long long started; /* with the pid: the same process still */
	unsigned long long ticks;
	char name[20];
};

struct process_times {
	uint64_t time_ns;
	struct process_time *items; /* by pid */
	size_t len;
};

/* One /proc/PID/stat. A name may hold blanks and parentheses, so it ends at the last one. */
static bool parse_stat(const char *text, struct process_time *process)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	unsigned long flags;
	unsigned long long user, system;
	if (!open || !close || close < open)
		return false;
	if (sscanf(close + 1, " %*c %*d %*d %*d %*d %*d %lu %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d "
		"%*d %*d %llu", &flags, &user, &system, &process->started) != 4)
		return false;
	if (flags & KERNEL_THREAD)
		return false;
	process->ticks = user + system;
	process->pid = atoi(text);
	snprintf(process->name, sizeof(process->name), "%.*s", (int)(close - open - 1), open + 1);
	return process->pid > 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct process_time *left = a, *right = b;
	return (left->pid > right->pid) - (left->pid < right->pid);
}

struct process_times *process_times_read(const char *root)
{
	struct process_times *times = mem_zalloc(1, sizeof(*times));
	_autofree_ char *path = text_printf("%s/proc", root);
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	times->time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	DIR *directory = opendir(path);
	if (!directory)
		return times;
	size_t capacity = 0;
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		/* It may be gone by now: then it is left out. */
		_autofree_ char *text = file_read(root, "/proc/%s/stat", entry->d_name);
		struct process_time process;
		if (!text || !parse_stat(text, &process))
			continue;
		if (times->len == capacity) {
			capacity = capacity > 0 ? 2 * capacity : 64;
			times->items = mem_grow(times->items, capacity, sizeof(*times->items));
		}
		times->items[times->len++] = process;
	}
	closedir(directory);
	if (times->len > 0)
		qsort(times->items, times->len, sizeof(*times->items), by_pid);
	return times;
}

void process_times_free(struct process_times *times)
{
	if (!times)
		return;
	free(times->items);
	free(times);
}

static bool is_own(int pid, const int *own, size_t own_len)
{
	for (size_t i = 0; i < own_len; i++)
		if (own[i] == pid)
			return true;
	return false;
}

/* What it used since `before`; all it ever used when it began since. */
static unsigned long long ticks_since(const struct process_times *before,
	const struct process_time *process)
{
	const struct process_time *old = before->len > 0
		? bsearch(process, before->items, before->len, sizeof(*process), by_pid) : NULL;
	if (!old || old->started != process->started)
		return process->ticks;
	return process->ticks > old->ticks ? process->ticks - old->ticks : 0;
}

double process_times_busiest(const struct process_times *before, const struct process_times *after,
	const int *own, size_t own_len, char *name, size_t name_size, int *pid)
{
	const struct process_time *busiest = NULL;
	unsigned long long most = 0;
	*pid = 0;
	if (name_size > 0)
		name[0] = '\0';
	if (!before || !after || after->time_ns <= before->time_ns)
		return 0;
	for (size_t i = 0; i < after->len; i++) {
		const struct process_time *process = &after->items[i];
		unsigned long long ticks = ticks_since(before, process);
		if (ticks > most && !is_own(process->pid, own, own_len)) {
			most = ticks;
			busiest = process;
		}
	}
	if (!busiest)
		return 0;
	snprintf(name, name_size, "%s", busiest->name);
	*pid = busiest->pid;
	double seconds = (double)(after->time_ns - before->time_ns) / 1e9;
	return 100 * (double)most / (double)sysconf(_SC_CLK_TCK) / seconds;
}
