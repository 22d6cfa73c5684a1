/* SPDX-License-Identifier: MIT
 * Results in memory. */
#include "result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "mem.h"

const char *result_state_name(enum result_state state)
{
	static const char *const names[] = { "ok", "suspect", "failed", "cancelled", "unavailable",
		"unfinished" };

	return (unsigned)state < ARRAY_LEN(names) ? names[state] : "unknown";
}

void metric_result_finish(struct metric_result *metric)
{
	free(metric->name);
	free(metric->unit);
	free(metric->passes);
	*metric = (struct metric_result){ 0 };
}

static void params_finish(struct result_param *params, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		free(params[i].name);
		free(params[i].text);
		free(params[i].unit);
	}
	free(params);
}

static void metrics_finish(struct metric_result *metrics, size_t len)
{
	for (size_t i = 0; i < len; i++)
		metric_result_finish(&metrics[i]);
	free(metrics);
}

static void load_finish(struct result_load *load)
{
	free(load->subsystem);
	free(load->module);
	free(load->error);
	params_finish(load->params, load->params_len);
	metrics_finish(load->metrics, load->metrics_len);
}

void result_finish(struct result *result)
{
	free(result->board);
	free(result->subsystem);
	free(result->module);
	free(result->method);
	free(result->profile);
	free(result->error);
	params_finish(result->params, result->params_len);
	metrics_finish(result->metrics, result->metrics_len);
	for (size_t i = 0; i < result->loads_len; i++)
		load_finish(&result->loads[i]);
	free(result->loads);
	settings_finish(&result->actual);
	settings_finish(&result->environment);
	list_finish(&result->notes);
	list_finish(&result->kernel_messages);
	*result = (struct result){ 0 };
}

void result_add_note(struct result *result, const char *format, ...)
{
	char line[800];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	for (size_t i = 0; result->notes && result->notes[i]; i++)
		if (!strcmp(result->notes[i], line))
			return; /* each pass says the same */
	list_add(&result->notes, "%s", line);
}

void result_add_kernel_message(struct result *result, const char *text)
{
	if (list_len(result->kernel_messages) < 100)
		list_add(&result->kernel_messages, "%s", text);
}

const struct metric_result *result_metric(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->metrics_len; i++)
		if (!name || !strcmp(result->metrics[i].name, name))
			return &result->metrics[i];
	return NULL;
}

const struct result_param *result_param(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->params_len; i++)
		if (!strcmp(result->params[i].name, name))
			return &result->params[i];
	return NULL;
}
