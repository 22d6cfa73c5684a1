/* Cuts the terminal into the parts that the screens draw into.
 * SPDX-License-Identifier: MIT */
#include "layout.h"

static int clamp(int value, int low, int high)
{
	if (value > high)
		value = high;
	return value < low ? low : value;
}

struct area area_rows(const struct area *area, int row, int rows)
{
	int first = clamp(row, 0, area->rows);
	int most = area->rows - first;

	return (struct area){
		.row = area->row + first,
		.column = area->column,
		.rows = rows < 0 ? most : clamp(rows, 0, most),
		.columns = area->columns,
	};
}

struct area area_columns(const struct area *area, int column, int columns)
{
	int first = clamp(column, 0, area->columns);
	int most = area->columns - first;

	return (struct area){
		.row = area->row,
		.column = area->column + first,
		.rows = area->rows,
		.columns = columns < 0 ? most : clamp(columns, 0, most),
	};
}

bool area_is_empty(const struct area *area)
{
	return area->rows <= 0 || area->columns <= 0;
}

void layout_screen(int rows, int columns, struct layout *layout)
{
	struct area all = { .rows = clamp(rows, 0, rows), .columns = clamp(columns, 0, columns) };

	*layout = (struct layout){ .body = all };
	if (rows < LAYOUT_MIN_ROWS || columns < LAYOUT_MIN_COLUMNS)
		return;
	layout->fits = true;
	layout->title = area_rows(&all, 0, 1);
	layout->body = area_rows(&all, 1, rows - 3);
	layout->message = area_rows(&all, rows - 2, 1);
	/* A character in the last column of the last line scrolls some terminals. */
	layout->keys = area_rows(&all, rows - 1, 1);
	layout->keys.columns--;
}

void layout_home(const struct area *body, struct layout_home *home)
{
	/* A quarter of the width, but names need 16 columns and never more than 24. */
	int width = clamp(body->columns / 4, 16, 24);

	if (body->columns <= 80)
		width = body->columns < 70 ? 16 : 19;
	home->list = area_columns(body, 0, width);
	home->divider = area_columns(body, width, 1);
	home->right = area_columns(body, width + 1, -1);
}
