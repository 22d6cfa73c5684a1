/* SPDX-License-Identifier: MIT
 * `boardbench list`, `show` and `doctor`: what can be had without measuring. */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "cli.h"
#include "finding.h"
#include "environment.h"
#include "json.h"
#include "mem.h"
#include "run_profile.h"
#include "value.h"

static char state_mark(enum subsystem_state state)
{
	return state == SUBSYSTEM_READY ? '+' : state == SUBSYSTEM_ABSENT ? '-' : '!';
}

static const char *state_name(enum subsystem_state state)
{
	return state == SUBSYSTEM_READY ? "ready" : state == SUBSYSTEM_ABSENT ? "absent" : "needs";
}

/* One object a line: pairs of key and value, NULL-terminated. */
static void print_json(FILE *stream, const char *const *pairs)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	for (size_t i = 0; pairs[i]; i += 2)
		json_put_string(&text, pairs[i], pairs[i + 1]);
	json_put_object_end(&text);
	fprintf(stream, "%s\n", text.data);
	text_finish(&text);
}

#define NOTHING "" /* a pair's value may be NULL, its key may not */

static void list_subsystems(FILE *stream, const struct cli *cli, struct session *session)
{
	for (size_t i = 0; i < session->board.subsystems_len; i++) {
		struct subsystem *subsystem = &session->board.subsystems[i];
		catalog_probe(subsystem, session->options.root);
		const char *title = subsystem->title[0] || !subsystem->info ? subsystem->title :
			subsystem->info->title;
		if (cli->format == OUTPUT_JSON) {
			print_json(stream, (const char *const[]){ "subsystem", subsystem->name, "module",
				subsystem->module, "group", subsystem->group, "title", title, "state",
				state_name(subsystem->state), "reason", subsystem->reason ? subsystem->reason : NOTHING,
				NULL });
			continue;
		}
		fprintf(stream, "%c %-14s %-10s %s\n", state_mark(subsystem->state), subsystem->name,
			subsystem->module, title);
		if (subsystem->reason)
			fprintf(stream, "  %s\n", subsystem->reason);
	}
}

static void list_modules(FILE *stream, const struct cli *cli, const struct session *session)
{
	for (size_t i = 0; i < session->catalog.len; i++) {
		const struct module_info *info = &session->catalog.modules[i];
		if (!info->problem && (info->flags & BB_HIDDEN))
			continue;
		if (cli->format == OUTPUT_JSON)
			print_json(stream, (const char *const[]){ "module", info->name, "title",
				info->problem ? NOTHING : info->title, "version", info->problem ? NOTHING : info->version,
				"path", info->path, "problem", info->problem ? info->problem : NOTHING, NULL });
		else if (info->problem)
			fprintf(stream, "! %-14s %s\n", info->name, info->problem);
		else
			fprintf(stream, "+ %-14s %s (method %s)\n", info->name, info->title, info->version);
	}
}

static void list_boards(FILE *stream, const struct cli *cli, const struct session *session)
{
	size_t len;
	struct board_entry *boards = board_list((const char *const *)session->board_directories, &len);

	for (size_t i = 0; i < len; i++) {
		if (cli->format == OUTPUT_JSON)
			print_json(stream, (const char *const[]){ "board", boards[i].name, "title", boards[i].title,
				"path", boards[i].path, NULL });
		else
			fprintf(stream, "%c %-16s %s\n", strcmp(boards[i].name, session->board.name) ? ' ' : '*',
				boards[i].name, boards[i].title);
	}
	board_list_finish(boards, len);
}

static void format_time(int64_t seconds, char *buffer, size_t size)
{
	time_t time = (time_t)seconds;
	struct tm parts;

	if (!localtime_r(&time, &parts) || !strftime(buffer, size, "%Y-%m-%d %H:%M", &parts))
		snprintf(buffer, size, "-");
}

/* When a saved run was last run, from the journal; 0: never here. */
static int64_t last_run(const struct journal *journal, const char *profile)
{
	for (size_t i = journal->len; i > 0; i--)
		if (journal->entries[i - 1].kind == JOURNAL_RESULT &&
			!strcmp(journal->entries[i - 1].profile, profile))
			return journal->entries[i - 1].time;
	return 0;
}

static void list_saved(FILE *stream, const struct cli *cli, const struct session *session)
{
	size_t len;
	struct run_profile_entry *entries = run_profile_list(session->run_directory, &len);

	for (size_t i = 0; i < len; i++) {
		char last[32] = "never here", cases[32];
		int64_t time = session->journal_open ? last_run(&session->journal, entries[i].name) : 0;
		if (time)
			format_time(time, last, sizeof(last));
		snprintf(cases, sizeof(cases), "%llu", (unsigned long long)entries[i].cases);
		if (cli->format == OUTPUT_JSON)
			print_json(stream, (const char *const[]){ "run", entries[i].name, "what", entries[i].what,
				"cases", cases, "last", last, "path", entries[i].path, NULL });
		else
			fprintf(stream, "saved  %-20s %6s cases  %-16s  %s\n", entries[i].name, cases, last,
				entries[i].what);
	}
	run_profile_list_finish(entries, len);
}

