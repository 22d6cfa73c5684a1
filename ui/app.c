/* Owns the screens and the run under way, and ties both to the loop.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "app_internal.h"
#include "mem.h"
#include "ui.h"

/* Between two probes the loop reads keys and draws. */
#define PROBE_NS UINT64_C(20000000)

struct session *app_session(struct app *app)
{
	return app->session;
}

void app_dirty(struct app *app)
{
	app->dirty = true;
}

static struct screen *top(const struct app *app)
{
	return app->depth ? app->stack[app->depth - 1] : NULL;
}

static void tell_shown(struct app *app)
{
	struct screen *screen = top(app);

	app_dirty(app);
	if (screen && screen->ops->shown)
		screen->ops->shown(screen);
}

void app_push(struct app *app, struct screen *screen)
{
	if (!screen)
		return;
	if (app->depth == APP_DEPTH) {
		screen->ops->destroy(screen);
		app_message(app, "Too many screens on top of each other: go back with Esc first.");
		return;
	}
	app->stack[app->depth++] = screen;
	tell_shown(app);
}

static void bury(struct app *app)
{
	for (size_t i = 0; i < app->dead_len; i++)
		app->dead[i]->ops->destroy(app->dead[i]);
	app->dead_len = 0;
}

/* A screen may take itself off from within one of its functions: it lives until the pass is over. */
static void take_off(struct app *app)
{
	struct screen *screen = app->stack[--app->depth];

	if (app->dead_len == APP_DEPTH + 1) /* more than a stack full in one pass: the oldest has returned */
		bury(app);
	app->dead[app->dead_len++] = screen;
}

void app_pop(struct app *app)
{
	if (app->depth > 1)
		take_off(app);
	tell_shown(app);
}

void app_home(struct app *app)
{
	while (app->depth > 1)
		take_off(app);
	tell_shown(app);
}

static void quit_anyway(struct app *app, void *data)
{
	(void)data;
	loop_stop(app->session->loop);
}

void app_quit(struct app *app)
{
	if (app_run_is_on(app))
		app_confirm(app, "A run is on. Stop it and leave? What was measured is kept.", quit_anyway, NULL);
	else
		loop_stop(app->session->loop);
}

void app_message(struct app *app, const char *format, ...)
{
	va_list arguments;

	app_dirty(app);
	app->message[0] = '\0';
	if (!format)
		return;
	va_start(arguments, format);
	vsnprintf(app->message, sizeof(app->message), format, arguments);
	va_end(arguments);
}

void app_error(struct app *app, const struct error *error)
{
	app_message(app, "%s", error->text);
}

struct run *app_run(const struct app *app)
{
	return app->run;
}

const struct run_view *app_look(const struct app *app)
{
	return app->run ? run_look(app->run) : NULL;
}

bool app_run_is_on(const struct app *app)
{
	const struct run_view *view = app_look(app);

	return view && !view->over;
}

unsigned app_bytes_per_second(const struct app *app)
{
	return app->term ? term_bytes_per_second(app->term) : 0;
}

static void tell_run_changed(struct app *app)
{
	for (size_t i = 0; i < app->depth; i++)
		if (app->stack[i]->ops->run_changed)
			app->stack[i]->ops->run_changed(app->stack[i]);
}

static void run_changed(void *data)
{
	struct app *app = data;

	app->live_dirty = true;
	tell_run_changed(app);
}

static void case_done(void *data, const struct result *result)
{
	struct app *app = data;

	(void)result;
	app_dirty(app);
	tell_run_changed(app);
}

static void run_over(void *data)
{
	struct app *app = data;
	char elapsed[16];
	size_t done;

	run_results(app->run, &done);
	elapsed_format(run_look(app->run)->run_elapsed_s, elapsed, sizeof(elapsed));
	app_message(app, "%zu case%s done in %s. %s", done, done == 1 ? "" : "s", elapsed,
		app->session->journal.problem ? app->session->journal.problem :
		app->session->journal_open ? "Results saved." : "Results are not kept: no journal.");
	tell_run_changed(app);
	if (app->leaving)
		loop_stop(app->session->loop);
}

int app_start_run(struct app *app, const struct run_spec *spec, const char *run_id, size_t skip,
	struct error *error)
{
	struct session *session = app->session;
	struct run_listener listener = { app, run_changed, case_done, run_over };
	struct plan plan = { 0 };
	int status;

	if (app_run_is_on(app))
		return error_set(error, EBUSY, "a run is on: stop it with X in its screen first");
	status = plan_make(&session->board, session->catalog.modules, session->catalog.len,
		session->options.root ? session->options.root : "", spec, &plan, error);
	if (status)
		return status;
	if (session->options.quiet_run)
		for (size_t i = 0; i < plan.len; i++)
			plan.cases[i].options.quiet = true;
	run_destroy(app->run);
	app->run = run_start(session, &plan, run_id, skip, &listener);
	app_push(app, screen_run_create(app));
	return 0;
}

int app_load(struct app *app, const struct run_spec *spec, struct error *error)
{
	int status = screen_home_load(app->stack[0], spec, error);

	if (!status)
		app_home(app);
	return status;
}

