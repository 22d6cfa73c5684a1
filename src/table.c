/* SPDX-License-Identifier: MIT
 * Tables of results: which parameters are columns, and the marks best and knee. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "output.h"
#include "value.h"

#define KNEE_PERCENT 5 /* the knee: the cheapest value within this of the best */

static void add_column(struct table *table, const char *title, bool right)
{
	table->columns = mem_grow(table->columns, table->columns_len + 1, sizeof(*table->columns));
	table->columns[table->columns_len++] = (struct column){ .title = mem_strdup(title),
		.width = (int)strlen(title), .right = right };
}

static void set_cell(struct table *table, size_t row, size_t column, char *text)
{
	int width = (int)strlen(text);

	table->cells[row][column] = text;
	if (width > table->columns[column].width)
		table->columns[column].width = width;
}

static const char *param_text(const struct result *result, const char *name)
{
	const char *actual = settings_get(&result->actual, name);
	const struct result_param *param = result_param(result, name);

	return actual ? actual : param ? param->text : NULL;
}

/* A parameter is a column when it differs between rows. */
static bool differs(const struct result *const *results, size_t len, const char *name)
{
	for (size_t i = 1; i < len; i++) {
		const char *first = param_text(results[0], name), *other = param_text(results[i], name);
		if ((first == NULL) != (other == NULL) || (first && strcmp(first, other)))
			return true;
	}
	return false;
}

static bool is_number(const struct result_param *param)
{
	return param->type >= BB_INTEGER && param->type <= BB_RATE;
}

static char *param_cell(const struct result *result, const char *name)
{
	const struct result_param *param = result_param(result, name);
	const char *text = param_text(result, name);
	struct value value;

	if (!text)
		return mem_strdup("-");
	if (param && param->type == BB_SIZE) {
		const struct param size = { .name = param->name, .type = BB_SIZE };
		if (value_parse(&size, text, &value, NULL) == 0)
			return value_format(&size, &value);
	}
	return mem_strdup(text);
}

struct layout {
	const char **params;
	size_t params_len;
	bool spread, units, swept; /* columns min and max; unit; one numeric parameter is the sweep */
};

/* Each name once: results of another version of the module may have others. */
static bool is_listed(const struct layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->params_len; i++)
		if (!strcmp(layout->params[i], name))
			return true;
	return false;
}

/* Returns how many of the new columns are numbers. */
static size_t list_params(const struct result *const *results, size_t len, const struct result *result,
	struct layout *layout)
{
	size_t numbers = 0;

	for (size_t i = 0; i < result->params_len; i++) {
		const struct result_param *param = &result->params[i];
		if (is_listed(layout, param->name) || !differs(results, len, param->name))
			continue;
		layout->params = mem_grow(layout->params, layout->params_len + 1, sizeof(*layout->params));
		layout->params[layout->params_len++] = param->name;
		numbers += is_number(param);
	}
	return numbers;
}

static void lay_out(const struct result *const *results, size_t len, struct layout *layout)
{
	const struct metric_result *first = NULL;
	size_t numbers = 0;

	*layout = (struct layout){ 0 };
	for (size_t i = 0; i < len; i++) {
		numbers += list_params(results, len, results[i], layout);
		const struct metric_result *metric = result_metric(results[i], NULL);
		layout->spread = layout->spread || (metric && metric->passes_len > 1);
		if (first && metric && strcmp(first->unit, metric->unit))
			layout->units = true;
		first = first ? first : metric;
	}
	layout->swept = layout->params_len == 1 && numbers == 1 && len >= 3;
}

/* Of the first result that has it. */
static bool stands_right(const struct result *const *results, size_t len, const char *name)
{
	for (size_t i = 0; i < len; i++)
		if (result_param(results[i], name))
			return is_number(result_param(results[i], name));
	return false;
}

static char *number_cell(bool known, double number)
{
	char buffer[32];

	return mem_strdup(known ? number_format(number, buffer, sizeof(buffer)) : "-");
}

