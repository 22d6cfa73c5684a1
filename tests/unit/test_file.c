/* SPDX-License-Identifier: MIT
 *
 * Files: read below a root, refused when they are none, replaced whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "mem.h"
#include "text.h"

static int make_root(void **state)
{
	char template[] = "/tmp/boardbench-file-XXXXXX";

	*state = mkdtemp(template) ? mem_strdup(template) : NULL;
	return *state ? 0 : -1;
}

static void remove_tree(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		_autofree_ char *inner = text_printf("%s/%s", path, entry->d_name);

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlink(inner) < 0)
			remove_tree(inner);
	}
	if (directory)
		closedir(directory);
	rmdir(path);
}

static int remove_root(void **state)
{
	remove_tree(*state);
	free(*state);
	return 0;
}

static void put(const char *root, const char *name, const char *bytes, size_t length)
{
	_autofree_ char *path = text_printf("%s/%s", root, name);
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static void reads_below_the_root(void **state)
{
	put(*state, "model7", "TI AM335x EVM \nsecond\n", 22);
	_autofree_ char *all = file_read(*state, "/model%d", 7);
	_autofree_ char *line = file_read_line(*state, "/model7");

	assert_string_equal(all, "TI AM335x EVM \nsecond\n");
	assert_string_equal(line, "TI AM335x EVM");
}

static void reads_files_of_the_kernel(void **state)
{
	_autofree_ char *stat = file_read("", "/proc/self/stat"); /* st_size is 0 */
	_autofree_ char *start = text_printf("%d ", (int)getpid());

	assert_non_null(stat);
	assert_true(text_starts(stat, start));
}

static void an_empty_file_is_a_line(void **state)
{
	put(*state, "empty", "", 0);
	_autofree_ char *line = file_read_line(*state, "/empty");

	assert_string_equal(line, "");
}

static void reads_numbers(void **state)
{
	put(*state, "good", "1000000\n", 8);
	put(*state, "hex", "0x1f\n", 5);
	put(*state, "bad", "12 apples\n", 10);
	put(*state, "huge", "99999999999999999999\n", 21);
	assert_int_equal(file_read_number(*state, -1, "/good"), 1000000);
	assert_int_equal(file_read_number(*state, -1, "/hex"), 31);
	assert_int_equal(file_read_number(*state, -1, "/bad"), -1);
	assert_int_equal(file_read_number(*state, -1, "/huge"), -1);
	assert_int_equal(file_read_number(*state, -7, "/none"), -7);
}

static void refuses_what_is_no_file(void **state)
{
	_autofree_ char *fifo = text_printf("%s/fifo", (char *)*state);

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_null(file_read(*state, "/fifo"));
	assert_int_equal(errno, EINVAL);
	assert_null(file_read(*state, "/"));
	assert_int_equal(errno, EISDIR);
	assert_null(file_read(*state, "/none"));
	assert_int_equal(errno, ENOENT);
}

static void refuses_huge_files(void **state)
{
	_autofree_ char *path = text_printf("%s/large", (char *)*state);

	put(*state, "large", "x", 1);
	assert_int_equal(truncate(path, 1 << 20), 0);
	_autofree_ char *allowed = file_read(*state, "/large");

	assert_non_null(allowed);
	assert_int_equal(truncate(path, (1 << 20) + 1), 0);
	assert_null(file_read(*state, "/large"));
	assert_int_equal(errno, EFBIG);
}

static void names_the_target_of_a_link(void **state)
{
	_autofree_ char *link = text_printf("%s/subsystem", (char *)*state);

	assert_int_equal(symlink("../../bus/mmc", link), 0);
	_autofree_ char *name = file_link_name(*state, "/subsystem");

	assert_string_equal(name, "mmc");
	assert_null(file_link_name(*state, "/none"));
}

static void replaces_whole(void **state)
{
	_autofree_ char *path = text_printf("%s/run.ini", (char *)*state);
	_autofree_ char *link = text_printf("%s/link.ini", (char *)*state);
	struct error error = { 0 };
	struct stat status;

	assert_int_equal(file_replace(path, "old and long", 12, &error), 0);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("run.ini", link), 0);
	assert_int_equal(file_replace(link, "new", 3, &error), 0);
	_autofree_ char *content = file_read(*state, "/run.ini");

	assert_string_equal(content, "new");
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
}

static size_t count_entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	assert_non_null(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

static void a_failed_replace_leaves_nothing(void **state)
{
	_autofree_ char *below = text_printf("%s/none/run.ini", (char *)*state);
	_autofree_ char *fifo = text_printf("%s/fifo", (char *)*state);
	struct error error = { 0 };

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(file_replace(below, "x", 1, &error), -ENOENT);
	assert_non_null(strstr(error.text, below));
	error = (struct error){ 0 };
	assert_int_equal(file_replace(*state, "x", 1, &error), -EISDIR);
	error = (struct error){ 0 };
	assert_int_equal(file_replace(fifo, "x", 1, &error), -EINVAL);
	assert_int_equal(count_entries(*state), 3); /* ., .., fifo */
	assert_int_equal(file_replace("/proc/version-of-none", "x", 1, NULL) < 0, 1);
}

static void makes_directories(void **state)
{
	_autofree_ char *deep = text_printf("%s/a//b/c/", (char *)*state);
	_autofree_ char *through = text_printf("%s/file/x", (char *)*state);
	struct error error = { 0 };
	struct stat status;

	assert_int_equal(file_make_directories(deep, &error), 0);
	assert_int_equal(file_make_directories(deep, &error), 0);
	assert_int_equal(stat(deep, &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	put(*state, "file", "x", 1);
	assert_int_equal(file_make_directories(through, &error), -ENOTDIR);
	assert_non_null(strstr(error.text, "/file"));
}

static void write_errors_are_told(void **state)
{
	_autoclose_ int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	assert_true(full >= 0);
	assert_int_equal(file_write_all(full, "x", 1), -ENOSPC);
	assert_int_equal(file_write_all(-1, "x", 1), -EBADF);
}

#define with_root(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_root(reads_below_the_root),
		cmocka_unit_test(reads_files_of_the_kernel),
		with_root(an_empty_file_is_a_line),
		with_root(reads_numbers),
		with_root(refuses_what_is_no_file),
		with_root(refuses_huge_files),
		with_root(names_the_target_of_a_link),
		with_root(replaces_whole),
		with_root(a_failed_replace_leaves_nothing),
		with_root(makes_directories),
		cmocka_unit_test(write_errors_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
