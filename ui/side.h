/* SPDX-License-Identifier: MIT */
/* The list of subsystems by group, at the left of the home screen and of the live view. */
#ifndef BB_UI_SIDE_H
#define BB_UI_SIDE_H

#include "board.h"

#include "draw.h"

struct side_item {
	const char *group;          /* of a heading; NULL: a subsystem */
	size_t subsystem;           /* index */
};

struct side {
	const struct board *board;  /* outlives it */
	struct side_item *items;
	size_t len;
	struct list list;
	const struct subsystem *running; /* marked with '*'; NULL: none */
	bool focused;               /* the keys go here: the selection is reversed */
};

void side_init(struct side *side, const struct board *board);
void side_finish(struct side *side);
/* The selected subsystem's index, or -1 when the board has none. */
long side_selected(const struct side *side);
void side_select(struct side *side, size_t subsystem);
bool side_key(struct side *side, int key, int page);
void side_draw(struct side *side, const struct area *area);

/* "+", "-", "!", "?" */
const char *side_mark(const struct subsystem *subsystem);

#endif
