/* Gives each style the attributes that the terminal has.
 * SPDX-License-Identifier: MIT */
#include "theme.h"

#include <curses.h>

struct look {
	attr_t plain;  /* without colour */
	short colour;  /* foreground; -1: the terminal's own */
	attr_t extra;  /* with colour */
};

static const struct look looks[STYLES] = {
	[STYLE_NORMAL] = { A_NORMAL, -1, A_NORMAL },
	[STYLE_TITLE] = { A_REVERSE, -1, A_REVERSE },
	[STYLE_SELECTED] = { A_REVERSE, -1, A_REVERSE },
	[STYLE_HEADING] = { A_BOLD, -1, A_BOLD },
	[STYLE_DIM] = { A_NORMAL, -1, A_NORMAL },
	[STYLE_GOOD] = { A_NORMAL, COLOR_GREEN, A_NORMAL },
	[STYLE_WARNING] = { A_BOLD, COLOR_YELLOW, A_BOLD },
	[STYLE_BAD] = { A_BOLD, COLOR_RED, A_BOLD },
	[STYLE_CHART] = { A_NORMAL, COLOR_CYAN, A_NORMAL },
	[STYLE_KEY] = { A_BOLD, -1, A_BOLD },
};

/* Colours as curses keeps them itself: pair 0 is "none", so a terminal without colour has no pairs set. */
void theme_start(bool colour)
{
	if (!colour || !has_colors() || start_color() == ERR || use_default_colors() == ERR)
		return;
	for (int style = 0; style < STYLES; style++)
		if (looks[style].colour >= 0)
			init_pair((short)(style + 1), looks[style].colour, -1);
}

unsigned long theme_attributes(enum style style)
{
	if (looks[style].colour < 0 || COLORS < 8 || COLOR_PAIRS <= STYLES)
		return looks[style].plain;
	return looks[style].extra | (unsigned long)COLOR_PAIR(style + 1);
}
