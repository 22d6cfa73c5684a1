/* SPDX-License-Identifier: MIT
 * Results to and from JSON, as the command-line contract shows it. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "list.h"
#include "mem.h"
#include "result.h"

#define SCHEMA "boardbench.result/1"
#define ITEMS_MAX 4096 /* parameters, metrics, ... of one result: more is nothing of ours */

static const char *const type_names[] = { "", "flag", "integer", "number", "size", "duration", "rate",
	"choice", "text", "path" };

static void put_param(struct text *text, const struct result_param *param)
{
	switch (param->type) {
	case BB_FLAG:
		json_put_bool(text, param->name, param->number != 0);
		break;
	case BB_INTEGER:
	case BB_NUMBER:
	case BB_SIZE:
	case BB_DURATION:
	case BB_RATE:
		json_put_double(text, param->name, param->number);
		break;
	default:
		json_put_string(text, param->name, param->text);
		break;
	}
}

/* The values for programs; beside them how they were typed, so that a reader gets them back exactly. */
static void put_params(struct text *text, const struct result_param *params, size_t len)
{
	json_put_object(text, "parameters");
	for (size_t i = 0; i < len; i++)
		put_param(text, &params[i]);
	json_put_object_end(text);
	json_put_array(text, "parameter_texts");
	for (size_t i = 0; i < len; i++) {
		json_put_array(text, NULL);
		json_put_string(text, NULL, params[i].name);
		json_put_string(text, NULL, params[i].text);
		json_put_string(text, NULL, type_names[params[i].type]);
		json_put_string(text, NULL, params[i].unit);
		json_put_array_end(text);
	}
	json_put_array_end(text);
}

static void put_metric(struct text *text, const struct metric_result *metric)
{
	json_put_object(text, metric->name);
	json_put_string(text, "unit", metric->unit);
	json_put_double(text, "value", metric->value);
	json_put_double(text, "min", metric->min);
	json_put_double(text, "max", metric->max);
	json_put_double(text, "stddev", metric->stddev);
	json_put_double(text, "median", metric->median);
	json_put_uint(text, "samples", metric->samples);
	json_put_string(text, "better", metric->better == BB_HIGHER ? "higher" :
		metric->better == BB_LOWER ? "lower" : NULL);
	if (metric->has_percentiles) {
		json_put_double(text, "p90", metric->p90);
		json_put_double(text, "p99", metric->p99);
		json_put_double(text, "p999", metric->p999);
		json_put_double(text, "percentile_error", metric->error);
	}
	if (metric->passes_len) {
		json_put_array(text, "passes");
		for (size_t i = 0; i < metric->passes_len; i++)
			json_put_double(text, NULL, metric->passes[i]);
		json_put_array_end(text);
	}
	json_put_object_end(text);
}

static void put_metrics(struct text *text, const struct metric_result *metrics, size_t len)
{
	json_put_object(text, "metrics");
	for (size_t i = 0; i < len; i++)
		put_metric(text, &metrics[i]);
	json_put_object_end(text);
}

static void put_loads(struct text *text, const struct result *result)
{
	json_put_array(text, "with");
	for (size_t i = 0; i < result->loads_len; i++) {
		const struct result_load *load = &result->loads[i];
		json_put_object(text, NULL);
		json_put_string(text, "subsystem", load->subsystem);
		json_put_string(text, "module", load->module);
		put_params(text, load->params, load->params_len);
		json_put_string(text, "state", result_state_name(load->state));
		json_put_string(text, "error", load->error);
		put_metrics(text, load->metrics, load->metrics_len);
		json_put_object_end(text);
	}
	json_put_array_end(text);
}

/* Three decimals are a hundredth of what one tick is worth in ten hours. */
static double rounded(double percent)
{
	return round(percent * 1000) / 1000;
}

