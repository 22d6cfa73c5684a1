/* SPDX-License-Identifier: MIT */
/* The terminal: its modes, its size, its bytes. Curses composes the picture into a memory file; the bytes go
 * out through a descriptor of our own that does not block, so a slow or dead line never stops the loop. */
#ifndef BB_UI_TERMINAL_H
#define BB_UI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "loop.h"
#include "session.h"

#include "keys.h"

struct term;

struct term_listener {
	void *data;
	void (*key)(void *data, int key);
	void (*resized)(void *data);
	void (*gone)(void *data); /* the line was hung up: nothing can be drawn any more */
	void (*writable)(void *data); /* a frame that was held back can be drawn now */
};

/* Take the terminal over. -ENOTTY: standard input or output is none; -ENOTSUP: TERM is unset, unknown, or
 * cannot place the cursor. store: where it is written how to put the console log level back. Asks a terminal without a size for it, which takes 700 ms at most. */
int term_open(const struct session_options *options, const char *store, struct loop *loop,
	const struct term_listener *listener, struct term **term, struct error *error);
/* Restore everything; NULL is fine. */
void term_close(struct term *term);

int term_rows(const struct term *term);
int term_columns(const struct term *term);

/* May a frame be drawn now? `live`: it is one of many, so it has to fit in the byte budget. */
bool term_ready(struct term *term, bool live);
/* Begin with an empty picture; then draw; then send what changed. */
void term_begin(struct term *term);
void term_end(struct term *term, bool live);
/* Send everything anew with the next frame. */
void term_redraw(struct term *term);

/* Bytes in a second that live frames may take; 0: no limit. */
unsigned term_bytes_per_second(const struct term *term);

#endif
