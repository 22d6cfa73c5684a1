/* SPDX-License-Identifier: MIT
 * The results of a subsystem, or of all. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "latest.h"
#include "mem.h"
#include "value.h"

#define SHOWN_MAX 1000 /* the newest: more than anybody scrolls through on a serial line */

struct row {
	struct result result;
	bool marked;
	char *what; /* the parameters that are worth a column */
};

struct results {
	struct screen screen;
	char *subsystem; /* NULL: all */
	char *filter;    /* NULL: none */
	struct row *rows; /* newest first */
	size_t len, older;
	size_t entries;  /* of the journal when it was read */
	struct list list;
	int page;
};

static struct results *results_of(const struct screen *screen)
{
	return (struct results *)(uintptr_t)screen;
}

/* Choices and numbers that tell results apart; the path is the subsystem's. */
static char *describe(const struct result *result)
{
	struct text text = { 0 };

	for (size_t i = 0; i < result->params_len; i++) {
		const struct result_param *param = &result->params[i];
		if (param->type != BB_PATH && param->text[0] && param->type != BB_FLAG)
			text_add(&text, "%s%s", text.length ? " " : "", param->text);
	}
	for (size_t i = 0; i < result->loads_len; i++)
		text_add(&text, " with %s", result->loads[i].subsystem);
	return text_steal(&text);
}

static void clear(struct results *results)
{
	for (size_t i = 0; i < results->len; i++) {
		result_finish(&results->rows[i].result);
		free(results->rows[i].what);
	}
	free(results->rows);
	results->rows = NULL;
	results->len = results->older = 0;
}

static void take(struct results *results, size_t entry)
{
	const struct journal *journal = &app_session(results->screen.app)->journal;
	struct row row = { 0 };

	if (journal_read(journal, entry, &row.result, NULL) < 0)
		return;
	row.what = describe(&row.result);
	if (results->filter && !strstr(row.what, results->filter) &&
		!strstr(row.result.subsystem, results->filter) &&
		!strstr(result_state_name(row.result.state), results->filter)) {
		result_finish(&row.result);
		free(row.what);
		return;
	}
	results->rows = mem_grow(results->rows, results->len + 1, sizeof(row));
	results->rows[results->len++] = row;
}

static void load(struct results *results)
{
	const struct session *session = app_session(results->screen.app);
	const struct journal *journal = &session->journal;

	clear(results);
	results->entries = journal->len;
	for (size_t i = session->journal_open ? journal->len : 0; i > 0; i--) {
		const struct journal_entry *entry = &journal->entries[i - 1];
		if (entry->kind != JOURNAL_RESULT ||
			(results->subsystem && strcmp(entry->subsystem, results->subsystem)))
			continue;
		if (results->len >= SHOWN_MAX)
			results->older++;
		else
			take(results, i - 1);
	}
	results->list.count = results->len;
}

/* Read anew, and find the selected and the marked ones again: new results push them down. */
static void reload(struct results *results)
{
	size_t old_len = results->len, selected = results->list.selected;
	char (*ids)[sizeof(results->rows->result.id)] = mem_zalloc(old_len + 1, sizeof(*ids));
	bool *marked = mem_zalloc(old_len + 1, sizeof(*marked));

	for (size_t i = 0; i < old_len; i++) {
		memcpy(ids[i], results->rows[i].result.id, sizeof(*ids));
		marked[i] = results->rows[i].marked;
	}
	load(results);
	for (size_t i = 0; i < results->len; i++)
		for (size_t j = 0; j < old_len; j++) {
			if (strcmp(results->rows[i].result.id, ids[j]) != 0)
				continue;
			results->rows[i].marked = marked[j];
			/* On the first row one wants to see the newest. */
			if (j == selected && selected > 0)
				results->list.selected = i;
		}
	free(ids);
	free(marked);
}

static void refresh(struct screen *screen)
{
	struct results *results = results_of(screen);

	if (app_session(screen->app)->journal.len != results->entries)
		reload(results);
}

static const struct row *selected(const struct results *results)
{
	return results->len ? &results->rows[results->list.selected] : NULL;
}

static void format_when(const struct result *result, char *buffer, size_t size)
{
	time_t seconds = (time_t)result->time, now = time(NULL);
	struct tm parts, today;

	if (!localtime_r(&seconds, &parts) || !localtime_r(&now, &today) ||
		!strftime(buffer, size, parts.tm_yday == today.tm_yday && parts.tm_year == today.tm_year ? "%H:%M" :
			"%d %b", &parts))
		snprintf(buffer, size, "-");
}

