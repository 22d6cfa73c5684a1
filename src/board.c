/* SPDX-License-Identifier: MIT
 *
 * Reads a board profile, and looks for the media that its subsystems stand for. */
#include "board.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "board_internal.h"
#include "ini.h"
#include "list.h"
#include "medium.h"
#include "mem.h"
#include "sysfs.h"
#include "text.h"

#define BOARD_PROFILE_VERSION 1

static void offers_finish(struct subsystem *subsystem)
{
	if (!subsystem->info)
		return;
	for (size_t i = 0; subsystem->offers && i < subsystem->info->params_len; i++) {
		for (size_t j = 0; subsystem->offers_len && j < subsystem->offers_len[i]; j++) {
			free(subsystem->offers[i][j].value);
			free(subsystem->offers[i][j].description);
		}
		free(subsystem->offers[i]);
	}
	free(subsystem->offers);
	free(subsystem->offers_len);
}

void subsystem_finish(struct subsystem *subsystem)
{
	offers_finish(subsystem);
	free(subsystem->name);
	free(subsystem->module);
	free(subsystem->group);
	free(subsystem->title);
	free(subsystem->bus);
	free(subsystem->missing);
	free(subsystem->reason);
	settings_finish(&subsystem->defaults);
	settings_finish(&subsystem->sweep);
	*subsystem = (struct subsystem){ 0 };
}

void board_finish(struct board *board)
{
	for (size_t i = 0; i < board->subsystems_len; i++)
		subsystem_finish(&board->subsystems[i]);
	free(board->subsystems);
	free(board->name);
	free(board->title);
	free(board->path);
	settings_finish(&board->facts);
	list_finish(&board->compatible);
	list_finish(&board->warnings);
	*board = (struct board){ 0 };
}

struct subsystem *board_find_subsystem(const struct board *board, const char *name)
{
	for (size_t i = 0; i < board->subsystems_len; i++)
		if (strcmp(board->subsystems[i].name, name) == 0)
			return &board->subsystems[i];
	return NULL;
}

struct subsystem *board_add_subsystem(struct board *board, const char *name)
{
	board->subsystems =
		mem_grow(board->subsystems, board->subsystems_len + 1, sizeof(*board->subsystems));
	struct subsystem *subsystem = &board->subsystems[board->subsystems_len++];
	*subsystem = (struct subsystem){ .name = mem_strdup(name) };
	return subsystem;
}

/* ---- reading ---- */

static void replace(char **text, const char *fresh)
{
	free(*text);
	*text = mem_strdup(fresh);
}

static void read_compatible(struct board *board, const char *value)
{
	_autofree_ char *copy = mem_strdup(value);
	char *rest = copy, *word;
	list_finish(&board->compatible);
	while ((word = strsep(&rest, " \t")))
		if (*word)
			list_add(&board->compatible, "%s", word);
}

static int read_version(const struct ini_line *line, struct board *board, struct error *error)
{
	char *end;
	long version = strtol(line->value, &end, 10);
	if (end == line->value || *end || version < 1)
		return error_set(error, EINVAL,
			"%s:%u: \"%.40s\" is not a version: write version = %d", board->path,
			line->number, line->value, BOARD_PROFILE_VERSION);
	if (version > BOARD_PROFILE_VERSION)
		list_add(&board->warnings,
			"%s:%u: version %ld is newer than this boardbench, which knows version %d: "
			"what is new "
			"in it is left out; update boardbench",
			board->path, line->number, version, BOARD_PROFILE_VERSION);
	return 0;
}

static int read_board_key(const struct ini_line *line, struct board *board, struct error *error)
{
	if (strcmp(line->key, "version") == 0)
		return read_version(line, board, error);
	if (strcmp(line->key, "title") == 0) {
		replace(&board->title, line->value);
	} else if (strcmp(line->key, "compatible") == 0) {
		read_compatible(board, line->value);
	} else if (strcmp(line->key, "name") == 0) {
		/* The file's name counts: it is what one looks for. */
		if (strcmp(line->value, board->name) != 0)
			list_add(&board->warnings,
				"%s:%u: name %.60s is not the name of the file: the board is "
				"called %s",
				board->path, line->number, line->value, board->name);
	} else {
		list_add(&board->warnings,
			"%s:%u: \"%s\" is not known in [board] and does nothing: take the line "
			"out, or move it "
			"into [facts]",
			board->path, line->number, line->key);
	}
	return 0;
}

