/* SPDX-License-Identifier: MIT
 * The form: choose, edit, a bad entry, sweeps, loads, save. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "vt.h"

static struct vt *in_form(void)
{
	struct vt *vt = vt_start(&(struct vt_options){ 0 });

	vt_wait_text(vt, "+ memory");
	vt_wait_text(vt, "operation");
	vt_keys(vt, "\t");
	vt_wait_text(vt, "> operation");
	return vt;
}

static void leave(struct vt *vt)
{
	vt_keys(vt, "q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_close(vt);
}

static void choices_can_be_stepped(void **state)
{
	struct vt *vt = in_form();

	(void)state;
	vt_wait_text(vt, "operation     copy");
	vt_keys(vt, "\r");
	vt_wait_text(vt, "[copy");
	vt_keys(vt, "\033[C");
	vt_wait_text(vt, "[scale");
	vt_keys(vt, "\r");
	vt_wait_text(vt, "operation     scale");
	leave(vt);
}

static void bad_entry_is_explained_and_the_old_value_kept(void **state)
{
	struct vt *vt = in_form();

	(void)state;
	vt_keys(vt, "j");
	vt_wait_text(vt, "> size");
	vt_keys(vt, "\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "\025"); /* Ctrl-U: empty the entry */
	vt_keys(vt, "1Mx\r");
	vt_wait_text(vt, "[1Mx"); /* it stays, to be mended */
	vt_wait_text(vt, "\"Mx\" is no unit here");
	vt_wait_text_in_row(vt, -1, "Esc");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_no_text(vt, "1Mx");
	vt_wait_text(vt, "16 MiB");
	leave(vt);
}

static void several_values_make_a_sweep(void **state)
{
	struct vt *vt = in_form();

	(void)state;
	vt_keys(vt, "j\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "\025" "1MiB..8MiB*2\r");
	vt_wait_text(vt, "4 cases");
	vt_keys(vt, "d"); /* back to the defaults */
	vt_wait_text(vt, "16 MiB");
	leave(vt);
}

/* A load is a row of the form; a wrong one is explained, an empty one taken away. */
static void load_is_a_row(void **state)
{
	struct vt *vt = in_form();

	(void)state;
	vt_keys(vt, "jjjjjjjj");
	vt_wait_text(vt, "> load");
	vt_keys(vt, "\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "nothing size=1\r");
	vt_wait_text(vt, "no subsystem \"nothing\"");
	vt_keys(vt, "\025" "memory operation=fill\r");
	vt_wait_text(vt, "load          memory operation=fill");
	vt_wait_text(vt, "(add another)");
	vt_keys(vt, "\r");
	vt_wait_text(vt, "[");
	vt_keys(vt, "\025\r");
	vt_wait_no_text(vt, "operation=fill");
	leave(vt);
}

static void run_is_saved_loaded_renamed_and_deleted(void **state)
{
	struct vt *vt = in_form();
	char path[128];

	(void)state;
	vt_keys(vt, "s");
	vt_wait_text(vt, "Save this run as");
	vt_keys(vt, "first\r");
	vt_wait_text(vt, "--profile first");
	snprintf(path, sizeof(path), "%s/.config/boardbench/runs/first.ini", vt_home(vt));
	FILE *stream = fopen(path, "re");
	assert_non_null(stream);
	fclose(stream);
	vt_keys(vt, "\t"); /* to the list: `l` is an arrow nowhere here */
	vt_keys(vt, "l");
	vt_wait_text_in_row(vt, 0, "saved runs");
	vt_wait_text(vt, "first");
	vt_keys(vt, "n");
	vt_wait_text(vt, "New name");
	vt_keys(vt, "\025second\r");
	vt_wait_text(vt, "Renamed to second");
	vt_keys(vt, "\r");
	vt_wait_text(vt, "second is in the form");
	vt_keys(vt, "l");
	vt_wait_text_in_row(vt, 0, "saved runs");
	vt_keys(vt, "d");
	vt_wait_text(vt, "Delete the saved run second?");
	vt_keys(vt, "n");
	vt_wait_no_text(vt, "Delete the saved run");
	vt_wait_text(vt, "> second");
	vt_keys(vt, "dy");
	vt_wait_text(vt, "Deleted second");
	vt_wait_text(vt, "No saved runs");
	vt_keys(vt, VT_ESCAPE);
	vt_wait_text(vt, "+ memory");
	leave(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices_can_be_stepped),
		cmocka_unit_test(bad_entry_is_explained_and_the_old_value_kept),
		cmocka_unit_test(several_values_make_a_sweep),
		cmocka_unit_test(load_is_a_row),
		cmocka_unit_test(run_is_saved_loaded_renamed_and_deleted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
