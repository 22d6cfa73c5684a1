/* Holds what the form says and checks what is entered.
 * SPDX-License-Identifier: MIT */
#include "form.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "plan_internal.h"
#include "text.h"
#include "value.h"

/* Settings of the workbench's own that have a row. */
static const struct option {
	const char *name, *initial, *empty, *hint;
} options[] = {
	{ "repeat", "1", "1", "How many times each case is measured: 3 or more tell the spread. A number from 1 on." },
	{ "duration", "0", "until done", "How long each pass goes on: 10s, 2min. 0: until the work is done, or 10 s." },
	{ "warmup", "0", "none", "How long to go before the measurement starts: 500ms, 5s. 0: not at all." },
	{ "cpus", "", "any", "One instance on each of these CPUs: all, 0, 0,2-3. Empty: one, on any." },
};

static const struct option *find_option(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (!strcmp(options[i].name, name))
			return &options[i];
	return NULL;
}

static const struct param *row_param(const struct form *form, const struct form_row *row)
{
	return &form->subsystem->info->params[row->param];
}

static const struct offer *offers(const struct form *form, size_t param, size_t *len)
{
	const struct subsystem *subsystem = form->subsystem;

	*len = subsystem->offers && subsystem->offers_len ? subsystem->offers_len[param] : 0;
	return *len ? subsystem->offers[param] : NULL;
}

static const struct offer *find_offer(const struct form *form, const struct form_row *row, const char *text)
{
	size_t len;
	const struct offer *all = row->kind == FORM_PARAM ? offers(form, row->param, &len) : NULL;

	for (size_t i = 0; all && i < len; i++)
		if (!strcmp(all[i].value, text))
			return &all[i];
	return NULL;
}

/* As the plan will choose it, in the words of the formatter. */
static char *default_text(const struct form *form, size_t index)
{
	const struct param *param = &form->subsystem->info->params[index];
	const char *text = settings_get(&form->subsystem->defaults, param->name);
	struct value value;
	size_t len;
	const struct offer *offer = offers(form, index, &len);
	char *formatted;

	if (!text)
		text = param->initial;
	if (!*text && param->flags & BB_PARAM_OFFERED)
		for (size_t i = 0; i < len; i++)
			if (offer[i].usable)
				return mem_strdup(offer[i].value);
	if (value_parse(param, text, &value, NULL))
		return mem_strdup(text);
	formatted = value_format(param, &value);
	value_finish(&value);
	return formatted;
}

static struct form_row *add_row(struct form *form, enum form_kind kind, const char *name, char *text)
{
	struct form_row *row;

	form->rows = mem_grow(form->rows, form->len + 1, sizeof(*form->rows));
	row = &form->rows[form->len++];
	*row = (struct form_row){ .kind = kind, .name = name, .text = text, .initial = mem_strdup(text) };
	return row;
}

void form_init(struct form *form, const struct board *board, const struct subsystem *subsystem,
	const char *root)
{
	const struct module_info *info = subsystem->info;

	*form = (struct form){ .board = board, .subsystem = subsystem, .root = root };
	for (size_t i = 0; i < info->params_len; i++)
		add_row(form, FORM_PARAM, info->params[i].name, default_text(form, i))->param = i;
	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (strcmp(options[i].name, "cpus") != 0 || info->flags & BB_PER_CPU)
			add_row(form, FORM_OPTION, options[i].name, mem_strdup(options[i].initial));
	add_row(form, FORM_ADD_LOAD, "load", mem_strdup(""));
}

void form_finish(struct form *form)
{
	for (size_t i = 0; i < form->len; i++) {
		free(form->rows[i].text);
		free(form->rows[i].initial);
	}
	free(form->rows);
	settings_finish(&form->other);
	*form = (struct form){ 0 };
}

void form_refresh(struct form *form)
{
	for (size_t i = 0; i < form->len; i++) {
		struct form_row *row = &form->rows[i];
		char *text;

		if (row->kind != FORM_PARAM || strcmp(row->text, row->initial) != 0)
			continue;
		text = default_text(form, row->param);
		free(row->text);
		free(row->initial);
		row->text = text;
		row->initial = mem_strdup(text);
	}
}

