/* SPDX-License-Identifier: MIT
 *
 * A module that includes nothing but the public header, as pedantic C11 without extensions: it proves
 * that the header stands alone and that a declaration as the documents show it compiles.
 */
#include <boardbench/module.h>

struct config {
	bool on;
	int64_t count;
	double factor;
	uint64_t size, period, rate;
	int32_t choice;
	const char *label, *path;
};

static const char *const choices[] = { "one", "two", NULL };

static const struct bb_param params[] = {
	{ .name = "on", .text = "A flag.", .initial = "on", BB_FIELD(BB_FLAG, bool, struct config, on) },
	{ .name = "count", .text = "An integer.", .initial = "1", .minimum = 1, .maximum = 9,
		BB_FIELD(BB_INTEGER, int64_t, struct config, count) },
	{ .name = "factor", .text = "A number.", .initial = "1.5",
		BB_FIELD(BB_NUMBER, double, struct config, factor) },
	{ .name = "size", .text = "A size.", .initial = "1MiB",
		BB_FIELD(BB_SIZE, uint64_t, struct config, size) },
	{ .name = "period", .text = "A duration.", .initial = "500us",
		BB_FIELD(BB_DURATION, uint64_t, struct config, period) },
	{ .name = "rate", .text = "A rate.", .unit = "Hz", .initial = "48k",
		BB_FIELD(BB_RATE, uint64_t, struct config, rate) },
	{ .name = "choice", .text = "A choice.", .initial = "one", .choices = choices,
		BB_FIELD(BB_CHOICE, int32_t, struct config, choice) },
	{ .name = "label", .text = "A text.", .initial = "",
		BB_FIELD(BB_TEXT, const char *, struct config, label) },
	{ .name = "path", .text = "A path.", .initial = "/",
		BB_FIELD(BB_PATH, const char *, struct config, path) },
};

int main(void)
{
	/* The first word never moves, and tells the major version in its upper half. */
	if (offsetof(struct bb_module, abi) != 0 || BB_ABI >> 16 != BB_ABI_MAJOR)
		return 1;
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		if ((size_t)params[i].offset + params[i].size > sizeof(struct config))
			return 1;
		if (i > 0 && params[i].offset <= params[i - 1].offset)
			return 1;
	}
	return 0;
}
