/* SPDX-License-Identifier: MIT
 * Help: what a screen shows, its keys from its own table, and the marks. */
#include <stdio.h>

#include "mem.h"
#include "screen_text.h"

static const struct screen_key keys[] = { SCREEN_TEXT_KEYS, { 0 } };

static const struct screen_ops ops = {
	.help = "This text.",
	.keys = keys,
	.title = screen_text_title,
	.draw = screen_text_draw,
	.key = screen_text_key,
	.destroy = screen_text_destroy,
};

static void add_keys(struct lines *lines, const struct screen *about)
{
	for (const struct screen_key *row = about->ops->keys; row && row->key; row++) {
		char character[2] = { (char)row->key, '\0' }, text[300];
		if (row->label && !row->label[0])
			continue;
		snprintf(text, sizeof(text), "%-10s %s%s", row->label ? row->label : character, row->help,
			row->works && !row->works(about) ? " (not now)" : "");
		lines_add_wrapped(lines, STYLE_NORMAL, SCREEN_TEXT_WIDTH, 11, text);
	}
}

struct screen *screen_help_create(struct app *app, const struct screen *about)
{
	static const char *const common[] = {
		"Esc        Back, from every screen but the first.",
		"?          This help.",
		"Ctrl-L     Draw everything anew, when something has written over the screen.",
		"h j k l    Stand for the arrows where a screen has no other use for them.",
	};
	struct screen_text *help = mem_zalloc(1, sizeof(*help));

	help->screen = (struct screen){ &ops, app };
	snprintf(help->title, sizeof(help->title), "help");
	lines_add_wrapped(&help->lines, STYLE_NORMAL, SCREEN_TEXT_WIDTH, 0, about->ops->help);
	lines_add(&help->lines, STYLE_NORMAL, " ");
	add_keys(&help->lines, about);
	for (size_t i = 0; i < ARRAY_LEN(common); i++)
		lines_add(&help->lines, STYLE_NORMAL, "%s", common[i]);
	lines_add(&help->lines, STYLE_NORMAL, " ");
	lines_add_wrapped(&help->lines, STYLE_NORMAL, SCREEN_TEXT_WIDTH, 0, "suspect: measured, but something "
		"spoiled it; the notes say what and by how much. best: the highest figure of a sweep; knee: the "
		"cheapest value within 5 % of it. MB/s are 10^6 bytes a second; KiB, MiB and K, M in sizes are powers of "
		"1024.");
	return &help->screen;
}
