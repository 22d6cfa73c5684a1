/* SPDX-License-Identifier: MIT
 *
 * What a module says of itself: released, searched, and carried as JSON from a worker. */
#include "module_info.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "mem.h"

#define PARAMS_MAX 256 /* far more than a form can show; a broken module must not eat the memory */
#define METRICS_MAX 256

void param_finish(struct param *param)
{
	free(param->name);
	free(param->text);
	free(param->unit);
	free(param->initial);
	for (char **choice = param->choices; choice && *choice; choice++)
		free(*choice);
	free(param->choices);
	*param = (struct param){ 0 };
}

static void metric_finish(struct metric *metric)
{
	free(metric->name);
	free(metric->text);
	free(metric->unit);
	*metric = (struct metric){ 0 };
}

void module_info_finish(struct module_info *info)
{
	free(info->name);
	free(info->title);
	free(info->text);
	free(info->method);
	free(info->version);
	free(info->group);
	free(info->path);
	free(info->problem);
	for (size_t i = 0; i < info->params_len; i++)
		param_finish(&info->params[i]);
	free(info->params);
	for (size_t i = 0; i < info->metrics_len; i++)
		metric_finish(&info->metrics[i]);
	free(info->metrics);
	*info = (struct module_info){ 0 };
}

int module_info_find_param(const struct module_info *info, const char *name)
{
	for (size_t i = 0; i < info->params_len; i++)
		if (strcmp(info->params[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* ---- writing ---- */

static void write_param(struct text *json, const struct param *param)
{
	json_put_object(json, NULL);
	json_put_string(json, "name", param->name);
	json_put_string(json, "text", param->text);
	json_put_string(json, "unit", param->unit);
	json_put_string(json, "initial", param->initial);
	if (param->choices) {
		json_put_array(json, "choices");
		for (char **choice = param->choices; *choice; choice++)
			json_put_string(json, NULL, *choice);
		json_put_array_end(json);
	} else {
		json_put_null(json, "choices");
	}
	json_put_double(json, "minimum", param->minimum); /* an infinite limit is written as null */
	json_put_double(json, "maximum", param->maximum);
	json_put_uint(json, "type", param->type);
	json_put_uint(json, "offset", param->offset);
	json_put_uint(json, "flags", param->flags);
	json_put_object_end(json);
}

static void write_metric(struct text *json, const struct metric *metric)
{
	json_put_object(json, NULL);
	json_put_string(json, "name", metric->name);
	json_put_string(json, "text", metric->text);
	json_put_string(json, "unit", metric->unit);
	json_put_double(json, "scale", metric->scale);
	json_put_uint(json, "source", metric->source);
	json_put_uint(json, "index", metric->index);
	json_put_uint(json, "better", metric->better);
	json_put_uint(json, "mean", metric->mean);
	json_put_object_end(json);
}

char *module_info_to_json(const struct module_info *info)
{
	struct text json = { 0 };

	json_put_object(&json, NULL);
	json_put_string(&json, "name", info->name);
	json_put_string(&json, "path", info->path);
	json_put_string(&json, "problem", info->problem);
	if (!info->problem) {
		json_put_string(&json, "title", info->title);
		json_put_string(&json, "text", info->text);
		json_put_string(&json, "method", info->method);
		json_put_string(&json, "version", info->version);
		json_put_string(&json, "group", info->group);
		json_put_uint(&json, "flags", info->flags);
		json_put_array(&json, "params");
		for (size_t i = 0; i < info->params_len; i++)
			write_param(&json, &info->params[i]);
		json_put_array_end(&json);
		json_put_array(&json, "metrics");
		for (size_t i = 0; i < info->metrics_len; i++)
			write_metric(&json, &info->metrics[i]);
		json_put_array_end(&json);
	}
	json_put_object_end(&json);
	return text_steal(&json);
}

/* ---- reading ---- */

/* Where in the description the reader is, so that every complaint can say so. */
struct reader {
	const char *where; /* "module", "params", "metrics" */
	size_t index;
	struct error *error;
};

__attribute__((format(printf, 3, 4))) static int complain(
	const struct reader *reader, const char *key, const char *format, ...)
{
	char reason[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	return error_set(reader->error, EPROTO,
		"the description of the module is broken: %s %zu, %s: %s; build the module anew",
		reader->where, reader->index, key, reason);
}

static int read_string(const struct reader *reader, const json_t *object, const char *key,
	bool optional, char **string)
{
	const json_t *value = json_object_get(object, key);

	if (optional && (!value || json_is_null(value)))
		return 0;
	if (!json_is_string(value))
		return complain(reader, key, "is no text");
	*string = mem_strdup(json_string_value(value));
	return 0;
}

static int read_unsigned(const struct reader *reader, const json_t *object, const char *key,
	uint32_t lowest, uint32_t highest, uint32_t *number)
{
	const json_t *value = json_object_get(object, key);
	json_int_t read = json_integer_value(value);

	if (!json_is_integer(value))
		return complain(reader, key, "is no whole number");
	if (read < (json_int_t)lowest || read > (json_int_t)highest)
		return complain(reader, key, "%lld is unknown", (long long)read);
	*number = (uint32_t)read;
	return 0;
}

/* null stands for `infinite`, where that is one; JSON has no word for it. */
static int read_double(const struct reader *reader, const json_t *object, const char *key,
	double infinite, double *number)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_null(value) && isinf(infinite)) {
		*number = infinite;
		return 0;
	}
	if (!json_is_number(value))
		return complain(reader, key, "is no number");
	*number = json_number_value(value);
	return 0;
}

/* Lower-case letters, digits and `extra`, a letter first. */
static int check_name(const struct reader *reader, const char *name, char extra)
{
	if (*name < 'a' || *name > 'z')
		return complain(reader, "name", "\"%.80s\" must begin with a-z", name);
	for (const char *c = name; *c; c++)
		if (!(*c >= 'a' && *c <= 'z') && !(*c >= '0' && *c <= '9') && *c != extra)
			return complain(reader, "name", "\"%.80s\" may hold a-z, 0-9 and %c", name,
				extra);
	return 0;
}

static int read_choices(const struct reader *reader, const json_t *object, struct param *param)
{
	const json_t *array = json_object_get(object, "choices");
	size_t count = json_array_size(array);

	if (param->type != BB_CHOICE) {
		if (array && !json_is_null(array))
			return complain(reader, "choices", "only a choice has them");
		return 0;
	}
	if (!json_is_array(array) || count == 0)
		return complain(reader, "choices", "there are none to choose from");
	param->choices = mem_zalloc(count + 1, sizeof(*param->choices));
	for (size_t i = 0; i < count; i++) {
		const char *choice = json_string_value(json_array_get(array, i));

		if (!choice || !*choice)
			return complain(reader, "choices", "number %zu is no text", i);
		param->choices[i] = mem_strdup(choice);
	}
	return 0;
}

static int read_param(const struct reader *reader, const json_t *object, struct param *param)
{
	uint32_t type = 0;
	int result;

	if ((result = read_string(reader, object, "name", false, &param->name)) < 0 ||
		(result = check_name(reader, param->name, '_')) < 0 ||
		(result = read_string(reader, object, "text", false, &param->text)) < 0 ||
		(result = read_string(reader, object, "unit", true, &param->unit)) < 0 ||
		(result = read_string(reader, object, "initial", false, &param->initial)) < 0 ||
		(result = read_unsigned(reader, object, "type", BB_FLAG, BB_PATH, &type)) < 0 ||
		(result = read_unsigned(reader, object, "offset", 0, UINT32_MAX, &param->offset)) <
			0 ||
		(result = read_unsigned(reader, object, "flags", 0, UINT32_MAX, &param->flags)) <
			0 ||
		(result = read_double(reader, object, "minimum", -INFINITY, &param->minimum)) < 0 ||
		(result = read_double(reader, object, "maximum", INFINITY, &param->maximum)) < 0)
		return result;
	if (param->minimum > param->maximum)
		return complain(reader, "minimum", "is above the maximum");
	param->type = (enum bb_type)type;
	return read_choices(reader, object, param);
}

static uint32_t indices_of(uint32_t source)
{
	return source == BB_HISTOGRAM ? BB_HISTOGRAMS_MAX
		: source == BB_GAUGE  ? BB_GAUGES_MAX
				      : BB_COUNTERS_MAX;
}

static int read_metric(const struct reader *reader, const json_t *object, struct metric *metric)
{
	uint32_t source = 0, better = 0, mean = 0;
	int result;

	if ((result = read_string(reader, object, "name", false, &metric->name)) < 0 ||
		(result = check_name(reader, metric->name, '_')) < 0 ||
		(result = read_string(reader, object, "text", false, &metric->text)) < 0 ||
		(result = read_string(reader, object, "unit", false, &metric->unit)) < 0 ||
		(result = read_double(reader, object, "scale", 0, &metric->scale)) < 0 ||
		(result = read_unsigned(reader, object, "source", BB_RATE_OF, BB_HISTOGRAM,
			 &source)) < 0 ||
		(result = read_unsigned(reader, object, "index", 0, indices_of(source) - 1,
			 &metric->index)) < 0 ||
		(result = read_unsigned(reader, object, "better", BB_NEITHER, BB_HIGHER,
			 &better)) < 0 ||
		(result = read_unsigned(reader, object, "mean", BB_ARITHMETIC, BB_HARMONIC,
			 &mean)) < 0)
		return result;
	metric->source = (enum bb_source)source;
	metric->better = (enum bb_better)better;
	metric->mean = (enum bb_mean)mean;
	return 0;
}

static int check_array(const struct reader *reader, const json_t *array, const char *key, size_t most)
{
	if (!json_is_array(array))
		return complain(reader, key, "is no list");
	if (json_array_size(array) > most)
		return complain(reader, key, "%zu are too many, at most %zu",
			json_array_size(array), most);
	return 0;
}

static int read_params(const struct reader *module, const json_t *array, struct module_info *info)
{
	struct reader reader = { "params", 0, module->error };
	int result = check_array(module, array, "params", PARAMS_MAX);

	if (result < 0)
		return result;
	info->params = mem_zalloc(json_array_size(array), sizeof(*info->params));
	for (; reader.index < json_array_size(array); reader.index++) {
		struct param *param = &info->params[info->params_len];

		result = read_param(&reader, json_array_get(array, reader.index), param);
		if (result == 0 && module_info_find_param(info, param->name) >= 0)
			result = complain(&reader, "name", "\"%.80s\" is there twice", param->name);
		info->params_len++; /* also a half-read one is to be released */
		if (result < 0)
			return result;
	}
	return 0;
}

static int read_metrics(const struct reader *module, const json_t *array, struct module_info *info)
{
	struct reader reader = { "metrics", 0, module->error };
	int result = check_array(module, array, "metrics", METRICS_MAX);

	if (result < 0)
		return result;
	info->metrics = mem_zalloc(json_array_size(array), sizeof(*info->metrics));
	for (; reader.index < json_array_size(array); reader.index++) {
		struct metric *metric = &info->metrics[info->metrics_len];

		result = read_metric(&reader, json_array_get(array, reader.index), metric);
		for (size_t i = 0; result == 0 && i < info->metrics_len; i++)
			if (strcmp(info->metrics[i].name, metric->name) == 0)
				result = complain(&reader, "name", "\"%.80s\" is there twice",
					metric->name);
		info->metrics_len++;
		if (result < 0)
			return result;
	}
	return 0;
}

static int read_info(const struct reader *reader, const json_t *object, struct module_info *info)
{
	int result;

	if ((result = read_string(reader, object, "name", false, &info->name)) < 0 ||
		(result = read_string(reader, object, "path", false, &info->path)) < 0 ||
		(result = read_string(reader, object, "problem", true, &info->problem)) < 0)
		return result;
	if (info->problem) /* its name may be that of any file */
		return 0;
	if ((result = check_name(reader, info->name, '-')) < 0 ||
		(result = read_string(reader, object, "title", false, &info->title)) < 0 ||
		(result = read_string(reader, object, "text", false, &info->text)) < 0 ||
		(result = read_string(reader, object, "method", false, &info->method)) < 0 ||
		(result = read_string(reader, object, "version", false, &info->version)) < 0 ||
		(result = read_string(reader, object, "group", false, &info->group)) < 0 ||
		(result = read_unsigned(reader, object, "flags", 0, UINT32_MAX, &info->flags)) <
			0 ||
		(result = read_params(reader, json_object_get(object, "params"), info)) < 0)
		return result;
	return read_metrics(reader, json_object_get(object, "metrics"), info);
}

int module_info_from_json(const char *json, size_t length, struct module_info *info,
	struct error *error)
{
	struct reader reader = { "module", 0, error };
	json_error_t fault;
	json_t *object = json_loadb(json, length, JSON_REJECT_DUPLICATES, &fault);
	int result;

	if (!object)
		return error_set(error, EPROTO, "the description of the module is broken: %s",
			fault.text);
	result = json_is_object(object) ? read_info(&reader, object, info)
					: complain(&reader, "description", "is no object");
	json_decref(object);
	if (result < 0)
		module_info_finish(info);
	return result;
}
