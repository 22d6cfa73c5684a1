/* SPDX-License-Identifier: MIT */
/* What the terminal's description says, before curses starts. Apart, because <term.h> defines words like
 * "columns" as macros. */
#ifndef BB_UI_TERMINFO_H
#define BB_UI_TERMINFO_H

#include <stdbool.h>

#include "error.h"

/* -ENOTSUP: no such description, or the cursor cannot be placed. */
int terminfo_open(const char *type, struct error *error);
void terminfo_close(void);
/* Does it understand ECMA-48 sequences, such as the question for the cursor's position? */
bool terminfo_is_ansi(void);
/* What gives the terminal back, without padding; a new string. Also while curses is up. */
char *terminfo_restore_string(int rows);

#endif
