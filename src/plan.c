/* SPDX-License-Identifier: MIT
 *
 * Turns what is asked for, as text, into cases with every value checked and known. */
#include "plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "plan_internal.h"
#include "text.h"

struct maker {
	const struct board *board;
	const struct module_info *modules;
	size_t modules_len;
	const char *root;
	struct plan *plan;
	struct error *error;
};

/* One part of the spec, resolved: a sweep (of one value at least) for each parameter. */
struct resolved {
	const struct subsystem *subsystem;
	struct sweep *sweeps;
	bool *given;
	size_t *order; /* those given, in their order: the last changes quickest */
	struct plan_load *loads;
	size_t loads_len;
	struct case_options options;
	uint64_t cases;
};

/* ---- which subsystem, which module ---- */

static const struct module_info *find_module(const struct maker *maker, const char *name)
{
	for (size_t i = 0; i < maker->modules_len; i++)
		if (strcmp(maker->modules[i].name, name) == 0)
			return &maker->modules[i];
	return NULL;
}

static int unknown_subsystem(const struct maker *maker, const char *name)
{
	const struct board *board = maker->board;
	const char **names =
		mem_zalloc(board->subsystems_len + maker->modules_len + 1, sizeof(*names));
	size_t count = 0;
	for (size_t i = 0; i < board->subsystems_len; i++)
		names[count++] = board->subsystems[i].name;
	for (size_t i = 0; i < maker->modules_len; i++)
		if (!maker->modules[i].problem && !(maker->modules[i].flags & BB_HIDDEN))
			names[count++] = maker->modules[i].name;
	const char *nearest = text_nearest(name, names, count);
	free(names);
	if (nearest)
		return error_set(maker->error, ENOENT,
			"\"%s\" is neither a subsystem of %s nor a module: did you mean \"%s\"?",
			name, board->name, nearest);
	return error_set(maker->error, ENOENT,
		"\"%s\" is neither a subsystem of %s nor a module: `boardbench list` shows them",
		name, board->name);
}

/* A subsystem that is not the board's own, for a module that was named, or to attach the module to.
 */
static struct subsystem *make_extra(
	struct plan *plan, const struct subsystem *like, const struct module_info *info)
{
	struct subsystem *extra = mem_zalloc(1, sizeof(*extra));
	*extra = (struct subsystem){
		.name = mem_strdup(like ? like->name : info->name),
		.module = mem_strdup(info->name),
		.group = mem_strdup(like ? like->group : info->group),
		.title = mem_strdup(like ? like->title : ""),
		.missing = like ? mem_strdup(like->missing) : NULL,
		.info = info,
	};
	if (like)
		settings_copy(&extra->defaults, &like->defaults);
	plan->extra = mem_grow(plan->extra, plan->extra_len + 1, sizeof(struct subsystem *));
	plan->extra[plan->extra_len++] = extra;
	return extra;
}

static struct subsystem *find_extra(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->extra_len; i++)
		if (strcmp(plan->extra[i]->name, name) == 0)
			return plan->extra[i];
	return NULL;
}

static const struct subsystem *find_by_module(const struct board *board, const char *module)
{
	for (size_t i = 0; i < board->subsystems_len; i++)
		if (strcmp(board->subsystems[i].module, module) == 0)
			return &board->subsystems[i];
	return NULL;
}

static int find_subsystem(
	const struct maker *maker, const char *name, const struct subsystem **subsystem)
{
	const struct module_info *info = NULL;
	*subsystem = find_extra(maker->plan, name);
	if (*subsystem)
		return 0;
	*subsystem = board_find_subsystem(maker->board, name);
	if (!*subsystem)
		*subsystem = find_by_module(maker->board, name);
	if (*subsystem)
		info = (*subsystem)->info ? (*subsystem)->info
					  : find_module(maker, (*subsystem)->module);
	else
		info = find_module(maker, name);
	if (!info && !*subsystem)
		return unknown_subsystem(maker, name);
	if (!info)
		return error_set(maker->error, ENODEV,
			"%s needs module %s, which is not installed: `boardbench list modules` "
			"shows what is",
			(*subsystem)->name, (*subsystem)->module);
	if (info->problem)
		return error_set(maker->error, ENODEV, "module %s cannot be used: %s", info->name,
			info->problem);
	if (!*subsystem || !(*subsystem)->info)
		*subsystem = make_extra(maker->plan, *subsystem, info);
	return 0;
}

