/* SPDX-License-Identifier: MIT
 *
 * Allocation that ends the program, with a message, when there is no memory. */
#include "mem.h"

#include <stdint.h>
#include <string.h>

/* abort(), not exit(): the handler of SIGABRT puts the terminal right again. */
static _Noreturn void out_of_memory(void)
{
	static const char message[] = "boardbench: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void)ignored;
	abort();
}

void *mem_zalloc(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	if (!memory)
		out_of_memory();
	return memory;
}

void *mem_grow(void *array, size_t count, size_t size)
{
	void *memory = reallocarray(array, count ? count : 1, size ? size : 1);

	if (!memory)
		out_of_memory();
	return memory;
}

char *mem_strdup(const char *text)
{
	return text ? mem_strndup(text, strlen(text)) : NULL;
}

char *mem_strndup(const char *text, size_t length)
{
	size_t used;
	char *copy;

	if (!text)
		return NULL;
	used = strnlen(text, length);
	copy = mem_zalloc(used + 1, 1);
	memcpy(copy, text, used);
	return copy;
}
