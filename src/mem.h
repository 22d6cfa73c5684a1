/* SPDX-License-Identifier: MIT */
/* Memory of the workbench process: allocation that cannot fail, and release at the end of a scope.
 * Out of memory ends the program with a message: a program of 8 MiB has no better way out. A
 * *module's* allocations live in a worker, where they may fail without harm. */
#ifndef BB_MEM_H
#define BB_MEM_H

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

void *mem_zalloc(size_t count, size_t size);
/* Resize an array to `count` elements; what is new is not cleared. */
void *mem_grow(void *array, size_t count, size_t size);
char *mem_strdup(const char *text); /* NULL gives NULL */
char *mem_strndup(const char *text, size_t length);

static inline void mem_free_cleanup(void *pointer)
{
	free(*(void **)pointer);
}

static inline void mem_close_cleanup(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define _autofree_ __attribute__((cleanup(mem_free_cleanup)))
#define _autoclose_ __attribute__((cleanup(mem_close_cleanup)))

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
