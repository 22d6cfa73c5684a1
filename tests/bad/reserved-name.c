/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: a parameter has a name that is the workbench's own. */
#include <boardbench/module.h>

struct config {
	uint64_t duration;
};

static const struct bb_param params[] = {
	{ .name = "duration", .text = "Nothing.", .initial = "1",
	  BB_FIELD(BB_DURATION, uint64_t, struct config, duration) },
};

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

BB_MODULE(reserved_name) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "reserved-name",
	.title = "misbehave on purpose",
	.text = "For tests only: a parameter has a name that is the workbench's own.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.params = params,
	.params_len = sizeof(params) / sizeof(params[0]),
	.config_size = sizeof(struct config),
	.step = count_step,
};
