/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it calls exit(0) in the middle of its work. */
#include <boardbench/module.h>

#include <stdlib.h>

static int bad_step(struct bb_context *ctx)
{
	bb_count(ctx, 0, 1);
	exit(0);
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(exits) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "exits",
	.title = "misbehave on purpose",
	.text = "For tests only: it calls exit(0) in the middle of its work.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
