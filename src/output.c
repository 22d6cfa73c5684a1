/* SPDX-License-Identifier: MIT
 * Results as text, Markdown and JSON. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "output_internal.h"
#include "value.h"

int output_format_parse(const char *text, enum output_format *format, struct error *error)
{
	static const char *const names[] = { "text", "json", "csv", "markdown" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(names[i], text)) {
			*format = (enum output_format)i;
			return 0;
		}
	const char *nearest = text_nearest(text, names, ARRAY_LEN(names));
	return error_set(error, EINVAL, "no format \"%s\"%s%s%s; there are text, json, csv and markdown", text,
		nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static const char *kernel_of(const struct result *result)
{
	const char *kernel = settings_get(&result->environment, "kernel");

	return kernel ? kernel : "";
}

/* Results that follow each other are one table if all that its heading says is true of each. */
static size_t group_length(const struct result *const *results, size_t len)
{
	size_t same = 1;

	while (same < len && !strcmp(results[same]->subsystem, results[0]->subsystem) &&
		!strcmp(results[same]->module, results[0]->module) &&
		!strcmp(results[same]->board, results[0]->board) &&
		!strcmp(kernel_of(results[same]), kernel_of(results[0])))
		same++;
	return same;
}

static void print_text_row(FILE *stream, const struct table *table, char *const *cells)
{
	struct text line = { 0 };

	text_add(&line, " ");
	for (size_t i = 0; i < table->columns_len; i++) {
		int width = i + 1 == table->columns_len ? 0 : table->columns[i].width;
		text_add(&line, table->columns[i].right ? " %*s " : " %-*s ", width, cells[i]);
	}
	output_line(stream, &line);
}

static char **titles_of(const struct table *table)
{
	char **titles = mem_zalloc(table->columns_len + 1, sizeof(*titles));

	for (size_t i = 0; i < table->columns_len; i++)
		titles[i] = table->columns[i].title;
	return titles;
}

/* The first choice and what is the same in all rows is in the line above the table. */
static bool is_swept(const struct result *const *results, size_t len, const char *name)
{
	const struct result_param *first = result_param(results[0], name);

	for (size_t i = 1; i < len; i++) {
		const struct result_param *other = result_param(results[i], name);
		if (!other || strcmp(other->text, first->text) != 0)
			return true;
	}
	return false;
}

static size_t runs_of(const struct result *const *results, size_t len)
{
	size_t runs = 0;

	for (size_t i = 0; i < len; i++) {
		size_t before = 0;
		while (before < i && strcmp(results[before]->run, results[i]->run))
			before++;
		runs += before == i;
	}
	return runs;
}

static void add_heading(struct text *line, const struct result *const *results, size_t len)
{
	const struct result *result = results[0];
	const char *kernel = kernel_of(result);
	size_t runs = runs_of(results, len);

	text_add(line, "%s", result->subsystem);
	if (strcmp(result->subsystem, result->module))
		text_add(line, " (%s)", result->module);
	for (size_t i = 0; i < result->params_len; i++)
		if ((result->params[i].type == BB_CHOICE || result->params[i].type == BB_PATH) &&
			result->params[i].text[0] && !is_swept(results, len, result->params[i].name))
			text_add(line, ", %s", result->params[i].text);
	text_add(line, "; %s%s%s; ", result->board, kernel[0] ? ", kernel " : "", kernel);
	if (runs == 1)
		text_add(line, "run %s", result->run);
	else
		text_add(line, "%zu runs", runs);
}

/* A line below the table begins with the row that it belongs to, where there are several. */
static void begin_line(struct text *line, size_t row, bool several)
{
	if (several)
		text_add(line, "%zu: ", row + 1);
}

static void print_text_metrics(FILE *stream, const struct result *result, size_t row, bool several)
{
	char value[32], median[32], p99[32], max[32];

	for (size_t i = 0; i < result->metrics_len; i++) {
		const struct metric_result *metric = &result->metrics[i];
		struct text line = { 0 };
		if (i == 0 && !metric->has_percentiles)
			continue; /* it is in the table */
		begin_line(&line, row, several);
		if (metric->has_percentiles)
			text_add(&line, "%s median %s, 99 %% %s, max %s %s of %llu (within %.1f %%)", metric->name,
				number_format(metric->median, median, sizeof(median)),
				number_format(metric->p99, p99, sizeof(p99)),
				number_format(metric->max, max, sizeof(max)), metric->unit,
				(unsigned long long)metric->samples, metric->error * 100);
		else
			text_add(&line, "%s %s %s", metric->name,
				number_format(metric->value, value, sizeof(value)), metric->unit);
		output_paragraph(stream, 2, &line);
	}
}

