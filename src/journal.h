/* SPDX-License-Identifier: MIT */
/* The journal: results and runs begun, one JSON object a line, append-only. What is here survives. An
 * index beside it (journal.index, a cache that is rebuilt when it does not fit) makes start-up quick. */
#ifndef BB_JOURNAL_H
#define BB_JOURNAL_H

#include "result.h"

enum journal_kind { JOURNAL_RESULT = 1, JOURNAL_BEGUN, JOURNAL_CLOSED };

struct journal_entry {
	uint64_t offset;
	uint32_t length;
	uint8_t kind;             /* enum journal_kind */
	uint8_t state;            /* enum result_state, of a result */
	uint16_t reserved;
	int64_t time;
	uint32_t case_index, cases;
	char run[24], boot_id[40];
	char subsystem[32], profile[48];
};

struct journal {
	char *directory, *path;
	int fd;                   /* -1: not writable */
	char *problem;            /* why results are not kept, or not safe (read-only, full, tmpfs); NULL */
	struct journal_entry *entries; /* of the whole file, in order */
	size_t len;
	uint64_t torn_offset;     /* a torn last line was found and set aside in journal.torn */
	bool torn;
};

/* Open or make DIRECTORY/journal.jsonl. Fails only when it cannot even be read; a store that cannot be
 * written is journal->problem. Lines that are no JSON of ours are skipped and counted. */
int journal_open(const char *directory, struct journal *journal, struct error *error);
void journal_close(struct journal *journal);
/* Take up what another process has appended since. */
void journal_refresh(struct journal *journal);

/* A run that began a case: on the medium (fsync) when this returns. `plan` is the run as saved settings
 * (text of a run profile), so that it can be resumed; given with the first case only. */
struct journal_begun {
	char run[24];
	uint32_t case_index, cases, pass;
	char *board, *subsystem, *profile, *what; /* what: "write, buffer 1 MiB, ..." */
	char *plan;               /* NULL after the first */
	int64_t time;
	char boot_id[40];
	int pid;                  /* of the workbench, with its start time: still alive means still running */
	uint64_t pid_start;
};
int journal_begin(struct journal *journal, const struct journal_begun *begun, struct error *error);
void journal_begun_finish(struct journal_begun *begun);
/* A result: on the medium when this returns. */
int journal_add(struct journal *journal, const struct result *result, struct error *error);
/* The run has ended, or the user left it: it is not offered again. */
int journal_close_run(struct journal *journal, const char *run, struct error *error);

/* Read entry i, which must be a result. */
int journal_read(const struct journal *journal, size_t i, struct result *result,
	struct error *error);

/* The last run that began a case and never gave its result or an end, whose workbench is not alive. */
struct journal_unfinished {
	struct journal_begun begun;  /* of the case under way, with the run's plan; pass 0: of the one that was next */
	uint32_t complete;           /* cases of this run that have results */
	bool rebooted;               /* another boot id than now: the machine went away, else the program did */
	struct settings last_seen;   /* "phase", "done", "rate", "cpu" from the progress file; may be empty */
};
bool journal_find_unfinished(const struct journal *journal, struct journal_unfinished *found);
void journal_unfinished_finish(struct journal_unfinished *found);
/* Progress of the case under way, for last_seen: overwritten in place, not synced. */
void journal_progress(const struct journal *journal, const struct settings *progress);

#endif
