/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of keys: escape sequences of a terminal, whole, cut and broken. */
#include <stdint.h>
#include <stdlib.h>

#include "../../ui/keys.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_key(void *data, int key)
{
	size_t *count = data;

	(*count)++;
	/* What may be typed, or one of the names. */
	if (key < ' ' || key > UI_KEY_REDRAW)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keys whole = { 0 }, cut = { 0 };
	size_t whole_count = 0, cut_count = 0;

	keys_feed(&whole, data, size, on_key, &whole_count);
	keys_timeout(&whole, on_key, &whole_count);
	/* A serial line gives one byte at a time: it must make no difference. */
	for (size_t i = 0; i < size; i++)
		keys_feed(&cut, data + i, 1, on_key, &cut_count);
	keys_timeout(&cut, on_key, &cut_count);
	if (whole_count != cut_count || keys_pending(&cut))
		abort();
	return 0;
}
