/* SPDX-License-Identifier: MIT
 *
 * Saved runs as files: read with every doubt named by its line, written without losing a comment.
 */
#include "run_profile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "ini.h"
#include "list.h"
#include "mem.h"
#include "text.h"

#define NAME_MAX_LENGTH 100

/* ---- reading ---- */

static int check_version(const struct ini *ini, const struct ini_line *line, struct error *error)
{
	char *end;
	long version = strtol(line->value, &end, 10);
	if (end == line->value || *end || version < 1)
		return error_set(error, EINVAL,
			"%s:%u: \"%.40s\" is not a version: write version = %d", ini->path,
			line->number, line->value, RUN_PROFILE_VERSION);
	if (version > RUN_PROFILE_VERSION)
		return error_set(error, ENOTSUP,
			"%s:%u: version %ld is newer than this boardbench, which reads up to "
			"version %d: "
			"update boardbench, or save the run again here",
			ini->path, line->number, version, RUN_PROFILE_VERSION);
	return 0;
}

static int read_profile_key(const struct ini *ini, const struct ini_line *line,
	struct run_spec *spec, bool *has_version, char ***warnings, struct error *error)
{
	if (strcmp(line->key, "version") == 0) {
		*has_version = true;
		return check_version(ini, line, error);
	}
	if (strcmp(line->key, "board") == 0) {
		free(spec->board);
		spec->board = *line->value ? mem_strdup(line->value) : NULL;
		return 0;
	}
	if (warnings)
		list_add(warnings,
			"%s:%u: \"%s\" is not known in [profile] and does nothing: take the line "
			"out, or "
			"move it into a [case ...] section",
			ini->path, line->number, line->key);
	return 0;
}

static int read_case_key(const struct ini *ini, const struct ini_line *line, struct run_part *part,
	struct error *error)
{
	if (strcmp(line->key, "with") == 0) {
		run_part_add_load(part, line->value);
		return 0;
	}
	bool is_subsystem = strcmp(line->key, "subsystem") == 0;
	if (is_subsystem ? part->subsystem != NULL
			 : settings_get(&part->settings, line->key) != NULL)
		return error_set(error, EINVAL,
			"%s:%u: %s is given twice in [%s]: write several values with commas "
			"between them",
			ini->path, line->number, line->key, line->section);
	if (is_subsystem) {
		part->subsystem = mem_strdup(line->value);
		return 0;
	}
	settings_set(&part->settings, line->key, line->value);
	part->settings.items[part->settings.len - 1].line = line->number;
	return 0;
}

static struct run_part *add_case(struct run_spec *spec, const char *name)
{
	struct run_part *part = run_spec_add(spec, NULL);
	free(part->name);
	part->name = mem_strdup(name);
	return part;
}

/* A [section] line: *part is the case that begins, NULL for [profile]. */
static int read_section(const struct ini *ini, const struct ini_line *line, struct run_spec *spec,
	struct run_part **part, struct error *error)
{
	*part = NULL;
	if (strcmp(line->section, "profile") == 0)
		return 0;
	if (!text_starts(line->section, "case ") && strcmp(line->section, "case") != 0)
		return error_set(error, EINVAL,
			"%s:%u: section [%s] is not known: a run profile has [profile] and [case "
			"NAME]; if it "
			"comes from a newer boardbench, update this one",
			ini->path, line->number, line->section);
	for (size_t i = 0; i < spec->parts_len; i++)
		if (strcmp(spec->parts[i].name, line->section) == 0)
			return error_set(error, EEXIST,
				"%s:%u: section [%s] is there twice: give this one another name",
				ini->path, line->number, line->section);
	*part = add_case(spec, line->section);
	return 0;
}

static int read_lines(const struct ini *ini, struct run_spec *spec, bool *has_version,
	char ***warnings, struct error *error)
{
	struct run_part *part = NULL;
	int status = 0;
	for (size_t i = 0; i < ini->len && status == 0; i++) {
		const struct ini_line *line = &ini->lines[i];
		if (line->is_section)
			status = read_section(ini, line, spec, &part, error);
		else if (line->key && !*line->section)
			status = error_set(error, EINVAL,
				"%s:%u: \"%s\" stands before the first section: begin the file "
				"with [profile]",
				ini->path, line->number, line->key);
		else if (line->key && part)
			status = read_case_key(ini, line, part, error);
		else if (line->key)
			status = read_profile_key(ini, line, spec, has_version, warnings, error);
	}
	return status;
}

