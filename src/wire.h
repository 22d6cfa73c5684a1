/* SPDX-License-Identifier: MIT */
/* Messages between the workbench and a worker: one JSON object a packet on a SOCK_SEQPACKET pair.
 *
 * To the worker, first: {"do":"describe"|"probe"|"run", "module":NAME, "path":SO, "parameters":{NAME:TEXT},
 *   "root":DIR, "store":DIR|null, "instance":0, "instances":1, "cpu":-1, "duration_ns":0, "warmup_ns":0,
 *   "hold":false, "endless":false, "probe":true}; later "wake" packets, which say that shared->command was raised.
 * From the worker, by "type": "info" (a module's description), "offer", "state", "actual", "note", "suspect", "fact",
 *   "fail", "measured". */
#ifndef BB_WIRE_H
#define BB_WIRE_H

#include <sys/types.h>

#include "text.h"

#define WIRE_MAX (1024 * 1024)

/* A connected pair, close-on-exec. 0 or -errno. */
int wire_pair(int fds[2]);
/* Send one packet; 0 or -errno (-EPIPE: the other end is gone). */
int wire_send(int fd, const char *bytes, size_t length);
int wire_send_text(int fd, struct text *text); /* and empty it */
/* Next packet, NUL-terminated, the caller's to free. Its length; 0: end; -EAGAIN: none there yet (with
 * wait false); other -errno. */
ssize_t wire_receive(int fd, bool wait, char **packet);

#endif
