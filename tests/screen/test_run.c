/* SPDX-License-Identifier: MIT
 * Runs on the screen: live view, stop, resize, key storm, killed worker, Ctrl-C, hang-up. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "vt.h"

/* A saved run of the module for tests, as a user would have written it. */
static void write_profile(struct vt *vt, const char *name, const char *settings)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/.config", vt_home(vt));
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/.config/boardbench", vt_home(vt));
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/.config/boardbench/runs", vt_home(vt));
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/.config/boardbench/runs/%s.ini", vt_home(vt), name);
	FILE *stream = fopen(path, "we");
	assert_non_null(stream);
	fprintf(stream, "[profile]\nversion = 1\n\n[case 1]\nsubsystem = clitest\n%s", settings);
	fclose(stream);
}

/* Start, and run a profile with these settings. */
static struct vt *running(const char *settings, const char *const *arguments)
{
	struct vt *vt = vt_start(&(struct vt_options){ .arguments = arguments });

	vt_wait_text_in_row(vt, -1, "? help");
	write_profile(vt, "it", settings);
	vt_keys(vt, "l");
	vt_wait_text_in_row(vt, 0, "saved runs");
	vt_wait_text(vt, "> it");
	vt_keys(vt, "r");
	return vt;
}

static void sweep_fills_the_table(void **state)
{
	struct vt *vt = running("level = 10,20,30\nrepeat = 2\n", NULL);

	(void)state;
	vt_wait_text(vt, "The run is over: 3 cases.");
	vt_wait_text(vt, "MB/s");
	vt_wait_text(vt, "30.00");
	assert_int_equal(vt_journal_lines(vt, "boardbench.result/1"), 3);
	vt_keys(vt, VT_ESCAPE);
	vt_wait_no_text(vt, "The run is over");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

static void live_view_stops_a_case_and_a_run(void **state)
{
	struct vt *vt = running("behave = steady,steady\nlevel = 42\n", NULL);

	(void)state;
	vt_wait_text(vt, "case 1 of 2");
	vt_wait_text(vt, "CPU");
	vt_wait_text_in_row(vt, -1, "x stop");
	vt_wait_text(vt, "now");
	vt_wait_text(vt, "MB/s");
	vt_keys(vt, "x");
	vt_wait_text(vt, "case 2 of 2");
	vt_keys(vt, "X");
	vt_wait_text(vt, "The run is over: 2 cases.");
	vt_wait_text(vt, "cancelled");
	assert_int_equal(vt_journal_lines(vt, "\"cancelled\""), 2);
	vt_keys(vt, "\003");
	assert_int_equal(vt_wait_exit(vt), 130);
	vt_close(vt);
}

static void everything_stays_usable_during_a_run(void **state)
{
	struct vt *vt = running("behave = steady\n", NULL);

	(void)state;
	vt_wait_text_in_row(vt, -1, "x stop");
	vt_keys(vt, "\t");
	vt_wait_text_in_row(vt, 0, "results");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text_in_row(vt, -1, "x stop");
	vt_keys(vt, "k");
	vt_wait_text_in_row(vt, 0, "kernel log");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text_in_row(vt, -1, "x stop");
	for (int i = 0; i < 40; i++) {
		vt_resize(vt, i % 2 ? 24 : 40, i % 3 ? 80 : 132);
		vt_keys(vt, "jk?" VT_ESCAPE);
	}
	vt_resize(vt, 24, 80);
	vt_wait_text(vt, "case 1 of 1");
	vt_wait_text_in_row(vt, -1, "? help");
	kill(vt_pid(vt), SIGTERM);
	vt_wait_exit(vt);
	assert_int_equal(vt_journal_lines(vt, "\"cancelled\""), 1);
	vt_close(vt);
}

static void killed_worker_costs_its_case(void **state)
{
	struct vt *vt = running("behave = steady,finish\n", NULL);
	pid_t worker;

	(void)state;
	vt_wait_text(vt, "case 1 of 2");
	vt_wait_text(vt, "MB/s");
	worker = vt_child(vt);
	assert_true(worker > 0);
	kill(worker, SIGKILL);
	vt_wait_text(vt, "The run is over: 2 cases.");
	assert_int_equal(vt_journal_lines(vt, "killed by signal 9"), 1);
	vt_keys(vt, "\003");
	vt_wait_exit(vt);
	vt_close(vt);
}

static void hang_up_lets_the_run_go_on(void **state)
{
	struct vt *vt = running("behave = steady\nduration = 2s\n", NULL);

	(void)state;
	vt_wait_text(vt, "MB/s"); /* it has begun */
	vt_hang_up(vt);
	vt_wait_exit(vt);
	assert_int_equal(vt_journal_lines(vt, "boardbench.result/1"), 1);
	assert_int_equal(vt_journal_lines(vt, "\"cancelled\""), 0);
	vt_close(vt);
}

static void hang_up_stops_the_run_when_asked(void **state)
{
	static const char *const arguments[] = { "--on-hangup", "stop", NULL };
	struct vt *vt = running("behave = steady\n", arguments);

	(void)state;
	vt_wait_text(vt, "MB/s"); /* it has begun */
	vt_hang_up(vt);
	vt_wait_exit(vt);
	assert_int_equal(vt_journal_lines(vt, "\"cancelled\""), 1);
	vt_close(vt);
}

static void leaving_during_a_run_asks(void **state)
{
	struct vt *vt = running("behave = steady\n", NULL);

	(void)state;
	vt_wait_text(vt, "case 1 of 1");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text_in_row(vt, 0, "saved runs");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "g live");
	vt_keys(vt, "q");
	vt_wait_text(vt, "Stop it and leave?");
	vt_keys(vt, "n");
	vt_wait_no_text(vt, "Stop it and leave?");
	vt_keys(vt, "g");
	vt_wait_text_in_row(vt, -1, "x stop");
	vt_keys(vt, "x");
	vt_wait_text(vt, "The run is over");
	vt_keys(vt, "\003");
	vt_wait_exit(vt);
	vt_close(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweep_fills_the_table),
		cmocka_unit_test(live_view_stops_a_case_and_a_run),
		cmocka_unit_test(everything_stays_usable_during_a_run),
		cmocka_unit_test(killed_worker_costs_its_case),
		cmocka_unit_test(hang_up_lets_the_run_go_on),
		cmocka_unit_test(hang_up_stops_the_run_when_asked),
		cmocka_unit_test(leaving_during_a_run_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
