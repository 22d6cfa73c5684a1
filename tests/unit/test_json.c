/* SPDX-License-Identifier: MIT
 *
 * The JSON writer: exact text by RFC 8259, and jansson reads it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "json.h"

static void writes_compact_objects(void **state)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	json_put_string(&text, "name", "mmc {");
	json_put_array(&text, "values");
	json_put_int(&text, NULL, INT64_MIN);
	json_put_uint(&text, NULL, UINT64_MAX);
	json_put_double(&text, NULL, 0.1);
	json_put_array(&text, NULL);
	json_put_array_end(&text);
	json_put_array_end(&text);
	json_put_object(&text, "empty");
	json_put_object_end(&text);
	json_put_bool(&text, "yes", true);
	json_put_bool(&text, "no", false);
	json_put_null(&text, "none");
	json_put_string(&text, "unknown", NULL);
	json_put_object_end(&text);
	assert_string_equal(text.data,
		"{\"name\":\"mmc {\",\"values\":[-9223372036854775808,18446744073709551615,0.1,[]],"
		"\"empty\":{},\"yes\":true,\"no\":false,\"none\":null,\"unknown\":null}");
	text_finish(&text);
}

static void a_new_line_begins_afresh(void **state)
{
	struct text text = { 0 };

	for (int i = 0; i < 2; i++) {
		json_put_object(&text, NULL);
		json_put_object_end(&text);
		text_add(&text, "\n");
	}
	assert_string_equal(text.data, "{}\n{}\n");
	text_finish(&text);
}

static void only_finite_numbers(void **state)
{
	struct text text = { 0 };

	json_put_array(&text, NULL);
	json_put_double(&text, NULL, NAN);
	json_put_double(&text, NULL, INFINITY);
	json_put_double(&text, NULL, -INFINITY);
	json_put_array_end(&text);
	assert_string_equal(text.data, "[null,null,null]");
	text_finish(&text);
}

static void assert_written(const char *value, const char *written)
{
	struct text text = { 0 };

	json_put_string(&text, NULL, value);
	assert_string_equal(text.data, written);
	text_finish(&text);
}

static void escapes(void **state)
{
	assert_written("\"\\/", "\"\\\"\\\\/\"");
	assert_written("\b\t\n\f\r\x01\x1f", "\"\\b\\t\\n\\f\\r\\u0001\\u001f\"");
	assert_written("\xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80",
		"\"\xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80\"");
}

/* Ill-formed sequences of table 3-7 of the Unicode standard. */
static void replaces_invalid_utf8(void **state)
{
	static const char *const invalid[] = { "\x80", "\xc0\xaf", "\xc2", "\xe0\x9f\xbf",
		"\xed\xa0\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xff" };

	assert_written("a\xff" "b", "\"a\xef\xbf\xbd" "b\"");
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		struct text text = { 0 };
		json_t *read;

		json_put_string(&text, NULL, invalid[i]);
		assert_non_null(strstr(text.data, "\xef\xbf\xbd"));
		read = json_loadb(text.data, text.length, JSON_DECODE_ANY, NULL);
		assert_non_null(read);
		json_decref(read);
		text_finish(&text);
	}
}

static void every_byte_can_be_read_back(void **state)
{
	for (int byte = 1; byte < 0x80; byte++) {
		char value[] = { (char)byte, 'x', '\0' };
		struct text text = { 0 };
		json_t *read;

		json_put_string(&text, NULL, value);
		read = json_loadb(text.data, text.length, JSON_DECODE_ANY, NULL);
		assert_non_null(read);
		assert_string_equal(json_string_value(read), value);
		json_decref(read);
		text_finish(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_compact_objects),
		cmocka_unit_test(a_new_line_begins_afresh),
		cmocka_unit_test(only_finite_numbers),
		cmocka_unit_test(escapes),
		cmocka_unit_test(replaces_invalid_utf8),
		cmocka_unit_test(every_byte_can_be_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
