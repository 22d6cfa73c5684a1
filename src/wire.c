/* SPDX-License-Identifier: MIT
 * Packets between workbench and worker. */
#include "wire.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "mem.h"

int wire_pair(int fds[2])
{
	int size = WIRE_MAX;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	for (int i = 0; i < 2; i++)
		setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	return 0;
}

int wire_send(int fd, const char *bytes, size_t length)
{
	ssize_t sent;

	do
		sent = send(fd, bytes, length, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

int wire_send_text(int fd, struct text *text)
{
	int result = text->length ? wire_send(fd, text->data, text->length) : 0;

	text_clear(text);
	return result;
}

/* A worker that ends with a wake packet unread resets the connection: that is told once, before the packets
 * that it had sent, which are still there. */
static ssize_t receive(int fd, void *buffer, size_t size, int flags)
{
	ssize_t length;

	do
		length = recv(fd, buffer, size, flags);
	while (length < 0 && (errno == ECONNRESET || errno == EINTR));
	return length;
}

ssize_t wire_receive(int fd, bool wait, char **packet)
{
	char first;
	int flags = wait ? 0 : MSG_DONTWAIT;

	*packet = NULL;
	ssize_t length = receive(fd, &first, 1, flags | MSG_PEEK | MSG_TRUNC);
	if (length < 0)
		return -errno;
	if (length == 0)
		return 0;
	if (length > WIRE_MAX)
		return -EMSGSIZE;
	char *bytes = mem_zalloc((size_t)length + 1, 1);
	ssize_t got = receive(fd, bytes, (size_t)length, MSG_DONTWAIT);
	if (got <= 0) {
		free(bytes);
		return got < 0 ? -errno : 0;
	}
	*packet = bytes;
	return got;
}