/* ---- values ---- */

/* Parameters that the board profile names and the module does not have. */
static int check_defaults(const struct maker *maker, const struct subsystem *subsystem)
{
	for (size_t i = 0; i < subsystem->defaults.len; i++) {
		const struct setting *setting = &subsystem->defaults.items[i];
		if (module_info_find_param(subsystem->info, setting->name) >= 0)
			continue;
		int status =
			plan_unknown_parameter(subsystem->info, setting->name, false, maker->error);
		if (setting->line && maker->board->path)
			return error_prefix(
				maker->error, "%s:%u", maker->board->path, setting->line);
		return status;
	}
	return 0;
}

static void resolved_finish(struct resolved *resolved)
{
	size_t len = resolved->subsystem ? resolved->subsystem->info->params_len : 0;
	for (size_t i = 0; resolved->sweeps && i < len; i++)
		sweep_finish(&resolved->sweeps[i]);
	free(resolved->sweeps);
	free(resolved->given);
	free(resolved->order);
	for (size_t i = 0; i < resolved->loads_len; i++)
		plan_values_finish(
			resolved->loads[i].values, resolved->loads[i].subsystem->info->params_len);
	free(resolved->loads);
	free(resolved->options.cpus);
}

static int apply_setting(const struct maker *maker, struct resolved *resolved,
	const struct setting *setting, size_t *given_len)
{
	const struct module_info *info = resolved->subsystem->info;
	int index = module_info_find_param(info, setting->name);
	if (index < 0) {
		int status = case_option_set(&resolved->options, info, maker->root, setting->name,
			setting->text, maker->error);
		if (status <= 0)
			return status;
		return plan_unknown_parameter(info, setting->name, true, maker->error);
	}
	if (resolved->given[index])
		return error_set(maker->error, EINVAL, "%s is given twice", setting->name);
	int status = sweep_parse(
		&info->params[index], setting->text, &resolved->sweeps[index], maker->error);
	if (status < 0)
		return status;
	resolved->given[index] = true;
	resolved->order[(*given_len)++] = (size_t)index;
	return 0;
}

static int apply_settings(const struct maker *maker, const struct run_spec *spec,
	const struct run_part *part, struct resolved *resolved)
{
	size_t given_len = 0;
	for (size_t i = 0; i < part->settings.len; i++) {
		const struct setting *setting = &part->settings.items[i];
		int status = apply_setting(maker, resolved, setting, &given_len);
		if (status < 0 && setting->line && spec->path)
			return error_prefix(maker->error, "%s:%u", spec->path, setting->line);
		if (status < 0)
			return status;
	}
	return 0;
}

static int apply_defaults(const struct maker *maker, struct resolved *resolved)
{
	const struct module_info *info = resolved->subsystem->info;
	for (size_t i = 0; i < info->params_len; i++) {
		if (resolved->given[i])
			continue;
		struct sweep *sweep = &resolved->sweeps[i];
		struct value value = { 0 };
		int status = plan_default_value(
			maker->board, resolved->subsystem, i, &value, maker->error);
		if (status < 0)
			return status;
		sweep->values = mem_grow(NULL, 1, sizeof(*sweep->values));
		sweep->values[0] = value;
		sweep->len = 1;
	}
	return 0;
}

/* ---- loads ---- */

static int load_values(const struct maker *maker, const struct subsystem *subsystem,
	const struct settings *settings, struct value *values)
{
	const struct module_info *info = subsystem->info;
	for (size_t i = 0; i < settings->len; i++)
		if (module_info_find_param(info, settings->items[i].name) < 0)
			return plan_unknown_parameter(
				info, settings->items[i].name, false, maker->error);
	for (size_t i = 0; i < info->params_len; i++) {
		const char *text = settings_get(settings, info->params[i].name);
		if (!text) {
			int status = plan_default_value(
				maker->board, subsystem, i, &values[i], maker->error);
			if (status < 0)
				return status;
			continue;
		}
		struct sweep sweep = { 0 };
		int status = sweep_parse(&info->params[i], text, &sweep, maker->error);
		if (status == 0 && sweep.len == 1)
			value_copy(&values[i], &sweep.values[0]);
		else if (status == 0)
			status = error_set(maker->error, EINVAL,
				"%s=%s: a load runs with one value; sweep the case instead",
				info->params[i].name, text);
		sweep_finish(&sweep);
		if (status < 0)
			return status;
	}
	return 0;
}

