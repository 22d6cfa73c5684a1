/* SPDX-License-Identifier: MIT
 * Screens that only show lines. */
#include "screen_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static struct screen_text *text_of(const struct screen *screen)
{
	return (struct screen_text *)(uintptr_t)screen;
}

void screen_text_title(const struct screen *screen, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s", text_of(screen)->title);
}

void screen_text_draw(struct screen *screen, const struct area *body)
{
	lines_draw(&text_of(screen)->lines, body);
}

bool screen_text_key(struct screen *screen, int key)
{
	return lines_key(&text_of(screen)->lines, key);
}

void screen_text_destroy(struct screen *screen)
{
	lines_clear(&text_of(screen)->lines);
	free(text_of(screen));
}
