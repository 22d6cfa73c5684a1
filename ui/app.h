/* SPDX-License-Identifier: MIT */
/* The workbench on the screen: the stack of screens, the run under way, what is drawn when. */
#ifndef BB_UI_APP_H
#define BB_UI_APP_H

#include "run.h"
#include "run_profile.h"
#include "session.h"

#include "screen.h"

struct app;

struct session *app_session(struct app *app);

/* Put a screen on top; it is the app's from here on. NULL is fine (nothing happens). */
void app_push(struct app *app, struct screen *screen);
/* Destroy the topmost and show the one below; the last one stays. It may be called from within a screen's
 * own key handler: the screen is destroyed after that has returned. */
void app_pop(struct app *app);
/* Take everything off down to the home screen. */
void app_home(struct app *app);
/* Leave the program; asks first when a run is on. */
void app_quit(struct app *app);
/* Draw in this pass. */
void app_dirty(struct app *app);
/* Line 23, until the next key. NULL: none. */
void app_message(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
void app_error(struct app *app, const struct error *error);

/* Ask for a line of text in line 23. answer() is called once with the text, or not at all after Esc. */
void app_ask(struct app *app, const char *question, const char *initial,
	void (*answer)(struct app *app, void *data, const char *text), void *data);
/* Ask yes or no in line 23; answer() is called only for yes. */
void app_confirm(struct app *app, const char *question, void (*answer)(struct app *app, void *data),
	void *data);

/* Make a plan of the spec and start it; the run screen comes on top. skip and run_id: as run_start(). Refused
 * with a message while another run is on. */
int app_start_run(struct app *app, const struct run_spec *spec, const char *run_id, size_t skip,
	struct error *error);
/* The run under way or the last one; NULL before the first. */
struct run *app_run(const struct app *app);
/* Its view, or NULL. */
const struct run_view *app_look(const struct app *app);
bool app_run_is_on(const struct app *app);

/* Fill the home screen's form and go there. */
int app_load(struct app *app, const struct run_spec *spec, struct error *error);
/* Change the board: everything above home is taken off and home made anew. Refused while a run is on. Not to
 * be called from draw(). */
int app_set_board(struct app *app, const char *name, struct error *error);

/* How many bytes the live view may send in a second; 0: unlimited (a pty). For drawing less on slow lines. */
unsigned app_bytes_per_second(const struct app *app);

#endif
