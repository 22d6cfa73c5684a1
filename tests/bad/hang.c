/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: its first step never comes back and ignores every signal that can be ignored. */
#include <boardbench/module.h>

#include <signal.h>
#include <unistd.h>

static int bad_step(struct bb_context *ctx)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (pause() < 0)
		continue;
	return 0;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(hang) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "hang",
	.title = "misbehave on purpose",
	.text = "For tests only: its first step never comes back and ignores every signal that can be ignored.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
