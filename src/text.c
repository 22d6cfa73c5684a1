/* SPDX-License-Identifier: MIT
 *
 * A growing string and small helpers on C strings. */
#include "text.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

#define NEAREST_LENGTH_MAX 64 /* longer words are no slips of the finger */

static void reserve(struct text *text, size_t more)
{
	size_t needed = text->length + more + 1;

	if (more >= SIZE_MAX / 4 || text->length >= SIZE_MAX / 4)
		needed = SIZE_MAX; /* mem_grow() reports it */
	if (needed <= text->capacity)
		return;
	if (needed < text->capacity * 2)
		needed = text->capacity * 2;
	if (needed < 64)
		needed = 64;
	text->data = mem_grow(text->data, needed, 1);
	text->capacity = needed;
}

__attribute__((format(printf, 2, 0))) static void add_arguments(
	struct text *text, const char *format, va_list arguments)
{
	va_list again;
	int length;

	reserve(text, 63); /* most pieces fit at the first try */
	va_copy(again, arguments);
	length = vsnprintf(text->data + text->length, text->capacity - text->length, format,
		arguments);
	if (length > 0 && (size_t)length >= text->capacity - text->length) {
		reserve(text, (size_t)length);
		vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
	}
	if (length > 0)
		text->length += (size_t)length;
	text->data[text->length] = '\0';
	va_end(again);
}

void text_add(struct text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_arguments(text, format, arguments);
	va_end(arguments);
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	reserve(text, length);
	if (length)
		memcpy(text->data + text->length, bytes, length);
	text->length += length;
	text->data[text->length] = '\0';
}

void text_add_double(struct text *text, double number)
{
	/* A double of at most DBL_DIG digits is found by %.15g without its zeros; only subnormal
	 * numbers have fewer significant digits than that. */
	int digits = fabs(number) < DBL_MIN ? 1 : DBL_DIG;
	char buffer[40];

	do
		snprintf(buffer, sizeof(buffer), "%.*g", digits++, number);
	while (digits <= DBL_DECIMAL_DIG && strtod(buffer, NULL) != number);
	text_add(text, "%s", buffer);
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->data)
		text->data[0] = '\0';
}

void text_finish(struct text *text)
{
	free(text->data);
	*text = (struct text){ 0 };
}

char *text_steal(struct text *text)
{
	char *data = text->data ? text->data : mem_strdup("");

	*text = (struct text){ 0 };
	return data;
}

char *text_printf(const char *format, ...)
{
	struct text text = { 0 };
	va_list arguments;

	va_start(arguments, format);
	add_arguments(&text, format, arguments);
	va_end(arguments);
	return text_steal(&text);
}

char *text_trim(char *line)
{
	size_t length;

	while (isspace((unsigned char)*line))
		line++;
	length = strlen(line);
	while (length > 0 && isspace((unsigned char)line[length - 1]))
		length--;
	line[length] = '\0';
	return line;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edit distance in which two letters changed for one another count once ("wirte"). */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][NEAREST_LENGTH_MAX + 1];
	size_t *before = rows[0], *previous = rows[1], *current = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		previous[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *unused = before;

		current[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			current[j] = smaller(previous[j - 1] + !same,
				smaller(previous[j], current[j - 1]) + 1);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
				same_letter(a[i - 2], b[j - 1]))
				current[j] = smaller(current[j], before[j - 2] + 1);
		}
		before = previous;
		previous = current;
		current = unused;
	}
	return previous[b_length];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t length = strlen(word), best;
	const char *nearest = NULL;

	if (length == 0 || length > NEAREST_LENGTH_MAX)
		return NULL;
	best = (length / 3 > 1 ? length / 3 : 1) + 1;
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(candidates[i]), edits;

		if (other > NEAREST_LENGTH_MAX)
			continue;
		edits = distance(word, length, candidates[i], other);
		/* A word none of whose letters stay is another word, not a misspelled one. */
		if (edits < best && edits < (length > other ? length : other)) {
			best = edits;
			nearest = candidates[i];
		}
	}
	return nearest;
}

bool text_starts(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}
