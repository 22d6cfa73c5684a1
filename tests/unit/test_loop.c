/* SPDX-License-Identifier: MIT
 * The poll loop: descriptors, timers, signals, removal from within a callback. */
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "loop.h"

struct counts {
	struct loop *loop;
	struct loop_source *victim;
	int fds, timers, signals, idle, want;
	int pipe[2];
};

static void stop_at(struct counts *counts, int count)
{
	if (count >= counts->want)
		loop_stop(counts->loop);
}

static void on_fd(void *data, short revents)
{
	struct counts *counts = data;
	char byte;

	assert_true(revents & POLLIN);
	assert_int_equal(read(counts->pipe[0], &byte, 1), 1);
	stop_at(counts, ++counts->fds);
}

static void on_timer(void *data)
{
	struct counts *counts = data;

	stop_at(counts, ++counts->timers);
}

static void on_signal(void *data, int signal_number)
{
	struct counts *counts = data;

	assert_int_equal(signal_number, SIGUSR1);
	stop_at(counts, ++counts->signals);
}

static void on_idle(void *data)
{
	((struct counts *)data)->idle++;
}

static void remove_victim(void *data)
{
	struct counts *counts = data;

	loop_remove(counts->victim);
	counts->timers++;
	loop_stop(counts->loop);
}

static int make(void **state)
{
	static struct counts counts;

	counts = (struct counts){ .loop = loop_create(), .want = 1 };
	assert_int_equal(pipe(counts.pipe), 0);
	*state = &counts;
	return 0;
}

static int clean(void **state)
{
	struct counts *counts = *state;

	loop_destroy(counts->loop);
	close(counts->pipe[0]);
	close(counts->pipe[1]);
	return 0;
}

static void readable_descriptor_calls_back_and_draws_once(void **state)
{
	struct counts *counts = *state;

	counts->want = 2;
	loop_add_fd(counts->loop, counts->pipe[0], POLLIN, on_fd, counts);
	loop_set_idle(counts->loop, on_idle, counts);
	assert_int_equal(write(counts->pipe[1], "ab", 2), 2);
	loop_run(counts->loop);
	assert_int_equal(counts->fds, 2);
	assert_int_equal(counts->idle, 1); /* not after the pass that stopped it */
}

static void timer_repeats_or_comes_once(void **state)
{
	struct counts *counts = *state;

	counts->want = 3;
	loop_add_timer(counts->loop, 1000, 1000000, on_timer, counts);
	loop_run(counts->loop);
	assert_int_equal(counts->timers, 3);
}

static void signal_is_a_callback(void **state)
{
	struct counts *counts = *state;

	loop_add_signal(counts->loop, SIGUSR1, on_signal, counts);
	raise(SIGUSR1);
	loop_run(counts->loop);
	assert_int_equal(counts->signals, 1);
}

static void removed_source_is_not_called(void **state)
{
	struct counts *counts = *state;

	/* Both are due in the same pass; the first takes the second away. */
	loop_add_timer(counts->loop, 1, 0, remove_victim, counts);
	counts->victim = loop_add_fd(counts->loop, counts->pipe[0], POLLIN, on_fd, counts);
	assert_int_equal(write(counts->pipe[1], "a", 1), 1);
	poll(NULL, 0, 1);
	loop_run(counts->loop);
	assert_int_equal(counts->timers, 1);
	assert_int_equal(counts->fds, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(readable_descriptor_calls_back_and_draws_once, make, clean),
		cmocka_unit_test_setup_teardown(timer_repeats_or_comes_once, make, clean),
		cmocka_unit_test_setup_teardown(signal_is_a_callback, make, clean),
		cmocka_unit_test_setup_teardown(removed_source_is_not_called, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
