/* SPDX-License-Identifier: MIT
 *
 * Lists and ranges of values: counted first, then made. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "text.h"
#include "value.h"
#include "value_text.h"

/* How much of a step a range may miss its end by and still hit it: steps like 0.1 are not exact. */
#define END_TOLERANCE 1e-9
#define BLANKS " \t\r\n\v\f" /* as text_trim() cuts them */

struct range {
	struct value first, last, step; /* step: for '+' */
	double factor;                  /* for '*' */
	char kind;                      /* '+', '*', or 0: first alone */
	uint64_t count;
};

static bool is_text(const struct param *param)
{
	return param->type == BB_TEXT || param->type == BB_PATH;
}

static bool is_natural(const struct param *param)
{
	return param->type == BB_SIZE || param->type == BB_DURATION || param->type == BB_RATE;
}

/* The next element of the list, up to a comma, which is skipped. "\," and "\\" stand for "," and "\"
 * in texts. false: no more. */
static bool next_element(const struct param *param, const char **list, struct text *element)
{
	const char *c = *list;

	text_clear(element);
	text_add_bytes(element, "", 0);
	if (!c)
		return false;
	for (; *c && *c != ','; c++) {
		if (is_text(param) && *c == '\\' && (c[1] == ',' || c[1] == '\\'))
			c++;
		text_add_bytes(element, c, 1);
	}
	*list = *c ? c + 1 : NULL;
	return true;
}

/* The '+' or '*' before the step. The '+' of an exponent ("1e+5") is none. */
static char *find_operation(char *text)
{
	char *start = text;

	for (; *text; text++) {
		if (*text == '*')
			return text;
		if (*text != '+' || text == start)
			continue;
		if (text - start >= 2 && (text[-1] == 'e' || text[-1] == 'E') &&
			strchr("0123456789.", text[-2]))
			continue;
		return text;
	}
	return NULL;
}

static bool looks_numeric(const char *text)
{
	text += strspn(text, BLANKS "+-");
	return *text >= '0' && *text <= '9';
}

/* Does the element of a type that has no ranges look like one? A path may well have ".." in it. */
static bool looks_like_range(const struct param *param, const char *element, const char *dots)
{
	const char *operation;

	if (!is_text(param))
		return true;
	operation = strpbrk(dots + 2, "+*");
	return operation && looks_numeric(element) && looks_numeric(dots + 2) &&
		looks_numeric(operation + 1);
}

static uint64_t count_steps(double first, double last, double step)
{
	double steps = (last - first) / step, whole = round(steps);

	if (fabs(steps - whole) > END_TOLERANCE * fmax(1, whole))
		whole = floor(steps);
	/* What a double cannot tell from 2^63 is too much anyway. */
	return whole < 0x1p63 ? (uint64_t)whole + 1 : UINT64_MAX;
}

static uint64_t distance(const struct param *param, const struct value *from,
	const struct value *to)
{
	/* Unsigned arithmetic wraps to the right distance for signed numbers too. */
	return is_natural(param) ? to->natural - from->natural
		: (uint64_t)to->integer - (uint64_t)from->integer;
}

static bool is_before(const struct param *param, const struct value *a, const struct value *b)
{
	if (param->type == BB_NUMBER)
		return a->number < b->number;
	return is_natural(param) ? a->natural < b->natural : a->integer < b->integer;
}

static double as_double(const struct param *param, const struct value *value)
{
	if (param->type == BB_NUMBER)
		return value->number;
	return is_natural(param) ? (double)value->natural : (double)value->integer;
}

static int measure_sum(const struct param *param, const char *element, const char *text,
	struct range *range, struct error *error)
{
	struct value zero = { .type = param->type };
	int result = value_parse_unlimited(param, text, &range->step, error);

	if (result < 0)
		return result;
	if (!is_before(param, &zero, &range->step))
		return error_set(error, EINVAL,
			"%s: the step of \"%.80s\" must be more than 0; write FIRST..LAST+STEP",
			param->name, element);
	if (param->type == BB_NUMBER) {
		double first = range->first.number, last = range->last.number;
		double step = range->step.number;

		if (!isfinite(last - first) || step < fmax(fabs(first), fabs(last)) * 1e-12)
			return error_set(error, EINVAL,
				"%s: the step of \"%.80s\" is too small for numbers of that size",
				param->name, element);
		range->count = count_steps(first, last, step);
	} else {
		/* step is above 0, so as an unsigned number it is the same */
		uint64_t step = is_natural(param) ? range->step.natural
						  : (uint64_t)range->step.integer;
		uint64_t steps = distance(param, &range->first, &range->last) / step;

		range->count = steps < UINT64_MAX ? steps + 1 : UINT64_MAX;
	}
	return 0;
}