static int put(struct settings *settings, const char *name, const struct ini_line *line,
	const struct board *board, struct error *error)
{
	if (settings_get(settings, name))
		return error_set(error, EINVAL, "%s:%u: %s is given twice in [%s]: take one out",
			board->path, line->number, line->key, line->section);
	settings_set(settings, name, line->value);
	settings->items[settings->len - 1].line = line->number;
	return 0;
}

static int read_subsystem_key(const struct ini_line *line, struct board *board,
	struct subsystem *subsystem, struct error *error)
{
	const char *key = line->key;
	if (strcmp(key, "module") == 0)
		replace(&subsystem->module, line->value);
	else if (strcmp(key, "group") == 0)
		replace(&subsystem->group, line->value);
	else if (strcmp(key, "title") == 0)
		replace(&subsystem->title, line->value);
	else if (strcmp(key, "bus") == 0)
		replace(&subsystem->bus, line->value);
	else if (text_starts(key, "sweep."))
		return put(&subsystem->sweep, key + strlen("sweep."), line, board, error);
	else if (text_starts(key, "default."))
		return put(&subsystem->defaults, key + strlen("default."), line, board, error);
	else
		return put(&subsystem->defaults, key, line, board, error);
	return 0;
}

enum part { PART_NONE, PART_BOARD, PART_FACTS, PART_SUBSYSTEM };

static int begin_section(
	const struct ini_line *line, struct board *board, enum part *part, struct error *error)
{
	const char *start = "subsystem ";
	*part = PART_NONE;
	if (strcmp(line->section, "board") == 0) {
		*part = PART_BOARD;
	} else if (strcmp(line->section, "facts") == 0) {
		*part = PART_FACTS;
	} else if (text_starts(line->section, start)) {
		const char *name = line->section + strlen(start);
		name += strspn(name, " \t");
		if (board_find_subsystem(board, name))
			return error_set(error, EEXIST,
				"%s:%u: subsystem %s is there twice: give this one another name",
				board->path, line->number, name);
		board_add_subsystem(board, name);
		*part = PART_SUBSYSTEM;
	} else {
		list_add(&board->warnings,
			"%s:%u: section [%s] is not known and left out: a board profile has "
			"[board], [facts] "
			"and [subsystem NAME]",
			board->path, line->number, line->section);
	}
	return 0;
}

static int read_lines(const struct ini *ini, struct board *board, struct error *error)
{
	enum part part = PART_NONE;
	int status = 0;
	for (size_t i = 0; i < ini->len && status == 0; i++) {
		const struct ini_line *line = &ini->lines[i];
		if (line->is_section)
			status = begin_section(line, board, &part, error);
		else if (!line->key)
			continue;
		else if (!*line->section)
			status = error_set(error, EINVAL,
				"%s:%u: \"%s\" stands before the first section: begin the file "
				"with [board]",
				ini->path, line->number, line->key);
		else if (part == PART_BOARD)
			status = read_board_key(line, board, error);
		else if (part == PART_FACTS)
			status = put(&board->facts, line->key, line, board, error);
		else if (part == PART_SUBSYSTEM)
			status = read_subsystem_key(
				line, board, &board->subsystems[board->subsystems_len - 1], error);
	}
	return status;
}

