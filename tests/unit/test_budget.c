/* SPDX-License-Identifier: MIT
 * A fifth of the line and no more: ten bits a byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ui/budget.h"

#define MS UINT64_C(1000000)

/* Frames of `bytes` offered every 200 ms for 60 s: bytes a second that went out. */
static double sent_in_a_second(unsigned baud, unsigned bytes)
{
	struct budget budget;
	uint64_t sent = 0;

	budget_start(&budget, baud, 5000 * MS);
	for (unsigned frame = 1; frame <= 300; frame++) {
		if (!budget_allows(&budget, (5000 + frame * 200) * MS))
			continue;
		budget_spend(&budget, bytes);
		sent += bytes;
	}
	return (double)sent / 60;
}

static void takes_a_fifth_of_the_line_at_most(void **state)
{
	(void)state;
	/* One frame may be owed at the end. */
	assert_true(sent_in_a_second(9600, 120) <= 9600 / 10.0 / 5 + 120 / 60.0);
	assert_true(sent_in_a_second(9600, 120) > 9600 / 10.0 / 5 * 0.8);
	assert_true(sent_in_a_second(115200, 1000) <= 115200 / 10.0 / 5 + 1000 / 60.0);
	assert_true(sent_in_a_second(300, 500) <= 300 / 10.0 / 5 + 500 / 60.0);
}

static void without_a_line_there_is_no_limit(void **state)
{
	(void)state;
	assert_true(sent_in_a_second(0, 100000) > 499999);
}

static void silence_is_not_saved_up(void **state)
{
	(void)state;
	struct budget budget;
	budget_start(&budget, 9600, 0);
	assert_true(budget_allows(&budget, 3600000 * MS));
	budget_spend(&budget, 192);
	assert_false(budget_allows(&budget, 3600000 * MS + 200 * MS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_a_fifth_of_the_line_at_most),
		cmocka_unit_test(without_a_line_there_is_no_limit),
		cmocka_unit_test(silence_is_not_saved_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
