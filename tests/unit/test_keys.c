/* SPDX-License-Identifier: MIT
 * Bytes of terminals (ECMA-48, xterm's ctlseqs, the Linux console) to keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../ui/keys.h"

struct seen {
	int keys[64];
	size_t len;
};

static void see(void *data, int key)
{
	struct seen *seen = data;

	if (seen->len < 64)
		seen->keys[seen->len++] = key;
}

static void expect(const char *bytes, size_t length, const int *keys, size_t len)
{
	/* Whole, and torn at every place. */
	for (size_t tear = 0; tear <= length; tear++) {
		struct keys parser = { 0 };
		struct seen seen = { 0 };
		keys_feed(&parser, (const unsigned char *)bytes, tear, see, &seen);
		keys_feed(&parser, (const unsigned char *)bytes + tear, length - tear, see, &seen);
		assert_int_equal(seen.len, len);
		assert_memory_equal(seen.keys, keys, len * sizeof(*keys));
		assert_false(keys_pending(&parser));
	}
}

#define EXPECT(bytes, ...)                                                          \
	do {                                                                       \
		const int keys_[] = { __VA_ARGS__ };                               \
		expect(bytes, sizeof(bytes) - 1, keys_, sizeof(keys_) / sizeof(*keys_)); \
	} while (0)

static void characters_are_themselves(void **state)
{
	(void)state;
	EXPECT("aZ? ", 'a', 'Z', '?', ' ');
	EXPECT("\r", UI_KEY_ENTER);
	EXPECT("\n", UI_KEY_ENTER);
	EXPECT("\t", UI_KEY_TAB);
	EXPECT("\x08", UI_KEY_BACKSPACE);
	EXPECT("\x7f", UI_KEY_BACKSPACE);
	EXPECT("\x0c", UI_KEY_REDRAW);
}

static void arrows_in_normal_and_application_mode(void **state)
{
	(void)state;
	EXPECT("\033[A\033[B\033[C\033[D", UI_KEY_UP, UI_KEY_DOWN, UI_KEY_RIGHT, UI_KEY_LEFT);
	EXPECT("\033OA\033OB\033OC\033OD", UI_KEY_UP, UI_KEY_DOWN, UI_KEY_RIGHT, UI_KEY_LEFT);
	EXPECT("\033[H\033[F\033[1~\033[4~", UI_KEY_HOME, UI_KEY_END, UI_KEY_HOME, UI_KEY_END);
	EXPECT("\033[5~\033[6~\033[3~\033[Z", UI_KEY_PAGE_UP, UI_KEY_PAGE_DOWN, UI_KEY_DELETE, UI_KEY_BACKTAB);
	EXPECT("\033[1;5Ax", UI_KEY_UP, 'x');
}

static void unknown_sequences_are_swallowed_whole(void **state)
{
	(void)state;
	EXPECT("\033[[Ax", 'x');            /* F1 of the Linux console */
	EXPECT("\033[24~x", 'x');           /* F12 */
	EXPECT("\033[?1;2cx", 'x');         /* an answer to a question that somebody asked */
	EXPECT("\033[99999999999999999999999999999999999999999999~x", 'x');
	EXPECT("\033[99999999999999999999~x", 'x');
}

static void a_cursor_report_is_no_key(void **state)
{
	(void)state;
	struct keys parser = { 0 };
	struct seen seen = { 0 };
	keys_feed(&parser, (const unsigned char *)"a\033[50;132Rb", 11, see, &seen);
	assert_int_equal(seen.len, 2);
	assert_int_equal(parser.report_row, 50);
	assert_int_equal(parser.report_column, 132);
	keys_feed(&parser, (const unsigned char *)"\033[0;0R\033[-3;7R\033[99999999;4R", 27, see, &seen);
	assert_int_equal(parser.report_row, 50);
}

static void escape_alone_needs_the_time_out(void **state)
{
	(void)state;
	struct keys parser = { 0 };
	struct seen seen = { 0 };
	keys_feed(&parser, (const unsigned char *)"\033", 1, see, &seen);
	assert_int_equal(seen.len, 0);
	assert_true(keys_pending(&parser));
	keys_timeout(&parser, see, &seen);
	assert_int_equal(seen.len, 1);
	assert_int_equal(seen.keys[0], UI_KEY_ESCAPE);
	assert_false(keys_pending(&parser));
	/* Esc and at once another key. */
	EXPECT("\033x", UI_KEY_ESCAPE, 'x');
}

static void garbage_ends_in_a_parser_that_works(void **state)
{
	(void)state;
	unsigned char bytes[4096];
	struct keys parser = { 0 };
	struct seen seen = { 0 };
	srand(7);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = rand() % 3 ? (unsigned char)rand() : 0x1b;
	keys_feed(&parser, bytes, sizeof(bytes), see, &seen);
	keys_timeout(&parser, see, &seen);
	seen.len = 0;
	keys_feed(&parser, (const unsigned char *)"q", 1, see, &seen);
	assert_int_equal(seen.len, 1);
	assert_int_equal(seen.keys[0], 'q');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_are_themselves),
		cmocka_unit_test(arrows_in_normal_and_application_mode),
		cmocka_unit_test(unknown_sequences_are_swallowed_whole),
		cmocka_unit_test(a_cursor_report_is_no_key),
		cmocka_unit_test(escape_alone_needs_the_time_out),
		cmocka_unit_test(garbage_ends_in_a_parser_that_works),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
