/* SPDX-License-Identifier: MIT */
/* What else is known of the machine while a case runs, and what of it spoils a measurement. */
#ifndef BB_ENVIRONMENT_H
#define BB_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "finding.h"
#include "settings.h"

/* Quick to read (a few files): taken before and after each timed part. */
struct environment {
	uint64_t time_ns;
	char governor[32];       /* "" when there is no cpufreq; "mixed" when CPUs differ */
	unsigned cpus;           /* online; 0: unknown */
	double cpu_mhz;          /* mean of the online CPUs' current clock; 0: unknown */
	double cpu_mhz_max;      /* what they could do, mean as well; 0: unknown */
	double cpu_mhz_limit;    /* scaling_max_freq, mean as well; 0: unknown */
	double temperature_c;    /* hottest thermal zone; NAN: none */
	double trip_c;           /* its first passive or hot trip point; NAN: none */
	bool cooling;            /* some cooling device is in a state above 0 */
	uint64_t throttle_count; /* sum of thermal_throttle counters; 0 where there are none */
	double mhz_mean_base;    /* sum over time_in_state of MHz x ticks, and of ticks: their differences give */
	double mhz_ticks_base;   /* the true mean clock of an interval; 0: the kernel keeps none */
};

void environment_read(const char *root, struct environment *environment);

/* Facts that do not change during a run, for the result: kernel, machine, cmdline's console, CPU model,
 * CPUs online, HZ, preemption, clocksource, boardbench version, compiler. */
void environment_facts(const char *root, struct settings *facts);

/* CPU time of every process but those given (workbench and workers), to find who else was busy. Threads
 * of the kernel are left out: they do the work of what is measured. */
struct process_times;
struct process_times *process_times_read(const char *root);
void process_times_free(struct process_times *times);
/* Busiest process between the two that is not in `own`: per cent of one CPU, name and pid. 0: none. */
double process_times_busiest(const struct process_times *before, const struct process_times *after,
	const int *own, size_t own_len, char *name, size_t name_size, int *pid);

/* What spoiled the interval between the two: the clock moved, throttling, temperature, a governor
 * that changed. Each as a finding with what and by how much; empty: nothing. */
void environment_judge(const struct environment *before, const struct environment *after,
	struct findings *findings);

/* `boardbench doctor`: everything of this machine that would spoil a measurement, and what to do. */
void doctor_examine(const char *root, const char *store, struct findings *findings);

#endif
