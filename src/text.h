/* SPDX-License-Identifier: MIT */
/* Strings: a growing buffer, and the few helpers on plain C strings that several files need. */
#ifndef BB_TEXT_H
#define BB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise. data is NULL while empty, else NUL-terminated. */
struct text {
	char *data;
	size_t length, capacity;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *text, const char *bytes, size_t length);
/* Shortest digits that strtod() reads back to the same double; it must be finite. LC_NUMERIC is "C" in
 * the whole program: only LC_CTYPE is ever set. */
void text_add_double(struct text *text, double number);
void text_clear(struct text *text);   /* empty, memory kept */
void text_finish(struct text *text);  /* free */
char *text_steal(struct text *text);  /* the string, never NULL, the caller's to free; text is empty then */

/* A new string, the caller's to free. */
char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Cut blanks at both ends in place; returns the first that is none. */
char *text_trim(char *line);
/* The candidate most like `word` (edit distance at most a third of its length, at least 1), or NULL:
 * for "did you mean". */
const char *text_nearest(const char *word, const char *const *candidates, size_t count);
bool text_starts(const char *text, const char *start);

#endif
