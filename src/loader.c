/* SPDX-License-Identifier: MIT
 * Opens a module and checks all that it declares: a broken one is refused with the reason. */
#include "loader.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "mem.h"
#include "run_profile.h"
#include "value.h"

static const uint32_t field_size[] = {
	[BB_FLAG] = sizeof(bool),
	[BB_INTEGER] = sizeof(int64_t),
	[BB_NUMBER] = sizeof(double),
	[BB_SIZE] = sizeof(uint64_t),
	[BB_DURATION] = sizeof(uint64_t),
	[BB_RATE] = sizeof(uint64_t),
	[BB_CHOICE] = sizeof(int32_t),
	[BB_TEXT] = sizeof(const char *),
	[BB_PATH] = sizeof(const char *),
};

static bool name_is_plain(const char *name, char also)
{
	if (!name || !islower((unsigned char)name[0]))
		return false;
	for (const char *c = name; *c; c++)
		if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != also)
			return false;
	return true;
}

static bool name_is_reserved(const char *name)
{
	static const char *const reserved[] = RUN_RESERVED_NAMES;

	for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	return false;
}

static const char *param_fault(const struct bb_module *module, const struct bb_param *param)
{
	if (!name_is_plain(param->name, '_') || !param->text || !param->initial)
		return "needs a name of [a-z0-9_], a text and a default";
	if (name_is_reserved(param->name))
		return "has a name that the workbench keeps for itself";
	if (param->type < BB_FLAG || param->type > BB_PATH)
		return "has a type that this program does not know";
	if (param->size != field_size[param->type])
		return "points at a field of another size than its type";
	if (param->offset > module->config_size || param->size > module->config_size - param->offset)
		return "points outside the configuration struct";
	if ((param->type == BB_CHOICE) != (param->choices != NULL))
		return "has choices without being a choice, or none though it is one";
	return NULL;
}

static const char *metric_fault(const struct bb_metric *metric)
{
	static const uint32_t limits[] = { [BB_RATE_OF] = BB_COUNTERS_MAX,
		[BB_PERIOD_OF] = BB_COUNTERS_MAX, [BB_TOTAL_OF] = BB_COUNTERS_MAX,
		[BB_GAUGE] = BB_GAUGES_MAX, [BB_HISTOGRAM] = BB_HISTOGRAMS_MAX };

	if (!name_is_plain(metric->name, '_') || !metric->text || !metric->unit)
		return "needs a name of [a-z0-9_], a text and a unit";
	if (metric->source < BB_RATE_OF || metric->source > BB_HISTOGRAM)
		return "has a source that this program does not know";
	if (metric->index >= limits[metric->source])
		return "uses an index that is too high";
	if (!(metric->scale > 0))
		return "needs a scale above 0";
	return NULL;
}

static int check_tables(const struct bb_module *module, const char *path, struct error *error)
{
	for (uint32_t i = 0; i < module->params_len; i++) {
		const char *fault = param_fault(module, &module->params[i]);
		if (fault)
			return error_set(error, EPROTO, "%s: parameter %u (%s) %s", path, i,
				module->params[i].name ? module->params[i].name : "no name", fault);
	}
	for (uint32_t i = 0; i < module->metrics_len; i++) {
		const char *fault = metric_fault(&module->metrics[i]);
		if (fault)
			return error_set(error, EPROTO, "%s: metric %u (%s) %s", path, i,
				module->metrics[i].name ? module->metrics[i].name : "no name", fault);
	}
	return 0;
}

