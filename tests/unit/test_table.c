/* SPDX-License-Identifier: MIT
 * Tables of results: columns that differ, best and knee. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem.h"
#include "output.h"

static struct result_param *param(const char *name, const char *text, enum bb_type type, double number,
	struct result_param *to)
{
	*to = (struct result_param){ .name = mem_strdup(name), .text = mem_strdup(text), .type = type,
		.number = number };
	return to + 1;
}

static void make(struct result *result, const char *size, double rate, enum bb_better better)
{
	*result = (struct result){ .board = mem_strdup("b"), .subsystem = mem_strdup("mmc"),
		.module = mem_strdup("storage"), .method = mem_strdup("1"), .params_len = 2, .metrics_len = 1 };
	result->params = mem_zalloc(2, sizeof(*result->params));
	param("buffer_size", size, BB_SIZE, 0, param("operation", "write", BB_CHOICE, 0, result->params));
	result->metrics = mem_zalloc(1, sizeof(*result->metrics));
	result->metrics[0] = (struct metric_result){ .name = mem_strdup("throughput"), .unit = mem_strdup("MB/s"),
		.better = better, .value = rate, .min = rate, .max = rate, .samples = 1 };
}

static void set_text(char **text, const char *value)
{
	free(*text);
	*text = mem_strdup(value);
}

static const char *cell(const struct table *table, size_t row, const char *title)
{
	for (size_t i = 0; i < table->columns_len; i++)
		if (!strcmp(table->columns[i].title, title))
			return table->cells[row][i];
	return NULL;
}

/* 524288 is the best; 262144 is the cheapest that is within 5 % of it. */
static void sweep_marks_best_and_knee(void **state)
{
	static const struct { const char *size; double rate; } rows[] = {
		{ "102400", 8.93 }, { "262144", 9.40 }, { "524288", 9.80 }, { "1MiB", 9.24 }, { "5MiB", 9.79 },
	};
	struct result results[5];
	const struct result *pointers[5];
	struct table table;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		make(&results[i], rows[i].size, rows[i].rate, BB_HIGHER);
		pointers[i] = &results[i];
	}
	table_of_results(pointers, 5, &table);
	assert_int_equal(table.rows, 5);
	assert_null(cell(&table, 0, "operation")); /* the same in all rows */
	assert_string_equal(cell(&table, 3, "buffer_size"), "1 MiB");
	assert_string_equal(cell(&table, 2, "MB/s"), "9.80");
	assert_string_equal(cell(&table, 0, "CPU %"), "-");
	assert_string_equal(cell(&table, 0, ""), "");
	assert_string_equal(cell(&table, 1, ""), "knee"); /* 4.1 % below; 102400 is 8.9 % below */
	assert_string_equal(cell(&table, 2, ""), "best");
	table_finish(&table);
	for (size_t i = 0; i < 5; i++)
		result_finish(&results[i]);
}

static void lower_is_better_where_it_is(void **state)
{
	struct result results[3];
	const struct result *pointers[3] = { &results[0], &results[1], &results[2] };
	struct table table;

	(void)state;
	make(&results[0], "1MiB", 30, BB_LOWER);
	make(&results[1], "2MiB", 10, BB_LOWER);
	make(&results[2], "3MiB", 20, BB_LOWER);
	table_of_results(pointers, 3, &table);
	assert_string_equal(cell(&table, 1, ""), "best, knee");
	table_finish(&table);
	for (size_t i = 0; i < 3; i++)
		result_finish(&results[i]);
}

static void what_is_not_ok_is_never_best(void **state)
{
	struct result results[3];
	const struct result *pointers[3] = { &results[0], &results[1], &results[2] };
	struct table table;

	(void)state;
	make(&results[0], "1MiB", 10, BB_HIGHER);
	make(&results[1], "2MiB", 400, BB_HIGHER);
	make(&results[2], "3MiB", 11, BB_HIGHER);
	results[1].state = RESULT_SUSPECT;
	table_of_results(pointers, 3, &table);
	assert_string_equal(cell(&table, 1, ""), "suspect");
	assert_string_equal(cell(&table, 2, ""), "best, knee");
	table_finish(&table);
	for (size_t i = 0; i < 3; i++)
		result_finish(&results[i]);
}

static void missing_figure_is_a_dash(void **state)
{
	struct result result;
	const struct result *pointer = &result;
	struct table table;

	(void)state;
	make(&result, "1MiB", 1, BB_HIGHER);
	metric_result_finish(&result.metrics[0]);
	result.metrics_len = 0;
	result.state = RESULT_FAILED;
	table_of_results(&pointer, 1, &table);
	assert_string_equal(cell(&table, 0, "value"), "-");
	assert_string_equal(cell(&table, 0, ""), "failed");
	table_finish(&table);
	result_finish(&result);
}

/* A newer module may know a parameter that an older result lacks. */
static void later_rows_have_columns_too(void **state)
{
	struct result results[2];
	const struct result *pointers[2] = { &results[0], &results[1] };
	struct table table;

	(void)state;
	make(&results[0], "1MiB", 10, BB_HIGHER);
	make(&results[1], "1MiB", 11, BB_HIGHER);
	set_text(&results[1].params[0].name, "mode");
	table_of_results(pointers, 2, &table);
	assert_string_equal(cell(&table, 0, "mode"), "-");
	assert_string_equal(cell(&table, 1, "mode"), "write");
	assert_string_equal(cell(&table, 1, "operation"), "-");
	table_finish(&table);
	result_finish(&results[0]);
	result_finish(&results[1]);
}

static void what_is_no_number_is_never_best(void **state)
{
	struct result results[3];
	const struct result *pointers[3] = { &results[0], &results[1], &results[2] };
	struct table table;

	(void)state;
	make(&results[0], "1MiB", NAN, BB_HIGHER);
	make(&results[1], "2MiB", 10, BB_HIGHER);
	make(&results[2], "3MiB", 20, BB_HIGHER);
	table_of_results(pointers, 3, &table);
	assert_string_equal(cell(&table, 0, "MB/s"), "-");
	assert_string_equal(cell(&table, 0, ""), "");
	assert_string_equal(cell(&table, 2, ""), "best, knee");
	table_finish(&table);
	for (size_t i = 0; i < 3; i++)
		result_finish(&results[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweep_marks_best_and_knee),
		cmocka_unit_test(lower_is_better_where_it_is),
		cmocka_unit_test(what_is_not_ok_is_never_best),
		cmocka_unit_test(missing_figure_is_a_dash),
		cmocka_unit_test(later_rows_have_columns_too),
		cmocka_unit_test(what_is_no_number_is_never_best),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
