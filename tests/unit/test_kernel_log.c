/* SPDX-License-Identifier: MIT */
/* Records of /dev/kmsg in the form that the kernel's Documentation/ABI/testing/dev-kmsg gives. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernel_log.h"

static void assert_text(const char *record, const char *text)
{
	struct kernel_message message;
	assert_true(kernel_log_parse(record, strlen(record), &message));
	assert_string_equal(message.text, text);
	free(message.text);
}

static void a_record_is_read(void **state)
{
	const char *record = "3,339,5140900,-,caller=T1;mmc0: error -110 whilst initialising\n"
		" SUBSYSTEM=mmc\n DEVICE=+mmc:mmc0\n";
	struct kernel_message message;
	assert_true(kernel_log_parse(record, strlen(record), &message));
	assert_int_equal(message.level, 3);
	assert_true(message.time_ns == 5140900000u);
	assert_string_equal(message.text, "mmc0: error -110 whilst initialising");
	assert_false(message.during_case);
	free(message.text);
}

static void escapes_become_bytes_but_none_that_moves_a_cursor(void **state)
{
	assert_text("6,1,1,-;a\\x5cb\n", "a\\b");
	assert_text("6,1,1,-;21 \\xc2\\xb0C\n", "21 \xc2\xb0" "C");
	assert_text("6,1,1,-;red \\x1b[31m\n", "red \\x1b[31m");
	assert_text("6,1,1,-;tab\\x09end\n", "tab end");
	/* no UTF-8: stays as the kernel wrote it */
	assert_text("6,1,1,-;\\xff\\xc2\n", "\\xff\\xc2");
	assert_text("6,1,1,-;raw\x1b\xff\n", "raw??");
	assert_text("6,1,1,-;cut \\x4", "cut \\x4");
	assert_text("6,1,1,-;no end", "no end");
	assert_text("6,1,1,-;", "");
}

static void what_is_no_record_of_the_kernel_is_refused(void **state)
{
	static const char *const records[] = { "", " SUBSYSTEM=mmc\n", "6", "6,1", "6,1,1", "6,1,1,-",
		"6,1,1,-\n;text", "x,1,1,-;text", "6,,1,-;text", "99999999999999999999999,1,1,-;text",
		"14,1,1,-;facility 1: written by a program", "30,1,1,-;facility 3: a daemon" };
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		struct kernel_message message;
		assert_false(kernel_log_parse(records[i], strlen(records[i]), &message));
	}
}

/* A packet socket gives one record a read, as /dev/kmsg does. */
static int open_fake(struct kernel_log *log)
{
	int pair[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
	*log = (struct kernel_log){ .fd = pair[0] };
	return pair[1];
}

static void send_record(int fd, unsigned sequence, const char *text)
{
	char record[100];
	int length = snprintf(record, sizeof(record), "6,%u,1,-;%s\n", sequence, text);
	assert_int_equal(send(fd, record, (size_t)length, 0), length);
}

static void messages_are_kept_marked_and_counted(void **state)
{
	struct kernel_log log;
	int fd = open_fake(&log);
	send_record(fd, 10, "before");
	kernel_log_read(&log, false);
	send_record(fd, 11, "during");
	assert_int_equal(send(fd, "12,12,1,-;from a program\n", 25, 0), 25);
	kernel_log_read(&log, true);
	kernel_log_read(&log, true); /* nothing there: does not block */
	assert_int_equal(log.len, 2);
	assert_true(log.serial == 2);
	assert_string_equal(log.messages[0].text, "before");
	assert_false(log.messages[0].during_case);
	assert_string_equal(log.messages[1].text, "during");
	assert_true(log.messages[1].during_case);
	assert_true(log.dropped == 0);
	send_record(fd, 18, "after five that were lost"); /* 13 .. 17 */
	kernel_log_read(&log, true);
	assert_true(log.dropped == 5);
	close(fd);
	kernel_log_close(&log);
	assert_int_equal(log.fd, -1);
}

static void only_the_newest_are_kept(void **state)
{
	struct kernel_log log;
	int fd = open_fake(&log);
	for (unsigned i = 1; i <= KERNEL_LOG_MAX + 7; i++) {
		char text[20];
		snprintf(text, sizeof(text), "number %u", i);
		send_record(fd, i, text);
		kernel_log_read(&log, false);
	}
	assert_int_equal(log.len, KERNEL_LOG_MAX);
	assert_true(log.dropped == 7);
	assert_true(log.serial == KERNEL_LOG_MAX + 7);
	assert_string_equal(log.messages[0].text, "number 8");
	assert_string_equal(log.messages[KERNEL_LOG_MAX - 1].text, "number 507");
	close(fd);
	kernel_log_close(&log);
}

static void opening_gives_messages_or_the_reason(void **state)
{
	struct kernel_log log;
	kernel_log_open(&log);
	assert_true((log.fd >= 0) == (log.problem == NULL));
	kernel_log_read(&log, false);
	if (log.problem)
		assert_non_null(strstr(log.problem, "/dev/kmsg"));
	kernel_log_close(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_read),
		cmocka_unit_test(escapes_become_bytes_but_none_that_moves_a_cursor),
		cmocka_unit_test(what_is_no_record_of_the_kernel_is_refused),
		cmocka_unit_test(messages_are_kept_marked_and_counted),
		cmocka_unit_test(only_the_newest_are_kept),
		cmocka_unit_test(opening_gives_messages_or_the_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