static bool is_whole(double factor)
{
	return factor < 0x1p32 && factor == floor(factor);
}

/* Both above 0. */
static uint64_t whole_of(const struct param *param, const struct value *value)
{
	return is_natural(param) ? value->natural : (uint64_t)value->integer;
}

static uint64_t count_products(uint64_t first, uint64_t last, uint64_t factor)
{
	uint64_t count = 1;

	for (; first <= last / factor; first *= factor)
		count++;
	return count;
}

static int measure_product(const struct param *param, const char *element, const char *text,
	struct range *range, struct error *error)
{
	struct param plain = { .name = param->name, .type = BB_NUMBER };
	double first = as_double(param, &range->first), last = as_double(param, &range->last);
	struct value factor;
	int result = value_parse(&plain, text, &factor, error);

	if (result < 0)
		return result;
	range->factor = factor.number;
	if (factor.number <= 1)
		return error_set(error, EINVAL,
			"%s: the factor of \"%.80s\" must be more than 1; write for example "
			"FIRST..LAST*2",
			param->name, element);
	if (first <= 0)
		return error_set(error, EINVAL,
			"%s: \"%.80s\" must begin above 0 to be multiplied; write FIRST..LAST+STEP",
			param->name, element);
	if (param->type != BB_NUMBER && first * (factor.number - 1) < 1)
		return error_set(error, EINVAL,
			"%s: the factor of \"%.80s\" is too small to get from the first whole "
			"number to the next",
			param->name, element);
	if (param->type != BB_NUMBER && is_whole(factor.number))
		range->count = count_products(whole_of(param, &range->first),
			whole_of(param, &range->last), (uint64_t)factor.number);
	else
		range->count = count_steps(0, log(last) - log(first), log(factor.number));
	return 0;
}

/* `element` is cut into pieces; `whole` is the same for messages. */
static int measure_range(const struct param *param, char *element, const char *whole, char *dots,
	struct range *range, struct error *error)
{
	char *operation = find_operation(dots + 2), kind;
	int result;

	if (param->type == BB_CHOICE || param->type == BB_FLAG || is_text(param))
		return error_set(error, EINVAL,
			"%s: \"%.80s\" is a range, but %s have no order; list the values with commas",
			param->name, whole,
			param->type == BB_CHOICE ? "choices"
				: param->type == BB_FLAG ? "switches"
					: "texts");
	if (!operation)
		return error_set(error, EINVAL,
			"%s: \"%.80s\" has no step; write FIRST..LAST+STEP or FIRST..LAST*FACTOR",
			param->name, whole);
	kind = *operation;
	*operation = '\0';
	*dots = '\0';
	result = value_parse(param, element, &range->first, error);
	if (result == 0)
		result = value_parse(param, dots + 2, &range->last, error);
	if (result < 0)
		return result;
	if (is_before(param, &range->last, &range->first))
		return error_set(error, EINVAL,
			"%s: \"%.80s\" ends before it begins; write the smaller value first",
			param->name, whole);
	range->kind = kind;
	return kind == '+' ? measure_sum(param, whole, operation + 1, range, error)
			   : measure_product(param, whole, operation + 1, range, error);
}

static int measure(const struct param *param, const char *element, struct range *range,
	struct error *error)
{
	_autofree_ char *copy = mem_strdup(element);
	char *dots = strstr(copy, "..");

	*range = (struct range){ .count = 1 };
	if (dots && looks_like_range(param, copy, dots))
		return measure_range(param, copy, element, dots, range, error);
	return value_parse(param, element, &range->first, error);
}

/* 0.1 * 3 is 0.30000000000000004; the number meant is the one with fewer digits. */
static double without_noise(double number)
{
	char digits[40];

	snprintf(digits, sizeof(digits), "%.14g", number);
	return strtod(digits, NULL);
}

