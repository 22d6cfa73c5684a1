/* SPDX-License-Identifier: MIT
 * What of this machine would spoil a measurement. */
#include <stdio.h>

#include "app.h"
#include "environment.h"
#include "findings.h"
#include "mem.h"
#include "screen_text.h"

static void fill(struct screen_text *text)
{
	const struct session *session = app_session(text->screen.app);
	struct findings findings = { 0 };

	lines_clear(&text->lines);
	doctor_examine(session->options.root, session->store, &findings);
	findings_to_lines(&findings, &text->lines);
	findings_finish(&findings);
}

static bool can_look(const struct screen *screen)
{
	return !app_run_is_on(screen->app); /* looking costs time of the CPU that is measured */
}

static void act_again(struct screen *screen, int key)
{
	(void)key;
	fill((struct screen_text *)screen);
	app_message(screen->app, "Examined again.");
}

static const struct screen_key keys[] = {
	SCREEN_TEXT_KEYS,
	{ 'r', NULL, "again", "Examine the machine again.", act_again, can_look },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "What of this machine would spoil a measurement, and what to do about it: the same as "
		"\"boardbench doctor\".",
	.keys = keys,
	.title = screen_text_title,
	.draw = screen_text_draw,
	.key = screen_text_key,
	.destroy = screen_text_destroy,
};

struct screen *screen_environment_create(struct app *app)
{
	struct screen_text *text = mem_zalloc(1, sizeof(*text));

	text->screen = (struct screen){ &ops, app };
	snprintf(text->title, sizeof(text->title), "environment");
	if (can_look(&text->screen))
		fill(text);
	else
		lines_add(&text->lines, STYLE_WARNING,
			"Looking would disturb the run that is on: come back when it is over.");
	return &text->screen;
}
