/* SPDX-License-Identifier: MIT */
/* A host for one module without a workbench. */
#include "fake_host.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct fake_host *fake_of(struct bb_context *ctx)
{
	return (struct fake_host *)ctx;
}

static void keep(struct fake_texts *texts, const char *text)
{
	if (texts->len < FAKE_TEXTS)
		texts->items[texts->len++] = strdup(text);
}

static uint64_t fake_now(struct bb_context *ctx)
{
	struct fake_host *fake = fake_of(ctx);
	uint64_t now = fake->clock;

	fake->clock += fake->tick;
	return now;
}

static void fake_count(struct bb_context *ctx, uint32_t counter, uint64_t amount)
{
	assert_true(counter < BB_COUNTERS_MAX);
	fake_of(ctx)->counters[counter] += amount;
}

static void fake_sample(struct bb_context *ctx, uint32_t histogram, uint64_t value)
{
	struct fake_host *fake = fake_of(ctx);

	assert_true(histogram < BB_HISTOGRAMS_MAX);
	if (ctx->warming)
		return;
	if (!fake->histograms[histogram].count++ || value < fake->histograms[histogram].min)
		fake->histograms[histogram].min = value;
	if (value > fake->histograms[histogram].max)
		fake->histograms[histogram].max = value;
	fake->histograms[histogram].sum += value;
}

static void fake_gauge(struct bb_context *ctx, uint32_t gauge, double value)
{
	assert_true(gauge < BB_GAUGES_MAX);
	fake_of(ctx)->gauges[gauge] = value;
	fake_of(ctx)->gauge_set[gauge] = true;
}

static void fake_phase(struct bb_context *ctx, const char *name)
{
	keep(&fake_of(ctx)->phases, name);
}

static void fake_progress(struct bb_context *ctx, double fraction)
{
	assert_true(fraction >= 0 && fraction <= 1);
	fake_of(ctx)->progress = fraction;
}

static void fake_actual(struct bb_context *ctx, uint32_t param, const char *value)
{
	struct fake_host *fake = fake_of(ctx);
	char text[256];

	assert_true(param < fake->module->params_len);
	snprintf(text, sizeof(text), "%s=%s", fake->module->params[param].name, value);
	keep(&fake->actuals, text);
}

static int fake_wait(struct bb_context *ctx, int fd, uint64_t until_ns)
{
	struct fake_host *fake = fake_of(ctx);

	assert_true(fd < 0);
	if (ctx->ending)
		return -EINTR;
	if (fake->clock < until_ns)
		fake->clock = until_ns;
	return 0;
}

__attribute__((format(printf, 2, 3))) static void fake_note(struct bb_context *ctx, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	keep(&fake_of(ctx)->notes, text);
}

__attribute__((format(printf, 2, 3))) static void fake_suspect(struct bb_context *ctx, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	keep(&fake_of(ctx)->suspects, text);
}

__attribute__((format(printf, 3, 4))) static int fake_fail(struct bb_context *ctx, int error, const char *format, ...)
{
	struct fake_host *fake = fake_of(ctx);
	va_list arguments;

	assert_true(error > 0);
	if (fake->error)
		return -error;
	fake->error = error;
	va_start(arguments, format);
	vsnprintf(fake->failure, sizeof(fake->failure), format, arguments);
	va_end(arguments);
	return -error;
}

static void fake_fact(struct bb_context *ctx, const char *key, const char *value)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s=%s", key, value);
	keep(&fake_of(ctx)->facts, text);
}

static void fake_offer(struct bb_context *ctx, uint32_t param, const char *value,
	const char *description, uint32_t state)
{
	struct fake_host *fake = fake_of(ctx);
	char text[1024];

	assert_true(param < fake->module->params_len);
	snprintf(text, sizeof(text), "%s: %s", value, description);
	keep(&fake->offers, text);
	fake->offers_ready += state == BB_OFFER_READY;
}

static int fake_change(struct bb_context *ctx, uint32_t kind, const char *path, const char *text)
{
	struct fake_host *fake = fake_of(ctx);

	if (fake->refuse_change)
		return -fake->refuse_change;
	if (kind == BB_CHANGE_CREATE && access(path, F_OK) == 0)
		return -EEXIST;
	keep(kind == BB_CHANGE_CREATE ? &fake->created : &fake->written, path);
	return 0;
}

