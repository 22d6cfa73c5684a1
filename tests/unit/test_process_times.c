/* SPDX-License-Identifier: MIT */
/* Who was busy, from dumps of /proc/PID/stat taken before and after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "environment.h"

#define BEFORE TESTS_DIR "/dumps-cpu/processes-before"
#define AFTER TESTS_DIR "/dumps-cpu/processes-after"

struct pair {
	struct process_times *before, *after;
};

static int setup(void **state)
{
	struct pair *pair = malloc(sizeof(*pair));
	pair->before = process_times_read(BEFORE);
	pair->after = process_times_read(AFTER);
	*state = pair;
	return 0;
}

static int teardown(void **state)
{
	struct pair *pair = *state;
	process_times_free(pair->before);
	process_times_free(pair->after);
	free(pair);
	return 0;
}

static double busiest(void **state, const int *own, size_t own_len, char name[32], int *pid)
{
	struct pair *pair = *state;
	return process_times_busiest(pair->before, pair->after, own, own_len, name, 32, pid);
}

static void a_name_may_hold_blanks_and_parentheses(void **state)
{
	char name[32];
	int pid;
	/* 200: 50 + 40 ticks more; the kernel thread 2 had 1000 more, and is left out. */
	assert_true(busiest(state, (const int[]){ 7 }, 1, name, &pid) > 0);
	assert_int_equal(pid, 200);
	assert_string_equal(name, "a (b) 1 S 2) c");
}

static void own_processes_are_left_out_and_reused_pids_are_new_ones(void **state)
{
	char name[32];
	int pid;
	/* 300 is another process than before: all its 30 ticks count, though the old one had 5000. */
	double second = busiest(state, (const int[]){ 7, 200 }, 2, name, &pid);
	assert_true(second > 0);
	assert_int_equal(pid, 300);
	assert_string_equal(name, "new");
	double first = busiest(state, (const int[]){ 7 }, 1, name, &pid);
	assert_true(first > 2.99 * second && first < 3.01 * second); /* 90 to 30 ticks */
}

static void nobody_busy_is_0(void **state)
{
	struct pair *pair = *state;
	char name[32] = "old";
	int pid = 5;
	struct process_times *again = process_times_read(AFTER);
	assert_true(process_times_busiest(pair->after, again, NULL, 0, name, sizeof(name), &pid) == 0);
	assert_int_equal(pid, 0);
	assert_string_equal(name, "");
	/* taken in the wrong order: no interval */
	assert_true(process_times_busiest(again, pair->after, NULL, 0, name, sizeof(name), &pid) == 0);
	process_times_free(again);
	process_times_free(NULL);
}

static void a_machine_without_proc_has_no_processes(void **state)
{
	struct process_times *none = process_times_read("/nonexistent");
	char name[32];
	int pid;
	assert_non_null(none);
	assert_true(process_times_busiest(none, none, NULL, 0, name, sizeof(name), &pid) == 0);
	process_times_free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_name_may_hold_blanks_and_parentheses, setup, teardown),
		cmocka_unit_test_setup_teardown(own_processes_are_left_out_and_reused_pids_are_new_ones,
			setup, teardown),
		cmocka_unit_test_setup_teardown(nobody_busy_is_0, setup, teardown),
		cmocka_unit_test(a_machine_without_proc_has_no_processes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
