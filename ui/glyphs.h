/* SPDX-License-Identifier: MIT */
/* The characters for lines, bars and charts: ASCII unless the user asks for more, because a program cannot
 * know what a terminal on a serial line shows. */
#ifndef BB_UI_GLYPHS_H
#define BB_UI_GLYPHS_H

#include <stdbool.h>

enum glyph_set { GLYPHS_ASCII, GLYPHS_ACS, GLYPHS_UNICODE };

struct glyphs {
	bool unicode;              /* text above 127 may be sent */
	unsigned long horizontal, vertical; /* chtype; 0: the terminal's own line */
	const char *bar;
	const char *const *chart;  /* `levels` of them, from low to full */
	int levels;
};

void glyphs_choose(enum glyph_set set); /* once, when the terminal is up */
const struct glyphs *glyphs_get(void);

#endif
