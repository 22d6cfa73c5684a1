/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: its prepare fails. */
#include <boardbench/module.h>

#include <errno.h>

static int bad_prepare(struct bb_context *ctx)
{
	return bb_fail(ctx, EBUSY, "cannot prepare, on purpose: nothing can be done about it");
}

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

BB_MODULE(fail_prepare) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "fail-prepare",
	.title = "misbehave on purpose",
	.text = "For tests only: its prepare fails.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.prepare = bad_prepare,
	.step = count_step,
};
