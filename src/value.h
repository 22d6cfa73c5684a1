/* SPDX-License-Identifier: MIT */
/* Typed values: the one parser (profile, command line, form, default) and the one formatter. */
#ifndef BB_VALUE_H
#define BB_VALUE_H

#include <boardbench/module.h>

#include "error.h"
#include "module_info.h"

struct value {
	enum bb_type type;
	union {
		bool flag;
		int64_t integer;
		double number;
		uint64_t natural; /* BB_SIZE bytes, BB_DURATION nanoseconds, BB_RATE in the parameter's unit */
		int32_t choice;   /* index */
		char *text;       /* BB_TEXT, BB_PATH: owned, never NULL */
	};
};

/* How values are written. Blanks at both ends and between a number and its unit do not count.
 *   flag      on off yes no true false 1 0
 *   integer   12, -3, 0x40               number   2.5, 1e-3 (never nan, inf)
 *   size      4096, 100KiB, 1.5M         K, M, G, T (also KiB, MiB, ...): powers of 1024;
 *                                        kB, MB, GB, TB: powers of 1000; upper or lower case
 *   duration  500us, 1.5s, 2min          ns us ms s min h; a unit is needed
 *   rate      44100, 48k, 48 kHz         k, M, G: powers of 1000
 *   choice    one of the choices, letter for letter
 *   text, path  as it is, without control characters
 * A number may be followed by the parameter's own unit ("12 dB"). Fractions are allowed where they give
 * a whole number of bytes, nanoseconds, ... */

/* Parse `text` for `param` and check type, range and choices. The error says what is wrong and shows
 * a right example; for a wrong choice it names the nearest one. *value is untouched on error.
 * -EINVAL, or -ERANGE when the value is out of range. */
int value_parse(const struct param *param, const char *text, struct value *value,
	struct error *error);
void value_copy(struct value *to, const struct value *from); /* `to` is overwritten, not freed */
void value_finish(struct value *value);
bool value_equal(const struct value *a, const struct value *b);

/* For people: "1 MiB", "262144", "48000 Hz", "500 us", "on", "write". value_parse() reads it back to
 * an equal value. A new string, the caller's to free. */
char *value_format(const struct param *param, const struct value *value);
/* For files: as value_format() but without blanks and without the
 * parameter's own unit ("1MiB", "262144", "48000", "500us"). */
char *value_format_plain(const struct param *param, const struct value *value);

/* Write the value into the module's configuration struct at param->offset. Text stays owned by value. */
void value_store(const struct param *param, const struct value *value, void *config);

/* Several values of one parameter: "write,read", "100KiB..5MiB*2", "0..100+10", and lists of those. A
 * range is FIRST..LAST+STEP or FIRST..LAST*FACTOR; LAST is among the values when it is hit. A comma that
 * belongs to a text or path is written "\,", a backslash before a comma or another "\\".  Ranges of
 * choices, flags and texts are refused; ".." in a text means nothing unless numbers stand around it. */
struct sweep {
	struct value *values;
	size_t len;
};

#define SWEEP_MAX 1000000 /* values in one sweep, and cases in one plan: more is refused */

/* -E2BIG when there are more than SWEEP_MAX values, with their number, before anything is allocated; else
 * as value_parse(). *sweep is overwritten; on error it is empty. */
int sweep_parse(const struct param *param, const char *text, struct sweep *sweep,
	struct error *error);
void sweep_finish(struct sweep *sweep);
/* "102400, 262144, 1 MiB"; a new string. */
char *sweep_format(const struct param *param, const struct sweep *sweep);
/* For files: "102400,262144,1MiB", which sweep_parse() reads back; a new string. */
char *sweep_format_plain(const struct param *param, const struct sweep *sweep);

/* Not a number or not finite: "-".
 * Base-10 numbers for screens and tables: three significant digits or more as `digits` after the
 * point, thousands never grouped: "9.24", "410.20", "1612". buffer is returned. */
char *number_format(double number, char *buffer, size_t size);
/* "00:07", "04:11", "1:02:33" from seconds, "--:--" when they are unknown (not finite, below 0). buffer is returned. */
char *elapsed_format(double seconds, char *buffer, size_t size);

/* Parse a duration that is not a module's parameter (--duration, --stall): as a value, and a number
 * alone is seconds. */
int duration_parse(const char *text, uint64_t *ns, struct error *error);

#endif
