/* Holds the sets of characters for lines, bars and charts.
 * SPDX-License-Identifier: MIT */
#include "glyphs.h"

#include <stddef.h>

static const char *const chart_ascii[] = { ".", ":" };
static const char *const chart_unicode[] = { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586",
	"\u2587", "\u2588" };

/* 0 makes curses take the terminal's line, which is what --acs asks for; in UTF-8 curses sends the real ones. */
static const struct glyphs sets[] = {
	[GLYPHS_ASCII] = { false, '-', '|', "#", chart_ascii, 2 },
	[GLYPHS_ACS] = { false, 0, 0, "#", chart_ascii, 2 },
	[GLYPHS_UNICODE] = { true, 0, 0, "\u2588", chart_unicode, 8 },
};

/* What the terminal shows is a property of the process's one terminal, like curses' own state. */
static enum glyph_set chosen = GLYPHS_ASCII;

void glyphs_choose(enum glyph_set set)
{
	chosen = set;
}

const struct glyphs *glyphs_get(void)
{
	return &sets[chosen];
}
