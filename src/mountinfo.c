/* SPDX-License-Identifier: MIT
 *
 * Parses /proc/self/mountinfo, whose blanks in names are octal escapes, and looks mounts up. */
#include "mountinfo.h"

#include <stdio.h>
#include <string.h>

#include "file.h"
#include "mem.h"

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* The kernel writes blank, tab, newline, backslash and # as \ooo. */
static void unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && is_octal(from[1]) && is_octal(from[2]) &&
			is_octal(from[3])) {
			*to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static void mount_finish(struct mount *mount)
{
	free(mount->root);
	free(mount->mount_point);
	free(mount->options);
	free(mount->filesystem);
	free(mount->source);
	free(mount->super);
}

/* Next word of the line, unescaped; NULL: no more. */
static char *take_word(char **line)
{
	char *word = strsep(line, " ");
	if (!word || !*word)
		return NULL;
	return mem_strdup(word);
}

/* "36 35 98:0 /root /mount rw,noatime shared:1 - ext3 /dev/root rw,errors=continue": any number of
 * optional fields stands before the lone dash. */
static bool parse_line(char *line, struct mount *mount)
{
	int used = 0;
	if (sscanf(line, "%d %d %u:%u %n", &mount->id, &mount->parent, &mount->major, &mount->minor,
		    &used) != 4 ||
		used == 0)
		return false;
	char *rest = line + used;
	mount->root = take_word(&rest);
	mount->mount_point = take_word(&rest);
	mount->options = take_word(&rest);
	if (!mount->options || !rest)
		return false;
	char *word;
	while ((word = strsep(&rest, " ")) && strcmp(word, "-") != 0)
		;
	if (!word)
		return false;
	mount->filesystem = take_word(&rest);
	/* An empty source gives two blanks. */
	char *source = strsep(&rest, " ");
	mount->source = mem_strdup(source ? source : "");
	mount->super = mem_strdup(rest ? rest : "");
	if (!mount->filesystem)
		return false;
	unescape(mount->root);
	unescape(mount->mount_point);
	unescape(mount->source);
	unescape(mount->super);
	return mount->mount_point[0] == '/';
}

void mountinfo_parse(const char *text, struct mount_table *table)
{
	*table = (struct mount_table){ 0 };
	_autofree_ char *copy = mem_strdup(text);
	char *rest = copy, *line;
	size_t capacity = 0;
	while ((line = strsep(&rest, "\n"))) {
		struct mount mount = { 0 };
		if (!parse_line(line, &mount)) {
			mount_finish(&mount);
			continue;
		}
		if (table->len == capacity) {
			capacity = capacity ? 2 * capacity : 32;
			table->items = mem_grow(table->items, capacity, sizeof(*table->items));
		}
		table->items[table->len++] = mount;
	}
}

void mountinfo_load(const char *root, struct mount_table *table)
{
	_autofree_ char *text = file_read(root, "/proc/self/mountinfo");
	mountinfo_parse(text ? text : "", table);
}

void mountinfo_finish(struct mount_table *table)
{
	for (size_t i = 0; i < table->len; i++)
		mount_finish(&table->items[i]);
	free(table->items);
	*table = (struct mount_table){ 0 };
}

/* How much of the path the mount point covers; 0: it does not lie below. */
static size_t covered_length(const char *mount_point, const char *path)
{
	size_t length = strlen(mount_point);
	if (length == 1)
		return 1;
	if (strncmp(mount_point, path, length) != 0 || (path[length] && path[length] != '/'))
		return 0;
	return length;
}

const struct mount *mountinfo_find_path(
	const struct mount_table *table, const char *path, const char *except)
{
	const struct mount *best = NULL;
	size_t best_length = 0;
	for (size_t i = 0; i < table->len; i++) {
		const struct mount *mount = &table->items[i];
		size_t length = covered_length(mount->mount_point, path);
		if (length == 0 || length < best_length ||
			(except && strcmp(mount->filesystem, except) == 0))
			continue;
		if (!except && mountinfo_is_covered(table, mount))
			continue;
		best = mount;
		best_length = length;
	}
	return best;
}

const struct mount *mountinfo_find_id(const struct mount_table *table, int id)
{
	for (size_t i = 0; i < table->len; i++)
		if (table->items[i].id == id)
			return &table->items[i];
	return NULL;
}

bool mountinfo_is_covered(const struct mount_table *table, const struct mount *mount)
{
	for (size_t i = 0; i < table->len; i++) {
		const struct mount *other = &table->items[i];
		/* The first mount of all may be its own parent. */
		if (other != mount && other->parent == mount->id &&
			strcmp(other->mount_point, mount->mount_point) == 0)
			return true;
	}
	return false;
}

char *mount_option(const char *options, const char *name)
{
	size_t length = strlen(name);
	while (*options) {
		size_t item = strcspn(options, ",");
		if (item >= length && strncmp(options, name, length) == 0) {
			if (item == length)
				return mem_strdup("");
			if (options[length] == '=')
				return mem_strndup(options + length + 1, item - length - 1);
		}
		options += item;
		options += *options == ',';
	}
	return NULL;
}