/* The newest runs in the journal, a line each. */
static void list_measured(FILE *stream, const struct cli *cli, const struct session *session)
{
	const struct journal *journal = &session->journal;
	size_t shown = 0;

	for (size_t i = session->journal_open ? journal->len : 0; i > 0 && shown < 20; i--) {
		const struct journal_entry *entry = &journal->entries[i - 1];
		char when[32];
		bool newest = entry->kind == JOURNAL_RESULT;
		for (size_t j = i; newest && j < journal->len && j < i + 2000; j++)
			newest = journal->entries[j].kind != JOURNAL_RESULT ||
				strcmp(journal->entries[j].run, entry->run) != 0;
		if (!newest)
			continue;
		format_time(entry->time, when, sizeof(when));
		if (cli->format == OUTPUT_JSON)
			print_json(stream, (const char *const[]){ "id", entry->run, "subsystem", entry->subsystem,
				"profile", entry->profile, "time", when, "state",
				result_state_name((enum result_state)entry->state), NULL });
		else
			fprintf(stream, "run    %-20s %3u of %-3u     %-16s  %s %s\n", entry->run, entry->case_index,
				entry->cases, when, entry->subsystem, entry->profile);
		shown++;
	}
}

int cli_list(const struct cli *cli, struct session *session)
{
	const char *what = cli->words_len > 1 ? cli->words[1] : "subsystems";
	static const char *const lists[] = { "boards", "subsystems", "modules", "runs" };

	if (cli->words_len > 2 || (cli->format != OUTPUT_TEXT && cli->format != OUTPUT_JSON)) {
		cli_complain("usage: boardbench list [boards|subsystems|modules|runs] [--format text|json]");
		return CLI_USAGE;
	}
	size_t which = 0;
	while (which < ARRAY_LEN(lists) && strcmp(lists[which], what))
		which++;
	if (which == ARRAY_LEN(lists)) {
		const char *nearest = text_nearest(what, lists, ARRAY_LEN(lists));
		cli_complain("cannot list \"%s\"%s%s%s; there are boards, subsystems, modules and runs", what,
			nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
		return CLI_USAGE;
	}
	FILE *stream = cli_output_open(cli);
	if (!stream)
		return CLI_USAGE;
	cli_tell_start(session);
	if (which == 0)
		list_boards(stream, cli, session);
	else if (which == 1)
		list_subsystems(stream, cli, session);
	else if (which == 2)
		list_modules(stream, cli, session);
	else {
		list_saved(stream, cli, session);
		list_measured(stream, cli, session);
	}
	return cli_output_close(stream, cli, CLI_OK);
}

/* Words of a text in lines of at most 78 columns, indented. */
static void print_wrapped(FILE *stream, const char *indent, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t word = strcspn(text, " ");
		if (column && column + 1 + word > 78) {
			fputc('\n', stream);
			column = 0;
		}
		column += (size_t)fprintf(stream, "%s%.*s", column ? " " : indent, (int)word, text);
		text += word;
		text += strspn(text, " ");
	}
	fputc('\n', stream);
}

static const char *type_name(enum bb_type type)
{
	static const char *const names[] = { "", "flag", "integer", "number", "size", "duration", "rate",
		"choice", "text", "path" };

	return names[type];
}

/* A limit as it would be typed. */
static char *limit_text(const struct param *param, double limit)
{
	struct value value = { .type = param->type };

	switch (param->type) {
	case BB_INTEGER:
		value.integer = (int64_t)limit;
		break;
	case BB_NUMBER:
		value.number = limit;
		break;
	default:
		value.natural = (uint64_t)limit;
		break;
	}
	return value_format(param, &value);
}

static void show_param(FILE *stream, const struct param *param)
{
	struct value value = { 0 };
	_autofree_ char *initial = param->initial[0] && value_parse(param, param->initial, &value, NULL) == 0 ?
		value_format(param, &value) : mem_strdup(param->initial);

	fprintf(stream, "  %s  (%s%s%s)", param->name, type_name(param->type),
		initial[0] ? ", default " : "", initial);
	if (param->minimum != 0 || param->maximum != 0) {
		_autofree_ char *low = limit_text(param, param->minimum);
		_autofree_ char *high = limit_text(param, param->maximum);
		fprintf(stream, " %s to %s", low, high);
	}
	fputc('\n', stream);
	print_wrapped(stream, "      ", param->text);
	if (param->choices) {
		fprintf(stream, "      one of:");
		for (size_t i = 0; param->choices[i]; i++)
			fprintf(stream, " %s", param->choices[i]);
		fputc('\n', stream);
	}
	value_finish(&value);
}

