/* SPDX-License-Identifier: MIT
 *
 * Links are followed below the root and never out of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "mem.h"
#include "sysfs.h"
#include "text.h"

static void assert_leads(const char *root, const char *path, const char *expected)
{
	_autofree_ char *real = sysfs_resolve(root, "%s", path);
	if (!expected) {
		assert_null(real);
		return;
	}
	assert_non_null(real);
	assert_string_equal(real, expected);
}

static void stays_below_the_root(void **state)
{
	char root[] = "/tmp/bb-sysfs-XXXXXX";
	static const char *const links[][2] = { { "/up", "../../../../../../a/b" },
		{ "/absolute", "/a/b" }, { "/chain", "up" }, { "/circle", "circle" },
		{ "/live", "/proc" }, { "/a/back", "../a/./b/../b" } };
	assert_non_null(mkdtemp(root));
	_autofree_ char *a = text_printf("%s/a", root);
	_autofree_ char *b = text_printf("%s/a/b", root);
	assert_int_equal(mkdir(a, 0700), 0);
	assert_int_equal(mkdir(b, 0700), 0);
	for (size_t i = 0; i < ARRAY_LEN(links); i++) {
		_autofree_ char *path = text_printf("%s%s", root, links[i][0]);
		assert_int_equal(symlink(links[i][1], path), 0);
	}
	assert_leads(root, "/up", "/a/b");
	assert_leads(root, "/absolute", "/a/b");
	assert_leads(root, "/chain", "/a/b");
	assert_leads(root, "/a/back", "/a/b");
	assert_leads(root, "/circle", NULL);
	assert_leads(root, "/live", NULL);
	assert_leads(root, "/a/nothing", NULL);
	assert_leads(root, "/../..", "");
	_autofree_ char *name = sysfs_name(root, "/%s", "chain");
	assert_string_equal(name, "b");
	for (size_t i = 0; i < ARRAY_LEN(links); i++) {
		_autofree_ char *path = text_printf("%s%s", root, links[i][0]);
		unlink(path);
	}
	rmdir(b);
	rmdir(a);
	rmdir(root);
}

static void agrees_with_realpath_on_this_machine(void **state)
{
	static const char *const paths[] = { "/sys/class/net/lo", "/proc/self/exe", "/bin/sh" };
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		_autofree_ char *expected = realpath(paths[i], NULL);
		if (expected)
			assert_leads("", paths[i], expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stays_below_the_root),
		cmocka_unit_test(agrees_with_realpath_on_this_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
