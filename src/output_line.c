/* SPDX-License-Identifier: MIT
 * Lines for terminals and Markdown: no control characters, and words kept within 80 columns. */
#include <string.h>

#include "output_internal.h"

#define COLUMNS 80

static bool is_control(const char *at)
{
	unsigned char first = (unsigned char)at[0], second = first ? (unsigned char)at[1] : 0;

	return first < ' ' || first == 0x7f || (first == 0xc2 && second >= 0x80 && second < 0xa0);
}

/* C1 controls (U+0080 to U+009F) are two bytes in UTF-8, and a terminal obeys those too. */
static void blank_controls(char *text)
{
	for (char *c = text; *c; c++) {
		if (!is_control(c))
			continue;
		if ((unsigned char)*c == 0xc2)
			*c++ = ' ';
		*c = ' ';
	}
}

static bool begins_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Bytes up to the last blank within `room` columns, or to the first blank when a word is longer. */
static size_t fitting(const char *text, size_t room)
{
	size_t columns = 0, blank = 0, i;

	for (i = 0; text[i]; i++) {
		if (text[i] == ' ') {
			if (blank && columns > room)
				return blank;
			if (i)
				blank = i;
			if (columns > room)
				return i;
		}
		columns += begins_character(text[i]);
	}
	return columns > room && blank ? blank : i;
}

void output_line(FILE *stream, struct text *line)
{
	if (line->data) {
		blank_controls(line->data);
		fputs(line->data, stream);
	}
	fputc('\n', stream);
	text_finish(line);
}

void output_paragraph(FILE *stream, size_t indent, struct text *line)
{
	const char *rest = line->data ? line->data : "";
	size_t deep = indent;

	if (line->data)
		blank_controls(line->data);
	do {
		size_t length = fitting(rest, COLUMNS - deep);
		fprintf(stream, "%*s%.*s\n", (int)deep, "", (int)length, rest);
		rest += length;
		rest += strspn(rest, " ");
		deep = indent + 2;
	} while (*rest);
	text_finish(line);
}
