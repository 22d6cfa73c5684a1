/* SPDX-License-Identifier: MIT
 * Start, size, help, leaving: the terminal as it was before. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "vt.h"

static void first_screen_is_complete_in_ascii(void **state)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });
	char row[128];
	size_t length;

	(void)state;
	vt_wait_text_in_row(vt, 0, "boardbench  generic");
	vt_wait_text_in_row(vt, -1, "? help");
	vt_wait_text(vt, "+ memory");
	assert_true(vt_cell_is_reverse(vt, 0, 0));
	/* Writing the last cell of the last row would scroll a real terminal. */
	assert_true(strlen(vt_row(vt, 23, row, sizeof(row))) < 80);
	/* A vt100 has no colours and no alternate screen. */
	const char *output = vt_output(vt, &length);
	assert_null(strstr(output, "\033[32m"));
	assert_null(strstr(output, "\033[?1049h"));
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

static void terminal_is_as_before(void **state)
{
	static const struct { const char *keys; int signal_number, status; } ends[] = {
		{ "q", 0, 0 }, { "\003", 0, 130 }, { NULL, SIGTERM, 0 }, { NULL, SIGINT, 130 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct vt *vt = vt_start(&(struct vt_options){ 0 });
		struct termios during;
		vt_wait_text_in_row(vt, -1, "? help");
		vt_termios(vt, &during);
		assert_int_equal(during.c_lflag & (ICANON | ECHO), 0);
		assert_int_equal(during.c_iflag & IXON, 0); /* Ctrl-S must not stop the screen */
		if (ends[i].keys)
			vt_keys(vt, ends[i].keys);
		else
			kill(vt_pid(vt), ends[i].signal_number);
		assert_int_equal(vt_wait_exit(vt), ends[i].status);
		vt_assert_termios_as_before(vt);
		vt_close(vt);
	}
}

static void crash_restores_the_terminal(void **state)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });

	(void)state;
	vt_wait_text_in_row(vt, -1, "? help");
	kill(vt_pid(vt), SIGSEGV);
	assert_true(vt_wait_exit(vt) != 0);
	vt_assert_termios_as_before(vt);
	vt_close(vt);
}

static void sixty_by_twenty_is_enough(void **state)
{
	struct vt *vt = vt_start(&(struct vt_options){ .rows = 20, .columns = 60 });

	(void)state;
	vt_wait_text_in_row(vt, 0, "boardbench");
	vt_wait_text(vt, "memory");
	vt_wait_text_in_row(vt, -1, "? help");
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

static void too_small_says_what_is_needed(void **state)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });

	(void)state;
	vt_wait_text_in_row(vt, -1, "? help");
	vt_resize(vt, 19, 59);
	vt_wait_text(vt, "boardbench needs 60x20, this is 59x19");
	vt_resize(vt, 1, 1);
	vt_keys(vt, "jj\t\t");
	vt_resize(vt, 24, 80);
	vt_wait_text_in_row(vt, -1, "? help");
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

static void serial_line_is_asked_for_its_size(void **state)
{
	struct vt *vt = vt_start(&(struct vt_options){ .rows = 30, .columns = 100, .no_size = true });

	(void)state;
	/* libvterm answers the cursor position report with its own size. */
	vt_wait_text_in_row(vt, -1, "? help");
	vt_wait_text_in_row(vt, 0, "boardbench");
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

static void every_terminal_that_can_address_works(void **state)
{
	static const char *const terms[] = { "vt100", "vt102", "vt220", "linux", "xterm", "screen" };

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct vt *vt = vt_start(&(struct vt_options){ .term = terms[i] });
		vt_wait_text_in_row(vt, 0, "boardbench  generic");
		vt_keys(vt, "q");
		assert_int_equal(vt_wait_exit(vt), 0);
		vt_close(vt);
	}
}

static void terminal_without_addressing_gets_words(void **state)
{
	static const char *const terms[] = { "dumb", "no-such-terminal" };

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct vt *vt = vt_start(&(struct vt_options){ .term = terms[i] });
		size_t length;
		assert_int_equal(vt_wait_exit(vt), 2);
		assert_non_null(strstr(vt_output(vt, &length), "boardbench run"));
		vt_close(vt);
	}
}

static void help_lists_the_keys(void **state)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });

	(void)state;
	vt_wait_text_in_row(vt, -1, "? help");
	vt_keys(vt, "?");
	vt_wait_text_in_row(vt, 0, "help");
	vt_wait_text(vt, "Enter");
	vt_wait_text(vt, "more below");
	vt_keys(vt, " ");
	vt_wait_text(vt, "Ctrl-L");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

static void redraw_repairs_a_torn_screen(void **state)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });
	size_t before, after;

	(void)state;
	vt_wait_text(vt, "+ memory");
	vt_wait_text_in_row(vt, -1, "? help");
	vt_output(vt, &before);
	vt_keys(vt, "\014");
	/* A whole screen is well above 500 bytes; what stands in it does not change. */
	vt_wait_output(vt, before + 500);
	vt_output(vt, &after);
	assert_true(after >= before + 500);
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_screen_is_complete_in_ascii),
		cmocka_unit_test(terminal_is_as_before),
		cmocka_unit_test(crash_restores_the_terminal),
		cmocka_unit_test(sixty_by_twenty_is_enough),
		cmocka_unit_test(too_small_says_what_is_needed),
		cmocka_unit_test(serial_line_is_asked_for_its_size),
		cmocka_unit_test(every_terminal_that_can_address_works),
		cmocka_unit_test(terminal_without_addressing_gets_words),
		cmocka_unit_test(help_lists_the_keys),
		cmocka_unit_test(redraw_repairs_a_torn_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
