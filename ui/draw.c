/* Puts text, lines and bars on the screen, clipped to an area.
 * SPDX-License-Identifier: MIT */
#include "draw.h"

#include <curses.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "glyphs.h"
#include "keys.h"
#include "mem.h"

/* The next character of the text as it may be shown: a control character or a broken or unshowable one is
 * '?', a tab a blank. Returns the bytes taken, 0 at the end. */
static size_t next_character(const char *text, wchar_t *character, int *width)
{
	unsigned char byte = (unsigned char)*text;
	mbstate_t state = { 0 };
	size_t bytes;

	*width = 1;
	if (!byte)
		return 0;
	if (byte < 0x80) {
		*character = byte == '\t' || byte == '\n' ? L' ' : byte < ' ' || byte == 0x7f ? L'?' : (wchar_t)byte;
		return 1;
	}
	if (glyphs_get()->unicode) {
		bytes = mbrtowc(character, text, MB_CUR_MAX, &state);
		if (bytes && bytes != (size_t)-1 && bytes != (size_t)-2 && *character >= 0xa0 &&
			wcwidth(*character) > 0) {
			*width = wcwidth(*character);
			return bytes;
		}
	}
	*character = L'?';
	/* One '?' for a whole UTF-8 sequence. */
	bytes = 1;
	while (byte >= 0xc0 && bytes < 4 && ((unsigned char)text[bytes] & 0xc0) == 0x80)
		bytes++;
	return bytes;
}

int draw_width(const char *text)
{
	wchar_t character;
	int total = 0, width;
	size_t bytes;

	while ((bytes = next_character(text, &character, &width))) {
		text += bytes;
		total += width;
	}
	return total;
}

/* Draw at most `width` columns; returns the columns drawn. *rest: what was not drawn. */
static int put(const struct area *area, int row, int column, int width, enum style style, const char *text,
	const char **rest)
{
	wchar_t line[512];
	wchar_t character;
	int used = 0, length = 0, size;
	size_t bytes;

	if (column + width > area->columns)
		width = area->columns - column;
	while (length < (int)ARRAY_LEN(line) - 1 && (bytes = next_character(text, &character, &size)) &&
		used + size <= width) {
		line[length++] = character;
		used += size;
		text += bytes;
	}
	line[length] = L'\0';
	*rest = text;
	if (row < 0 || row >= area->rows || column < 0 || !length)
		return 0;
	attrset((attr_t)theme_attributes(style));
	mvaddnwstr(area->row + row, area->column + column, line, length);
	attrset(A_NORMAL);
	return used;
}

int draw_text(const struct area *area, int row, int column, enum style style, const char *text)
{
	const char *rest;

	return put(area, row, column, area->columns, style, text, &rest);
}

