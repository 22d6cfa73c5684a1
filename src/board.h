/* SPDX-License-Identifier: MIT */
/* Board profiles: which board this is, its facts, its subsystems. */
#ifndef BB_BOARD_H
#define BB_BOARD_H

#include "error.h"
#include "module_info.h"
#include "settings.h"

enum subsystem_state {
	SUBSYSTEM_UNKNOWN,  /* not probed yet */
	SUBSYSTEM_READY,    /* + */
	SUBSYSTEM_ABSENT,   /* - no device, or the module is not built */
	SUBSYSTEM_NEEDS,    /* ! something: reason says what */
};

struct subsystem {
	char *name, *module, *group, *title; /* title: "SD card"; "" when only the module's is known */
	struct settings defaults;            /* of the module's parameters */
	struct settings sweep;               /* of the published tables: "buffer_size = 102400,262144" */
	/* A profile may name the bus of the medium instead of a directory ("bus = mmc"): the default of
	 * the parameter `directory` is then the mount point of the first such medium. */
	char *bus;                           /* NULL: not asked for, or the profile gives the directory */
	char *missing;                       /* no such medium is mounted, what to do; NULL: it is. While it
	                                      * is set, the subsystem is SUBSYSTEM_ABSENT for this reason. */
	/* Filled by the catalog and the probe: */
	const struct module_info *info;      /* NULL: no such module */
	enum subsystem_state state;
	char *reason;                        /* NULL when ready */
	struct offer **offers;               /* for each parameter of info, an array of offers_len[i] */
	size_t *offers_len;
};

struct board {
	char *name, *title, *path;   /* path of the profile; NULL: generic, made from what is found */
	char **compatible;           /* NULL-terminated */
	struct settings facts;       /* "cpu", "memory", "medium", "kernel", ... in the order of the file */
	struct subsystem *subsystems;
	size_t subsystems_len;
	char **warnings;             /* NULL-terminated: unknown keys, with file and line */
};

/* Directories sought, in order, as a NULL-terminated list: --profile-dir, the user's, sysconfdir,
 * datadir. A file of an earlier one wins over the same name in a later one. */

/* Load one profile. A newer version or an unknown key is a warning kept in board->warnings. */
int board_load(const char *path, struct board *board, struct error *error);
/* Find the profile by name in the directories, and its media below root; "generic" is always there.
 * -ENOENT names the nearest. */
int board_find(const char *const *directories, const char *name, const char *root,
	struct board *board, struct error *error);
/* Look (again) for the media of the subsystems that name a bus: sets the default `directory`, or
 * `missing`, state and reason. Done by board_find() and board_detect(). */
void board_locate(struct board *board, const char *root);
/* The board that this machine is: the first of the device tree's `compatible` strings that a profile
 * names, most specific first; else generic. Never fails. */
void board_detect(const char *const *directories, const char *root, struct board *board);
/* The generic board: one `memory`, and a `storage` subsystem for each medium that has a mounted,
 * writable directory, named by its bus (mmc, emmc, sata, nvme, usb, virtio, disk, ram; numbered when
 * several). */
void board_generic(const char *root, struct board *board);
void board_finish(struct board *board);
void subsystem_finish(struct subsystem *subsystem); /* with what a probe has found */
struct subsystem *board_find_subsystem(const struct board *board, const char *name); /* NULL: none */

/* All profiles found: name, title, path; for `list boards`. *len entries, the caller's to free with
 * board_list_finish(). The one that cannot be read has its reason as title. "generic" is the last, its
 * path is "". */
struct board_entry {
	char *name, *title, *path;
};
struct board_entry *board_list(const char *const *directories, size_t *len);
void board_list_finish(struct board_entry *entries, size_t len);

#endif
