/* SPDX-License-Identifier: MIT */
/* `boardbench doctor`: goes through what of this machine would spoil a measurement. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "cpu.h"
#include "environment.h"
#include "file.h"
#include "kernel_log.h"
#include "mem.h"
#include "text.h"

#define SAMPLE_NS 300000000
#define BUSY_PERCENT 5.0 /* of one CPU; one tick of 10 ms in the sample is 3.3 already */
#define STORE_FREE_MIN ((unsigned long long)1 << 20)
#define DATE_MIN 1767225600 /* 2026-01-01: before this program was written */

#define TMPFS_MAGIC_NUMBER 0x01021994u /* linux/magic.h */
#define RAMFS_MAGIC_NUMBER 0x858458f6u

struct doctor {
	const char *root, *store;
	bool live; /* false: a dump, of which only files can be asked */
	struct findings *findings;
};

static void examine_clock(const struct doctor *doctor)
{
	struct environment now;
	environment_read(doctor->root, &now);
	if (now.governor[0] == '\0' && now.cpu_mhz <= 0) {
		findings_add(doctor->findings, VERDICT_NOTE, "clock",
			"check the real clock another way (firmware, hypervisor, a loop of known length)",
			"the kernel has no cpufreq here: the clock of the processor is not known");
	} else if (strcmp(now.governor, "performance") != 0) {
		findings_add(doctor->findings, VERDICT_WARNING, "governor",
			"echo performance into /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
			"governor %s: the clock (%.0f MHz now) may move while measuring",
			now.governor[0] ? now.governor : "unknown", now.cpu_mhz);
	} else {
		findings_add(doctor->findings, VERDICT_FINE, "governor", NULL, "performance, %.0f MHz",
			now.cpu_mhz);
	}
	if (now.cpu_mhz_limit > 0 && now.cpu_mhz_limit < 0.99 * now.cpu_mhz_max)
		findings_add(doctor->findings, VERDICT_WARNING, "clock",
			"write cpuinfo_max_freq into scaling_max_freq; if it comes back, see what limits it",
			"limited to %.0f of %.0f MHz", now.cpu_mhz_limit, now.cpu_mhz_max);
	if (isnan(now.temperature_c))
		findings_add(doctor->findings, VERDICT_NOTE, "temperature", NULL, "no sensor");
	else if (now.temperature_c >= now.trip_c || now.cooling)
		findings_add(doctor->findings, VERDICT_BAD, "temperature", "cool the board, then measure",
			"%.1f C%s", now.temperature_c, now.cooling ? ", and the kernel is slowing it down"
			: ", at or above the first trip point");
	else
		findings_add(doctor->findings, VERDICT_FINE, "temperature", NULL, "%.1f C",
			now.temperature_c);
}

static void examine_turbo(const struct doctor *doctor)
{
	long long boost = file_read_number(doctor->root, -1, "/sys/devices/system/cpu/cpufreq/boost");
	long long no_turbo =
		file_read_number(doctor->root, -1, "/sys/devices/system/cpu/intel_pstate/no_turbo");
	if (boost == 1 || no_turbo == 0)
		findings_add(doctor->findings, VERDICT_WARNING, "turbo",
			boost == 1 ? "echo 0 > /sys/devices/system/cpu/cpufreq/boost"
			: "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
			"on: the clock depends on temperature and on how many cores are busy");
	else if (boost == 0 || no_turbo == 1)
		findings_add(doctor->findings, VERDICT_FINE, "turbo", NULL, "off");
}

static void examine_cpus(const struct doctor *doctor)
{
	_autofree_ char *offline = file_read_line(doctor->root, "/sys/devices/system/cpu/offline");
	_autofree_ char *present = file_read_line(doctor->root, "/sys/devices/system/cpu/present");
	_autofree_ char *online = file_read_line(doctor->root, "/sys/devices/system/cpu/online");
	/* "offline" lists what the kernel was built for too: only what is present can be missing. */
	if (present && online && strcmp(present, online) != 0)
		findings_add(doctor->findings, VERDICT_WARNING, "CPUs",
			"echo 1 > /sys/devices/system/cpu/cpuN/online",
			"only %s of %s are online (offline: %s)", online, present, offline ? offline : "?");
	else if (online)
		findings_add(doctor->findings, VERDICT_FINE, "CPUs", NULL, "all online: %s", online);
}