static int make_load(const struct maker *maker, const char *line, struct plan_load *load)
{
	_autofree_ char *name = NULL;
	struct settings settings = { 0 };
	*load = (struct plan_load){ 0 };
	int status = settings_parse_line(line, &name, &settings, maker->error);
	if (status == 0)
		status = find_subsystem(maker, name, &load->subsystem);
	if (status == 0 && (load->subsystem->info->flags & BB_EXCLUSIVE))
		status = error_set(maker->error, EINVAL,
			"module %s needs the machine for itself and cannot be a load",
			load->subsystem->info->name);
	if (status == 0)
		status = check_defaults(maker, load->subsystem);
	if (status == 0) {
		load->values =
			mem_zalloc(load->subsystem->info->params_len + 1, sizeof(*load->values));
		status = load_values(maker, load->subsystem, &settings, load->values);
	}
	settings_finish(&settings);
	if (status < 0)
		return error_prefix(maker->error, "load \"%.60s\"", line);
	return 0;
}

static int make_loads(
	const struct maker *maker, const struct run_part *part, struct resolved *resolved)
{
	if (part->loads && part->loads[0] && (resolved->subsystem->info->flags & BB_EXCLUSIVE))
		return error_set(maker->error, EINVAL,
			"module %s needs the machine for itself: take the loads out",
			resolved->subsystem->info->name);
	for (char **line = part->loads; line && *line; line++) {
		struct plan_load load;
		int status = make_load(maker, *line, &load);
		if (status < 0) {
			if (load.values)
				plan_values_finish(load.values, load.subsystem->info->params_len);
			return status;
		}
		resolved->loads = mem_grow(
			resolved->loads, resolved->loads_len + 1, sizeof(*resolved->loads));
		resolved->loads[resolved->loads_len++] = load;
	}
	return 0;
}

/* ---- cases ---- */