static void print_text_loads(FILE *stream, const struct result *result, size_t row, bool several)
{
	char value[32];

	for (size_t i = 0; i < result->loads_len; i++) {
		const struct result_load *load = &result->loads[i];
		struct text line = { 0 };
		begin_line(&line, row, several);
		text_add(&line, "load %s:", load->subsystem);
		if (load->metrics_len)
			text_add(&line, " %s %s %s", load->metrics[0].name,
				number_format(load->metrics[0].value, value, sizeof(value)), load->metrics[0].unit);
		text_add(&line, "%s%s", load->error ? " " : "", load->error ? load->error : "");
		output_paragraph(stream, 2, &line);
	}
}

struct words {
	FILE *stream;
	bool markdown, several;
	size_t row;
};

static void print_word(const struct words *words, const char *before, const char *text)
{
	struct text line = { 0 };

	if (words->markdown)
		text_add(&line, "- ");
	begin_line(&line, words->row, words->several);
	text_add(&line, "%s%s%s", before, before[0] ? ": " : "", text);
	if (words->markdown)
		output_line(words->stream, &line);
	else
		output_paragraph(words->stream, 2, &line);
}

static void print_words(const struct words *words, const struct result *result)
{
	if (result->error)
		print_word(words, result_state_name(result->state), result->error);
	for (size_t i = 0; result->notes && result->notes[i]; i++)
		print_word(words, "", result->notes[i]);
	for (size_t i = 0; result->kernel_messages && result->kernel_messages[i]; i++)
		print_word(words, "kernel", result->kernel_messages[i]);
}

static void print_text(FILE *stream, const struct result *const *results, size_t len)
{
	struct table table;
	struct text heading = { 0 };

	add_heading(&heading, results, len);
	output_paragraph(stream, 0, &heading);
	table_of_results(results, len, &table);
	char **titles = titles_of(&table);
	print_text_row(stream, &table, titles);
	for (size_t i = 0; i < table.rows; i++)
		print_text_row(stream, &table, table.cells[i]);
	free(titles);
	table_finish(&table);
	for (size_t i = 0; i < len; i++) {
		print_text_metrics(stream, results[i], i, len > 1);
		print_text_loads(stream, results[i], i, len > 1);
		print_words(&(struct words){ stream, false, len > 1, i }, results[i]);
	}
}

static void print_markdown_row(FILE *stream, const struct table *table, char *const *cells)
{
	struct text line = { 0 };

	for (size_t i = 0; i < table->columns_len; i++) {
		text_add(&line, "| ");
		for (const char *c = cells[i]; *c; c++)
			text_add(&line, *c == '|' ? "\\%c" : "%c", *c);
		text_add(&line, " ");
	}
	text_add(&line, "|");
	output_line(stream, &line);
}

static void print_markdown(FILE *stream, const struct result *const *results, size_t len)
{
	struct table table;
	struct text heading = { 0 };

	text_add(&heading, "### ");
	add_heading(&heading, results, len);
	output_line(stream, &heading);
	fputc('\n', stream);
	table_of_results(results, len, &table);
	char **titles = titles_of(&table);
	print_markdown_row(stream, &table, titles);
	for (size_t i = 0; i < table.columns_len; i++)
		fputs(table.columns[i].right ? "|---:" : "|---", stream);
	fputs("|\n", stream);
	for (size_t i = 0; i < table.rows; i++)
		print_markdown_row(stream, &table, table.cells[i]);
	free(titles);
	table_finish(&table);
	fputc('\n', stream);
	for (size_t i = 0; i < len; i++)
		print_words(&(struct words){ stream, true, len > 1, i }, results[i]);
}

static void print_json(FILE *stream, const struct result *const *results, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		struct text line = { 0 };
		result_to_json(results[i], &line);
		fputs(line.data, stream);
		text_finish(&line);
	}
}

void output_results(FILE *stream, enum output_format format, const struct result *const *results,
	size_t len)
{
	if (format == OUTPUT_CSV || format == OUTPUT_JSON) {
		(format == OUTPUT_CSV ? output_csv : print_json)(stream, results, len);
		return;
	}
	for (size_t i = 0, same; i < len; i += same) {
		same = group_length(results + i, len - i);
		if (i)
			fputc('\n', stream);
		(format == OUTPUT_TEXT ? print_text : print_markdown)(stream, results + i, same);
	}
}
