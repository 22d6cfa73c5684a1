/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it accesses memory that is not there, in its first step. */
#include <boardbench/module.h>

#include <signal.h>

static int bad_step(struct bb_context *ctx)
{
	/* By the signal itself: a sanitizer would turn the access into an ordinary exit. */
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(crash) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "crash",
	.title = "misbehave on purpose",
	.text = "For tests only: it accesses memory that is not there, in its first step.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.step = bad_step,
};
