/* SPDX-License-Identifier: MIT */
/* Fuzzes the readers of the journal: a line's entry, and a result, which is written and read again. */
#include <stdint.h>

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
	if (result_from_json(first.data, first.length, &again, NULL) == 0)
		result_to_json(&again, &second);
	text_finish(&first);
	text_finish(&second);
	result_finish(&result);
	result_finish(&again);
	return 0;
}
