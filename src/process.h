/* SPDX-License-Identifier: MIT */
/* Worker processes, as the workbench sees them. */
#ifndef BB_PROCESS_H
#define BB_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "shared.h"
#include "text.h"

struct process {
	pid_t pid;             /* 0: none, or reaped */
	int socket;            /* -1: none */
	int output;            /* read end of its stdout and stderr; -1: none */
	struct shared *shared; /* NULL for describe and probe */
	int status;            /* of waitpid(), once reaped */
};

/* Start `boardbench --worker` and send it the request. With `with_shared` it gets shared memory. All
 * descriptors are non-blocking here. BOARDBENCH_WORKER_RUNNER names a program to run workers under
 * (qemu-aarch64-static, valgrind, gdbserver). 0 or -errno. */
int process_start(struct process *process, const char *request, size_t length, bool with_shared,
	struct error *error);
/* Tell the worker that the command was raised (never lowered). */
void process_command(struct process *process, enum shared_command command);
void process_kill(const struct process *process, int signal_number);
/* Has it ended? Never blocks. */
bool process_reap(struct process *process);
/* How it ended, in words: "killed by signal 11 (Segmentation fault)", "exit status 3"; a new string. */
char *process_end_text(const struct process *process);
/* Where a process that will not die waits, from /proc: "state D in mmc_wait_for_req"; a new string. */
char *process_stuck_text(const struct process *process);
/* Close and unmap; does not wait. */
void process_finish(struct process *process);

#endif
