/* SPDX-License-Identifier: MIT */
/* The newest results of a subsystem, read from the journal. */
#ifndef BB_UI_LATEST_H
#define BB_UI_LATEST_H

#include "output.h"
#include "session.h"

#include "draw.h"

#define LATEST_MAX 24

struct latest {
	struct result results[LATEST_MAX]; /* oldest first */
	size_t len;
	size_t total;                      /* results of the subsystem in the journal */
	struct table table;                /* of those of the newest result's module */
};

/* Read the newest `most`. What cannot be read is left out. */
void latest_load(struct latest *latest, const struct session *session, const char *subsystem, size_t most);
void latest_finish(struct latest *latest);

/* A copy of its own. */
void latest_copy(const struct result *from, struct result *to);

/* The table with its title row; the newest rows when not all fit. */
void latest_draw_table(const struct table *table, const struct area *area);

#endif
