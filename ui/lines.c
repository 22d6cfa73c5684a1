/* SPDX-License-Identifier: MIT
 * Scrolls lines of text. */
#include "lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "keys.h"
#include "mem.h"

void lines_add(struct lines *lines, enum style style, const char *format, ...)
{
	char text[1200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	lines->items = mem_grow(lines->items, lines->len + 1, sizeof(*lines->items));
	lines->items[lines->len++] = (struct line){ mem_strdup(text), style };
}

/* How many bytes of the text go into `room` columns, broken at a blank where there is one. */
static size_t cut_at(const char *text, int room)
{
	size_t length = strlen(text), cut;

	if (room < 10)
		room = 10;
	if (length <= (size_t)room)
		return length;
	for (cut = (size_t)room; cut > 0 && text[cut] != ' '; cut--)
		;
	/* Blanks that indent are no place to break at. */
	return cut > strspn(text, " ") ? cut : (size_t)room;
}

void lines_add_wrapped(struct lines *lines, enum style style, int width, int indent, const char *text)
{
	bool first = true;

	do {
		size_t cut = cut_at(text, width - (first ? 0 : indent));
		lines_add(lines, style, "%*s%.*s", first ? 0 : indent, "", (int)cut, text);
		text += cut;
		text += strspn(text, " ");
		first = false;
	} while (*text);
}

void lines_clear(struct lines *lines)
{
	for (size_t i = 0; i < lines->len; i++)
		free(lines->items[i].text);
	free(lines->items);
	lines->items = NULL;
	lines->len = 0;
}

/* Where the second column of a line begins, or its text when it is indented; 0 for plain sentences. */
static int second_column(const char *text, int width)
{
	const char *gap = strstr(text, "  ");
	size_t column = gap ? (size_t)(gap - text) + strspn(gap, " ") : 0;

	return column < (size_t)(width > 0 ? width : 0) / 2 ? (int)column : 0;
}

/* A line was made for 80 columns: on a narrower terminal it takes several rows. Draws those from `skip` on, from
 * `row` of the area on; area NULL: only counts. Returns the rows that the whole line takes. */
static size_t fold(const struct line *line, int width, const struct area *area, size_t skip, size_t row)
{
	const char *text = line->text;
	int indent = 0, column = second_column(text, width);
	size_t rows = 0;

	do {
		size_t cut = cut_at(text, width - indent);
		if (area && rows >= skip)
			draw_format(area, (int)(row + rows - skip), 1 + indent, line->style, "%.*s", (int)cut, text);
		text += cut;
		text += strspn(text, " ");
		rows++;
		indent = column;
	} while (*text);
	return rows;
}

void lines_draw(struct lines *lines, const struct area *area)
{
	size_t rows = area->rows > 0 ? (size_t)area->rows : 0, total = 0, at = 0, shown;
	int width = area->columns - 2;
	struct area text = *area;

	lines->page = area->rows;
	for (size_t i = 0; i < lines->len; i++)
		total += fold(&lines->items[i], width, NULL, 0, 0);
	if (lines->first + rows > total)
		lines->first = total > rows ? total - rows : 0;
	shown = total - lines->first > rows && rows > 1 ? rows - 1 : rows;
	text.rows = (int)shown;
	for (size_t i = 0; i < lines->len && at < lines->first + shown; i++) {
		size_t skip = at < lines->first ? lines->first - at : 0;
		at += fold(&lines->items[i], width, &text, skip, at > lines->first ? at - lines->first : 0);
	}
	if (shown < rows)
		draw_format(area, (int)shown, 1, STYLE_DIM, "%zu more below", total - lines->first - shown);
}

bool lines_key(struct lines *lines, int key)
{
	size_t page = lines->page > 2 ? (size_t)lines->page - 2 : 1;

	switch (key) {
	case UI_KEY_UP:
		lines->first -= lines->first > 0;
		return true;
	case UI_KEY_DOWN:
		lines->first++;
		return true;
	case UI_KEY_PAGE_UP:
		lines->first -= lines->first < page ? lines->first : page;
		return true;
	case UI_KEY_PAGE_DOWN:
		lines->first += page;
		return true;
	case UI_KEY_HOME:
		lines->first = 0;
		return true;
	case UI_KEY_END:
		lines->first = lines->len;
		return true;
	default:
		return false;
	}
}
