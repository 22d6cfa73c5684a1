/* SPDX-License-Identifier: MIT
 *
 * Histograms: the stated error bound against exact values, and sums over instances. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "mem.h"

#define VALUES 5000

/* xorshift64 (Marsaglia, 2003): the same values on every machine. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void add(struct histogram *histogram, uint64_t value)
{
	if (histogram->count == 0 || value < histogram->min)
		histogram->min = value;
	if (histogram->count == 0 || value > histogram->max)
		histogram->max = value;
	histogram->count++;
	histogram->sum += (double)value;
	histogram->buckets[histogram_bucket(value)]++;
}

static int compare_values(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static void buckets_lie_side_by_side(void **state)
{
	uint64_t expected = 0, width = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t low = histogram_low(i, &width);
		assert_true(low == expected);
		assert_int_equal(histogram_bucket(low), i);
		assert_int_equal(histogram_bucket(low + (width - 1)), i);
		assert_true(width == 1 || width <= low / 32);
		expected = low + width;
	}
	assert_true(expected == 0); /* one past the largest value */
	assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static void percentiles_keep_the_bound(void **state)
{
	static const double fractions[] = { 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999 };
	struct histogram *histogram = mem_zalloc(1, sizeof(*histogram));
	uint64_t *values = mem_zalloc(VALUES, sizeof(*values)), seed = 88172645463325252u;

	/* From a few bits to all 64, so that every group of buckets is met. */
	for (unsigned bits = 3; bits <= 64; bits++) {
		memset(histogram, 0, sizeof(*histogram));
		for (size_t i = 0; i < VALUES; i++) {
			values[i] = next_random(&seed) >> (64 - bits) >> (next_random(&seed) % (bits / 2 + 1));
			add(histogram, values[i]);
		}
		qsort(values, VALUES, sizeof(*values), compare_values);
		for (size_t i = 0; i < ARRAY_LEN(fractions); i++) {
			double exact = (double)values[(size_t)ceil(fractions[i] * VALUES) - 1];
			double told = histogram_percentile(histogram, fractions[i]);
			assert_true(fabs(told - exact) <= exact * HISTOGRAM_ERROR);
		}
		assert_true(histogram_percentile(histogram, 0) == (double)values[0]);
		assert_true(histogram_percentile(histogram, 1) == (double)values[VALUES - 1]);
	}
	free(values);
	free(histogram);
}

static void an_empty_one_says_0_and_a_single_value_itself(void **state)
{
	struct histogram *histogram = mem_zalloc(1, sizeof(*histogram));

	assert_true(histogram_percentile(histogram, 0.5) == 0);
	add(histogram, 1000003);
	assert_true(histogram_percentile(histogram, 0.5) == 1000003);
	assert_true(histogram_percentile(histogram, 0.999) == 1000003);
	free(histogram);
}

static void merging_is_as_adding_to_one(void **state)
{
	struct histogram *a = mem_zalloc(4, sizeof(*a)), *b = a + 1, *all = a + 2, *empty = a + 3;
	uint64_t seed = 7;

	for (size_t i = 0; i < 1000; i++) {
		uint64_t value = next_random(&seed) >> 40;
		add(i % 3 ? a : b, value);
		add(all, value);
	}
	histogram_merge(a, empty);
	histogram_merge(a, b);
	histogram_merge(empty, b);
	assert_int_equal(a->count, 1000);
	assert_true(a->min == all->min && a->max == all->max);
	assert_true(fabs(a->sum - all->sum) <= all->sum * 1e-12);
	assert_memory_equal(a->buckets, all->buckets, sizeof(a->buckets));
	assert_true(empty->min == b->min && empty->max == b->max && empty->count == b->count);
	free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_lie_side_by_side),
		cmocka_unit_test(percentiles_keep_the_bound),
		cmocka_unit_test(an_empty_one_says_0_and_a_single_value_itself),
		cmocka_unit_test(merging_is_as_adding_to_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
