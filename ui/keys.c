/* Reads keys and cursor position reports out of a terminal's bytes.
 * SPDX-License-Identifier: MIT */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#define ESCAPE 0x1b

struct sequence {
	const char *text; /* after the Esc, numbers apart */
	int key;
};

static const struct sequence letters[] = {
	{ "A", UI_KEY_UP }, { "B", UI_KEY_DOWN }, { "C", UI_KEY_RIGHT }, { "D", UI_KEY_LEFT },
	{ "H", UI_KEY_HOME }, { "F", UI_KEY_END }, { "Z", UI_KEY_BACKTAB }, { "M", UI_KEY_ENTER },
};

/* "ESC [ NUMBER ~", as the vt220 began it. */
static int tilde_key(int number)
{
	switch (number) {
	case 1:
	case 7:
		return UI_KEY_HOME;
	case 4:
	case 8:
		return UI_KEY_END;
	case 3:
		return UI_KEY_DELETE;
	case 5:
		return UI_KEY_PAGE_UP;
	case 6:
		return UI_KEY_PAGE_DOWN;
	default:
		return 0;
	}
}

static int plain_key(unsigned char byte)
{
	switch (byte) {
	case '\r':
	case '\n':
		return UI_KEY_ENTER;
	case '\t':
		return UI_KEY_TAB;
	case 0x08:
	case 0x7f:
		return UI_KEY_BACKSPACE;
	case 0x15:
		return UI_KEY_KILL;
	case 0x0c:
		return UI_KEY_REDRAW;
	default:
		return byte < ' ' ? 0 : byte;
	}
}

/* A complete CSI or SS3 sequence in `pending`. */
static int sequence_key(struct keys *keys)
{
	char text[sizeof(keys->pending) + 1];
	unsigned char final = keys->pending[keys->len - 1];
	char *end;
	long first;

	memcpy(text, keys->pending, keys->len);
	text[keys->len] = '\0';
	first = strtol(text + 2, &end, 10);
	if (final == 'R' && *end == ';' && keys->pending[1] == '[') {
		long second = strtol(end + 1, &end, 10);

		if (*end == 'R' && first > 0 && second > 0 && first < 10000 && second < 10000) {
			keys->report_row = (int)first;
			keys->report_column = (int)second;
		}
		return 0;
	}
	if (final == '~')
		return first < 0 || first > 99 ? 0 : tilde_key((int)first);
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (final == (unsigned char)letters[i].text[0])
			return letters[i].key;
	return 0;
}

static bool is_complete(const struct keys *keys)
{
	unsigned char last = keys->pending[keys->len - 1];

	if (keys->len < 3)
		return false;
	/* The console's function keys are "ESC [ [ A". */
	if (keys->len == 3 && keys->pending[1] == '[' && last == '[')
		return false;
	return last >= 0x40 && last <= 0x7e;
}

static void take(struct keys *keys, unsigned char byte, keys_callback callback, void *data)
{
	int key;

	if (keys->skipping) {
		keys->skipping = byte < 0x40 || byte > 0x7e;
		return;
	}
	if (!keys->len && byte != ESCAPE) {
		key = plain_key(byte);
		if (key)
			callback(data, key);
		return;
	}
	if (keys->len == 1 && byte != '[' && byte != 'O') {
		/* Not a sequence: Esc, then another key (or Alt and it, which is alike to us). */
		keys->len = 0;
		callback(data, UI_KEY_ESCAPE);
		take(keys, byte, callback, data);
		return;
	}
	if (keys->len > 1 && (byte < ' ' || byte > 0x7e)) { /* broken off */
		keys->len = 0;
		take(keys, byte, callback, data);
		return;
	}
	if (keys->len == sizeof(keys->pending)) {
		keys->len = 0;
		keys->skipping = byte < 0x40 || byte > 0x7e;
		return;
	}
	keys->pending[keys->len++] = byte;
	if (!is_complete(keys))
		return;
	key = keys->pending[2] == '[' ? 0 : sequence_key(keys);
	keys->len = 0;
	if (key)
		callback(data, key);
}

void keys_feed(struct keys *keys, const unsigned char *bytes, size_t len, keys_callback callback, void *data)
{
	for (size_t i = 0; i < len; i++)
		take(keys, bytes[i], callback, data);
}

bool keys_pending(const struct keys *keys)
{
	return keys->len || keys->skipping;
}

void keys_timeout(struct keys *keys, keys_callback callback, void *data)
{
	bool lone = keys->len == 1;
	bool alt_letter = keys->len == 2; /* "ESC [" or "ESC O" and nothing more */
	unsigned char second = keys->pending[1];

	keys->len = 0;
	keys->skipping = false;
	if (lone || alt_letter)
		callback(data, UI_KEY_ESCAPE);
	if (alt_letter)
		callback(data, second);
}
