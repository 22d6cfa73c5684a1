/* SPDX-License-Identifier: MIT
 *
 * What value.c and sweep.c share: parsing without the check of the range. */
#ifndef BB_VALUE_TEXT_H
#define BB_VALUE_TEXT_H

#include "value.h"

/* As value_parse(), but any value of the type will do: for the step of a range. */
int value_parse_unlimited(const struct param *param, const char *text, struct value *value,
	struct error *error);

#endif
