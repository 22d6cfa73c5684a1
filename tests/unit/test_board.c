/* SPDX-License-Identifier: MIT
 *
 * Boards: read from profiles, found by the device tree, made from what is there. */
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

#include "board.h"
#include "list.h"
#include "mem.h"
#include "text.h"

#define DUMP(name) TESTS_DIR "/dumps/" name

static const char *const installed[] = { TESTS_DIR "/../profiles", NULL };

static char directory[64];

static int make_directory(void **state)
{
	snprintf(directory, sizeof(directory), "/tmp/bb-boards-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	static const char *const names[] = { "am335x-evm", "specific", "broken", "b" };
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		_autofree_ char *path = text_printf("%s/%s.ini", directory, names[i]);
		unlink(path);
	}
	return rmdir(directory);
}

static char *put_file(const char *name, const char *text)
{
	char *path = text_printf("%s/%s.ini", directory, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	return path;
}

static void detects_the_evm_and_its_card(void **state)
{
	struct board board;
	board_detect(installed, DUMP("am335x-evm"), &board);
	assert_string_equal(board.name, "am335x-evm");
	assert_int_equal(list_len(board.warnings), 0);
	const struct subsystem *mmc = board_find_subsystem(&board, "mmc");
	assert_non_null(mmc);
	assert_string_equal(mmc->module, "storage");
	assert_string_equal(settings_get(&mmc->defaults, "directory"), "/");
	assert_null(mmc->missing);
	/* The buffer sizes of the guide's tables. */
	assert_string_equal(
		settings_get(&mmc->sweep, "buffer_size"), "102400,262144,524288,1048576,5242880");
	const struct subsystem *usb = board_find_subsystem(&board, "usb");
	assert_int_equal(usb->state, SUBSYSTEM_ABSENT);
	assert_non_null(strstr(usb->reason, "USB disk"));
	assert_null(settings_get(&usb->defaults, "directory"));
	/* The same board looked for below a root where a disk is plugged in, and no card. */
	board_locate(&board, DUMP("emmc-usb"));
	assert_string_equal(settings_get(&usb->defaults, "directory"), "/media/stick");
	assert_int_equal(usb->state, SUBSYSTEM_UNKNOWN);
	assert_null(usb->reason);
	assert_string_equal(mmc->reason, "no SD card is mounted: insert one and mount it");
	assert_null(settings_get(&mmc->defaults, "directory"));
	board_finish(&board);
}

static void most_specific_name_wins(void **state)
{
	const char *const directories[] = { "/no/such", directory, installed[0], NULL };
	struct board board;
	free(put_file("b", "[board]\nversion = 1\ncompatible = acme,gateway\n"));
	free(put_file("specific", "[board]\nversion = 1\ncompatible = x acme,gateway-2\n"));
	free(put_file("broken", "[board\n"));
	board_detect(directories, DUMP("emmc-usb"), &board);
	assert_string_equal(board.name, "specific");
	assert_int_equal(list_len(board.warnings), 1);
	assert_non_null(strstr(board.warnings[0], "broken.ini:1:"));
	board_finish(&board);
	/* A directory before the installed one wins. */
	free(put_file("am335x-evm", "[board]\nversion = 1\ntitle = mine\n"));
	assert_int_equal(board_find(directories, "am335x-evm", DUMP("emmc-usb"), &board, NULL), 0);
	assert_string_equal(board.title, "mine");
	board_finish(&board);
}

static void generic_pc_has_its_disks(void **state)
{
	struct board board;
	board_detect(installed, DUMP("pc-nvme-sata"), &board);
	assert_string_equal(board.name, "generic");
	assert_string_equal(board.title, "OptiPlex 7070");
	assert_null(board.path);
	static const struct {
		const char *name, *module, *group, *directory, *title;
	} expected[] = {
		{ "memory", "memory", "SYSTEM", NULL, "" },
		{ "nvme", "storage", "STORAGE", "/",
			"NVMe disk SAMSUNG MZVLW128HEGR-00000, btrfs" },
		{ "nvme2", "storage", "STORAGE", "/boot/efi",
			"NVMe disk SAMSUNG MZVLW128HEGR-00000, vfat" },
		{ "sata", "storage", "STORAGE", "/srv/big disk", "SATA disk ST3500514NS, ext4" },
		{ "disk", "storage", "STORAGE", "/srv/secret", "disk vault, ext4" },
		{ "network", "storage", "STORAGE", "/srv/nas",
			"network file system 10.0.0.2:/export, nfs4" },
		/* Half of the memory, larger than the tenth that /run may have. */
		{ "ram", "storage", "STORAGE", "/dev/shm", "memory as a disk, tmpfs" },
	};
	assert_int_equal(board.subsystems_len, ARRAY_LEN(expected));
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		const struct subsystem *subsystem = &board.subsystems[i];
		assert_string_equal(subsystem->name, expected[i].name);
		assert_string_equal(subsystem->module, expected[i].module);
		assert_string_equal(subsystem->group, expected[i].group);
		assert_string_equal(subsystem->title, expected[i].title);
		const char *place = settings_get(&subsystem->defaults, "directory");
		if (expected[i].directory)
			assert_string_equal(place, expected[i].directory);
		else
			assert_null(place);
	}
	board_finish(&board);
}

