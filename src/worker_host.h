/* SPDX-License-Identifier: MIT */
/* The host services that a worker gives to its module. */
#ifndef BB_WORKER_HOST_H
#define BB_WORKER_HOST_H

#include <boardbench/module.h>

#include "error.h"
#include "module_info.h"
#include "shared.h"
#include "undo.h"

/* How many notes, facts and values one case may leave: a module that floods is told apart from one
 * that has something to say. */
#define HOST_NOTES_MAX 32

#define WORKER_GRACE_S 15 /* after SIGTERM a worker ends by SIGALRM: the workbench itself may be gone */

struct worker_host {
	struct bb_context context; /* first: a context is found back from its host */
	struct bb_host table;
	const struct module_info *info;
	struct shared *shared;     /* NULL while probing */
	struct undo *undo;         /* NULL while probing */
	int socket;
	struct error failure;
	unsigned notes, facts, offers;
	unsigned long dropped;     /* notes beyond HOST_NOTES_MAX */
};

void worker_host_init(struct worker_host *host, const struct module_info *info, int socket,
	struct shared *shared, struct undo *undo);
/* Say how much was dropped. */
void worker_host_finish(struct worker_host *host);
/* Is the case to end, by command or by SIGTERM? */
bool worker_host_stopping(const struct worker_host *host);
/* Set by the worker's SIGTERM handler. */
void worker_host_terminate(void);

#endif
