/* SPDX-License-Identifier: MIT
 *
 * Results as printed: CSV that RFC 4180 reads back, Markdown that stays a table, one JSON object a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "mem.h"
#include "output.h"

#define NASTY "/mnt/a,b \"c\"\nd|e"

static void make(struct result *result, const char *subsystem, const char *size, double rate)
{
	*result = (struct result){ .board = mem_strdup("generic"), .subsystem = mem_strdup(subsystem),
		.module = mem_strdup("storage"), .method = mem_strdup("1"), .params_len = 2, .metrics_len = 1,
		.time = 1769853600, .repeat = 1 };
	strcpy(result->id, "1f3a-4");
	result->params = mem_zalloc(2, sizeof(*result->params));
	result->params[0] = (struct result_param){ .name = mem_strdup("buffer_size"), .text = mem_strdup(size),
		.type = BB_SIZE };
	result->params[1] = (struct result_param){ .name = mem_strdup("directory"), .text = mem_strdup(NASTY),
		.type = BB_TEXT };
	result->metrics = mem_zalloc(1, sizeof(*result->metrics));
	result->metrics[0] = (struct metric_result){ .name = mem_strdup("throughput"),
		.unit = mem_strdup("MB/s"), .better = BB_HIGHER, .value = rate, .min = rate, .max = rate,
		.median = rate, .samples = 1 };
	result->cpu = (struct cpu_load){ .valid = true, .load = 8.25 };
}

static void make_failed(struct result *result, const char *subsystem)
{
	make(result, subsystem, "5MiB", 0);
	metric_result_finish(&result->metrics[0]);
	result->metrics_len = 0;
	result->cpu.valid = false;
	result->state = RESULT_FAILED;
	result->error = mem_strdup("cannot write: \"disk\", full");
	result_add_note(result, "a note of it");
}

/* mmc twice (the second failed), then usb. */
static char *print(enum output_format format)
{
	struct result results[3];
	const struct result *pointers[3];
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	make(&results[0], "mmc", "100KiB", 9.24);
	make_failed(&results[1], "mmc");
	make(&results[2], "usb", "100KiB", 31.5);
	for (size_t i = 0; i < 3; i++)
		pointers[i] = &results[i];
	output_results(stream, format, pointers, 3);
	assert_int_equal(fclose(stream), 0);
	for (size_t i = 0; i < 3; i++)
		result_finish(&results[i]);
	return text;
}

/* One field after RFC 4180, section 2; *end is what stands behind it: ',', a newline or 0. */
static char *next_field(const char **at, char *end)
{
	struct text field = { 0 };
	bool quoted = **at == '"';

	*at += quoted;
	while (**at && (quoted || (**at != ',' && **at != '\n'))) {
		if (quoted && **at == '"' && *++*at != '"')
			break;
		assert_true(quoted || **at != '"');
		text_add_bytes(&field, (*at)++, 1);
	}
	*end = **at;
	*at += **at != '\0';
	return text_steal(&field);
}

static char **next_record(const char **at)
{
	char **fields = NULL, end = '\0';

	do {
		_autofree_ char *field = next_field(at, &end);
		list_add(&fields, "%s", field);
	} while (end == ',');
	assert_int_equal(end, '\n');
	return fields;
}

static const char *field_of(char *const *titles, char *const *fields, const char *title)
{
	for (size_t i = 0; titles[i]; i++)
		if (!strcmp(titles[i], title))
			return fields[i];
	fail_msg("no column %s", title);
	return "";
}

static void csv_reads_back(void **state)
{
	_autofree_ char *text = print(OUTPUT_CSV);
	const char *at = text;
	char **titles = next_record(&at), **fields[3];

	for (size_t i = 0; i < 3; i++) {
		fields[i] = next_record(&at);
		assert_int_equal(list_len(fields[i]), list_len(titles));
	}
	assert_int_equal(*at, '\0');
	assert_string_equal(field_of(titles, fields[0], "id"), "1f3a-4");
	assert_string_equal(field_of(titles, fields[0], "metric"), "throughput");
	assert_string_equal(field_of(titles, fields[0], "value"), "9.24");
	assert_true(fabs(atof(field_of(titles, fields[0], "cpu_load")) - 8.25) < 1e-9);
	assert_string_equal(field_of(titles, fields[0], "parameters"),
		"buffer_size=100KiB;directory=" NASTY);
	assert_string_equal(field_of(titles, fields[1], "state"), "failed");
	assert_string_equal(field_of(titles, fields[1], "value"), ""); /* unknown is never 0 */
	assert_string_equal(field_of(titles, fields[1], "cpu_load"), "");
	assert_string_equal(field_of(titles, fields[1], "error"), "cannot write: \"disk\", full");
	assert_string_equal(field_of(titles, fields[2], "subsystem"), "usb");
	list_finish(&titles);
	for (size_t i = 0; i < 3; i++)
		list_finish(&fields[i]);
}

