/* SPDX-License-Identifier: MIT */
/* Where things stand on the screen: pure rectangles, no terminal. */
#ifndef BB_UI_LAYOUT_H
#define BB_UI_LAYOUT_H

#include <stdbool.h>

#define LAYOUT_MIN_ROWS 20
#define LAYOUT_MIN_COLUMNS 60

/* Rows and columns of the terminal, from 0. A rectangle of no rows or no columns is empty. */
struct area {
	int row, column, rows, columns;
};

/* The parts that every screen has: title line, body, message line, key line. */
struct layout {
	bool fits; /* at least 60x20; else only `body` is set, to all there is */
	struct area title, body, message, keys;
};

void layout_screen(int rows, int columns, struct layout *layout);

/* The body of the home and run screens: subsystem list, a dividing column, form or live view, a dividing
 * row, results below. */
struct layout_home {
	struct area list, divider, right;
};
void layout_home(const struct area *body, struct layout_home *home);

/* The part of `area` from `row` on, `rows` high (negative: to the end); clipped to it. */
struct area area_rows(const struct area *area, int row, int rows);
struct area area_columns(const struct area *area, int column, int columns);
bool area_is_empty(const struct area *area);

#endif
