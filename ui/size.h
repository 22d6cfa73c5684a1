/* SPDX-License-Identifier: MIT */
/* Rows and columns of a terminal that may not know them. */
#ifndef BB_UI_SIZE_H
#define BB_UI_SIZE_H

#include <stdbool.h>

#include "keys.h"

/* What the kernel says; false: 0x0, which is what a serial line says. */
bool size_get(int fd, int *rows, int *columns);
/* Tell the kernel, so that programs started later know too. */
void size_set(int fd, int rows, int columns);
/* Ask the terminal where the cursor stops on its way to 999;999. Waits 500 ms at most. Keys typed meanwhile go to the
 * callback. */
bool size_ask(int fd, struct keys *keys, keys_callback callback, void *data, int *rows, int *columns);

#endif
