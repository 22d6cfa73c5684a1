/* SPDX-License-Identifier: MIT
 *
 * Allocation: cleared, copied, never NULL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "mem.h"

static void gives_cleared_memory(void **state)
{
	_autofree_ unsigned char *bytes = mem_zalloc(3, 1000);

	for (size_t i = 0; i < 3000; i++)
		assert_int_equal(bytes[i], 0);
}

static void nothing_is_memory_too(void **state)
{
	_autofree_ void *none = mem_zalloc(0, 8);

	assert_non_null(none);
	none = mem_grow(none, 0, 8);
	assert_non_null(none);
}

static void growing_keeps_what_is_there(void **state)
{
	_autofree_ int *numbers = mem_grow(NULL, 2, sizeof(int));

	numbers[0] = 11;
	numbers[1] = 22;
	numbers = mem_grow(numbers, 100000, sizeof(int));
	assert_int_equal(numbers[0], 11);
	assert_int_equal(numbers[1], 22);
}

static void copies_strings(void **state)
{
	_autofree_ char *all = mem_strdup("board"), *some = mem_strndup("board", 3);
	_autofree_ char *more = mem_strndup("board", 30);

	assert_string_equal(all, "board");
	assert_string_equal(some, "boa");
	assert_string_equal(more, "board");
	assert_null(mem_strdup(NULL));
	assert_null(mem_strndup(NULL, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_cleared_memory),
		cmocka_unit_test(nothing_is_memory_too),
		cmocka_unit_test(growing_keeps_what_is_there),
		cmocka_unit_test(copies_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
