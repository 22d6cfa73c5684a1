/* SPDX-License-Identifier: MIT
 * `boardbench run`: makes the plan, runs it without a screen, prints progress and results. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"
#include "list.h"
#include "mem.h"
#include "run.h"
#include "value.h"

#define LINE_NS UINT64_C(1000000000) /* between two lines of progress */

struct progress {
	struct session *session;
	struct run *run;
	FILE *stream;         /* of the results */
	enum output_format format;
	bool terminal;        /* one live line instead of many */
	bool line_shown;
	uint64_t last_ns;
	unsigned interrupts;
	bool over;
	bool failed, unavailable, cancelled;
};

static void clear_line(struct progress *progress)
{
	if (progress->line_shown)
		fprintf(stderr, "\r%79s\r", "");
	progress->line_shown = false;
}

static void format_line(const struct run_view *view, char *line, size_t size)
{
	char now[32], elapsed[32], rate[80] = "";
	_autofree_ char *what = plan_case_describe(view->current);

	if (view->primary)
		snprintf(rate, sizeof(rate), "  %s %s", number_format(view->primary->now, now, sizeof(now)),
			view->primary->metric->unit);
	snprintf(line, size, "%zu/%zu %s: %.40s, pass %u of %u: %s%s  %s", view->case_index + 1,
		view->plan->len, view->current->subsystem->name, what, view->pass,
		view->current->options.repeat, view->phase[0] ? view->phase : run_state_name(view->state), rate,
		elapsed_format(view->run_elapsed_s, elapsed, sizeof(elapsed)));
}

static void on_changed(void *data)
{
	struct progress *progress = data;
	const struct run_view *view = progress->run ? run_look(progress->run) : NULL;
	char line[256];

	if (!view || !view->current || view->quiet || clock_now() - progress->last_ns < LINE_NS)
		return;
	progress->last_ns = clock_now();
	format_line(view, line, sizeof(line));
	if (progress->terminal) {
		fprintf(stderr, "\r%-78.78s", line);
		progress->line_shown = true;
	} else {
		fprintf(stderr, "%s\n", line);
	}
}

static void on_case_done(void *data, const struct result *result)
{
	struct progress *progress = data;

	clear_line(progress);
	progress->failed |= result->state == RESULT_FAILED || result->state == RESULT_UNFINISHED;
	progress->unavailable |= result->state == RESULT_UNAVAILABLE;
	progress->cancelled |= result->state == RESULT_CANCELLED;
	if (result->error && progress->format != OUTPUT_TEXT)
		cli_complain("%s: %s: %s", result->subsystem, result_state_name(result->state), result->error);
	/* Each line as soon as it is known: a run that is cut off leaves what it had. */
	if (progress->format == OUTPUT_JSON) {
		output_results(progress->stream, OUTPUT_JSON, &result, 1);
		fflush(progress->stream);
	}
}

static void on_over(void *data)
{
	struct progress *progress = data;

	progress->over = true;
	loop_stop(progress->session->loop);
}

static void on_stop_signal(void *data, int signal_number)
{
	struct progress *progress = data;

	if (signal_number == SIGHUP && !progress->session->options.stop_on_hangup)
		return; /* the line is gone, the run is not */
	progress->cancelled = true;
	if (progress->interrupts++ == 0) {
		clear_line(progress);
		fprintf(stderr, "boardbench: stopping; what is measured is kept\n");
		run_stop(progress->run);
	}
}

/* A run of the words "SUBSYSTEM PARAM=VALUE..." with the options. */
static int spec_of_words(const struct cli *cli, struct run_spec *spec, struct error *error)
{
	if (cli->words_len < 2)
		return error_set(error, EINVAL, "run what? Name a subsystem or a module (boardbench list), or give "
			"--profile NAME");
	struct run_part *part = run_spec_add(spec, cli->words[1]);
	for (int i = 2; i < cli->words_len; i++) {
		int result = settings_parse(&part->settings, cli->words[i], error);
		if (result < 0)
			return result;
	}
	return 0;
}

static void apply_options(const struct cli *cli, struct run_spec *spec)
{
	for (size_t i = 0; i < spec->parts_len; i++) {
		for (size_t j = 0; j < cli->options.len; j++)
			settings_set(&spec->parts[i].settings, cli->options.items[j].name,
				cli->options.items[j].text);
		for (size_t j = 0; cli->loads && cli->loads[j]; j++)
			run_part_add_load(&spec->parts[i], cli->loads[j]);
	}
}

/* Warnings become lines on standard error. */
static void tell_warnings(char **warnings)
{
	for (size_t i = 0; warnings && warnings[i]; i++)
		cli_complain("%s", warnings[i]);
	list_finish(&warnings);
}

struct resume {
	struct journal_unfinished found;
	bool wanted;
	size_t skip;
	const char *id;
};

static int spec_of_journal(const struct cli *cli, struct session *session, struct resume *resume,
	struct run_spec *spec, struct error *error)
{
	char **warnings = NULL;
	const struct journal_begun *begun = &resume->found.begun;
	bool skip = !strcmp(cli->resume, "skip");

