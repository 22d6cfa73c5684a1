/* SPDX-License-Identifier: MIT
 *
 * The mount table of this process, from /proc/self/mountinfo. */
#ifndef BB_MOUNTINFO_H
#define BB_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>

struct mount {
	int id, parent;
	unsigned major, minor;
	char *root; /* directory of the filesystem that is mounted: "/", or of a bind mount */
	char *mount_point;
	char *options;	  /* of the mount: "rw,relatime" */
	char *filesystem; /* "ext4", "fuse.sshfs" */
	char *source;	  /* "/dev/mmcblk0p3", "ubi0:rootfs", "none" */
	char *super;	  /* options of the filesystem: "rw,data=ordered" */
};

struct mount_table {
	struct mount *items; /* in the kernel's order */
	size_t len;
};

/* Lines that cannot be understood are left out; without the file the table is empty. */
void mountinfo_load(const char *root, struct mount_table *table);
void mountinfo_parse(const char *text, struct mount_table *table);
void mountinfo_finish(struct mount_table *table);

/* The mount below `path` (longest mount point; of several on one place the one on top), leaving out
 * those of filesystem `except` (NULL: none). NULL: none. */
const struct mount *mountinfo_find_path(
	const struct mount_table *table, const char *path, const char *except);
const struct mount *mountinfo_find_id(const struct mount_table *table, int id);
/* Something else is mounted on the same place, on top of it. */
bool mountinfo_is_covered(const struct mount_table *table, const struct mount *mount);
/* "upperdir" of "rw,upperdir=/a,workdir=/b": a new string, NULL when the option is not there, ""
 * when it has no value. */
char *mount_option(const char *options, const char *name);

#endif
