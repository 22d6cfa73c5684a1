/* SPDX-License-Identifier: MIT
 * Saved runs: load, run, rename, delete. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app.h"
#include "list.h"
#include "mem.h"

struct runs {
	struct screen screen;
	struct run_profile_entry *entries;
	size_t len;
	struct list list;
	int page;
};

static struct runs *runs_of(const struct screen *screen)
{
	return (struct runs *)(uintptr_t)screen;
}

static void load_list(struct runs *runs)
{
	run_profile_list_finish(runs->entries, runs->len);
	runs->entries = run_profile_list(app_session(runs->screen.app)->run_directory, &runs->len);
	runs->list.count = runs->len;
	if (runs->list.selected >= runs->len)
		runs->list.selected = runs->len ? runs->len - 1 : 0;
}

static const struct run_profile_entry *selected(const struct runs *runs)
{
	return runs->len ? &runs->entries[runs->list.selected] : NULL;
}

static void last_run(const struct runs *runs, const char *name, char *buffer, size_t size)
{
	const struct session *session = app_session(runs->screen.app);

	snprintf(buffer, size, "never here");
	for (size_t i = session->journal_open ? session->journal.len : 0; i > 0; i--) {
		const struct journal_entry *entry = &session->journal.entries[i - 1];
		time_t seconds = (time_t)entry->time;
		struct tm parts;
		if (entry->kind != JOURNAL_RESULT || strcmp(entry->profile, name))
			continue;
		if (localtime_r(&seconds, &parts))
			strftime(buffer, size, "%d %b %H:%M", &parts);
		return;
	}
}

static void draw_row(void *data, size_t index, const struct area *line, bool is_selected)
{
	const struct runs *runs = data;
	const struct run_profile_entry *entry = &runs->entries[index];
	char last[32];

	last_run(runs, entry->name, last, sizeof(last));
	if (is_selected)
		draw_text(line, 0, 1, STYLE_NORMAL, ">");
	draw_field(line, 0, 3, 20, is_selected ? STYLE_SELECTED : STYLE_NORMAL, entry->name);
	draw_field(line, 0, 24, line->columns - 24 - 24, STYLE_NORMAL, entry->what);
	if (entry->cases)
		draw_format(line, 0, line->columns - 22, STYLE_NORMAL, "%6llu", (unsigned long long)entry->cases);
	draw_text(line, 0, line->columns - 14, STYLE_NORMAL, last);
}

static void runs_draw(struct screen *screen, const struct area *body)
{
	struct runs *runs = runs_of(screen);
	struct area list = area_rows(body, 1, body->rows - 4), foot = area_rows(body, body->rows - 2, -1);

	runs->page = list.rows;
	draw_text(body, 0, 3, STYLE_HEADING, "name");
	draw_text(body, 0, 24, STYLE_HEADING, "what");
	draw_text(body, 0, body->columns - 21, STYLE_HEADING, "cases");
	draw_text(body, 0, body->columns - 14, STYLE_HEADING, "last run");
	if (runs->len == 0) {
		draw_wrapped(&list, 1, 3, 3, STYLE_DIM, "No saved runs yet: set up a run on the first screen and press s.");
		return;
	}
	list_draw(&runs->list, &list, draw_row, runs);
	draw_format(&foot, 0, 1, STYLE_NORMAL, "%s: %s", selected(runs)->name, selected(runs)->what);
	draw_format(&foot, 1, 1, STYLE_DIM, "file %s", selected(runs)->path);
}

static bool runs_key(struct screen *screen, int key)
{
	struct runs *runs = runs_of(screen);

	return list_key(&runs->list, key, runs->page - 2);
}

static bool has_row(const struct screen *screen)
{
	return selected(runs_of(screen)) != NULL;
}

static bool can_run(const struct screen *screen)
{
	return has_row(screen) && !app_run_is_on(screen->app);
}

/* Load the selected one; the first warning goes into the message line. */
static int load_spec(struct screen *screen, struct run_spec *spec, struct error *error)
{
	const struct session *session = app_session(screen->app);
	char **warnings = NULL;
	int result = run_profile_load(session->run_directory, selected(runs_of(screen))->name, spec, &warnings,
		error);

	if (result == 0 && warnings && warnings[0])
		app_message(screen->app, "%s", warnings[0]);
	list_finish(&warnings);
	return result;
}

