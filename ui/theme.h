/* SPDX-License-Identifier: MIT */
/* Styles by meaning. Nothing is said by colour alone: what a style adds is said in the text too. */
#ifndef BB_UI_THEME_H
#define BB_UI_THEME_H

#include <stdbool.h>

enum style {
	STYLE_NORMAL,
	STYLE_TITLE,    /* line 1 */
	STYLE_SELECTED, /* the row that the keys act on */
	STYLE_HEADING,  /* of a group or table */
	STYLE_DIM,      /* less important */
	STYLE_GOOD, STYLE_WARNING, STYLE_BAD,
	STYLE_CHART,    /* bars and the chart */
	STYLE_KEY,      /* a key in the last line */
	STYLES
};

/* Set up the styles for the terminal that is up; colour where it has some. */
void theme_start(bool colour);
/* The attributes for curses. */
unsigned long theme_attributes(enum style style);

#endif
