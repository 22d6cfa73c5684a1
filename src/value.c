/* SPDX-License-Identifier: MIT
 *
 * The one parser of typed values, and what else is done with a value. */
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mem.h"
#include "quantity.h"
#include "text.h"
#include "value_text.h"

#define CHOICES_SHOWN_MAX 600 /* bytes of a list of choices in a message */

static const char *example_of(const struct param *param)
{
	switch (param->type) {
	case BB_FLAG:
		return "on or off";
	case BB_INTEGER:
		return "12, -3 or 0x40";
	case BB_NUMBER:
		return "2.5 or 1e-3";
	case BB_SIZE:
		return "4096, 100KiB or 1MiB";
	case BB_DURATION:
		return "500us, 1.5s or 2min";
	case BB_RATE:
		return "44100 or 48k";
	default:
		return "a text";
	}
}

static int refuse(const struct param *param, const char *text, struct error *error, int code,
	const char *reason)
{
	return error_set(error, code, "%s: \"%.80s\" %s; write for example %s", param->name, text,
		reason, example_of(param));
}

static int parse_flag(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	static const struct {
		const char *name;
		bool flag;
	} words[] = {
		{ "on", true },
		{ "off", false },
		{ "yes", true },
		{ "no", false },
		{ "true", true },
		{ "false", false },
		{ "1", true },
		{ "0", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcasecmp(text, words[i].name) == 0) {
			value->flag = words[i].flag;
			return 0;
		}
	}
	return refuse(param, text, error, EINVAL, "is neither on nor off");
}

/* What follows a number: nothing, or the parameter's own unit. */
static bool is_own_unit(const struct param *param, const char *rest)
{
	rest += strspn(rest, " \t");
	return *rest == '\0' || (param->unit && strcasecmp(rest, param->unit) == 0);
}

static bool is_hexadecimal(const char *digits)
{
	return digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') &&
		strspn(digits + 2, "0123456789abcdefABCDEF") > 0;
}

static int parse_integer(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	const char *digits = text + (*text == '-' || *text == '+');
	int base = is_hexadecimal(digits) ? 16 : 10;
	long long number;
	char *end;

	if (!strchr("0123456789", *digits) || !*digits)
		return refuse(param, text, error, EINVAL, "is not a whole number");
	errno = 0;
	number = strtoll(text, &end, base);
	if (errno == ERANGE)
		return refuse(param, text, error, ERANGE, "is beyond 64 bits");
	if (*end == '.')
		return refuse(param, text, error, EINVAL, "is not a whole number");
	if (!is_own_unit(param, end))
		return refuse(param, text, error, EINVAL, "has something behind the number");
	value->integer = number;
	return 0;
}

/* strtod() takes more than we do: nan, inf, hexadecimal. Length of a decimal number, 0: none. */
static size_t scan_decimal(const char *text)
{
	static const char digits[] = "0123456789";
	size_t length = *text == '-' || *text == '+', whole, fraction = 0, exponent;

	whole = strspn(text + length, digits);
	length += whole;
	if (text[length] == '.') {
		fraction = strspn(text + length + 1, digits);
		length += 1 + fraction;
	}
	if (whole + fraction == 0)
		return 0;
	if (text[length] == 'e' || text[length] == 'E') {
		size_t sign = text[length + 1] == '-' || text[length + 1] == '+';

		exponent = strspn(text + length + 1 + sign, digits);
		if (exponent)
			length += 1 + sign + exponent;
	}
	return length;
}

static int parse_number(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	size_t length = scan_decimal(text);
	_autofree_ char *digits = mem_strndup(text, length);
	double number;

	if (length == 0)
		return refuse(param, text, error, EINVAL, "is not a number");
	if (!is_own_unit(param, text + length))
		return refuse(param, text, error, EINVAL, "has something behind the number");
	number = strtod(digits, NULL);
	if (!isfinite(number))
		return refuse(param, text, error, ERANGE, "is too large");
	value->number = number;
	return 0;
}

static const char *fault_reason(enum quantity_fault fault, enum bb_type type)
{
	switch (fault) {
	case QUANTITY_NO_NUMBER:
		return "does not begin with a number";
	case QUANTITY_NEGATIVE:
		return "is below 0";
	case QUANTITY_NO_UNIT:
		return "has no unit";
	case QUANTITY_NOT_WHOLE:
		return type == BB_SIZE ? "is not a whole number of bytes"
			: type == BB_DURATION ? "is not a whole number of nanoseconds"
				: "is not a whole number";
	case QUANTITY_OVERFLOW:
		return "is beyond 64 bits";
	default:
		return "has an unknown unit";
	}
}

static void add_units(struct text *list, const struct quantity_unit *units)
{
	for (; units->name; units++)
		if (units->name[0] > 0) /* once is enough for us and the micro sign */
			text_add(list, "%s%s", list->length ? " " : "", units->name);
}

