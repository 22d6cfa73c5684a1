/* SPDX-License-Identifier: MIT */
/* Files below a root directory, and whole, atomic writes. */
#ifndef BB_FILE_H
#define BB_FILE_H

#include <stddef.h>

#include "error.h"

/* `root` is "" on a live system, else the directory of a dump: it is put before `path`, which starts
 * with a slash. All of /proc, /sys and the device tree is read through these. */

/* Whole content of a small file (at most 1 MiB), NUL-terminated, trailing newline kept; the caller's
 * to free. NULL when it cannot be read; errno says why. Never blocks on a FIFO. */
char *file_read(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* First line without its newline and blanks at the end; "" is a line too. NULL: cannot be read. */
char *file_read_line(const char *root, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A whole number from the first line; `otherwise` when it cannot be read. */
long long file_read_number(const char *root, long long otherwise, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Last component of the target of a symbolic link ("../../bus/mmc" gives "mmc"); NULL: none. The caller's to free. */
char *file_link_name(const char *root, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Write length bytes whole and atomically (temporary file, fsync, rename, fsync of the directory). */
int file_replace(const char *path, const char *bytes, size_t length, struct error *error);
/* mkdir -p, mode 0755. */
int file_make_directories(const char *path, struct error *error);
/* write() until all is written; 0 or -errno. */
int file_write_all(int fd, const char *bytes, size_t length);

#endif