static void fill_row(struct table *table, size_t row, const struct result *result,
	const struct layout *layout)
{
	const struct metric_result *metric = result_metric(result, NULL);
	size_t column = 0;

	table->cells[row] = mem_zalloc(table->columns_len, sizeof(**table->cells));
	for (size_t i = 0; i < layout->params_len; i++)
		set_cell(table, row, column++, param_cell(result, layout->params[i]));
	if (layout->units)
		set_cell(table, row, column++, mem_strdup(metric ? metric->unit : "-"));
	set_cell(table, row, column++, number_cell(metric, metric ? metric->value : 0));
	if (layout->spread) {
		bool known = metric && metric->passes_len > 1;
		set_cell(table, row, column++, number_cell(known, known ? metric->min : 0));
		set_cell(table, row, column++, number_cell(known, known ? metric->max : 0));
	}
	if (result->cpu.valid) {
		char load[32];
		snprintf(load, sizeof(load), "%.1f", result->cpu.load);
		set_cell(table, row, column++, mem_strdup(load));
	} else {
		set_cell(table, row, column++, mem_strdup("-"));
	}
	set_cell(table, row, column, mem_strdup(result->state == RESULT_OK ? "" :
		result_state_name(result->state)));
}

static bool comparable(const struct result *result)
{
	const struct metric_result *metric = result_metric(result, NULL);

	return result->state == RESULT_OK && metric && isfinite(metric->value);
}

static void mark(struct table *table, size_t row, const char *word)
{
	size_t last = table->columns_len - 1;

	free(table->cells[row][last]);
	table->cells[row][last] = NULL;
	set_cell(table, row, last, mem_strdup(word));
}

/* Rows as they came: a sweep goes from the cheap value to the dear one. */
static void mark_best(struct table *table, const struct result *const *results, size_t len)
{
	long best = -1, knee = -1;
	double best_value = 0;

	for (size_t i = 0; i < len; i++) {
		const struct metric_result *metric = result_metric(results[i], NULL);
		if (!comparable(results[i]) || metric->better == BB_NEITHER)
			continue;
		bool better = metric->better == BB_HIGHER ? metric->value > best_value :
			metric->value < best_value;
		if (best < 0 || better) {
			best = (long)i;
			best_value = metric->value;
		}
	}
	for (size_t i = 0; best >= 0 && i < len && knee < 0; i++)
		if (comparable(results[i]) && fabs(result_metric(results[i], NULL)->value - best_value) <=
			fabs(best_value) * KNEE_PERCENT / 100)
			knee = (long)i;
	if (best >= 0)
		mark(table, (size_t)best, best == knee ? "best, knee" : "best");
	if (knee >= 0 && knee != best)
		mark(table, (size_t)knee, "knee");
}

void table_of_results(const struct result *const *results, size_t len, struct table *table)
{
	struct layout layout;

	*table = (struct table){ 0 };
	if (len == 0)
		return;
	lay_out(results, len, &layout);
	for (size_t i = 0; i < layout.params_len; i++)
		add_column(table, layout.params[i], stands_right(results, len, layout.params[i]));
	if (layout.units)
		add_column(table, "unit", false);
	const char *unit = NULL;
	for (size_t i = 0; i < len && !unit; i++)
		unit = result_metric(results[i], NULL) ? result_metric(results[i], NULL)->unit : NULL;
	add_column(table, layout.units || !unit ? "value" : unit, true);
	if (layout.spread) {
		add_column(table, "min", true);
		add_column(table, "max", true);
	}
	add_column(table, "CPU %", true);
	add_column(table, "", false);
	table->rows = len;
	table->cells = mem_zalloc(len, sizeof(*table->cells));
	for (size_t i = 0; i < len; i++)
		fill_row(table, i, results[i], &layout);
	if (layout.swept && !layout.units)
		mark_best(table, results, len);
	free(layout.params);
}

void table_finish(struct table *table)
{
	for (size_t i = 0; i < table->rows; i++) {
		for (size_t j = 0; j < table->columns_len; j++)
			free(table->cells[i][j]);
		free(table->cells[i]);
	}
	for (size_t j = 0; j < table->columns_len; j++)
		free(table->columns[j].title);
	free(table->columns);
	free(table->cells);
	*table = (struct table){ 0 };
}
