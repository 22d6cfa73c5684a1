/* SPDX-License-Identifier: MIT
 *
 * A module for the tests of the command line: a parameter of each type, a metric whose value is given,
 * and ways to end that a real module shows only on bad days.
 */
#include <boardbench/module.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum behaviour { FINISH, STEADY, FAIL, CRASH, EXIT, ABSENT };

struct config {
	bool on;
	int64_t count;
	double level;
	uint64_t size, pause, rate;
	int32_t kind, behave;
	const char *label, *where;
};

struct state {
	int64_t done;
};

static const char *const kinds[] = { "copper", "silver", "golden", NULL };
static const char *const behaviours[] = { "finish", "steady", "fail", "crash", "exit", "absent", NULL };

static const struct bb_param params[] = {
	{ .name = "level", .text = "Value of the metric level.", .initial = "100", .minimum = 0, .maximum = 1000,
		BB_FIELD(BB_NUMBER, double, struct config, level) },
	{ .name = "count", .text = "Steps until the module is finished.", .initial = "3", .minimum = 1,
		.maximum = 100, BB_FIELD(BB_INTEGER, int64_t, struct config, count) },
	{ .name = "size", .text = "Bytes that are counted in a step.", .initial = "64KiB", .minimum = 1,
		.maximum = 1073741824, BB_FIELD(BB_SIZE, uint64_t, struct config, size) },
	{ .name = "pause", .text = "Wait in each step.", .initial = "1ms", .minimum = 0, .maximum = 1e9,
		BB_FIELD(BB_DURATION, uint64_t, struct config, pause) },
	{ .name = "rate", .text = "A rate that nothing uses.", .unit = "Hz", .initial = "48k", .minimum = 8000,
		.maximum = 192000, BB_FIELD(BB_RATE, uint64_t, struct config, rate) },
	{ .name = "kind", .text = "A choice that nothing uses.", .initial = "copper", .choices = kinds,
		BB_FIELD(BB_CHOICE, int32_t, struct config, kind) },
	{ .name = "behave", .text = "How the module ends.", .initial = "finish", .choices = behaviours,
		BB_FIELD(BB_CHOICE, int32_t, struct config, behave) },
	{ .name = "label", .text = "A text that nothing uses.", .initial = "",
		BB_FIELD(BB_TEXT, const char *, struct config, label) },
	{ .name = "where", .text = "A path that nothing uses.", .initial = "/",
		BB_FIELD(BB_PATH, const char *, struct config, where) },
	{ .name = "on", .text = "A flag that nothing uses.", .initial = "off",
		BB_FIELD(BB_FLAG, bool, struct config, on) },
};

static const struct bb_metric metrics[] = {
	{ .name = "level", .text = "What was asked for.", .unit = "MB/s", .scale = 1, .source = BB_GAUGE,
		.index = 0, .better = BB_HIGHER },
	{ .name = "bytes", .text = "What was counted.", .unit = "B", .scale = 1, .source = BB_TOTAL_OF,
		.index = 0, .better = BB_NEITHER },
	{ .name = "step", .text = "Time of each step.", .unit = "us", .scale = 1e-3, .source = BB_HISTOGRAM,
		.index = 0, .better = BB_LOWER },
};

static int probe(struct bb_context *ctx)
{
	const struct config *config = ctx->config;
	if (config->behave == ABSENT)
		return bb_fail(ctx, ENODEV, "no such thing here: plug it in");
	return 0;
}

static int step(struct bb_context *ctx)
{
	const struct config *config = ctx->config;
	struct state *state = ctx->state;
	uint64_t began = ctx->host->now(ctx);
	ctx->host->phase(ctx, "stepping");
	ctx->host->gauge(ctx, 0, config->level);
	if (config->pause > 0)
		ctx->host->wait(ctx, -1, began + config->pause);
	ctx->host->count(ctx, 0, config->size);
	ctx->host->sample(ctx, 0, ctx->host->now(ctx) - began);
	state->done++;
	switch ((enum behaviour)config->behave) {
	case FAIL:
		return bb_fail(ctx, EIO, "the device said no");
	case CRASH:
		/* Not abort(): the sanitizers' handlers would write a report of their own. */
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
		break;
	case EXIT:
		_Exit(0);
	case STEADY:
		return BB_GO_ON;
	default:
		break;
	}
	if (ctx->endless || ctx->warming)
		return BB_GO_ON;
	return state->done >= config->count ? BB_FINISHED : BB_GO_ON;
}

BB_MODULE(clitest) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "clitest",
	.title = "for the tests of the command line",
	.text = "Measures nothing.",
	.method = "Counts what it is told to count.",
	.version = "1",
	.group = "SYSTEM",
	.params_len = sizeof(params) / sizeof(params[0]),
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.params = params,
	.metrics = metrics,
	.config_size = sizeof(struct config),
	.state_size = sizeof(struct state),
	.probe = probe,
	.step = step,
};
