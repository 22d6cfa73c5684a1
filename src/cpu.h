/* SPDX-License-Identifier: MIT */
/* CPU load for an interval, from /proc/stat, as the published figures define it:
 * 100 x (total - idle - iowait) / total, total = user + nice + system + idle + iowait + irq + softirq +
 * steal; guest time is inside user already. */
#ifndef BB_CPU_H
#define BB_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define CPU_MAX 256
#define CPU_TICKS_MIN 10 /* an interval with fewer ticks of the clock has no honest load */

enum cpu_field { CPU_USER, CPU_NICE, CPU_SYSTEM, CPU_IDLE, CPU_IOWAIT, CPU_IRQ, CPU_SOFTIRQ,
	CPU_STEAL, CPU_FIELDS };

struct cpu_times {
	uint64_t ticks[CPU_FIELDS];
	bool online; /* it had a line */
};

struct cpu_snapshot {
	uint64_t time_ns;             /* CLOCK_MONOTONIC when it was read */
	struct cpu_times total;
	uint32_t cpus_len;            /* highest number + 1 */
	struct cpu_times cpus[CPU_MAX]; /* by number: offline CPUs leave gaps */
};

struct cpu_load {
	bool valid;                   /* false: too short, or /proc/stat cannot be read */
	double load, user, system, irq, softirq, iowait, steal; /* per cent of all CPUs together; user includes nice */
	double resolution;            /* per cent that one tick is worth */
	double worker, workbench;     /* their own share, per cent of all CPUs together; < 0: unknown */
	uint32_t cpus_len;
	float cpus[CPU_MAX];          /* load of each; < 0: offline at one end */
};

/* Read now. A missing field (old kernels) counts as 0. -errno with a message. */
int cpu_read(const char *root, struct cpu_snapshot *snapshot, struct error *error);
int cpu_parse(const char *text, struct cpu_snapshot *snapshot, struct error *error);
/* Load between the two. Decreasing iowait or idle counts as 0; a CPU that came or went is left out
 * of the per-CPU list but stays in the sum. */
void cpu_between(const struct cpu_snapshot *before, const struct cpu_snapshot *after,
	struct cpu_load *load);
/* "0-2,5" or "all" or "each" to numbers of online CPUs. *len entries, the caller's to free. */
int cpu_list_parse(const char *root, const char *text, int **cpus, size_t *len,
	struct error *error);

#endif
