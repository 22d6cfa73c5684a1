/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: its gauge is not a number, and another one infinite. */
#include <boardbench/module.h>

#include <math.h>

static int bad_step(struct bb_context *ctx)
{
	bb_wait(ctx, -1, bb_now(ctx) + 1000000);
	bb_gauge(ctx, 0, (double)NAN);
	bb_gauge(ctx, 1, (double)INFINITY);
	bb_count(ctx, 0, 1000);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
	{ .name = "level", .text = "Not a number.", .unit = "1", .scale = 1,
	  .source = BB_GAUGE, .index = 0, .better = BB_NEITHER },
	{ .name = "top", .text = "An infinite number.", .unit = "1", .scale = 1,
	  .source = BB_GAUGE, .index = 1, .better = BB_NEITHER },
};

BB_MODULE(nan_gauge) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "nan-gauge",
	.title = "misbehave on purpose",
	.text = "For tests only: its gauge is not a number, and another one infinite.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
