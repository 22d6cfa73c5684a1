/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it was built for another major version of the ABI. */
#include <boardbench/module.h>

static int count_step(struct bb_context *ctx)
{
	bb_wait(ctx, -1, bb_now(ctx) + 1000000);
	bb_count(ctx, 0, 1000);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(wrong_abi) = {
	.abi = BB_ABI + (1u << 16),
	.struct_size = sizeof(struct bb_module),
	.name = "wrong-abi",
	.title = "misbehave on purpose",
	.text = "For tests only: it was built for another major version of the ABI.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = count_step,
};