static int refuse_unit(const struct param *param, const char *text, const char *rest,
	const struct quantity_unit *units, struct error *error)
{
	struct text list = { 0 };
	int result;

	add_units(&list, units);
	if (param->type == BB_RATE && param->unit)
		text_add(&list, " %s", param->unit);
	result = error_set(error, EINVAL,
		"%s: \"%.80s\": \"%.40s\" is no unit here (%s); write for example %s", param->name,
		text, rest, list.data, example_of(param));
	text_finish(&list);
	return result;
}

static int parse_quantity(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	const struct quantity_unit *units = param->type == BB_SIZE ? quantity_sizes
		: param->type == BB_DURATION ? quantity_durations
			: quantity_rates;
	const char *own = param->type == BB_RATE ? param->unit : NULL, *rest;
	enum quantity_fault fault = quantity_parse(text, units, own, &value->natural, &rest);

	if (fault == QUANTITY_FINE)
		return 0;
	if (fault == QUANTITY_WRONG_UNIT)
		return refuse_unit(param, text, rest, units, error);
	return refuse(param, text, error, fault == QUANTITY_OVERFLOW ? ERANGE : EINVAL,
		fault_reason(fault, param->type));
}

static size_t count_choices(const struct param *param)
{
	size_t count = 0;

	while (param->choices && param->choices[count])
		count++;
	return count;
}

static int parse_choice(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	size_t count = count_choices(param);
	struct text list = { 0 };
	const char *nearest;
	int result;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(text, param->choices[i]) == 0) {
			value->choice = (int32_t)i;
			return 0;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (list.length > CHOICES_SHOWN_MAX) {
			text_add(&list, ", ... (%zu in all)", count);
			break;
		}
		text_add(&list, "%s%.80s", i ? ", " : "", param->choices[i]);
	}
	nearest = text_nearest(text, (const char *const *)param->choices, count);
	result = error_set(error, EINVAL, "%s: \"%.80s\" is no choice%s%.80s%s; choose from %s",
		param->name, text, nearest ? ", did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "", list.data ? list.data : "nothing");
	text_finish(&list);
	return result;
}

static int parse_text(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return error_set(error, EINVAL,
				"%s: \"%.80s\" has a control character in it; write it without",
				param->name, text);
	value->text = mem_strdup(text);
	return 0;
}

static int parse_type(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	switch (param->type) {
	case BB_FLAG:
		return parse_flag(param, text, value, error);
	case BB_INTEGER:
		return parse_integer(param, text, value, error);
	case BB_NUMBER:
		return parse_number(param, text, value, error);
	case BB_SIZE:
	case BB_DURATION:
	case BB_RATE:
		return parse_quantity(param, text, value, error);
	case BB_CHOICE:
		return parse_choice(param, text, value, error);
	case BB_TEXT:
	case BB_PATH:
		return parse_text(param, text, value, error);
	}
	return error_set(error, EINVAL, "%s: type %d of the parameter is unknown", param->name,
		(int)param->type);
}

int value_parse_unlimited(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	_autofree_ char *copy = mem_strdup(text);
	char *trimmed = text_trim(copy);
	struct value parsed = { .type = param->type };
	int result;

	if (!*trimmed && param->type != BB_TEXT && param->type != BB_PATH &&
		param->type != BB_CHOICE)
		return error_set(error, EINVAL, "%s: the value is empty; write for example %s",
			param->name, example_of(param));
	result = parse_type(param, trimmed, &parsed, error);
	if (result == 0)
		*value = parsed;
	return result;
}

/* A limit as the value itself would be shown. Limits are doubles; those of a whole type that no value
 * of it can have are shown as the number. */
static char *format_limit(const struct param *param, double limit)
{
	struct value value = { .type = param->type };
	struct text text = { 0 };

	if (param->type == BB_NUMBER) {
		value.number = limit;
		return value_format(param, &value);
	}
	if (param->type == BB_INTEGER && limit >= -9223372036854775808.0 &&
		limit < 9223372036854775808.0) {
		value.integer = (int64_t)limit;
		return value_format(param, &value);
	}
	if (param->type != BB_INTEGER && limit >= 0 && limit < 0x1p64) {
		value.natural = (uint64_t)limit;
		return value_format(param, &value);
	}
	text_add_double(&text, limit);
	return text_steal(&text);
}

static int check_range(const struct param *param, const char *text, const struct value *value,
	struct error *error)
{
	double number;

	if (param->minimum == 0 && param->maximum == 0)
		return 0;
	if (param->type == BB_INTEGER)
		number = (double)value->integer;
	else if (param->type == BB_NUMBER)
		number = value->number;
	else if (param->type == BB_SIZE || param->type == BB_DURATION || param->type == BB_RATE)
		number = (double)value->natural;
	else
		return 0;
	if (number >= param->minimum && number <= param->maximum)
		return 0;

	_autofree_ char *lowest =
		isfinite(param->minimum) ? format_limit(param, param->minimum) : NULL;
	_autofree_ char *highest =
		isfinite(param->maximum) ? format_limit(param, param->maximum) : NULL;