static bool has_section(const struct ini *ini, const char *name)
{
	for (size_t i = 0; i < ini->len; i++)
		if (ini->lines[i].is_section && strcmp(ini->lines[i].section, name) == 0)
			return true;
	return false;
}

/* What no single line can tell. */
static int check_whole(
	const struct ini *ini, const struct run_spec *spec, bool has_version, struct error *error)
{
	if (!has_section(ini, "profile"))
		return error_set(error, EINVAL, "%s has no [profile] section: %s", ini->path,
			has_section(ini, "board") ? "it is a board profile"
						  : "this is no run profile");
	if (!has_version)
		return error_set(error, EINVAL,
			"%s: [profile] has no version: add the line version = %d", ini->path,
			RUN_PROFILE_VERSION);
	if (spec->parts_len == 0)
		return error_set(error, EINVAL,
			"%s has no [case ...] section, so there is nothing to run: is it cut off?",
			ini->path);
	for (size_t i = 0; i < spec->parts_len; i++)
		if (!spec->parts[i].subsystem || !*spec->parts[i].subsystem)
			return error_set(error, EINVAL,
				"%s: [%s] does not say which subsystem: add subsystem = NAME",
				ini->path, spec->parts[i].name);
	return 0;
}

static int spec_from_ini(
	const struct ini *ini, struct run_spec *spec, char ***warnings, struct error *error)
{
	bool has_version = false, empty = true;
	*spec = (struct run_spec){ .path = mem_strdup(ini->path) };
	if (warnings)
		*warnings = NULL;
	for (size_t i = 0; i < ini->len; i++)
		empty = empty && !ini->lines[i].is_section && !ini->lines[i].key;
	int status =
		empty ? error_set(error, EINVAL, "%s is empty: there is nothing to run", ini->path)
		      : read_lines(ini, spec, &has_version, warnings, error);
	if (status == 0)
		status = check_whole(ini, spec, has_version, error);
	if (status == 0 && ini->unterminated && warnings)
		list_add(warnings,
			"%s:%u: the last line does not end with a newline: is the file cut off?",
			ini->path, ini->lines[ini->len - 1].number);
	if (status < 0) {
		run_spec_finish(spec);
		if (warnings)
			list_finish(warnings);
	}
	return status;
}

int run_spec_from_text(const char *path, const char *text, size_t length, struct run_spec *spec,
	char ***warnings, struct error *error)
{
	struct ini ini;
	*spec = (struct run_spec){ 0 };
	if (warnings)
		*warnings = NULL;
	int status = ini_parse(path, text, length, &ini, error);
	if (status < 0)
		return status;
	status = spec_from_ini(&ini, spec, warnings, error);
	ini_finish(&ini);
	return status;
}

static char *profile_path(const char *directory, const char *name)
{
	return text_printf("%s/%s.ini", directory, name);
}

/* "no saved run ...", with the one that was meant. */
static int not_found(const char *directory, const char *name, struct error *error)
{
	size_t len;
	struct run_profile_entry *entries = run_profile_list(directory, &len);
	const char **names = mem_zalloc(len + 1, sizeof(*names));
	for (size_t i = 0; i < len; i++)
		names[i] = entries[i].name;
	const char *nearest = text_nearest(name, names, len);
	int status = nearest ? error_set(error, ENOENT,
				       "there is no saved run \"%s\" in %s: did you mean \"%s\"?",
				       name, directory, nearest)
			     : error_set(error, ENOENT,
				       "there is no saved run \"%s\" in %s (for a file, give its "
				       "path with a /)",
				       name, directory);
	free(names);
	run_profile_list_finish(entries, len);
	return status;
}

int run_profile_load(const char *directory, const char *name, struct run_spec *spec,
	char ***warnings, struct error *error)
{
	struct ini ini;
	*spec = (struct run_spec){ 0 };
	if (warnings)
		*warnings = NULL;
	bool is_path = strchr(name, '/') != NULL;
	_autofree_ char *path = is_path ? mem_strdup(name) : profile_path(directory, name);
	if (!is_path && access(path, F_OK) < 0 && errno == ENOENT)
		return not_found(directory, name, error);
	int status = ini_load(path, &ini, error);
	if (status < 0)
		return status;
	status = spec_from_ini(&ini, spec, warnings, error);
	ini_finish(&ini);
	if (status == 0)
		spec->profile = mem_strdup(name);
	return status;
}

