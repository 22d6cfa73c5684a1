/* SPDX-License-Identifier: MIT
 *
 * Figures and times as screens and tables show them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "value.h"

#define DECIMALS_MAX 9 /* smaller than that is shown with an exponent */

/* The limits are where rounding to so many digits reaches the next power of ten. */
static int decimals_of(double size)
{
	int decimals = 2;

	if (size >= 999.995)
		return 0;
	if (size == 0)
		return 2;
	for (double limit = 0.9995; size < limit && decimals <= DECIMALS_MAX; limit /= 10)
		decimals++;
	return decimals;
}

char *number_format(double number, char *buffer, size_t size)
{
	int decimals;

	if (!isfinite(number)) {
		snprintf(buffer, size, "-");
		return buffer;
	}
	decimals = decimals_of(fabs(number));
	if (decimals > DECIMALS_MAX || fabs(number) >= 1e15)
		snprintf(buffer, size, "%.2e", number);
	else
		snprintf(buffer, size, "%.*f", decimals, number);
	return buffer;
}

char *elapsed_format(double seconds, char *buffer, size_t size)
{
	uint64_t whole;

	if (!isfinite(seconds) || seconds < 0 || seconds > 1e12) {
		snprintf(buffer, size, "--:--");
		return buffer;
	}
	whole = (uint64_t)seconds;
	if (whole < 3600)
		snprintf(buffer, size, "%02" PRIu64 ":%02" PRIu64, whole / 60, whole % 60);
	else
		snprintf(buffer, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600,
			whole / 60 % 60, whole % 60);
	return buffer;
}