void form_reset(struct form *form)
{
	const struct board *board = form->board;
	const struct subsystem *subsystem = form->subsystem;
	const char *root = form->root;

	form_finish(form);
	form_init(form, board, subsystem, root);
}

static int check_load(const struct form *form, const char *text, struct error *error)
{
	_autofree_ char *name = NULL;
	struct settings settings = { 0 };
	const struct subsystem *subsystem;
	int status = settings_parse_line(text, &name, &settings, error);

	if (status)
		return status;
	subsystem = board_find_subsystem(form->board, name);
	if (!subsystem || !subsystem->info)
		status = error_set(error, ENOENT, "no subsystem \"%s\" here: write one of the list, then NAME=VALUE",
			name);
	for (size_t i = 0; !status && subsystem && subsystem->info && i < settings.len; i++) {
		int index = module_info_find_param(subsystem->info, settings.items[i].name);
		struct value value;

		if (index < 0) {
			status = plan_unknown_parameter(subsystem->info, settings.items[i].name, false, error);
			break;
		}
		status = value_parse(&subsystem->info->params[index], settings.items[i].text, &value, error);
		if (!status)
			value_finish(&value);
	}
	settings_finish(&settings);
	return status;
}

static int check_option(const struct form *form, const char *name, const char *text, struct error *error)
{
	struct case_options checked;
	int status;

	case_options_init(&checked);
	status = case_option_set(&checked, form->subsystem->info, form->root, name, text, error);
	free(checked.cpus);
	return status < 0 ? status : 0;
}

/* The text to keep; NULL with an error. */
static char *check_param(const struct param *param, const char *text, struct error *error)
{
	struct sweep sweep = { 0 };
	char *formatted;

	if (sweep_parse(param, text, &sweep, error))
		return NULL;
	/* A range stays as it was written: its values would not fit in the row. */
	formatted = sweep.len == 1 ? value_format(param, &sweep.values[0]) : mem_strdup(text);
	sweep_finish(&sweep);
	return formatted;
}

static void remove_row(struct form *form, size_t row)
{
	free(form->rows[row].text);
	free(form->rows[row].initial);
	memmove(&form->rows[row], &form->rows[row + 1], (form->len - row - 1) * sizeof(*form->rows));
	form->len--;
}

static void take_load(struct form *form, size_t index, const char *text)
{
	struct form_row *row = &form->rows[index];

	free(row->text);
	row->text = mem_strdup(text);
	if (row->kind == FORM_LOAD)
		return;
	row->kind = FORM_LOAD;
	add_row(form, FORM_ADD_LOAD, "load", mem_strdup(""));
}

int form_set(struct form *form, size_t index, const char *text, struct error *error)
{
	struct error own = { 0 };
	struct form_row *row = &form->rows[index];
	_autofree_ char *copy = mem_strdup(text);
	const char *trimmed = text_trim(copy);
	char *taken = NULL;
	int status = 0;

	if (!error)
		error = &own;
	switch (row->kind) {
	case FORM_PARAM:
		taken = check_param(row_param(form, row), trimmed, error);
		status = taken ? 0 : -error->code;
		break;
	case FORM_OPTION:
		if (*trimmed)
			status = check_option(form, row->name, trimmed, error);
		taken = status ? NULL : mem_strdup(*trimmed ? trimmed : find_option(row->name)->initial);
		break;
	case FORM_LOAD:
	case FORM_ADD_LOAD:
		if (*trimmed)
			status = check_load(form, trimmed, error);
		if (!status && *trimmed)
			take_load(form, index, trimmed);
		else if (!status && row->kind == FORM_LOAD)
			remove_row(form, index);
		return status;
	}
	if (status)
		return status;
	free(row->text);
	row->text = taken;
	return 0;
}