/* ---- writing ---- */

static bool is_new_case(const struct ini *ini, const struct run_part *part)
{
	return !has_section(ini, part->name);
}

/* The kept lines of the case ask for the same in the same order as the settings do: then each can
 * be changed where it stands. The order is part of the plan, the last sweep changes quickest. */
static bool same_order(const struct ini *ini, const struct run_part *part)
{
	size_t next = 0;
	for (size_t i = 0; i < ini->len; i++) {
		const struct ini_line *line = &ini->lines[i];
		if (!line->key || strcmp(line->section, part->name) != 0 ||
			!settings_get(&part->settings, line->key))
			continue;
		while (next < part->settings.len &&
			strcmp(part->settings.items[next].name, line->key) != 0)
			next++;
		if (next++ == part->settings.len)
			return false;
	}
	/* New ones are added at the end, so all known ones have to come first. */
	bool new_seen = false;
	for (size_t i = 0; i < part->settings.len; i++) {
		bool known = ini_get(ini, part->name, part->settings.items[i].name) != NULL;
		if (known && new_seen)
			return false;
		new_seen = new_seen || !known;
	}
	return true;
}

static bool is_setting_key(const char *key)
{
	return strcmp(key, "subsystem") != 0 && strcmp(key, "with") != 0;
}

/* Take out settings of the case: all, or those that are no longer asked for. */
static void remove_settings(struct ini *ini, const struct run_part *part, bool all)
{
	for (size_t i = ini->len; i-- > 0;) {
		const struct ini_line *line = &ini->lines[i];
		if (!line->key || strcmp(line->section, part->name) != 0 ||
			!is_setting_key(line->key))
			continue;
		if (!all && settings_get(&part->settings, line->key))
			continue;
		_autofree_ char *key = mem_strdup(line->key);
		ini_remove(ini, part->name, key);
		if (i > ini->len)
			i = ini->len;
	}
}

static bool same_loads(const struct ini *ini, const struct run_part *part)
{
	size_t count = list_len(part->loads), next = 0;
	for (size_t i = 0; i < ini->len; i++) {
		const struct ini_line *line = &ini->lines[i];
		if (!line->key || strcmp(line->section, part->name) != 0 ||
			strcmp(line->key, "with") != 0)
			continue;
		if (next == count || strcmp(part->loads[next++], line->value) != 0)
			return false;
	}
	return next == count;
}

static void put_case(struct ini *ini, const struct run_part *part)
{
	bool fresh = is_new_case(ini, part);
	ini_set(ini, part->name, "subsystem", part->subsystem);
	if (!fresh)
		remove_settings(ini, part, !same_order(ini, part));
	for (size_t i = 0; i < part->settings.len; i++)
		ini_set(ini, part->name, part->settings.items[i].name,
			part->settings.items[i].text);
	if (same_loads(ini, part))
		return;
	ini_remove(ini, part->name, "with");
	for (char **load = part->loads; load && *load; load++)
		ini_add(ini, part->name, "with", *load);
}

static bool has_case(const struct run_spec *spec, const char *section)
{
	for (size_t i = 0; i < spec->parts_len; i++)
		if (strcmp(spec->parts[i].name, section) == 0)
			return true;
	return false;
}

/* The cases that are in the file stand there in the order of the spec, and before all new ones. */
static bool same_case_order(const struct ini *ini, const struct run_spec *spec)
{
	size_t next = 0;
	for (size_t i = 0; i < ini->len; i++) {
		const struct ini_line *line = &ini->lines[i];
		if (!line->is_section || !has_case(spec, line->section))
			continue;
		if (next == spec->parts_len || strcmp(spec->parts[next].name, line->section) != 0)
			return false;
		next++;
	}
	return true;
}

static void remove_cases(struct ini *ini, const struct run_spec *spec, bool all)
{
	for (size_t i = ini->len; i-- > 0;) {
		if (i >= ini->len)
			continue;
		const struct ini_line *line = &ini->lines[i];
		if (!line->is_section || strcmp(line->section, "profile") == 0 ||
			(!all && has_case(spec, line->section)))
			continue;
		_autofree_ char *section = mem_strdup(line->section);
		ini_remove(ini, section, NULL);
	}
}

