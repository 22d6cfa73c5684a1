/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: its probe never comes back. */
#include <boardbench/module.h>

#include <unistd.h>

static int bad_probe(struct bb_context *ctx)
{
	while (pause() < 0)
		continue;
	return 0;
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

BB_MODULE(hang_probe) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "hang-probe",
	.title = "misbehave on purpose",
	.text = "For tests only: its probe never comes back.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.probe = bad_probe,
	.step = count_step,
};
