/* SPDX-License-Identifier: MIT */
/* Plans: an ordered list of cases with every value checked and known. */
#ifndef BB_PLAN_H
#define BB_PLAN_H

#include "board.h"
#include "run_profile.h"
#include "value.h"

struct case_options {
	unsigned repeat;         /* passes, at least 1 */
	uint64_t duration_ns;    /* 0: until the module is finished, or DEFAULT_DURATION for one that never is */
	uint64_t warmup_ns;
	double steady_percent;   /* 0: off; else the warm-up goes on until the slope over 5 s is below */
	uint64_t stall_ns;       /* give up when nothing moves for so long */
	bool quiet;              /* draw nothing while measuring */
	int *cpus;               /* one instance on each; NULL: one, not pinned */
	size_t cpus_len;
};

#define DEFAULT_DURATION_NS UINT64_C(10000000000)
#define DEFAULT_STALL_NS UINT64_C(120000000000)

/* More cases than this are refused: the plan of a million would not fit the memory of a small board. */
#define PLAN_CASES_MAX 20000

struct plan_load {
	const struct subsystem *subsystem;
	struct value *values;    /* params_len of the module */
};

struct plan_case {
	const struct subsystem *subsystem; /* name, module and info; outlives the plan */
	struct value *values;    /* params_len of the module */
	bool *given;             /* for each: it was asked for, it is not a default */
	struct plan_load *loads;
	size_t loads_len;
	struct case_options options;
};

struct plan {
	struct run_spec spec;    /* what it was made from */
	struct plan_case *cases;
	size_t len;
	/* Subsystems made up for module names that are not on the board: owned. */
	struct subsystem **extra;
	size_t extra_len;
};

/* Resolve a spec against the board and the modules. Messages carry the name and the nearest right one:
 * unknown subsystem or module (-ENOENT), parameter, value, unit, choice (-EINVAL), a module that is not
 * there (-ENODEV), more than PLAN_CASES_MAX cases (-E2BIG with the count). Sweeps multiply; the last
 * parameter as given changes quickest. */
int plan_make(const struct board *board, const struct module_info *modules, size_t modules_len,
	const char *root, const struct run_spec *spec, struct plan *plan, struct error *error);
void plan_finish(struct plan *plan);
/* "write, buffer_size 1 MiB, mode buffered": the first choice, and what was asked for; a
 * new string. */
char *plan_case_describe(const struct plan_case *plan_case);

#endif
