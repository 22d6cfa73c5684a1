/* Gives each key to what it is for: the prompt, the screen's typing, its table, or the app.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "app_internal.h"

static bool is_typing(const struct screen *screen)
{
	return screen->ops->typing && screen->ops->typing(screen);
}

static bool works(const struct screen *screen, const struct screen_key *row)
{
	return !row->works || row->works(screen);
}

static bool act(struct screen *screen, int key)
{
	for (const struct screen_key *row = screen->ops->keys; row && row->key; row++) {
		if (row->key != key || !row->act || !works(screen, row))
			continue;
		row->act(screen, key);
		return true;
	}
	return false;
}

/* For those whose terminal sends no arrows. */
static int alias(int key)
{
	switch (key) {
	case 'h':
		return UI_KEY_LEFT;
	case 'j':
		return UI_KEY_DOWN;
	case 'k':
		return UI_KEY_UP;
	case 'l':
		return UI_KEY_RIGHT;
	case ' ':
		return UI_KEY_PAGE_DOWN;
	default:
		return 0;
	}
}

static bool take(struct screen *screen, int key)
{
	if (screen->ops->key && screen->ops->key(screen, key))
		return true;
	/* While something is typed, no letter may do anything else. */
	return is_typing(screen) || act(screen, key);
}

void app_key(struct app *app, int key)
{
	struct screen *screen = app->stack[app->depth - 1];

	app_dirty(app);
	if (key == UI_KEY_REDRAW) {
		term_redraw(app->term);
		return;
	}
	if (app->prompt.kind != PROMPT_NONE) {
		prompt_key(app, key);
		return;
	}
	app->message[0] = '\0';
	if (take(screen, key) || (alias(key) && take(screen, alias(key))))
		return;
	if (key == '?')
		app_push(app, screen_help_create(app, screen));
	else if (key == UI_KEY_ESCAPE && app->depth > 1)
		app_pop(app);
}

/* true: it fits in `width`, which is what the line may have after it. */
static bool add(char *buffer, size_t width, const char *label, const char *word)
{
	size_t length = strlen(buffer);

	if (length + strlen(label) + strlen(word) + 3 > width)
		return false;
	sprintf(buffer + length, "%s%s %s", length ? "  " : "", label, word);
	return true;
}

static bool has_key(const struct screen *screen, int key)
{
	for (const struct screen_key *row = screen->ops->keys; row && row->key; row++)
		if (row->key == key && works(screen, row))
			return true;
	return false;
}

void app_key_line(const struct screen *screen, bool home, int columns, char *buffer, size_t size)
{
	size_t width = columns > 0 && (size_t)columns < size ? (size_t)columns : size;
	bool back = !home && !has_key(screen, UI_KEY_ESCAPE), help = !has_key(screen, '?');
	/* The way back and the help are never given up. */
	size_t reserved = (back ? strlen("  Esc back") : 0) + (help ? strlen("  ? help") : 0);

	buffer[0] = '\0';
	if (is_typing(screen)) {
		snprintf(buffer, size, "%s", screen->ops->typing_keys ? screen->ops->typing_keys : "");
		return;
	}
	for (const struct screen_key *row = screen->ops->keys; row && row->key; row++) {
		char character[2] = { (char)row->key, '\0' };

		if (works(screen, row) && (!row->label || *row->label) &&
			!add(buffer, width > reserved ? width - reserved : 1, row->label ? row->label : character, row->word))
			break;
	}
	if (back)
		add(buffer, width, "Esc", "back");
	if (help)
		add(buffer, width, "?", "help");
}
