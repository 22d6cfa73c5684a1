/* SPDX-License-Identifier: MIT
 *
 * Profile files: what is understood, what is refused and how, what a rewrite keeps. */
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
#include "ini.h"
#include "mem.h"
#include "text.h"

static struct ini parse(const char *text)
{
	struct ini ini;
	struct error error = { 0 };
	assert_int_equal(ini_parse("file.ini", text, strlen(text), &ini, &error), 0);
	return ini;
}

static void assert_refused(const char *text, size_t length, int code, const char *part)
{
	struct ini ini;
	struct error error = { 0 };
	assert_int_equal(ini_parse("file.ini", text, length, &ini, &error), -code);
	assert_non_null(strstr(error.text, part));
	assert_int_equal(ini.len, 0);
}

static void finds_values_by_section(void **state)
{
	struct ini ini = parse("\xef\xbb\xbf"
			       "[one]\n a = 1\nb=two words # not a comment\r\n\n"
			       "; comment\n  # comment\n[ two ] # three\na =\na = again\n");
	assert_string_equal(ini_get(&ini, "one", "a"), "1");
	assert_string_equal(ini_get(&ini, "one", "b"), "two words # not a comment");
	assert_string_equal(ini_get(&ini, "two", "a"), "");
	assert_null(ini_get(&ini, "two", "b"));
	assert_null(ini_get(&ini, "", "a"));
	assert_int_equal(ini.lines[8].number, 9);
	assert_false(ini.unterminated);
	ini_finish(&ini);
}

