/* SPDX-License-Identifier: MIT */
/* Log-linear histogram of 64-bit values.
 *
 * Values below 2^HISTOGRAM_BITS have a bucket each; above, each power of two is cut into
 * 2^HISTOGRAM_BITS equal buckets. So a bucket's width is at most 1/32 of its lower end, and a percentile
 * told by the middle of its bucket is off by at most 1/64 of the value (1.6 %). The construction is that
 * of fio's stat.h and of HdrHistogram. */
#ifndef BB_HISTOGRAM_H
#define BB_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_BITS 5
#define HISTOGRAM_BUCKETS ((64 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS)
#define HISTOGRAM_ERROR (1.0 / 64)

static inline unsigned histogram_bucket(uint64_t value)
{
	if (value < UINT64_C(1) << HISTOGRAM_BITS)
		return (unsigned)value;
	unsigned shift = 63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_BITS;
	return ((shift + 1) << HISTOGRAM_BITS) + (unsigned)((value >> shift) & ((1u << HISTOGRAM_BITS) - 1));
}

/* Lowest value of the bucket, and how many values it spans. */
uint64_t histogram_low(unsigned bucket, uint64_t *width);

/* A copy for the workbench, summed over instances. Zero-initialise. */
struct histogram {
	uint64_t count, min, max;
	double sum, sum_squares; /* of the exact values */
	uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* The value that `fraction` (0..1) of the values do not exceed; exact at 0 and 1; 0 when empty. */
double histogram_percentile(const struct histogram *histogram, double fraction);
void histogram_merge(struct histogram *into, const struct histogram *from);

#endif
