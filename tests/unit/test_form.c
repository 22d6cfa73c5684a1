/* SPDX-License-Identifier: MIT
 * The form: only what is right is taken, and what was there stays. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../ui/form.h"

static char *operations[] = { (char *)"write", (char *)"read", NULL };
static struct param params[] = {
	{ .name = (char *)"operation", .text = (char *)"What is done.", .initial = (char *)"write",
		.choices = operations, .type = BB_CHOICE },
	{ .name = (char *)"buffer_size", .text = (char *)"Bytes a call.", .initial = (char *)"1MiB",
		.minimum = 512, .maximum = 1073741824, .type = BB_SIZE },
	{ .name = (char *)"device", .text = (char *)"Which.", .initial = (char *)"", .type = BB_PATH,
		.flags = BB_PARAM_OFFERED },
};
static struct module_info info = { .name = (char *)"disk", .params = params, .params_len = 3 };
static struct subsystem subsystems[] = {
	{ .name = (char *)"mmc", .module = (char *)"disk", .info = &info },
	{ .name = (char *)"usb", .module = (char *)"disk", .info = &info },
};
static struct board board = { .name = (char *)"test", .subsystems = subsystems, .subsystems_len = 2 };

enum { OPERATION, BUFFER, DEVICE, REPEAT, DURATION, WARMUP, LOAD };

static int set_up(void **state)
{
	static struct form form;

	form_init(&form, &board, &subsystems[0], "");
	*state = &form;
	return 0;
}

static int tear_down(void **state)
{
	form_finish(*state);
	return 0;
}

static void rows_begin_at_the_defaults(void **state)
{
	struct form *form = *state;
	struct run_spec spec = { 0 };
	assert_int_equal(form->len, LOAD + 1);
	assert_string_equal(form->rows[OPERATION].text, "write");
	assert_string_equal(form->rows[BUFFER].text, "1 MiB");
	/* Nothing differs, so nothing is written. */
	form_to_spec(form, &spec);
	assert_int_equal(spec.parts_len, 1);
	assert_string_equal(spec.parts[0].subsystem, "mmc");
	assert_int_equal(spec.parts[0].settings.len, 0);
	run_spec_finish(&spec);
}

static void a_wrong_entry_keeps_the_old_value(void **state)
{
	struct form *form = *state;
	struct error error = { 0 };
	assert_int_equal(form_set(form, BUFFER, "1Mx", &error), -EINVAL);
	assert_non_null(strstr(error.text, "1Mx"));
	assert_string_equal(form->rows[BUFFER].text, "1 MiB");
	assert_true(form_set(form, BUFFER, "100", NULL) < 0);     /* below the minimum */
	assert_true(form_set(form, BUFFER, "", NULL) < 0);
	assert_true(form_set(form, OPERATION, "wriet", NULL) < 0);
	assert_true(form_set(form, REPEAT, "0", NULL) < 0);
	assert_true(form_set(form, DURATION, "5 parsecs", NULL) < 0);
	assert_string_equal(form->rows[REPEAT].text, "1");
}

static void sweeps_multiply(void **state)
{
	struct form *form = *state;
	assert_int_equal(form_set(form, BUFFER, "64KiB..1MiB*2", NULL), 0);
	assert_int_equal(form_cases(form), 5);
	assert_int_equal(form_set(form, OPERATION, "write,read", NULL), 0);
	assert_int_equal(form_cases(form), 10);
}

static void choices_go_round(void **state)
{
	struct form *form = *state;
	char *text = form_step(form, OPERATION, "read", 1);
	assert_string_equal(text, "write");
	free(text);
	text = form_step(form, OPERATION, "write", -1);
	assert_string_equal(text, "read");
	free(text);
	assert_false(form_can_step(form, BUFFER));
	assert_null(form_step(form, BUFFER, "1 MiB", 1));
}

