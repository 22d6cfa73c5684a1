/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it fails after a hundred steps. */
#include <boardbench/module.h>

#include <errno.h>

static int bad_step(struct bb_context *ctx)
{
	int *steps = ctx->state;

	bb_wait(ctx, -1, bb_now(ctx) + 1000000);
	bb_count(ctx, 0, 1000);
	if (++*steps == 100)
		return bb_fail(ctx, EIO, "failed at step %d, on purpose", *steps);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(fail_step) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "fail-step",
	.title = "misbehave on purpose",
	.text = "For tests only: it fails after a hundred steps.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.state_size = sizeof(int),
	.step = bad_step,
};
