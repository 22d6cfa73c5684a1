/* SPDX-License-Identifier: MIT */
/* The null module: counts made-up things at a set rate. For tests, and the first one to read. */
#include <boardbench/module.h>

/* Every number that leaves this module follows from its parameters alone: work is dealt out on a
 * time of its own that goes on by exactly one step time per step, and the clock is only waited for.
 * README.md walks through this file. */

enum null_shape { SHAPE_CONSTANT, SHAPE_RAMP, SHAPE_SQUARE, SHAPE_NOISE };

static const char *const shapes[] = { "constant", "ramp", "square", "noise", NULL };

/* The host fills this from the parameters below, through .offset. */
struct null_config {
	uint64_t rate;
	int32_t shape;
	uint64_t period;
	int64_t work;
	uint64_t step_time;
	uint64_t value;
};

/* What one instance remembers between its calls; zeroed by the host. */
struct null_state {
	bool begun, was_warming;
	uint64_t start;   /* on the host's clock */
	uint64_t elapsed; /* on our own: whole steps */
	uint64_t done;    /* counts so far */
	uint64_t rest;    /* of the last division, so that nothing is lost to rounding */
	uint32_t random;
};

enum { COUNT_THINGS };
enum { GAUGE_LEVEL };
enum { HISTOGRAM_VALUE };

#define NS_PER_S UINT64_C(1000000000)

/* Percent of the asked rate during this step: 50..150, 100 on the average. */
static uint32_t level_now(const struct null_config *config, struct null_state *state)
{
	uint64_t place = state->elapsed % config->period;

	switch (config->shape) {
	case SHAPE_RAMP:
		return 50 + (uint32_t)(place * 100 / config->period);
	case SHAPE_SQUARE:
		return place < config->period / 2 ? 150 : 50;
	case SHAPE_NOISE:
		/* Marsaglia's xorshift with 32 bits: small, and the same on every machine. */
		state->random ^= state->random << 13;
		state->random ^= state->random >> 17;
		state->random ^= state->random << 5;
		return 50 + state->random % 101;
	default:
		return 100;
	}
}

static void begin(struct bb_context *ctx)
{
	struct null_state *state = ctx->state;

	*state = (struct null_state){
		.begun = true,
		.was_warming = ctx->warming,
		.start = bb_now(ctx),
		.random = 2463534242u + ctx->instance,
	};
	bb_phase(ctx, "counting");
}

static int null_step(struct bb_context *ctx)
{
	const struct null_config *config = ctx->config;
	struct null_state *state = ctx->state;

	if (!state->begun || state->was_warming != ctx->warming)
		begin(ctx);
	if (ctx->ending)
		return BB_GO_ON;

	uint32_t level = level_now(config, state);
	state->elapsed += config->step_time;
	if (bb_wait(ctx, -1, state->start + state->elapsed) < 0)
		return BB_GO_ON;

	/* At most 1e9 * 1e8 ns * 150 = 1.5e19: the parameters' limits keep it below 2^64. */
	uint64_t share = config->rate * config->step_time * level + state->rest;
	uint64_t amount = share / (NS_PER_S * 100);
	state->rest = share % (NS_PER_S * 100);

	bool fixed = config->work > 0 && !ctx->warming && !ctx->endless;
	if (fixed && amount > (uint64_t)config->work - state->done)
		amount = (uint64_t)config->work - state->done;
	state->done += amount;

	bb_count(ctx, COUNT_THINGS, amount);
	bb_gauge(ctx, GAUGE_LEVEL, level);
	bb_sample(ctx, HISTOGRAM_VALUE, config->value / 100 * level);
	if (!fixed)
		return BB_GO_ON;
	bb_progress(ctx, (double)state->done / (double)config->work);
	return state->done == (uint64_t)config->work ? BB_FINISHED : BB_GO_ON;
}

static const struct bb_param params[] = {
	{ .name = "rate", .text = "How many things are counted in a second, on the average.",
	  .unit = "1/s", .initial = "1000000", .minimum = 1, .maximum = 1e9,
	  BB_FIELD(BB_RATE, uint64_t, struct null_config, rate) },
	{ .name = "shape", .text = "How the rate moves around that average, by half of it up and down.",
	  .initial = "constant", .choices = shapes,
	  BB_FIELD(BB_CHOICE, int32_t, struct null_config, shape) },
	{ .name = "period", .text = "After what time a ramp or a square wave begins again.",
	  .initial = "1s", .minimum = 1e6, .maximum = 3600e9,
	  BB_FIELD(BB_DURATION, uint64_t, struct null_config, period) },
	{ .name = "work", .text = "After how many counts it is finished; 0 goes on until it is stopped.",
	  .initial = "0", .minimum = 0, .maximum = 1e15,
	  BB_FIELD(BB_INTEGER, int64_t, struct null_config, work) },
	{ .name = "step_time", .text = "How long one step waits before it counts.",
	  .initial = "10ms", .minimum = 1e3, .maximum = 100e6,
	  BB_FIELD(BB_DURATION, uint64_t, struct null_config, step_time) },
	{ .name = "value", .text = "The value that each step records, times the shape.",
	  .initial = "1ms", .minimum = 0, .maximum = 3600e9,
	  BB_FIELD(BB_DURATION, uint64_t, struct null_config, value) },
};

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = COUNT_THINGS, .better = BB_HIGHER },
	{ .name = "total", .text = "Things counted in all.", .unit = "1", .scale = 1,
	  .source = BB_TOTAL_OF, .index = COUNT_THINGS, .better = BB_NEITHER },
	{ .name = "period", .text = "Time from one thing to the next.", .unit = "us", .scale = 1e6,
	  .source = BB_PERIOD_OF, .index = COUNT_THINGS, .better = BB_LOWER },
	{ .name = "level", .text = "Where the shape stands, of the asked rate.", .unit = "%",
	  .scale = 1, .source = BB_GAUGE, .index = GAUGE_LEVEL, .better = BB_NEITHER },
	{ .name = "value", .text = "The recorded values.", .unit = "us", .scale = 1e-3,
	  .source = BB_HISTOGRAM, .index = HISTOGRAM_VALUE, .better = BB_LOWER },
};

BB_MODULE(null) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "null",
	.title = "count made-up things",
	.text = "Counts things that do not exist, at a rate and in a shape of your choice. It measures "
		"nothing: it shows what the workbench itself does, and what a module looks like.",
	.method = "Each step waits for its step time, then counts as many things as the rate and the "
		"shape give for that time. A machine that is too slow for the steps counts less.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN | BB_ENDLESS,
	.params_len = sizeof(params) / sizeof(params[0]),
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.params = params,
	.metrics = metrics,
	.config_size = sizeof(struct null_config),
	.state_size = sizeof(struct null_state),
	.step = null_step,
};