static int check_whole(const struct ini *ini, struct board *board, struct error *error)
{
	bool is_board = false, is_run = false;
	for (size_t i = 0; i < ini->len; i++) {
		const struct ini_line *line = &ini->lines[i];
		is_board = is_board || (line->is_section && strcmp(line->section, "board") == 0);
		is_run = is_run || (line->is_section && strcmp(line->section, "profile") == 0);
	}
	if (!is_board)
		return error_set(error, EINVAL, "%s has no [board] section: %s", board->path,
			is_run ? "it is a run profile: boardbench run --profile"
			       : "it is empty or no board profile");
	for (size_t i = 0; i < board->subsystems_len; i++) {
		struct subsystem *subsystem = &board->subsystems[i];
		if (!subsystem->module || !*subsystem->module)
			return error_set(error, EINVAL,
				"%s: [subsystem %s] does not say which module: add module = NAME",
				board->path, subsystem->name);
		if (!subsystem->group)
			subsystem->group = mem_strdup("OTHER");
		if (!subsystem->title)
			subsystem->title = mem_strdup("");
		/* A directory that is given needs no looking for. */
		if (settings_get(&subsystem->defaults, "directory")) {
			free(subsystem->bus);
			subsystem->bus = NULL;
		}
	}
	return 0;
}

static char *name_of_file(const char *path)
{
	const char *base = sysfs_base(path);
	size_t length = strlen(base);
	if (length > 4 && strcmp(base + length - 4, ".ini") == 0)
		length -= 4;
	return mem_strndup(base, length);
}

int board_load(const char *path, struct board *board, struct error *error)
{
	struct ini ini;
	*board = (struct board){ 0 };
	int status = ini_load(path, &ini, error);
	if (status < 0)
		return status;
	*board = (struct board){
		.name = name_of_file(path),
		.path = mem_strdup(path),
		.compatible = mem_zalloc(1, sizeof(*board->compatible)),
		.warnings = mem_zalloc(1, sizeof(*board->warnings)),
	};
	status = read_lines(&ini, board, error);
	if (status == 0)
		status = check_whole(&ini, board, error);
	ini_finish(&ini);
	if (status < 0) {
		board_finish(board);
		return status;
	}
	if (!board->title)
		board->title = mem_strdup(board->name);
	return 0;
}

/* ---- media ---- */

static const char *bus_advice(const char *bus)
{
	static const struct {
		const char *bus, *advice;
	} table[] = {
		{ "mmc", "no SD card is mounted: insert one and mount it" },
		{ "emmc", "no filesystem of the eMMC is mounted: mount one" },
		{ "usb", "no USB disk is mounted: plug one in and mount it" },
		{ "sata", "no SATA disk is mounted: connect one and mount it" },
		{ "nvme", "no NVMe disk is mounted: put one in and mount it" },
		{ "ubi", "no UBI volume is mounted: attach the flash and mount a volume" },
		{ "ufs", "no filesystem of the UFS is mounted: mount one" },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (strcmp(table[i].bus, bus) == 0)
			return table[i].advice;
	return NULL;
}

static void set_missing(struct subsystem *subsystem)
{
	const char *advice = bus_advice(subsystem->bus);
	settings_remove(&subsystem->defaults, "directory");
	subsystem->missing =
		advice ? mem_strdup(advice)
		       : text_printf("no writable medium of bus %s is mounted: mount one",
				 subsystem->bus);
	free(subsystem->reason);
	subsystem->reason = mem_strdup(subsystem->missing);
	subsystem->state = SUBSYSTEM_ABSENT;
}

static void locate(struct subsystem *subsystem, const struct medium *media, size_t len)
{
	bool was_missing = subsystem->missing != NULL;
	free(subsystem->missing);
	subsystem->missing = NULL;
	for (size_t i = 0; i < len; i++) {
		if (!media[i].writable || strcmp(media[i].bus, subsystem->bus) != 0)
			continue;
		settings_set(&subsystem->defaults, "directory", media[i].mount_point);
		if (was_missing) {
			free(subsystem->reason);
			subsystem->reason = NULL;
			subsystem->state = SUBSYSTEM_UNKNOWN;
		}
		return;
	}
	set_missing(subsystem);
}

void board_locate(struct board *board, const char *root)
{
	size_t len;
	struct medium *media = medium_list(root, &len);
	for (size_t i = 0; i < board->subsystems_len; i++)
		if (board->subsystems[i].bus)
			locate(&board->subsystems[i], media, len);
	medium_list_finish(media, len);
}
