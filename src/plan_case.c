/* SPDX-License-Identifier: MIT
 *
 * One case of a plan: its defaults, the names that it knows, its description. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "plan_internal.h"
#include "settings.h"
#include "text.h"

static const struct setting *find_default(const struct subsystem *subsystem, const char *name)
{
	for (size_t i = 0; i < subsystem->defaults.len; i++)
		if (strcmp(subsystem->defaults.items[i].name, name) == 0)
			return &subsystem->defaults.items[i];
	return NULL;
}

static const char *first_offer(const struct subsystem *subsystem, size_t index)
{
	if (!subsystem->offers || !subsystem->offers_len)
		return NULL;
	for (size_t i = 0; i < subsystem->offers_len[index]; i++)
		if (subsystem->offers[index][i].usable)
			return subsystem->offers[index][i].value;
	return NULL;
}

/* Nothing says what to take: then what is found here decides. */
static int offered_value(const struct subsystem *subsystem, const struct param *param, size_t index,
	struct value *value, struct error *error)
{
	/* Something else than the medium that was asked for must not be measured in its place. */
	if (subsystem->missing && strcmp(param->name, "directory") == 0)
		return error_set(error, ENODEV, "%s: %s", subsystem->name, subsystem->missing);
	const char *offer = first_offer(subsystem, index);
	if (offer)
		return value_parse(param, offer, value, error);
	if (subsystem->reason)
		return error_set(error, ENODEV, "%s: %s; or give %s=...", subsystem->name,
			subsystem->reason, param->name);
	return error_set(error, EINVAL, "%s: nothing was found for %s: give %s=...",
		subsystem->name, param->name, param->name);
}

int plan_default_value(const struct board *board, const struct subsystem *subsystem, size_t index,
	struct value *value, struct error *error)
{
	const struct param *param = &subsystem->info->params[index];
	const struct setting *setting = find_default(subsystem, param->name);
	if (!setting && !*param->initial && (param->flags & BB_PARAM_OFFERED))
		return offered_value(subsystem, param, index, value, error);
	int status = value_parse(param, setting ? setting->text : param->initial, value, error);
	if (status < 0 && setting && setting->line && board->path)
		return error_prefix(error, "%s:%u", board->path, setting->line);
	return status;
}

int plan_unknown_parameter(
	const struct module_info *info, const char *name, bool with_options, struct error *error)
{
	static const char *const options[] = { "repeat", "duration", "warmup", "steady", "cpus",
		"stall", "quiet" };
	const char **names = mem_zalloc(info->params_len + ARRAY_LEN(options), sizeof(*names));
	size_t count = 0;
	struct text all = { 0 };
	for (size_t i = 0; i < info->params_len; i++) {
		names[count++] = info->params[i].name;
		text_add(&all, "%s%s", i ? ", " : "", info->params[i].name);
	}
	for (size_t i = 0; with_options && i < ARRAY_LEN(options); i++)
		names[count++] = options[i];
	const char *nearest = text_nearest(name, names, count);
	int status =
		nearest ? error_set(error, EINVAL,
				  "module %s has no parameter \"%s\": did you mean \"%s\"?",
				  info->name, name, nearest)
			: error_set(error, EINVAL, "module %s has no parameter \"%s\": it has %s",
				  info->name, name, all.data ? all.data : "none");
	text_finish(&all);
	free(names);
	return status;
}

void plan_values_finish(struct value *values, size_t len)
{
	for (size_t i = 0; values && i < len; i++)
		value_finish(&values[i]);
	free(values);
}

static bool is_first_choice(const struct module_info *info, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (info->params[i].type == BB_CHOICE)
			return false;
	return info->params[index].type == BB_CHOICE;
}

char *plan_case_describe(const struct plan_case *plan_case)
{
	const struct module_info *info = plan_case->subsystem->info;
	struct text text = { 0 };
	for (size_t i = 0; i < info->params_len; i++) {
		bool bare = is_first_choice(info, i);
		if (!bare && !plan_case->given[i])
			continue;
		_autofree_ char *value = value_format(&info->params[i], &plan_case->values[i]);
		const char *comma = text.length ? ", " : "";
		if (bare)
			text_add(&text, "%s%s", comma, value);
		else
			text_add(&text, "%s%s %s", comma, info->params[i].name, value);
	}
	for (size_t i = 0; i < plan_case->loads_len; i++)
		text_add(&text, "%swith %s", text.length ? ", " : "",
			plan_case->loads[i].subsystem->name);
	return text_steal(&text);
}
