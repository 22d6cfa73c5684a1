/* SPDX-License-Identifier: MIT */
/* Storage media of this machine, from /proc/self/mountinfo and /sys, without udev. */
#ifndef BB_MEDIUM_H
#define BB_MEDIUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct medium {
	char *bus;         /* "mmc", "emmc", "sata", "nvme", "usb", "virtio", "ufs", "ubi", "loop", "disk", "ram",
	                    * "network" */
	char *disk;        /* "mmcblk0"; "" for memory */
	char *partition;   /* "mmcblk0p3"; the disk itself when it has none */
	char *model;       /* "SanDisk SL08G" as the kernel tells; "" */
	uint64_t size;     /* bytes of the partition; 0: unknown */
	char *mount_point; /* "/media/sd" */
	char *filesystem;  /* "ext4" */
	char *options;     /* mount options, both parts: "rw,relatime,data=ordered" */
	bool writable;     /* mounted read-write, and a regular place to write (no pseudo filesystem) */
};

/* Media with a mounted filesystem, in the order of mounting; pseudo filesystems left out, each
 * filesystem once. *len entries; free with medium_list_finish(). */
struct medium *medium_list(const char *root, size_t *len);
/* The medium below a path (live system: by statx and mountinfo). 0 or -errno. */
int medium_of_path(const char *root, const char *path, struct medium *medium);
void medium_finish(struct medium *medium);
void medium_list_finish(struct medium *media, size_t len);
/* "mmcblk0p3  SanDisk SL08G, 7.4 GiB, ext4 on /media/sd"; a new string. */
char *medium_describe(const struct medium *medium);

#endif
