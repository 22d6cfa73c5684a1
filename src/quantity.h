/* SPDX-License-Identifier: MIT
 *
 * Whole quantities with a unit: bytes, nanoseconds, rates. Exact decimal arithmetic, no doubles. */
#ifndef BB_QUANTITY_H
#define BB_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

struct quantity_unit {
	const char *name;  /* compared without regard to case */
	uint64_t factor;
};

enum quantity_fault {
	QUANTITY_FINE,
	QUANTITY_NO_NUMBER,    /* does not begin with a number */
	QUANTITY_NEGATIVE,
	QUANTITY_NO_UNIT,      /* a unit is needed */
	QUANTITY_WRONG_UNIT,   /* what follows is none of the units */
	QUANTITY_NOT_WHOLE,    /* not a whole number of the smallest unit */
	QUANTITY_OVERFLOW,     /* 2^64 or more */
};

/* Ended by a name of NULL. The unit "" stands for a number alone. */
extern const struct quantity_unit quantity_sizes[], quantity_durations[], quantity_rates[];

/* "1.5 MiB" by one of the units; `own` (may be NULL) may follow the unit or stand alone ("48 kHz").
 * *rest points to what stands behind the number. *value is untouched unless QUANTITY_FINE. */
enum quantity_fault quantity_parse(const char *text, const struct quantity_unit *units,
	const char *own, uint64_t *value, const char **rest);

/* The number as text with the largest unit that is exact and whole. */
void quantity_split_size(uint64_t bytes, uint64_t *number, const char **unit);
void quantity_split_duration(uint64_t ns, uint64_t *number, const char **unit);

#endif
