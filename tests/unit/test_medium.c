/* SPDX-License-Identifier: MIT
 *
 * Which medium is below a filesystem: on dumps of boards, and against stat() on this machine. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "medium.h"
#include "mem.h"
#include "mountinfo.h"

#define DUMP(name) TESTS_DIR "/dumps/" name

static const struct medium *find(const struct medium *media, size_t len, const char *place)
{
	for (size_t i = 0; i < len; i++)
		if (strcmp(media[i].mount_point, place) == 0)
			return &media[i];
	return NULL;
}

static void assert_medium(const struct medium *media, size_t len, const char *place,
	const char *bus, const char *disk, const char *partition, const char *model, uint64_t size)
{
	const struct medium *medium = find(media, len, place);
	assert_non_null(medium);
	assert_string_equal(medium->bus, bus);
	assert_string_equal(medium->disk, disk);
	assert_string_equal(medium->partition, partition);
	assert_string_equal(medium->model, model);
	assert_int_equal(medium->size, size);
}

static void sd_card_of_a_board(void **state)
{
	size_t len;
	struct medium *media = medium_list(DUMP("am335x-evm"), &len);
	assert_medium(media, len, "/", "mmc", "mmcblk0", "mmcblk0p2", "SanDisk SL08G",
		UINT64_C(15376384) * 512);
	assert_medium(media, len, "/run/media/boot-mmcblk0p1", "mmc", "mmcblk0", "mmcblk0p1",
		"SanDisk SL08G", UINT64_C(143297) * 512);
	assert_medium(media, len, "/run", "ram", "", "", "", UINT64_C(102068) * 1024);
	/* tmpfs without a size: half of the memory (tmpfs documentation of the kernel). */
	assert_medium(media, len, "/tmp", "ram", "", "", "", UINT64_C(510340) * 1024 / 2);
	assert_string_equal(find(media, len, "/")->options, "rw,relatime,data=ordered");
	assert_true(find(media, len, "/")->writable);
	assert_null(find(media, len, "/sys/fs/cgroup"));
	assert_null(find(media, len, "/proc"));
	assert_null(find(media, len, "/dev"));
	_autofree_ char *text = medium_describe(find(media, len, "/"));
	assert_string_equal(text, "mmcblk0p2  SanDisk SL08G, 7.3 GiB, ext4 on /");
	medium_list_finish(media, len);
}

static void disks_of_a_pc(void **state)
{
	size_t len;
	struct medium *media = medium_list(DUMP("pc-nvme-sata"), &len);
	/* btrfs has a device number of its own; both subvolumes are one filesystem. */
	assert_medium(media, len, "/", "nvme", "nvme0n1", "nvme0n1p2", "SAMSUNG MZVLW128HEGR-00000",
		UINT64_C(999163904) * 512);
	assert_null(find(media, len, "/home"));
	assert_medium(media, len, "/srv/big disk", "sata", "sda", "sda1", "ST3500514NS",
		UINT64_C(976771072) * 512);
	assert_medium(media, len, "/srv/secret", "disk", "dm-0", "dm-0", "vault",
		UINT64_C(20971520) * 512);
	assert_medium(media, len, "/snap/core/1", "loop", "loop0", "loop0",
		"/var/lib/snapd/snaps/core_1.snap", UINT64_C(113640) * 512);
	assert_false(find(media, len, "/snap/core/1")->writable);
	assert_medium(media, len, "/srv/nas", "network", "", "", "10.0.0.2:/export", 0);
	assert_null(find(media, len, "/etc/hosts"));
	assert_null(find(media, len, "/run/user/1000/doc"));
	medium_list_finish(media, len);
}

static void emmc_usb_and_flash(void **state)
{
	size_t len;
	struct medium *media = medium_list(DUMP("emmc-usb"), &len);
	/* What is written to the overlay lands on the eMMC. */
	assert_medium(media, len, "/", "emmc", "mmcblk1", "mmcblk1p2", "Samsung 8GTF4R",
		UINT64_C(15136768) * 512);
	assert_medium(media, len, "/media/stick", "usb", "sda", "sda", "SanDisk Ultra",
		UINT64_C(60062500) * 512);
	assert_medium(media, len, "/mnt/flash", "ubi", "ubi0", "ubi0:data", "nand ubi", 66060288);
	assert_medium(media, len, "/tmp", "ram", "", "", "", UINT64_C(1018340) * 1024 / 100 * 50);
	assert_false(find(media, len, "/rom")->writable);
	medium_list_finish(media, len);
}

static void path_leads_to_the_deepest_mount(void **state)
{
	struct medium medium;
	assert_int_equal(medium_of_path(DUMP("pc-nvme-sata"), "/srv/big disk/a", &medium), 0);
	assert_string_equal(medium.bus, "sata");
	medium_finish(&medium);
	assert_int_equal(medium_of_path(DUMP("pc-nvme-sata"), "/srv/big diskette", &medium), 0);
	assert_string_equal(medium.mount_point, "/");
	medium_finish(&medium);
	assert_int_equal(medium_of_path(TESTS_DIR, "/", &medium), -ENOENT);
}

static void live_path_agrees_with_stat(void **state)
{
	struct mount_table table;
	struct medium medium;
	struct stat status;
	assert_int_equal(medium_of_path("", "/no/such/path", &medium), -ENOENT);
	assert_int_equal(stat(TESTS_DIR, &status), 0);
	assert_int_equal(medium_of_path("", TESTS_DIR, &medium), 0);
	mountinfo_load("", &table);
	const struct mount *mount = NULL;
	for (size_t i = 0; i < table.len; i++)
		if (strcmp(table.items[i].mount_point, medium.mount_point) == 0)
			mount = &table.items[i];
	assert_non_null(mount);
	/* Filesystems with subvolumes give each a number that only stat() tells. */
	if (mount->major != 0) {
		assert_int_equal(mount->major, major(status.st_dev));
		assert_int_equal(mount->minor, minor(status.st_dev));
	}
	mountinfo_finish(&table);
	medium_finish(&medium);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sd_card_of_a_board),
		cmocka_unit_test(disks_of_a_pc),
		cmocka_unit_test(emmc_usb_and_flash),
		cmocka_unit_test(path_leads_to_the_deepest_mount),
		cmocka_unit_test(live_path_agrees_with_stat),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
