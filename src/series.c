/* SPDX-License-Identifier: MIT
 * A rate over time in constant memory. */
#include "series.h"

#include <math.h>
#include <string.h>

/* A timer that is a little early or late must not part a value between two buckets, or put two in one. */
#define TOLERANCE 0.1

void series_start(struct series *series, uint64_t start_ns, uint64_t bucket_ns)
{
	memset(series, 0, sizeof(*series));
	series->start_ns = start_ns;
	series->bucket_ns = bucket_ns;
}

static void merge_bucket(struct series_bucket *into, const struct series_bucket *from, double into_weight)
{
	into->mean = (float)((into->mean * into_weight + from->mean) / (into_weight + 1));
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

static void halve(struct series *series)
{
	for (size_t i = 0; i < SERIES_BUCKETS / 2; i++) {
		series->buckets[i] = series->buckets[2 * i];
		merge_bucket(&series->buckets[i], &series->buckets[2 * i + 1], 1);
	}
	series->len = SERIES_BUCKETS / 2;
	series->bucket_ns *= 2;
}

static void close_bucket(struct series *series)
{
	series->buckets[series->len++] = (struct series_bucket){
		.mean = (float)(series->sum / series->weight_ns),
		.min = series->filling_min, .max = series->filling_max };
	series->sum = series->weight_ns = 0;
	/* Now, while none is being filled: that one would have the length of before. */
	if (series->len == SERIES_BUCKETS)
		halve(series);
}

static void fill(struct series *series, double span_ns, double slack, float narrow, double value)
{
	if (series->weight_ns <= 0 || narrow < series->filling_min)
		series->filling_min = narrow;
	if (series->weight_ns <= 0 || narrow > series->filling_max)
		series->filling_max = narrow;
	series->sum += value * span_ns;
	series->weight_ns += span_ns;
	if (series->weight_ns + slack >= (double)series->bucket_ns)
		close_bucket(series);
}

void series_add(struct series *series, uint64_t span_ns, double value)
{
	float narrow = (float)value;
	double rest = (double)span_ns;

	if (span_ns == 0)
		return;
	if (narrow > series->max)
		series->max = narrow;
	series->last = narrow;
	while (rest > 0) {
		double room = (double)series->bucket_ns - series->weight_ns;
		double slack = TOLERANCE * fmin((double)span_ns, (double)series->bucket_ns);
		double part = rest <= room + slack ? rest : room;
		fill(series, part, slack, narrow, value);
		rest -= part;
	}
}

size_t series_resample(const struct series *series, struct series_bucket *out, size_t columns)
{
	if (columns == 0 || series->len == 0)
		return 0;
	if (series->len <= columns) {
		memcpy(out, series->buckets, series->len * sizeof(*out));
		return series->len;
	}
	for (size_t i = 0; i < columns; i++) {
		size_t first = i * series->len / columns, end = (i + 1) * series->len / columns;
		out[i] = series->buckets[first];
		for (size_t j = first + 1; j < end; j++)
			merge_bucket(&out[i], &series->buckets[j], (double)(j - first));
	}
	return columns;
}
