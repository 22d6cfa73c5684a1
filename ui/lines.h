/* SPDX-License-Identifier: MIT */
/* Lines of text that scroll: what the screens that only show something consist of. */
#ifndef BB_UI_LINES_H
#define BB_UI_LINES_H

#include "draw.h"

struct line {
	char *text;
	enum style style;
};

struct lines {
	struct line *items;
	size_t len;
	size_t first; /* row at the top */
	int page;     /* rows of the area that was drawn last */
};

void lines_add(struct lines *lines, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Broken at blanks into lines of at most `width` columns, the ones after the first indented. */
void lines_add_wrapped(struct lines *lines, enum style style, int width, int indent, const char *text);
void lines_clear(struct lines *lines);
/* The last row says how many are below, when there are. */
void lines_draw(struct lines *lines, const struct area *area);
/* Up, down, page up, page down, home, end. */
bool lines_key(struct lines *lines, int key);

#endif
