/* SPDX-License-Identifier: MIT */
/* Two results side by side. */
#ifndef BB_COMPARE_H
#define BB_COMPARE_H

#include <stdio.h>

#include "output.h"
#include "result.h"

enum compare_verdict {
	COMPARE_SAME,      /* within the spread of the repeats (p >= 0.05) */
	COMPARE_BETTER, COMPARE_WORSE,
	COMPARE_DIFFERENT, /* beyond the spread, but the metric has no better */
	COMPARE_UNKNOWN,   /* a single pass: nothing can be said */
};

struct compare_row {
	char *name, *unit;
	enum bb_better better;
	double a, b;          /* NAN: not there */
	double a_min, a_max, b_min, b_max;
	double percent;       /* of b against a; NAN */
	double p;             /* of Welch's t; NAN when nothing can be said */
	enum compare_verdict verdict;
};

struct comparison {
	struct compare_row *rows;      /* metrics, then "cpu_load" and "per CPU %" (throughput per per cent) */
	size_t len;
	struct settings different;     /* parameters that differ: name = "sync -> async" */
	struct settings same;          /* those that are alike */
	char *warning;                 /* other module, method version or actual values: why they should not be compared; NULL */
};

void compare_results(const struct result *a, const struct result *b, struct comparison *comparison);
void comparison_finish(struct comparison *comparison);
/* Pairs of two lists matched by subsystem, module and parameters, in the order of a; paths (where a medium is mounted) and names of loads may
 * differ: pairs[i] is an index in
 * b or -1. When each list has one result, they are a pair whatever they are. */
void compare_match(const struct result *const *a, size_t a_len, const struct result *const *b,
	size_t b_len, long *pairs);
void comparison_print(FILE *stream, enum output_format format, const struct result *a,
	const struct result *b, const struct comparison *comparison);

#endif
