/* SPDX-License-Identifier: MIT
 * Why slow: what held a result down. */
#include <stdio.h>

#include "app.h"
#include "findings.h"
#include "mem.h"
#include "screen_text.h"
#include "why.h"

static void act_kernel(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_kernel_create(screen->app));
}

static const struct screen_key keys[] = {
	SCREEN_TEXT_KEYS,
	{ 'k', NULL, "kernel log", "Messages of the kernel since the start.", act_kernel, NULL },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "What of the link, the machine and the medium held this result down, from what was recorded with it, "
		"and the most likely reason.",
	.keys = keys,
	.title = screen_text_title,
	.draw = screen_text_draw,
	.key = screen_text_key,
	.destroy = screen_text_destroy,
};

struct screen *screen_why_create(struct app *app, struct result *result)
{
	struct screen_text *text = mem_zalloc(1, sizeof(*text));
	struct findings findings = { 0 };
	_autofree_ char *conclusion = NULL;

	text->screen = (struct screen){ &ops, app };
	snprintf(text->title, sizeof(text->title), "why slow: %s", result->subsystem);
	why_slow(result, &findings, &conclusion);
	findings_to_lines(&findings, &text->lines);
	findings_finish(&findings);
	if (conclusion) {
		lines_add(&text->lines, STYLE_NORMAL, " ");
		lines_add_wrapped(&text->lines, STYLE_HEADING, SCREEN_TEXT_WIDTH, 0, conclusion);
	}
	result_finish(result);
	return &text->screen;
}
