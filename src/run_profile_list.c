/* SPDX-License-Identifier: MIT
 *
 * The saved runs of a directory, each summed up in a few words. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "list.h"
#include "mem.h"
#include "run_profile.h"
#include "text.h"
#include "value.h"

static bool is_option(const char *name)
{
	static const char *const reserved[] = RUN_RESERVED_NAMES;
	for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
		if (strcmp(reserved[i], name) == 0)
			return true;
	return false;
}

/* How many values a text stands for; 0: cannot be told. The module is not asked here, so its type
 * is guessed for ranges; lists need none. */
static uint64_t count_values(const char *text)
{
	static const enum bb_type types[] = { BB_SIZE, BB_NUMBER, BB_DURATION };
	if (!strstr(text, "..")) {
		uint64_t count = 1;
		for (const char *c = text; *c; c++)
			count += *c == ',';
		return count;
	}
	if (strchr(text, '/'))
		return 1; /* a path */
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		char name[] = "value", nothing[] = "";
		const struct param param = {
			.name = name, .text = nothing, .initial = nothing, .type = types[i]
		};
		struct sweep sweep = { 0 };
		struct error error = { 0 };
		if (sweep_parse(&param, text, &sweep, &error) == 0) {
			uint64_t count = sweep.len;
			sweep_finish(&sweep);
			return count;
		}
	}
	return 0;
}

static bool is_word(const char *text)
{
	static const char *const flags[] = { "on", "off", "yes", "no" };
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (strcmp(text, flags[i]) == 0)
			return false;
	for (const char *c = text; *c; c++)
		if (!isalpha((unsigned char)*c))
			return false;
	return *text != '\0';
}

/* "write", "5 buffer_size", "mode buffered": as short as can be understood. */
static void describe_setting(struct text *what, const struct setting *setting)
{
	uint64_t count = count_values(setting->text);
	if (strcmp(setting->name, "repeat") == 0)
		text_add(what, ", %sx", setting->text);
	else if (!is_option(setting->name) && count > 1)
		text_add(what, ", %llu %s", (unsigned long long)count, setting->name);
	else if (!is_option(setting->name) && is_word(setting->text))
		text_add(what, " %s", setting->text);
	else
		text_add(what, ", %s %s", setting->name, setting->text);
}

static uint64_t count_cases(const struct run_part *part)
{
	uint64_t cases = 1;
	for (size_t i = 0; i < part->settings.len; i++)
		if (!is_option(part->settings.items[i].name) &&
			__builtin_mul_overflow(
				cases, count_values(part->settings.items[i].text), &cases))
			return 0;
	return cases;
}

static void describe(const struct run_spec *spec, struct run_profile_entry *entry)
{
	struct text what = { 0 };
	bool known = true;
	for (size_t i = 0; i < spec->parts_len; i++) {
		const struct run_part *part = &spec->parts[i];
		uint64_t cases = count_cases(part);
		known = known && cases > 0;
		entry->cases += cases;
		text_add(&what, "%s%s", i ? ", " : "", part->subsystem);
		/* Of several cases only the names: more would not fit on a line. */
		if (spec->parts_len > 1)
			continue;
		for (size_t j = 0; j < part->settings.len; j++)
			describe_setting(&what, &part->settings.items[j]);
		for (char **load = part->loads; load && *load; load++)
			text_add(&what, ", with %.*s", (int)strcspn(*load, " "), *load);
	}
	if (!known)
		entry->cases = 0;
	entry->what = text_steal(&what);
}

static void load_entry(const char *directory, const char *name, struct run_profile_entry *entry)
{
	struct run_spec spec;
	struct error error = { 0 };
	struct stat status;
	*entry = (struct run_profile_entry){
		.name = mem_strdup(name),
		.path = text_printf("%s/%s.ini", directory, name),
	};
	if (stat(entry->path, &status) == 0)
		entry->changed = status.st_mtime;
	/* Loaded by its path: looking for a nearest name would come back here. */
	if (run_profile_load(directory, entry->path, &spec, NULL, &error) < 0) {
		entry->what = mem_strdup(error.text);
		return;
	}
	describe(&spec, entry);
	run_spec_finish(&spec);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct run_profile_entry *run_profile_list(const char *directory, size_t *len)
{
	char **names = NULL;
	*len = 0;
	DIR *dir = opendir(directory);
	for (struct dirent *item; dir && (item = readdir(dir));) {
		size_t length = strlen(item->d_name);
		if (item->d_name[0] != '.' && length > 4 &&
			strcmp(item->d_name + length - 4, ".ini") == 0)
			list_add(&names, "%.*s", (int)(length - 4), item->d_name);
	}
	if (dir)
		closedir(dir);
	*len = list_len(names);
	if (names)
		qsort(names, *len, sizeof(*names), by_name);
	struct run_profile_entry *entries = mem_zalloc(*len + 1, sizeof(*entries));
	for (size_t i = 0; names && i < *len; i++)
		load_entry(directory, names[i], &entries[i]);
	list_finish(&names);
	return entries;
}

void run_profile_list_finish(struct run_profile_entry *entries, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		free(entries[i].name);
		free(entries[i].path);
		free(entries[i].what);
	}
	free(entries);
}
