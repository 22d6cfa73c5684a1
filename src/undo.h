/* SPDX-License-Identifier: MIT */
/* How to undo changes of the system: on the medium before each change is made, so that they are undone
 * after a crash of the worker, a kill of the workbench, or a power cut. One file a process that changes
 * something, STORE/undo/PID-START.undo, removed when all is undone. */
#ifndef BB_UNDO_H
#define BB_UNDO_H

#include <boardbench/module.h>

#include "error.h"

struct undo;

/* store may be NULL (no place to write): then every change is refused with -EROFS, but
 * BB_CHANGE_CREATE, which is undone from memory only. */
struct undo *undo_open(const char *store);
/* Record and do. See bb_host.change. */
int undo_change(struct undo *undo, enum bb_change_kind kind, const char *path, const char *text,
	struct error *error);
/* Undo everything in reverse order and remove the file. Text of what could not be undone is in error. */
int undo_revert(struct undo *undo, struct error *error);
void undo_close(struct undo *undo); /* without reverting; frees */

/* Undo what processes that are no longer alive left behind; pid > 0: only that one's (a worker that
 * was just reaped). messages: what was put back, one line each, NULL-terminated list the caller frees
 * (strings too); NULL when nothing. */
char **undo_recover(const char *store, int pid);

#endif
