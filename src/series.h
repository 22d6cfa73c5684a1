/* SPDX-License-Identifier: MIT */
/* A rate over time in constant memory: when the buckets are full, two become one and each spans twice the
 * time. Spikes survive as min and max. */
#ifndef BB_SERIES_H
#define BB_SERIES_H

#include <stddef.h>
#include <stdint.h>

#define SERIES_BUCKETS 512

struct series_bucket {
	float mean, min, max;
};

struct series {
	uint64_t start_ns;      /* of the first bucket */
	uint64_t bucket_ns;     /* time that one spans */
	struct series_bucket buckets[SERIES_BUCKETS];
	size_t len;             /* full buckets, the one being filled not counted */
	double sum, weight_ns;  /* of the one being filled */
	float filling_min, filling_max;
	float last;             /* newest value; 0 when empty */
	float max;              /* largest value ever */
};

void series_start(struct series *series, uint64_t start_ns, uint64_t bucket_ns);
/* `value` held for the `span_ns` before now. */
void series_add(struct series *series, uint64_t span_ns, double value);
/* Fill out[0..columns-1] with the newest `columns` stretches of the whole series resampled so that all of it
 * fits (or all buckets when fewer); returns how many were filled. */
size_t series_resample(const struct series *series, struct series_bucket *out, size_t columns);

#endif
