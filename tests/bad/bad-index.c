/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it counts, records and sets what does not exist. */
#include <boardbench/module.h>

static int bad_step(struct bb_context *ctx)
{
	bb_wait(ctx, -1, bb_now(ctx) + 1000000);
	bb_count(ctx, BB_COUNTERS_MAX, 1);
	bb_count(ctx, UINT32_MAX, 1);
	bb_gauge(ctx, BB_GAUGES_MAX, 1);
	bb_sample(ctx, BB_HISTOGRAMS_MAX, 1);
	bb_count(ctx, 0, 1000);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(bad_index) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "bad-index",
	.title = "misbehave on purpose",
	.text = "For tests only: it counts, records and sets what does not exist.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
