/* SPDX-License-Identifier: MIT
 * Compares two results metric by metric, and says whether the difference is more than the spread. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "stats.h"

#define SIGNIFICANT 0.05

static struct compare_row *add_row(struct comparison *comparison)
{
	comparison->rows = mem_grow(comparison->rows, comparison->len + 1, sizeof(*comparison->rows));
	comparison->rows[comparison->len] = (struct compare_row){ .a = NAN, .b = NAN, .a_min = NAN,
		.a_max = NAN, .b_min = NAN, .b_max = NAN, .percent = NAN, .p = NAN,
		.verdict = COMPARE_UNKNOWN };
	return &comparison->rows[comparison->len++];
}

static double percent_of(double a, double b)
{
	return a != 0 ? 100 * (b - a) / fabs(a) : NAN;
}

static enum compare_verdict judge(const struct compare_row *row)
{
	if (!isfinite(row->p))
		return COMPARE_UNKNOWN;
	if (row->p >= SIGNIFICANT)
		return COMPARE_SAME;
	if (row->better == BB_NEITHER)
		return COMPARE_DIFFERENT;
	return (row->b > row->a) == (row->better == BB_HIGHER) ? COMPARE_BETTER : COMPARE_WORSE;
}

static void compare_metric(struct comparison *comparison, const struct metric_result *a,
	const struct metric_result *b)
{
	struct compare_row *row = add_row(comparison);

	row->name = mem_strdup(a->name);
	row->unit = mem_strdup(a->unit);
	row->better = a->better;
	/* Of a latency the median: its mean is led by a few outliers. */
	row->a = a->has_percentiles ? a->median : a->value;
	row->b = b->has_percentiles ? b->median : b->value;
	row->a_min = a->min;
	row->a_max = a->max;
	row->b_min = b->min;
	row->b_max = b->max;
	row->percent = percent_of(row->a, row->b);
	stats_welch(a->passes, a->passes_len, b->passes, b->passes_len, &row->p);
	row->verdict = judge(row);
}

static void compare_cpu(struct comparison *comparison, const struct result *a,
	const struct result *b)
{
	if (!a->cpu.valid || !b->cpu.valid)
		return;
	struct compare_row *load = add_row(comparison);
	load->name = mem_strdup("cpu_load");
	load->unit = mem_strdup("%");
	load->better = BB_LOWER;
	load->a = a->cpu.load;
	load->b = b->cpu.load;
	load->percent = percent_of(load->a, load->b);
	const struct metric_result *first = result_metric(a, NULL);
	const struct metric_result *second = first ? result_metric(b, first->name) : NULL;
	if (!second || first->better != BB_HIGHER || a->cpu.load <= 0 || b->cpu.load <= 0)
		return;
	struct compare_row *cost = add_row(comparison);
	cost->name = mem_strdup("per CPU %");
	cost->unit = mem_strdup(first->unit);
	cost->better = BB_HIGHER;
	cost->a = first->value / a->cpu.load;
	cost->b = second->value / b->cpu.load;
	cost->percent = percent_of(cost->a, cost->b);
}

static void compare_params(struct comparison *comparison, const struct result *a,
	const struct result *b)
{
	for (size_t i = 0; i < a->params_len; i++) {
		const struct result_param *left = &a->params[i];
		const struct result_param *right = result_param(b, left->name);
		if (right && !strcmp(left->text, right->text)) {
			settings_set(&comparison->same, left->name, left->text);
		} else {
			_autofree_ char *text = text_printf("%s -> %s", left->text, right ? right->text : "-");
			settings_set(&comparison->different, left->name, text);
		}
	}
	for (size_t i = 0; i < b->params_len; i++) {
		if (result_param(a, b->params[i].name))
			continue;
		_autofree_ char *text = text_printf("- -> %s", b->params[i].text);
		settings_set(&comparison->different, b->params[i].name, text);
	}
	const char *kernel_a = settings_get(&a->environment, "kernel");
	const char *kernel_b = settings_get(&b->environment, "kernel");
	if (kernel_a && kernel_b && strcmp(kernel_a, kernel_b)) {
		_autofree_ char *text = text_printf("%s -> %s", kernel_a, kernel_b);
		settings_set(&comparison->different, "kernel", text);
	}
}

