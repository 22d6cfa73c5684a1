/* SPDX-License-Identifier: MIT
 * Percentiles and sums of log-linear histograms. */
#include "histogram.h"

#include <math.h>

uint64_t histogram_low(unsigned bucket, uint64_t *width)
{
	unsigned group = bucket >> HISTOGRAM_BITS;
	uint64_t within = bucket & ((1u << HISTOGRAM_BITS) - 1);

	if (group == 0) {
		*width = 1;
		return within;
	}
	*width = UINT64_C(1) << (group - 1);
	return ((UINT64_C(1) << HISTOGRAM_BITS) + within) << (group - 1);
}

double histogram_percentile(const struct histogram *histogram, double fraction)
{
	uint64_t wanted, seen = 0;

	if (histogram->count == 0)
		return 0;
	if (fraction <= 0)
		return (double)histogram->min;
	if (fraction >= 1)
		return (double)histogram->max;
	wanted = (uint64_t)ceil(fraction * (double)histogram->count);
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += histogram->buckets[i];
		if (seen < wanted)
			continue;
		uint64_t width, low = histogram_low(i, &width);
		double middle = (double)low + ((double)width - 1) / 2;
		return fmin(fmax(middle, (double)histogram->min), (double)histogram->max);
	}
	return (double)histogram->max;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	if (from->count == 0)
		return;
	if (into->count == 0 || from->min < into->min)
		into->min = from->min;
	if (into->count == 0 || from->max > into->max)
		into->max = from->max;
	into->count += from->count;
	into->sum += from->sum;
	into->sum_squares += from->sum_squares;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}