static void put_cpu(struct text *text, const struct cpu_load *cpu)
{
	if (!cpu->valid) {
		json_put_null(text, "cpu");
		return;
	}
	const struct { const char *key; double value; } shares[] = {
		{ "load", cpu->load }, { "user", cpu->user }, { "system", cpu->system }, { "irq", cpu->irq },
		{ "softirq", cpu->softirq }, { "iowait", cpu->iowait }, { "steal", cpu->steal },
		{ "worker", cpu->worker }, { "workbench", cpu->workbench }, { "resolution", cpu->resolution },
	};
	json_put_object(text, "cpu");
	for (size_t i = 0; i < ARRAY_LEN(shares); i++)
		json_put_double(text, shares[i].key, rounded(shares[i].value));
	json_put_array(text, "per_cpu");
	for (uint32_t i = 0; i < cpu->cpus_len; i++) {
		if (cpu->cpus[i] < 0)
			json_put_null(text, NULL);
		else
			json_put_double(text, NULL, rounded((double)cpu->cpus[i]));
	}
	json_put_array_end(text);
	json_put_object_end(text);
}

/* A plain number ("1000", "51.0") is one in JSON too, when it reads back as the same text but for a ".0": a
 * version "6.10" or a serial number "0012" is none. */
static bool is_plain_number(const char *text, double number)
{
	char again[32];

	snprintf(again, sizeof(again), "%.10g", number);
	size_t length = strlen(again);
	if (strncmp(text, again, length))
		return false;
	return !text[length] || (!strpbrk(again, ".e") && !strcmp(text + length, ".0"));
}

static void put_fact(struct text *text, const struct setting *fact)
{
	double number = strtod(fact->text, NULL);

	if (isfinite(number) && is_plain_number(fact->text, number))
		json_put_double(text, fact->name, number);
	else
		json_put_string(text, fact->name, fact->text);
}

static void put_strings(struct text *text, const char *key, char *const *strings)
{
	json_put_array(text, key);
	for (size_t i = 0; strings && strings[i]; i++)
		json_put_string(text, NULL, strings[i]);
	json_put_array_end(text);
}

static void put_head(struct text *text, const struct result *result)
{
	char stamp[32] = "";
	time_t time = (time_t)result->time;
	struct tm parts;

	if (gmtime_r(&time, &parts))
		strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &parts);
	json_put_string(text, "schema", SCHEMA);
	json_put_string(text, "id", result->id);
	json_put_string(text, "time", stamp);
	json_put_bool(text, "clock_unset", result->clock_unset);
	json_put_string(text, "run", result->run);
	json_put_uint(text, "case", result->case_index);
	json_put_uint(text, "cases", result->cases);
	json_put_string(text, "boot_id", result->boot_id);
	json_put_uint(text, "monotonic_ns", result->monotonic_ns);
	json_put_string(text, "board", result->board);
	json_put_string(text, "subsystem", result->subsystem);
	json_put_string(text, "module", result->module);
	json_put_string(text, "method", result->method);
	json_put_string(text, "profile", result->profile);
}

void result_to_json(const struct result *result, struct text *text)
{
	json_put_object(text, NULL);
	put_head(text, result);
	put_params(text, result->params, result->params_len);
	json_put_object(text, "actual");
	for (size_t i = 0; i < result->actual.len; i++)
		json_put_string(text, result->actual.items[i].name, result->actual.items[i].text);
	json_put_object_end(text);
	put_loads(text, result);
	json_put_string(text, "state", result_state_name(result->state));
	json_put_string(text, "error", result->error);
	json_put_uint(text, "repeat", result->repeat);
	put_metrics(text, result->metrics, result->metrics_len);
	put_cpu(text, &result->cpu);
	json_put_double(text, "elapsed_s", result->elapsed_s);
	json_put_object(text, "environment");
	for (size_t i = 0; i < result->environment.len; i++)
		put_fact(text, &result->environment.items[i]);
	json_put_object_end(text);
	put_strings(text, "notes", result->notes);
	put_strings(text, "kernel_messages", result->kernel_messages);
	json_put_object_end(text);
	text_add(text, "\n");
}

static const char *get_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static double get_number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static char *get_copy(const json_t *object, const char *key)
{
	return mem_strdup(get_text(object, key));
}

static char *get_copy_or_empty(const json_t *object, const char *key)
{
	const char *text = get_text(object, key);

	return mem_strdup(text ? text : "");
}

static void get_id(const json_t *object, const char *key, char *buffer, size_t size)
{
	const char *text = get_text(object, key);

	snprintf(buffer, size, "%s", text ? text : "");
}

static enum result_state get_state(const json_t *object)
{
	const char *name = get_text(object, "state");

