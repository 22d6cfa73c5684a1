/* SPDX-License-Identifier: MIT
 *
 * Rates over time: constant memory, and spikes that survive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "mem.h"
#include "series.h"

#define SECOND UINT64_C(1000000000)

static void keeps_one_bucket_a_span(void **state)
{
	struct series *series = mem_zalloc(1, sizeof(*series));
	struct series_bucket out[8];

	series_start(series, 5 * SECOND, SECOND);
	assert_int_equal(series_resample(series, out, 8), 0);
	series_add(series, SECOND / 2, 10);
	assert_int_equal(series->len, 0);
	series_add(series, SECOND / 2, 20);
	series_add(series, 0, 1000); /* no time: no figure */
	series_add(series, SECOND, 30);
	assert_int_equal(series_resample(series, out, 8), 2);
	assert_true(out[0].mean == 15 && out[0].min == 10 && out[0].max == 20);
	assert_true(out[1].mean == 30 && out[1].min == 30 && out[1].max == 30);
	assert_true(series->last == 30 && series->max == 30);
	assert_int_equal(series->start_ns, 5 * SECOND);
	free(series);
}

static void a_spike_survives_any_length(void **state)
{
	struct series *series = mem_zalloc(1, sizeof(*series));
	struct series_bucket out[50];
	size_t buckets = 20 * SERIES_BUCKETS;
	double sum = 0;

	series_start(series, 0, SECOND);
	for (size_t i = 0; i < buckets; i++)
		series_add(series, SECOND, i == 700 ? 999 : i == 800 ? 1 : 100);
	assert_true(series->len <= SERIES_BUCKETS && series->len >= SERIES_BUCKETS / 2);
	assert_true(series->bucket_ns * series->len <= buckets * SECOND);
	assert_true(series->bucket_ns * (series->len + 1) > buckets * SECOND);
	size_t filled = series_resample(series, out, 50);
	assert_int_equal(filled, 50);
	float max = 0, min = 1000;
	for (size_t i = 0; i < filled; i++) {
		max = fmaxf(max, out[i].max);
		min = fminf(min, out[i].min);
		sum += (double)out[i].mean;
	}
	assert_true(max == 999 && min == 1);
	assert_true(fabs(sum / 50 - 100) < 1);
	free(series);
}

static void a_long_silence_takes_its_place(void **state)
{
	struct series *series = mem_zalloc(1, sizeof(*series));
	struct series_bucket out[8];

	series_start(series, 0, SECOND);
	series_add(series, SECOND, 5);
	series_add(series, 3 * SECOND, 0);
	series_add(series, SECOND, 7);
	assert_int_equal(series_resample(series, out, 8), 5);
	assert_true(out[0].mean == 5 && out[1].max == 0 && out[3].max == 0 && out[4].min == 7);
	series_add(series, 100000 * SECOND, 1);
	assert_true(series->len < SERIES_BUCKETS);
	assert_true(series->bucket_ns * series->len <= 100005 * SECOND);
	assert_true(series->bucket_ns * (series->len + 1) >= 100005 * SECOND);
	free(series);
}

static void an_unsteady_timer_does_not_mix_values(void **state)
{
	struct series *series = mem_zalloc(1, sizeof(*series));
	struct series_bucket out[8];

	series_start(series, 0, SECOND);
	for (int i = 0; i < 8; i++)
		series_add(series, i % 2 ? SECOND - SECOND / 20 : SECOND + SECOND / 20, i);
	assert_int_equal(series_resample(series, out, 8), 8);
	for (int i = 0; i < 8; i++)
		assert_true(out[i].min == (float)i && out[i].max == (float)i);
	free(series);
}

static void resampling_keeps_order_and_all_of_it(void **state)
{
	struct series *series = mem_zalloc(1, sizeof(*series));
	struct series_bucket out[7];

	series_start(series, 0, SECOND);
	for (int i = 0; i < 100; i++)
		series_add(series, SECOND, i);
	assert_int_equal(series_resample(series, out, 0), 0);
	assert_int_equal(series_resample(series, out, 7), 7);
	assert_true(out[0].min == 0 && out[6].max == 99);
	for (int i = 0; i < 6; i++)
		assert_true(out[i].max + 1 == out[i + 1].min);
	for (int i = 0; i < 7; i++) /* values in a row: the mean is in the middle */
		assert_true(fabsf(out[i].mean - (out[i].min + out[i].max) / 2) < 0.001f);
	free(series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_one_bucket_a_span),
		cmocka_unit_test(a_spike_survives_any_length),
		cmocka_unit_test(a_long_silence_takes_its_place),
		cmocka_unit_test(an_unsteady_timer_does_not_mix_values),
		cmocka_unit_test(resampling_keeps_order_and_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
