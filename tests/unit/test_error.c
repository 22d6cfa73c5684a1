/* SPDX-License-Identifier: MIT
 *
 * Errors: the first text stays, long and hostile texts stay showable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "error.h"

static void keeps_the_first_text(void **state)
{
	struct error error = { 0 };

	assert_int_equal(error_set(&error, ENOENT, "no %s", "card"), -ENOENT);
	assert_int_equal(error_set(&error, EIO, "other"), -EIO);
	assert_int_equal(error.code, ENOENT);
	assert_string_equal(error.text, "no card");
	assert_int_equal(error_set(NULL, EIO, "nobody asks"), -EIO);
}

static void puts_the_context_before(void **state)
{
	struct error error = { 0 };

	error_set(&error, EACCES, "permission denied");
	assert_int_equal(error_prefix(&error, "%s:%d", "quick.ini", 12), -EACCES);
	assert_string_equal(error.text, "quick.ini:12: permission denied");
	assert_int_equal(error_prefix(NULL, "x"), 0);
}

static void long_texts_are_cut(void **state)
{
	struct error error = { 0 };
	char text[3000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&error, EIO, "%s", text);
	assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
	error_prefix(&error, "first");
	assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
	assert_memory_equal(error.text, "first: xxx", 10);
	error_prefix(&error, "%s", text);
	assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
}

static void a_character_is_cut_off_whole(void **state)
{
	struct error error = { 0 };
	char text[3000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text + sizeof(error.text) - 2, "\xc2\xb5", 2); /* only its first byte fits */
	error_set(&error, EIO, "%s", text);
	assert_int_equal(error.text[strlen(error.text) - 1], 'x');
	assert_int_equal(strlen(error.text), sizeof(error.text) - 2);
}

static void escape_sequences_do_nothing(void **state)
{
	struct error error = { 0 };

	error_set(&error, EINVAL, "\"%s\"", "\033[2J\r\n\x7f");
	assert_string_equal(error.text, "\"?[2J???\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_first_text),
		cmocka_unit_test(puts_the_context_before),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(a_character_is_cut_off_whole),
		cmocka_unit_test(escape_sequences_do_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
