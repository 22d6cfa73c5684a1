/* SPDX-License-Identifier: MIT
 *
 * Plans: what becomes of defaults, settings, sweeps and loads, and what is refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mem.h"
#include "plan.h"

/* A storage-like module, one that needs the machine for itself, and one that is broken. */
static char *operations[] = { "write", "read", NULL };
static struct param disk_params[] = {
	{ .name = "operation",
		.text = "",
		.initial = "write",
		.type = BB_CHOICE,
		.choices = operations },
	{ .name = "directory",
		.text = "",
		.initial = "",
		.type = BB_PATH,
		.flags = BB_PARAM_OFFERED },
	{ .name = "buffer_size",
		.text = "",
		.initial = "1MiB",
		.type = BB_SIZE,
		.minimum = 1,
		.maximum = 1073741824 },
	{ .name = "fsync", .text = "", .initial = "on", .type = BB_FLAG },
};
static struct param count_params[] = {
	{ .name = "number", .text = "", .initial = "1", .type = BB_INTEGER },
	{ .name = "other", .text = "", .initial = "1", .type = BB_INTEGER },
};
static struct module_info modules[] = {
	{ .name = "disk", .title = "", .group = "STORAGE", .params = disk_params, .params_len = 4 },
	{ .name = "count",
		.title = "",
		.group = "SYSTEM",
		.params = count_params,
		.params_len = 2,
		.flags = BB_PER_CPU },
	{ .name = "alone", .title = "", .group = "SYSTEM", .flags = BB_EXCLUSIVE },
	{ .name = "broken", .problem = "not an ELF file" },
};
static struct setting mmc_defaults[] = { { "buffer_size", "4KiB", 7 },
	{ "directory", "/media/sd", 8 } };
static struct setting bad_defaults[] = { { "buffer", "4KiB", 21 } };
static struct offer directories[] = { { "/mnt/a", "full", false }, { "/mnt/b", "fine", true } };
static struct offer *usb_offers[] = { NULL, directories, NULL, NULL };
static size_t usb_offers_len[] = { 0, 2, 0, 0 };
static struct subsystem subsystems[] = {
	{ .name = "mmc",
		.module = "disk",
		.group = "STORAGE",
		.title = "",
		.info = &modules[0],
		.defaults = { mmc_defaults, 2 } },
	{ .name = "usb",
		.module = "disk",
		.group = "STORAGE",
		.title = "",
		.info = &modules[0],
		.offers = usb_offers,
		.offers_len = usb_offers_len },
	{ .name = "slot",
		.module = "disk",
		.group = "STORAGE",
		.title = "",
		.info = &modules[0],
		.missing = "no card",
		.reason = "no card",
		.state = SUBSYSTEM_ABSENT,
		.offers = usb_offers,
		.offers_len = usb_offers_len },
	{ .name = "odd",
		.module = "disk",
		.group = "STORAGE",
		.title = "",
		.info = &modules[0],
		.defaults = { bad_defaults, 1 } },
	{ .name = "adc", .module = "iio", .group = "I/O", .title = "" },
};
static const struct board board = { .name = "testboard",
	.path = "testboard.ini",
	.subsystems = subsystems,
	.subsystems_len = ARRAY_LEN(subsystems) };

static const char dump[] = TESTS_DIR "/dumps/pc-nvme-sata"; /* CPUs 0-3 are online there */

/* "NAME" and "PARAM=TEXT"..., NULL; a text with a blank in it is a load. */
static int make(struct plan *plan, struct error *error, const char *subsystem, ...)
{
	struct run_spec spec = { 0 };
	struct run_part *part = run_spec_add(&spec, subsystem);
	va_list args;
	va_start(args, subsystem);
	for (const char *word; (word = va_arg(args, const char *));) {
		if (strchr(word, ' '))
			run_part_add_load(part, word);
		else
			assert_int_equal(settings_parse(&part->settings, word, NULL), 0);
	}
	va_end(args);
	int status = plan_make(&board, modules, ARRAY_LEN(modules), dump, &spec, plan, error);
	run_spec_finish(&spec);
	return status;
}

#define ASSERT_REFUSED(code, part, ...)                                                            \
	do {                                                                                       \
		struct plan refused_plan;                                                          \
		struct error refused_error = { 0 };                                                \
		assert_int_equal(make(&refused_plan, &refused_error, __VA_ARGS__, NULL), -(code)); \
		if (!strstr(refused_error.text, (part)))                                           \
			assert_string_equal(refused_error.text, (part));                           \
	} while (0)

static void settings_go_before_subsystem_before_module(void **state)
{
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "mmc", "operation=read", NULL), 0);
	assert_int_equal(plan.len, 1);
	const struct plan_case *first = &plan.cases[0];
	assert_ptr_equal(first->subsystem, &subsystems[0]);
	assert_int_equal(first->values[0].choice, 1);
	assert_string_equal(first->values[1].text, "/media/sd");
	assert_int_equal(first->values[2].natural, 4096);
	assert_true(first->values[3].flag);
	assert_true(first->given[0]);
	assert_false(first->given[2]);
	assert_int_equal(first->options.repeat, 1);
	assert_int_equal(first->options.stall_ns, DEFAULT_STALL_NS);
	plan_finish(&plan);
	assert_int_equal(make(&plan, NULL, "mmc", "buffer_size=8KiB", NULL), 0);
	assert_int_equal(plan.cases[0].values[2].natural, 8192);
	plan_finish(&plan);
}