bool form_set_published_sweep(struct form *form)
{
	bool any = false;

	for (size_t i = 0; i < form->len; i++) {
		const char *text = form->rows[i].kind == FORM_PARAM ?
			settings_get(&form->subsystem->sweep, form->rows[i].name) : NULL;

		if (text && !form_set(form, i, text, NULL))
			any = true;
	}
	return any;
}

/* The texts that the row can be stepped through. *len 0: none. The list is the caller's to free, the texts
 * are not. */
static const char **choices(const struct form *form, const struct form_row *row, size_t *len)
{
	static const char *const flags[] = { "on", "off" };
	const char **list = NULL;
	const struct param *param;
	const struct offer *offer;
	size_t count = 0;

	*len = 0;
	if (row->kind == FORM_LOAD || row->kind == FORM_ADD_LOAD) {
		for (size_t i = 0; i < form->board->subsystems_len; i++) {
			if (!form->board->subsystems[i].info)
				continue;
			list = mem_grow(list, *len + 1, sizeof(*list));
			list[(*len)++] = form->board->subsystems[i].name;
		}
		return list;
	}
	if (row->kind != FORM_PARAM)
		return NULL;
	param = row_param(form, row);
	offer = offers(form, row->param, &count);
	if (param->type == BB_CHOICE)
		while (param->choices[*len])
			(*len)++;
	else if (param->type == BB_FLAG)
		*len = ARRAY_LEN(flags);
	else
		*len = count;
	list = *len ? mem_zalloc(*len, sizeof(*list)) : NULL;
	for (size_t i = 0; i < *len; i++)
		list[i] = param->type == BB_CHOICE ? param->choices[i] : param->type == BB_FLAG ? flags[i] :
			offer[i].value;
	return list;
}

bool form_can_step(const struct form *form, size_t row)
{
	size_t len;

	free(choices(form, &form->rows[row], &len));
	return len > 0;
}

char *form_step(const struct form *form, size_t row, const char *from, int by)
{
	size_t len, at = 0;
	const char **list = choices(form, &form->rows[row], &len);
	char *text;

	if (!len)
		return NULL;
	while (at < len && strcmp(list[at], from) != 0)
		at++;
	if (at == len) /* something typed: begin at the first or last */
		at = by > 0 ? 0 : len - 1;
	else
		at = (at + len + (size_t)(by < 0 ? -1 : 1)) % len;
	text = mem_strdup(list[at]);
	free(list);
	return text;
}

const char *form_label(const struct form *form, size_t row, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s", form->rows[row].name);
	for (char *at = buffer; *at; at++)
		if (*at == '_')
			*at = ' ';
	return buffer;
}

char *form_shown(const struct form *form, size_t index)
{
	const struct form_row *row = &form->rows[index];
	const struct offer *offer = find_offer(form, row, row->text);
	const struct option *option = row->kind == FORM_OPTION ? find_option(row->name) : NULL;

	if (offer && offer->description && *offer->description)
		return text_printf("%s  %s", row->text, offer->description);
	if (option && !strcmp(row->text, option->initial))
		return mem_strdup(!strcmp(option->name, "duration") &&
			(form->subsystem->info->flags & BB_ENDLESS) ? "10 s" : option->empty);
	if (row->kind == FORM_ADD_LOAD)
		return mem_strdup(form->len > 1 && form->rows[form->len - 2].kind == FORM_LOAD ? "(add another)" : "none");
	if (!*row->text)
		return mem_strdup("(not set)");
	return mem_strdup(row->text);
}

static void add_choices(struct text *text, const struct form *form, const struct form_row *row)
{
	size_t len;
	const char **list = choices(form, row, &len);

	for (size_t i = 0; i < len; i++)
		text_add(text, "%s%s", i ? ", " : " One of: ", list[i]);
	if (len)
		text_add(text, ".");
	free(list);
}

