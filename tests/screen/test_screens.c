/* SPDX-License-Identifier: MIT
 * The other screens: results, detail, compare, why slow, boards, environment, kernel log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "vt.h"

/* With two results of memory in the journal. */
static struct vt *with_results(void)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });

	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "\t");
	vt_wait_text(vt, "> operation");
	vt_keys(vt, "jjjjj"); /* duration */
	vt_wait_text(vt, "> duration");
	vt_keys(vt, "\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "\025" "200ms\r");
	vt_wait_text(vt, "duration      200ms");
	for (int i = 0; i < 2; i++) {
		vt_keys(vt, "r");
		vt_wait_text(vt, "The run is over: 1 case.");
		vt_keys(vt, VT_ESCAPE);
		vt_wait_text(vt, "> duration");
	}
	vt_wait_text(vt, "2 results of this subsystem");
	return vt;
}

static void leave(struct vt *vt)
{
	vt_keys(vt, "\003");
	assert_int_equal(vt_wait_exit(vt), 130);
	vt_close(vt);
}

static void results_and_what_they_lead_to(void **state)
{
	struct vt *vt = with_results();
	char path[128], line[256] = "";

	(void)state;
	vt_keys(vt, "v");
	vt_wait_text_in_row(vt, 0, "results: memory");
	vt_wait_text(vt, "16MiB");
	vt_keys(vt, "\r");
	vt_wait_text_in_row(vt, 0, "result: memory");
	vt_wait_text(vt, "throughput");
	vt_keys(vt, "y");
	vt_wait_text_in_row(vt, 0, "why slow: memory");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text_in_row(vt, 0, "result: memory");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text_in_row(vt, 0, "results: memory");
	vt_keys(vt, "/");
	vt_wait_text(vt, "Show only those with");
	vt_keys(vt, "nothing like it\r");
	vt_wait_text(vt, "No result fits the filter");
	vt_keys(vt, "/");
	vt_wait_text(vt, "Show only those with");
	vt_keys(vt, "\025\r");
	vt_wait_text(vt, "16MiB");
	vt_keys(vt, "e");
	vt_wait_text(vt, "Write these to the file");
	vt_keys(vt, "out.csv\r");
	vt_wait_text(vt, "2 results written to out.csv");
	snprintf(path, sizeof(path), "%s/out.csv", vt_home(vt));
	FILE *stream = fopen(path, "re");
	assert_non_null(stream);
	assert_non_null(fgets(line, sizeof(line), stream));
	fclose(stream);
	assert_non_null(strstr(line, "metric"));
	vt_keys(vt, "e");
	vt_wait_text(vt, "Write these to the file");
	vt_keys(vt, "out.csv\r"); /* nothing is overwritten */
	vt_wait_text(vt, "Cannot write out.csv");
	vt_keys(vt, "  ");
	vt_wait_text(vt, "#");
	vt_keys(vt, "c");
	vt_wait_text_in_row(vt, 0, "compare: memory");
	vt_wait_text(vt, "A single pass on a side");
	vt_keys(vt, "s");
	vt_wait_text(vt, "B against A");
	leave(vt);
}

static void compare_and_why_from_home(void **state)
{
	struct vt *vt = with_results();

	(void)state;
	vt_keys(vt, "c");
	vt_wait_text_in_row(vt, 0, "compare: memory");
	vt_wait_text(vt, "throughput");
	vt_keys(vt, "e");
	vt_wait_text(vt, "Write this comparison");
	vt_keys(vt, "two.txt\r");
	vt_wait_text(vt, "Written to two.txt");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "> duration");
	vt_keys(vt, "y");
	vt_wait_text_in_row(vt, 0, "why slow: memory");
	vt_keys(vt, "k");
	vt_wait_text_in_row(vt, 0, "kernel log");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text_in_row(vt, 0, "why slow: memory");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "> duration");
	vt_keys(vt, "v");
	vt_wait_text_in_row(vt, 0, "results: memory");
	vt_keys(vt, "y");
	vt_wait_text_in_row(vt, 0, "why slow: memory");
	leave(vt);
}

static void boards_environment_and_kernel_log(void **state)
{
	static const char *const arguments[] = { "--profile-dir", PROFILES_DIR, NULL };
	struct vt *vt = vt_start(&(struct vt_options){ .arguments = arguments });

	(void)state;
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "e");
	vt_wait_text_in_row(vt, 0, "environment");
	vt_wait_text_in_row(vt, -1, "r again");
	vt_keys(vt, "r");
	vt_wait_text(vt, "Examined again");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "k");
	vt_wait_text_in_row(vt, 0, "kernel log");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "+ memory");
	vt_keys(vt, "b");
	vt_wait_text_in_row(vt, 0, "board profiles");
	vt_wait_text(vt, "am335x-evm");
	vt_keys(vt, VT_UP VT_UP VT_UP);
	vt_wait_text(vt, "> ");
	vt_keys(vt, "\r");
	vt_wait_text_in_row(vt, 0, "am335x-evm");
	vt_wait_text(vt, "mmc");
	vt_keys(vt, VT_DOWN);
	vt_wait_text(vt, "> - mmc");
	vt_keys(vt, "w");
	/* Five buffer sizes, written and read, as the guide has them. */
	vt_wait_text(vt, "The sweep of the published tables: 10 cases");
	vt_wait_text(vt, "524288");
	leave(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_and_what_they_lead_to),
		cmocka_unit_test(compare_and_why_from_home),
		cmocka_unit_test(boards_environment_and_kernel_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
