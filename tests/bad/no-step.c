/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it has no step. */
#include <boardbench/module.h>


static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(no_step) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "no-step",
	.title = "misbehave on purpose",
	.text = "For tests only: it has no step.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
};
