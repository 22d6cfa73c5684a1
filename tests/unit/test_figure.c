/* SPDX-License-Identifier: MIT
 *
 * Figures and times as tables show them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "mem.h"
#include "value.h"

static void figures_have_three_digits_or_more(void **state)
{
	static const struct {
		double number;
		const char *text;
	} cases[] = { { 9.24, "9.24" }, { 410.2, "410.20" }, { 1612.4, "1612" }, { 0, "0.00" },
		{ -9.24, "-9.24" }, { 0.1234, "0.123" }, { 0.01234, "0.0123" }, { 999.999, "1000" },
		{ 0.99996, "1.00" }, { 1234567, "1234567" }, { NAN, "-" }, { INFINITY, "-" } };
	char buffer[40];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(number_format(cases[i].number, buffer, sizeof(buffer)),
			cases[i].text);
}

static void times_are_short(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = { { 7.9, "00:07" }, { 251, "04:11" }, { 3599.9, "59:59" }, { 3600, "1:00:00" },
		{ 3753, "1:02:33" }, { 360000, "100:00:00" }, { -1, "--:--" }, { NAN, "--:--" } };
	char buffer[40];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(elapsed_format(cases[i].seconds, buffer, sizeof(buffer)),
			cases[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_have_three_digits_or_more),
		cmocka_unit_test(times_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