static void json_is_an_object_a_line(void **state)
{
	static const char *const states[] = { "ok", "failed", "ok" };
	_autofree_ char *text = print(OUTPUT_JSON);
	size_t lines = 0;

	for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		json_t *root = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
		assert_true(json_is_object(root) && lines < 3);
		assert_string_equal(json_string_value(json_object_get(root, "state")), states[lines++]);
		json_decref(root);
	}
	assert_int_equal(lines, 3);
}

/* Cells of a Markdown row: bars that no backslash stands before. */
static size_t bars_of(const char *line)
{
	size_t bars = 0;

	for (const char *c = line; *c; c++)
		bars += *c == '|' && (c == line || c[-1] != '\\');
	return bars;
}

static void markdown_stays_a_table(void **state)
{
	struct result results[2];
	const struct result *pointers[2] = { &results[0], &results[1] };
	char *text = NULL;
	size_t size, bars = 0, rows = 0;
	FILE *stream = open_memstream(&text, &size);

	make(&results[0], "mmc", "100KiB", 9.24);
	make(&results[1], "mmc", "100KiB", 9.5);
	free(results[1].params[1].text);
	results[1].params[1].text = mem_strdup("one|two"); /* it differs, so it is a column */
	free(results[0].params[1].text);
	results[0].params[1].text = mem_strdup("plain");
	output_results(stream, OUTPUT_MARKDOWN, pointers, 2);
	fclose(stream);
	assert_non_null(strstr(text, "one\\|two"));
	for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (line[0] != '|')
			continue;
		bars = rows++ ? bars : bars_of(line);
		assert_int_equal(bars_of(line), bars);
	}
	assert_int_equal(rows, 4); /* titles, rule, two results */
	free(text);
	result_finish(&results[0]);
	result_finish(&results[1]);
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		count++;
	return count;
}

static void text_groups_by_subsystem_and_keeps_the_words(void **state)
{
	_autofree_ char *text = print(OUTPUT_TEXT);

	assert_true(text_starts(text, "mmc (storage)"));
	assert_non_null(strstr(text, "\n\nusb (storage)"));
	assert_int_equal(count_of(text, "MB/s"), 2); /* one table each */
	assert_non_null(strstr(text, "9.24"));
	assert_non_null(strstr(text, "8.2"));
	assert_non_null(strstr(text, "2: failed: cannot write: \"disk\", full\n"));
	assert_non_null(strstr(text, "2: a note of it\n"));
	assert_non_null(strstr(text, " - ")); /* the figure of the failed one */
}

static void text_lines_up(void **state)
{
	_autofree_ char *text = print(OUTPUT_TEXT);
	const char *titles = strchr(text, '\n') + 1, *first = strchr(titles, '\n') + 1;
	const char *unit = strstr(titles, "MB/s"), *value = strstr(first, "9.24");

	assert_non_null(unit);
	assert_non_null(value);
	assert_int_equal(unit - titles, value - first); /* both four wide, both at the right */
	assert_true(first - titles <= 81);
}

static void no_result_prints_no_table(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	output_results(stream, OUTPUT_TEXT, NULL, 0);
	output_results(stream, OUTPUT_JSON, NULL, 0);
	output_results(stream, OUTPUT_MARKDOWN, NULL, 0);
	fclose(stream);
	assert_string_equal(text, "");
	free(text);
}

/* Prints the results and finishes them. */
static char *print_these(enum output_format format, struct result *results, size_t len)
{
	const struct result *pointers[5];
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_true(len <= ARRAY_LEN(pointers));
	for (size_t i = 0; i < len; i++)
		pointers[i] = &results[i];
	output_results(stream, format, pointers, len);
	assert_int_equal(fclose(stream), 0);
	for (size_t i = 0; i < len; i++)
		result_finish(&results[i]);
	return text;
}

static void set_text(char **text, const char *value)
{
	free(*text);
	*text = mem_strdup(value);
}

