/* SPDX-License-Identifier: MIT */
/* Keeps the kernel from printing over the screen when our terminal is its console. */
#ifndef BB_UI_CONSOLE_H
#define BB_UI_CONSOLE_H

#include <stdbool.h>

struct console;

/* Lower the console log level if `fd` is one of the kernel's consoles and we are root; recorded under `store`, so that it is put back
 * after a crash too. NULL: nothing was changed. */
struct console *console_quieten(int fd, const char *store);
/* The level as it was; a new string. */
char *console_saved(const struct console *console);
void console_restore(struct console *console); /* NULL is fine */

/* Is NAME ("ttyS0") one of the blank-separated whole names? */
bool console_is_listed(const char *active, const char *name);

#endif
