/* SPDX-License-Identifier: MIT
 *
 * Writes compact JSON into a text. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Length of the valid UTF-8 sequence at `bytes`, 0 if there is none. The NUL at the end of the string
 * is no continuation byte, so nothing is read past it. Table 3-7 of the Unicode standard. */
static size_t utf8_length(const unsigned char *bytes)
{
	unsigned char first = bytes[0], low = 0x80, high = 0xbf;
	size_t length;

	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		length = 2;
	else if (first >= 0xe0 && first <= 0xef)
		length = 3;
	else if (first >= 0xf0 && first <= 0xf4)
		length = 4;
	else
		return 0;
	if (first == 0xe0)
		low = 0xa0;
	else if (first == 0xed)
		high = 0x9f;
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f;
	if (bytes[1] < low || bytes[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if (bytes[i] < 0x80 || bytes[i] > 0xbf)
			return 0;
	return length;
}

static void add_escaped(struct text *text, unsigned char byte)
{
	static const char letters[] = "\bb\tt\nn\ff\rr\"\"\\\\";

	for (size_t i = 0; i + 1 < sizeof(letters); i += 2) {
		if ((unsigned char)letters[i] == byte) {
			char pair[2] = { '\\', letters[i + 1] };

			text_add_bytes(text, pair, 2);
			return;
		}
	}
	text_add(text, "\\u%04x", byte);
}

static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static void add_string(struct text *text, const char *value)
{
	const unsigned char *c = (const unsigned char *)value;

	text_add_bytes(text, "\"", 1);
	while (*c) {
		const unsigned char *start = c;
		size_t length;

		while (is_plain(*c))
			c++;
		text_add_bytes(text, (const char *)start, (size_t)(c - start));
		if (!*c)
			break;
		length = utf8_length(c);
		if (length == 0)
			text_add_bytes(text, "\xef\xbf\xbd", 3);
		else if (length == 1)
			add_escaped(text, *c);
		else
			text_add_bytes(text, (const char *)c, length);
		c += length ? length : 1;
	}
	text_add_bytes(text, "\"", 1);
}

/* A comma, unless this is the first of its object, array or line; then the key. */
static void begin(struct text *text, const char *key)
{
	if (text->length > 0 && !strchr("{[:\n", text->data[text->length - 1]))
		text_add_bytes(text, ",", 1);
	if (key) {
		add_string(text, key);
		text_add_bytes(text, ":", 1);
	}
}

void json_put_object(struct text *text, const char *key)
{
	begin(text, key);
	text_add_bytes(text, "{", 1);
}

void json_put_object_end(struct text *text)
{
	text_add_bytes(text, "}", 1);
}

void json_put_array(struct text *text, const char *key)
{
	begin(text, key);
	text_add_bytes(text, "[", 1);
}

void json_put_array_end(struct text *text)
{
	text_add_bytes(text, "]", 1);
}

void json_put_string(struct text *text, const char *key, const char *value)
{
	if (!value) {
		json_put_null(text, key);
		return;
	}
	begin(text, key);
	add_string(text, value);
}

void json_put_int(struct text *text, const char *key, int64_t value)
{
	begin(text, key);
	text_add(text, "%" PRId64, value);
}

void json_put_uint(struct text *text, const char *key, uint64_t value)
{
	begin(text, key);
	text_add(text, "%" PRIu64, value);
}

void json_put_double(struct text *text, const char *key, double value)
{
	if (!isfinite(value)) {
		json_put_null(text, key);
		return;
	}
	begin(text, key);
	text_add_double(text, value);
}

void json_put_bool(struct text *text, const char *key, bool value)
{
	begin(text, key);
	text_add(text, "%s", value ? "true" : "false");
}

void json_put_null(struct text *text, const char *key)
{
	begin(text, key);
	text_add_bytes(text, "null", 4);
}
