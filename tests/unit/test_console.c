/* SPDX-License-Identifier: MIT
 * Whole names of /sys/class/tty/console/active. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ui/console.h"

static void whole_names_are_compared(void **state)
{
	(void)state;
	assert_true(console_is_listed("tty0 ttyS0\n", "ttyS0"));
	assert_true(console_is_listed("tty0 ttyS0\n", "tty0"));
	assert_false(console_is_listed("tty0 ttyS0\n", "ttyS"));
	assert_false(console_is_listed("tty0 ttyS01\n", "ttyS0"));
	assert_false(console_is_listed("ttyS0\n", "pts/0"));
	assert_false(console_is_listed("", "tty0"));
	assert_false(console_is_listed("\n", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(whole_names_are_compared) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