static void names_the_line_that_it_cannot_read(void **state)
{
	static const struct {
		const char *text, *part;
	} bad[] = {
		{ "[a]\nnonsense\n", "file.ini:2: \"nonsense\" is neither" },
		{ "[a]\n\n= 3\n", "file.ini:3:" },
		{ "[a]\ntwo words = 3\n", "file.ini:2:" },
		{ "[profile]\n[cas", "file.ini:2: \"[cas\" has no closing ]" },
		{ "[a] b = 1\n", "file.ini:1:" },
		{ "[]\n", "file.ini:1: a section needs a name" },
		{ "[a]\nb = \x01\n", "file.ini:2: byte 0x01 is not text" },
		{ "\x7f"
		  "ELF\x02\n",
			"file.ini:1: byte 0x7f" },
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_refused(bad[i].text, strlen(bad[i].text), EINVAL, bad[i].part);
	assert_refused("[a]\nb = \0c\n", 11, EINVAL, "file.ini:2: byte 0x00");
}

static void refuses_what_is_too_long(void **state)
{
	char *text = mem_zalloc(INI_SIZE_MAX + 1, 1);
	memset(text, '#', INI_SIZE_MAX + 1);
	assert_refused(text, INI_SIZE_MAX + 1, EFBIG, "larger than 1 MiB");
	struct ini ini;
	assert_int_equal(ini_parse("file.ini", text, INI_SIZE_MAX, &ini, NULL), 0);
	ini_finish(&ini);
	memset(text, '\n', INI_SIZE_MAX);
	assert_refused(text, INI_SIZE_MAX, EFBIG, "more than");
	free(text);
}

static char *saved(const struct ini *ini)
{
	char directory[] = "/tmp/bb-ini-XXXXXX";
	struct error error = { 0 };
	assert_non_null(mkdtemp(directory));
	_autofree_ char *path = text_printf("%s/a.ini", directory);
	assert_int_equal(ini_save(ini, path, &error), 0);
	char *text = file_read("", "%s", path);
	assert_non_null(text);
	unlink(path);
	rmdir(directory);
	return text;
}

static void rewrite_keeps_every_byte_it_does_not_change(void **state)
{
	struct ini ini = parse("# mine\r\n\n[a]\n  x   =  1  \r\n; why\ny=2\n\n# of b\n[b]\nz = 3");
	assert_true(ini.unterminated);
	ini_set(&ini, "a", "x", "1");
	_autofree_ char *same = saved(&ini);
	assert_string_equal(
		same, "# mine\r\n\n[a]\n  x   =  1  \r\n; why\ny=2\n\n# of b\n[b]\nz = 3");
	ini_set(&ini, "a", "x", "9");
	ini_set(&ini, "a", "new", "4");
	ini_set(&ini, "c", "k", "v");
	ini_remove(&ini, "b", "z");
	_autofree_ char *changed = saved(&ini);
	assert_string_equal(changed,
		"# mine\r\n\n[a]\n  x   =  9\r\n; why\ny=2\nnew = 4\n\n# of b\n[b]\n"
		"\n[c]\nk = v\n");
	ini_finish(&ini);
}

static void removes_a_section_with_its_lines(void **state)
{
	struct ini ini = parse("[a]\nx = 1\n[b]\n# note\ny = 1\ny = 2\n[c]\nz = 1\n");
	ini_add(&ini, "b", "y", "3");
	ini_remove(&ini, "b", NULL);
	_autofree_ char *text = saved(&ini);
	assert_string_equal(text, "[a]\nx = 1\n[c]\nz = 1\n");
	ini_finish(&ini);
}

static void value_cannot_become_another_line(void **state)
{
	struct ini ini = parse("");
	ini_set(&ini, "a", "x", "1\n[b]\ny = 2");
	_autofree_ char *text = saved(&ini);
	assert_string_equal(text, "[a]\nx = 1 [b] y = 2\n");
	ini_finish(&ini);
}

static void many_lines_come_and_go(void **state)
{
	struct ini ini = parse("[a]\n");
	char key[16];
	for (int i = 0; i < 200; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		ini_add(&ini, "a", key, key);
	}
	for (int i = 0; i < 200; i += 2) {
		snprintf(key, sizeof(key), "k%d", i);
		ini_remove(&ini, "a", key);
	}
	ini_add(&ini, "a", "last", "1");
	assert_int_equal(ini.len, 102);
	assert_string_equal(ini_get(&ini, "a", "k199"), "k199");
	assert_null(ini_get(&ini, "a", "k198"));
	ini_finish(&ini);
}

static void refuses_what_is_no_file(void **state)
{
	char directory[] = "/tmp/bb-ini-XXXXXX";
	struct ini ini;
	assert_non_null(mkdtemp(directory));
	_autofree_ char *path = text_printf("%s/p", directory);

	struct error missing = { 0 };
	assert_int_equal(ini_load(path, &ini, &missing), -ENOENT);
	assert_non_null(strstr(missing.text, path));
	struct error is_directory = { 0 };
	assert_int_equal(ini_load(directory, &ini, &is_directory), -EISDIR);
	assert_non_null(strstr(is_directory.text, "is a directory"));
	/* Would hang if it were opened for reading without care. */
	assert_int_equal(mkfifo(path, 0600), 0);
	struct error fifo = { 0 };
	assert_int_equal(ini_load(path, &ini, &fifo), -EINVAL);
	assert_non_null(strstr(fifo.text, "is a FIFO"));
	unlink(path);
	struct error device = { 0 };
	assert_int_equal(ini_load("/dev/null", &ini, &device), -EINVAL);
	assert_non_null(strstr(device.text, "is a device"));

	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), INI_SIZE_MAX + 1), 0);
	fclose(file);
	struct error huge = { 0 };
	assert_int_equal(ini_load(path, &ini, &huge), -EFBIG);
	assert_non_null(strstr(huge.text, "larger than 1 MiB"));
	assert_int_equal(chmod(path, 0), 0);
	if (access(path, R_OK) < 0) { /* root may read everything */
		struct error denied = { 0 };
		assert_int_equal(ini_load(path, &ini, &denied), -EACCES);
		assert_non_null(strstr(denied.text, "permissions"));
	}
	unlink(path);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_values_by_section),
		cmocka_unit_test(names_the_line_that_it_cannot_read),
		cmocka_unit_test(refuses_what_is_too_long),
		cmocka_unit_test(rewrite_keeps_every_byte_it_does_not_change),
		cmocka_unit_test(removes_a_section_with_its_lines),
		cmocka_unit_test(value_cannot_become_another_line),
		cmocka_unit_test(many_lines_come_and_go),
		cmocka_unit_test(refuses_what_is_no_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
