/* SPDX-License-Identifier: MIT
 *
 * Lists of owned strings that end with NULL. */
#ifndef BB_LIST_H
#define BB_LIST_H

#include <stddef.h>

/* Append a text; *list may be NULL. */
void list_add(char ***list, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t list_len(char *const *list); /* NULL is empty */
void list_finish(char ***list);

#endif
