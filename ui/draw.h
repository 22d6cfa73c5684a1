/* SPDX-License-Identifier: MIT */
/* What screens draw with. They know no curses: text goes into an area, clipped to it; rows and columns are
 * counted from the area's corner. Control characters never reach the terminal, and bytes above 127 only where
 * it shows UTF-8 ("?" elsewhere), so text from kernel, profiles and devices may be given as it is. */
#ifndef BB_UI_DRAW_H
#define BB_UI_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "layout.h"
#include "theme.h"

/* Draw the text; returns the columns it took. What is outside of the area is cut off. */
int draw_text(const struct area *area, int row, int column, enum style style, const char *text);
int draw_format(const struct area *area, int row, int column, enum style style, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Right-aligned: the last character stands in column `end` - 1. */
void draw_right(const struct area *area, int row, int end, enum style style, const char *text);
/* In `width` columns, cut with '~' at the end when it is longer; the rest is filled with blanks in the
 * style (so that a selection is a bar). */
void draw_field(const struct area *area, int row, int column, int width, enum style style, const char *text);
/* Broken at blanks, from `column` to the area's right edge, at most `rows` rows; returns the rows taken. */
int draw_wrapped(const struct area *area, int row, int column, int rows, enum style style, const char *text);
/* Columns that draw_text() would take. */
int draw_width(const char *text);

void draw_line(const struct area *area, int row);      /* a horizontal line over the whole area */
void draw_column(const struct area *area, int column); /* a vertical one */
/* `width` columns, filled from the left for a fraction 0..1. */
void draw_bar(const struct area *area, int row, int column, int width, double fraction, enum style style);
/* One column of a chart `rows` high whose last row is `bottom`: filled for a fraction 0..1 of its height. */
void draw_chart_column(const struct area *area, int bottom, int column, int rows, double fraction,
	enum style style);

/* Show the cursor there when the frame is done: the last thing to draw. */
void draw_cursor(const struct area *area, int row, int column);

/* A list that scrolls. The last row says "12 more below", the first "3 more above", when there is more. */
struct list {
	size_t count;    /* set before each use; may shrink */
	size_t selected; /* kept inside of count */
	size_t first;    /* kept so that selected is seen */
};

/* Called for each row to draw, `line` is one row high. */
typedef void (*list_row)(void *data, size_t index, const struct area *line, bool selected);

void list_draw(struct list *list, const struct area *area, list_row row, void *data);
/* Up, down, page up, page down, home, end (enum ui_key). true: it was one of these. */
bool list_key(struct list *list, int key, int page);

#endif