static void last_sweep_changes_quickest(void **state)
{
	static const int64_t expected[][2] = { { 1, 10 }, { 1, 20 }, { 1, 30 }, { 2, 10 },
		{ 2, 20 }, { 2, 30 } };
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "count", "other=1,2", "number=10,20,30", NULL), 0);
	assert_int_equal(plan.len, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(plan.cases[i].values[1].integer, expected[i][0]);
		assert_int_equal(plan.cases[i].values[0].integer, expected[i][1]);
	}
	plan_finish(&plan);
}

static void reserved_names_are_options(void **state)
{
	struct plan plan;
	assert_int_equal(
		make(&plan, NULL, "count", "repeat=5", "duration=2s", "warmup=500ms", "stall=1min",
			"steady=2.5%", "cpus=0,2-3", "quiet=on", "number=1,2", NULL),
		0);
	assert_int_equal(plan.len, 2);
	const struct case_options *options = &plan.cases[1].options;
	assert_int_equal(options->repeat, 5);
	assert_int_equal(options->duration_ns, UINT64_C(2000000000));
	assert_int_equal(options->warmup_ns, UINT64_C(500000000));
	assert_int_equal(options->stall_ns, UINT64_C(60000000000));
	assert_true(options->steady_percent == 2.5);
	assert_true(options->quiet);
	assert_int_equal(options->cpus_len, 3);
	assert_int_equal(options->cpus[2], 3);
	plan_finish(&plan);
	assert_int_equal(make(&plan, NULL, "count", "cpus=all", NULL), 0);
	assert_int_equal(plan.cases[0].options.cpus_len, 4);
	plan_finish(&plan);
}

static void bad_options_are_refused(void **state)
{
	ASSERT_REFUSED(EINVAL, "repeat \"0\"", "count", "repeat=0");
	ASSERT_REFUSED(
		EINVAL, "repeat \"99999999999999999999\"", "count", "repeat=99999999999999999999");
	ASSERT_REFUSED(EINVAL, "repeat \"1,2\"", "count", "repeat=1,2");
	ASSERT_REFUSED(EINVAL, "duration", "count", "duration=soon");
	ASSERT_REFUSED(EINVAL, "stall must be longer", "count", "stall=0s");
	ASSERT_REFUSED(EINVAL, "steady \"nan\"", "count", "steady=nan");
	ASSERT_REFUSED(EINVAL, "quiet \"2\"", "count", "quiet=2");
	ASSERT_REFUSED(EINVAL, "is not a list of CPUs", "count", "cpus=0-");
	ASSERT_REFUSED(EINVAL, "CPU 9 is not online: online are 0-3", "count", "cpus=9");
	ASSERT_REFUSED(EINVAL, "CPU 1 twice", "count", "cpus=1,0-2");
	ASSERT_REFUSED(EINVAL, "is not a list of CPUs", "count", "cpus=0-4294967295");
	ASSERT_REFUSED(EINVAL, "cannot run on chosen CPUs", "mmc", "cpus=0");
}

static void names_the_nearest(void **state)
{
	ASSERT_REFUSED(ENOENT, "did you mean \"mmc\"?", "mmd");
	ASSERT_REFUSED(ENOENT, "did you mean \"count\"?", "conut");
	ASSERT_REFUSED(ENOENT, "boardbench list", "zzzzzzzzzz");
	ASSERT_REFUSED(EINVAL, "no parameter \"bufer_size\": did you mean \"buffer_size\"?", "mmc",
		"bufer_size=1");
	ASSERT_REFUSED(EINVAL, "did you mean \"repeat\"?", "mmc", "repaet=1");
	ASSERT_REFUSED(
		EINVAL, "it has operation, directory, buffer_size, fsync", "mmc", "zzzzzzzz=1");
	ASSERT_REFUSED(EINVAL, "write", "mmc", "operation=wirte");
	ASSERT_REFUSED(ENODEV, "needs module iio", "adc");
	ASSERT_REFUSED(ENODEV, "not an ELF file", "broken");
}

static void lines_of_files_are_named(void **state)
{
	static const char text[] =
		"[profile]\nversion = 1\n[case 1]\nsubsystem = mmc\nfsync = on\nbufer_size = 1\n";
	struct run_spec spec;
	struct plan plan;
	struct error error = { 0 };
	assert_int_equal(run_spec_from_text("p.ini", text, strlen(text), &spec, NULL, NULL), 0);
	assert_int_equal(
		plan_make(&board, modules, ARRAY_LEN(modules), "", &spec, &plan, &error), -EINVAL);
	assert_ptr_equal(strstr(error.text, "p.ini:6: module disk has no parameter"), error.text);
	run_spec_finish(&spec);
	ASSERT_REFUSED(EINVAL, "testboard.ini:21: module disk has no parameter \"buffer\"", "odd");
}

