/* SPDX-License-Identifier: MIT */
/* How failures travel: a function that can fail returns 0 or a negative errno, and its last parameter
 * is a struct error in which the text was made once, where the facts were known: what was tried, on
 * what, what to do. */
#ifndef BB_ERROR_H
#define BB_ERROR_H

struct error {
	int code;        /* positive errno; 0: no error */
	char text[1024]; /* for the user, no newline */
};

/* Keep the text (the first one stays) and return -code. error may be NULL. */
int error_set(struct error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Put "CONTEXT: " before the text that is there. Returns -error->code. */
int error_prefix(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
