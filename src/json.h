/* SPDX-License-Identifier: MIT */
/* A small JSON writer: compact, fixed key order, finite numbers only. Reading is jansson's. */
#ifndef BB_JSON_H
#define BB_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

/* Named put, as jansson has functions called json_object, json_string, ...
 * Calls add to `text`; commas are placed by what stands before. key NULL: an array's element. */
void json_put_object(struct text *text, const char *key);
void json_put_object_end(struct text *text);
void json_put_array(struct text *text, const char *key);
void json_put_array_end(struct text *text);
/* Invalid UTF-8 becomes U+FFFD, control characters are escaped. NULL value: null. */
void json_put_string(struct text *text, const char *key, const char *value);
void json_put_int(struct text *text, const char *key, int64_t value);
void json_put_uint(struct text *text, const char *key, uint64_t value);
/* Shortest text that reads back to the same double; not finite: null. */
void json_put_double(struct text *text, const char *key, double value);
void json_put_bool(struct text *text, const char *key, bool value);
void json_put_null(struct text *text, const char *key);

#endif
