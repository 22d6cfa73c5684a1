/* SPDX-License-Identifier: MIT */
/* One pass of a case: its workers (one an instance, one a load) from start to reaping. Never blocks. */
#ifndef BB_PASS_H
#define BB_PASS_H

#include "cpu.h"
#include "plan.h"
#include "process.h"
#include "run.h"

/* What a worker said of its timed part. */
struct measured {
	bool known;
	bool finished;              /* false: failed or stopped on the way; the figure is of what was done */
	bool cancelled;
	uint64_t begin_ns, end_ns;
	uint64_t counters[BB_COUNTERS_MAX];
	uint32_t gauges_set;
	double gauges[BB_GAUGES_MAX];
	double cpu_s;               /* CPU time of the worker */
	struct cpu_snapshot *cpu;   /* [2]: before and after; NULL for a load */
};

struct pass_worker {
	struct pass *pass;
	const struct subsystem *subsystem;
	const struct value *values;
	bool is_load;
	uint32_t instance;
	int cpu;                    /* pinned to; -1 */
	struct process process;
	struct loop_source *socket_source, *output_source;
	enum run_state state;
	struct measured measured;
	struct settings actual, facts;
	char **notes;               /* NULL-terminated */
	char **suspects;
	size_t notes_len, suspects_len;
	struct error failure;
	bool probed;                /* the module has said that it can run here */
	bool refused;               /* the failure was one of the probe: cannot, not failed */
	unsigned long output_lines;
	struct text output;         /* of the line under way */
	uint64_t kill_at_ns;        /* when the next harder means is due; 0: not stopping */
	unsigned kills;             /* means used so far */
	uint64_t last_steps;        /* for noticing that something moves */
	bool begun;                 /* of a load: it went on when the case began */
	uint64_t load_begin_ns;     /* of a load: when the case's timed part began, on the workbench's clock */
	uint64_t load_counters[BB_COUNTERS_MAX];
};

struct pass {
	struct session *session;
	const struct plan_case *plan_case;
	struct pass_worker *workers; /* instances first, then loads */
	size_t workers_len, instances;
	enum run_state state;
	uint64_t start_ns, begin_ns, end_ns; /* of the pass; of the timed part on the workbench's clock */
	uint64_t moved_ns;          /* when anything last moved */
	uint64_t moved_checked_ns;
	uint64_t disk_activity, cpu_activity;
	bool stopping, stop_asked;
	char *reason;               /* why it was stopped; NULL: by the user */
	bool over;
	double workbench_cpu_s;     /* CPU time of the workbench itself in the timed part */
	void (*changed)(void *data); /* a state moved forward */
	void *data;
};

/* Start all workers. 0, or a failure with nothing left running. */
int pass_start(struct pass *pass, struct session *session, const struct plan_case *plan_case,
	void (*changed)(void *data), void *data, struct error *error);
/* 10 times a second: reap, deadlines, stalls. */
void pass_tick(struct pass *pass);
/* Let the warm-up of a held case end. */
void pass_measure(struct pass *pass);
/* End it; `reason` NULL: the user's wish. */
void pass_stop(struct pass *pass, const char *reason);
/* Kill what is left and free. */
void pass_finish(struct pass *pass);
/* Sum of a counter over the instances of the case, as it stands. */
uint64_t pass_counter(const struct pass *pass, unsigned counter);

#endif