/* One subsystem at a time, after the first screen: a hanging module must not hold the screen back. */
static void probe_next(void *data)
{
	struct app *app = data;
	struct board *board = &app->session->board;

	/* A probe would disturb what is measured; the run probes what it needs. */
	if (app_run_is_on(app))
		return;
	while (app->probe_next < board->subsystems_len) {
		struct subsystem *subsystem = &board->subsystems[app->probe_next++];

		if (subsystem->state != SUBSYSTEM_UNKNOWN)
			continue;
		catalog_probe(subsystem, app->session->options.root ? app->session->options.root : "");
		if (app->stack[0]->ops->shown)
			app->stack[0]->ops->shown(app->stack[0]); /* its form takes the devices found */
		app_dirty(app);
		return;
	}
	loop_remove(app->probe_timer);
	app->probe_timer = NULL;
}

int app_set_board(struct app *app, const char *name, struct error *error)
{
	int status;

	if (app_run_is_on(app))
		return error_set(error, EBUSY, "a run is on: another board can be chosen when it is over");
	/* The last run's view points into the old board. */
	run_destroy(app->run);
	app->run = NULL;
	status = session_set_board(app->session, name, error);
	while (app->depth)
		take_off(app);
	app_push(app, screen_home_create(app));
	app->probe_next = 0;
	loop_remove(app->probe_timer);
	app->probe_timer = loop_add_timer(app->session->loop, PROBE_NS, PROBE_NS, probe_next, app);
	return status;
}

static void on_key(void *data, int key)
{
	struct app *app = data;

	if (app->term && app->depth)
		app_key(app, key);
}

static void on_resized(void *data)
{
	app_dirty(data);
}

static void on_writable(void *data)
{
	(void)data; /* the loop draws at the end of the pass */
}

/* The line is gone. The run is what counts: it goes on to its end. */
static void on_gone(void *data)
{
	struct app *app = data;

	app->leaving = true;
	if (!app_run_is_on(app))
		loop_stop(app->session->loop);
	else if (app->session->options.stop_on_hangup)
		run_stop(app->run);
}

static void on_signal(void *data, int signal_number)
{
	struct app *app = data;

	if (signal_number == SIGHUP) {
		on_gone(app);
		return;
	}
	if (signal_number == SIGINT)
		app->end_status = -EINTR;
	/* Stop the run in order, so that what was measured is kept; a second signal does not wait. */
	if (app_run_is_on(app) && !app->leaving) {
		app->leaving = true;
		app_message(app, "Stopping the run; Ctrl-C again leaves at once.");
		run_stop(app->run);
	} else {
		loop_stop(app->session->loop);
	}
}

static void on_pass(void *data)
{
	struct app *app = data;

	bury(app);
	if (app->depth)
		app_draw(app);
}

static void on_kernel_message(void *data, short revents)
{
	struct app *app = data;

	(void)revents;
	kernel_log_read(&app->session->kernel_log, app_run_is_on(app));
	app->live_dirty = true;
}

static void offer_unfinished(struct app *app)
{
	struct journal_unfinished found = { 0 };

	if (app->session->journal_open && journal_find_unfinished(&app->session->journal, &found))
		app_push(app, screen_resume_create(app, &found));
	journal_unfinished_finish(&found);
}

static void greet(struct app *app)
{
	const struct session *session = app->session;

	if (session->recovered && session->recovered[0])
		app_message(app, "Put back after a crash: %s", session->recovered[0]);
	else if (session->journal.problem)
		app_message(app, "%s", session->journal.problem);
}

static void app_finish(struct app *app)
{
	struct loop *loop = app->session->loop;

	loop_set_idle(loop, NULL, NULL);
	loop_remove(app->probe_timer);
	for (size_t i = 0; i < ARRAY_LEN(app->signals); i++)
		loop_remove(app->signals[i]);
	while (app->depth)
		take_off(app);
	bury(app);
	run_destroy(app->run);
	term_close(app->term);
}

int ui_run(struct session *session, struct error *error)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct app app = { .session = session, .dirty = true };
	struct term_listener listener = { &app, on_key, on_resized, on_gone, on_writable };
	struct loop_source *kernel = NULL;
	struct utsname names;
	int status;

	status = term_open(&session->options, session->store, session->loop, &listener, &app.term, error);
	if (status)
		return status;
	if (!uname(&names))
		snprintf(app.release, sizeof(app.release), "%.8s %.60s", names.sysname, names.release);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		app.signals[i] = loop_add_signal(session->loop, signals[i], on_signal, &app);
	if (session->kernel_log.fd >= 0)
		kernel = loop_add_fd(session->loop, session->kernel_log.fd, POLLIN, on_kernel_message, &app);
	app_push(&app, screen_home_create(&app));
	greet(&app);
	offer_unfinished(&app);
	loop_set_idle(session->loop, on_pass, &app);
	app_draw(&app);
	app.probe_timer = loop_add_timer(session->loop, PROBE_NS, PROBE_NS, probe_next, &app);
	loop_run(session->loop);
	loop_remove(kernel);
	app_finish(&app);
	return app.end_status;
}
