/* SPDX-License-Identifier: MIT
 *
 * Saved runs: read, refused with the line, rewritten without losing the user's own words. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "list.h"
#include "mem.h"
#include "run_profile.h"
#include "text.h"

static const char whole[] = "# nightly, see ticket 7\n"
			    "[profile]\n"
			    "version = 1\n"
			    "board=am335x-evm\n"
			    "\n"
			    "; the slow card\n"
			    "[case 1]\n"
			    "subsystem = mmc\n"
			    "operation = write,read\n"
			    "# as published\n"
			    "buffer_size = 102400, 1MiB\n"
			    "repeat = 3\n"
			    "with = usb operation=write\n"
			    "with = memory\n"
			    "\n"
			    "[case second]\n"
			    "subsystem = memory\n";

static char directory[64];

static int make_directory(void **state)
{
	snprintf(directory, sizeof(directory), "/tmp/bb-runs-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	size_t len;
	struct run_profile_entry *entries = run_profile_list(directory, &len);
	for (size_t i = 0; i < len; i++)
		if (unlink(entries[i].path) < 0)
			rmdir(entries[i].path);
	run_profile_list_finish(entries, len);
	return rmdir(directory);
}

static void put_file(const char *name, const char *text)
{
	_autofree_ char *path = text_printf("%s/%s.ini", directory, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static char *get_file(const char *name)
{
	char *text = file_read("", "%s/%s.ini", directory, name);
	assert_non_null(text);
	return text;
}

static struct run_spec load(const char *name)
{
	struct run_spec spec;
	struct error error = { 0 };
	assert_int_equal(run_profile_load(directory, name, &spec, NULL, &error), 0);
	return spec;
}

static void assert_refused(const char *text, size_t length, int code, const char *part)
{
	struct run_spec spec;
	struct error error = { 0 };
	char **warnings;
	assert_int_equal(
		run_spec_from_text("p.ini", text, length, &spec, &warnings, &error), -code);
	assert_null(warnings);
	if (!strstr(error.text, part))
		assert_string_equal(error.text, part);
}

static void reads_cases_settings_and_loads(void **state)
{
	put_file("nightly", whole);
	struct run_spec spec = load("nightly");
	assert_string_equal(spec.profile, "nightly");
	assert_string_equal(spec.board, "am335x-evm");
	assert_int_equal(spec.parts_len, 2);
	const struct run_part *part = &spec.parts[0];
	assert_string_equal(part->name, "case 1");
	assert_string_equal(part->subsystem, "mmc");
	assert_int_equal(part->settings.len, 3);
	assert_string_equal(part->settings.items[1].name, "buffer_size");
	assert_string_equal(part->settings.items[1].text, "102400, 1MiB");
	assert_int_equal(part->settings.items[1].line, 11);
	assert_int_equal(list_len(part->loads), 2);
	assert_string_equal(part->loads[0], "usb operation=write");
	assert_string_equal(spec.parts[1].name, "case second");
	struct run_spec copy;
	run_spec_copy(&copy, &spec);
	run_spec_finish(&spec);
	assert_string_equal(copy.parts[0].loads[1], "memory");
	assert_string_equal(copy.parts[1].subsystem, "memory");
	run_spec_finish(&copy);
}

static void says_what_is_wrong_and_where(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *part;
	} bad[] = {
		{ "", EINVAL, "p.ini is empty" },
		{ "\n# only a comment\n", EINVAL, "p.ini is empty" },
		{ "[profile]\nversion = 2\n[case 1]\nsubsystem = x\n", ENOTSUP,
			"p.ini:2: version 2 is newer than this boardbench" },
		{ "[profile]\nversion = one\n", EINVAL, "p.ini:2: \"one\" is not a version" },
		{ "[profile]\n[case 1]\nsubsystem = x\n", EINVAL, "has no version: add the line" },
		{ "[profile]\nversion = 1\n[limits]\na = 1\n", EINVAL,
			"p.ini:3: section [limits] is not known" },
		{ "[profile]\nversion = 1\n", EINVAL, "has no [case ...] section" },
		{ "[profile]\nversion = 1\n[case 1]\nrepeat = 2\n", EINVAL,
			"[case 1] does not say which subsystem" },
		{ "[case 1]\nsubsystem = x\n", EINVAL, "no [profile] section" },
		{ "[board]\nversion = 1\n", EINVAL, "p.ini:1: section [board] is not known" },
		{ "version = 1\n[profile]\n", EINVAL, "p.ini:1: \"version\" stands before" },
		{ "[profile]\nversion = 1\n[case 1]\nsubsystem = x\nsize = 1\nsize = 2\n", EINVAL,
			"p.ini:6: size is given twice" },
		{ "[profile]\nversion = 1\n[case 1]\nsubsystem = x\nsubsystem = y\n", EINVAL,
			"p.ini:5: subsystem is given twice" },
		{ "[profile]\nversion = 1\n[case 1]\nsubsystem = x\n[case 1]\n", EEXIST,
			"p.ini:5: section [case 1] is there twice" },
		{ "[profile]\nversion = 1\n[case 1]\nsubsys", EINVAL,
			"p.ini:4: \"subsys\" is neither" },
		{ "\x7f"
		  "ELF\x01\x01",
			EINVAL, "p.ini:1: byte 0x7f is not text" },
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_refused(bad[i].text, strlen(bad[i].text), bad[i].code, bad[i].part);
}

static void warns_of_unknown_keys_and_a_missing_end(void **state)
{
	static const char text[] =
		"[profile]\nversion = 1\ncolour = red\n[case 1]\nsubsystem = x\nrepeat = 1";
	struct run_spec spec;
	char **warnings;
	assert_int_equal(
		run_spec_from_text("p.ini", text, strlen(text), &spec, &warnings, NULL), 0);
	assert_int_equal(list_len(warnings), 2);
	assert_non_null(strstr(warnings[0], "p.ini:3: \"colour\" is not known"));
	assert_non_null(strstr(warnings[1], "p.ini:6: the last line"));
	list_finish(&warnings);
	run_spec_finish(&spec);
}

static void text_reads_back_the_same(void **state)
{
	struct run_spec spec = { 0 }, again;
	struct run_part *part = run_spec_add(&spec, "usb");
	settings_set(&part->settings, "size", "1,2");
	run_part_add_load(part, "mmc a=b");
	run_spec_add(&spec, "memory");
	_autofree_ char *text = run_spec_to_text(&spec);
	assert_string_equal(text,
		"[profile]\nversion = 1\n\n[case 1]\nsubsystem = usb\nsize = 1,2\n"
		"with = mmc a=b\n\n[case 2]\nsubsystem = memory\n");
	assert_int_equal(run_spec_from_text("p", text, strlen(text), &again, NULL, NULL), 0);
	_autofree_ char *twice = run_spec_to_text(&again);
	assert_string_equal(twice, text);
	run_spec_finish(&again);
	run_spec_finish(&spec);
}

static void replacing_keeps_comments_and_order(void **state)
{
	struct error error = { 0 };
	put_file("kept", whole);
	struct run_spec spec = load("kept");
	assert_int_equal(run_profile_save(directory, "kept", &spec, true, &error), 0);
	_autofree_ char *same = get_file("kept");
	assert_string_equal(same, whole);

	settings_set(&spec.parts[0].settings, "buffer_size", "2MiB");
	settings_remove(&spec.parts[0].settings, "repeat");
	settings_set(&spec.parts[0].settings, "mode", "direct");
	assert_int_equal(run_profile_save(directory, "kept", &spec, true, &error), 0);
	_autofree_ char *changed = get_file("kept");
	assert_string_equal(changed,
		"# nightly, see ticket 7\n[profile]\nversion = 1\nboard=am335x-evm\n\n"
		"; the slow card\n[case 1]\nsubsystem = mmc\noperation = write,read\n"
		"# as published\nbuffer_size = 2MiB\nwith = usb operation=write\n"
		"with = memory\nmode = direct\n\n[case second]\nsubsystem = memory\n");
	run_spec_finish(&spec);
}

static void saved_order_of_sweeps_is_the_order_asked_for(void **state)
{
	struct error error = { 0 };
	put_file("order", whole);
	struct run_spec spec = load("order");
	struct settings *settings = &spec.parts[0].settings;
	settings_remove(settings, "operation");
	settings_set(settings, "operation", "write,read");
	assert_int_equal(run_profile_save(directory, "order", &spec, true, &error), 0);
	struct run_spec again = load("order");
	assert_string_equal(again.parts[0].settings.items[0].name, "buffer_size");
	assert_string_equal(again.parts[0].settings.items[2].name, "operation");
	_autofree_ char *text = get_file("order");
	assert_non_null(strstr(text, "# as published"));
	run_spec_finish(&again);
	run_spec_finish(&spec);
}

static void nothing_is_overwritten_unasked(void **state)
{
	struct run_spec spec = { 0 };
	struct error exists = { 0 }, newer = { 0 };
	run_spec_add(&spec, "memory");
	put_file("taken", whole);
	assert_int_equal(run_profile_save(directory, "taken", &spec, false, &exists), -EEXIST);
	assert_non_null(strstr(exists.text, "there already"));
	put_file("newer", "[profile]\nversion = 9\n");
	assert_int_equal(run_profile_save(directory, "newer", &spec, true, &newer), -ENOTSUP);
	_autofree_ char *text = get_file("newer");
	assert_string_equal(text, "[profile]\nversion = 9\n");
	run_spec_finish(&spec);
}

static void names_stay_in_the_directory(void **state)
{
	static const char *const bad[] = { "", ".hidden", "../up", "a/b", "a b", "\xc3\xa4" };
	struct run_spec spec = { 0 };
	run_spec_add(&spec, "memory");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct error error = { 0 };
		assert_int_equal(run_profile_save(directory, bad[i], &spec, true, &error), -EINVAL);
		assert_int_equal(run_profile_delete(directory, bad[i], NULL), -EINVAL);
	}
	run_spec_finish(&spec);
}

static void renames_deletes_and_finds(void **state)
{
	struct run_spec spec;
	struct error taken = { 0 }, gone = { 0 }, near = { 0 };
	put_file("first", whole);
	put_file("second", whole);
	assert_int_equal(run_profile_rename(directory, "first", "second", &taken), -EEXIST);
	assert_int_equal(run_profile_rename(directory, "first", "third-one", NULL), 0);
	assert_int_equal(run_profile_delete(directory, "second", NULL), 0);
	assert_int_equal(run_profile_delete(directory, "second", &gone), -ENOENT);
	assert_int_equal(run_profile_load(directory, "third-on", &spec, NULL, &near), -ENOENT);
	assert_non_null(strstr(near.text, "did you mean \"third-one\""));
	_autofree_ char *path = text_printf("%s/third-one.ini", directory);
	spec = load(path);
	assert_string_equal(spec.path, path);
	run_spec_finish(&spec);
}

static void lists_with_a_summary(void **state)
{
	size_t len;
	put_file("a", "[profile]\nversion=1\n[case 1]\nsubsystem = mmc\noperation = write\n"
		      "buffer_size = 100KiB,200KiB,300KiB\nrepeat = 3\nsize = 1..8*2\n");
	put_file("b", "junk");
	_autofree_ char *path = text_printf("%s/c.ini", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	struct run_profile_entry *entries = run_profile_list(directory, &len);
	assert_int_equal(len, 3);
	assert_string_equal(entries[0].name, "a");
	assert_int_equal(entries[0].cases, 3 * 4);
	assert_string_equal(entries[0].what, "mmc write, 3 buffer_size, 3x, 4 size");
	assert_true(entries[0].changed > 0);
	assert_non_null(strstr(entries[1].what, "b.ini:1:"));
	assert_int_equal(entries[1].cases, 0);
	assert_non_null(strstr(entries[2].what, "is a directory"));
	run_profile_list_finish(entries, len);
	entries = run_profile_list("/no/such/directory", &len);
	assert_int_equal(len, 0);
	run_profile_list_finish(entries, len);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_cases_settings_and_loads),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(warns_of_unknown_keys_and_a_missing_end),
		cmocka_unit_test(text_reads_back_the_same),
		TEST(replacing_keeps_comments_and_order),
		TEST(saved_order_of_sweeps_is_the_order_asked_for),
		TEST(nothing_is_overwritten_unasked),
		TEST(names_stay_in_the_directory),
		TEST(renames_deletes_and_finds),
		TEST(lists_with_a_summary),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
