/* Edits a line of text by keys.
 * SPDX-License-Identifier: MIT */
#include "entry.h"

#include <stdio.h>
#include <string.h>

#include "keys.h"

void entry_start(struct entry *entry, const char *text)
{
	snprintf(entry->text, sizeof(entry->text), "%s", text);
	entry->length = entry->cursor = strlen(entry->text);
	entry->fresh = true;
}

static void insert(struct entry *entry, char byte)
{
	if (entry->length + 1 >= sizeof(entry->text))
		return;
	memmove(entry->text + entry->cursor + 1, entry->text + entry->cursor, entry->length - entry->cursor + 1);
	entry->text[entry->cursor++] = byte;
	entry->length++;
}

/* Bytes of a UTF-8 sequence go together. */
static bool continues(const struct entry *entry, size_t at)
{
	return ((unsigned char)entry->text[at] & 0xc0) == 0x80;
}

static void step_left(struct entry *entry)
{
	while (entry->cursor > 0 && continues(entry, --entry->cursor))
		;
}

static void step_right(struct entry *entry)
{
	if (entry->cursor < entry->length)
		entry->cursor++;
	while (entry->cursor < entry->length && continues(entry, entry->cursor))
		entry->cursor++;
}

static void remove_at_cursor(struct entry *entry)
{
	size_t start = entry->cursor, end;

	step_right(entry);
	end = entry->cursor;
	memmove(entry->text + start, entry->text + end, entry->length - end + 1);
	entry->length -= end - start;
	entry->cursor = start;
}

bool entry_key(struct entry *entry, int key)
{
	bool fresh = entry->fresh;

	if (key >= ' ' && key < 0x100 && key != 0x7f) {
		if (fresh)
			entry_start(entry, "");
		entry->fresh = false;
		insert(entry, (char)key);
		return true;
	}
	switch (key) {
	case UI_KEY_KILL:
		entry_start(entry, "");
		entry->fresh = false;
		break;
	case UI_KEY_BACKSPACE:
		if (entry->cursor > 0) {
			step_left(entry);
			remove_at_cursor(entry);
		}
		break;
	case UI_KEY_DELETE:
		if (entry->cursor < entry->length)
			remove_at_cursor(entry);
		break;
	case UI_KEY_LEFT:
		step_left(entry);
		break;
	case UI_KEY_RIGHT:
		step_right(entry);
		break;
	case UI_KEY_HOME:
		entry->cursor = 0;
		break;
	case UI_KEY_END:
		entry->cursor = entry->length;
		break;
	default:
		return false;
	}
	entry->fresh = false;
	return true;
}

size_t entry_first(const struct entry *entry, int width)
{
	size_t first = 0;

	if (width > 1 && entry->cursor >= (size_t)width)
		first = entry->cursor - (size_t)width + 1;
	while (first < entry->length && continues(entry, first))
		first++;
	return first;
}
