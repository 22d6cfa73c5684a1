/* SPDX-License-Identifier: MIT */
/* What around a pass makes its figure suspect: clock, temperature, other processes, the kernel's messages. */
#ifndef BB_RUN_JUDGE_H
#define BB_RUN_JUDGE_H

#include "environment.h"
#include "pass.h"
#include "result.h"

struct run_judge {
	struct environment before;
	struct process_times *processes;
	uint64_t kernel_serial; /* of the kernel log when it began */
	uint64_t kernel_dropped;
	uint64_t time_ns;
	bool begun;
};

#define JUDGE_PROCESS_PERCENT 50 /* of one CPU: as much of another process spoils a measurement */

/* Just before the timed part: after everything was prepared. */
void run_judge_begin(struct run_judge *judge, struct session *session, const struct pass *pass);
/* After it: marks the result suspect with the reasons, adds facts and kernel messages. */
void run_judge_end(struct run_judge *judge, struct session *session, const struct pass *pass,
	struct result *result);
void run_judge_finish(struct run_judge *judge);

#endif