static void heading_is_true_of_each_row(void **state)
{
	static const char *const runs[] = { "a", "b", "b", "c", "d" };
	struct result results[5];

	for (size_t i = 0; i < 5; i++) {
		make(&results[i], "mmc", "100KiB", 9.24);
		strcpy(results[i].run, runs[i]);
		settings_set(&results[i].environment, "kernel", i < 3 ? "4.14.1" : "6.1.80");
	}
	set_text(&results[4].board, "other");
	_autofree_ char *text = print_these(OUTPUT_TEXT, results, 5);
	assert_non_null(strstr(text, "generic, kernel 4.14.1; 2 runs\n"));
	assert_non_null(strstr(text, "generic, kernel 6.1.80; run c\n"));
	assert_non_null(strstr(text, "other, kernel 6.1.80; run d\n"));
}

/* Files of results come from anywhere: what they hold must not command the terminal. */
static void control_characters_stay_out(void **state)
{
	static const enum output_format formats[] = { OUTPUT_TEXT, OUTPUT_MARKDOWN };

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		struct result results[2];
		for (size_t j = 0; j < 2; j++)
			make(&results[j], "mmc", "100KiB", 9.24);
		set_text(&results[0].params[1].text, "/a\033[2J\n|b");
		set_text(&results[0].board, "bo\033]0;x\007ard");
		set_text(&results[1].board, "bo\033]0;x\007ard");
		result_add_note(&results[0], "note\033[31m\xc2\x9b" "1m red\r\n# no heading");
		result_add_kernel_message(&results[0], "mmc0:\ttimeout\177");
		_autofree_ char *text = print_these(formats[i], results, 2);
		for (const unsigned char *c = (const unsigned char *)text; *c; c++)
			assert_true((*c >= ' ' && *c != 0x7f && *c != 0x9b) || *c == '\n');
		assert_null(strstr(text, "\n# no heading"));
		assert_non_null(strstr(text, "kernel: mmc0: timeout"));
	}
}

static void long_words_are_wrapped(void **state)
{
	struct result results[2];
	char path[101];

	make(&results[0], "mmc", "100KiB", 9.24);
	make(&results[1], "mmc", "200KiB", 9.24);
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	for (size_t i = 0; i < 20; i++)
		result_add_note(&results[1], "%.*s twelve words of which each is short enough for one line "
			"of eighty columns here", (int)i + 1, path);
	result_add_note(&results[1], "%s", path);
	_autofree_ char *text = print_these(OUTPUT_TEXT, results, 2);
	assert_non_null(strstr(text, path)); /* one word stays one word */
	assert_non_null(strstr(text, "  2: p twelve words"));
	for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		assert_true(strlen(line) <= 80 || strstr(line, path));
}

static void csv_keeps_every_digit_and_no_nan(void **state)
{
	struct result result;

	make(&result, "mmc", "100KiB", 123456789012345.0);
	result.metrics[0].stddev = NAN;
	_autofree_ char *text = print_these(OUTPUT_CSV, &result, 1);
	const char *at = text;
	char **titles = next_record(&at), **fields = next_record(&at);
	assert_true(strtod(field_of(titles, fields, "value"), NULL) == 123456789012345.0);
	assert_string_equal(field_of(titles, fields, "stddev"), "");
	list_finish(&titles);
	list_finish(&fields);
}

static void formats_are_known_by_name(void **state)
{
	enum output_format format = OUTPUT_TEXT;
	struct error error = { 0 };

	assert_int_equal(output_format_parse("markdown", &format, &error), 0);
	assert_int_equal(format, OUTPUT_MARKDOWN);
	assert_int_equal(output_format_parse("jsn", &format, &error), -EINVAL);
	assert_non_null(strstr(error.text, "did you mean json?"));
	assert_int_equal(format, OUTPUT_MARKDOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_reads_back),
		cmocka_unit_test(json_is_an_object_a_line),
		cmocka_unit_test(markdown_stays_a_table),
		cmocka_unit_test(text_groups_by_subsystem_and_keeps_the_words),
		cmocka_unit_test(text_lines_up),
		cmocka_unit_test(no_result_prints_no_table),
		cmocka_unit_test(heading_is_true_of_each_row),
		cmocka_unit_test(control_characters_stay_out),
		cmocka_unit_test(long_words_are_wrapped),
		cmocka_unit_test(csv_keeps_every_digit_and_no_nan),
		cmocka_unit_test(formats_are_known_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
