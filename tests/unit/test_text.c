/* SPDX-License-Identifier: MIT
 *
 * The growing string and the helpers on C strings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "text.h"

static void grows(void **state)
{
	struct text text = { 0 };

	for (int i = 0; i < 1000; i++)
		text_add(&text, "%03d,", i);
	assert_int_equal(text.length, 4000);
	assert_int_equal(strlen(text.data), 4000);
	assert_memory_equal(text.data + 4 * 999, "999,", 4);
	text_clear(&text);
	assert_string_equal(text.data, "");
	text_add_bytes(&text, "a\0b", 3);
	assert_int_equal(text.length, 3);
	assert_memory_equal(text.data, "a\0b", 4);
	text_finish(&text);
	assert_null(text.data);
}

static void long_pieces_fit(void **state)
{
	char piece[5000];

	memset(piece, 'p', sizeof(piece) - 1);
	piece[sizeof(piece) - 1] = '\0';
	_autofree_ char *text = text_printf("<%s>", piece);

	assert_int_equal(strlen(text), 5001);
	assert_int_equal(text[5000], '>');
}

static void an_empty_one_is_a_string(void **state)
{
	struct text text = { 0 };
	_autofree_ char *empty = text_steal(&text);

	assert_string_equal(empty, "");
}

static void cuts_blanks(void **state)
{
	char line[] = " \t a b\r\n", blank[] = "  ";

	assert_string_equal(text_trim(line), "a b");
	assert_string_equal(text_trim(blank), "");
}

static void finds_the_nearest_word(void **state)
{
	static const char *const words[] = { "write", "read", "copy", "buffer_size" };

	assert_string_equal(text_nearest("wirte", words, 4), "write");
	assert_string_equal(text_nearest("WRITE", words, 4), "write");
	assert_string_equal(text_nearest("reed", words, 4), "read");
	assert_string_equal(text_nearest("bufer_sise", words, 4), "buffer_size");
	assert_null(text_nearest("erase", words, 4));
	assert_null(text_nearest("", words, 4));
	assert_null(text_nearest("x", words, 0));
}

static void huge_words_are_near_to_nothing(void **state)
{
	char word[500];
	const char *words[] = { word };

	memset(word, 'w', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_null(text_nearest(word, words, 1));
}

static void numbers_are_short_and_exact(void **state)
{
	static const struct {
		double number;
		const char *text;
	} cases[] = {
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 9.24, "9.24" },
		{ -0.0, "-0" },
		{ 5e-324, "5e-324" }, /* the smallest double */
		{ 1e23, "1e+23" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct text text = { 0 };

		text_add_double(&text, cases[i].number);
		assert_string_equal(text.data, cases[i].text);
		assert_true(strtod(text.data, NULL) == cases[i].number);
		text_finish(&text);
	}
}

static void knows_a_start(void **state)
{
	assert_true(text_starts("mmcblk0", "mmc"));
	assert_true(text_starts("mmc", ""));
	assert_false(text_starts("mm", "mmc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows),
		cmocka_unit_test(long_pieces_fit),
		cmocka_unit_test(an_empty_one_is_a_string),
		cmocka_unit_test(cuts_blanks),
		cmocka_unit_test(finds_the_nearest_word),
		cmocka_unit_test(huge_words_are_near_to_nothing),
		cmocka_unit_test(numbers_are_short_and_exact),
		cmocka_unit_test(knows_a_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
