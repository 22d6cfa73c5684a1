/* SPDX-License-Identifier: MIT */
/* Results as tables and lines. */
#ifndef BB_OUTPUT_H
#define BB_OUTPUT_H

#include <stdio.h>

#include "result.h"

enum output_format { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_MARKDOWN };

int output_format_parse(const char *text, enum output_format *format, struct error *error);

/* The columns of a table of results: a parameter is a column when it differs between rows or is the
 * swept one; metrics, CPU load, state. Used by the text table and by the screen. */
struct column {
	char *title;      /* "buffer_size", "MB/s", "min", "max", "CPU %", "state" */
	int width;        /* of the widest cell, title included */
	bool right;       /* numbers stand right */
};
struct table {
	struct column *columns;
	size_t columns_len;
	char ***cells;    /* [row][column], owned */
	size_t rows;
};
/* One row a result of the same module; marks ("best", "knee", "suspect") in the last column. The knee is
 * the first (cheapest) row within 5 % of the best. */
void table_of_results(const struct result *const *results, size_t len, struct table *table);
void table_finish(struct table *table);

/* Print results in the format, grouped by module and subsystem; notes below the table in text and
 * markdown. CSV: one line a metric, RFC 4180. */
void output_results(FILE *stream, enum output_format format, const struct result *const *results,
	size_t len);

#endif
