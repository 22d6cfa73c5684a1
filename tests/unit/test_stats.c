/* SPDX-License-Identifier: MIT
 *
 * Statistics against published tables and worked examples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "mem.h"
#include "stats.h"

static bool near(double a, double b, double relative)
{
	return fabs(a - b) <= fabs(b) * relative;
}

static void means_and_spread(void **state)
{
	/* Deviations -3 -1 -1 -1 0 0 2 4: sum of squares 32, over n - 1 = 7. */
	static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	static const double speeds[] = { 60, 30 }; /* there at 60, back at 30: 40 */
	struct stats stats;

	stats_of(values, ARRAY_LEN(values), BB_ARITHMETIC, &stats);
	assert_int_equal(stats.count, 8);
	assert_true(stats.mean == 5 && stats.min == 2 && stats.max == 9 && stats.median == 4.5);
	assert_true(near(stats.stddev, sqrt(32.0 / 7), 1e-12));
	stats_of(speeds, 2, BB_HARMONIC, &stats);
	assert_true(near(stats.mean, 40, 1e-12));
	assert_true(near(stats.stddev, 15 * sqrt(2), 1e-12));
	stats_of(speeds, 1, BB_ARITHMETIC, &stats);
	assert_true(stats.mean == 60 && stats.median == 60 && stats.stddev == 0);
	stats_of(speeds, 0, BB_ARITHMETIC, &stats);
	assert_int_equal(stats.count, 0);
}

static void spread_does_not_suffer_from_a_large_mean(void **state)
{
	static const double values[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 }; /* variance 30 */
	struct stats stats;

	stats_of(values, 4, BB_ARITHMETIC, &stats);
	assert_true(near(stats.stddev, sqrt(30), 1e-9));
}

static void outliers_by_the_modified_score(void **state)
{
	/* Median 10, MAD 1: the score of x is 0.6745 |x - 10|, above 3.5 from 5.19 away on. */
	const double values[] = { 9, 10, 11, 9, 10, 11, 15.1, 15.3, 4.7 };
	bool outlier[ARRAY_LEN(values)];

	assert_int_equal(stats_outliers(values, ARRAY_LEN(values), outlier), 2);
	assert_false(outlier[6]);
	assert_true(outlier[7] && outlier[8]);
	/* Too few to tell, and no spread to measure by. */
	assert_int_equal(stats_outliers((const double[]){ 1, 1, 100 }, 3, outlier), 0);
	assert_false(outlier[2]);
	assert_int_equal(stats_outliers((const double[]){ 5, 5, 5, 5 }, 4, outlier), 0);
}

/* Two samples of n values whose t is `t`: with equal n and equal spread Welch's degrees of freedom are
 * 2 (n - 1) exactly, so that Student's table applies. */
static double p_of(double t, size_t n)
{
	double a[64], b[64];
	size_t even = n - n % 2;

	for (size_t i = 0; i < even; i++)
		a[i] = i % 2 ? 1 : -1;
	if (n % 2)
		a[n - 1] = 0;
	double variance = (double)even / (double)(n - 1);
	for (size_t i = 0; i < n; i++)
		b[i] = a[i] + t * sqrt(2 * variance / (double)n);
	double p = -1;
	assert_true(stats_welch(a, n, b, n, &p));
	return p;
}

static void welch_agrees_with_students_table(void **state)
{
	/* Two-sided critical values (NIST/SEMATECH e-Handbook 1.3.6.7.2): three decimals. */
	static const struct { size_t n; double t, p; } table[] = {
		{ 2, 4.303, 0.05 }, { 2, 9.925, 0.01 }, { 3, 2.776, 0.05 }, { 3, 4.604, 0.01 },
		{ 3, 2.132, 0.10 }, { 6, 2.228, 0.05 }, { 6, 3.169, 0.01 }, { 6, 4.587, 0.001 },
		{ 11, 2.086, 0.05 }, { 11, 2.845, 0.01 }, { 16, 2.042, 0.05 }, { 51, 1.984, 0.05 },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		assert_true(near(p_of(table[i].t, table[i].n), table[i].p, 0.002));
	/* Two degrees of freedom have a closed form: p = 1 - t / sqrt(2 + t^2). */
	for (double t = 0.1; t < 50; t *= 2)
		assert_true(near(p_of(t, 2), 1 - t / sqrt(2 + t * t), 1e-6));
	assert_true(near(p_of(0, 5), 1, 1e-9));
}

static void welch_with_unequal_spread(void **state)
{
	/* Means 3 and 6, variances 2.5 and 10, five each: t = 3 / sqrt(2.5), and Welch-Satterthwaite gives
	 * 6.25 / (0.25 / 4 + 4 / 4) = 5.88 degrees of freedom; Student's table has 1.943 at 6 and 2.015
	 * at 5 for 0.10: t = 1.897 lies just above. */
	static const double a[] = { 1, 2, 3, 4, 5 }, b[] = { 2, 4, 6, 8, 10 };
	double p = -1, swapped = -1;

	assert_true(stats_welch(a, 5, b, 5, &p));
	assert_true(p > 0.10 && p < 0.115);
	assert_true(stats_welch(b, 5, a, 5, &swapped));
	assert_true(near(swapped, p, 1e-12));
}

static void welch_at_its_edges(void **state)
{
	static const double same[] = { 4, 4, 4 }, other[] = { 5, 5 };
	double p = -1;

	assert_false(stats_welch(same, 1, other, 2, &p));
	assert_false(stats_welch(same, 3, other, 1, &p));
	assert_false(stats_welch(same, 0, other, 0, &p));
	assert_true(stats_welch(same, 3, same, 2, &p));
	assert_true(p == 1);
	assert_true(stats_welch(same, 3, other, 2, &p));
	assert_true(p == 0);
}

static void slope_over_the_window(void **state)
{
	/* 90 to 110 in a line: 20 over a mean of 100. */
	assert_true(near(stats_slope_percent((const double[]){ 90, 95, 100, 105, 110 }, 5), 20, 1e-12));
	assert_true(near(stats_slope_percent((const double[]){ 110, 100, 90 }, 3), -20, 1e-12));
	assert_true(fabs(stats_slope_percent((const double[]){ 7, 9, 9, 7 }, 4)) < 1e-12);
	assert_true(isnan(stats_slope_percent((const double[]){ 1, 2 }, 2)));
	assert_true(isnan(stats_slope_percent((const double[]){ -1, 0, 1 }, 3)));
}

/* The mean of ten times 0.1 is not 0.1 in binary: that must not pass for a spread. */
static void constant_samples_of_unequal_count_are_equal(void **state)
{
	const double many[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 }, few[] = { 0.1, 0.1 };
	double p = -1;

	(void)state;
	assert_true(stats_welch(many, 10, few, 2, &p));
	assert_true(p == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constant_samples_of_unequal_count_are_equal),
		cmocka_unit_test(means_and_spread),
		cmocka_unit_test(spread_does_not_suffer_from_a_large_mean),
		cmocka_unit_test(outliers_by_the_modified_score),
		cmocka_unit_test(welch_agrees_with_students_table),
		cmocka_unit_test(welch_with_unequal_spread),
		cmocka_unit_test(welch_at_its_edges),
		cmocka_unit_test(slope_over_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
