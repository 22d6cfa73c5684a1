/* SPDX-License-Identifier: MIT */
/* The command line: one function a command. */
#ifndef BB_CLI_H
#define BB_CLI_H

#include <stdio.h>

#include "output.h"
#include "session.h"

/* Exit status, as the contract says. */
enum cli_status { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_UNAVAILABLE = 3, CLI_CANCELLED = 130 };

struct cli {
	struct session_options session;
	enum output_format format;
	const char *output;        /* --output; NULL: standard output */
	const char *profile, *save, *resume; /* NULL: not given */
	double fail_below;         /* < 0: not given */
	struct settings options;   /* reserved names given as options: repeat, duration, warmup, ... */
	char **loads;              /* NULL-terminated */
	bool yes;
	char **words;              /* command and its arguments */
	int words_len;
};

int cli_list(const struct cli *cli, struct session *session);
int cli_show(const struct cli *cli, struct session *session);
int cli_doctor(const struct cli *cli, struct session *session);
int cli_run(const struct cli *cli, struct session *session);
int cli_report(const struct cli *cli, struct session *session);
int cli_compare(const struct cli *cli, struct session *session);

/* Print "boardbench: TEXT" on standard error. */
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Status for an error of finding out what is meant. */
int cli_status_of(const struct error *error);
/* The stream for results: --output (made, or emptied when it exists and is a regular file) or standard output. NULL
 * with a complaint. */
FILE *cli_output_open(const struct cli *cli);
int cli_output_close(FILE *stream, const struct cli *cli, int status);

/* Results named by words: ids, run ids, names of runs or subsystems, files of JSON lines; none: those of the last run.
 * The caller frees with cli_results_finish(). */
struct cli_results {
	struct result **items;
	size_t len;
};
int cli_results_find(const struct session *session, const char *word, struct cli_results *results,
	struct error *error);
void cli_results_finish(struct cli_results *results);

/* Say on standard error what was put back at the start, a torn or unsafe journal, and a run that was broken off. */
void cli_tell_start(const struct session *session);

#endif
