/* Finds out the size of a terminal from the kernel or from the terminal itself.
 * SPDX-License-Identifier: MIT */
#include "size.h"

#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "loop.h"

#define ANSWER_MS 500 /* 9600 baud and a USB adapter take 40 */

bool size_get(int fd, int *rows, int *columns)
{
	struct winsize size = { 0 };

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return false;
	*rows = size.ws_row;
	*columns = size.ws_col;
	return true;
}

void size_set(int fd, int rows, int columns)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	ioctl(fd, TIOCSWINSZ, &size);
}

bool size_ask(int fd, struct keys *keys, keys_callback callback, void *data, int *rows, int *columns)
{
	/* Keep the cursor, no scroll region, far away, where am I, back. */
	static const char question[] = "\0337\033[r\033[999;999H\033[6n\0338";
	uint64_t end = clock_now() + ANSWER_MS * UINT64_C(1000000);
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	keys->report_row = 0;
	if (write(fd, question, sizeof(question) - 1) != sizeof(question) - 1)
		return false;
	while (!keys->report_row) {
		unsigned char bytes[64];
		uint64_t now = clock_now();
		ssize_t got;

		if (now >= end || poll(&poll_fd, 1, (int)((end - now) / 1000000) + 1) <= 0)
			return false;
		got = read(fd, bytes, sizeof(bytes));
		if (got <= 0)
			return false;
		keys_feed(keys, bytes, (size_t)got, callback, data);
	}
	*rows = keys->report_row;
	*columns = keys->report_column;
	return true;
}
