/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it is finished in its first step and has counted nothing. */
#include <boardbench/module.h>

static int bad_step(struct bb_context *ctx)
{
	return BB_FINISHED;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(finishes_at_once) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "finishes-at-once",
	.title = "misbehave on purpose",
	.text = "For tests only: it is finished in its first step and has counted nothing.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
