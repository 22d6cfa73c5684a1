/* SPDX-License-Identifier: MIT */
/* One poll loop without threads: file descriptors, timers and signals as callbacks. */
#ifndef BB_LOOP_H
#define BB_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct loop_source;

typedef void (*loop_fd_callback)(void *data, short revents);
typedef void (*loop_timer_callback)(void *data);
typedef void (*loop_signal_callback)(void *data, int signal_number);

struct loop *loop_create(void);
void loop_destroy(struct loop *loop); /* frees its sources; their fds stay the caller's */

/* The callback may remove any source, its own too. */
struct loop_source *loop_add_fd(struct loop *loop, int fd, short events, loop_fd_callback callback,
	void *data);
void loop_set_events(struct loop_source *source, short events);
/* Call back every interval_ns from now on; 0: only once, at `first_ns` from now. */
struct loop_source *loop_add_timer(struct loop *loop, uint64_t first_ns, uint64_t interval_ns,
	loop_timer_callback callback, void *data);
void loop_set_timer(struct loop_source *source, uint64_t first_ns, uint64_t interval_ns);
/* The signal is blocked for the process and read through one signalfd. */
struct loop_source *loop_add_signal(struct loop *loop, int signal_number,
	loop_signal_callback callback, void *data);
void loop_remove(struct loop_source *source); /* NULL is fine */

/* Called once after each pass in which something happened: to draw what is dirty. */
void loop_set_idle(struct loop *loop, loop_timer_callback callback, void *data);
/* Until loop_stop(). */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);
/* One pass; waits at most timeout_ms (-1: until something happens). */
void loop_pass(struct loop *loop, int timeout_ms);

/* Monotonic clock, nanoseconds. */
uint64_t clock_now(void);

#endif
