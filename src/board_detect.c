/* SPDX-License-Identifier: MIT
 *
 * Finds board profiles in the directories, by name and by the device tree of this machine. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "board.h"
#include "list.h"
#include "mem.h"
#include "text.h"

#define COMPATIBLE_MAX 4096

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct board_entry *)a)->name, ((const struct board_entry *)b)->name);
}

static void add_entry(
	struct board_entry **entries, size_t *len, const char *directory, const char *file)
{
	char *name = mem_strndup(file, strlen(file) - strlen(".ini"));
	for (size_t i = 0; i < *len; i++)
		if (strcmp((*entries)[i].name, name) == 0) {
			free(name); /* a directory before this one has it */
			return;
		}
	*entries = mem_grow(*entries, *len + 1, sizeof(**entries));
	(*entries)[(*len)++] = (struct board_entry){
		.name = name,
		.path = text_printf("%s/%s", directory, file),
	};
}

/* Names and paths only, by name. */
static struct board_entry *find_profiles(const char *const *directories, size_t *len)
{
	struct board_entry *entries = NULL;
	*len = 0;
	for (; directories && *directories; directories++) {
		DIR *dir = opendir(*directories);
		for (struct dirent *item; dir && (item = readdir(dir));) {
			size_t length = strlen(item->d_name);
			if (item->d_name[0] != '.' && length > 4 &&
				strcmp(item->d_name + length - 4, ".ini") == 0)
				add_entry(&entries, len, *directories, item->d_name);
		}
		if (dir)
			closedir(dir);
	}
	if (*len)
		qsort(entries, *len, sizeof(*entries), by_name);
	return entries;
}

struct board_entry *board_list(const char *const *directories, size_t *len)
{
	struct board_entry *entries = find_profiles(directories, len);
	for (size_t i = 0; i < *len; i++) {
		struct board board;
		struct error error = { 0 };
		if (board_load(entries[i].path, &board, &error) < 0) {
			entries[i].title = mem_strdup(error.text);
			continue;
		}
		entries[i].title = mem_strdup(board.title);
		board_finish(&board);
	}
	entries = mem_grow(entries, *len + 1, sizeof(*entries));
	entries[(*len)++] = (struct board_entry){ mem_strdup("generic"),
		mem_strdup("made from what is found on this machine"), mem_strdup("") };
	return entries;
}

void board_list_finish(struct board_entry *entries, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		free(entries[i].name);
		free(entries[i].title);
		free(entries[i].path);
	}
	free(entries);
}

static int not_found(
	const struct board_entry *entries, size_t len, const char *name, struct error *error)
{
	const char **names = mem_zalloc(len + 1, sizeof(*names));
	for (size_t i = 0; i < len; i++)
		names[i] = entries[i].name;
	names[len] = "generic";
	const char *nearest = text_nearest(name, names, len + 1);
	free(names);
	if (nearest)
		return error_set(error, ENOENT,
			"there is no board profile \"%s\": did you mean \"%s\"?", name, nearest);
	return error_set(error, ENOENT,
		"there is no board profile \"%s\": `boardbench list boards` shows them", name);
}

int board_find(const char *const *directories, const char *name, const char *root,
	struct board *board, struct error *error)
{
	size_t len;
	struct board_entry *entries = find_profiles(directories, &len);
	int status = 1;
	*board = (struct board){ 0 };
	for (size_t i = 0; i < len && status > 0; i++)
		if (strcmp(entries[i].name, name) == 0)
			status = board_load(entries[i].path, board, error);
	if (status > 0 && strcmp(name, "generic") == 0) {
		board_generic(root, board);
		status = 0;
	} else if (status > 0) {
		status = not_found(entries, len, name, error);
	} else if (status == 0) {
		board_locate(board, root);
	}
	board_list_finish(entries, len);
	return status;
}

/* The strings of the device tree, most specific first; NULL: no device tree. The file holds them
 * with a NUL behind each, so it cannot be read as text. */
static char **read_compatible(const char *root)
{
	static const char *const paths[] = { "/proc/device-tree/compatible",
		"/sys/firmware/devicetree/base/compatible" };
	char bytes[COMPATIBLE_MAX + 1];
	char **list = NULL;
	for (size_t i = 0; i < ARRAY_LEN(paths) && !list; i++) {
		_autofree_ char *path = text_printf("%s%s", root, paths[i]);
		_autoclose_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		ssize_t length = fd < 0 ? -1 : read(fd, bytes, COMPATIBLE_MAX);
		if (length <= 0)
			continue;
		bytes[length] = '\0';
		for (const char *at = bytes; at < bytes + length; at += strlen(at) + 1)
			if (*at)
				list_add(&list, "%s", at);
	}
	return list;
}

/* Place of the board's best string in the machine's list: less is more specific. */
static size_t match(const struct board *board, char *const *compatible, size_t otherwise)
{
	for (size_t i = 0; i < otherwise && compatible[i]; i++)
		for (char **own = board->compatible; own && *own; own++)
			if (strcmp(*own, compatible[i]) == 0)
				return i;
	return otherwise;
}

void board_detect(const char *const *directories, const char *root, struct board *board)
{
	size_t len;
	char **compatible = read_compatible(root);
	char **broken = NULL;
	size_t best = list_len(compatible);
	*board = (struct board){ 0 };
	struct board_entry *entries = compatible ? find_profiles(directories, &len) : NULL;
	for (size_t i = 0; entries && i < len; i++) {
		struct board candidate;
		struct error error = { 0 };
		if (board_load(entries[i].path, &candidate, &error) < 0) {
			list_add(&broken, "%s", error.text);
			continue;
		}
		size_t place = match(&candidate, compatible, best);
		if (place < best) {
			board_finish(board);
			*board = candidate;
			best = place;
		} else {
			board_finish(&candidate);
		}
	}
	if (entries)
		board_list_finish(entries, len);
	list_finish(&compatible);
	if (board->name)
		board_locate(board, root);
	else
		board_generic(root, board);
	/* It might have been the one that fits. */
	for (char **warning = broken; warning && *warning; warning++)
		list_add(&board->warnings, "%s", *warning);
	list_finish(&broken);
}
