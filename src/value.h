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

/* Parse `text` for `param` and check type, range and choices. The error says what is wrong and shows
 * a right example; for a wrong choice it names the nearest one. *value is untouched on error. */
int value_parse(const struct param *param, const char *text, struct value *value,
	struct error *error);
void value_copy(struct value *to, const struct value *from); /* `to` is overwritten, not freed */
void value_finish(struct value *value);
bool value_equal(const struct value *a, const struct value *b);

/* For people: "1 MiB", "262144", "48000 Hz", "500 us", "on", "write". value_parse() reads it back to
 * an equal value. A new string, the caller's to free. */
char *value_format(const struct param *param, const struct value *value);
/* For files: as value_format() but without blanks ("1MiB", "262144", "500us"). */
char *value_format_plain(const struct param *param, const struct value *value);

/* Write the value into the module's configuration struct at param->offset. Text stays owned by value. */
void value_store(const struct param *param, const struct value *value, void *config);

/* Several values of one parameter: "write,read", "100KiB..5MiB*2", "0..100+10". */
struct sweep {
	struct value *values;
	size_t len;
};

#define SWEEP_MAX 1000000 /* values in one sweep, and cases in one plan: more is refused */

int sweep_parse(const struct param *param, const char *text, struct sweep *sweep,
	struct error *error);
void sweep_finish(struct sweep *sweep);
/* "102400, 262144, 1 MiB"; a new string. */
char *sweep_format(const struct param *param, const struct sweep *sweep);

/* Base-10 numbers for screens and tables: three significant digits or more as `digits` after the
 * point, thousands never grouped: "9.24", "410.20", "1612". buffer is returned. */
char *number_format(double number, char *buffer, size_t size);
/* "00:07", "04:11", "1:02:33" from seconds. buffer is returned. */
char *elapsed_format(double seconds, char *buffer, size_t size);

/* Parse a duration that is not a module's parameter (--duration, --stall). */
int duration_parse(const char *text, uint64_t *ns, struct error *error);

#endif