static void generic_board_takes_each_medium_once(void **state)
{
	struct board board;
	assert_int_equal(board_find(installed, "generic", DUMP("emmc-usb"), &board, NULL), 0);
	assert_string_equal(board.title, "Acme Gateway 2");
	static const char *const names[] = { "memory", "emmc", "usb", "ubi", "ram" };
	assert_int_equal(board.subsystems_len, ARRAY_LEN(names));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_non_null(board_find_subsystem(&board, names[i]));
	board_finish(&board);
}

static void live_generic_board_can_be_written_to(void **state)
{
	struct board board;
	board_generic("", &board);
	assert_string_equal(board.subsystems[0].name, "memory");
	for (size_t i = 1; i < board.subsystems_len; i++) {
		const char *place = settings_get(&board.subsystems[i].defaults, "directory");
		struct stat status;
		assert_int_equal(stat(place, &status), 0);
		assert_true(S_ISDIR(status.st_mode));
		assert_int_equal(access(place, W_OK), 0);
	}
	board_finish(&board);
}

static void warns_of_what_it_does_not_know(void **state)
{
	struct board board;
	_autofree_ char *path =
		put_file("b", "[board]\nversion = 2\nname = c\ncolour = red\n[facts]\nanything = "
			      "goes\n[future]\na = 1\n"
			      "[subsystem x]\nmodule = m\ndefault.title = t\nsweep.n = 1,2\n");
	assert_int_equal(board_load(path, &board, NULL), 0);
	assert_string_equal(board.name, "b");
	assert_int_equal(list_len(board.warnings), 4);
	assert_non_null(strstr(board.warnings[0], "b.ini:2: version 2 is newer"));
	assert_non_null(strstr(board.warnings[1], "b.ini:3: name c"));
	assert_non_null(strstr(board.warnings[2], "b.ini:4: \"colour\""));
	assert_non_null(strstr(board.warnings[3], "b.ini:7: section [future]"));
	assert_string_equal(settings_get(&board.facts, "anything"), "goes");
	assert_string_equal(settings_get(&board.subsystems[0].defaults, "title"), "t");
	assert_int_equal(board.subsystems[0].defaults.items[0].line, 11);
	assert_string_equal(board.subsystems[0].title, "");
	board_finish(&board);
}

static void refuses_what_is_no_board(void **state)
{
	static const struct {
		const char *text, *part;
	} bad[] = {
		{ "", "has no [board] section: it is empty" },
		{ "[profile]\nversion = 1\n", "it is a run profile" },
		{ "[board]\nversion = x\n", "b.ini:2: \"x\" is not a version" },
		{ "a = 1\n[board]\n", "b.ini:1: \"a\" stands before" },
		{ "[board]\n[subsystem a]\ntitle = t\n",
			"[subsystem a] does not say which module" },
		{ "[board]\n[subsystem a]\nmodule = m\n[subsystem a]\n",
			"b.ini:4: subsystem a is there twice" },
		{ "[board]\n[subsystem a]\nmodule = m\np = 1\np = 2\n",
			"b.ini:5: p is given twice" },
		{ "[board]\n[subsystem a]\nmodu", "b.ini:3: \"modu\" is neither" },
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct board board;
		struct error error = { 0 };
		_autofree_ char *path = put_file("b", bad[i].text);
		assert_true(board_load(path, &board, &error) < 0);
		if (!strstr(error.text, bad[i].part))
			assert_string_equal(error.text, bad[i].part);
	}
}

static void lists_all_and_suggests(void **state)
{
	const char *const directories[] = { directory, installed[0], NULL };
	struct board board;
	struct error error = { 0 };
	size_t len;
	free(put_file("broken", "[board\n"));
	struct board_entry *entries = board_list(directories, &len);
	assert_int_equal(len, 3);
	assert_string_equal(entries[0].name, "am335x-evm");
	assert_string_equal(entries[0].title, "AM335x EVM rev 1.5B");
	assert_non_null(strstr(entries[1].title, "broken.ini:1:"));
	assert_string_equal(entries[2].name, "generic");
	assert_string_equal(entries[2].path, "");
	board_list_finish(entries, len);
	assert_int_equal(board_find(directories, "am335-evm", "", &board, &error), -ENOENT);
	assert_non_null(strstr(error.text, "did you mean \"am335x-evm\""));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(detects_the_evm_and_its_card),
		TEST(most_specific_name_wins),
		cmocka_unit_test(generic_pc_has_its_disks),
		cmocka_unit_test(generic_board_takes_each_medium_once),
		cmocka_unit_test(live_generic_board_can_be_written_to),
		TEST(warns_of_what_it_does_not_know),
		TEST(refuses_what_is_no_board),
		TEST(lists_all_and_suggests),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
