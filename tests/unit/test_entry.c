/* SPDX-License-Identifier: MIT
 * A line of text edited by keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../ui/entry.h"
#include "../../ui/keys.h"

static void type(struct entry *entry, const char *text)
{
	for (; *text; text++)
		assert_true(entry_key(entry, (unsigned char)*text));
}

static void first_character_replaces_what_was_there(void **state)
{
	(void)state;
	struct entry entry;
	entry_start(&entry, "1 MiB");
	type(&entry, "512K");
	assert_string_equal(entry.text, "512K");
}

static void moving_first_keeps_it(void **state)
{
	(void)state;
	struct entry entry;
	entry_start(&entry, "1 MiB");
	entry_key(&entry, UI_KEY_HOME);
	type(&entry, "6");
	entry_key(&entry, UI_KEY_RIGHT);
	entry_key(&entry, UI_KEY_DELETE);
	assert_string_equal(entry.text, "61MiB");
	entry_key(&entry, UI_KEY_END);
	entry_key(&entry, UI_KEY_BACKSPACE);
	entry_key(&entry, UI_KEY_LEFT);
	entry_key(&entry, UI_KEY_BACKSPACE);
	assert_string_equal(entry.text, "61i");
}

static void a_character_of_several_bytes_goes_as_one(void **state)
{
	(void)state;
	struct entry entry;
	entry_start(&entry, "a\xc3\xa4z");
	entry_key(&entry, UI_KEY_LEFT);
	entry_key(&entry, UI_KEY_BACKSPACE);
	assert_string_equal(entry.text, "az");
}

static void edges_hold(void **state)
{
	(void)state;
	struct entry entry;
	entry_start(&entry, "");
	entry_key(&entry, UI_KEY_BACKSPACE);
	entry_key(&entry, UI_KEY_DELETE);
	entry_key(&entry, UI_KEY_LEFT);
	entry_key(&entry, UI_KEY_RIGHT);
	assert_string_equal(entry.text, "");
	for (int i = 0; i < 5000; i++)
		entry_key(&entry, 'x');
	assert_int_equal(strlen(entry.text), sizeof(entry.text) - 1);
	assert_false(entry_key(&entry, UI_KEY_ENTER));
	assert_false(entry_key(&entry, UI_KEY_UP));
}

static void the_cursor_stays_in_the_window(void **state)
{
	(void)state;
	struct entry entry;
	entry_start(&entry, "0123456789abcdef");
	for (int width = 2; width < 20; width++) {
		size_t first = entry_first(&entry, width);
		assert_true(entry.cursor >= first && entry.cursor - first < (size_t)width);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_character_replaces_what_was_there),
		cmocka_unit_test(moving_first_keeps_it),
		cmocka_unit_test(a_character_of_several_bytes_goes_as_one),
		cmocka_unit_test(edges_hold),
		cmocka_unit_test(the_cursor_stays_in_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