	if (!highest)
		return error_set(error, ERANGE, "%s: \"%.80s\" is out of range; at least %s",
			param->name, text, lowest ? lowest : "-");
	if (!lowest)
		return error_set(error, ERANGE, "%s: \"%.80s\" is out of range; at most %s",
			param->name, text, highest);
	return error_set(error, ERANGE, "%s: \"%.80s\" is out of range; from %s to %s", param->name,
		text, lowest, highest);
}

int value_parse(const struct param *param, const char *text, struct value *value,
	struct error *error)
{
	struct value parsed = { .type = param->type };
	int result = value_parse_unlimited(param, text, &parsed, error);

	if (result < 0)
		return result;
	result = check_range(param, text, &parsed, error);
	if (result < 0)
		value_finish(&parsed);
	else
		*value = parsed;
	return result;
}

static bool is_text(const struct value *value)
{
	return value->type == BB_TEXT || value->type == BB_PATH;
}

void value_copy(struct value *to, const struct value *from)
{
	*to = *from;
	if (is_text(from))
		to->text = mem_strdup(from->text);
}

void value_finish(struct value *value)
{
	if (is_text(value))
		free(value->text);
	*value = (struct value){ 0 };
}

bool value_equal(const struct value *a, const struct value *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case BB_FLAG:
		return a->flag == b->flag;
	case BB_INTEGER:
		return a->integer == b->integer;
	case BB_NUMBER:
		return a->number == b->number;
	case BB_SIZE:
	case BB_DURATION:
	case BB_RATE:
		return a->natural == b->natural;
	case BB_CHOICE:
		return a->choice == b->choice;
	case BB_TEXT:
	case BB_PATH:
		return strcmp(a->text, b->text) == 0;
	}
	return true; /* two that were never set */
}

void value_store(const struct param *param, const struct value *value, void *config)
{
	char *field = (char *)config + param->offset;

	switch (value->type) {
	case BB_FLAG:
		memcpy(field, &value->flag, sizeof(value->flag));
		break;
	case BB_INTEGER:
		memcpy(field, &value->integer, sizeof(value->integer));
		break;
	case BB_NUMBER:
		memcpy(field, &value->number, sizeof(value->number));
		break;
	case BB_SIZE:
	case BB_DURATION:
	case BB_RATE:
		memcpy(field, &value->natural, sizeof(value->natural));
		break;
	case BB_CHOICE:
		memcpy(field, &value->choice, sizeof(value->choice));
		break;
	case BB_TEXT:
	case BB_PATH:
		memcpy(field, &value->text, sizeof(value->text));
		break;
	}
}

static char *format(const struct param *param, const struct value *value, const char *blank,
	bool own_unit)
{
	const char *unit = own_unit && param->unit ? param->unit : "", *given;
	const char *before = *unit ? blank : "";
	struct text text = { 0 };
	uint64_t number;

	switch (value->type) {
	case BB_FLAG:
		return mem_strdup(value->flag ? "on" : "off");
	case BB_INTEGER:
		return text_printf("%" PRId64 "%s%s", value->integer, before, unit);
	case BB_NUMBER:
		text_add_double(&text, value->number);
		text_add(&text, "%s%s", before, unit);
		return text_steal(&text);
	case BB_SIZE:
		quantity_split_size(value->natural, &number, &given);
		return text_printf("%" PRIu64 "%s%s", number, *given ? blank : "", given);
	case BB_DURATION:
		quantity_split_duration(value->natural, &number, &given);
		return text_printf("%" PRIu64 "%s%s", number, blank, given);
	case BB_RATE:
		return text_printf("%" PRIu64 "%s%s", value->natural, before, unit);
	case BB_CHOICE:
		if (value->choice < 0 || (size_t)value->choice >= count_choices(param))
			return mem_strdup("?");
		return mem_strdup(param->choices[value->choice]);
	case BB_TEXT:
	case BB_PATH:
		return mem_strdup(value->text);
	}
	return mem_strdup("?");
}

char *value_format(const struct param *param, const struct value *value)
{
	return format(param, value, " ", true);
}

char *value_format_plain(const struct param *param, const struct value *value)
{
	return format(param, value, "", false);
}

int duration_parse(const char *text, uint64_t *ns, struct error *error)
{
	_autofree_ char *copy = mem_strdup(text);
	char *trimmed = text_trim(copy);
	const char *rest;
	enum quantity_fault fault =
		quantity_parse(trimmed, quantity_durations, NULL, ns, &rest);

	if (fault == QUANTITY_NO_UNIT) {
		_autofree_ char *seconds = text_printf("%ss", trimmed);

		fault = quantity_parse(seconds, quantity_durations, NULL, ns, &rest);
	}
	if (fault == QUANTITY_FINE)
		return 0;
	return error_set(error, fault == QUANTITY_OVERFLOW ? ERANGE : EINVAL,
		"\"%.80s\" is no duration: it %s; write for example 500ms, 10s or 2min", text,
		*trimmed ? fault_reason(fault, BB_DURATION) : "is empty");
}
