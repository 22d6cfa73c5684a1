/* SPDX-License-Identifier: MIT */
/* Something found out about the machine or a measurement: one line of `doctor`, of the environment
 * screen and of "why slow". */
#ifndef BB_FINDING_H
#define BB_FINDING_H

#include <stddef.h>

enum verdict { VERDICT_FINE, VERDICT_NOTE, VERDICT_WARNING, VERDICT_BAD };

struct finding {
	enum verdict verdict;
	char *topic;  /* "clock", "temperature", "mount" */
	char *text;   /* "1000 MHz all the time, governor performance" */
	char *advice; /* what to do; NULL */
};

struct findings {
	struct finding *items;
	size_t len;
};

void findings_add(struct findings *findings, enum verdict verdict, const char *topic,
	const char *advice, const char *format, ...) __attribute__((format(printf, 5, 6)));
void findings_finish(struct findings *findings);
/* "fine", "note", "warning", "bad". */
const char *verdict_name(enum verdict verdict);

#endif