	for (int i = RESULT_OK; i <= RESULT_UNFINISHED; i++)
		if (name && !strcmp(name, result_state_name((enum result_state)i)))
			return (enum result_state)i;
	return RESULT_FAILED;
}

static int64_t get_time(const json_t *object)
{
	const char *stamp = get_text(object, "time");
	struct tm parts = { 0 };

	if (!stamp || !strptime(stamp, "%Y-%m-%dT%H:%M:%SZ", &parts))
		return 0;
	return (int64_t)timegm(&parts);
}

static bool get_param(const json_t *item, const json_t *values, struct result_param *param)
{
	const char *name = json_string_value(json_array_get(item, 0));
	const char *text = json_string_value(json_array_get(item, 1));
	const char *type = json_string_value(json_array_get(item, 2));
	size_t index = BB_FLAG;

	if (!name || !text || !type)
		return false;
	while (index <= BB_PATH && strcmp(type_names[index], type))
		index++;
	if (index > BB_PATH)
		return false;
	const json_t *value = json_object_get(values, name);
	*param = (struct result_param){ .name = mem_strdup(name), .text = mem_strdup(text),
		.unit = mem_strdup(json_string_value(json_array_get(item, 3))), .type = (enum bb_type)index,
		.number = json_is_true(value) ? 1 : json_number_value(value) };
	return true;
}

static struct result_param *get_params(const json_t *object, size_t *len)
{
	const json_t *texts = json_object_get(object, "parameter_texts");
	const json_t *values = json_object_get(object, "parameters");
	size_t size = json_array_size(texts);
	struct result_param *params = mem_zalloc(size + 1, sizeof(*params));

	*len = 0;
	for (size_t i = 0; i < size && i < ITEMS_MAX; i++) {
		const char *name = json_string_value(json_array_get(json_array_get(texts, i), 0));
		bool known = false;
		for (size_t j = 0; name && j < *len; j++)
			known = known || !strcmp(params[j].name, name);
		if (!known && get_param(json_array_get(texts, i), values, &params[*len]))
			(*len)++;
	}
	return params;
}

static uint64_t get_samples(const json_t *object)
{
	json_int_t samples = json_integer_value(json_object_get(object, "samples"));

	return samples > 0 ? (uint64_t)samples : 0;
}

static void get_metric(const char *name, const json_t *object, struct metric_result *metric)
{
	const char *unit = get_text(object, "unit"), *better = get_text(object, "better");
	const json_t *passes = json_object_get(object, "passes");

	*metric = (struct metric_result){
		.name = mem_strdup(name), .unit = mem_strdup(unit ? unit : ""),
		.better = !better ? BB_NEITHER : !strcmp(better, "higher") ? BB_HIGHER : BB_LOWER,
		.value = get_number(object, "value"), .min = get_number(object, "min"),
		.max = get_number(object, "max"), .stddev = get_number(object, "stddev"),
		.median = get_number(object, "median"), .samples = get_samples(object),
		.has_percentiles = json_object_get(object, "p99") != NULL,
		.p90 = get_number(object, "p90"), .p99 = get_number(object, "p99"),
		.p999 = get_number(object, "p999"), .error = get_number(object, "percentile_error"),
	};
	metric->passes_len = json_array_size(passes);
	if (metric->passes_len > 1000000)
		metric->passes_len = 0;
	metric->passes = mem_zalloc(metric->passes_len + 1, sizeof(*metric->passes));
	for (size_t i = 0; i < metric->passes_len; i++)
		metric->passes[i] = json_number_value(json_array_get(passes, i));
}

static struct metric_result *get_metrics(const json_t *object, size_t *len)
{
	json_t *metrics = json_object_get(object, "metrics");
	struct metric_result *results = mem_zalloc(json_object_size(metrics) + 1, sizeof(*results));
	const char *name;
	json_t *value;

	*len = 0;
	json_object_foreach(metrics, name, value)
		if (json_is_object(value))
			get_metric(name, value, &results[(*len)++]);
	return results;
}

static void get_loads(const json_t *object, struct result *result)
{
	const json_t *loads = json_object_get(object, "with");
	size_t size = json_array_size(loads);

	result->loads = mem_zalloc(size + 1, sizeof(*result->loads));
	for (size_t i = 0; i < size && i < ITEMS_MAX; i++) {
		const json_t *item = json_array_get(loads, i);
		struct result_load *load = &result->loads[result->loads_len++];
		load->subsystem = get_copy_or_empty(item, "subsystem");
		load->module = get_copy_or_empty(item, "module");
		load->error = get_copy(item, "error");
		load->state = get_state(item);
		load->params = get_params(item, &load->params_len);
		load->metrics = get_metrics(item, &load->metrics_len);
	}
}