static void put_spec(struct ini *ini, const struct run_spec *spec)
{
	char version[16];
	snprintf(version, sizeof(version), "%d", RUN_PROFILE_VERSION);
	ini_set(ini, "profile", "version", version);
	if (spec->board)
		ini_set(ini, "profile", "board", spec->board);
	remove_cases(ini, spec, !same_case_order(ini, spec));
	for (size_t i = 0; i < spec->parts_len; i++)
		put_case(ini, &spec->parts[i]);
}

char *run_spec_to_text(const struct run_spec *spec)
{
	struct ini ini;
	struct text text = { 0 };
	ini_parse("", "", 0, &ini, NULL);
	put_spec(&ini, spec);
	for (size_t i = 0; i < ini.len; i++)
		text_add(&text, "%s\n", ini.lines[i].raw);
	ini_finish(&ini);
	return text_steal(&text);
}

static int check_name(const char *name, struct error *error)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	if (!*name || *name == '.' || name[strspn(name, allowed)])
		return error_set(error, EINVAL,
			"\"%s\" cannot be the name of a saved run: use letters, digits, - _ and . "
			"(not first)",
			name);
	if (strlen(name) > NAME_MAX_LENGTH)
		return error_set(error, ENAMETOOLONG,
			"the name of a saved run may have %d letters, \"%.20s...\" has %zu",
			NAME_MAX_LENGTH, name, strlen(name));
	return 0;
}

/* The file that is there, so that its comments are kept; or an empty one. A file that cannot be
 * understood is not overwritten: it is the user's own. */
static int open_for_save(
	const char *path, const char *name, bool replace, struct ini *ini, struct error *error)
{
	static const char heading[] =
		"# A saved run of boardbench: boardbench run --profile NAME\n";
	struct run_spec old;
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return ini_parse(path, heading, strlen(heading), ini, error);
	if (!replace)
		return error_set(error, EEXIST,
			"a saved run \"%s\" is there already: choose another name, or replace it",
			name);
	int status = ini_load(path, ini, error);
	if (status < 0)
		return status;
	status = spec_from_ini(ini, &old, NULL, error);
	run_spec_finish(&old);
	if (status < 0) {
		ini_finish(ini);
		return error_prefix(error, "not replaced");
	}
	return 0;
}

int run_profile_save(const char *directory, const char *name, const struct run_spec *spec,
	bool replace, struct error *error)
{
	struct ini ini;
	int status = check_name(name, error);
	if (status == 0)
		status = file_make_directories(directory, error);
	if (status < 0)
		return status;
	_autofree_ char *path = profile_path(directory, name);
	status = open_for_save(path, name, replace, &ini, error);
	if (status < 0)
		return status;
	put_spec(&ini, spec);
	status = ini_save(&ini, path, error);
	ini_finish(&ini);
	return status;
}

int run_profile_rename(const char *directory, const char *from, const char *to, struct error *error)
{
	int status = check_name(to, error);
	if (status < 0)
		return status;
	_autofree_ char *old = profile_path(directory, from);
	_autofree_ char *fresh = profile_path(directory, to);
	if (access(old, F_OK) < 0)
		return not_found(directory, from, error);
	/* link() fails when the new name is taken, where rename() would overwrite it. */
	if (link(old, fresh) == 0) {
		if (unlink(old) == 0)
			return 0;
		int code = errno;
		unlink(fresh);
		return error_set(error, code, "cannot rename %s: %s", old, strerror(code));
	}
	if (errno == EEXIST)
		return error_set(error, EEXIST,
			"a saved run \"%s\" is there already: choose another name, or delete it "
			"first",
			to);
	/* vfat and others have no hard links. */
	if (access(fresh, F_OK) < 0 && rename(old, fresh) == 0)
		return 0;
	return error_set(error, errno, "cannot rename %s to %s: %s", old, fresh, strerror(errno));
}

int run_profile_delete(const char *directory, const char *name, struct error *error)
{
	int status = check_name(name, error);
	if (status < 0)
		return status;
	_autofree_ char *path = profile_path(directory, name);
	if (unlink(path) == 0)
		return 0;
	if (errno == ENOENT)
		return not_found(directory, name, error);
	return error_set(error, errno, "cannot delete %s: %s", path, strerror(errno));
}
