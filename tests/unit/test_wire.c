/* SPDX-License-Identifier: MIT
 * Packets between workbench and worker, also of a worker that has ended. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "wire.h"

static void assert_packet(int fd, const char *expected)
{
	char *packet = NULL;

	assert_int_equal(wire_receive(fd, false, &packet), (ssize_t)strlen(expected));
	assert_string_equal(packet, expected);
	free(packet);
}

static void packets_keep_their_bounds(void **state)
{
	int fds[2];
	char *packet;

	(void)state;
	assert_int_equal(wire_pair(fds), 0);
	assert_int_equal(wire_receive(fds[0], false, &packet), -EAGAIN);
	assert_int_equal(wire_send(fds[1], "one", 3), 0);
	assert_int_equal(wire_send(fds[1], "twenty", 6), 0);
	assert_packet(fds[0], "one");
	assert_packet(fds[0], "twenty");
	close(fds[1]);
	assert_int_equal(wire_receive(fds[0], true, &packet), 0);
	assert_int_equal(wire_send(fds[0], "x", 1), -EPIPE);
	close(fds[0]);
}

/* The worker did not read the last packet to it: what it said before it ended is not lost. */
static void last_words_survive_an_unread_packet(void **state)
{
	int fds[2];
	char *packet;

	(void)state;
	assert_int_equal(wire_pair(fds), 0);
	assert_int_equal(wire_send(fds[0], "{}", 2), 0);
	assert_int_equal(wire_send(fds[1], "done", 4), 0);
	close(fds[1]);
	assert_packet(fds[0], "done");
	assert_int_equal(wire_receive(fds[0], false, &packet), 0);
	close(fds[0]);
}

static void long_packet_comes_whole(void **state)
{
	int fds[2];
	char *packet, *sent = malloc(150001);

	(void)state;
	assert_non_null(sent);
	memset(sent, 'a', 150000);
	sent[150000] = '\0';
	assert_int_equal(wire_pair(fds), 0);
	assert_int_equal(wire_send(fds[1], sent, 150000), 0);
	assert_int_equal(wire_receive(fds[0], false, &packet), 150000);
	assert_string_equal(packet, sent);
	free(packet);
	free(sent);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_keep_their_bounds),
		cmocka_unit_test(last_words_survive_an_unread_packet),
		cmocka_unit_test(long_packet_comes_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
