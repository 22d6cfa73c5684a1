/* SPDX-License-Identifier: MIT
 * Results as text, Markdown, CSV and JSON. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
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

/* Results of one subsystem and module that follow each other are one table. */
static size_t group_length(const struct result *const *results, size_t len)
{
	size_t same = 1;

	while (same < len && !strcmp(results[same]->subsystem, results[0]->subsystem) &&
		!strcmp(results[same]->module, results[0]->module))
		same++;
	return same;
}

static void print_text_row(FILE *stream, const struct table *table, char *const *cells)
{
	fputs(" ", stream);
	for (size_t i = 0; i < table->columns_len; i++) {
		int width = i + 1 == table->columns_len ? 0 : table->columns[i].width;
		fprintf(stream, table->columns[i].right ? " %*s " : " %-*s ", width, cells[i]);
	}
	fputc('\n', stream);
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

static void print_heading(FILE *stream, const struct result *const *results, size_t len,
	const char *before)
{
	const struct result *result = results[0];
	const char *kernel = settings_get(&result->environment, "kernel");

	fprintf(stream, "%s%s", before, result->subsystem);
	if (strcmp(result->subsystem, result->module))
		fprintf(stream, " (%s)", result->module);
	for (size_t i = 0; i < result->params_len; i++)
		if ((result->params[i].type == BB_CHOICE || result->params[i].type == BB_PATH) &&
			result->params[i].text[0] && !is_swept(results, len, result->params[i].name))
			fprintf(stream, ", %s", result->params[i].text);
	fprintf(stream, "; %s%s%s; run %s\n", result->board, kernel ? ", kernel " : "", kernel ? kernel : "",
		result->run);
}

static void print_text_metrics(FILE *stream, const struct result *result, size_t row, bool several)
{
	char value[32], median[32], p99[32], max[32];

	for (size_t i = 0; i < result->metrics_len; i++) {
		const struct metric_result *metric = &result->metrics[i];
		if (i == 0 && !metric->has_percentiles)
			continue; /* it is in the table */
		fputs("  ", stream);
		if (several)
			fprintf(stream, "%zu: ", row + 1);
		if (metric->has_percentiles)
			fprintf(stream, "%s median %s, 99 %% %s, max %s %s of %llu (within %.1f %%)\n", metric->name,
				number_format(metric->median, median, sizeof(median)),
				number_format(metric->p99, p99, sizeof(p99)),
				number_format(metric->max, max, sizeof(max)), metric->unit,
				(unsigned long long)metric->samples, metric->error * 100);
		else
			fprintf(stream, "%s %s %s\n", metric->name,
				number_format(metric->value, value, sizeof(value)), metric->unit);
	}
}

static void print_text_loads(FILE *stream, const struct result *result, size_t row, bool several)
{
	char value[32];

	for (size_t i = 0; i < result->loads_len; i++) {
		const struct result_load *load = &result->loads[i];
		fputs("  ", stream);
		if (several)
			fprintf(stream, "%zu: ", row + 1);
		fprintf(stream, "load %s:", load->subsystem);
		if (load->metrics_len)
			fprintf(stream, " %s %s %s", load->metrics[0].name,
				number_format(load->metrics[0].value, value, sizeof(value)), load->metrics[0].unit);
		fprintf(stream, "%s%s\n", load->error ? " " : "", load->error ? load->error : "");
	}
}

static void print_words(FILE *stream, const struct result *result, size_t row, bool several,
	const char *bullet)
{
	char prefix[32] = "";

	if (several)
		snprintf(prefix, sizeof(prefix), "%zu: ", row + 1);
	if (result->error)
		fprintf(stream, "%s%s%s: %s\n", bullet, prefix, result_state_name(result->state), result->error);
	for (size_t i = 0; result->notes && result->notes[i]; i++)
		fprintf(stream, "%s%s%s\n", bullet, prefix, result->notes[i]);
	for (size_t i = 0; result->kernel_messages && result->kernel_messages[i]; i++)
		fprintf(stream, "%s%skernel: %s\n", bullet, prefix, result->kernel_messages[i]);
}

static void print_text(FILE *stream, const struct result *const *results, size_t len)
{
	struct table table;

	print_heading(stream, results, len, "");
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
		print_words(stream, results[i], i, len > 1, "  ");
	}
}

static void print_markdown_row(FILE *stream, const struct table *table, char *const *cells)
{
	for (size_t i = 0; i < table->columns_len; i++) {
		fputs("| ", stream);
		for (const char *c = cells[i]; *c; c++)
			fprintf(stream, *c == '|' ? "\\%c" : "%c", *c);
		fputc(' ', stream);
	}
	fputs("|\n", stream);
}

static void print_markdown(FILE *stream, const struct result *const *results, size_t len)
{
	struct table table;

	print_heading(stream, results, len, "### ");
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
		print_words(stream, results[i], i, len > 1, "- ");
}

/* RFC 4180: quoted when it must be, quotes doubled. */
static void print_csv_cell(FILE *stream, const char *text, bool last)
{
	bool quote = strpbrk(text, ",\"\r\n") != NULL;

	if (quote)
		fputc('"', stream);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			fputc('"', stream);
		fputc(*c, stream);
	}
	if (quote)
		fputc('"', stream);
	fputc(last ? '\n' : ',', stream);
}

static void print_csv_number(FILE *stream, double number)
{
	fprintf(stream, "%.10g,", number);
}

static void print_csv_line(FILE *stream, const struct result *result, const char *params,
	const struct metric_result *metric)
{
	char when[32];

	snprintf(when, sizeof(when), "%lld", (long long)result->time);
	const char *const head[] = { result->id, when, result->board, result->subsystem, result->module,
		result_state_name(result->state), params, metric ? metric->name : "",
		metric ? metric->unit : "" };
	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		print_csv_cell(stream, head[i], false);
	if (metric) {
		print_csv_number(stream, metric->value);
		print_csv_number(stream, metric->min);
		print_csv_number(stream, metric->max);
		print_csv_number(stream, metric->stddev);
		print_csv_number(stream, metric->median);
		fprintf(stream, "%llu,", (unsigned long long)metric->samples);
	} else {
		fputs(",,,,,,", stream);
	}
	if (result->cpu.valid)
		fprintf(stream, "%.3f", result->cpu.load);
	fputc(',', stream);
	print_csv_cell(stream, result->error ? result->error : "", true);
}

static void print_csv(FILE *stream, const struct result *const *results, size_t len)
{
	fputs("id,time,board,subsystem,module,state,parameters,metric,unit,value,min,max,stddev,median,samples,"
		"cpu_load,error\n", stream);
	for (size_t i = 0; i < len; i++) {
		struct text params = { 0 };
		for (size_t j = 0; j < results[i]->params_len; j++)
			text_add(&params, "%s%s=%s", j ? ";" : "", results[i]->params[j].name,
				results[i]->params[j].text);
		const char *text = params.data ? params.data : "";
		for (size_t j = 0; j < results[i]->metrics_len; j++)
			print_csv_line(stream, results[i], text, &results[i]->metrics[j]);
		if (results[i]->metrics_len == 0)
			print_csv_line(stream, results[i], text, NULL);
		text_finish(&params);
	}
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
		(format == OUTPUT_CSV ? print_csv : print_json)(stream, results, len);
		return;
	}
	for (size_t i = 0, same; i < len; i += same) {
		same = group_length(results + i, len - i);
		if (i)
			fputc('\n', stream);
		(format == OUTPUT_TEXT ? print_text : print_markdown)(stream, results + i, same);
	}
}
