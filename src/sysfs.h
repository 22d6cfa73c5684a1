/* SPDX-License-Identifier: MIT
 *
 * Links of sysfs below a root directory. */
#ifndef BB_SYSFS_H
#define BB_SYSFS_H

/* The path with every symbolic link followed, as seen with `root` as the top of the file system: a
 * link in a dump never leads to the live /sys. Without the root in front, without a slash at the
 * end; "" for the top itself. The caller's to free; NULL: does not exist, or links go in a circle.
 */
char *sysfs_resolve(const char *root, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Last component of the resolved path: of ".../device/subsystem" the bus. NULL as above. */
char *sysfs_name(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Last component of a path; points into it. */
const char *sysfs_base(const char *path);

#endif
