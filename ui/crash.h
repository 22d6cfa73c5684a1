/* SPDX-License-Identifier: MIT */
/* Gives the terminal back when the program dies of a fault. */
#ifndef BB_UI_CRASH_H
#define BB_UI_CRASH_H

#include <stddef.h>
#include <termios.h>

/* On SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT: write `restore` to fd, set the modes, put the console log level
 * back if `printk` is not NULL, and die of the signal as before. All is copied. One terminal a process. */
void crash_guard(int fd, const char *restore, const struct termios *modes, const char *printk);
void crash_unguard(void);

#endif
