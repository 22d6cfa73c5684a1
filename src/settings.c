/* SPDX-License-Identifier: MIT
 *
 * Lists of "name = text", in the order they were given. */
#include "settings.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "mem.h"
#include "text.h"

static struct setting *find(const struct settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->len; i++)
		if (strcmp(settings->items[i].name, name) == 0)
			return &settings->items[i];
	return NULL;
}

static void finish_setting(struct setting *setting)
{
	free(setting->name);
	free(setting->text);
}

void settings_set(struct settings *settings, const char *name, const char *text)
{
	struct setting *setting = find(settings, name);
	char *copy = mem_strdup(text); /* before the free(): text may be the old one */

	if (!setting) {
		settings->items =
			mem_grow(settings->items, settings->len + 1, sizeof(*settings->items));
		setting = &settings->items[settings->len++];
		*setting = (struct setting){ .name = mem_strdup(name) };
	}
	free(setting->text);
	setting->text = copy;
}

const char *settings_get(const struct settings *settings, const char *name)
{
	const struct setting *setting = find(settings, name);

	return setting ? setting->text : NULL;
}

void settings_remove(struct settings *settings, const char *name)
{
	struct setting *setting = find(settings, name);
	size_t index;

	if (!setting)
		return;
	index = (size_t)(setting - settings->items);
	finish_setting(setting);
	settings->len--;
	memmove(setting, setting + 1, (settings->len - index) * sizeof(*setting));
}

void settings_copy(struct settings *to, const struct settings *from)
{
	*to = (struct settings){ 0 };
	for (size_t i = 0; i < from->len; i++) {
		settings_set(to, from->items[i].name, from->items[i].text);
		to->items[i].line = from->items[i].line;
	}
}

void settings_finish(struct settings *settings)
{
	for (size_t i = 0; i < settings->len; i++)
		finish_setting(&settings->items[i]);
	free(settings->items);
	*settings = (struct settings){ 0 };
}

static bool is_name(const char *name)
{
	return strchr("abcdefghijklmnopqrstuvwxyz", *name) && *name &&
		name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

int settings_parse(struct settings *settings, const char *argument, struct error *error)
{
	_autofree_ char *copy = mem_strdup(argument);
	char *equals = strchr(copy, '='), *name;

	if (!equals)
		return error_set(error, EINVAL,
			"\"%.80s\" is no setting: write NAME=VALUE, for example buffer_size=1MiB",
			argument);
	*equals = '\0';
	name = text_trim(copy);
	if (!is_name(name))
		return error_set(error, EINVAL,
			"\"%.80s\" is no name of a parameter: it is made of a-z, 0-9, _ and -, for "
			"example buffer_size=1MiB",
			name);
	settings_set(settings, name, text_trim(equals + 1));
	return 0;
}

/* Cut the next word off *line, without its quotes. 1: a word, 0: the end, -EINVAL: open quote. */
static int next_word(const char **line, struct text *word, struct error *error)
{
	const char *c = *line + strspn(*line, " \t\r\n");
	char quote = '\0';

	text_clear(word);
	text_add_bytes(word, "", 0);
	if (!*c)
		return 0;
	for (; *c && (quote || !strchr(" \t\r\n", *c)); c++) {
		if (quote ? *c == quote : *c == '"' || *c == '\'')
			quote = quote ? '\0' : *c;
		else
			text_add_bytes(word, c, 1);
	}
	*line = c;
	if (quote)
		return error_set(error, EINVAL, "\"%.80s\": the quote %c is not closed", word->data,
			quote);
	return 1;
}

int settings_parse_line(const char *line, char **subsystem, struct settings *settings,
	struct error *error)
{
	_autofree_ char *name = NULL;
	struct settings parsed = { 0 };
	struct text word = { 0 };
	int result;

	while ((result = next_word(&line, &word, error)) > 0) {
		if (name)
			result = settings_parse(&parsed, word.data, error);
		else if (!is_name(word.data))
			result = error_set(error, EINVAL,
				"\"%.80s\" is no name of a subsystem: write SUBSYSTEM NAME=VALUE ..., "
				"for example \"mmc operation=write\"",
				word.data);
		else
			name = mem_strdup(word.data);
		if (result < 0)
			break;
	}
	if (result == 0 && !name)
		result = error_set(error, EINVAL,
			"no subsystem named: write SUBSYSTEM NAME=VALUE ..., for example \"mmc "
			"operation=write\"");
	text_finish(&word);
	if (result == 0) {
		*subsystem = name;
		name = NULL;
		for (size_t i = 0; i < parsed.len; i++)
			settings_set(settings, parsed.items[i].name, parsed.items[i].text);
	}
	settings_finish(&parsed);
	return result;
}