static void examine_clocksource(const struct doctor *doctor)
{
	_autofree_ char *source = file_read_line(doctor->root,
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	if (!source)
		return;
	if (strcmp(source, "jiffies") == 0)
		findings_add(doctor->findings, VERDICT_BAD, "clocksource",
			"enable the timer of the SoC in kernel and device tree",
			"jiffies: no time is finer than a tick, latencies cannot be measured");
	else
		findings_add(doctor->findings, VERDICT_FINE, "clocksource", NULL, "%s", source);
	if (!doctor->live)
		return;
	struct timespec step;
	if (clock_getres(CLOCK_MONOTONIC, &step) == 0 && (step.tv_sec > 0 || step.tv_nsec > 1000))
		findings_add(doctor->findings, VERDICT_WARNING, "tick", "build the kernel with HIGH_RES_TIMERS",
			"the clock steps by %.0f us", (double)step.tv_sec * 1e6 + (double)step.tv_nsec / 1e3);
	findings_add(doctor->findings, VERDICT_FINE, "CPU load", NULL,
		"counted at %ld ticks a second: a figure needs 0.%02ld s or more", sysconf(_SC_CLK_TCK),
		CPU_TICKS_MIN * 100 / sysconf(_SC_CLK_TCK));
}

static void examine_processes(const struct doctor *doctor)
{
	char name[32];
	int own = getpid(), pid;
	if (!doctor->live)
		return;
	struct process_times *before = process_times_read("");
	/* The sample itself: how long it is decides what can be seen. */
	nanosleep(&(struct timespec){ .tv_nsec = SAMPLE_NS }, NULL);
	struct process_times *after = process_times_read("");
	double busy = process_times_busiest(before, after, &own, 1, name, sizeof(name), &pid);
	process_times_free(before);
	process_times_free(after);
	if (busy > BUSY_PERCENT)
		findings_add(doctor->findings, VERDICT_WARNING, "others", "stop it while measuring",
			"%s (pid %d) uses %.0f %% of a CPU", name, pid, busy);
	else
		findings_add(doctor->findings, VERDICT_FINE, "others", NULL, "no other process is busy");
}

static void examine_swap(const struct doctor *doctor)
{
	_autofree_ char *swaps = file_read(doctor->root, "/proc/swaps");
	const char *first = swaps ? strchr(swaps, '\n') : NULL; /* the head */
	if (!swaps)
		return;
	if (first && first[1] != '\0')
		findings_add(doctor->findings, VERDICT_WARNING, "swap", "swapoff -a",
			"on %.*s: pages may be written out while measuring", (int)strcspn(first + 1, " \t\n"),
			first + 1);
	else
		findings_add(doctor->findings, VERDICT_FINE, "swap", NULL, "none");
}

/* The nearest directory above `path` that is there; the store itself may still have to be made. */
static char *existing_above(const char *path)
{
	char *place = mem_strdup(path);
	while (access(place, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		char *slash = strrchr(place, '/');
		if (!slash || slash == place) {
			free(place);
			return mem_strdup(slash ? "/" : ".");
		}
		*slash = '\0';
	}
	return place;
}

static void examine_store(const struct doctor *doctor)
{
	struct statfs kind;
	struct statvfs space;
	if (!doctor->store || doctor->store[0] == '\0')
		return;
	_autofree_ char *place = existing_above(doctor->store);
	if (statfs(place, &kind) < 0 || statvfs(place, &space) < 0) {
		findings_add(doctor->findings, VERDICT_BAD, "store", "choose another with --store DIR",
			"%s cannot be used: %s", doctor->store, strerror(errno));
		return;
	}
	unsigned long long available = (unsigned long long)space.f_bavail * space.f_frsize;
	if (space.f_flag & ST_RDONLY)
		findings_add(doctor->findings, VERDICT_BAD, "store",
			"mount -o remount,rw, or choose another with --store DIR",
			"%s is on a read-only filesystem: no result is kept", doctor->store);
	else if (access(place, W_OK) < 0)
		findings_add(doctor->findings, VERDICT_BAD, "store", "choose another with --store DIR",
			"%s cannot be written: %s; no result is kept", doctor->store, strerror(errno));
	else if (available < STORE_FREE_MIN)
		findings_add(doctor->findings, VERDICT_BAD, "store", "free some, or use --store DIR",
			"%s has %llu KiB left", doctor->store, available / 1024);
	else if ((unsigned)kind.f_type == TMPFS_MAGIC_NUMBER || (unsigned)kind.f_type == RAMFS_MAGIC_NUMBER)
		findings_add(doctor->findings, VERDICT_WARNING, "store",
			"choose a directory on a medium with --store DIR",
			"%s is in memory: results are gone after a reset", doctor->store);
	else
		findings_add(doctor->findings, VERDICT_FINE, "store", NULL, "%s, %llu MiB left",
			doctor->store, available >> 20);
}

static void examine_rights(const struct doctor *doctor)
{
	if (!doctor->live)
		return;
	if (geteuid() != 0)
		findings_add(doctor->findings, VERDICT_NOTE, "rights", "run as root (sudo boardbench)",
			"not root: caches cannot be dropped, nor the governor, the console level or mounts be "
			"changed");
	else
		findings_add(doctor->findings, VERDICT_FINE, "rights", NULL, "root");
	struct kernel_log log;
	kernel_log_open(&log);
	if (log.problem)
		findings_add(doctor->findings, VERDICT_WARNING, "kernel log",
			"run as root, or sysctl kernel.dmesg_restrict=0", "%s", log.problem);
	else
		findings_add(doctor->findings, VERDICT_FINE, "kernel log", NULL, "can be read");
	kernel_log_close(&log);
}

static void examine_console(const struct doctor *doctor)
{
	_autofree_ char *levels = file_read_line(doctor->root, "/proc/sys/kernel/printk"); /* four */
	_autofree_ char *console = file_read_line(doctor->root, "/sys/class/tty/console/active");
	long level = levels ? strtol(levels, NULL, 10) : 0;
	if (!levels)
		return;
	/* 5: warnings and worse are printed, with interrupts off on a slow line. */
	if (level > 5)
		findings_add(doctor->findings, VERDICT_NOTE, "console", "dmesg -n 1",
			"level %ld on %s: messages of the kernel cost time while measuring", level,
			console && console[0] ? console : "an unknown console");
	else
		findings_add(doctor->findings, VERDICT_FINE, "console", NULL, "level %ld", level);
}

static void examine_root_filesystem(const struct doctor *doctor)
{
	_autofree_ char *mounts = file_read(doctor->root, "/proc/mounts");
	for (const char *line = mounts; line && *line;) {
		char place[64], type[32];
		if (sscanf(line, "%*s %63s %31s", place, type) == 2 && strcmp(place, "/") == 0 &&
			text_starts(type, "nfs"))
			findings_add(doctor->findings, VERDICT_WARNING, "root",
				"do not measure the network port that it uses, or boot from a local medium",
				"the root filesystem is on %s: its traffic goes into every network figure", type);
		line = strchr(line, '\n');
		if (line)
			line++;
	}
}

static void examine_date(const struct doctor *doctor)
{
	if (doctor->live && time(NULL) < DATE_MIN)
		findings_add(doctor->findings, VERDICT_NOTE, "date", "date -s, or NTP",
			"the clock is not set; results are kept in their order all the same");
}

void doctor_examine(const char *root, const char *store, struct findings *findings)
{
	static void (*const examinations[])(const struct doctor *) = { examine_clock, examine_turbo,
		examine_cpus, examine_clocksource, examine_processes, examine_swap, examine_store,
		examine_rights, examine_console, examine_root_filesystem, examine_date };
	const struct doctor doctor = { .root = root, .store = store, .live = root[0] == '\0',
		.findings = findings };
	for (size_t i = 0; i < ARRAY_LEN(examinations); i++)
		examinations[i](&doctor);
}
