/* SPDX-License-Identifier: MIT */
/* What doctor says of a troubled board (a dump), and of this machine's stores. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "environment.h"

#define DUMP TESTS_DIR "/dumps-cpu/dual"

static const struct finding *find(const struct findings *findings, const char *topic)
{
	for (size_t i = 0; i < findings->len; i++)
		if (strcmp(findings->items[i].topic, topic) == 0)
			return &findings->items[i];
	return NULL;
}

static void assert_found(const struct findings *findings, const char *topic, enum verdict verdict,
	const char *words)
{
	const struct finding *finding = find(findings, topic);
	assert_non_null(finding);
	assert_int_equal(finding->verdict, verdict);
	assert_non_null(strstr(finding->text, words));
	if (verdict >= VERDICT_WARNING)
		assert_non_null(finding->advice);
}

static void a_troubled_board_is_told_of(void **state)
{
	struct findings findings = { 0 };
	doctor_examine(DUMP, NULL, &findings);
	assert_found(&findings, "governor", VERDICT_WARNING, "mixed");
	assert_found(&findings, "clock", VERDICT_WARNING, "800 of 1000 MHz");
	assert_found(&findings, "turbo", VERDICT_WARNING, "on");
	assert_found(&findings, "temperature", VERDICT_FINE, "62.5 C");
	assert_found(&findings, "CPUs", VERDICT_WARNING, "0-1,3 of 0-3");
	assert_found(&findings, "clocksource", VERDICT_BAD, "jiffies");
	assert_found(&findings, "swap", VERDICT_WARNING, "/dev/zram0");
	assert_found(&findings, "console", VERDICT_NOTE, "level 7 on tty0 ttyS2");
	assert_found(&findings, "root", VERDICT_WARNING, "nfs4");
	/* a dump says nothing of who is busy now */
	assert_null(find(&findings, "others"));
	assert_null(find(&findings, "rights"));
	findings_finish(&findings);
}

static void this_machine_is_examined(void **state)
{
	struct findings findings = { 0 };
	doctor_examine("", "/", &findings);
	assert_non_null(find(&findings, "others"));
	assert_non_null(find(&findings, "kernel log"));
	assert_found(&findings, "rights", geteuid() == 0 ? VERDICT_FINE : VERDICT_NOTE, "root");
	for (size_t i = 0; i < findings.len; i++)
		if (findings.items[i].verdict >= VERDICT_WARNING)
			assert_non_null(findings.items[i].advice);
	findings_finish(&findings);
}

static void a_store_that_is_still_to_be_made_is_judged_by_its_place(void **state)
{
	char place[] = "/tmp/boardbench-doctor-XXXXXX", store[100];
	struct findings findings = { 0 };
	assert_non_null(mkdtemp(place));
	snprintf(store, sizeof(store), "%s/not/yet", place);
	doctor_examine(DUMP, store, &findings);
	const struct finding *finding = find(&findings, "store");
	assert_non_null(finding);
	assert_non_null(strstr(finding->text, store));
	assert_int_not_equal(access(store, F_OK), 0); /* it only looks */
	findings_finish(&findings);
	rmdir(place);
}

static void a_store_in_memory_is_warned_of(void **state)
{
	struct findings findings = { 0 };
	if (access("/dev/shm", W_OK) < 0) {
		print_message("# skipped: no /dev/shm\n");
		skip();
	}
	doctor_examine(DUMP, "/dev/shm/boardbench", &findings);
	assert_found(&findings, "store", VERDICT_WARNING, "memory");
	findings_finish(&findings);
}

static void a_store_where_nothing_can_be_written_is_bad(void **state)
{
	struct findings findings = { 0 };
	doctor_examine(DUMP, "/proc/boardbench", &findings);
	const struct finding *finding = find(&findings, "store");
	assert_non_null(finding);
	assert_int_equal(finding->verdict, VERDICT_BAD);
	findings_finish(&findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_troubled_board_is_told_of),
		cmocka_unit_test(this_machine_is_examined),
		cmocka_unit_test(a_store_that_is_still_to_be_made_is_judged_by_its_place),
		cmocka_unit_test(a_store_in_memory_is_warned_of),
		cmocka_unit_test(a_store_where_nothing_can_be_written_is_bad),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
