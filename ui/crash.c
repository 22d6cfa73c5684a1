/* Restores the terminal from within a fatal signal.
 * SPDX-License-Identifier: MIT */
#include "crash.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"

#define STACK_SIZE 32768 /* MINSIGSTKSZ is no constant any more, and too small where vector registers are large */

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

/* A signal handler is given nothing but what is at file scope. Prepared beforehand: nothing may be computed or
 * allocated when the program is broken. */
static struct {
	int fd;
	char restore[256];
	size_t restore_length;
	struct termios modes;
	char printk[16];
	size_t printk_length;
	void *stack;
	struct sigaction before[ARRAY_LEN(fatal)];
} guard = { .fd = -1 };

static void put_back_console(void)
{
	int fd;

	if (!guard.printk_length)
		return;
	fd = open("/proc/sys/kernel/printk", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)!write(fd, guard.printk, guard.printk_length);
	close(fd);
}

static void die(int signal_number)
{
	for (size_t i = 0; i < ARRAY_LEN(fatal); i++)
		sigaction(fatal[i], &guard.before[i], NULL);
	(void)!write(guard.fd, guard.restore, guard.restore_length);
	/* TCSADRAIN would wait for ever on a dead line. */
	tcsetattr(guard.fd, TCSANOW, &guard.modes);
	put_back_console();
	raise(signal_number); /* delivered, to who was there before, when this returns */
}

void crash_guard(int fd, const char *restore, const struct termios *modes, const char *printk)
{
	struct sigaction action = { .sa_handler = die, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_size = STACK_SIZE };

	guard.restore_length = strlen(restore);
	if (guard.restore_length > sizeof(guard.restore))
		guard.restore_length = sizeof(guard.restore);
	memcpy(guard.restore, restore, guard.restore_length);
	guard.printk_length = printk ? strnlen(printk, sizeof(guard.printk)) : 0;
	if (printk)
		memcpy(guard.printk, printk, guard.printk_length);
	guard.fd = fd;
	guard.modes = *modes;
	guard.stack = mem_zalloc(1, STACK_SIZE);
	stack.ss_sp = guard.stack;
	sigaltstack(&stack, NULL);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(fatal); i++)
		sigaction(fatal[i], &action, &guard.before[i]);
}

void crash_unguard(void)
{
	stack_t none = { .ss_flags = SS_DISABLE };

	if (guard.fd < 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(fatal); i++)
		sigaction(fatal[i], &guard.before[i], NULL);
	sigaltstack(&none, NULL);
	free(guard.stack);
	guard.stack = NULL;
	guard.fd = -1;
}
