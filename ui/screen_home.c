/* The home screen: subsystems at the left, the form of one at the right, its newest results below.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "entry.h"
#include "form.h"
#include "latest.h"
#include "mem.h"
#include "side.h"
#include "text.h"

#define HINT_ROWS 3    /* below the row that is edited */
#define RESULTS_ROWS 5 /* at least, below the form */

struct home {
	struct screen screen;
	struct side side;
	struct form *forms;     /* one a subsystem; subsystem NULL: not made yet */
	size_t forms_len;
	struct list rows;       /* of the form that is shown */
	bool in_form;           /* the keys go to the form, not to the list */
	bool editing, stepping; /* stepping: left and right choose, nothing was typed */
	struct entry entry;
	char problem[1024];     /* with what was entered; "" */
	struct latest latest;
	long latest_of;         /* index of the subsystem; -1: none */
	size_t latest_entries;  /* of the journal when it was read */
	int page;               /* rows of the form that were drawn */
};

static struct home *home_of(const struct screen *screen)
{
	return (struct home *)screen;
}

static const struct subsystem *selected(const struct home *home)
{
	long index = side_selected(&home->side);

	return index < 0 ? NULL : &home->side.board->subsystems[index];
}

/* The form that is shown; NULL: nothing can be run here. */
static struct form *form_of(struct home *home)
{
	const struct subsystem *subsystem = selected(home);
	struct session *session = app_session(home->screen.app);
	struct form *form;

	if (!subsystem || !subsystem->info || subsystem->info->problem)
		return NULL;
	form = &home->forms[side_selected(&home->side)];
	if (!form->subsystem)
		form_init(form, &session->board, subsystem, session->options.root ? session->options.root : "");
	return form;
}

static void load_latest(struct home *home)
{
	const struct session *session = app_session(home->screen.app);
	long index = side_selected(&home->side);

	if (index == home->latest_of && session->journal.len == home->latest_entries)
		return;
	latest_finish(&home->latest);
	home->latest_of = index;
	home->latest_entries = session->journal.len;
	if (index >= 0)
		latest_load(&home->latest, session, home->side.board->subsystems[index].name, 12);
}

static void refresh(struct screen *screen)
{
	struct home *home = home_of(screen);

	for (size_t i = 0; i < home->forms_len; i++)
		if (home->forms[i].subsystem)
			form_refresh(&home->forms[i]);
	load_latest(home);
}

static void choose(struct home *home)
{
	home->rows = (struct list){ 0 };
	load_latest(home);
}

/* ---- drawing ---- */

struct form_view {
	struct home *home;
	const struct form *form;
};

static void draw_entry(const struct home *home, const struct area *line, int column)
{
	int width = line->columns - column - 3;
	size_t first = entry_first(&home->entry, width);

	draw_text(line, 0, column, STYLE_NORMAL, "[");
	draw_field(line, 0, column + 1, width, STYLE_NORMAL, home->entry.text + first);
	draw_text(line, 0, column + 1 + width, STYLE_NORMAL, "]");
	draw_cursor(line, 0, column + 1 + (int)(home->entry.cursor - first));
}

static void draw_hint(const struct form_view *view, const struct area *line, int column)
{
	_autofree_ char *hint = form_hint(view->form, view->home->rows.selected);
	struct area both = *line;

	both.rows = HINT_ROWS;
	draw_wrapped(&both, 0, column, HINT_ROWS, *view->home->problem ? STYLE_WARNING : STYLE_DIM,
		*view->home->problem ? view->home->problem : hint);
}

