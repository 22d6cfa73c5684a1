/* SPDX-License-Identifier: MIT */
/* What the workers of a pass say: messages on the socket, lines that a module prints. */
#ifndef BB_PASS_MESSAGES_H
#define BB_PASS_MESSAGES_H

#include "pass.h"

#define PASS_OUTPUT_LINES 10 /* lines that a module prints are kept as notes up to this many */

/* Take what is there, at most some 50 packets. false: the other end is closed. */
bool pass_messages_read(struct pass_worker *worker);
bool pass_output_read(struct pass_worker *worker);
/* Did the worker say that it is done with cleaning up? */
bool pass_messages_done(const struct pass_worker *worker);
void pass_messages_note(struct pass_worker *worker, const char *text);
/* Gauges as they stand, into worker->measured. */
void pass_messages_copy_gauges(struct pass_worker *worker);
void pass_messages_finish(struct pass_worker *worker);

#endif
