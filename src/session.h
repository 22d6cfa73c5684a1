/* SPDX-License-Identifier: MIT */
/* What a start of the program works with: places, board, modules, journal. Owned by main. */
#ifndef BB_SESSION_H
#define BB_SESSION_H

#include <stdbool.h>

#include "board.h"
#include "catalog.h"
#include "journal.h"
#include "kernel_log.h"
#include "loop.h"

struct session_options {
	const char *board;       /* --board; NULL: detect */
	const char *profile_dir; /* --profile-dir; NULL */
	const char *store;       /* --store; NULL: the usual place */
	const char *root;        /* --root; "" */
	const char *term;        /* --term; NULL */
	unsigned baud;           /* --baud; 0: from termios */
	unsigned rows, columns;  /* --size; 0: ask */
	bool utf8, acs;          /* --utf8, --acs */
	bool stop_on_hangup;     /* --on-hangup stop */
	bool quiet_run;          /* --quiet-run */
	bool plain;              /* --plain */
};

struct session {
	struct session_options options;
	char **board_directories; /* NULL-terminated */
	char *run_directory;      /* of run profiles */
	char *store;              /* of the journal */
	struct board board;
	struct catalog catalog;
	struct journal journal;
	bool journal_open;
	struct kernel_log kernel_log;
	struct loop *loop;
	char **recovered;         /* what undo_recover() put back at the start; NULL: nothing */
};

/* Find the places, load board and modules, open the journal, recover settings. Probes nothing yet. */
int session_open(const struct session_options *options, struct session *session,
	struct error *error);
void session_close(struct session *session);
/* Choose another board; the old one's pointers die. -ENOENT. */
int session_set_board(struct session *session, const char *name, struct error *error);

#endif
