/* SPDX-License-Identifier: MIT
 * Results as CSV: a line a metric. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "output_internal.h"

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

/* Every digit that counts; what is not known is empty. */
static void print_csv_number(FILE *stream, double number)
{
	struct text digits = { 0 };

	if (isfinite(number))
		text_add_double(&digits, number);
	fprintf(stream, "%s,", digits.data ? digits.data : "");
	text_finish(&digits);
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

void output_csv(FILE *stream, const struct result *const *results, size_t len)
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
