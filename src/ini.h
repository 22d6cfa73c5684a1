/* SPDX-License-Identifier: MIT */
/* Profile files: [section], key = value, # or ; comments. A model of lines, so that a rewrite keeps
 * everything that it does not change, comments included, byte for byte. */
#ifndef BB_INI_H
#define BB_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct ini_line {
	char *raw;             /* as read, without the newline */
	char *section;         /* of a [section] line or the one it stands in; "" before the first */
	char *key, *value;     /* NULL unless key = value */
	bool is_section;
	unsigned number;       /* 1-based in the file; 0: added since */
};

struct ini {
	char *path;            /* for messages */
	struct ini_line *lines;
	size_t len;
	bool unterminated;     /* the last line of the file had no newline: perhaps it is cut off */
};

#define INI_SIZE_MAX (1024 * 1024) /* a larger file is refused: no profile is that long */

/* Read a regular file (never blocks on a FIFO, refuses directories, binary content and more than
 * INI_SIZE_MAX). Errors carry file and line. */
int ini_load(const char *path, struct ini *ini, struct error *error);
int ini_parse(const char *path, const char *text, size_t length, struct ini *ini,
	struct error *error);
void ini_finish(struct ini *ini);

/* First value of the key in the section, or NULL. */
const char *ini_get(const struct ini *ini, const char *section, const char *key);
/* Replace the value in place, or add the key at the end of its section (made when missing). */
void ini_set(struct ini *ini, const char *section, const char *key, const char *value);
/* Add one more line with this key, also when there is one already. */
void ini_add(struct ini *ini, const char *section, const char *key, const char *value);
/* Remove every line with the key (NULL: the section with its lines). */
void ini_remove(struct ini *ini, const char *section, const char *key);

/* Write whole and atomically: temporary file in the same directory (O_EXCL, mode 0644), fsync,
 * rename, fsync of the directory. */
int ini_save(const struct ini *ini, const char *path, struct error *error);

#endif
