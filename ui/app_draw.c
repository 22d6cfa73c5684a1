/* Draws the screen on top, with the lines that all screens have, when something is dirty.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "app_internal.h"

#define FRAME_NS UINT64_C(200000000) /* 5 frames a second while a run is on */

static void draw_title(const struct app *app, const struct screen *screen, const struct area *line)
{
	const struct board *board = &app->session->board;
	char title[160] = "", text[256];
	int length;

	if (screen->ops->title)
		screen->ops->title(screen, title, sizeof(title));
	else
		snprintf(title, sizeof(title), "%s", board->title ? board->title : "");
	snprintf(text, sizeof(text), " boardbench  %s  %s", board->name ? board->name : "generic", title);
	draw_field(line, 0, 0, line->columns, STYLE_TITLE, text);
	length = draw_width(app->release);
	if (draw_width(text) + length + 3 < line->columns)
		draw_right(line, 0, line->columns - 1, STYLE_TITLE, app->release);
}

static void draw_keys(const struct app *app, const struct screen *screen, const struct area *line)
{
	char keys[256];

	if (app->prompt.kind == PROMPT_TEXT)
		snprintf(keys, sizeof(keys), "Enter accept  Esc cancel");
	else if (app->prompt.kind == PROMPT_CONFIRM)
		snprintf(keys, sizeof(keys), "y yes  n no  Esc cancel");
	else
		app_key_line(screen, app->depth == 1, line->columns - 1, keys, sizeof(keys));
	draw_text(line, 0, 1, STYLE_NORMAL, keys);
}

static void draw_parts(struct app *app, struct screen *screen, const struct layout *layout)
{
	draw_title(app, screen, &layout->title);
	draw_keys(app, screen, &layout->keys);
	draw_text(&layout->message, 0, 1, STYLE_NORMAL, app->message);
	screen->ops->draw(screen, &layout->body);
	if (app->prompt.kind != PROMPT_NONE) {
		draw_field(&layout->message, 0, 0, layout->message.columns, STYLE_NORMAL, "");
		prompt_draw(app, &layout->message);
	}
}

void app_draw(struct app *app)
{
	struct layout layout;
	uint64_t now = clock_now();
	bool live = !app->dirty;

	if (!app->term || (live && (!app->live_dirty || now - app->frame_ns < FRAME_NS)))
		return;
	/* Quiet: nothing is sent between the start and the end of the timed part. */
	if (app_run_is_on(app) && app_look(app)->quiet)
		return;
	if (!term_ready(app->term, live))
		return;
	app->dirty = app->live_dirty = false;
	app->frame_ns = now;
	layout_screen(term_rows(app->term), term_columns(app->term), &layout);
	term_begin(app->term);
	if (layout.fits)
		draw_parts(app, app->stack[app->depth - 1], &layout);
	else
		draw_format(&layout.body, 0, 0, STYLE_NORMAL, "boardbench needs %dx%d, this is %dx%d",
			LAYOUT_MIN_COLUMNS, LAYOUT_MIN_ROWS, term_columns(app->term), term_rows(app->term));
	term_end(app->term, live);
}
