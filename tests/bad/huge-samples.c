/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it records values up to the largest there is. */
#include <boardbench/module.h>

static int bad_step(struct bb_context *ctx)
{
	bb_wait(ctx, -1, bb_now(ctx) + 1000000);
	for (int bit = 0; bit < 64; bit++)
		bb_sample(ctx, 0, UINT64_MAX >> bit);
	bb_sample(ctx, 0, 0);
	bb_count(ctx, 0, 65);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
	{ .name = "value", .text = "The recorded values.", .unit = "1", .scale = 1,
	  .source = BB_HISTOGRAM, .index = 0, .better = BB_LOWER },
};

BB_MODULE(huge_samples) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "huge-samples",
	.title = "misbehave on purpose",
	.text = "For tests only: it records values up to the largest there is.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
