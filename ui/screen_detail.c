/* SPDX-License-Identifier: MIT
 * Everything of one result. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app.h"
#include "latest.h"
#include "mem.h"
#include "screen_text.h"
#include "value.h"

struct detail {
	struct screen_text text;
	struct result result;
};

static void add_settings(struct lines *lines, const char *title, const struct settings *settings)
{
	if (settings->len)
		lines_add(lines, STYLE_HEADING, "%s", title);
	for (size_t i = 0; i < settings->len; i++) {
		char text[600];
		snprintf(text, sizeof(text), "  %-16s %s", settings->items[i].name, settings->items[i].text);
		lines_add_wrapped(lines, STYLE_NORMAL, SCREEN_TEXT_WIDTH, 19, text);
	}
}

static void add_params(struct lines *lines, const struct result_param *params, size_t len)
{
	for (size_t i = 0; i < len; i++)
		lines_add(lines, STYLE_NORMAL, "  %-16s %s%s%s", params[i].name, params[i].text,
			params[i].unit ? " " : "", params[i].unit ? params[i].unit : "");
}

static void add_metric(struct lines *lines, const struct metric_result *metric)
{
	char a[32], b[32], c[32], d[32];

	lines_add(lines, STYLE_NORMAL, "  %-16s %s %s  (%s .. %s, deviation %s, %llu %s)", metric->name,
		number_format(metric->value, a, sizeof(a)), metric->unit,
		number_format(metric->min, b, sizeof(b)), number_format(metric->max, c, sizeof(c)),
		number_format(metric->stddev, d, sizeof(d)), (unsigned long long)metric->samples,
		metric->has_percentiles ? "values" : "passes");
	if (metric->has_percentiles)
		lines_add(lines, STYLE_NORMAL, "  %-16s median %s, 90 %% %s, 99 %% %s, 99.9 %% %s (within %.1f %%)", "",
			number_format(metric->median, a, sizeof(a)), number_format(metric->p90, b, sizeof(b)),
			number_format(metric->p99, c, sizeof(c)), number_format(metric->p999, d, sizeof(d)),
			metric->error * 100);
}

static void add_cpu(struct lines *lines, const struct cpu_load *cpu)
{
	struct text each = { 0 };

	if (!cpu->valid)
		return;
	lines_add(lines, STYLE_HEADING, "CPU");
	lines_add(lines, STYLE_NORMAL, "  load %.1f %%  user %.1f  system %.1f  irq %.1f  softirq %.1f  wait %.1f  "
		"steal %.1f", cpu->load, cpu->user, cpu->system, cpu->irq, cpu->softirq, cpu->iowait, cpu->steal);
	lines_add(lines, STYLE_NORMAL, "  worker %.1f %%  workbench %.1f %%  one tick is worth %.2f %%", cpu->worker,
		cpu->workbench, cpu->resolution);
	for (uint32_t i = 0; i < cpu->cpus_len; i++)
		if (cpu->cpus[i] >= 0)
			text_add(&each, "%scpu%u %.0f %%", each.length ? "  " : "", i, (double)cpu->cpus[i]);
	if (each.data)
		lines_add_wrapped(lines, STYLE_NORMAL, SCREEN_TEXT_WIDTH - 2, 2, each.data);
	text_finish(&each);
}

static void add_words(struct lines *lines, const char *title, char *const *words)
{
	if (words && words[0])
		lines_add(lines, STYLE_HEADING, "%s", title);
	for (size_t i = 0; words && words[i]; i++) {
		_autofree_ char *text = text_printf("  %s", words[i]);
		lines_add_wrapped(lines, STYLE_NORMAL, SCREEN_TEXT_WIDTH, 4, text);
	}
}

static void fill(struct lines *lines, const struct result *result)
{
	char when[40] = "-";
	time_t seconds = (time_t)result->time;
	struct tm parts;

	if (localtime_r(&seconds, &parts))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &parts);
	lines_add(lines, result->state == RESULT_OK ? STYLE_GOOD : STYLE_WARNING, "%s  %s  %s%s, %u pass%s, %.2f s",
		result->id, result_state_name(result->state), when,
		result->clock_unset ? " (clock not set)" : "", result->repeat, result->repeat == 1 ? "" : "es",
		result->elapsed_s);
	if (result->error)
		lines_add_wrapped(lines, STYLE_BAD, SCREEN_TEXT_WIDTH, 2, result->error);
	lines_add(lines, STYLE_HEADING, "parameters of %s, method %s", result->module, result->method);
	add_params(lines, result->params, result->params_len);
	add_settings(lines, "really used", &result->actual);
	lines_add(lines, STYLE_HEADING, "figures");
	for (size_t i = 0; i < result->metrics_len; i++)
		add_metric(lines, &result->metrics[i]);
	for (size_t i = 0; i < result->loads_len; i++) {
		lines_add(lines, STYLE_HEADING, "load %s: %s", result->loads[i].subsystem,
			result->loads[i].error ? result->loads[i].error : "ran to the end");
		add_params(lines, result->loads[i].params, result->loads[i].params_len);
		for (size_t j = 0; j < result->loads[i].metrics_len; j++)
			add_metric(lines, &result->loads[i].metrics[j]);
	}
	add_cpu(lines, &result->cpu);
	add_words(lines, "notes", result->notes);
	add_words(lines, "messages of the kernel", result->kernel_messages);
	add_settings(lines, "environment", &result->environment);
}

static void act_why(struct screen *screen, int key)
{
	struct result copy;

	(void)key;
	latest_copy(&((struct detail *)screen)->result, &copy);
	app_push(screen->app, screen_why_create(screen->app, &copy));
}

static void detail_destroy(struct screen *screen)
{
	result_finish(&((struct detail *)screen)->result);
	screen_text_destroy(screen);
}

static const struct screen_key keys[] = {
	SCREEN_TEXT_KEYS,
	{ 'y', NULL, "why slow", "What held this result down.", act_why, NULL },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "Everything that was recorded with one result.",
	.keys = keys,
	.title = screen_text_title,
	.draw = screen_text_draw,
	.key = screen_text_key,
	.destroy = detail_destroy,
};

struct screen *screen_detail_create(struct app *app, struct result *result)
{
	struct detail *detail = mem_zalloc(1, sizeof(*detail));

	detail->text.screen = (struct screen){ &ops, app };
	detail->result = *result;
	*result = (struct result){ 0 };
	snprintf(detail->text.title, sizeof(detail->text.title), "result: %s", detail->result.subsystem);
	fill(&detail->text.lines, &detail->result);
	return &detail->text.screen;
}
