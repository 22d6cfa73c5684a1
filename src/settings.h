/* SPDX-License-Identifier: MIT */
/* Lists of "name = text" as typed: defaults of a subsystem, the arguments of a command line, lines of
 * a run profile. They become typed values when the module is known. */
#ifndef BB_SETTINGS_H
#define BB_SETTINGS_H

#include <stddef.h>

#include "error.h"

struct setting {
	char *name, *text;
	unsigned line; /* in the file it came from; 0: none */
};

struct settings {
	struct setting *items;
	size_t len;
};

void settings_set(struct settings *settings, const char *name, const char *text);
const char *settings_get(const struct settings *settings, const char *name); /* NULL: none */
void settings_remove(struct settings *settings, const char *name);
void settings_copy(struct settings *to, const struct settings *from); /* `to` is overwritten */
void settings_finish(struct settings *settings);
/* Split "NAME=TEXT" and set it, in the place of one that is there. Blanks around both do not count. -EINVAL
 * with a message. */
int settings_parse(struct settings *settings, const char *argument, struct error *error);
/* "SUBSYSTEM NAME=TEXT NAME=TEXT ...", as --with takes it; 'quotes' or "quotes" keep blanks
 * together. *subsystem is the caller's to free; both are untouched on error. */
int settings_parse_line(const char *line, char **subsystem, struct settings *settings,
	struct error *error);

#endif
