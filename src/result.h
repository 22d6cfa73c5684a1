/* SPDX-License-Identifier: MIT */
/* The result of a case, as in the journal and as printed. */
#ifndef BB_RESULT_H
#define BB_RESULT_H

#include <boardbench/module.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "error.h"
#include "settings.h"
#include "text.h"

enum result_state { RESULT_OK, RESULT_SUSPECT, RESULT_FAILED, RESULT_CANCELLED, RESULT_UNAVAILABLE,
	RESULT_UNFINISHED };

const char *result_state_name(enum result_state state); /* "ok", "suspect", ... */

struct metric_result {
	char *name, *unit;
	enum bb_better better;
	double value, min, max, stddev, median; /* over the passes; of a histogram: over its values */
	uint64_t samples;        /* passes, or values in the histogram */
	bool has_percentiles;    /* a histogram: */
	double p90, p99, p999, error; /* error: bound of the percentiles as a fraction (0.0156) */
	double *passes;          /* the value of each pass, in order */
	size_t passes_len;
};

/* A parameter's value: for comparison and for JSON. */
struct result_param {
	char *name, *text; /* text: as value_format_plain() */
	char *unit;        /* NULL: none */
	enum bb_type type; /* numbers are numbers in JSON, sizes in bytes, durations in nanoseconds */
	double number;     /* for the numeric types */
};

struct result_load {
	char *subsystem, *module;
	struct result_param *params;
	size_t params_len;
	enum result_state state;
	char *error; /* NULL */
	struct metric_result *metrics;
	size_t metrics_len;
};

struct result {
	char id[40];             /* RUN-CASE: "1f3a9c2e77b0-4" */
	char run[24];            /* id of the run */
	uint32_t case_index, cases; /* 1-based */
	int64_t time;            /* seconds since 1970, UTC, when the case began */
	bool clock_unset;        /* the date was before this program was built */
	char boot_id[40];
	uint64_t monotonic_ns;   /* when the case began: order within a boot */
	char *board, *subsystem, *module, *method; /* method: its version */
	char *profile;           /* name of the run profile; NULL */
	struct result_param *params;
	size_t params_len;
	struct settings actual;  /* parameter = value that the hardware took, where it differs or was told */
	struct result_load *loads;
	size_t loads_len;
	enum result_state state;
	char *error;             /* NULL; for failed, cancelled, unavailable, unfinished */
	unsigned repeat;         /* passes that were measured */
	struct metric_result *metrics; /* the first is the one that tables show */
	size_t metrics_len;
	struct cpu_load cpu;     /* mean over the passes */
	double elapsed_s;        /* timed parts of all passes together */
	struct settings environment; /* "kernel", "governor", "cpu_mhz", "device", ... */
	char **notes;            /* NULL-terminated */
	char **kernel_messages;  /* NULL-terminated; those that came during the measurement */
};

void result_finish(struct result *result);
void metric_result_finish(struct metric_result *metric);
void result_add_note(struct result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void result_add_kernel_message(struct result *result, const char *text);
/* First metric by that name (NULL: the first), or NULL. */
const struct metric_result *result_metric(const struct result *result, const char *name);
const struct result_param *result_param(const struct result *result, const char *name);

/* One object on one line, with its newline, as the command-line contract shows it. */
void result_to_json(const struct result *result, struct text *text);
/* *result is all zero before; on error it is finished. Unknown keys are ignored, another schema is an
 * error. */
int result_from_json(const char *json, size_t length, struct result *result, struct error *error);

#endif