static void show_offers(FILE *stream, const struct subsystem *subsystem)
{
	const struct module_info *info = subsystem->info;

	for (size_t i = 0; subsystem->offers && i < info->params_len; i++) {
		if (!subsystem->offers_len[i])
			continue;
		fprintf(stream, "\n%s found here:\n", info->params[i].name);
		for (size_t j = 0; j < subsystem->offers_len[i]; j++)
			fprintf(stream, "%c %-24s %s\n", subsystem->offers[i][j].usable ? '+' : '!',
				subsystem->offers[i][j].value, subsystem->offers[i][j].description);
	}
}

static void show_module(FILE *stream, const struct module_info *info, const char *root)
{
	struct subsystem subsystem = { .name = info->name, .module = info->name, .group = info->group,
		.title = info->title, .info = info };

	fprintf(stream, "%s: %s (method version %s)\n", info->name, info->title, info->version);
	print_wrapped(stream, "", info->text);
	fprintf(stream, "\nmethod\n");
	print_wrapped(stream, "  ", info->method);
	fprintf(stream, "\nparameters\n");
	for (size_t i = 0; i < info->params_len; i++)
		show_param(stream, &info->params[i]);
	fprintf(stream, "\nmetrics\n");
	for (size_t i = 0; i < info->metrics_len; i++)
		fprintf(stream, "  %-16s %-8s %s\n", info->metrics[i].name, info->metrics[i].unit,
			info->metrics[i].text);
	catalog_probe(&subsystem, root);
	if (subsystem.state != SUBSYSTEM_READY)
		fprintf(stream, "\nnot here: %s\n", subsystem.reason ? subsystem.reason : "unknown");
	show_offers(stream, &subsystem);
	subsystem.name = subsystem.module = subsystem.group = subsystem.title = NULL;
	subsystem_finish(&subsystem);
}

int cli_show(const struct cli *cli, struct session *session)
{
	if (cli->words_len != 2) {
		cli_complain("usage: boardbench show MODULE");
		return CLI_USAGE;
	}
	const struct subsystem *subsystem = board_find_subsystem(&session->board, cli->words[1]);
	const char *name = subsystem ? subsystem->module : cli->words[1];
	const struct module_info *info = catalog_find(&session->catalog, name);
	if (!info) {
		const char **names = mem_zalloc(session->catalog.len + 1, sizeof(*names));
		for (size_t i = 0; i < session->catalog.len; i++)
			names[i] = session->catalog.modules[i].name;
		const char *nearest = text_nearest(name, names, session->catalog.len);
		cli_complain("no module \"%s\"%s%s%s: boardbench list modules shows what there is", name,
			nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
		free(names);
		return CLI_USAGE;
	}
	if (info->problem) {
		cli_complain("module %s cannot be used: %s", name, info->problem);
		return CLI_UNAVAILABLE;
	}
	FILE *stream = cli_output_open(cli);
	if (!stream)
		return CLI_USAGE;
	show_module(stream, info, session->options.root);
	return cli_output_close(stream, cli, CLI_OK);
}

int cli_doctor(const struct cli *cli, struct session *session)
{
	struct findings findings = { 0 };
	struct utsname name;

	FILE *stream = cli_output_open(cli);
	if (!stream)
		return CLI_USAGE;
	uname(&name);
	if (cli->format != OUTPUT_JSON)
		fprintf(stream, "%s, %s %s %s\n\n", session->board.title, name.sysname, name.release,
			name.machine);
	doctor_examine(session->options.root, session->store, &findings);
	for (size_t i = 0; i < findings.len; i++) {
		const struct finding *finding = &findings.items[i];
		if (cli->format == OUTPUT_JSON) {
			print_json(stream, (const char *const[]){ "topic", finding->topic, "verdict",
				verdict_name(finding->verdict), "text", finding->text, "advice",
				finding->advice ? finding->advice : NOTHING, NULL });
			continue;
		}
		fprintf(stream, "%-8s %-14s %s\n", verdict_name(finding->verdict), finding->topic,
			finding->text);
		if (finding->advice)
			print_wrapped(stream, "                        ", finding->advice);
	}
	findings_finish(&findings);
	if (cli->format != OUTPUT_JSON)
		fprintf(stream, "\nWhat can be measured here:\n");
	list_subsystems(stream, cli, session);
	return cli_output_close(stream, cli, CLI_OK);
}