static void act_load(struct screen *screen, int key)
{
	struct run_spec spec = { 0 };
	struct error error = { 0 };
	_autofree_ char *name = mem_strdup(selected(runs_of(screen))->name);
	struct app *app = screen->app;

	(void)key;
	if (load_spec(screen, &spec, &error) < 0 || app_load(app, &spec, &error) < 0)
		app_error(app, &error);
	else if (spec.parts_len > 1)
		app_message(app, "%s: the first of its %zu parts is in the form; r in the list of runs runs all.", name,
			spec.parts_len);
	else
		app_message(app, "%s is in the form.", name);
	run_spec_finish(&spec);
}

static void act_run(struct screen *screen, int key)
{
	struct run_spec spec = { 0 };
	struct error error = { 0 };

	(void)key;
	if (load_spec(screen, &spec, &error) < 0 || app_start_run(screen->app, &spec, NULL, 0, &error) < 0)
		app_error(screen->app, &error);
	run_spec_finish(&spec);
}

static void rename_to(struct app *app, void *data, const char *name)
{
	struct runs *runs = data;
	struct error error = { 0 };

	if (!name[0] || !selected(runs))
		return;
	if (run_profile_rename(app_session(app)->run_directory, selected(runs)->name, name, &error) < 0)
		app_error(app, &error);
	else
		app_message(app, "Renamed to %s.", name);
	load_list(runs);
}

static void act_rename(struct screen *screen, int key)
{
	(void)key;
	app_ask(screen->app, "New name", selected(runs_of(screen))->name, rename_to, runs_of(screen));
}

static void delete_selected(struct app *app, void *data)
{
	struct runs *runs = data;
	struct error error = { 0 };

	if (!selected(runs))
		return;
	_autofree_ char *name = mem_strdup(selected(runs)->name);
	if (run_profile_delete(app_session(app)->run_directory, name, &error) < 0)
		app_error(app, &error);
	else
		app_message(app, "Deleted %s; its results are kept.", name);
	load_list(runs);
}

static void act_delete(struct screen *screen, int key)
{
	char question[160];

	(void)key;
	snprintf(question, sizeof(question), "Delete the saved run %.60s?", selected(runs_of(screen))->name);
	app_confirm(screen->app, question, delete_selected, runs_of(screen));
}

static void runs_title(const struct screen *screen, char *buffer, size_t size)
{
	(void)screen;
	snprintf(buffer, size, "saved runs");
}

static void runs_destroy(struct screen *screen)
{
	struct runs *runs = runs_of(screen);

	run_profile_list_finish(runs->entries, runs->len);
	free(runs);
}

static const struct screen_key keys[] = {
	{ UI_KEY_ENTER, "Enter", "load", "Put it into the form.", act_load, has_row },
	{ 'r', NULL, "run", "Run it as it is.", act_run, can_run },
	{ 'n', NULL, "rename", "Give it another name.", act_rename, has_row },
	{ 'd', NULL, "delete", "Delete it, after a question; results are kept.", act_delete, has_row },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "Runs that were saved, each a file that can be edited by hand and run without a screen: boardbench run "
		"--profile NAME.",
	.keys = keys,
	.title = runs_title,
	.draw = runs_draw,
	.key = runs_key,
	.destroy = runs_destroy,
};

struct screen *screen_runs_create(struct app *app)
{
	struct runs *runs = mem_zalloc(1, sizeof(*runs));

	runs->screen = (struct screen){ &ops, app };
	load_list(runs);
	return &runs->screen;
}