static void draw_form_row(void *data, size_t index, const struct area *line, bool is_selected)
{
	const struct form_view *view = data;
	const struct home *home = view->home;
	const int value_column = 17;
	_autofree_ char *shown = NULL;
	char label[48];

	if (home->editing && index > home->rows.selected) {
		if (index == home->rows.selected + 1)
			draw_hint(view, line, value_column);
		if (index <= home->rows.selected + HINT_ROWS)
			return;
		index -= HINT_ROWS;
	}
	/* While editing, the list's own selection stands below the row, to keep the hint in view. */
	is_selected = home->in_form && index == home->rows.selected;
	form_label(view->form, index, label, sizeof(label));
	if (is_selected)
		draw_text(line, 0, 1, STYLE_NORMAL, ">");
	if (is_selected && home->editing) {
		draw_field(line, 0, 3, value_column - 4, STYLE_NORMAL, label);
		draw_entry(home, line, value_column - 1);
		return;
	}
	shown = form_shown(view->form, index);
	draw_field(line, 0, 3, value_column - 4, is_selected ? STYLE_SELECTED : STYLE_NORMAL, label);
	draw_field(line, 0, value_column, line->columns - value_column, STYLE_NORMAL, shown);
}

static void draw_form(struct home *home, const struct form *form, const struct area *area)
{
	struct form_view view = { home, form };
	struct list shown;

	home->page = area->rows;
	home->rows.count = form->len;
	if (home->rows.selected >= form->len)
		home->rows.selected = form->len - 1;
	if (!home->editing) {
		list_draw(&home->rows, area, draw_form_row, &view);
		return;
	}
	shown = home->rows;
	shown.count += HINT_ROWS;
	shown.selected += HINT_ROWS;
	list_draw(&shown, area, draw_form_row, &view);
}

static void draw_head(const struct subsystem *subsystem, const struct area *area)
{
	const struct module_info *info = subsystem->info;
	char title[256];

	snprintf(title, sizeof(title), "%s%s%s", info && info->title ? info->title : "",
		info && info->title && subsystem->title && *subsystem->title ? ": " : "",
		subsystem->title ? subsystem->title : "");
	draw_text(area, 0, 1, STYLE_HEADING, subsystem->name);
	draw_text(area, 0, 2 + (draw_width(subsystem->name) > 6 ? draw_width(subsystem->name) : 6), STYLE_NORMAL,
		title);
	if (subsystem->state == SUBSYSTEM_UNKNOWN)
		draw_text(area, 1, 1, STYLE_DIM, "? not looked at yet");
	else if (subsystem->state != SUBSYSTEM_READY)
		draw_format(area, 1, 1, STYLE_WARNING, "%s %s", side_mark(subsystem),
			subsystem->reason ? subsystem->reason : "not available");
}

static void draw_results(const struct home *home, const struct area *area)
{
	struct area table = area_rows(area, 0, area->rows - 1);

	if (!home->latest.len) {
		draw_text(area, 0, 1, STYLE_DIM, "No results of this subsystem yet.");
		return;
	}
	latest_draw_table(&home->latest.table, &table);
	draw_format(area, area->rows - 1, 1, STYLE_DIM, "%zu result%s of this subsystem; v shows all",
		home->latest.total, home->latest.total == 1 ? "" : "s");
}

static void draw_right_side(struct home *home, const struct area *area)
{
	const struct subsystem *subsystem = selected(home);
	struct form *form = form_of(home);
	struct area part;
	int rows;

	if (!subsystem) {
		draw_text(area, 0, 1, STYLE_NORMAL, "This board profile has no subsystems: b chooses another.");
		return;
	}
	draw_head(subsystem, area);
	if (!form) {
		draw_wrapped(area, 3, 1, 4, STYLE_WARNING, subsystem->info && subsystem->info->problem ?
			subsystem->info->problem : "The module of this subsystem is not there.");
		return;
	}
	rows = (int)form->len + (home->editing ? HINT_ROWS : 0);
	if (rows > area->rows - 2 - 1 - RESULTS_ROWS)
		rows = area->rows - 2 - 1 - RESULTS_ROWS;
	part = area_rows(area, 2, rows);
	draw_line(area, 2 + rows);
	{
		struct area below = area_rows(area, 3 + rows, -1);

		draw_results(home, &below);
	}
	draw_form(home, form, &part); /* last: it may place the cursor */
}

