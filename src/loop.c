/* SPDX-License-Identifier: MIT
 * The poll loop: waits once, calls back, then lets the screen draw once. */
#include "loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "mem.h"

enum source_kind { SOURCE_FD, SOURCE_TIMER, SOURCE_SIGNAL };

struct loop_source {
	struct loop *loop;
	enum source_kind kind;
	int fd;
	short events;
	int signal_number;
	bool removed; /* freed after the pass, so that a callback may remove any source */
	union {
		loop_fd_callback fd;
		loop_timer_callback timer;
		loop_signal_callback signal;
	} call;
	void *data;
};

struct loop {
	struct loop_source **sources;
	size_t len;
	struct pollfd *polls;
	size_t polls_capacity;
	int signal_fd;
	sigset_t signals;
	loop_timer_callback idle;
	void *idle_data;
	bool stopped;
};

#define NS_PER_S UINT64_C(1000000000)

uint64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

struct loop *loop_create(void)
{
	struct loop *loop = mem_zalloc(1, sizeof(*loop));

	loop->signal_fd = -1;
	sigemptyset(&loop->signals);
	return loop;
}

static void source_free(struct loop_source *source)
{
	if (source->kind == SOURCE_TIMER)
		close(source->fd);
	free(source);
}

void loop_destroy(struct loop *loop)
{
	if (!loop)
		return;
	for (size_t i = 0; i < loop->len; i++)
		source_free(loop->sources[i]);
	if (loop->signal_fd >= 0)
		close(loop->signal_fd);
	free(loop->sources);
	free(loop->polls);
	free(loop);
}

static struct loop_source *source_add(struct loop *loop, enum source_kind kind, int fd, void *data)
{
	struct loop_source *source = mem_zalloc(1, sizeof(*source));

	*source = (struct loop_source){ .loop = loop, .kind = kind, .fd = fd, .events = POLLIN,
		.data = data };
	loop->sources = mem_grow(loop->sources, loop->len + 1, sizeof(*loop->sources));
	loop->sources[loop->len++] = source;
	return source;
}

struct loop_source *loop_add_fd(struct loop *loop, int fd, short events, loop_fd_callback callback,
	void *data)
{
	struct loop_source *source = source_add(loop, SOURCE_FD, fd, data);

	source->events = events;
	source->call.fd = callback;
	return source;
}

void loop_set_events(struct loop_source *source, short events)
{
	source->events = events;
}

void loop_set_timer(struct loop_source *source, uint64_t first_ns, uint64_t interval_ns)
{
	if (first_ns == 0)
		first_ns = interval_ns ? interval_ns : 1; /* 0 would disarm it */
	struct itimerspec spec = {
		.it_value = { (time_t)(first_ns / NS_PER_S), (long)(first_ns % NS_PER_S) },
		.it_interval = { (time_t)(interval_ns / NS_PER_S), (long)(interval_ns % NS_PER_S) },
	};
	timerfd_settime(source->fd, 0, &spec, NULL);
}

struct loop_source *loop_add_timer(struct loop *loop, uint64_t first_ns, uint64_t interval_ns,
	loop_timer_callback callback, void *data)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd < 0)
		abort(); /* out of file descriptors: nothing would ever happen again */
	struct loop_source *source = source_add(loop, SOURCE_TIMER, fd, data);
	source->call.timer = callback;
	loop_set_timer(source, first_ns, interval_ns);
	return source;
}

struct loop_source *loop_add_signal(struct loop *loop, int signal_number,
	loop_signal_callback callback, void *data)
{
	struct loop_source *source = source_add(loop, SOURCE_SIGNAL, -1, data);

	source->signal_number = signal_number;
	source->call.signal = callback;
	sigaddset(&loop->signals, signal_number);
	sigprocmask(SIG_BLOCK, &loop->signals, NULL);
	int fd = signalfd(loop->signal_fd, &loop->signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd >= 0)
		loop->signal_fd = fd;
	return source;
}

void loop_remove(struct loop_source *source)
{
	if (source)
		source->removed = true;
}

void loop_set_idle(struct loop *loop, loop_timer_callback callback, void *data)
{
	loop->idle = callback;
	loop->idle_data = data;
}

static void sweep_removed(struct loop *loop)
{
	size_t kept = 0;

	for (size_t i = 0; i < loop->len; i++) {
		if (loop->sources[i]->removed)
			source_free(loop->sources[i]);
		else
			loop->sources[kept++] = loop->sources[i];
	}
	loop->len = kept;
}

static void dispatch_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(loop->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		size_t len = loop->len;
		for (size_t i = 0; i < len; i++) {
			struct loop_source *source = loop->sources[i];
			if (source->kind == SOURCE_SIGNAL && !source->removed &&
				source->signal_number == (int)info.ssi_signo)
				source->call.signal(source->data, (int)info.ssi_signo);
		}
	}
}

static void dispatch(struct loop_source *source, short revents)
{
	uint64_t expirations;

	if (source->removed || !revents)
		return;
	if (source->kind == SOURCE_FD)
		source->call.fd(source->data, revents);
	else if (source->kind == SOURCE_TIMER &&
		read(source->fd, &expirations, sizeof(expirations)) == (ssize_t)sizeof(expirations))
		source->call.timer(source->data);
}

void loop_pass(struct loop *loop, int timeout_ms)
{
	sweep_removed(loop);
	size_t len = loop->len; /* sources added by a callback wait for the next pass */
	if (loop->polls_capacity < len + 1) {
		loop->polls_capacity = len + 8;
		loop->polls = mem_grow(loop->polls, loop->polls_capacity, sizeof(*loop->polls));
	}
	for (size_t i = 0; i < len; i++)
		loop->polls[i] = (struct pollfd){ .fd = loop->sources[i]->fd,
			.events = loop->sources[i]->events };
	loop->polls[len] = (struct pollfd){ .fd = loop->signal_fd, .events = POLLIN };
	if (poll(loop->polls, (nfds_t)len + 1, timeout_ms) <= 0)
		return;
	if (loop->polls[len].revents)
		dispatch_signals(loop);
	for (size_t i = 0; i < len; i++)
		dispatch(loop->sources[i], loop->polls[i].revents);
	sweep_removed(loop);
	if (loop->idle && !loop->stopped)
		loop->idle(loop->idle_data);
}

void loop_run(struct loop *loop)
{
	loop->stopped = false;
	while (!loop->stopped)
		loop_pass(loop, -1);
}

void loop_stop(struct loop *loop)
{
	loop->stopped = true;
}
