/* SPDX-License-Identifier: MIT */
/* Messages of the kernel from /dev/kmsg, since the program started. */
#ifndef BB_KERNEL_LOG_H
#define BB_KERNEL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_message {
	uint64_t time_ns;  /* the kernel's stamp */
	int level;         /* 0 emergency .. 7 debug */
	char *text;
	bool during_case;  /* it came while a case was measured */
};

/* Keeps the last KERNEL_LOG_MAX messages; older ones are counted in `dropped`. */
#define KERNEL_LOG_MAX 500

struct kernel_log {
	int fd;            /* to poll; -1: cannot be read */
	char *problem;     /* why it cannot be read and what to do; NULL */
	struct kernel_message *messages; /* oldest first */
	size_t len;
	uint64_t dropped;  /* lost in the kernel or here */
	uint64_t serial;   /* number of messages ever seen: to find what is new since */
	uint64_t next_sequence; /* the kernel's number of the record to come; 0: none seen yet */
};

/* Only what comes from now on. Never fails: problem says why there is nothing. */
void kernel_log_open(struct kernel_log *log);
/* Take what is there (at most 1000 records a call); during_case marks it. Never blocks. */
void kernel_log_read(struct kernel_log *log, bool during_case);
void kernel_log_close(struct kernel_log *log);
/* Parse one record of /dev/kmsg; message->text is the caller's to free. false: not a record (a
 * continuation, garbage), or not the kernel's (a program wrote it). */
bool kernel_log_parse(const char *record, size_t length, struct kernel_message *message);

#endif
