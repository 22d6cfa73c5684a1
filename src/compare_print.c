/* SPDX-License-Identifier: MIT
 * Prints a comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "json.h"
#include "mem.h"
#include "value.h"

static const char *verdict_word(enum compare_verdict verdict)
{
	static const char *const words[] = { "same", "better", "worse", "different", "unknown" };

	return words[verdict];
}

/* "+ 3.2 %", "x 15.1", "/ 17.7" */
static void format_change(const struct compare_row *row, char *buffer, size_t size)
{
	double ratio = row->b / row->a;

	if (!isfinite(row->percent))
		snprintf(buffer, size, "-");
	else if (row->a > 0 && ratio >= 3)
		snprintf(buffer, size, "x %.1f", ratio);
	else if (row->a > 0 && ratio > 0 && ratio <= 1.0 / 3)
		snprintf(buffer, size, "/ %.1f", 1 / ratio);
	else
		snprintf(buffer, size, "%+.1f %%", row->percent);
}

static void format_side(double value, double low, double high, char *buffer, size_t size)
{
	char number[32], from[32], to[32];

	number_format(value, number, sizeof(number));
	if (isfinite(low) && low != high)
		snprintf(buffer, size, "%s (%s .. %s)", number, number_format(low, from, sizeof(from)),
			number_format(high, to, sizeof(to)));
	else
		snprintf(buffer, size, "%s", number);
}

static void print_settings(FILE *stream, const char *title, const struct settings *settings)
{
	for (size_t i = 0; i < settings->len; i++)
		fprintf(stream, "%s%s %s", i ? ", " : title, settings->items[i].name, settings->items[i].text);
	if (settings->len)
		fputc('\n', stream);
}

static void print_verdict(FILE *stream, const struct comparison *comparison)
{
	const struct compare_row *first = comparison->len ? &comparison->rows[0] : NULL;

	if (!first)
		fputs("The two have no metric in common.\n", stream);
	else if (first->verdict == COMPARE_UNKNOWN)
		fputs("A single pass on a side: whether the difference is more than chance cannot be said "
			"(--repeat).\n", stream);
	else if (first->verdict == COMPARE_SAME)
		fprintf(stream, "%s: within the spread of the passes (p = %.3f).\n", first->name, first->p);
	else
		fprintf(stream, "%s: %s, beyond the spread of the passes (p %s %.3f).\n", first->name,
			verdict_word(first->verdict), first->p < 0.001 ? "<" : "=", fmax(first->p, 0.001));
}

static void print_text(FILE *stream, const struct result *a, const struct result *b,
	const struct comparison *comparison)
{
	fprintf(stream, "A: %s %s, %s\nB: %s %s, %s\n", a->id, a->subsystem, a->board, b->id, b->subsystem,
		b->board);
	print_settings(stream, "different: ", &comparison->different);
	print_settings(stream, "alike: ", &comparison->same);
	if (comparison->warning)
		fprintf(stream, "! %s\n", comparison->warning);
	fprintf(stream, "%-14s %-5s %-26s %-26s %s\n", "", "", "A", "B", "B to A");
	for (size_t i = 0; i < comparison->len; i++) {
		const struct compare_row *row = &comparison->rows[i];
		char left[80], right[80], change[32];
		format_side(row->a, row->a_min, row->a_max, left, sizeof(left));
		format_side(row->b, row->b_min, row->b_max, right, sizeof(right));
		format_change(row, change, sizeof(change));
		fprintf(stream, "%-14s %-5s %-26s %-26s %s\n", row->name, row->unit, left, right, change);
	}
	print_verdict(stream, comparison);
}

static void print_markdown(FILE *stream, const struct result *a, const struct result *b,
	const struct comparison *comparison)
{
	fprintf(stream, "| %s to %s | unit | A | B | B to A | verdict |\n|---|---|---:|---:|---:|---|\n", a->id,
		b->id);
	for (size_t i = 0; i < comparison->len; i++) {
		const struct compare_row *row = &comparison->rows[i];
		char left[32], right[32], change[32];
		format_change(row, change, sizeof(change));
		fprintf(stream, "| %s | %s | %s | %s | %s | %s |\n", row->name, row->unit,
			number_format(row->a, left, sizeof(left)), number_format(row->b, right, sizeof(right)),
			change, verdict_word(row->verdict));
	}
}

static void print_csv(FILE *stream, const struct result *a, const struct result *b,
	const struct comparison *comparison)
{
	fputs("a,b,metric,unit,value_a,value_b,percent,p,verdict\n", stream);
	for (size_t i = 0; i < comparison->len; i++) {
		const struct compare_row *row = &comparison->rows[i];
		fprintf(stream, "%s,%s,%s,%s,%.10g,%.10g,", a->id, b->id, row->name, row->unit, row->a, row->b);
		if (isfinite(row->percent))
			fprintf(stream, "%.4g", row->percent);
		fputc(',', stream);
		if (isfinite(row->p))
			fprintf(stream, "%.4g", row->p);
		fprintf(stream, ",%s\n", verdict_word(row->verdict));
	}
}

static void print_json(FILE *stream, const struct result *a, const struct result *b,
	const struct comparison *comparison)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	json_put_string(&text, "schema", "boardbench.comparison/1");
	json_put_string(&text, "a", a->id);
	json_put_string(&text, "b", b->id);
	json_put_string(&text, "warning", comparison->warning);
	json_put_object(&text, "different");
	for (size_t i = 0; i < comparison->different.len; i++)
		json_put_string(&text, comparison->different.items[i].name, comparison->different.items[i].text);
	json_put_object_end(&text);
	json_put_object(&text, "metrics");
	for (size_t i = 0; i < comparison->len; i++) {
		const struct compare_row *row = &comparison->rows[i];
		json_put_object(&text, row->name);
		json_put_string(&text, "unit", row->unit);
		json_put_double(&text, "a", row->a);
		json_put_double(&text, "b", row->b);
		json_put_double(&text, "percent", row->percent);
		json_put_double(&text, "p", row->p);
		json_put_string(&text, "verdict", verdict_word(row->verdict));
		json_put_object_end(&text);
	}
	json_put_object_end(&text);
	json_put_object_end(&text);
	fprintf(stream, "%s\n", text.data);
	text_finish(&text);
}

void comparison_print(FILE *stream, enum output_format format, const struct result *a,
	const struct result *b, const struct comparison *comparison)
{
	switch (format) {
	case OUTPUT_TEXT:
		print_text(stream, a, b, comparison);
		break;
	case OUTPUT_MARKDOWN:
		print_markdown(stream, a, b, comparison);
		break;
	case OUTPUT_CSV:
		print_csv(stream, a, b, comparison);
		break;
	case OUTPUT_JSON:
		print_json(stream, a, b, comparison);
		break;
	}
}
