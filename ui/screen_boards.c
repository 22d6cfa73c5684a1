/* SPDX-License-Identifier: MIT
 * Board profiles: choose one. */
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "mem.h"

struct boards {
	struct screen screen;
	struct board_entry *entries;
	size_t len;
	struct list list;
	int page;
};

static struct boards *boards_of(const struct screen *screen)
{
	return (struct boards *)(uintptr_t)screen;
}

static void draw_row(void *data, size_t index, const struct area *line, bool selected)
{
	const struct boards *boards = data;
	const struct board *current = &app_session(boards->screen.app)->board;
	const struct board_entry *entry = &boards->entries[index];

	if (selected)
		draw_text(line, 0, 1, STYLE_NORMAL, ">");
	draw_text(line, 0, 3, STYLE_NORMAL, strcmp(entry->name, current->name) ? " " : "*");
	draw_field(line, 0, 5, 22, selected ? STYLE_SELECTED : STYLE_NORMAL, entry->name);
	draw_field(line, 0, 28, line->columns - 29, STYLE_NORMAL, entry->title);
}

static void boards_draw(struct screen *screen, const struct area *body)
{
	struct boards *boards = boards_of(screen);
	const struct board *board = &app_session(screen->app)->board;
	int rows = body->rows / 2;
	struct area top = area_rows(body, 0, rows), bottom = area_rows(body, rows + 1, -1);

	boards->page = rows;
	boards->list.count = boards->len;
	list_draw(&boards->list, &top, draw_row, boards);
	draw_line(body, rows);
	draw_format(&bottom, 0, 1, STYLE_HEADING, "%s: %s", board->name, board->title);
	for (size_t i = 0; i < board->facts.len && (int)i + 2 < bottom.rows; i++)
		draw_format(&bottom, (int)i + 1, 1, STYLE_NORMAL, "%-14s %s", board->facts.items[i].name,
			board->facts.items[i].text);
	if (board->facts.len == 0)
		draw_text(&bottom, 1, 1, STYLE_DIM, board->path ? "The profile tells no facts." :
			"Made from what is found on this machine.");
}

static bool boards_key(struct screen *screen, int key)
{
	struct boards *boards = boards_of(screen);

	return list_key(&boards->list, key, boards->page - 2);
}

static bool can_choose(const struct screen *screen)
{
	return boards_of(screen)->len > 0 && !app_run_is_on(screen->app);
}

static void act_choose(struct screen *screen, int key)
{
	struct boards *boards = boards_of(screen);
	struct error error = { 0 };
	_autofree_ char *name = mem_strdup(boards->entries[boards->list.selected].name);

	(void)key;
	if (app_set_board(screen->app, name, &error) < 0)
		app_error(screen->app, &error);
	else
		app_message(screen->app, "Board profile %s.", name);
}

static void boards_destroy(struct screen *screen)
{
	struct boards *boards = boards_of(screen);

	board_list_finish(boards->entries, boards->len);
	free(boards);
}

static void boards_title(const struct screen *screen, char *buffer, size_t size)
{
	(void)screen;
	snprintf(buffer, size, "board profiles");
}

static const struct screen_key keys[] = {
	{ UI_KEY_ENTER, "Enter", "choose", "Use this board profile.", act_choose, can_choose },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "Board profiles name a board, its facts and its subsystems. * is the one in use; \"generic\" is made from "
		"what is found on this machine.",
	.keys = keys,
	.title = boards_title,
	.draw = boards_draw,
	.key = boards_key,
	.destroy = boards_destroy,
};

struct screen *screen_boards_create(struct app *app)
{
	struct boards *boards = mem_zalloc(1, sizeof(*boards));

	boards->screen = (struct screen){ &ops, app };
	boards->entries = board_list((const char *const *)app_session(app)->board_directories, &boards->len);
	for (size_t i = 0; i < boards->len; i++)
		if (!strcmp(boards->entries[i].name, app_session(app)->board.name))
			boards->list.selected = i;
	return &boards->screen;
}
