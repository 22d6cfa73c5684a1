/* SPDX-License-Identifier: MIT
 *
 * The text of a failure: made once, kept short, safe to show on a terminal. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the user typed is quoted in messages; it must not move the cursor or break the line. A
 * character of several bytes that did not fit whole is cut off whole. */
static void make_showable(char *text)
{
	size_t length = strlen(text), tail = length;

	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	if (length + 1 < sizeof(((struct error *)0)->text))
		return;
	while (tail > 0 && ((unsigned char)text[tail - 1] & 0xc0) == 0x80)
		tail--;
	if (tail > 0 && ((unsigned char)text[tail - 1] & 0xc0) == 0xc0)
		text[tail - 1] = '\0';
}

int error_set(struct error *error, int code, const char *format, ...)
{
	va_list arguments;

	if (!error || error->code)
		return -code;
	error->code = code;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	make_showable(error->text);
	return -code;
}

int error_prefix(struct error *error, const char *format, ...)
{
	char context[sizeof(error->text)];
	va_list arguments;
	size_t length, room;

	if (!error)
		return 0;
	va_start(arguments, format);
	vsnprintf(context, sizeof(context) - 2, format, arguments);
	va_end(arguments);
	strcat(context, ": ");
	length = strlen(context);
	room = sizeof(error->text) - 1 - length;
	if (strlen(error->text) > room)
		error->text[room] = '\0';
	memmove(error->text + length, error->text, strlen(error->text) + 1);
	memcpy(error->text, context, length);
	make_showable(error->text);
	return -error->code;
}
