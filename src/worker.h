/* SPDX-License-Identifier: MIT */
/* The worker: the same program executed anew (`boardbench --worker`), in which alone modules are loaded. */
#ifndef BB_WORKER_H
#define BB_WORKER_H

#define WORKER_SOCKET_FD 3 /* inherited */
#define WORKER_SHARED_FD 4 /* inherited; only for "run" */
#define WORKER_ARGUMENT "--worker"

/* Do what the one request on the socket asks for. Returns the exit status. */
int worker_main(void);

#endif