static void get_cpu(const json_t *object, struct cpu_load *cpu)
{
	const json_t *per_cpu = json_object_get(object, "per_cpu");

	if (!json_is_object(object))
		return;
	*cpu = (struct cpu_load){ .valid = true, .load = get_number(object, "load"),
		.user = get_number(object, "user"), .system = get_number(object, "system"),
		.irq = get_number(object, "irq"), .softirq = get_number(object, "softirq"),
		.iowait = get_number(object, "iowait"), .steal = get_number(object, "steal"),
		.worker = get_number(object, "worker"), .workbench = get_number(object, "workbench"),
		.resolution = get_number(object, "resolution") };
	for (size_t i = 0; i < json_array_size(per_cpu) && i < CPU_MAX; i++) {
		const json_t *load = json_array_get(per_cpu, i);
		cpu->cpus[cpu->cpus_len++] = json_is_number(load) ? (float)json_number_value(load) : -1;
	}
}

static void get_settings(json_t *object, struct settings *settings)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		_autofree_ char *text = json_is_string(value) ? mem_strdup(json_string_value(value)) :
			json_is_number(value) ? text_printf("%.10g", json_number_value(value)) : NULL;
		if (text)
			settings_set(settings, name, text);
	}
}

static void get_strings(const json_t *array, char ***strings)
{
	for (size_t i = 0; i < json_array_size(array) && i < ITEMS_MAX; i++)
		if (json_is_string(json_array_get(array, i)))
			list_add(strings, "%s", json_string_value(json_array_get(array, i)));
}

static void get_head(const json_t *root, struct result *result)
{
	get_id(root, "id", result->id, sizeof(result->id));
	get_id(root, "run", result->run, sizeof(result->run));
	get_id(root, "boot_id", result->boot_id, sizeof(result->boot_id));
	result->case_index = (uint32_t)json_integer_value(json_object_get(root, "case"));
	result->cases = (uint32_t)json_integer_value(json_object_get(root, "cases"));
	result->time = get_time(root);
	result->clock_unset = json_is_true(json_object_get(root, "clock_unset"));
	result->monotonic_ns = (uint64_t)json_integer_value(json_object_get(root, "monotonic_ns"));
	result->board = get_copy_or_empty(root, "board");
	result->subsystem = get_copy(root, "subsystem");
	result->module = get_copy(root, "module");
	result->method = get_copy_or_empty(root, "method");
	result->profile = get_copy(root, "profile");
	result->error = get_copy(root, "error");
	result->state = get_state(root);
	result->repeat = (unsigned)json_integer_value(json_object_get(root, "repeat"));
	result->elapsed_s = get_number(root, "elapsed_s");
}

int result_from_json(const char *json, size_t length, struct result *result, struct error *error)
{
	json_error_t why;
	json_t *root = json_loadb(json, length, JSON_REJECT_DUPLICATES, &why);
	const char *schema = get_text(root, "schema");

	if (!root)
		return error_set(error, EPROTO, "no JSON: %s at column %d", why.text, why.column);
	if (!schema || strcmp(schema, SCHEMA) || !get_text(root, "id") || !get_text(root, "subsystem") ||
		!get_text(root, "module")) {
		error_set(error, EPROTO, "no result of this program: the schema is \"%.60s\", and should be " SCHEMA,
			schema ? schema : "none");
		json_decref(root);
		return -EPROTO;
	}
	get_head(root, result);
	result->params = get_params(root, &result->params_len);
	get_settings(json_object_get(root, "actual"), &result->actual);
	get_loads(root, result);
	result->metrics = get_metrics(root, &result->metrics_len);
	get_cpu(json_object_get(root, "cpu"), &result->cpu);
	get_settings(json_object_get(root, "environment"), &result->environment);
	get_strings(json_object_get(root, "notes"), &result->notes);
	get_strings(json_object_get(root, "kernel_messages"), &result->kernel_messages);
	json_decref(root);
	return 0;
}
