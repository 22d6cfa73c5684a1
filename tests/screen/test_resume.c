/* SPDX-License-Identifier: MIT
 * After the program was killed in the middle of a run: the next start tells, and goes on. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "vt.h"

/* Killed while memory was measured with two cases, in the first one. */
static struct vt *killed(void)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });

	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "\tj\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "\025" "1MiB,2MiB\r");
	vt_wait_text(vt, "2 cases");
	vt_keys(vt, "jjjj\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "\025" "2s\r");
	vt_wait_no_text(vt, "[");
	vt_keys(vt, "r");
	vt_wait_text(vt, "case 1 of 2");
	vt_wait_text(vt, "MB/s");
	kill(vt_pid(vt), SIGKILL);
	vt_wait_exit(vt);
	assert_int_equal(vt_journal_lines(vt, "boardbench.begun/1"), 1);
	vt_restart(vt, &(struct vt_options){ 0 });
	vt_wait_text(vt, "The program was ended during a run.");
	vt_wait_text(vt, "1 of 2: memory");
	return vt;
}

static void leave(struct vt *vt)
{
	vt_keys(vt, "\003");
	assert_int_equal(vt_wait_exit(vt), 130);
	vt_close(vt);
}

static void goes_on_with_the_next_case(void **state)
{
	struct vt *vt = killed();

	(void)state;
	vt_keys(vt, "\r");
	vt_wait_text(vt, "The run is over: 1 case.");
	assert_int_equal(vt_journal_lines(vt, "\"unfinished\""), 1);
	assert_int_equal(vt_journal_lines(vt, "boardbench.result/1"), 2);
	leave(vt);
}

static void repeats_the_case(void **state)
{
	struct vt *vt = killed();

	(void)state;
	vt_keys(vt, VT_DOWN "\r");
	vt_wait_text(vt, "The run is over: 2 cases.");
	assert_int_equal(vt_journal_lines(vt, "\"unfinished\""), 0);
	leave(vt);
}

static void leaves_it_for_good(void **state)
{
	struct vt *vt = killed();

	(void)state;
	vt_keys(vt, "k");
	vt_wait_text_in_row(vt, 0, "kernel log");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "The program was ended during a run.");
	vt_keys(vt, VT_DOWN VT_DOWN "\r");
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_restart(vt, &(struct vt_options){ 0 });
	vt_wait_text(vt, "+ memory");
	assert_false(vt_has_text(vt, "during a run"));
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_on_with_the_next_case),
		cmocka_unit_test(repeats_the_case),
		cmocka_unit_test(leaves_it_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
