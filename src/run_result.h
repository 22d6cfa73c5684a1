/* SPDX-License-Identifier: MIT */
/* From the passes of a case to its result. */
#ifndef BB_RUN_RESULT_H
#define BB_RUN_RESULT_H

#include "histogram.h"
#include "pass.h"
#include "result.h"

/* The values of one metric over the passes. */
struct pass_values {
	double *values;
	size_t len;
	struct histogram *histogram; /* merged over passes and instances; NULL unless BB_HISTOGRAM */
};

/* What the passes so far gave, for the case or for one of its loads. */
struct collected {
	const struct module_info *info;
	struct pass_values *metrics; /* metrics_len of the module */
};

struct case_record {
	const struct plan_case *plan_case;
	struct collected own;
	struct collected *loads;     /* loads_len of the case */
	unsigned passes;             /* that have a figure */
	double elapsed_s;
	struct cpu_load cpu;         /* sums weighted by time until finished */
	double cpu_weight_s;
	struct result result;        /* being built */
};

void case_record_init(struct case_record *record, const struct plan_case *plan_case);
/* Take over what a pass that is over has measured: figures, notes, facts; and what went wrong. */
void case_record_add_pass(struct case_record *record, const struct pass *pass);
/* Compute the metrics and the CPU load of the result from all passes. */
void case_record_complete(struct case_record *record);
void case_record_finish(struct case_record *record);

/* Mark suspect with a note (unless it is worse already). */
void result_suspect(struct result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Parameters with their values, as the result keeps them. */
struct result_param *result_params_of(const struct module_info *info, const struct value *values);

#endif