static void home_draw(struct screen *screen, const struct area *body)
{
	struct home *home = home_of(screen);
	const struct run_view *view = app_look(screen->app);
	struct layout_home parts;

	layout_home(body, &parts);
	home->side.focused = !home->in_form;
	home->side.running = app_run_is_on(screen->app) && view->current ? view->current->subsystem : NULL;
	side_draw(&home->side, &parts.list);
	draw_column(&parts.divider, 0);
	draw_right_side(home, &parts.right);
}

/* ---- typing ---- */

static bool is_editing(const struct screen *screen)
{
	return home_of(screen)->editing;
}

static bool is_load(struct home *home)
{
	return form_of(home)->rows[home->rows.selected].kind >= FORM_LOAD;
}

static void begin_edit(struct home *home)
{
	const struct form *form = form_of(home);
	size_t row = home->rows.selected;

	entry_start(&home->entry, form->rows[row].text);
	home->editing = true;
	home->entry.fresh = !is_load(home);
	/* A load that has parameters already is edited, not chosen anew. */
	home->stepping = form_can_step(form, row) && !(is_load(home) && strchr(home->entry.text, '='));
	home->problem[0] = '\0';
}

static void accept_edit(struct home *home)
{
	struct form *form = form_of(home);
	struct error error = { 0 };

	if (form_set(form, home->rows.selected, home->entry.text, &error)) {
		snprintf(home->problem, sizeof(home->problem), "%s", error.text);
		return;
	}
	home->editing = false;
	if (form_cases(form) > 1)
		app_message(home->screen.app, "%llu cases.", form_cases(form));
}

static void step(struct home *home, int by)
{
	_autofree_ char *text = form_step(form_of(home), home->rows.selected, home->entry.text, by);

	if (text)
		entry_start(&home->entry, text);
	if (is_load(home))
		home->entry.fresh = false; /* its parameters are typed behind it */
	home->problem[0] = '\0';
}

static bool edit_key(struct home *home, int key)
{
	if (key == UI_KEY_ESCAPE) {
		home->editing = false;
	} else if (key == UI_KEY_ENTER) {
		accept_edit(home);
	} else if (home->stepping && (key == UI_KEY_LEFT || key == UI_KEY_RIGHT)) {
		step(home, key == UI_KEY_LEFT ? -1 : 1);
	} else if (entry_key(&home->entry, key)) {
		home->stepping = false;
		home->problem[0] = '\0';
	}
	return true;
}

static bool home_key(struct screen *screen, int key)
{
	struct home *home = home_of(screen);

	if (home->editing)
		return edit_key(home, key);
	if (home->in_form)
		return list_key(&home->rows, key, home->page - 2);
	if (!side_key(&home->side, key, 10))
		return false;
	choose(home);
	return true;
}

/* ---- actions ---- */

static bool has_form(const struct screen *screen)
{
	return form_of(home_of(screen)) != NULL;
}

static void act_enter(struct screen *screen, int key)
{
	struct home *home = home_of(screen);

	(void)key;
	if (home->in_form)
		begin_edit(home);
	home->in_form = true;
}

static void act_switch(struct screen *screen, int key)
{
	struct home *home = home_of(screen);

	home->in_form = key == UI_KEY_TAB || key == UI_KEY_BACKTAB ? !home->in_form : key == UI_KEY_RIGHT;
}

static bool can_leave_form(const struct screen *screen)
{
	return home_of(screen)->in_form;
}

static void act_leave_form(struct screen *screen, int key)
{
	(void)key;
	home_of(screen)->in_form = false;
}

static bool can_run(const struct screen *screen)
{
	return has_form(screen) && !app_run_is_on(screen->app);
}

static void act_run(struct screen *screen, int key)
{
	struct run_spec spec = { 0 };
	struct error error = { 0 };

	(void)key;
	form_to_spec(form_of(home_of(screen)), &spec);
	if (app_start_run(screen->app, &spec, NULL, 0, &error))
		app_error(screen->app, &error);
	run_spec_finish(&spec);
}

