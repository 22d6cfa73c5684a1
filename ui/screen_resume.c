/* SPDX-License-Identifier: MIT
 * After the board died: what had begun, what is kept, and how to go on. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app.h"
#include "list.h"
#include "mem.h"

enum { GO_ON, REPEAT, LEAVE, CHOICES };

struct resume {
	struct screen screen;
	struct journal_unfinished found;
	struct list list;
};

static struct resume *resume_of(const struct screen *screen)
{
	return (struct resume *)(uintptr_t)screen;
}

static void draw_row(void *data, size_t index, const struct area *line, bool selected)
{
	const struct resume *resume = data;
	const struct journal_begun *begun = &resume->found.begun;
	char text[120];

	if (index == GO_ON && begun->case_index < begun->cases)
		snprintf(text, sizeof(text), "Go on with case %u, mark case %u as unfinished", begun->case_index + 1,
			begun->case_index);
	else if (index == GO_ON)
		snprintf(text, sizeof(text), "Mark case %u, the last, as unfinished", begun->case_index);
	else if (index == REPEAT)
		snprintf(text, sizeof(text), begun->pass ? "Repeat case %u, then go on" : "Go on with case %u", begun->case_index);
	else
		snprintf(text, sizeof(text), "Leave it, start as usual");
	draw_text(line, 0, 1, STYLE_NORMAL, selected ? ">" : " ");
	draw_field(line, 0, 3, line->columns - 4, selected ? STYLE_SELECTED : STYLE_NORMAL, text);
}

static void draw_fact(const struct area *area, int *row, const char *name, const char *text)
{
	draw_text(area, *row, 3, STYLE_NORMAL, name);
	*row += draw_wrapped(area, *row, 14, 2, STYLE_NORMAL, text);
}

static void last_seen(const struct settings *seen, char *buffer, size_t size)
{
	const char *names[] = { "phase", "done", "rate", "cpu" };

	buffer[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *text = settings_get(seen, names[i]);
		size_t length = strlen(buffer);
		if (text)
			snprintf(buffer + length, size - length, "%s%s%s%s", length ? ", " : "",
				i == 3 ? "CPU " : "", text, i == 1 ? " done" : "");
	}
}

static void resume_draw(struct screen *screen, const struct area *body)
{
	struct resume *resume = resume_of(screen);
	const struct journal_unfinished *found = &resume->found;
	const struct journal_begun *begun = &found->begun;
	char **recovered = app_session(screen->app)->recovered;
	char text[300], when[40] = "";
	time_t seconds = (time_t)begun->time;
	struct tm parts;
	int row = 3;

	draw_text(body, 1, 3, STYLE_HEADING, found->rebooted ? "The machine went away during a run." :
		"The program was ended during a run.");
	if (localtime_r(&seconds, &parts))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &parts);
	snprintf(text, sizeof(text), "%s, case begun %s%s", begun->profile ? begun->profile : begun->run, when,
		found->rebooted ? ", before the last boot" : "");
	draw_fact(body, &row, "run", text);
	snprintf(text, sizeof(text), "%u of %u: %s %s, pass %u", begun->case_index, begun->cases,
		begun->subsystem, begun->what, begun->pass);
	draw_fact(body, &row, "case", text);
	last_seen(&found->last_seen, text, sizeof(text));
	draw_fact(body, &row, "last seen", text[0] ? text : "nothing was written of its progress");
	draw_fact(body, &row, "settings", recovered && recovered[0] ? recovered[0] : "nothing had to be put back");
	snprintf(text, sizeof(text), "%u complete results of this run are kept", found->complete);
	draw_fact(body, &row, "results", text);
	if (!begun->plan)
		draw_fact(body, &row, "plan", "is not in the journal: it cannot be resumed");
	struct area list = area_rows(body, row + 1, CHOICES);
	list_draw(&resume->list, &list, draw_row, resume);
}

static bool resume_key(struct screen *screen, int key)
{
	return list_key(&resume_of(screen)->list, key, CHOICES);
}

/* The run has ended as far as the journal goes; it is not offered again. */
static void leave(struct app *app, struct resume *resume)
{
	struct error error = { 0 };

	if (journal_close_run(&app_session(app)->journal, resume->found.begun.run, &error) < 0)
		app_error(app, &error);
	app_pop(app);
}

static void act_choose(struct screen *screen, int key)
{
	struct resume *resume = resume_of(screen);
	struct app *app = screen->app;
	const struct journal_begun *begun = &resume->found.begun;
	struct run_spec spec = { 0 };
	struct error error = { 0 };
	char **warnings = NULL;
	size_t choice = resume->list.selected;

	(void)key;
	if (choice == LEAVE || !begun->plan) {
		leave(app, resume);
		return;
	}
	if (choice == GO_ON && run_mark_unfinished(app_session(app), &resume->found, &error) < 0) {
		app_error(app, &error);
		return;
	}
	if (choice == GO_ON && begun->case_index >= begun->cases) {
		leave(app, resume);
		return;
	}
	int result = run_spec_from_text("the journal", begun->plan, strlen(begun->plan), &spec, &warnings, &error);
	list_finish(&warnings);
	app_pop(app); /* it lives until the pass of the loop is over */
	if (result == 0)
		result = app_start_run(app, &spec, begun->run, begun->case_index - (choice == REPEAT ? 1 : 0), &error);
	if (result < 0)
		app_error(app, &error);
	run_spec_finish(&spec);
}

static void resume_title(const struct screen *screen, char *buffer, size_t size)
{
	(void)screen;
	snprintf(buffer, size, "a run was broken off");
}

static void resume_destroy(struct screen *screen)
{
	journal_unfinished_finish(&resume_of(screen)->found);
	free(screen);
}

static void act_kernel(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_kernel_create(screen->app));
}

static const struct screen_key keys[] = {
	{ UI_KEY_ENTER, "Enter", "choose", "Do what is selected.", act_choose, NULL },
	{ UI_KEY_DOWN, "up/down", "select", "Choose what to do.", NULL, NULL },
	{ 'k', NULL, "kernel log", "Messages of the kernel since this start.", act_kernel, NULL },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "A case had begun and has no result: the machine or the program went away. What was complete is kept. "
		"Esc decides later: it is asked again at the next start.",
	.keys = keys,
	.title = resume_title,
	.draw = resume_draw,
	.key = resume_key,
	.destroy = resume_destroy,
};

struct screen *screen_resume_create(struct app *app, struct journal_unfinished *found)
{
	struct resume *resume = mem_zalloc(1, sizeof(*resume));

	resume->screen = (struct screen){ &ops, app };
	resume->found = *found;
	*found = (struct journal_unfinished){ 0 };
	resume->list.count = CHOICES;
	resume->list.selected = resume->found.begun.pass > 0 ? GO_ON : REPEAT;
	return &resume->screen;
}
