/* SPDX-License-Identifier: MIT */
/* A line of text being typed. Pure. */
#ifndef BB_UI_ENTRY_H
#define BB_UI_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

struct entry {
	char text[1024];
	size_t length, cursor; /* bytes */
	bool fresh;            /* nothing was typed yet: the first character replaces the text */
};

void entry_start(struct entry *entry, const char *text);
/* true: the key was for the entry (characters, backspace, delete, left, right, home, end). */
bool entry_key(struct entry *entry, int key);
/* First byte to show so that the cursor is within `width` columns. */
size_t entry_first(const struct entry *entry, int width);

#endif
