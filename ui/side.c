/* Lists the subsystems under the headings of their groups.
 * SPDX-License-Identifier: MIT */
#include "side.h"

#include <string.h>

#include "keys.h"
#include "mem.h"

static const char *group_of(const struct subsystem *subsystem)
{
	if (subsystem->group && *subsystem->group)
		return subsystem->group;
	return subsystem->info && subsystem->info->group ? subsystem->info->group : "OTHER";
}

static void add(struct side *side, const char *group, size_t subsystem)
{
	side->items = mem_grow(side->items, side->len + 1, sizeof(*side->items));
	side->items[side->len++] = (struct side_item){ group, subsystem };
}

static bool has_group(const struct side *side, const char *group)
{
	for (size_t i = 0; i < side->len; i++)
		if (side->items[i].group && !strcmp(side->items[i].group, group))
			return true;
	return false;
}

void side_init(struct side *side, const struct board *board)
{
	*side = (struct side){ .board = board };
	for (size_t i = 0; i < board->subsystems_len; i++) {
		const char *group = group_of(&board->subsystems[i]);

		if (has_group(side, group))
			continue;
		add(side, group, 0);
		for (size_t j = i; j < board->subsystems_len; j++)
			if (!strcmp(group_of(&board->subsystems[j]), group))
				add(side, NULL, j);
	}
	side->list.count = side->len;
	side->list.selected = side->len ? 1 : 0;
}

void side_finish(struct side *side)
{
	free(side->items);
	*side = (struct side){ 0 };
}

long side_selected(const struct side *side)
{
	return side->list.selected < side->len ? (long)side->items[side->list.selected].subsystem : -1;
}

void side_select(struct side *side, size_t subsystem)
{
	for (size_t i = 0; i < side->len; i++)
		if (!side->items[i].group && side->items[i].subsystem == subsystem)
			side->list.selected = i;
}

bool side_key(struct side *side, int key, int page)
{
	size_t before = side->list.selected;

	side->list.count = side->len;
	if (!list_key(&side->list, key, page))
		return false;
	/* Headings cannot be chosen. The first item is one, and each has a subsystem below it. */
	if (side->len && side->items[side->list.selected].group) {
		if (side->list.selected > before || !side->list.selected)
			side->list.selected++;
		else
			side->list.selected--;
	}
	return true;
}

const char *side_mark(const struct subsystem *subsystem)
{
	switch (subsystem->state) {
	case SUBSYSTEM_READY:
		return "+";
	case SUBSYSTEM_ABSENT:
		return "-";
	case SUBSYSTEM_NEEDS:
		return "!";
	case SUBSYSTEM_UNKNOWN:
		break;
	}
	return "?";
}

static void draw_row(void *data, size_t index, const struct area *line, bool selected)
{
	const struct side *side = data;
	const struct side_item *item = &side->items[index];
	const struct subsystem *subsystem;

	if (item->group) {
		draw_text(line, 0, 1, STYLE_HEADING, item->group);
		return;
	}
	subsystem = &side->board->subsystems[item->subsystem];
	if (selected) {
		draw_text(line, 0, 1, STYLE_NORMAL, ">");
		if (side->focused)
			draw_field(line, 0, 2, line->columns - 2, STYLE_SELECTED, "");
	}
	draw_text(line, 0, 3, selected && side->focused ? STYLE_SELECTED : STYLE_NORMAL,
		subsystem == side->running ? "*" : side_mark(subsystem));
	draw_text(line, 0, 5, selected && side->focused ? STYLE_SELECTED : STYLE_NORMAL, subsystem->name);
}

void side_draw(struct side *side, const struct area *area)
{
	side->list.count = side->len;
	list_draw(&side->list, area, draw_row, side);
}
