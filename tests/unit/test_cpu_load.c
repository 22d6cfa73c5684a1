/* SPDX-License-Identifier: MIT */
/* CPU load against a load of known size and against the kernel's own sum of idle time, over 10 s. The
 * machine may be busy with other things too, so the child's share is a lower bound. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cpu.h"
#include "file.h"

static double seconds(clockid_t clock)
{
	struct timespec now = { 0 };
	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Busy 37 ms of its own CPU clock, then 51 ms asleep: no multiple of a tick. */
static void be_busy(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		double until = seconds(CLOCK_PROCESS_CPUTIME_ID) + 0.037;
		while (seconds(CLOCK_PROCESS_CPUTIME_ID) < until)
			;
		nanosleep(&(struct timespec){ .tv_nsec = 51000000 }, NULL);
	}
}

/* Seconds that all CPUs together were idle since the start; < 0: the machine does not tell. */
static double idle_seconds(void)
{
	double up, idle = -1;
	char *text = file_read("", "/proc/uptime");
	if (!text || sscanf(text, "%lf %lf", &up, &idle) != 2)
		idle = -1;
	free(text);
	return idle;
}

static void load_agrees_with_the_idle_time_and_holds_the_known_load(void **state)
{
	struct cpu_snapshot before, after;
	struct cpu_load load;
	clockid_t child_clock;
	if (idle_seconds() < 0) {
		print_message("# skipped: no idle time in /proc/uptime\n");
		skip();
	}
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		be_busy();
	int clock_missing = clock_getcpuclockid(child, &child_clock);
	double busy = clock_missing ? 0 : seconds(child_clock);
	double idle = idle_seconds();
	int read_before = cpu_read("", &before, NULL);
	nanosleep(&(struct timespec){ .tv_sec = 10 }, NULL); /* the interval itself */
	int read_after = cpu_read("", &after, NULL);
	idle = idle_seconds() - idle;
	busy = (clock_missing ? 0 : seconds(child_clock)) - busy;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(read_before, 0);
	assert_int_equal(read_after, 0);
	if (clock_missing) {
		print_message("# skipped: the CPU clock of another process cannot be read\n");
		skip();
	}
	cpu_between(&before, &after, &load);
	double all = (double)(after.time_ns - before.time_ns) / 1e9 * (double)before.cpus_len;
	/* The kernel's sum of idle time is without iowait. */
	double expected = 100 * (1 - idle / all), known = 100 * busy / all;
	print_message("# load %.2f %% and iowait %.2f %%; by idle time %.2f %%; child %.2f %%\n",
		load.load, load.iowait, expected, known);
	assert_true(load.valid);
	assert_true(load.load + load.iowait > expected - 1 && load.load + load.iowait < expected + 1);
	assert_true(known > 0);
	assert_true(load.load > known - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_agrees_with_the_idle_time_and_holds_the_known_load),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