static void draw_row(void *data, size_t index, const struct area *line, bool is_selected)
{
	const struct results *results = data;
	const struct row *row = &results->rows[index];
	const struct result *result = &row->result;
	const struct metric_result *metric = result_metric(result, NULL);
	int right = line->columns - 1;
	char when[16], number[32], load[16] = "-";

	format_when(result, when, sizeof(when));
	if (result->cpu.valid)
		snprintf(load, sizeof(load), "%.1f", result->cpu.load);
	draw_text(line, 0, 1, STYLE_NORMAL, is_selected ? ">" : result->state == RESULT_OK ? " " :
		result->state == RESULT_SUSPECT ? "!" : "x");
	draw_text(line, 0, 2, STYLE_NORMAL, row->marked ? "#" : " ");
	draw_text(line, 0, 3, STYLE_NORMAL, when);
	draw_format(line, 0, 10, STYLE_NORMAL, "%ux", result->repeat);
	draw_field(line, 0, 14, right - 14 - 40, is_selected ? STYLE_SELECTED : STYLE_NORMAL,
		results->subsystem ? row->what : result->subsystem);
	draw_right(line, 0, right - 26, STYLE_NORMAL, metric ?
		number_format(metric->value, number, sizeof(number)) : "-");
	draw_field(line, 0, right - 25, 6, STYLE_NORMAL, metric ? metric->unit : "");
	draw_right(line, 0, right - 13, STYLE_NORMAL, load);
	draw_text(line, 0, right - 11, result->state == RESULT_OK ? STYLE_NORMAL : STYLE_WARNING,
		result_state_name(result->state));
}

static void draw_foot(const struct results *results, const struct area *area)
{
	const struct row *row = selected(results);
	const struct result *result;

	if (!row)
		return;
	result = &row->result;
	draw_wrapped(area, 0, 1, 2, STYLE_NORMAL, row->what);
	if (result->error)
		draw_wrapped(area, 2, 1, 2, STYLE_WARNING, result->error);
	else if (result->notes && result->notes[0])
		draw_wrapped(area, 2, 1, 2, STYLE_NORMAL, result->notes[0]);
}

static void results_draw(struct screen *screen, const struct area *body)
{
	struct results *results = results_of(screen);
	struct area head = area_rows(body, 0, 1), list = area_rows(body, 1, body->rows - 6);
	struct area foot = area_rows(body, body->rows - 4, -1);
	int right = body->columns - 1;

	results->page = list.rows;
	draw_text(&head, 0, 3, STYLE_HEADING, "when");
	draw_text(&head, 0, 14, STYLE_HEADING, results->subsystem ? "what" : "subsystem");
	draw_right(&head, 0, right - 26, STYLE_HEADING, "figure");
	draw_right(&head, 0, right - 13, STYLE_HEADING, "CPU %");
	draw_text(&head, 0, right - 11, STYLE_HEADING, "state");
	if (results->len == 0)
		draw_text(&list, 0, 1, STYLE_DIM, results->filter ? "No result fits the filter." : "No results yet.");
	else
		list_draw(&results->list, &list, draw_row, results);
	draw_line(body, body->rows - 5);
	draw_foot(results, &foot);
}

static bool results_key(struct screen *screen, int key)
{
	struct results *results = results_of(screen);

	return list_key(&results->list, key, results->page - 2);
}

static bool has_row(const struct screen *screen)
{
	return selected(results_of(screen)) != NULL;
}

static void act_detail(struct screen *screen, int key)
{
	struct result copy;

	(void)key;
	latest_copy(&selected(results_of(screen))->result, &copy);
	app_push(screen->app, screen_detail_create(screen->app, &copy));
}

static void act_mark(struct screen *screen, int key)
{
	struct results *results = results_of(screen);

	(void)key;
	results->rows[results->list.selected].marked = !results->rows[results->list.selected].marked;
	list_key(&results->list, UI_KEY_DOWN, 1);
}

/* Two marked ones, or the marked and the selected, or the selected and the one before it in time. */
static bool pair(const struct results *results, size_t *older, size_t *newer)
{
	size_t found[2], len = 0;

	for (size_t i = results->len; i > 0 && len < 2; i--)
		if (results->rows[i - 1].marked)
			found[len++] = i - 1;
	if (len == 1 && found[0] != results->list.selected)
		found[len++] = results->list.selected;
	if (len < 2 && results->list.selected + 1 < results->len) {
		found[0] = results->list.selected + 1;
		found[1] = results->list.selected;
		len = 2;
	}
	if (len < 2)
		return false;
	*older = found[0] > found[1] ? found[0] : found[1];
	*newer = found[0] > found[1] ? found[1] : found[0];
	return true;
}