static bool has_sweep(const struct screen *screen)
{
	const struct subsystem *subsystem = selected(home_of(screen));

	return has_form(screen) && subsystem->sweep.len > 0;
}

static void act_sweep(struct screen *screen, int key)
{
	struct form *form = form_of(home_of(screen));

	(void)key;
	if (form_set_published_sweep(form))
		app_message(screen->app, "The sweep of the published tables: %llu cases. d takes it back.",
			form_cases(form));
}

static void act_defaults(struct screen *screen, int key)
{
	(void)key;
	form_reset(form_of(home_of(screen)));
	app_message(screen->app, "The defaults of this subsystem.");
}

static void act_results(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_results_create(screen->app, selected(home_of(screen))->name));
}

static bool has_subsystem(const struct screen *screen)
{
	return selected(home_of(screen)) != NULL;
}

static bool has_result(const struct screen *screen)
{
	return home_of(screen)->latest.len > 0;
}

static bool has_two_results(const struct screen *screen)
{
	return home_of(screen)->latest.len > 1;
}

static void act_compare(struct screen *screen, int key)
{
	const struct latest *latest = &home_of(screen)->latest;
	struct result a, b;

	(void)key;
	latest_copy(&latest->results[latest->len - 2], &a);
	latest_copy(&latest->results[latest->len - 1], &b);
	app_push(screen->app, screen_compare_create(screen->app, &a, &b));
}

static void act_why(struct screen *screen, int key)
{
	const struct latest *latest = &home_of(screen)->latest;
	struct result result;

	(void)key;
	latest_copy(&latest->results[latest->len - 1], &result);
	app_push(screen->app, screen_why_create(screen->app, &result));
}

static void save(struct app *app, struct home *home, const char *name, bool replace);

static void replace_saved(struct app *app, void *data)
{
	struct home *home = data;
	_autofree_ char *name = mem_strdup(home->entry.text);

	save(app, home, name, true);
}

static void save(struct app *app, struct home *home, const char *name, bool replace)
{
	struct run_spec spec = { 0 };
	struct error error = { 0 };
	const struct board *board = &app_session(app)->board;
	int status;

	form_to_spec(form_of(home), &spec);
	spec.profile = mem_strdup(name);
	spec.board = mem_strdup(board->name);
	status = run_profile_save(app_session(app)->run_directory, name, &spec, replace, &error);
	run_spec_finish(&spec);
	if (status == -EEXIST && !replace) {
		_autofree_ char *question = text_printf("There is a run %s already. Replace it?", name);

		entry_start(&home->entry, name);
		app_confirm(app, question, replace_saved, home);
	} else if (status) {
		app_error(app, &error);
	} else {
		app_message(app, "Saved. Run it again with: boardbench run --profile %s", name);
	}
}

static void save_as(struct app *app, void *data, const char *name)
{
	if (*name)
		save(app, data, name, false);
}

static void act_save(struct screen *screen, int key)
{
	(void)key;
	app_ask(screen->app, "Save this run as", "", save_as, home_of(screen));
}

static void act_load(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_runs_create(screen->app));
}

static bool has_run(const struct screen *screen)
{
	return app_run(screen->app) != NULL;
}

static void act_live(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_run_create(screen->app));
}

static void act_boards(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_boards_create(screen->app));
}

static void act_environment(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_environment_create(screen->app));
}

static void act_kernel(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_kernel_create(screen->app));
}

static void act_quit(struct screen *screen, int key)
{
	(void)key;
	app_quit(screen->app);
}

static void home_destroy(struct screen *screen)
{
	struct home *home = home_of(screen);

	for (size_t i = 0; i < home->forms_len; i++)
		form_finish(&home->forms[i]);
	free(home->forms);
	side_finish(&home->side);
	latest_finish(&home->latest);
	free(home);
}

