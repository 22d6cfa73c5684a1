/* SPDX-License-Identifier: MIT
 *
 * The mount table: the kernel's format (proc_pid_mountinfo(5)), and lines that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mem.h"
#include "mountinfo.h"

static void parses_the_example_of_the_manual(void **state)
{
	struct mount_table table;
	mountinfo_parse(
		"36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n",
		&table);
	assert_int_equal(table.len, 1);
	const struct mount *mount = &table.items[0];
	assert_int_equal(mount->id, 36);
	assert_int_equal(mount->parent, 35);
	assert_int_equal(mount->major, 98);
	assert_int_equal(mount->minor, 0);
	assert_string_equal(mount->root, "/mnt1");
	assert_string_equal(mount->mount_point, "/mnt2");
	assert_string_equal(mount->options, "rw,noatime");
	assert_string_equal(mount->filesystem, "ext3");
	assert_string_equal(mount->source, "/dev/root");
	assert_string_equal(mount->super, "rw,errors=continue");
	mountinfo_finish(&table);
}

static void undoes_octal_and_takes_any_number_of_fields(void **state)
{
	struct mount_table table;
	mountinfo_parse("1 0 8:1 / /a\\040b\\134\\011 rw - ext4 /dev/x\\043 rw\n"
			"2 1 0:5 / /c rw a:1 b:2 c - tmpfs  rw\n",
		&table);
	assert_int_equal(table.len, 2);
	assert_string_equal(table.items[0].mount_point, "/a b\\\t");
	assert_string_equal(table.items[0].source, "/dev/x#");
	assert_string_equal(table.items[1].source, "");
	assert_string_equal(table.items[1].super, "rw");
	mountinfo_finish(&table);
}

static void leaves_out_what_is_no_line(void **state)
{
	struct mount_table table;
	mountinfo_parse("\n1 0 8:1\n1 0 8:1 / \n1 0 8:1 / /a rw\n1 0 8:1 / /a rw shared:1\n1 0 8:1 "
			"/ /a rw -\n"
			"x y z\n1 0 8:1 / relative rw - ext4 a rw\n7 0 8:1 / / rw - ext4 a rw",
		&table);
	assert_int_equal(table.len, 1);
	assert_int_equal(table.items[0].id, 7);
	mountinfo_finish(&table);
}

static void top_mount_of_a_place_counts(void **state)
{
	struct mount_table table;
	mountinfo_parse("1 1 8:1 / / rw - ext4 a rw\n2 1 8:2 / /mnt rw - ext4 b rw\n"
			"3 2 8:3 / /mnt rw - ext4 c rw\n",
		&table);
	assert_int_equal(mountinfo_find_path(&table, "/mnt/x", NULL)->id, 3);
	assert_int_equal(mountinfo_find_path(&table, "/mntx", NULL)->id, 1);
	assert_true(mountinfo_is_covered(&table, &table.items[1]));
	assert_false(mountinfo_is_covered(&table, &table.items[0]));
	assert_int_equal(mountinfo_find_id(&table, 2)->minor, 2);
	assert_null(mountinfo_find_id(&table, 9));
	mountinfo_finish(&table);
}

static void finds_options_by_their_whole_name(void **state)
{
	_autofree_ char *upper = mount_option("rw,upperdirx=1,upperdir=/a,index=off", "upperdir");
	_autofree_ char *flag = mount_option("rw,sync", "sync");
	assert_string_equal(upper, "/a");
	assert_string_equal(flag, "");
	assert_null(mount_option("async,syncx", "sync"));
	assert_null(mount_option("", "sync"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_the_example_of_the_manual),
		cmocka_unit_test(undoes_octal_and_takes_any_number_of_fields),
		cmocka_unit_test(leaves_out_what_is_no_line),
		cmocka_unit_test(top_mount_of_a_place_counts),
		cmocka_unit_test(finds_options_by_their_whole_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
