/* SPDX-License-Identifier: MIT
 *
 * Reads and splits whole quantities with a unit, exactly. */
#include "quantity.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)
#define US UINT64_C(1000)
#define MS (1000 * US)
#define SECOND (1000 * MS)
#define FRACTION_DIGITS_MAX 18 /* 10^18 is the largest power of ten with room below 2^64 */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* How much of `text` is the number; *point is where its decimal point or end is. 0: none. */
static size_t scan_number(const char *text, size_t *point)
{
	size_t length = 0, digits = 0;

	while (is_digit(text[length])) {
		length++;
		digits++;
	}
	*point = length;
	if (text[length] == '.') {
		length++;
		while (is_digit(text[length])) {
			length++;
			digits++;
		}
	}
	return digits ? length : 0;
}

static bool find_factor(const char *rest, const struct quantity_unit *units, const char *own,
	uint64_t *factor)
{
	for (const struct quantity_unit *unit = units; unit->name; unit++) {
		size_t length = strlen(unit->name);

		if (strncasecmp(rest, unit->name, length) != 0)
			continue;
		if (rest[length] && (!own || strcasecmp(rest + length, own) != 0))
			continue;
		*factor = unit->factor;
		return true;
	}
	return false;
}

static enum quantity_fault scale_whole(const char *digits, size_t length, uint64_t factor,
	uint64_t *value)
{
	uint64_t whole = 0;

	for (size_t i = 0; i < length; i++)
		if (__builtin_mul_overflow(whole, (uint64_t)10, &whole) ||
			__builtin_add_overflow(whole, (uint64_t)(digits[i] - '0'), &whole))
			return QUANTITY_OVERFLOW;
	if (__builtin_mul_overflow(whole, factor, &whole))
		return QUANTITY_OVERFLOW;
	*value = whole;
	return QUANTITY_FINE;
}

/* 0.DIGITS times factor, which must be whole. The tens below the line are shortened against both
 * numbers above it; the product is then below `factor` and cannot overflow. */
static enum quantity_fault scale_fraction(const char *digits, size_t length, uint64_t factor,
	uint64_t *value)
{
	static const uint64_t primes[] = { 2, 5 };
	uint64_t fraction = 0;

	while (length > 0 && digits[length - 1] == '0')
		length--;
	if (length > FRACTION_DIGITS_MAX)
		return QUANTITY_NOT_WHOLE;
	for (size_t i = 0; i < length; i++)
		fraction = fraction * 10 + (uint64_t)(digits[i] - '0');
	for (size_t i = 0; i < 2 * length; i++) {
		uint64_t prime = primes[i & 1];

		if (fraction % prime == 0)
			fraction /= prime;
		else if (factor % prime == 0)
			factor /= prime;
		else
			return QUANTITY_NOT_WHOLE;
	}
	*value = fraction * factor;
	return QUANTITY_FINE;
}

enum quantity_fault quantity_parse(const char *text, const struct quantity_unit *units,
	const char *own, uint64_t *value, const char **rest)
{
	uint64_t factor, whole = 0, fraction = 0;
	enum quantity_fault fault;
	size_t length, point;

	*rest = text;
	if (*text == '+')
		text++;
	else if (*text == '-' && scan_number(text + 1, &point) > 0)
		return QUANTITY_NEGATIVE;
	length = scan_number(text, &point);
	if (length == 0)
		return QUANTITY_NO_NUMBER;
	*rest = text + length + strspn(text + length, " \t");
	if (!find_factor(*rest, units, own, &factor)) {
		if (**rest)
			return QUANTITY_WRONG_UNIT;
		if (text[strspn(text, "0.")]) /* zero is zero in any unit */
			return QUANTITY_NO_UNIT;
		factor = 1;
	}
	fault = scale_whole(text, point, factor, &whole);
	if (fault == QUANTITY_FINE && length > point)
		fault = scale_fraction(text + point + 1, length - point - 1, factor, &fraction);
	if (fault != QUANTITY_FINE)
		return fault;
	if (__builtin_add_overflow(whole, fraction, &whole))
		return QUANTITY_OVERFLOW;
	*value = whole;
	return QUANTITY_FINE;
}

void quantity_split_size(uint64_t bytes, uint64_t *number, const char **unit)
{
	uint64_t factor = 1;

	*unit = "";
	if (bytes && bytes % GIB == 0) {
		factor = GIB;
		*unit = "GiB";
	} else if (bytes && bytes % MIB == 0) {
		factor = MIB;
		*unit = "MiB";
	}
	*number = bytes / factor;
}

void quantity_split_duration(uint64_t ns, uint64_t *number, const char **unit)
{
	static const struct quantity_unit units[] = {
		{ "s", SECOND },
		{ "ms", MS },
		{ "us", US },
		{ "ns", 1 },
	};
	size_t i = 0;

	while (ns % units[i].factor)
		i++;
	*number = ns / units[i].factor;
	*unit = units[i].name;
}

const struct quantity_unit quantity_sizes[] = {
	{ "", 1 },
	{ "B", 1 },
	{ "K", KIB },
	{ "KiB", KIB },
	{ "kB", 1000 },
	{ "M", MIB },
	{ "MiB", MIB },
	{ "MB", 1000 * 1000 },
	{ "G", GIB },
	{ "GiB", GIB },
	{ "GB", UINT64_C(1000) * 1000 * 1000 },
	{ "T", TIB },
	{ "TiB", TIB },
	{ "TB", UINT64_C(1000) * 1000 * 1000 * 1000 },
	{ NULL, 0 },
};

const struct quantity_unit quantity_durations[] = {
	{ "ns", 1 },
	{ "us", US },
	{ "\xc2\xb5s", US }, /* micro sign */
	{ "\xce\xbcs", US }, /* Greek mu */
	{ "ms", MS },
	{ "s", SECOND },
	{ "min", 60 * SECOND },
	{ "h", 3600 * SECOND },
	{ NULL, 0 },
};

const struct quantity_unit quantity_rates[] = {
	{ "", 1 },
	{ "k", 1000 },
	{ "M", 1000 * 1000 },
	{ "G", UINT64_C(1000) * 1000 * 1000 },
	{ NULL, 0 },
};
