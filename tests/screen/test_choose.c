/* SPDX-License-Identifier: MIT
 * The list of subsystems, and a run from it to the table: storage with a small file, memory by Ctrl-C. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "vt.h"

static struct vt *at_home(void)
{
	static const char *const arguments[] = { "--profile-dir", BOARDS_DIR, "--board", "desk", NULL };
	struct vt *vt = vt_start(&(struct vt_options){ .arguments = arguments });

	vt_wait_text_in_row(vt, -1, "? help");
	vt_wait_text(vt, "> + memory");
	vt_wait_text(vt, "  + card");
	return vt;
}

/* j is down; k is the kernel log here, so that up is the arrow alone. */
static void arrows_and_j_choose(void **state)
{
	static const char *const downs[] = { VT_DOWN, "j" };
	struct vt *vt = at_home();

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		vt_keys(vt, downs[i]);
		vt_wait_text(vt, "> + card");
		vt_wait_text(vt, "  + memory");
		vt_wait_text(vt, "file size"); /* its form is there too */
		vt_keys(vt, VT_UP);
		vt_wait_text(vt, "> + memory");
		vt_wait_no_text(vt, "file size");
	}
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

/* Down to the row, and another value in it. */
static void set_row(struct vt *vt, const char *row, const char *value, const char *shown)
{
	char mark[64];

	snprintf(mark, sizeof(mark), "> %s", row);
	for (int i = 0; i < 20 && !vt_has_text(vt, mark); i++) {
		size_t sent;
		vt_output(vt, &sent);
		vt_keys(vt, VT_DOWN);
		vt_wait_output(vt, sent + 1);
	}
	vt_wait_text(vt, mark);
	vt_keys(vt, "\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "\025");
	vt_keys(vt, value);
	vt_keys(vt, "\r");
	vt_wait_no_text(vt, "[");
	vt_wait_text(vt, shown);
}

static void small_file_is_written(void **state)
{
	struct vt *vt = at_home();

	(void)state;
	vt_keys(vt, "j");
	vt_wait_text(vt, "> + card");
	vt_keys(vt, "\t");
	vt_wait_text(vt, "> operation");
	set_row(vt, "file size", "2MiB", "2 MiB");
	vt_keys(vt, "r");
	vt_wait_text(vt, "The run is over: 1 case.");
	vt_wait_text(vt, "MB/s");
	assert_int_equal(vt_journal_lines(vt, "boardbench.result/1"), 1);
	assert_int_equal(vt_journal_lines(vt, "\"cancelled\""), 0);
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "1 result of this subsystem");
	vt_keys(vt, "v");
	vt_wait_text_in_row(vt, 0, "results: card");
	vt_wait_text(vt, "write 65536 2MiB");
	vt_keys(vt, "\003");
	assert_int_equal(vt_wait_exit(vt), 130);
	vt_close(vt);
}

/* Leaving by force while a worker measures: the line is as before, and the case is in the journal. */
static void ends_during_a_run_restore_the_terminal(void **state)
{
	static const struct { const char *keys; int signal_number; } ends[] = { { "\003", 0 }, { NULL, SIGTERM } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct vt *vt = at_home();
		vt_keys(vt, "\t");
		vt_wait_text(vt, "> operation");
		set_row(vt, "duration", "1h", "1h");
		vt_keys(vt, "r");
		vt_wait_text(vt, "case 1 of 1");
		vt_wait_text(vt, "MB/s");
		/* No cell is left to draw in, and then there is again. */
		vt_resize(vt, 1, 1);
		vt_resize(vt, 20, 60);
		vt_wait_text_in_row(vt, -1, "x stop");
		if (ends[i].keys)
			vt_keys(vt, ends[i].keys);
		else
			kill(vt_pid(vt), ends[i].signal_number);
		vt_wait_exit(vt);
		vt_assert_termios_as_before(vt);
		assert_int_equal(vt_journal_lines(vt, "\"cancelled\""), 1);
		vt_close(vt);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrows_and_j_choose),
		cmocka_unit_test(small_file_is_written),
		cmocka_unit_test(ends_during_a_run_restore_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
