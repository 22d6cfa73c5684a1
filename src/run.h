/* SPDX-License-Identifier: MIT */
/* A run under way: the cases of a plan one after the other, each pass in workers of its own. Driven by the
 * loop; never blocks. The screen and the command line look at the same struct. */
#ifndef BB_RUN_H
#define BB_RUN_H

#include "cpu.h"
#include "environment.h"
#include "plan.h"
#include "result.h"
#include "series.h"
#include "session.h"

/* Of one pass; goes forward only. */
enum run_state { RUN_STARTING, RUN_PREPARED, RUN_WARMING, RUN_MEASURING, RUN_CLEANING, RUN_DONE,
	RUN_REFUSED, RUN_FAILED, RUN_CRASHED, RUN_STUCK, RUN_CANCELLED };

const char *run_state_name(enum run_state state);

/* One figure as it stands now. */
struct live_metric {
	const struct metric *metric; /* of the module */
	bool known;                  /* has data yet */
	double now, mean, min, max;  /* of the timed part so far: rate over the last interval, over all, smallest
	                              * and largest interval; for histograms now is the median */
};

/* One worker's part, as the screen shows it: the case itself, then its loads. */
struct live_worker {
	const struct subsystem *subsystem;
	char phase[48];
	struct live_metric primary;
	bool alive;
};

struct run; /* private: run.c */

struct run_view {
	const struct plan *plan;
	const struct plan_case *current;  /* NULL: over */
	size_t case_index;                /* 0-based, of the current one */
	unsigned pass;                    /* 1-based */
	enum run_state state;             /* of this pass */
	const char *phase;                /* "writing"; "" */
	double progress;                  /* of this pass, 0..1; < 0: unknown */
	double elapsed_s, expected_s;     /* of this pass, since its start; expected < 0: unknown */
	double run_elapsed_s, run_expected_s; /* of the whole run; expected < 0: unknown */
	double stalled_s;                 /* since anything last moved */
	const struct live_metric *metrics; /* of the module, in its order */
	size_t metrics_len;
	const struct live_metric *primary; /* the one to chart; NULL: no data yet */
	const struct series *series;      /* of the primary metric */
	struct cpu_load cpu;              /* over the last second; valid false: not yet */
	struct environment environment;   /* newest */
	const struct live_worker *loads;
	size_t loads_len;
	const struct settings *actual;    /* told so far */
	char *const *notes;               /* of this case so far, NULL-terminated; may be NULL */
	uint64_t kernel_serial;           /* of the kernel log when the case began */
	bool quiet;                       /* nothing may be drawn now */
	bool over;
};

/* Events, for the screen and for the plain lines. All may be NULL. */
struct run_listener {
	void *data;
	void (*changed)(void *data);                 /* something in the view moved (10 times a second at most) */
	void (*case_done)(void *data, const struct result *result); /* it is in the journal already */
	void (*over)(void *data);
};

/* Takes the plan over. skip: cases to leave out at the start (resuming). run_id NULL: a new one. Probes each
 * subsystem as it comes. */
struct run *run_start(struct session *session, struct plan *plan, const char *run_id, size_t skip,
	const struct run_listener *listener);
/* Give the case that was under way when the machine went away its result: unfinished. */
int run_mark_unfinished(struct session *session, const struct journal_unfinished *found,
	struct error *error);
const struct run_view *run_look(struct run *run);
const struct result *const *run_results(const struct run *run, size_t *len); /* of this run so far */
const char *run_id(const struct run *run);
/* Stop the pass under way (the case is cancelled, what was measured is kept), or the whole run. */
void run_stop_case(struct run *run);
void run_stop(struct run *run);
/* Ends what is running at once (SIGKILL after a grace of 2 s) and frees. */
void run_destroy(struct run *run);

#endif
