/* SPDX-License-Identifier: MIT */
/* Run profiles: saved plans, the user's own files. */
#ifndef BB_RUN_PROFILE_H
#define BB_RUN_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "settings.h"

/* Settings of a case that are the workbench's own, not a module's. Reserved names: a module with such a
 * parameter is refused by the loader. */
#define RUN_RESERVED_NAMES \
	{ "subsystem", "module", "repeat", "duration", "warmup", "steady", "cpus", "with", "stall", \
	  "quiet", "version", "board" }

/* One part of a run: a subsystem (or module) with settings and loads, as text. */
struct run_part {
	char *name;              /* of the section: "case 1" */
	char *subsystem;         /* or a module's name */
	struct settings settings; /* parameters (with sweeps), and reserved names but subsystem and with */
	char **loads;            /* NULL-terminated "SUBSYSTEM NAME=TEXT ..." */
};

/* What is asked for, before anything is checked: from the command line, the form or a file. */
struct run_spec {
	char *profile;           /* name it was loaded from or saved as; NULL */
	char *path;              /* of that file, for messages about its lines; NULL */
	char *board;             /* board it was saved on; NULL */
	struct run_part *parts;
	size_t parts_len;
};

#define RUN_PROFILE_VERSION 1

void run_spec_finish(struct run_spec *spec);
void run_spec_copy(struct run_spec *to, const struct run_spec *from);
struct run_part *run_spec_add(struct run_spec *spec, const char *subsystem);
void run_part_add_load(struct run_part *part, const char *load);

/* The text of a profile file, for the journal; a new string. */
char *run_spec_to_text(const struct run_spec *spec);
int run_spec_from_text(const char *path, const char *text, size_t length, struct run_spec *spec,
	char ***warnings, struct error *error);
/* Load by name from `directory`, or a path when it has a slash. Unknown sections and a newer version:
 * an error with file, line and what to do. warnings (may be NULL) as NULL-terminated list. */
int run_profile_load(const char *directory, const char *name, struct run_spec *spec,
	char ***warnings, struct error *error);
/* Save as DIRECTORY/NAME.ini, atomically. An existing file keeps its comments and order; without
 * `replace` it is -EEXIST. The name may hold letters, digits, - _ . and not start with a dot. */
int run_profile_save(const char *directory, const char *name, const struct run_spec *spec,
	bool replace, struct error *error);
int run_profile_rename(const char *directory, const char *from, const char *to, struct error *error);
int run_profile_delete(const char *directory, const char *name, struct error *error);

struct run_profile_entry {
	char *name, *path, *what; /* what: "mmc write, 5 buffers, 3x" or the reason why it cannot be read */
	uint64_t cases;           /* product of the sweeps; 0: cannot be told */
	int64_t changed;          /* seconds since 1970 */
};
/* All, by name; *len entries, free with run_profile_list_finish(). */
struct run_profile_entry *run_profile_list(const char *directory, size_t *len);
void run_profile_list_finish(struct run_profile_entry *entries, size_t len);

#endif
