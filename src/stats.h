/* SPDX-License-Identifier: MIT */
/* Statistics of a few passes. */
#ifndef BB_STATS_H
#define BB_STATS_H

#include <boardbench/module.h>
#include <stdbool.h>
#include <stddef.h>

struct stats {
	size_t count;
	double mean, min, max, median;
	double stddev; /* sample standard deviation (n - 1); 0 for one value */
};

void stats_of(const double *values, size_t count, enum bb_mean mean, struct stats *stats);

/* Outliers by the modified z-score 0.6745 (x - median) / MAD above 3.5 (Iglewicz and Hoaglin, 1993),
 * from 4 values on. outlier[i] is set; returns how many. Nothing is dropped from the mean. */
size_t stats_outliers(const double *values, size_t count, bool *outlier);

/* Welch's t test of two samples. *p is the two-sided probability that means as different as these come
 * from the same; returns false when nothing can be said (fewer than 2 values in one). Two samples
 * without any spread: p is 1 when equal, 0 when not. */
bool stats_welch(const double *a, size_t a_len, const double *b, size_t b_len, double *p);

/* Steady-state rule: slope of a least-squares line through `values` (equally spaced), as per cent of
 * their mean over the whole window. NAN: fewer than 3 values or mean 0. */
double stats_slope_percent(const double *values, size_t count);

#endif
