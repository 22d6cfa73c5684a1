/* SPDX-License-Identifier: MIT */
/* Screens: each draws the body of the terminal, has a table of keys, and turns keys into actions.
 *
 * A screen embeds struct screen as its first member:
 *	struct screen_boards { struct screen screen; struct list list; ... };
 * Its constructor allocates it with mem_zalloc(), sets screen.ops and screen.app, and returns &it->screen;
 * app_push() shows it. draw() only draws, from what the screen holds; keys and run_changed() change it. The
 * app redraws after every key; whatever else changes a screen calls app_dirty(). */
#ifndef BB_UI_SCREEN_H
#define BB_UI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "journal.h"
#include "result.h"
#include "run_profile.h"

#include "draw.h"
#include "keys.h"

struct app;
struct screen;

/* A row of a screen's key table. The last line of the screen and the help are made from it; a row is shown
 * and acts only while works() says so. */
struct screen_key {
	int key;            /* a character or enum ui_key */
	const char *label;  /* "Enter", "up/down"; NULL: the character; "" : acts but is not shown in the last line */
	const char *word;   /* "edit": in the last line */
	const char *help;   /* one sentence for the help screen */
	void (*act)(struct screen *screen, int key);
	bool (*works)(const struct screen *screen); /* NULL: always */
};

struct screen_ops {
	const char *help;               /* a few sentences for the help screen: what is shown here */
	const struct screen_key *keys;  /* ends with .key == 0 */
	/* After "boardbench  BOARD  " in line 1: "results: mmc". NULL: the board's title. */
	void (*title)(const struct screen *screen, char *buffer, size_t size);
	void (*draw)(struct screen *screen, const struct area *body);
	/* Raw keys before the table: for typing and moving. true: taken. NULL: none. While typing() is true,
	 * nothing but Ctrl-L goes past it; the key line then shows `typing_keys`. */
	bool (*key)(struct screen *screen, int key);
	bool (*typing)(const struct screen *screen); /* NULL: never */
	const char *typing_keys;        /* "Enter accept  Esc cancel" */
	void (*run_changed)(struct screen *screen); /* the run's view moved, or a case is done; NULL: redraw is enough */
	void (*shown)(struct screen *screen);       /* it has become the topmost (again); NULL */
	void (*destroy)(struct screen *screen);     /* frees it */
};

/* h, j, k, l stand for the arrows and space for page down where a screen's table and key() do not
 * take them. `?` (help) is on every screen and Esc goes back from every screen but home, without being in
 * its table: the app adds them. */
struct screen {
	const struct screen_ops *ops;
	struct app *app;
};

/* The constructors. What is said to be taken over is moved out of its pointer, which is zeroed. */
struct screen *screen_home_create(struct app *app);
struct screen *screen_run_create(struct app *app); /* of app_run() */
struct screen *screen_results_create(struct app *app, const char *subsystem); /* NULL: of all */
struct screen *screen_detail_create(struct app *app, struct result *result);  /* taken over */
struct screen *screen_compare_create(struct app *app, struct result *a, struct result *b); /* both taken over */
struct screen *screen_boards_create(struct app *app);
struct screen *screen_runs_create(struct app *app);
struct screen *screen_kernel_create(struct app *app);
struct screen *screen_environment_create(struct app *app);
struct screen *screen_why_create(struct app *app, struct result *result);     /* taken over */
struct screen *screen_help_create(struct app *app, const struct screen *about); /* about: used in here only */
struct screen *screen_resume_create(struct app *app, struct journal_unfinished *found); /* taken over */

/* Fill the home screen's form from a spec (its first part). -errno with a message: nothing is changed. */
int screen_home_load(struct screen *home, const struct run_spec *spec, struct error *error);

#endif