static bool can_compare(const struct screen *screen)
{
	size_t older, newer;

	return pair(results_of(screen), &older, &newer);
}

static void act_compare(struct screen *screen, int key)
{
	const struct results *results = results_of(screen);
	struct result a, b;
	size_t older = 0, newer = 0;

	(void)key;
	if (!pair(results, &older, &newer))
		return;
	latest_copy(&results->rows[older].result, &a);
	latest_copy(&results->rows[newer].result, &b);
	app_push(screen->app, screen_compare_create(screen->app, &a, &b));
}

static enum output_format format_of(const char *path)
{
	const char *end = strrchr(path, '.');

	if (end && !strcmp(end, ".csv"))
		return OUTPUT_CSV;
	if (end && (!strcmp(end, ".json") || !strcmp(end, ".jsonl")))
		return OUTPUT_JSON;
	if (end && !strcmp(end, ".md"))
		return OUTPUT_MARKDOWN;
	return OUTPUT_TEXT;
}

/* Nothing of the user's is overwritten: O_EXCL. */
static void export_to(struct app *app, void *data, const char *path)
{
	const struct results *results = data;
	int fd = path[0] ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644) : -1;
	FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!path[0])
		return;
	if (!stream) {
		app_message(app, "Cannot write %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	const struct result **items = mem_zalloc(results->len + 1, sizeof(*items));
	for (size_t i = 0; i < results->len; i++)
		items[i] = &results->rows[results->len - 1 - i].result;
	output_results(stream, format_of(path), items, results->len);
	free(items);
	bool bad = fflush(stream) != 0 || fsync(fileno(stream)) != 0;
	bad = fclose(stream) != 0 || bad;
	if (bad)
		app_message(app, "Cannot write %s: %s", path, strerror(errno));
	else
		app_message(app, "%zu results written to %s.", results->len, path);
}

static void act_export(struct screen *screen, int key)
{
	(void)key;
	app_ask(screen->app, "Write these to the file (.txt .csv .json .md)", "", export_to,
		results_of(screen));
}

static void set_filter(struct app *app, void *data, const char *text)
{
	struct results *results = data;

	(void)app;
	free(results->filter);
	results->filter = text[0] ? mem_strdup(text) : NULL;
	results->list = (struct list){ 0 };
	load(results);
}

static void act_filter(struct screen *screen, int key)
{
	(void)key;
	app_ask(screen->app, "Show only those with (empty: all)", results_of(screen)->filter ?
		results_of(screen)->filter : "", set_filter, results_of(screen));
}

static void act_why(struct screen *screen, int key)
{
	struct result copy;

	(void)key;
	latest_copy(&selected(results_of(screen))->result, &copy);
	app_push(screen->app, screen_why_create(screen->app, &copy));
}

static void results_title(const struct screen *screen, char *buffer, size_t size)
{
	const struct results *results = results_of(screen);

	snprintf(buffer, size, "results: %s%s%s", results->subsystem ? results->subsystem : "all",
		results->filter ? ", with " : "", results->filter ? results->filter : "");
}

static void results_destroy(struct screen *screen)
{
	struct results *results = results_of(screen);

	clear(results);
	free(results->subsystem);
	free(results->filter);
	free(results);
}

static const struct screen_key keys[] = {
	{ UI_KEY_ENTER, "Enter", "detail", "Everything of the result.", act_detail, has_row },
	{ ' ', "space", "mark", "Mark it for a comparison.", act_mark, has_row },
	{ 'c', NULL, "compare", "Compare the two marked ones, or this one with the one before.", act_compare, can_compare },
	{ 'e', NULL, "export", "Write what is listed to a new file.", act_export, has_row },
	{ '/', NULL, "filter", "Show only results with a text.", act_filter, NULL },
	{ 'y', NULL, "why slow", "What held this result down.", act_why, has_row },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "Results in the journal, the newest first. ! is suspect, x has no figure, # is marked.",
	.keys = keys,
	.title = results_title,
	.draw = results_draw,
	.key = results_key,
	.run_changed = refresh,
	.shown = refresh,
	.destroy = results_destroy,
};

struct screen *screen_results_create(struct app *app, const char *subsystem)
{
	struct results *results = mem_zalloc(1, sizeof(*results));

	results->screen = (struct screen){ &ops, app };
	results->subsystem = mem_strdup(subsystem);
	load(results);
	return &results->screen;
}