static const struct bb_host host = {
	.struct_size = sizeof(struct bb_host),
	.now = fake_now,
	.count = fake_count,
	.sample = fake_sample,
	.gauge = fake_gauge,
	.phase = fake_phase,
	.progress = fake_progress,
	.actual = fake_actual,
	.wait = fake_wait,
	.note = fake_note,
	.suspect = fake_suspect,
	.fail = fake_fail,
	.fact = fake_fact,
	.offer = fake_offer,
	.change = fake_change,
};

static const struct {
	const char *name;
	double factor;
} units[] = {
	{ "", 1 }, { "KiB", 1024 }, { "MiB", 1048576 }, { "GiB", 1073741824.0 }, { "ns", 1 },
	{ "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "k", 1e3 },
};

static bool read_number(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	for (size_t i = 0; end != text && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) == 0) {
			*number *= units[i].factor;
			return true;
		}
	}
	return false;
}

static void store(const struct bb_param *param, const char *text, void *config)
{
	char *field = (char *)config + param->offset;
	double number = 0;

	if (param->type != BB_FLAG && param->type != BB_CHOICE && param->type != BB_TEXT &&
		param->type != BB_PATH) {
		if (!read_number(text, &number))
			fail_msg("%s: cannot read \"%s\"", param->name, text);
		if ((param->minimum != 0 || param->maximum != 0) &&
			(number < param->minimum || number > param->maximum))
			fail_msg("%s: %s is out of range", param->name, text);
	}
	switch (param->type) {
	case BB_FLAG:
		assert_true(strcmp(text, "on") == 0 || strcmp(text, "off") == 0);
		*(bool *)(void *)field = strcmp(text, "on") == 0;
		return;
	case BB_INTEGER:
		*(int64_t *)(void *)field = (int64_t)number;
		return;
	case BB_NUMBER:
		*(double *)(void *)field = number;
		return;
	case BB_SIZE:
	case BB_DURATION:
	case BB_RATE:
		*(uint64_t *)(void *)field = (uint64_t)number;
		return;
	case BB_CHOICE:
		for (int32_t i = 0; param->choices[i]; i++) {
			if (strcmp(param->choices[i], text) == 0) {
				*(int32_t *)(void *)field = i;
				return;
			}
		}
		fail_msg("%s: no choice %s", param->name, text);
		return;
	default:
		*(const char **)(void *)field = text;
	}
}

void fake_init(struct fake_host *fake, const struct bb_module *module)
{
	*fake = (struct fake_host){ .module = module };
	void *config = calloc(1, module->config_size ? module->config_size : 1);
	assert_non_null(config);
	for (uint32_t i = 0; i < module->params_len; i++)
		store(&module->params[i], module->params[i].initial, config);
	fake->ctx = (struct bb_context){
		.host = &host,
		.config = config,
		.state = calloc(1, module->state_size ? module->state_size : 1),
		.root = "",
		.instances = 1,
		.cpu = -1,
	};
	assert_non_null(fake->ctx.state);
}

static void forget(struct fake_texts *texts)
{
	for (size_t i = 0; i < texts->len; i++)
		free(texts->items[i]);
	texts->len = 0;
}

void fake_finish(struct fake_host *fake)
{
	struct fake_texts *all[] = { &fake->phases, &fake->notes, &fake->suspects, &fake->actuals,
		&fake->facts, &fake->offers, &fake->created, &fake->written };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		forget(all[i]);
	free((void *)(uintptr_t)fake->ctx.config);
	free(fake->ctx.state);
}

void fake_set(struct fake_host *fake, const char *name, const char *text)
{
	for (uint32_t i = 0; i < fake->module->params_len; i++) {
		if (strcmp(fake->module->params[i].name, name) == 0) {
			store(&fake->module->params[i], text, (void *)(uintptr_t)fake->ctx.config);
			return;
		}
	}
	fail_msg("no parameter %s", name);
}

const char *fake_find(const struct fake_texts *texts, const char *start)
{
	for (size_t i = 0; i < texts->len; i++) {
		if (strncmp(texts->items[i], start, strlen(start)) == 0)
			return texts->items[i];
	}
	return NULL;
}

int fake_prepare(struct fake_host *fake)
{
	return fake->module->prepare ? fake->module->prepare(&fake->ctx) : 0;
}

int fake_run(struct fake_host *fake, unsigned max)
{
	int result = BB_GO_ON;

	while (result == BB_GO_ON && max--)
		result = fake->module->step(&fake->ctx);
	return result;
}

void fake_cleanup(struct fake_host *fake)
{
	if (fake->module->cleanup)
		fake->module->cleanup(&fake->ctx);
}