static const char *example(const struct param *param)
{
	switch (param->type) {
	case BB_SIZE:
		return " For example 1MiB; 100KiB,1MiB or 64KiB..4MiB*2 makes a sweep.";
	case BB_DURATION:
		return " For example 500us; 1ms,10ms makes a sweep.";
	case BB_RATE:
		return " For example 48k; 44100,48k makes a sweep.";
	case BB_INTEGER:
	case BB_NUMBER:
		return " Several with commas, or 1..8*2, make a sweep.";
	case BB_FLAG:
	case BB_CHOICE:
		return " Several with commas make a sweep.";
	case BB_TEXT:
	case BB_PATH:
		break;
	}
	return "";
}

char *form_hint(const struct form *form, size_t index)
{
	const struct form_row *row = &form->rows[index];
	struct text text = { 0 };

	switch (row->kind) {
	case FORM_PARAM:
		text_add(&text, "%s", row_param(form, row)->text);
		if (row_param(form, row)->unit)
			text_add(&text, " In %s.", row_param(form, row)->unit);
		add_choices(&text, form, row);
		text_add(&text, "%s", example(row_param(form, row)));
		break;
	case FORM_OPTION:
		text_add(&text, "%s", find_option(row->name)->hint);
		break;
	case FORM_LOAD:
	case FORM_ADD_LOAD:
		text_add(&text, "Runs meanwhile: a subsystem, then NAME=VALUE. Empty removes it.");
		add_choices(&text, form, row);
		break;
	}
	return text_steal(&text);
}

unsigned long long form_cases(const struct form *form)
{
	unsigned long long cases = 1;

	for (size_t i = 0; i < form->len; i++) {
		struct sweep sweep = { 0 };

		if (form->rows[i].kind != FORM_PARAM)
			continue;
		if (!sweep_parse(row_param(form, &form->rows[i]), form->rows[i].text, &sweep, NULL))
			cases *= sweep.len ? sweep.len : 1;
		sweep_finish(&sweep);
		if (cases > SWEEP_MAX)
			return cases;
	}
	return cases;
}

void form_to_spec(const struct form *form, struct run_spec *spec)
{
	struct run_part *part = run_spec_add(spec, form->subsystem->name);

	for (size_t i = 0; i < form->len; i++) {
		const struct form_row *row = &form->rows[i];

		if (row->kind == FORM_LOAD)
			run_part_add_load(part, row->text);
		else if (row->kind != FORM_ADD_LOAD && strcmp(row->text, row->initial) != 0)
			settings_set(&part->settings, row->name, row->text);
	}
	for (size_t i = 0; i < form->other.len; i++)
		settings_set(&part->settings, form->other.items[i].name, form->other.items[i].text);
}

static long find_row(const struct form *form, const char *name)
{
	for (size_t i = 0; i < form->len; i++)
		if (form->rows[i].kind <= FORM_OPTION && !strcmp(form->rows[i].name, name))
			return (long)i;
	return -1;
}

static int take_setting(struct form *form, const struct setting *setting, struct error *error)
{
	long row = find_row(form, setting->name);
	struct case_options checked;
	int status;

	if (row >= 0)
		return form_set(form, (size_t)row, setting->text, error);
	case_options_init(&checked);
	status = case_option_set(&checked, form->subsystem->info, form->root, setting->name, setting->text, error);
	free(checked.cpus);
	if (status > 0)
		return plan_unknown_parameter(form->subsystem->info, setting->name, true, error);
	if (!status)
		settings_set(&form->other, setting->name, setting->text);
	return status;
}

int form_from_part(struct form *form, const struct run_part *part, struct error *error)
{
	struct form taken;
	int status = 0;

	form_init(&taken, form->board, form->subsystem, form->root);
	for (size_t i = 0; !status && i < part->settings.len; i++)
		status = take_setting(&taken, &part->settings.items[i], error);
	for (size_t i = 0; !status && part->loads && part->loads[i]; i++)
		status = form_set(&taken, taken.len - 1, part->loads[i], error);
	if (status) {
		form_finish(&taken);
		return status;
	}
	form_finish(form);
	*form = taken;
	return 0;
}
