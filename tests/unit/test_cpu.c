/* SPDX-License-Identifier: MIT */
/* CPU load against the formula of proc_stat(5), worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu.h"

#define DUMP TESTS_DIR "/dumps-cpu/dual"

static void between(const char *before, const char *after, double seconds, struct cpu_load *load)
{
	struct cpu_snapshot first, second;
	assert_int_equal(cpu_parse(before, &first, NULL), 0);
	assert_int_equal(cpu_parse(after, &second, NULL), 0);
	first.time_ns = 1000;
	second.time_ns = 1000 + (uint64_t)(seconds * 1e9);
	cpu_between(&first, &second, load);
}

static void assert_near(double value, double expected)
{
	assert_true(value > expected - 1e-4 && value < expected + 1e-4);
}

static void load_is_all_but_idle_and_iowait(void **state)
{
	struct cpu_load load;
	/* 10+5+20 +100+40 +1+4+20 = 200 ticks, of which 140 were idle or waiting. */
	between("cpu  100 10 100 1000 100 10 10 10 77 3\n",
		"cpu  110 15 120 1100 140 11 14 30 99 9\n", 1, &load);
	assert_true(load.valid);
	assert_near(load.load, 30);
	assert_near(load.user, 7.5);
	assert_near(load.system, 10);
	assert_near(load.iowait, 20);
	assert_near(load.irq, 0.5);
	assert_near(load.softirq, 2);
	assert_near(load.steal, 10);
	assert_near(load.resolution, 0.5);
	assert_true(load.worker < 0 && load.workbench < 0);
}

static void fields_that_an_old_kernel_lacks_count_as_0(void **state)
{
	struct cpu_load load;
	between("cpu 0 0 0 0\n", "cpu 25 0 25 50\n", 1, &load);
	assert_true(load.valid);
	assert_near(load.load, 50);
	assert_near(load.steal, 0);
}

static void idle_and_iowait_may_run_backwards(void **state)
{
	struct cpu_load load;
	between("cpu 0 0 0 500 90\n", "cpu 50 0 0 550 80\n", 1, &load);
	assert_near(load.load, 50);
	assert_near(load.iowait, 0);
}

static void fewer_than_10_ticks_of_wall_time_have_no_load(void **state)
{
	struct cpu_load load;
	const char *before = "cpu 0 0 0 0\ncpu0 0 0 0 0\n", *after = "cpu 20 0 0 20\ncpu0 20 0 0 20\n";
	/* USER_HZ is 100 on every architecture of today: 0.09 s are 9 ticks. */
	between(before, after, 0.09, &load);
	assert_false(load.valid);
	between(before, after, 0.11, &load);
	assert_true(load.valid);
	between(before, before, 1, &load);
	assert_false(load.valid);
}

static void a_cpu_that_went_is_left_out_of_the_list_but_not_of_the_sum(void **state)
{
	struct cpu_load load;
	between("cpu 0 0 0 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu3 0 0 0 0\n",
		"cpu 100 0 0 300\ncpu0 90 0 0 10\ncpu3 10 0 0 90\n", 1, &load);
	assert_near(load.load, 25);
	assert_int_equal(load.cpus_len, 4);
	assert_near((double)load.cpus[0], 90);
	assert_true(load.cpus[1] < 0);
	assert_true(load.cpus[2] < 0);
	assert_near((double)load.cpus[3], 10);
}

static void the_clock_set_back_gives_no_load(void **state)
{
	struct cpu_snapshot first, second;
	struct cpu_load load;
	assert_int_equal(cpu_parse("cpu 0 0 0 0\n", &first, NULL), 0);
	assert_int_equal(cpu_parse("cpu 50 0 0 50\n", &second, NULL), 0);
	first.time_ns = 3600000000000u;
	second.time_ns = 1;
	cpu_between(&first, &second, &load);
	assert_false(load.valid);
}

static void garbage_is_an_error_that_says_what(void **state)
{
	static const char *const texts[] = { "", "\n\n", "intr 5\n", "cpu0 1 2 3 4\n", "cpux\n", "cpu" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct cpu_snapshot snapshot;
		struct error error = { 0 };
		assert_true(cpu_parse(texts[i], &snapshot, &error) < 0);
		assert_non_null(strstr(error.text, "/proc/stat"));
	}
	struct cpu_snapshot snapshot;
	assert_int_equal(cpu_parse("cpu 99999999999999999999999 1\ncpu256 1\ncpu99999999999999999999 1\n",
		&snapshot, NULL), 0);
	assert_true(snapshot.total.ticks[CPU_USER] == UINT64_MAX);
	assert_int_equal(snapshot.cpus_len, 0);
}

static void a_machine_without_proc_says_so(void **state)
{
	struct cpu_snapshot snapshot;
	struct error error = { 0 };
	assert_true(cpu_read("/nonexistent", &snapshot, &error) < 0);
	assert_non_null(strstr(error.text, "/nonexistent/proc/stat"));
}

static void a_dump_is_read(void **state)
{
	struct cpu_snapshot snapshot;
	assert_int_equal(cpu_read(DUMP, &snapshot, NULL), 0);
	assert_true(snapshot.time_ns > 0);
	assert_int_equal(snapshot.cpus_len, 4);
	assert_true(snapshot.cpus[3].online);
	assert_false(snapshot.cpus[2].online);
	assert_true(snapshot.cpus[3].ticks[CPU_IDLE] == 2000);
}

static void assert_list(const char *text, const int *expected, size_t expected_len)
{
	int *cpus;
	size_t len;
	assert_int_equal(cpu_list_parse(DUMP, text, &cpus, &len, NULL), 0);
	assert_int_equal(len, expected_len);
	assert_memory_equal(cpus, expected, len * sizeof(*cpus));
	free(cpus);
}

static void lists_of_cpus_are_read(void **state)
{
	/* online holds "0-1,3" */
	assert_list("all", (const int[]){ 0, 1, 3 }, 3);
	assert_list("each", (const int[]){ 0, 1, 3 }, 3);
	assert_list("1", (const int[]){ 1 }, 1);
	assert_list("3,0-1", (const int[]){ 0, 1, 3 }, 3);
	assert_list("0,0", (const int[]){ 0 }, 1);
}

static void wrong_lists_of_cpus_are_refused(void **state)
{
	static const char *const texts[] = { "", "-", "1-", "1-0", "a", "0,", ",0", "0 1", "2", "0-3",
		"256", "0-18446744073709551616", "-1" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int *cpus;
		size_t len;
		struct error error = { 0 };
		assert_true(cpu_list_parse(DUMP, texts[i], &cpus, &len, &error) < 0);
		assert_null(cpus);
		assert_true(error.text[0] != '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_is_all_but_idle_and_iowait),
		cmocka_unit_test(fields_that_an_old_kernel_lacks_count_as_0),
		cmocka_unit_test(idle_and_iowait_may_run_backwards),
		cmocka_unit_test(fewer_than_10_ticks_of_wall_time_have_no_load),
		cmocka_unit_test(a_cpu_that_went_is_left_out_of_the_list_but_not_of_the_sum),
		cmocka_unit_test(the_clock_set_back_gives_no_load),
		cmocka_unit_test(garbage_is_an_error_that_says_what),
		cmocka_unit_test(a_machine_without_proc_says_so),
		cmocka_unit_test(a_dump_is_read),
		cmocka_unit_test(lists_of_cpus_are_read),
		cmocka_unit_test(wrong_lists_of_cpus_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
