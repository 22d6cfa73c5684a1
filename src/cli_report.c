/* SPDX-License-Identifier: MIT
 * `boardbench report` and `compare`: results of the journal and of files, again and side by side. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "compare.h"
#include "mem.h"

static struct result *take(struct cli_results *results)
{
	results->items = mem_grow(results->items, results->len + 1, sizeof(*results->items));
	results->items[results->len] = mem_zalloc(1, sizeof(struct result));
	return results->items[results->len];
}

void cli_results_finish(struct cli_results *results)
{
	for (size_t i = 0; i < results->len; i++) {
		result_finish(results->items[i]);
		free(results->items[i]);
	}
	free(results->items);
	*results = (struct cli_results){ 0 };
}

static int read_entry(const struct journal *journal, size_t i, struct cli_results *results,
	struct error *error)
{
	struct result *result = take(results);
	int code = journal_read(journal, i, result, error);

	if (code < 0)
		free(result);
	else
		results->len++;
	return code;
}

/* Lines of our own JSON; other lines of a journal (begun, closed) are passed over. */
static int read_file(const char *path, struct cli_results *results, struct error *error)
{
	FILE *stream;
	char *line = NULL;
	size_t size = 0, number = 0;
	ssize_t length;
	int code = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd < 0)
		return error_set(error, errno, "cannot open %s: %s", path, strerror(errno));
	if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
		close(fd);
		return error_set(error, EINVAL, "%s is no file of results", path);
	}
	stream = fdopen(fd, "r");
	if (!stream) {
		close(fd);
		return error_set(error, ENOMEM, "cannot read %s", path);
	}
	while (code == 0 && (length = getline(&line, &size, stream)) > 0) {
		struct error why = { 0 };
		number++;
		if (strstr(line, "\"boardbench.begun/") || strstr(line, "\"boardbench.closed/"))
			continue;
		struct result *result = take(results);
		if (result_from_json(line, (size_t)length, result, &why) < 0) {
			free(result);
			code = error_set(error, EINVAL, "%s:%zu: %s: write it with --format json", path, number,
				why.text);
		} else {
			results->len++;
		}
	}
	free(line);
	fclose(stream);
	if (code == 0 && results->len == 0)
		code = error_set(error, EINVAL, "%s holds no result", path);
	return code;
}

/* Does the entry belong to what the word names? The id of a result is RUN-CASE. */
static bool named(const struct journal_entry *entry, const char *word)
{
	char id[40];

	snprintf(id, sizeof(id), "%s-%u", entry->run, entry->case_index);
	return !strcmp(word, id) || !strcmp(word, entry->run);
}

/* The newest run whose results have this subsystem or saved name. */
static const char *newest_run(const struct journal *journal, const char *word)
{
	for (size_t i = journal->len; i > 0; i--) {
		const struct journal_entry *entry = &journal->entries[i - 1];
		if (entry->kind == JOURNAL_RESULT && (!word || !strcmp(entry->subsystem, word) ||
			!strcmp(entry->profile, word)))
			return entry->run;
	}
	return NULL;
}

static int read_named(const struct journal *journal, const char *word, struct cli_results *results,
	struct error *error)
{
	int code = 0;

	for (size_t i = 0; i < journal->len && code == 0; i++)
		if (journal->entries[i].kind == JOURNAL_RESULT && named(&journal->entries[i], word))
			code = read_entry(journal, i, results, error);
	return code;
}

int cli_results_find(const struct session *session, const char *word, struct cli_results *results,
	struct error *error)
{
	const struct journal *journal = &session->journal;

	if (word && (strchr(word, '/') || access(word, F_OK) == 0))
		return read_file(word, results, error);
	if (!session->journal_open)
		return error_set(error, EIO, "%s", journal->problem ? journal->problem : "there is no journal");
	int code = word ? read_named(journal, word, results, error) : 0;
	if (code < 0 || results->len > 0)
		return code;
	const char *run = newest_run(journal, word);
	if (!run && word)
		return error_set(error, ENOENT, "no result, run, saved run, subsystem or file \"%s\": boardbench "
			"list runs shows what there is", word);
	if (!run)
		return error_set(error, ENOENT, "no results yet: boardbench run measures something");
	return read_named(journal, run, results, error);
}

