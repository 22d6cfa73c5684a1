/* SPDX-License-Identifier: MIT
 *
 * Lists of findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "finding.h"

static void keeps_what_is_added(void **state)
{
	struct findings findings = { 0 };

	findings_add(&findings, VERDICT_FINE, "clock", NULL, "%d MHz", 1000);
	findings_add(&findings, VERDICT_BAD, "mount", "mount it without sync", "mounted sync");
	assert_int_equal(findings.len, 2);
	assert_int_equal(findings.items[0].verdict, VERDICT_FINE);
	assert_string_equal(findings.items[0].topic, "clock");
	assert_string_equal(findings.items[0].text, "1000 MHz");
	assert_null(findings.items[0].advice);
	assert_string_equal(findings.items[1].advice, "mount it without sync");
	findings_finish(&findings);
	assert_int_equal(findings.len, 0);
	assert_null(findings.items);
}

static void verdicts_have_names(void **state)
{
	assert_string_equal(verdict_name(VERDICT_FINE), "fine");
	assert_string_equal(verdict_name(VERDICT_NOTE), "note");
	assert_string_equal(verdict_name(VERDICT_WARNING), "warning");
	assert_string_equal(verdict_name(VERDICT_BAD), "bad");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_what_is_added),
		cmocka_unit_test(verdicts_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
