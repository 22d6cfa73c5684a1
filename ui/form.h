/* SPDX-License-Identifier: MIT */
/* The form of a subsystem: what will be run, as text in rows that is always valid. Pure: no curses. */
#ifndef BB_UI_FORM_H
#define BB_UI_FORM_H

#include "board.h"
#include "run_profile.h"

enum form_kind {
	FORM_PARAM,
	FORM_OPTION,   /* repeat, duration, warmup, cpus: the workbench's own */
	FORM_LOAD,     /* one load: "usb operation=read" */
	FORM_ADD_LOAD, /* the empty row that becomes a load */
};

struct form_row {
	enum form_kind kind;
	size_t param;      /* FORM_PARAM: index */
	const char *name;  /* of the parameter or option; "load" */
	char *text;        /* what is asked for; "" where nothing is */
	char *initial;     /* what it was to begin with: only what differs is written into a spec */
};

struct form {
	const struct board *board;
	const struct subsystem *subsystem; /* both outlive the form */
	const char *root;
	struct form_row *rows;
	size_t len;
	struct settings other;  /* settings loaded from a profile that have no row: steady, stall, quiet */
};

/* Rows at the defaults. The subsystem's module must be known. */
void form_init(struct form *form, const struct board *board, const struct subsystem *subsystem,
	const char *root);
void form_finish(struct form *form);
/* The probe has found what there is: rows that still are as they were get their defaults anew. */
void form_refresh(struct form *form);

/* Check and take the text. -EINVAL with what is wrong: the old text stays. "" on a FORM_LOAD removes the row; on
 * FORM_OPTION it is back at its default. */
int form_set(struct form *form, size_t row, const char *text, struct error *error);
/* Does the row have choices to step through? */
bool form_can_step(const struct form *form, size_t row);
/* The text `by` (1 or -1) choices further, round at the ends; a new string. NULL: there are none. */
char *form_step(const struct form *form, size_t row, const char *from, int by);
/* All parameters with a published sweep of the board get it; false: the board has none for this subsystem. */
bool form_set_published_sweep(struct form *form);
/* Back to the defaults. */
void form_reset(struct form *form);

/* "buffer size", "repeat": as shown. buffer is returned. */
const char *form_label(const struct form *form, size_t row, char *buffer, size_t size);
/* What stands behind the label: the text, and a description of an offered value; "none" and the like for
 * empty rows. A new string. */
char *form_shown(const struct form *form, size_t row);
/* One or two sentences about the row: its meaning, choices or range, unit. A new string. */
char *form_hint(const struct form *form, size_t row);

/* Add the form as a part to an empty spec. */
void form_to_spec(const struct form *form, struct run_spec *spec);
/* Take a part's settings and loads over. On error nothing is changed. */
int form_from_part(struct form *form, const struct run_part *part, struct error *error);
/* Cases that the sweeps make. */
unsigned long long form_cases(const struct form *form);

#endif