static uint64_t multiply(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static int resolve_part(const struct maker *maker, const struct run_spec *spec,
	const struct run_part *part, struct resolved *resolved)
{
	case_options_init(&resolved->options);
	int status = find_subsystem(maker, part->subsystem, &resolved->subsystem);
	if (status < 0) {
		resolved->subsystem = NULL;
		return status;
	}
	size_t len = resolved->subsystem->info->params_len;
	resolved->sweeps = mem_zalloc(len + 1, sizeof(*resolved->sweeps));
	resolved->given = mem_zalloc(len + 1, sizeof(*resolved->given));
	resolved->order = mem_zalloc(len + 1, sizeof(*resolved->order));
	status = check_defaults(maker, resolved->subsystem);
	if (status == 0)
		status = apply_settings(maker, spec, part, resolved);
	if (status == 0)
		status = apply_defaults(maker, resolved);
	if (status == 0)
		status = make_loads(maker, part, resolved);
	resolved->cases = 1;
	for (size_t i = 0; status == 0 && i < len; i++)
		resolved->cases = multiply(resolved->cases, resolved->sweeps[i].len);
	return status;
}

static struct plan_load *copy_loads(const struct resolved *resolved)
{
	if (!resolved->loads_len)
		return NULL;
	struct plan_load *loads = mem_zalloc(resolved->loads_len, sizeof(*loads));
	for (size_t i = 0; i < resolved->loads_len; i++) {
		const struct plan_load *from = &resolved->loads[i];
		size_t len = from->subsystem->info->params_len;
		loads[i].subsystem = from->subsystem;
		loads[i].values = mem_zalloc(len + 1, sizeof(*loads[i].values));
		for (size_t j = 0; j < len; j++)
			value_copy(&loads[i].values[j], &from->values[j]);
	}
	return loads;
}

static void fill_case(
	const struct resolved *resolved, const size_t *picked, struct plan_case *plan_case)
{
	size_t len = resolved->subsystem->info->params_len;
	*plan_case = (struct plan_case){
		.subsystem = resolved->subsystem,
		.values = mem_zalloc(len + 1, sizeof(*plan_case->values)),
		.given = mem_zalloc(len + 1, sizeof(*plan_case->given)),
		.loads = copy_loads(resolved),
		.loads_len = resolved->loads_len,
	};
	for (size_t i = 0; i < len; i++)
		value_copy(&plan_case->values[i], &resolved->sweeps[i].values[picked[i]]);
	memcpy(plan_case->given, resolved->given, len * sizeof(*plan_case->given));
	case_options_copy(&plan_case->options, &resolved->options);
}

/* Step like a mileage counter whose last wheel is the parameter that was given last. */
static void step(const struct resolved *resolved, size_t *picked)
{
	size_t given_len = 0;
	for (size_t i = 0; i < resolved->subsystem->info->params_len; i++)
		given_len += resolved->given[i];
	for (size_t i = given_len; i-- > 0;) {
		size_t index = resolved->order[i];
		if (++picked[index] < resolved->sweeps[index].len)
			return;
		picked[index] = 0;
	}
}

static void add_cases(struct plan *plan, const struct resolved *resolved)
{
	size_t *picked = mem_zalloc(resolved->subsystem->info->params_len + 1, sizeof(*picked));
	plan->cases =
		mem_grow(plan->cases, plan->len + (size_t)resolved->cases, sizeof(*plan->cases));
	for (uint64_t i = 0; i < resolved->cases; i++) {
		fill_case(resolved, picked, &plan->cases[plan->len++]);
		step(resolved, picked);
	}
	free(picked);
}

static int make_part(
	const struct maker *maker, const struct run_spec *spec, const struct run_part *part)
{
	struct resolved resolved = { 0 };
	int status = resolve_part(maker, spec, part, &resolved);
	if (status == 0 && resolved.cases > PLAN_CASES_MAX - maker->plan->len) {
		bool too_many = resolved.cases > UINT64_MAX - maker->plan->len;
		status = error_set(maker->error, E2BIG,
			"the sweeps give %s%" PRIu64
			" cases, more than the %d that one run may have: shorten them",
			too_many ? "more than " : "",
			too_many ? UINT64_MAX : resolved.cases + maker->plan->len, PLAN_CASES_MAX);
	}
	if (status == 0)
		add_cases(maker->plan, &resolved);
	else if (spec->parts_len > 1 && part->name && !spec->path)
		error_prefix(maker->error, "[%s]", part->name);
	resolved_finish(&resolved);
	return status;
}

int plan_make(const struct board *board, const struct module_info *modules, size_t modules_len,
	const char *root, const struct run_spec *spec, struct plan *plan, struct error *error)
{
	struct error own = { 0 };
	struct maker maker = { board, modules, modules_len, root, plan, error ? error : &own };
	*plan = (struct plan){ 0 };
	run_spec_copy(&plan->spec, spec);
	int status = spec->parts_len
			     ? 0
			     : error_set(maker.error, EINVAL, "nothing to run was asked for");
	for (size_t i = 0; status == 0 && i < spec->parts_len; i++)
		status = make_part(&maker, spec, &spec->parts[i]);
	if (status < 0)
		plan_finish(plan);
	return status;
}

static void plan_case_finish(struct plan_case *plan_case)
{
	plan_values_finish(plan_case->values, plan_case->subsystem->info->params_len);
	free(plan_case->given);
	for (size_t i = 0; i < plan_case->loads_len; i++)
		plan_values_finish(plan_case->loads[i].values,
			plan_case->loads[i].subsystem->info->params_len);
	free(plan_case->loads);
	free(plan_case->options.cpus);
}

void plan_finish(struct plan *plan)
{
	for (size_t i = 0; i < plan->len; i++)
		plan_case_finish(&plan->cases[i]);
	free(plan->cases);
	for (size_t i = 0; i < plan->extra_len; i++) {
		subsystem_finish(plan->extra[i]);
		free(plan->extra[i]);
	}
	free(plan->extra);
	run_spec_finish(&plan->spec);
	*plan = (struct plan){ 0 };
}
