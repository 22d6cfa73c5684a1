/* SPDX-License-Identifier: MIT */
/* Shared by the files that print results. */
#ifndef BB_OUTPUT_INTERNAL_H
#define BB_OUTPUT_INTERNAL_H

#include "output.h"

/* The header line, then one line a metric, or one without figures for a result that has none. */
void output_csv(FILE *stream, const struct result *const *results, size_t len);

/* Print one line and free it. Control characters become blanks: results may be of a file from anywhere,
 * and must neither command a terminal nor break a table. */
void output_line(FILE *stream, struct text *line);
/* As output_line(), after `indent` blanks; what is wider than 80 columns goes on, deeper, in the next line. A
 * word is never broken. */
void output_paragraph(FILE *stream, size_t indent, struct text *line);

#endif