/* A value that one of them really used, and the other did not. NULL: none. */
static char *actual_warning(const struct result *a, const struct result *b, const char *a_name,
	const char *b_name)
{
	for (size_t i = 0; i < a->actual.len; i++) {
		const struct setting *actual = &a->actual.items[i];
		const char *other = settings_get(&b->actual, actual->name);
		if (!other || strcmp(other, actual->text) != 0)
			return text_printf("%s was really %s in %s and %s in %s", actual->name, actual->text, a_name,
				other ? other : "as asked", b_name);
	}
	return NULL;
}

static char *warning_of(const struct result *a, const struct result *b)
{
	if (strcmp(a->module, b->module))
		return text_printf("measured by different modules, %s and %s: the figures are not comparable",
			a->module, b->module);
	if (strcmp(a->method, b->method))
		return text_printf("taken by method versions %s and %s of %s: the figures are not comparable",
			a->method, b->method, a->module);
	char *warning = actual_warning(a, b, "A", "B");
	if (!warning)
		warning = actual_warning(b, a, "B", "A");
	if (warning)
		return warning;
	if (a->state == RESULT_SUSPECT || b->state == RESULT_SUSPECT)
		return text_printf("%s suspect: see its notes", a->state != b->state ?
			(a->state == RESULT_SUSPECT ? "A is" : "B is") : "both are");
	return NULL;
}

void compare_results(const struct result *a, const struct result *b, struct comparison *comparison)
{
	*comparison = (struct comparison){ 0 };
	for (size_t i = 0; i < a->metrics_len; i++) {
		const struct metric_result *other = result_metric(b, a->metrics[i].name);
		if (other && !strcmp(other->unit, a->metrics[i].unit))
			compare_metric(comparison, &a->metrics[i], other);
	}
	compare_cpu(comparison, a, b);
	compare_params(comparison, a, b);
	comparison->warning = warning_of(a, b);
}

void comparison_finish(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->len; i++) {
		free(comparison->rows[i].name);
		free(comparison->rows[i].unit);
	}
	free(comparison->rows);
	free(comparison->warning);
	settings_finish(&comparison->different);
	settings_finish(&comparison->same);
	*comparison = (struct comparison){ 0 };
}

static bool same_loads(const struct result *a, const struct result *b)
{
	if (a->loads_len != b->loads_len)
		return false;
	for (size_t i = 0; i < a->loads_len; i++) {
		const struct result_load *left = &a->loads[i], *right = &b->loads[i];
		if (strcmp(left->module, right->module) != 0 || left->params_len != right->params_len)
			return false;
		for (size_t j = 0; j < left->params_len; j++)
			if (left->params[j].type != BB_PATH &&
				strcmp(left->params[j].text, right->params[j].text) != 0)
				return false;
	}
	return true;
}

static bool same_case(const struct result *a, const struct result *b)
{
	if (strcmp(a->subsystem, b->subsystem) || strcmp(a->module, b->module) ||
		a->params_len != b->params_len || !same_loads(a, b))
		return false;
	for (size_t i = 0; i < a->params_len; i++) {
		const struct result_param *other = result_param(b, a->params[i].name);
		/* Where the medium is mounted may differ from board to board. */
		if (a->params[i].type == BB_PATH && other)
			continue;
		if (!other || strcmp(other->text, a->params[i].text))
			return false;
	}
	return true;
}

void compare_match(const struct result *const *a, size_t a_len, const struct result *const *b,
	size_t b_len, long *pairs)
{
	bool *taken = mem_zalloc(b_len + 1, sizeof(*taken));

	for (size_t i = 0; i < a_len; i++) {
		pairs[i] = a_len == 1 && b_len == 1 ? 0 : -1;
		for (size_t j = 0; j < b_len && pairs[i] < 0; j++)
			if (!taken[j] && same_case(a[i], b[j])) {
				taken[j] = true;
				pairs[i] = (long)j;
			}
	}
	free(taken);
}