	if (!skip && strcmp(cli->resume, "repeat") != 0)
		return error_set(error, EINVAL, "--resume takes skip (go on with the next case) or repeat");
	if (!session->journal_open || !journal_find_unfinished(&session->journal, &resume->found))
		return error_set(error, ENOENT, "no run was broken off: there is nothing to resume");
	resume->wanted = true;
	skip = skip && begun->pass > 0; /* one that had not begun did no harm */
	if (!begun->plan)
		return error_set(error, ENOENT, "the plan of run %s is not in the journal", begun->run);
	int result = run_spec_from_text("the journal", begun->plan, strlen(begun->plan), spec, &warnings,
		error);
	tell_warnings(warnings);
	if (result == 0 && skip)
		result = run_mark_unfinished(session, &resume->found, error);
	resume->id = begun->run;
	resume->skip = begun->case_index - (skip ? 0 : 1);
	return result;
}

static int make_spec(const struct cli *cli, struct session *session, struct resume *resume,
	struct run_spec *spec, struct error *error)
{
	char **warnings = NULL;
	int result;

	if (cli->resume) {
		if (cli->profile || cli->words_len > 1)
			return error_set(error, EINVAL, "--resume goes on with what the journal holds: give no subsystem "
				"and no profile with it");
		return spec_of_journal(cli, session, resume, spec, error);
	}
	if (cli->profile) {
		if (cli->words_len > 1)
			return error_set(error, EINVAL, "give either --profile or a subsystem, not both");
		result = run_profile_load(session->run_directory, cli->profile, spec, &warnings, error);
		tell_warnings(warnings);
	} else {
		result = spec_of_words(cli, spec, error);
	}
	if (result == 0)
		apply_options(cli, spec);
	return result;
}

/* A subsystem offers its devices only once it was asked. */
static void probe_named(struct session *session, const struct run_spec *spec)
{
	for (size_t i = 0; i < spec->parts_len; i++)
		for (size_t j = 0; j < session->board.subsystems_len; j++) {
			struct subsystem *subsystem = &session->board.subsystems[j];
			if (!strcmp(subsystem->name, spec->parts[i].subsystem) ||
				!strcmp(subsystem->module, spec->parts[i].subsystem))
				catalog_probe(subsystem, session->options.root);
		}
}

static int save(const struct cli *cli, struct session *session, struct run_spec *spec,
	struct error *error)
{
	free(spec->board);
	spec->board = mem_strdup(session->board.name);
	int result = run_profile_save(session->run_directory, cli->save, spec, cli->yes, error);
	if (result == 0) {
		free(spec->profile);
		spec->profile = mem_strdup(cli->save);
	}
	return result;
}

static int drive(const struct cli *cli, struct session *session, struct plan *plan,
	const struct resume *resume, FILE *stream)
{
	const char *term = getenv("TERM");
	struct progress progress = { .session = session, .stream = stream, .format = cli->format,
		.terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 && !cli->session.plain,
		.last_ns = clock_now() };
	struct run_listener listener = { &progress, on_changed, on_case_done, on_over };
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct loop_source *sources[ARRAY_LEN(signals)];
	size_t len;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sources[i] = loop_add_signal(session->loop, signals[i], on_stop_signal, &progress);
	progress.run = run_start(session, plan, resume->id, resume->skip, &listener);
	loop_run(session->loop);
	clear_line(&progress);
	const struct result *const *results = run_results(progress.run, &len);
	if (cli->format != OUTPUT_JSON)
		output_results(stream, cli->format, results, len);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		loop_remove(sources[i]);
	run_destroy(progress.run);
	if (progress.cancelled)
		return CLI_CANCELLED;
	if (progress.failed)
		return CLI_FAILED;
	return progress.unavailable ? CLI_UNAVAILABLE : CLI_OK;
}

int cli_run(const struct cli *cli, struct session *session)
{
	struct run_spec spec = { 0 };
	struct resume resume = { 0 };
	struct plan plan = { 0 };
	struct error error = { 0 };
	int status;

	cli_tell_start(session);
	int result = make_spec(cli, session, &resume, &spec, &error);
	if (result == 0) {
		probe_named(session, &spec);
		result = plan_make(&session->board, session->catalog.modules, session->catalog.len,
			session->options.root, &spec, &plan, &error);
	}
	if (result == 0 && cli->save) {
		result = save(cli, session, &spec, &error);
		free(plan.spec.profile);
		plan.spec.profile = mem_strdup(spec.profile);
	}
	if (result < 0) {
		cli_complain("%s", error.text);
		status = cli_status_of(&error);
	} else {
		FILE *stream = cli_output_open(cli);
		status = stream ? cli_output_close(stream, cli, drive(cli, session, &plan, &resume, stream)) :
			CLI_USAGE;
	}
	plan_finish(&plan);
	run_spec_finish(&spec);
	if (resume.wanted)
		journal_unfinished_finish(&resume.found);
	return status;
}
