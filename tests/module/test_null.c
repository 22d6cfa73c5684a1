/* SPDX-License-Identifier: MIT */
/* The null module: what it counts follows from its parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_host.h"

extern const struct bb_module boardbench_module_null;

static int setup(void **state)
{
	static struct fake_host fake;

	fake_init(&fake, &boardbench_module_null);
	fake.clock = 123456789;
	*state = &fake;
	return 0;
}

static int teardown(void **state)
{
	fake_finish(*state);
	return 0;
}

static void counts_the_asked_rate(void **state)
{
	struct fake_host *fake = *state;

	fake_set(fake, "rate", "1000");
	assert_int_equal(fake_run(fake, 200), BB_GO_ON);
	/* 200 steps of 10 ms are 2 s. */
	assert_int_equal(fake->clock, 123456789 + UINT64_C(2000000000));
	assert_int_equal(fake->counters[0], 2000);
	assert_int_equal(fake->histograms[0].count, 200);
	assert_int_equal(fake->histograms[0].min, 1000000);
	assert_int_equal(fake->histograms[0].max, 1000000);
}

static void loses_nothing_to_rounding(void **state)
{
	struct fake_host *fake = *state;

	/* A third of a thing each step of 1 ms. */
	fake_set(fake, "rate", "333");
	fake_set(fake, "step_time", "1ms");
	fake_run(fake, 3000);
	assert_int_equal(fake->counters[0], 999);
}

static void every_shape_has_the_same_average(void **state)
{
	static const char *const shapes[] = { "ramp", "square" };
	struct fake_host *fake = *state;

	for (size_t i = 0; i < 2; i++) {
		fake_set(fake, "shape", shapes[i]);
		uint64_t before = fake->counters[0];
		fake_run(fake, 1000); /* ten periods of 1 s */
		uint64_t counted = fake->counters[0] - before;
		/* The steps of a ramp lie below their middles: half a percent of 100 steps. */
		assert_in_range(counted, 9950000, 10000000);
		assert_int_equal(fake->histograms[0].min, 500000);
	}
}

static void noise_is_the_same_each_time(void **state)
{
	struct fake_host *fake = *state, other;

	fake_init(&other, &boardbench_module_null);
	fake_set(fake, "shape", "noise");
	fake_set(&other, "shape", "noise");
	fake_run(fake, 500);
	fake_run(&other, 500);
	assert_int_equal(fake->counters[0], other.counters[0]);
	assert_int_equal(fake->histograms[0].sum, other.histograms[0].sum);
	/* Uniform over 101 levels, their deviation is 29.2 %: of 500 steps' mean 1.3 %. */
	assert_in_range(fake->counters[0], 4700000, 5300000);
	assert_true(fake->histograms[0].min < fake->histograms[0].max);
	fake_finish(&other);
}

static void finishes_after_exactly_its_work(void **state)
{
	struct fake_host *fake = *state;

	fake_set(fake, "work", "25001");
	assert_int_equal(fake_run(fake, 10), BB_FINISHED);
	assert_int_equal(fake->counters[0], 25001);
	assert_int_equal(fake->clock, 123456789 + 30000000);
	assert_true(fake->progress == 1);
}

static void warming_and_endless_never_finish(void **state)
{
	struct fake_host *fake = *state;

	fake_set(fake, "work", "25001");
	fake->ctx.warming = true;
	assert_int_equal(fake_run(fake, 10), BB_GO_ON);
	assert_int_equal(fake->counters[0], 100000);
	fake->ctx.warming = false;
	assert_int_equal(fake_run(fake, 10), BB_FINISHED);
	assert_int_equal(fake->counters[0], 125001);
	fake->ctx.endless = true;
	assert_int_equal(fake_run(fake, 10), BB_GO_ON);
	assert_int_equal(fake->counters[0], 225001);
}

static void ends_when_told(void **state)
{
	struct fake_host *fake = *state;

	fake->ctx.ending = true;
	assert_int_equal(fake_run(fake, 1), BB_GO_ON);
	assert_int_equal(fake->clock, 123456789);
	assert_int_equal(fake->counters[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(counts_the_asked_rate, setup, teardown),
		cmocka_unit_test_setup_teardown(loses_nothing_to_rounding, setup, teardown),
		cmocka_unit_test_setup_teardown(every_shape_has_the_same_average, setup, teardown),
		cmocka_unit_test_setup_teardown(noise_is_the_same_each_time, setup, teardown),
		cmocka_unit_test_setup_teardown(finishes_after_exactly_its_work, setup, teardown),
		cmocka_unit_test_setup_teardown(warming_and_endless_never_finish, setup, teardown),
		cmocka_unit_test_setup_teardown(ends_when_told, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
