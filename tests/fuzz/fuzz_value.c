/* SPDX-License-Identifier: MIT
 *
 * Fuzzes the parsers of values and sweeps: the first byte chooses the type and the limits, the rest is
 * the text. Whatever is read must be printed such that it is read back to the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_value(const struct param *param, const char *text)
{
	struct error error = { 0 };
	struct value value, again;

	if (value_parse(param, text, &value, &error) < 0) {
		require(error.code && error.text[0]);
		return;
	}
	_autofree_ char *people = value_format(param, &value);
	_autofree_ char *plain = value_format_plain(param, &value);

	require(value_parse(param, people, &again, NULL) == 0 && value_equal(&value, &again));
	value_finish(&again);
	require(value_parse(param, plain, &again, NULL) == 0 && value_equal(&value, &again));
	value_finish(&again);
	value_finish(&value);
}

static void check_sweep(const struct param *param, const char *text)
{
	struct error error = { 0 };
	struct sweep sweep, again;

	if (sweep_parse(param, text, &sweep, &error) < 0) {
		require(error.code && error.text[0] && sweep.len == 0);
		return;
	}
	require(sweep.len > 0 && sweep.len <= SWEEP_MAX);
	if (sweep.len <= 100) { /* printing more tells nothing new, and is slow */
		_autofree_ char *plain = sweep_format_plain(param, &sweep);

		require(sweep_parse(param, plain, &again, NULL) == 0 && again.len == sweep.len);
		for (size_t i = 0; i < sweep.len; i++)
			require(value_equal(&sweep.values[i], &again.values[i]));
		sweep_finish(&again);
	}
	sweep_finish(&sweep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *choices[] = { "write", "read", "copy", "write_and_read", NULL };
	struct param param = { .name = "p" };

	if (size == 0 || size > 4096)
		return 0;
	param.type = (enum bb_type)(BB_FLAG + (data[0] & 0x0f) % BB_PATH);
	if (param.type == BB_CHOICE)
		param.choices = choices;
	if (data[0] & 0x10)
		param.unit = "Hz";
	if (data[0] & 0x20)
		param.maximum = 1e6;

	_autofree_ char *text = mem_strndup((const char *)data + 1, size - 1);

	check_value(&param, text);
	check_sweep(&param, text);
	uint64_t ns;

	duration_parse(text, &ns, NULL);
	return 0;
}