static double number_at(const struct range *range, uint64_t index)
{
	double last = range->last.number, number, step = range->step.number;

	if (range->kind == '+')
		number = without_noise(range->first.number + (double)index * range->step.number);
	else
		number = without_noise(range->first.number * pow(range->factor, (double)index));
	if (index == 0)
		return range->first.number;
	if (range->kind == '*')
		step = last * (range->factor - 1);
	return number > last || last - number <= 1e-6 * step ? last : number;
}

static uint64_t scaled(uint64_t first, double factor, uint64_t index, uint64_t last)
{
	double product;

	/* Whole factors stay exact beyond 2^53. */
	if (is_whole(factor)) {
		for (; index > 0; index--)
			if (__builtin_mul_overflow(first, (uint64_t)factor, &first))
				return last;
		return first < last ? first : last;
	}
	product = round((double)first * pow(factor, (double)index));
	return product < (double)last ? (uint64_t)product : last;
}

static void make_value(const struct param *param, const struct range *range, uint64_t index,
	struct value *value)
{
	value_copy(value, &range->first);
	if (range->kind == 0)
		return;
	if (param->type == BB_NUMBER)
		value->number = number_at(range, index);
	else if (range->kind == '+' && is_natural(param))
		value->natural += index * range->step.natural;
	else if (range->kind == '+')
		value->integer = (int64_t)((uint64_t)value->integer +
			index * (uint64_t)range->step.integer);
	else if (is_natural(param))
		value->natural = scaled(value->natural, range->factor, index, range->last.natural);
	else /* begins above 0 */
		value->integer = (int64_t)scaled((uint64_t)value->integer, range->factor, index,
			(uint64_t)range->last.integer);
}

static int count_all(const struct param *param, const char *text, uint64_t *total,
	struct error *error)
{
	bool several = strchr(text, ',') != NULL;
	struct text element = { 0 };
	const char *list = text;
	int result = 0;

	*total = 0;
	while (result == 0 && next_element(param, &list, &element)) {
		struct range range;

		if (several && element.data[strspn(element.data, BLANKS)] == '\0') {
			result = error_set(error, EINVAL,
				"%s: \"%.80s\" has nothing between two commas or at an end; write "
				"the values with one comma between them",
				param->name, text);
			break;
		}
		result = measure(param, element.data, &range, error);
		if (result == 0 && __builtin_add_overflow(*total, range.count, total))
			*total = UINT64_MAX;
		value_finish(&range.first);
	}
	text_finish(&element);
	if (result == 0 && *total > SWEEP_MAX)
		result = error_set(error, E2BIG,
			"%s: \"%.80s\" makes %" PRIu64 " values, at most %d are possible; take a "
			"larger step",
			param->name, text, *total, SWEEP_MAX);
	return result;
}

int sweep_parse(const struct param *param, const char *text, struct sweep *sweep,
	struct error *error)
{
	struct text element = { 0 };
	const char *list = text;
	struct range range;
	uint64_t total;
	int result;

	*sweep = (struct sweep){ 0 };
	result = count_all(param, text, &total, error);
	if (result < 0)
		return result;
	sweep->values = mem_zalloc((size_t)total, sizeof(*sweep->values));
	while (next_element(param, &list, &element) &&
		measure(param, element.data, &range, NULL) == 0) {
		for (uint64_t i = 0; i < range.count; i++)
			make_value(param, &range, i, &sweep->values[sweep->len++]);
		value_finish(&range.first);
	}
	text_finish(&element);
	return 0;
}

void sweep_finish(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->len; i++)
		value_finish(&sweep->values[i]);
	free(sweep->values);
	*sweep = (struct sweep){ 0 };
}

char *sweep_format(const struct param *param, const struct sweep *sweep)
{
	struct text text = { 0 };

	for (size_t i = 0; i < sweep->len; i++) {
		_autofree_ char *value = value_format(param, &sweep->values[i]);

		text_add(&text, "%s%s", i ? ", " : "", value);
	}
	return text_steal(&text);
}

char *sweep_format_plain(const struct param *param, const struct sweep *sweep)
{
	struct text text = { 0 };

	for (size_t i = 0; i < sweep->len; i++) {
		_autofree_ char *value = value_format_plain(param, &sweep->values[i]);

		if (i)
			text_add_bytes(&text, ",", 1);
		for (const char *c = value; *c; c++) {
			if (is_text(param) && (*c == ',' || *c == '\\'))
				text_add_bytes(&text, "\\", 1);
			text_add_bytes(&text, c, 1);
		}
	}
	return text_steal(&text);
}
