/* SPDX-License-Identifier: MIT */
/* The base of screens that only show lines: help, environment, kernel log, why slow, detail. */
#ifndef BB_UI_SCREEN_TEXT_H
#define BB_UI_SCREEN_TEXT_H

#include "lines.h"
#include "screen.h"

struct screen_text {
	struct screen screen;
	struct lines lines;
	char title[120];
};

void screen_text_title(const struct screen *screen, char *buffer, size_t size);
void screen_text_draw(struct screen *screen, const struct area *body);
bool screen_text_key(struct screen *screen, int key);
void screen_text_destroy(struct screen *screen);

/* Width to wrap to: the smallest screen that everything fits on. */
#define SCREEN_TEXT_WIDTH 77

/* A row of a key table that says how to scroll: it is taken by screen_text_key(). */
#define SCREEN_TEXT_KEYS { UI_KEY_DOWN, "up/down", "scroll", "Scroll; space a page.", NULL, NULL }

#endif
