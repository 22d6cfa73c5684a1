/* Asks for a name or a yes in the message line.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "app_internal.h"

void app_ask(struct app *app, const char *question, const char *initial,
	void (*answer)(struct app *app, void *data, const char *text), void *data)
{
	struct prompt *prompt = &app->prompt;

	*prompt = (struct prompt){ .kind = PROMPT_TEXT, .answer_text = answer, .data = data };
	snprintf(prompt->question, sizeof(prompt->question), "%s", question);
	entry_start(&prompt->entry, initial ? initial : "");
	app_dirty(app);
}

void app_confirm(struct app *app, const char *question, void (*answer)(struct app *app, void *data),
	void *data)
{
	struct prompt *prompt = &app->prompt;

	*prompt = (struct prompt){ .kind = PROMPT_CONFIRM, .answer_yes = answer, .data = data };
	snprintf(prompt->question, sizeof(prompt->question), "%s", question);
	app_dirty(app);
}

static void answer_confirm(struct app *app, int key)
{
	struct prompt *prompt = &app->prompt;

	if (key != 'y' && key != 'n' && key != UI_KEY_ESCAPE)
		return;
	prompt->kind = PROMPT_NONE;
	if (key == 'y')
		prompt->answer_yes(app, prompt->data);
}

void prompt_key(struct app *app, int key)
{
	struct prompt *prompt = &app->prompt;

	if (prompt->kind == PROMPT_CONFIRM) {
		answer_confirm(app, key);
	} else if (key == UI_KEY_ESCAPE) {
		prompt->kind = PROMPT_NONE;
	} else if (key == UI_KEY_ENTER) {
		/* The answer may ask the next question. */
		struct entry entry = prompt->entry;

		prompt->kind = PROMPT_NONE;
		prompt->answer_text(app, prompt->data, entry.text);
	} else {
		entry_key(&prompt->entry, key);
	}
}

void prompt_draw(const struct app *app, const struct area *line)
{
	const struct prompt *prompt = &app->prompt;
	int column = 1 + draw_text(line, 0, 1, STYLE_HEADING, prompt->question), width;
	size_t first;

	if (prompt->kind == PROMPT_CONFIRM) {
		draw_text(line, 0, column + 1, STYLE_NORMAL, "y or n");
		return;
	}
	column += draw_text(line, 0, column, STYLE_NORMAL, " [");
	width = line->columns - column - 2;
	first = entry_first(&prompt->entry, width);
	draw_field(line, 0, column, width, STYLE_NORMAL, prompt->entry.text + first);
	draw_text(line, 0, column + width, STYLE_NORMAL, "]");
	draw_cursor(line, 0, column + (int)(prompt->entry.cursor - first));
}