static void loads_are_added_and_removed(void **state)
{
	struct form *form = *state;
	struct error error = { 0 };
	assert_true(form_set(form, LOAD, "uzb operation=read", &error) < 0);
	assert_true(form_set(form, LOAD, "usb operatoin=read", NULL) < 0);
	assert_true(form_set(form, LOAD, "usb operation=erase", NULL) < 0);
	assert_int_equal(form->len, LOAD + 1);
	assert_int_equal(form_set(form, LOAD, "usb operation=read", NULL), 0);
	assert_int_equal(form->len, LOAD + 2);
	assert_int_equal(form->rows[LOAD].kind, FORM_LOAD);
	assert_int_equal(form->rows[LOAD + 1].kind, FORM_ADD_LOAD);
	struct run_spec spec = { 0 };
	form_to_spec(form, &spec);
	assert_string_equal(spec.parts[0].loads[0], "usb operation=read");
	run_spec_finish(&spec);
	assert_int_equal(form_set(form, LOAD, "", NULL), 0);
	assert_int_equal(form->len, LOAD + 1);
}

static void a_spec_goes_through_and_back(void **state)
{
	struct form *form = *state, other;
	struct run_spec spec = { 0 };
	assert_int_equal(form_set(form, OPERATION, "write,read", NULL), 0);
	assert_int_equal(form_set(form, REPEAT, "3", NULL), 0);
	assert_int_equal(form_set(form, LOAD, "usb buffer_size=4K", NULL), 0);
	form_to_spec(form, &spec);
	settings_set(&spec.parts[0].settings, "quiet", "on"); /* has no row, and must not be lost */
	form_init(&other, &board, &subsystems[0], "");
	assert_int_equal(form_from_part(&other, &spec.parts[0], NULL), 0);
	struct run_spec again = { 0 };
	form_to_spec(&other, &again);
	assert_string_equal(settings_get(&again.parts[0].settings, "operation"), "write,read");
	assert_string_equal(settings_get(&again.parts[0].settings, "repeat"), "3");
	assert_string_equal(settings_get(&again.parts[0].settings, "quiet"), "on");
	assert_string_equal(again.parts[0].loads[0], "usb buffer_size=4K");
	run_spec_finish(&again);
	/* A bad part changes nothing. */
	settings_set(&spec.parts[0].settings, "repeat", "7");
	settings_set(&spec.parts[0].settings, "bufer_size", "4K");
	struct error error = { 0 };
	assert_int_equal(form_from_part(&other, &spec.parts[0], &error), -EINVAL);
	assert_non_null(strstr(error.text, "buffer_size"));
	assert_string_equal(other.rows[REPEAT].text, "3");
	run_spec_finish(&spec);
	form_finish(&other);
}

static void what_the_probe_finds_fills_untouched_rows(void **state)
{
	struct form *form = *state;
	struct offer found[] = {
		{ (char *)"/dev/mmcblk0", (char *)"mounted", false },
		{ (char *)"/dev/mmcblk1", (char *)"SD card", true },
	};
	struct offer *offers[] = { NULL, NULL, found };
	size_t lengths[] = { 0, 0, 2 };
	assert_string_equal(form->rows[DEVICE].text, "");
	subsystems[0].offers = offers;
	subsystems[0].offers_len = lengths;
	form_refresh(form);
	assert_string_equal(form->rows[DEVICE].text, "/dev/mmcblk1");
	char *shown = form_shown(form, DEVICE);
	assert_non_null(strstr(shown, "SD card"));
	free(shown);
	assert_int_equal(form_set(form, DEVICE, "/dev/other", NULL), 0);
	form_refresh(form);
	assert_string_equal(form->rows[DEVICE].text, "/dev/other");
	subsystems[0].offers = NULL;
	subsystems[0].offers_len = NULL;
}

static void published_sweeps_come_from_the_board(void **state)
{
	struct form *form = *state;
	assert_false(form_set_published_sweep(form));
	settings_set(&subsystems[0].sweep, "buffer_size", "102400,262144,524288");
	assert_true(form_set_published_sweep(form));
	assert_int_equal(form_cases(form), 3);
	form_reset(form);
	assert_int_equal(form_cases(form), 1);
	settings_finish(&subsystems[0].sweep);
	subsystems[0].sweep = (struct settings){ 0 };
}

#define FORM_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FORM_TEST(rows_begin_at_the_defaults),
		FORM_TEST(a_wrong_entry_keeps_the_old_value),
		FORM_TEST(sweeps_multiply),
		FORM_TEST(choices_go_round),
		FORM_TEST(loads_are_added_and_removed),
		FORM_TEST(a_spec_goes_through_and_back),
		FORM_TEST(what_the_probe_finds_fills_untouched_rows),
		FORM_TEST(published_sweeps_come_from_the_board),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