/* Without words: all of the journal. */
static int read_all(const struct session *session, struct cli_results *results, struct error *error)
{
	if (!session->journal_open)
		return cli_results_find(session, NULL, results, error);
	for (size_t i = 0; i < session->journal.len; i++)
		if (session->journal.entries[i].kind == JOURNAL_RESULT)
			read_entry(&session->journal, i, results, NULL);
	if (results->len == 0)
		return error_set(error, ENOENT, "no results yet: boardbench run measures something");
	return 0;
}

int cli_report(const struct cli *cli, struct session *session)
{
	struct cli_results results = { 0 };
	struct error error = { 0 };
	int code = 0, status;

	cli_tell_start(session);
	if (cli->words_len == 1)
		code = read_all(session, &results, &error);
	for (int i = 1; i < cli->words_len && code == 0; i++) {
		struct cli_results some = { 0 };
		code = cli_results_find(session, cli->words[i], &some, &error);
		for (size_t j = 0; j < some.len; j++) {
			take(&results);
			free(results.items[results.len]);
			results.items[results.len++] = some.items[j];
		}
		free(some.items);
	}
	if (code < 0) {
		cli_complain("%s", error.text);
		status = code == -ENOENT && cli->words_len == 1 ? CLI_UNAVAILABLE : CLI_USAGE;
	} else {
		FILE *stream = cli_output_open(cli);
		if (stream)
			output_results(stream, cli->format, (const struct result *const *)results.items, results.len);
		status = stream ? cli_output_close(stream, cli, CLI_OK) : CLI_USAGE;
	}
	cli_results_finish(&results);
	return status;
}

/* Is anything that has a better and a worse worse by more than the limit? */
static bool worse_than(const struct comparison *comparison, double limit)
{
	for (size_t i = 0; i < comparison->len; i++) {
		const struct compare_row *row = &comparison->rows[i];
		bool worse_direction = row->better == BB_HIGHER ? row->percent < 0 :
			row->better == BB_LOWER && row->percent > 0;
		if (isfinite(row->percent) && worse_direction && fabs(row->percent) > limit)
			return true;
	}
	return false;
}

static bool print_pairs(FILE *stream, const struct cli *cli, const struct cli_results *a,
	const struct cli_results *b, size_t *matched)
{
	long *pairs = mem_zalloc(a->len + 1, sizeof(*pairs));
	bool worse = false;

	compare_match((const struct result *const *)a->items, a->len,
		(const struct result *const *)b->items, b->len, pairs);
	for (size_t i = 0; i < a->len; i++) {
		struct comparison comparison = { 0 };
		if (pairs[i] < 0)
			continue;
		const struct result *other = b->items[pairs[i]];
		if ((*matched)++ && cli->format == OUTPUT_TEXT)
			fputc('\n', stream);
		compare_results(a->items[i], other, &comparison);
		comparison_print(stream, cli->format, a->items[i], other, &comparison);
		worse = worse || (cli->fail_below >= 0 && worse_than(&comparison, cli->fail_below));
		comparison_finish(&comparison);
	}
	free(pairs);
	return worse;
}

int cli_compare(const struct cli *cli, struct session *session)
{
	struct cli_results a = { 0 }, b = { 0 };
	struct error error = { 0 };
	size_t matched = 0;
	int status = CLI_USAGE;

	if (cli->words_len != 3) {
		cli_complain("usage: boardbench compare A B; each is the id of a result or run, a name, or a file");
		return CLI_USAGE;
	}
	cli_tell_start(session);
	if (cli_results_find(session, cli->words[1], &a, &error) < 0 ||
		cli_results_find(session, cli->words[2], &b, &error) < 0) {
		cli_complain("%s", error.text);
	} else {
		FILE *stream = cli_output_open(cli);
		if (stream) {
			bool worse = print_pairs(stream, cli, &a, &b, &matched);
			status = cli_output_close(stream, cli, worse ? CLI_FAILED : CLI_OK);
		}
		if (stream && matched == 0) {
			cli_complain("no result of %s has a partner in %s: subsystem, module and parameters must be alike",
				cli->words[1], cli->words[2]);
			status = CLI_USAGE;
		}
	}
	cli_results_finish(&a);
	cli_results_finish(&b);
	return status;
}
