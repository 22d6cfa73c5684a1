/* SPDX-License-Identifier: MIT */
/* All modules that can be found, described by workers; the workbench process never loads one. */
#ifndef BB_CATALOG_H
#define BB_CATALOG_H

#include "board.h"
#include "module_info.h"

struct catalog {
	struct module_info *modules; /* by name; those with a problem too */
	size_t len;
};

/* Describe every module in the directories (BOARDBENCH_MODULE_PATH, colon-separated, then the
 * installed one) and the built-in ones, in one worker each; a time limit of 5 s. Never fails. */
void catalog_load(struct catalog *catalog);
void catalog_finish(struct catalog *catalog);
const struct module_info *catalog_find(const struct catalog *catalog, const char *name); /* NULL: none */
/* Set info of each subsystem of the board. */
void catalog_attach(const struct catalog *catalog, struct board *board);
/* Probe a subsystem with its defaults: state, reason, offers are set anew. Up to 5 s. */
void catalog_probe(struct subsystem *subsystem, const char *root);

#endif
