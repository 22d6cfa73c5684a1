/* SPDX-License-Identifier: MIT */
/* Reads the kernel's messages from /dev/kmsg, one record a read(), and keeps the newest. */
#include "kernel_log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"
#include "text.h"

#define RECORD_MAX 8192 /* CONSOLE_EXT_LOG_MAX of the kernel: no record is longer */
#define RECORDS_A_CALL 1000

struct head {
	uint64_t priority, sequence, microseconds;
	size_t length; /* up to and with the ';' */
};

static bool parse_number(const char *record, size_t length, size_t *at, char end, uint64_t *number)
{
	size_t start = *at;
	uint64_t value = 0;
	for (; *at < length && isdigit((unsigned char)record[*at]); ++*at)
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(record[*at] - '0'), &value))
			return false;
	if (*at == start || *at >= length || record[*at] != end)
		return false;
	++*at;
	*number = value;
	return true;
}

/* "prio,sequence,microseconds,flags[,more];": newer kernels append fields, which are skipped. */
static bool parse_head(const char *record, size_t length, struct head *head)
{
	size_t at = 0;
	if (!parse_number(record, length, &at, ',', &head->priority) ||
		!parse_number(record, length, &at, ',', &head->sequence) ||
		!parse_number(record, length, &at, ',', &head->microseconds))
		return false;
	const char *end = memchr(record + at, ';', length - at);
	if (!end || memchr(record + at, '\n', (size_t)(end - record) - at))
		return false;
	head->length = (size_t)(end - record) + 1;
	return true;
}

static int hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	digit = (char)tolower((unsigned char)digit);
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool is_utf8(const char *text)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		if (*at < 0x80)
			continue;
		int more = *at >= 0xc2 && *at < 0xe0 ? 1 : (*at & 0xf0) == 0xe0 ? 2
			: *at >= 0xf0 && *at < 0xf5 ? 3 : 0;
		if (more == 0 || (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) ||
			(*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f))
			return false;
		for (; more > 0; more--)
			if ((*++at & 0xc0) != 0x80)
				return false;
	}
	return true;
}

/* The text with the \xNN of the kernel made bytes again, but for control characters: a driver's
 * message must not be able to move the cursor of a terminal. */
static char *unescape(const char *text, size_t length, bool high)
{
	char *plain = mem_zalloc(length + 1, 1);
	size_t out = 0;
	for (size_t i = 0; i < length; i++) {
		int value = -1;
		if (text[i] == '\\' && length - i >= 4 && text[i + 1] == 'x' &&
			hex_digit(text[i + 2]) >= 0 && hex_digit(text[i + 3]) >= 0)
			value = hex_digit(text[i + 2]) * 16 + hex_digit(text[i + 3]);
		if (value == '\t')
			value = ' ';
		if ((value >= 0x20 && value < 0x7f) || (value >= 0x80 && high)) {
			plain[out++] = (char)value;
			i += 3;
			continue;
		}
		unsigned char byte = (unsigned char)text[i];
		/* The kernel never gives such bytes; whoever else does gets a '?'. */
		plain[out++] = byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !high) ? '?' : text[i];
	}
	return plain;
}

bool kernel_log_parse(const char *record, size_t length, struct kernel_message *message)
{
	struct head head;
	if (!parse_head(record, length, &head) || head.priority >> 3 != 0)
		return false;
	const char *text = record + head.length;
	size_t text_length = length - head.length;
	/* The lines after the first name the device, for programs. */
	const char *end = memchr(text, '\n', text_length);
	if (end)
		text_length = (size_t)(end - text);
	*message = (struct kernel_message){
		.time_ns = head.microseconds < UINT64_MAX / 1000 ? head.microseconds * 1000 : UINT64_MAX,
		.level = (int)(head.priority & 7),
		.text = unescape(text, text_length, true),
	};
	if (!is_utf8(message->text)) {
		free(message->text);
		message->text = unescape(text, text_length, false);
	}
	return true;
}

void kernel_log_open(struct kernel_log *log)
{
	*log = (struct kernel_log){ .fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC) };
	if (log->fd >= 0 && lseek(log->fd, 0, SEEK_END) >= 0)
		return;
	int code = errno;
	if (log->fd >= 0)
		close(log->fd);
	log->fd = -1;
	const char *advice = "";
	if (code == EPERM || code == EACCES)
		advice = "; run as root, or allow it to all: sysctl kernel.dmesg_restrict=0";
	else if (code == ENOENT)
		advice = "; the kernel needs CONFIG_PRINTK, and /dev must hold kmsg (devtmpfs)";
	log->problem = text_printf("cannot read the kernel's messages from /dev/kmsg: %s%s",
		strerror(code), advice);
}

static void keep(struct kernel_log *log, const struct kernel_message *message)
{
	if (!log->messages)
		log->messages = mem_zalloc(KERNEL_LOG_MAX, sizeof(*log->messages));
	if (log->len == KERNEL_LOG_MAX) {
		free(log->messages[0].text);
		log->len--;
		memmove(log->messages, log->messages + 1, log->len * sizeof(*log->messages));
		log->dropped++;
	}
	log->messages[log->len++] = *message;
	log->serial++;
}

static void count_lost(struct kernel_log *log, const char *record, size_t length)
{
	struct head head;
	if (!parse_head(record, length, &head))
		return;
	if (log->next_sequence > 0 && head.sequence > log->next_sequence)
		log->dropped += head.sequence - log->next_sequence;
	log->next_sequence = head.sequence + 1;
}

void kernel_log_read(struct kernel_log *log, bool during_case)
{
	char record[RECORD_MAX];
	for (int i = 0; log->fd >= 0 && i < RECORDS_A_CALL; i++) {
		ssize_t length = read(log->fd, record, sizeof(record));
		/* Overwritten before we came; the next sequence number tells how many. A record that
		 * is too long for us is skipped. */
		if (length < 0 && (errno == EPIPE || errno == EINTR || errno == EINVAL))
			continue;
		if (length <= 0)
			return;
		count_lost(log, record, (size_t)length);
		struct kernel_message message;
		if (!kernel_log_parse(record, (size_t)length, &message))
			continue;
		message.during_case = during_case;
		keep(log, &message);
	}
}

void kernel_log_close(struct kernel_log *log)
{
	for (size_t i = 0; i < log->len; i++)
		free(log->messages[i].text);
	free(log->messages);
	free(log->problem);
	if (log->fd >= 0)
		close(log->fd);
	*log = (struct kernel_log){ .fd = -1 };
}