static void module_name_stands_for_a_subsystem(void **state)
{
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "disk", NULL), 0);
	assert_string_equal(plan.cases[0].subsystem->name, "mmc");
	plan_finish(&plan);
	assert_int_equal(make(&plan, NULL, "count", NULL), 0);
	assert_string_equal(plan.cases[0].subsystem->name, "count");
	assert_ptr_equal(plan.cases[0].subsystem->info, &modules[1]);
	assert_int_equal(plan.extra_len, 1);
	plan_finish(&plan);
}

static void usable_offer_is_the_default(void **state)
{
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "usb", NULL), 0);
	assert_string_equal(plan.cases[0].values[1].text, "/mnt/b");
	plan_finish(&plan);
	/* Another medium must not stand in for the one that is missing; a place that is given may.
	 */
	ASSERT_REFUSED(ENODEV, "slot: no card", "slot");
	assert_int_equal(make(&plan, NULL, "slot", "directory=/mnt/c", NULL), 0);
	assert_string_equal(plan.cases[0].values[1].text, "/mnt/c");
	plan_finish(&plan);
	directories[1].usable = false;
	ASSERT_REFUSED(EINVAL, "give directory=", "usb");
	directories[1].usable = true;
}

static void too_many_cases_are_refused_with_their_number(void **state)
{
	ASSERT_REFUSED(E2BIG, "1000000 cases", "count", "number=1..1000+1", "other=1..1000+1");
	ASSERT_REFUSED(E2BIG, "20001 cases", "count", "number=1..20001+1");
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "count", "number=1..200+1", "other=1..100+1", NULL), 0);
	assert_int_equal(plan.len, PLAN_CASES_MAX);
	plan_finish(&plan);
}

static void loads_have_one_value_each(void **state)
{
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "mmc", "fsync=on,off", "usb operation=read",
				 "count number=7", NULL),
		0);
	assert_int_equal(plan.len, 2);
	assert_int_equal(plan.cases[1].loads_len, 2);
	assert_string_equal(plan.cases[1].loads[0].subsystem->name, "usb");
	assert_int_equal(plan.cases[1].loads[0].values[0].choice, 1);
	assert_string_equal(plan.cases[1].loads[0].values[1].text, "/mnt/b");
	assert_int_equal(plan.cases[1].loads[1].values[0].integer, 7);
	_autofree_ char *text = plan_case_describe(&plan.cases[1]);
	assert_string_equal(text, "write, fsync off, with usb, with count");
	plan_finish(&plan);
	ASSERT_REFUSED(EINVAL, "a load runs with one value", "mmc", "count number=1,2");
	ASSERT_REFUSED(EINVAL, "load \"usb buffer=1\": module disk has no parameter", "mmc",
		"usb buffer=1");
	ASSERT_REFUSED(EINVAL, "no parameter \"repeat\"", "mmc", "usb repeat=2");
	ASSERT_REFUSED(ENOENT, "did you mean \"usb\"", "mmc", "usc operation=read");
}

static void exclusive_modules_stay_alone(void **state)
{
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "alone", NULL), 0);
	plan_finish(&plan);
	ASSERT_REFUSED(EINVAL, "take the loads out", "alone", "count number=1");
	ASSERT_REFUSED(EINVAL, "cannot be a load", "mmc", "alone ");
}

static void description_names_what_was_asked_for(void **state)
{
	struct plan plan;
	assert_int_equal(make(&plan, NULL, "mmc", "buffer_size=1MiB", "fsync=on", NULL), 0);
	_autofree_ char *text = plan_case_describe(&plan.cases[0]);
	assert_string_equal(text, "write, buffer_size 1 MiB, fsync on");
	plan_finish(&plan);
}

static void nothing_asked_for_is_refused(void **state)
{
	struct run_spec spec = { 0 };
	struct plan plan;
	struct error error = { 0 };
	assert_int_equal(
		plan_make(&board, modules, ARRAY_LEN(modules), "", &spec, &plan, &error), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_go_before_subsystem_before_module),
		cmocka_unit_test(last_sweep_changes_quickest),
		cmocka_unit_test(reserved_names_are_options),
		cmocka_unit_test(bad_options_are_refused),
		cmocka_unit_test(names_the_nearest),
		cmocka_unit_test(lines_of_files_are_named),
		cmocka_unit_test(module_name_stands_for_a_subsystem),
		cmocka_unit_test(usable_offer_is_the_default),
		cmocka_unit_test(too_many_cases_are_refused_with_their_number),
		cmocka_unit_test(loads_have_one_value_each),
		cmocka_unit_test(exclusive_modules_stay_alone),
		cmocka_unit_test(description_names_what_was_asked_for),
		cmocka_unit_test(nothing_asked_for_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
