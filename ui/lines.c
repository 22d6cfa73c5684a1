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

void lines_add_wrapped(struct lines *lines, enum style style, int width, int indent, const char *text)
{
	bool first = true;

	do {
		int room = width - (first ? 0 : indent);
		size_t length = strlen(text), cut = length;
		if (room < 10)
			room = 10;
		if (length > (size_t)room) {
			cut = (size_t)room;
			while (cut > 0 && text[cut] != ' ')
				cut--;
			if (cut == 0)
				cut = (size_t)room;
		}
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

void lines_draw(struct lines *lines, const struct area *area)
{
	size_t rows = area->rows > 0 ? (size_t)area->rows : 0;

	lines->page = area->rows;
	if (lines->first + rows > lines->len)
		lines->first = lines->len > rows ? lines->len - rows : 0;
	for (size_t i = 0; i < rows && lines->first + i < lines->len; i++) {
		const struct line *line = &lines->items[lines->first + i];
		size_t below = lines->len - lines->first - i;
		if (i + 1 == rows && below > 1)
			draw_format(area, (int)i, 1, STYLE_DIM, "%zu more below", below);
		else
			draw_text(area, (int)i, 1, line->style, line->text);
	}
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
