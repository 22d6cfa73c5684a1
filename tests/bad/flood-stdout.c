/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it prints without end. */
#include <boardbench/module.h>

#include <stdio.h>

static int bad_step(struct bb_context *ctx)
{
	for (int i = 0; i < 1000; i++)
		printf("line %d of a module that prints without end\n", i);
	fprintf(stderr, "and once more a step, on stderr\n");
	fflush(stdout);
	bb_count(ctx, 0, 1000);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(flood_stdout) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "flood-stdout",
	.title = "misbehave on purpose",
	.text = "For tests only: it prints without end.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
