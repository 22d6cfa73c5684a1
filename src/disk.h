/* SPDX-License-Identifier: MIT
 *
 * The disk (or card, or flash) below a block device or a UBI volume, from sysfs. */
#ifndef BB_DISK_H
#define BB_DISK_H

#include <stdint.h>

/* All strings are owned and never NULL after one of the calls below. */
struct disk {
	char *bus;	 /* as in struct medium */
	char *name;	 /* "mmcblk0"; "" */
	char *partition; /* "mmcblk0p3"; the name when it has none */
	char *model;	 /* "SanDisk SL08G"; "" */
	uint64_t size;	 /* bytes of the partition; 0: unknown */
};

/* By the device number that a filesystem tells; for filesystems with a number of their own (major
 * 0: btrfs and others) by the name of the device file `source`. Bus "disk" with an empty name when
 * sysfs does not know it. */
void disk_find(
	const char *root, unsigned major, unsigned minor, const char *source, struct disk *disk);
/* A UBI volume as ubifs names it: "ubi0:rootfs", "ubi0_1", "/dev/ubi0_1". */
void disk_find_ubi(const char *root, const char *source, struct disk *disk);
void disk_set_memory(struct disk *disk, uint64_t size);
void disk_set_network(struct disk *disk, const char *source);

#endif