int draw_format(const struct area *area, int row, int column, enum style style, const char *format, ...)
{
	char buffer[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(buffer, sizeof(buffer), format, arguments);
	va_end(arguments);
	return draw_text(area, row, column, style, buffer);
}

void draw_right(const struct area *area, int row, int end, enum style style, const char *text)
{
	int column = end - draw_width(text);

	draw_text(area, row, column < 0 ? 0 : column, style, text);
}

void draw_field(const struct area *area, int row, int column, int width, enum style style, const char *text)
{
	const char *rest;
	int used;

	if (column + width > area->columns)
		width = area->columns - column;
	used = put(area, row, column, width, style, text, &rest);
	if (*rest && width > 0)
		put(area, row, column + width - 1, 1, style, "~", &rest);
	for (; used < width; used++)
		put(area, row, column + used, 1, style, " ", &rest);
}

int draw_wrapped(const struct area *area, int row, int column, int rows, enum style style, const char *text)
{
	int width = area->columns - column, used = 0;

	while (*text && used < rows && width > 0) {
		char line[512];
		size_t length = 0, blank = 0;
		wchar_t character;
		int taken = 0, size;
		size_t bytes = 0;

		while (length < sizeof(line) - 8 && text[length] != '\n' &&
			(bytes = next_character(text + length, &character, &size)) && taken + size <= width) {
			if (text[length] == ' ')
				blank = length;
			length += bytes;
			taken += size;
		}
		if (text[length] && text[length] != '\n' && text[length] != ' ' && blank)
			length = blank;
		if (!length && text[0] != '\n')
			break;
		memcpy(line, text, length);
		line[length] = '\0';
		draw_text(area, row + used++, column, style, line);
		text += length;
		if (*text == '\n')
			text++;
		else
			text += strspn(text, " ");
	}
	return used;
}

void draw_line(const struct area *area, int row)
{
	if (row < 0 || row >= area->rows || area->columns <= 0)
		return;
	attrset(A_NORMAL);
	mvhline(area->row + row, area->column, (chtype)glyphs_get()->horizontal, area->columns);
}

void draw_column(const struct area *area, int column)
{
	if (column < 0 || column >= area->columns || area->rows <= 0)
		return;
	attrset(A_NORMAL);
	mvvline(area->row, area->column + column, (chtype)glyphs_get()->vertical, area->rows);
}

void draw_bar(const struct area *area, int row, int column, int width, double fraction, enum style style)
{
	int filled;

	if (column + width > area->columns)
		width = area->columns - column;
	if (!(fraction > 0)) /* NAN too */
		fraction = 0;
	filled = fraction >= 1 ? width : (int)(fraction * width + 0.5);
	for (int i = 0; i < width; i++)
		draw_text(area, row, column + i, i < filled ? style : STYLE_NORMAL,
			i < filled ? glyphs_get()->bar : " ");
}

void draw_chart_column(const struct area *area, int bottom, int column, int rows, double fraction,
	enum style style)
{
	const struct glyphs *glyphs = glyphs_get();
	double steps;
	int eighths;

	if (!(fraction > 0))
		return;
	steps = (fraction > 1 ? 1 : fraction) * rows * glyphs->levels;
	eighths = (int)(steps + 0.5);
	if (eighths < 1)
		eighths = 1;
	for (int row = bottom; eighths > 0; row--, eighths -= glyphs->levels)
		draw_text(area, row, column, style,
			glyphs->chart[(eighths < glyphs->levels ? eighths : glyphs->levels) - 1]);
}

void draw_cursor(const struct area *area, int row, int column)
{
	if (row < 0 || row >= area->rows || column < 0 || column >= area->columns)
		return;
	leaveok(stdscr, FALSE);
	move(area->row + row, area->column + column);
}

static void keep_in_view(struct list *list, size_t rows)
{
	if (!list->count) {
		list->selected = list->first = 0;
		return;
	}
	if (list->selected >= list->count)
		list->selected = list->count - 1;
	if (list->count <= rows) {
		list->first = 0;
		return;
	}
	/* The rows that tell of more above and below are no rows for entries. */
	if (list->selected < list->first + (list->first ? 1 : 0))
		list->first = list->selected ? list->selected - 1 : 0;
	if (rows >= 3 && list->selected + 2 > list->first + rows)
		list->first = list->selected + 2 - rows;
	if (list->first + rows > list->count)
		list->first = list->count - rows;
	if (list->first == 1 && list->selected == 0)
		list->first = 0;
}

void list_draw(struct list *list, const struct area *area, list_row row, void *data)
{
	size_t rows;

	if (area_is_empty(area))
		return;
	rows = (size_t)area->rows;
	keep_in_view(list, rows);
	for (size_t i = 0; i < rows && list->first + i < list->count; i++) {
		size_t index = list->first + i;
		struct area line = area_rows(area, (int)i, 1);

		if (rows >= 3 && i == 0 && list->first > 0)
			draw_format(&line, 0, 3, STYLE_DIM, "%zu more above", list->first + 1);
		else if (rows >= 3 && i == rows - 1 && index + 1 < list->count)
			draw_format(&line, 0, 3, STYLE_DIM, "%zu more below", list->count - index);
		else
			row(data, index, &line, index == list->selected);
	}
}

bool list_key(struct list *list, int key, int page)
{
	size_t step = page > 1 ? (size_t)page : 1;
	size_t last = list->count ? list->count - 1 : 0;

	switch (key) {
	case UI_KEY_UP:
		list->selected -= list->selected > 0;
		return true;
	case UI_KEY_DOWN:
		list->selected += list->selected < last;
		return true;
	case UI_KEY_PAGE_UP:
		list->selected = list->selected > step ? list->selected - step : 0;
		return true;
	case UI_KEY_PAGE_DOWN:
		list->selected = last - list->selected > step ? list->selected + step : last;
		return true;
	case UI_KEY_HOME:
		list->selected = 0;
		return true;
	case UI_KEY_END:
		list->selected = last;
		return true;
	default:
		return false;
	}
}