static int check(const struct bb_module *theirs, const char *path, const char *name,
	struct bb_module *copy, struct error *error)
{
	/* abi and struct_size are read before anything else: all versions have them there. */
	if (theirs->abi >> 16 != BB_ABI_MAJOR)
		return error_set(error, EPROTO, "%s: built for module ABI %u, this program has %u: build it anew",
			path, (unsigned)(theirs->abi >> 16), (unsigned)BB_ABI_MAJOR);
	if (theirs->struct_size < sizeof(*theirs) && BB_ABI_MINOR == 0)
		return error_set(error, EPROTO, "%s: its module struct is too short", path);
	memset(copy, 0, sizeof(*copy));
	memcpy(copy, theirs, theirs->struct_size < sizeof(*copy) ? theirs->struct_size : sizeof(*copy));
	if (!name_is_plain(copy->name, '-') || !copy->title || !copy->text || !copy->method ||
		!copy->version || !copy->group || !copy->step)
		return error_set(error, EPROTO,
			"%s: name, title, text, method, version, group and step are required", path);
	if (strcmp(copy->name, name))
		return error_set(error, EPROTO, "%s: calls itself \"%s\", which is not the file's name", path,
			copy->name);
	if ((copy->params_len && !copy->params) || (copy->metrics_len && !copy->metrics) ||
		copy->metrics_len == 0)
		return error_set(error, EPROTO, "%s: a table of parameters or metrics is missing", path);
	return check_tables(copy, path, error);
}

static const struct bb_module *find_builtin(const char *name)
{
	for (unsigned i = 0; i < builtin_modules_len; i++)
		if (builtin_modules[i]->name && !strcmp(builtin_modules[i]->name, name))
			return builtin_modules[i];
	return NULL;
}

int loader_open(const char *path, const char *name, struct loaded *loaded, struct error *error)
{
	const struct bb_module *theirs;

	*loaded = (struct loaded){ 0 };
	if (path[0]) {
		loaded->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!loaded->handle)
			return error_set(error, ENOEXEC, "%s", dlerror());
		theirs = dlsym(loaded->handle, BB_MODULE_SYMBOL);
		if (!theirs)
			error_set(error, EPROTO, "%s: no symbol " BB_MODULE_SYMBOL ": not a boardbench module", path);
	} else {
		theirs = find_builtin(name);
		if (!theirs)
			error_set(error, ENOENT, "no module \"%s\" in this program", name);
	}
	if (theirs && check(theirs, path[0] ? path : name, name, &loaded->module, error) == 0)
		return 0;
	loader_close(loaded);
	return error ? -error->code : -EPROTO;
}

void loader_close(struct loaded *loaded)
{
	if (loaded->handle)
		dlclose(loaded->handle);
	*loaded = (struct loaded){ 0 };
}

static void describe_param(const struct bb_param *from, struct param *to)
{
	*to = (struct param){
		.name = mem_strdup(from->name), .text = mem_strdup(from->text),
		.unit = mem_strdup(from->unit), .initial = mem_strdup(from->initial),
		.minimum = from->minimum, .maximum = from->maximum,
		.type = (enum bb_type)from->type, .offset = from->offset, .flags = from->flags,
	};
	size_t len = 0;
	while (from->choices && from->choices[len])
		len++;
	if (from->choices) {
		to->choices = mem_zalloc(len + 1, sizeof(*to->choices));
		for (size_t i = 0; i < len; i++)
			to->choices[i] = mem_strdup(from->choices[i]);
	}
}

static void describe_metric(const struct bb_metric *from, struct metric *to)
{
	*to = (struct metric){
		.name = mem_strdup(from->name), .text = mem_strdup(from->text),
		.unit = mem_strdup(from->unit), .scale = from->scale,
		.source = (enum bb_source)from->source, .index = from->index,
		.better = (enum bb_better)from->better, .mean = (enum bb_mean)from->mean,
	};
}

void loader_describe(const struct loaded *loaded, const char *path, struct module_info *info)
{
	const struct bb_module *module = &loaded->module;

	*info = (struct module_info){
		.name = mem_strdup(module->name), .title = mem_strdup(module->title),
		.text = mem_strdup(module->text), .method = mem_strdup(module->method),
		.version = mem_strdup(module->version), .group = mem_strdup(module->group),
		.path = mem_strdup(path), .flags = module->flags,
		.params = mem_zalloc(module->params_len, sizeof(*info->params)),
		.params_len = module->params_len,
		.metrics = mem_zalloc(module->metrics_len, sizeof(*info->metrics)),
		.metrics_len = module->metrics_len,
	};
	for (uint32_t i = 0; i < module->params_len; i++)
		describe_param(&module->params[i], &info->params[i]);
	for (uint32_t i = 0; i < module->metrics_len; i++)
		describe_metric(&module->metrics[i], &info->metrics[i]);
}
