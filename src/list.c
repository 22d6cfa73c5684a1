/* SPDX-License-Identifier: MIT
 *
 * Lists of owned strings that end with NULL. */
#include "list.h"

#include <stdarg.h>
#include <stdio.h>

#include "mem.h"

void list_add(char ***list, const char *format, ...)
{
	size_t count = list_len(*list);
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = mem_strdup("");
	va_end(args);
	*list = mem_grow(*list, count + 2, sizeof(**list));
	(*list)[count] = text;
	(*list)[count + 1] = NULL;
}

size_t list_len(char *const *list)
{
	size_t count = 0;
	while (list && list[count])
		count++;
	return count;
}

void list_finish(char ***list)
{
	for (char **item = *list; item && *item; item++)
		free(*item);
	free(*list);
	*list = NULL;
}
