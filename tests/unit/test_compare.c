/* SPDX-License-Identifier: MIT
 * Comparisons: differences, verdicts, matching by parameters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"
#include "mem.h"

static void make(struct result *result, const char *mount, const double *passes, size_t len, double load)
{
	double sum = 0;

	*result = (struct result){ .id = "x-1", .board = mem_strdup("b"), .subsystem = mem_strdup("mmc"),
		.module = mem_strdup("storage"), .method = mem_strdup("1"), .params_len = 1, .metrics_len = 1 };
	result->params = mem_zalloc(1, sizeof(*result->params));
	result->params[0] = (struct result_param){ .name = mem_strdup("mount"), .text = mem_strdup(mount),
		.type = BB_CHOICE };
	result->metrics = mem_zalloc(1, sizeof(*result->metrics));
	result->metrics[0] = (struct metric_result){ .name = mem_strdup("throughput"), .unit = mem_strdup("MB/s"),
		.better = BB_HIGHER, .samples = len, .passes_len = len,
		.passes = mem_zalloc(len, sizeof(double)) };
	for (size_t i = 0; i < len; i++) {
		result->metrics[0].passes[i] = passes[i];
		sum += passes[i];
	}
	result->metrics[0].value = sum / (double)len;
	result->cpu = (struct cpu_load){ .valid = load > 0, .load = load };
}

static void difference_beyond_the_spread(void **state)
{
	static const double sync[] = { 0.60, 0.61, 0.62 }, async[] = { 9.1, 9.2, 9.3 };
	struct result a, b;
	struct comparison comparison;

	(void)state;
	make(&a, "sync", sync, 3, 2.0);
	make(&b, "async", async, 3, 8.0);
	compare_results(&a, &b, &comparison);
	assert_int_equal(comparison.len, 3);
	assert_string_equal(comparison.rows[0].name, "throughput");
	assert_true(fabs(comparison.rows[0].percent - 100 * (9.2 - 0.61) / 0.61) < 1e-6);
	assert_true(comparison.rows[0].p < 0.001);
	assert_int_equal(comparison.rows[0].verdict, COMPARE_BETTER);
	assert_string_equal(comparison.rows[1].name, "cpu_load");
	/* 0.61 / 2.0 against 9.2 / 8.0 MB/s for a per cent of CPU */
	assert_true(fabs(comparison.rows[2].a - 0.305) < 1e-9);
	assert_true(fabs(comparison.rows[2].b - 1.15) < 1e-9);
	assert_string_equal(settings_get(&comparison.different, "mount"), "sync -> async");
	comparison_finish(&comparison);
	compare_results(&b, &a, &comparison);
	assert_int_equal(comparison.rows[0].verdict, COMPARE_WORSE);
	comparison_finish(&comparison);
	result_finish(&a);
	result_finish(&b);
}

static void difference_within_the_spread(void **state)
{
	static const double first[] = { 8, 9, 10 }, second[] = { 8.5, 9.2, 10.1 };
	struct result a, b;
	struct comparison comparison;

	(void)state;
	make(&a, "async", first, 3, 0);
	make(&b, "async", second, 3, 0);
	compare_results(&a, &b, &comparison);
	assert_int_equal(comparison.len, 1); /* no CPU load on a side: no row of it */
	assert_int_equal(comparison.rows[0].verdict, COMPARE_SAME);
	assert_string_equal(settings_get(&comparison.same, "mount"), "async");
	comparison_finish(&comparison);
	result_finish(&a);
	result_finish(&b);
}

static void single_pass_says_nothing(void **state)
{
	static const double first[] = { 8 }, second[] = { 80 };
	struct result a, b;
	struct comparison comparison;

	(void)state;
	make(&a, "async", first, 1, 0);
	make(&b, "async", second, 1, 0);
	compare_results(&a, &b, &comparison);
	assert_int_equal(comparison.rows[0].verdict, COMPARE_UNKNOWN);
	assert_true(isnan(comparison.rows[0].p));
	comparison_finish(&comparison);
	result_finish(&a);
	result_finish(&b);
}

static void another_method_is_warned_of(void **state)
{
	static const double one[] = { 8 };
	struct result a, b;
	struct comparison comparison;

	(void)state;
	make(&a, "async", one, 1, 0);
	make(&b, "async", one, 1, 0);
	free(b.method);
	b.method = mem_strdup("2");
	compare_results(&a, &b, &comparison);
	assert_non_null(comparison.warning);
	assert_non_null(strstr(comparison.warning, "1 and 2"));
	comparison_finish(&comparison);
	settings_set(&a.actual, "rate", "11025");
	free(b.method);
	b.method = mem_strdup("1");
	compare_results(&a, &b, &comparison);
	assert_non_null(strstr(comparison.warning, "11025"));
	comparison_finish(&comparison);
	compare_results(&b, &a, &comparison); /* whichever of them it is */
	assert_non_null(comparison.warning);
	assert_non_null(strstr(comparison.warning, "11025"));
	comparison_finish(&comparison);
	result_finish(&a);
	result_finish(&b);
}

static void pairs_have_the_same_parameters(void **state)
{
	static const double one[] = { 8 };
	struct result results[5];
	const struct result *a[] = { &results[0], &results[1] };
	const struct result *b[] = { &results[2], &results[3], &results[4] };
	long pairs[2];

	(void)state;
	make(&results[0], "sync", one, 1, 0);
	make(&results[1], "async", one, 1, 0);
	make(&results[2], "other", one, 1, 0);
	make(&results[3], "async", one, 1, 0);
	make(&results[4], "async", one, 1, 0);
	compare_match(a, 2, b, 3, pairs);
	assert_int_equal(pairs[0], -1);
	assert_int_equal(pairs[1], 1);
	/* The same case under a load is another one. */
	results[3].loads = mem_zalloc(1, sizeof(*results[3].loads));
	results[3].loads_len = 1;
	results[3].loads[0].module = mem_strdup("memory");
	compare_match(a, 2, b, 3, pairs);
	assert_int_equal(pairs[1], 2);
	compare_match(a, 1, b, 1, pairs); /* two single results are a pair whatever they are */
	assert_int_equal(pairs[0], 0);
	for (size_t i = 0; i < 5; i++)
		result_finish(&results[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(difference_beyond_the_spread),
		cmocka_unit_test(difference_within_the_spread),
		cmocka_unit_test(single_pass_says_nothing),
		cmocka_unit_test(another_method_is_warned_of),
		cmocka_unit_test(pairs_have_the_same_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