/* In the order in which they are given up where the line is short. */
static const struct screen_key keys[] = {
	{ UI_KEY_ENTER, "Enter", "edit", "Edit the row of the form; from the list: go to the form.", act_enter, has_form },
	{ 'r', NULL, "run", "Run what the form says.", act_run, can_run },
	{ 'g', NULL, "live", "Go to the run that is on, or was last.", act_live, has_run },
	{ 'q', NULL, "quit", "Leave the program.", act_quit, NULL },
	{ 'w', NULL, "sweep", "Set the sweep that the published tables use.", act_sweep, has_sweep },
	{ 'v', NULL, "results", "All results of this subsystem.", act_results, has_subsystem },
	{ 's', NULL, "save", "Save what the form says as a run profile.", act_save, has_form },
	{ 'l', NULL, "load", "Saved runs: load, run, rename, delete.", act_load, NULL },
	{ 'c', NULL, "compare", "Compare the two newest results.", act_compare, has_two_results },
	{ 'b', NULL, "boards", "Choose the board profile.", act_boards, NULL },
	{ 'e', NULL, "environment", "What of this machine would spoil a measurement.", act_environment, NULL },
	{ 'k', NULL, "kernel", "Messages of the kernel since the start.", act_kernel, NULL },
	{ 'y', NULL, "why slow", "What held the newest result down.", act_why, has_result },
	{ 'd', NULL, "defaults", "Set the form back to the defaults.", act_defaults, has_form },
	{ UI_KEY_TAB, "Tab", "list/form", "Change between list and form; so do left and right.", act_switch, has_form },
	{ UI_KEY_BACKTAB, "", "", "As Tab.", act_switch, has_form },
	{ UI_KEY_LEFT, "", "", "To the list.", act_switch, has_form },
	{ UI_KEY_RIGHT, "", "", "To the form.", act_switch, has_form },
	{ UI_KEY_ESCAPE, "", "", "From the form to the list.", act_leave_form, can_leave_form },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "What can be measured on this board, by group: + is ready, - is not there, ! needs something, * is "
		"running, ? was not looked at yet. At the right is the form of the chosen one. Several values with commas, "
		"or a range like 64KiB..4MiB*2, make a sweep. Loads run meanwhile, in processes of their own.",
	.keys = keys,
	.draw = home_draw,
	.key = home_key,
	.typing = is_editing,
	.typing_keys = "Enter accept  left/right choose or move  Esc cancel",
	.run_changed = refresh,
	.shown = refresh,
	.destroy = home_destroy,
};

struct screen *screen_home_create(struct app *app)
{
	struct home *home = mem_zalloc(1, sizeof(*home));
	const struct board *board = &app_session(app)->board;

	home->screen.ops = &ops;
	home->screen.app = app;
	home->latest_of = -1;
	side_init(&home->side, board);
	home->forms_len = board->subsystems_len;
	home->forms = mem_zalloc(home->forms_len + 1, sizeof(*home->forms));
	return &home->screen;
}

int screen_home_load(struct screen *screen, const struct run_spec *spec, struct error *error)
{
	struct home *home = home_of(screen);
	const struct board *board = home->side.board;
	struct subsystem *subsystem = spec->parts_len ? board_find_subsystem(board, spec->parts[0].subsystem) : NULL;
	size_t before = home->side.list.selected;
	int status;

	if (!spec->parts_len)
		return error_set(error, EINVAL, "the run has no case");
	if (!subsystem)
		return error_set(error, ENOENT, "this board has no subsystem \"%s\": choose another board with b",
			spec->parts[0].subsystem);
	side_select(&home->side, (size_t)(subsystem - board->subsystems));
	if (!form_of(home))
		status = error_set(error, ENODEV, "the module of subsystem %s is not there", subsystem->name);
	else
		status = form_from_part(form_of(home), &spec->parts[0], error);
	if (status) {
		home->side.list.selected = before;
		return status;
	}
	home->editing = false;
	home->in_form = true;
	choose(home);
	if (spec->parts_len > 1)
		app_message(screen->app, "The form shows the first of %zu parts; r in the saved runs runs all.",
			spec->parts_len);
	return 0;
}
