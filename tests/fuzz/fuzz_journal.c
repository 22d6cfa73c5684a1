/* SPDX-License-Identifier: MIT */
/* Fuzzes the readers of the journal: a line's entry, and a result, which must be written and read again alike. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "journal_index.h"
#include "result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct journal_entry entry;
	struct result result = { 0 }, again = { 0 };
	struct text first = { 0 }, second = { 0 };

	journal_entry_of_line((const char *)data, size, 0, &entry);
	if (result_from_json((const char *)data, size, &result, NULL) < 0)
		return 0;
	result_to_json(&result, &first);
	if (result_from_json(first.data, first.length, &again, NULL) < 0)
		abort();
	result_to_json(&again, &second);
	if (first.length != second.length || memcmp(first.data, second.data, first.length) != 0)
		abort();
	text_finish(&first);
	text_finish(&second);
	result_finish(&result);
	result_finish(&again);
	return 0;
}
