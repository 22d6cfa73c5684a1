/* SPDX-License-Identifier: MIT
 *
 * Lists of settings: order, replacement, and lines as --with takes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "mem.h"
#include "settings.h"

static void sets_replaces_and_removes(void **state)
{
	struct settings settings = { 0 }, copy;

	settings_set(&settings, "operation", "write");
	settings_set(&settings, "mode", "direct");
	settings_set(&settings, "operation", settings_get(&settings, "operation"));
	settings_set(&settings, "operation", "read");
	settings.items[1].line = 12;
	assert_int_equal(settings.len, 2);
	assert_string_equal(settings_get(&settings, "operation"), "read");
	assert_null(settings_get(&settings, "none"));
	settings_copy(&copy, &settings);
	settings_remove(&settings, "none");
	settings_remove(&settings, "operation");
	assert_int_equal(settings.len, 1);
	assert_string_equal(settings.items[0].name, "mode");
	settings_finish(&settings);
	assert_int_equal(copy.len, 2);
	assert_string_equal(settings_get(&copy, "operation"), "read");
	assert_int_equal(copy.items[1].line, 12);
	settings_finish(&copy);
}

static void splits_at_the_first_equals_sign(void **state)
{
	struct settings settings = { 0 };

	assert_int_equal(settings_parse(&settings, " options = a=b, c ", NULL), 0);
	assert_int_equal(settings_parse(&settings, "device=", NULL), 0);
	assert_string_equal(settings_get(&settings, "options"), "a=b, c");
	assert_string_equal(settings_get(&settings, "device"), "");
	settings_finish(&settings);
}

static void refuses_what_is_no_setting(void **state)
{
	static const char *const bad[] = { "", "write", "=write", "Mode=x", "a b=c", "9a=1", "\xff=1" };
	struct settings settings = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct error error = { 0 };

		assert_int_equal(settings_parse(&settings, bad[i], &error), -EINVAL);
		assert_non_null(strstr(error.text, "buffer_size=1MiB"));
	}
	assert_int_equal(settings.len, 0);
}

static void reads_a_line(void **state)
{
	struct settings settings = { 0 };
	char *subsystem = NULL;

	assert_int_equal(settings_parse_line(" mmc operation=write\tdirectory='/mnt/my disk' "
					     "note=\"it's\" ",
				 &subsystem, &settings, NULL),
		0);
	assert_string_equal(subsystem, "mmc");
	assert_int_equal(settings.len, 3);
	assert_string_equal(settings_get(&settings, "operation"), "write");
	assert_string_equal(settings_get(&settings, "directory"), "/mnt/my disk");
	assert_string_equal(settings_get(&settings, "note"), "it's");
	free(subsystem);
	settings_finish(&settings);
}

static void a_bad_line_changes_nothing(void **state)
{
	static const char *const bad[] = { "", "  ", "operation=write", "mmc operation=read write",
		"mmc directory='/mnt", "mmc operation=write mode" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct settings settings = { 0 };
		struct error error = { 0 };
		char *subsystem = NULL;

		assert_int_equal(settings_parse_line(bad[i], &subsystem, &settings, &error),
			-EINVAL);
		assert_null(subsystem);
		assert_int_equal(settings.len, 0);
		assert_true(error.text[0] != '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_replaces_and_removes),
		cmocka_unit_test(splits_at_the_first_equals_sign),
		cmocka_unit_test(refuses_what_is_no_setting),
		cmocka_unit_test(reads_a_line),
		cmocka_unit_test(a_bad_line_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
