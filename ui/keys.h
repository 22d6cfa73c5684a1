/* SPDX-License-Identifier: MIT */
/* Bytes from a terminal to keys: pure, without curses, whose own reader would block the loop. */
#ifndef BB_UI_KEYS_H
#define BB_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* Keys that are no character. Characters are themselves ('a', 'A', ' ', '?'). */
enum ui_key {
	UI_KEY_ENTER = 0x100, UI_KEY_ESCAPE, UI_KEY_TAB, UI_KEY_BACKTAB, UI_KEY_BACKSPACE, UI_KEY_DELETE,
	UI_KEY_UP, UI_KEY_DOWN, UI_KEY_LEFT, UI_KEY_RIGHT,
	UI_KEY_HOME, UI_KEY_END, UI_KEY_PAGE_UP, UI_KEY_PAGE_DOWN,
	UI_KEY_KILL,  /* Ctrl-U: empty what is typed */
	UI_KEY_REDRAW /* Ctrl-L; the app's own */
};

/* A parser; zero-initialise. Sequences of the ANSI family are read whatever TERM says. */
struct keys {
	unsigned char pending[32]; /* a sequence that is not complete */
	size_t len;
	bool skipping;             /* through a sequence that is too long */
	int report_row, report_column; /* of the last cursor position report, 1-based; 0: none yet */
};

typedef void (*keys_callback)(void *data, int key);

/* Take bytes and call back for each complete key. Unknown sequences are swallowed whole. */
void keys_feed(struct keys *keys, const unsigned char *bytes, size_t len, keys_callback callback, void *data);
/* A sequence has begun and waits for more: when nothing comes for a while, call keys_timeout(). */
bool keys_pending(const struct keys *keys);
/* What is pending is all there is: a lone Esc, or garbage. */
void keys_timeout(struct keys *keys, keys_callback callback, void *data);

#endif
