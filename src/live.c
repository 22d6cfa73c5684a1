/* SPDX-License-Identifier: MIT
 * Live figures from the shared counters. */
#include "live.h"

#include <string.h>

#include "mem.h"

#define SERIES_BUCKET_NS UINT64_C(200000000)

bool live_counter_value(const struct metric *metric, uint64_t amount, double seconds, double *value)
{
	if (metric->source == BB_TOTAL_OF) {
		*value = (double)amount * metric->scale;
		return true;
	}
	if (seconds <= 0)
		return false;
	if (metric->source == BB_RATE_OF)
		*value = (double)amount / seconds * metric->scale;
	else if (metric->source == BB_PERIOD_OF && amount > 0)
		*value = seconds / (double)amount * metric->scale;
	else
		return false;
	return true;
}

void live_init(struct live *live, const struct module_info *info)
{
	*live = (struct live){ .info = info, .primary = info->metrics_len };
	live->metrics = mem_zalloc(info->metrics_len, sizeof(*live->metrics));
	for (size_t i = 0; i < info->metrics_len; i++)
		live->metrics[i].metric = &info->metrics[i];
}

void live_finish(struct live *live)
{
	free(live->metrics);
	*live = (struct live){ 0 };
}

static void take_reading(const struct pass *pass, struct live_reading *reading)
{
	reading->time_ns = clock_now();
	for (unsigned i = 0; i < BB_COUNTERS_MAX; i++)
		reading->counters[i] = pass_counter(pass, i);
}

void live_begin(struct live *live, const struct pass *pass)
{
	take_reading(pass, &live->first);
	live->last = live->interval = live->first;
	live->started = true;
	live->primary = live->info->metrics_len;
	for (size_t i = 0; i < live->info->metrics_len; i++)
		live->metrics[i] = (struct live_metric){ .metric = &live->info->metrics[i] };
	series_start(&live->series, live->first.time_ns, SERIES_BUCKET_NS);
}

static double seconds_between(const struct live_reading *from, const struct live_reading *to)
{
	return (double)(to->time_ns - from->time_ns) / 1e9;
}

static void sample_counter(struct live_metric *line, const struct live *live,
	const struct live_reading *now, bool interval_over)
{
	const struct metric *metric = line->metric;
	uint64_t total = now->counters[metric->index] - live->first.counters[metric->index];
	uint64_t recent = now->counters[metric->index] - live->interval.counters[metric->index];
	double value;

	if (total == 0 && metric->source != BB_TOTAL_OF)
		return;
	if (!live_counter_value(metric, total, seconds_between(&live->first, now), &line->mean))
		return;
	bool first = !line->known;
	line->known = true;
	if (metric->source == BB_TOTAL_OF || first)
		line->now = line->min = line->max = line->mean;
	if (metric->source == BB_TOTAL_OF || !interval_over ||
		!live_counter_value(metric, recent, seconds_between(&live->interval, now), &value))
		return;
	line->now = value;
	/* The first interval replaces what stood in for it. */
	bool only = live->interval.time_ns == live->first.time_ns;
	line->min = only || value < line->min ? value : line->min;
	line->max = only || value > line->max ? value : line->max;
}

static void sample_histogram(struct live_metric *line, const struct pass *pass)
{
	struct histogram *sum = mem_zalloc(2, sizeof(*sum));

	for (size_t i = 0; i < pass->instances; i++) {
		if (!pass->workers[i].process.shared)
			continue;
		shared_copy_histogram(&pass->workers[i].process.shared->histograms[line->metric->index],
			&sum[1]);
		histogram_merge(&sum[0], &sum[1]);
	}
	line->known = sum->count > 0;
	if (line->known) {
		line->now = histogram_percentile(sum, 0.5) * line->metric->scale;
		line->mean = sum->sum / (double)sum->count * line->metric->scale;
		line->min = (double)sum->min * line->metric->scale;
		line->max = (double)sum->max * line->metric->scale;
	}
	free(sum);
}

static void sample_gauge(struct live_metric *line, const struct pass *pass)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < pass->instances; i++) {
		struct shared *shared = pass->workers[i].process.shared;
		if (!shared || !(atomic_load(&shared->gauges_set) & 1u << line->metric->index))
			continue;
		sum += counter_get_double(&shared->gauges[line->metric->index]);
		count++;
	}
	line->known = count > 0;
	if (count)
		line->now = line->mean = line->min = line->max = sum / (double)count * line->metric->scale;
}

static void sample_series(struct live *live, const struct live_reading *now)
{
	const struct live_metric *primary;
	double value;

	for (size_t i = 0; live->primary == live->info->metrics_len && i < live->info->metrics_len; i++)
		if (live->metrics[i].known && (live->metrics[i].metric->source == BB_RATE_OF ||
			live->metrics[i].metric->source == BB_PERIOD_OF))
			live->primary = i;
	if (live->primary == live->info->metrics_len)
		return;
	primary = &live->metrics[live->primary];
	uint64_t amount = now->counters[primary->metric->index] -
		live->last.counters[primary->metric->index];
	if (live_counter_value(primary->metric, amount, seconds_between(&live->last, now), &value))
		series_add(&live->series, now->time_ns - live->last.time_ns, value);
}

void live_sample(struct live *live, const struct pass *pass)
{
	struct live_reading now;

	if (!live->started)
		return;
	take_reading(pass, &now);
	bool interval_over = now.time_ns - live->interval.time_ns >= LIVE_INTERVAL_NS;
	for (size_t i = 0; i < live->info->metrics_len; i++) {
		struct live_metric *line = &live->metrics[i];
		if (line->metric->source == BB_HISTOGRAM) {
			if (interval_over)
				sample_histogram(line, pass);
		} else if (line->metric->source == BB_GAUGE) {
			sample_gauge(line, pass);
		} else {
			sample_counter(line, live, &now, interval_over);
		}
	}
	sample_series(live, &now);
	live->last = now;
	if (interval_over)
		live->interval = now;
}

void live_worker_sample(const struct pass_worker *worker, struct live_worker *line, uint64_t now_ns,
	struct live_reading *last)
{
	const struct shared *shared = worker->process.shared;
	const struct module_info *info = worker->subsystem->info;

	line->subsystem = worker->subsystem;
	line->alive = worker->state < RUN_CLEANING;
	if (!shared)
		return;
	memcpy(line->phase, shared->phase, sizeof(line->phase));
	line->phase[sizeof(line->phase) - 1] = '\0';
	double seconds = (double)(now_ns - last->time_ns) / 1e9;
	for (size_t i = 0; i < info->metrics_len; i++) {
		const struct metric *metric = &info->metrics[i];
		double value;
		if (metric->source != BB_RATE_OF && metric->source != BB_PERIOD_OF)
			continue;
		uint64_t amount = counter_get(&shared->counters[metric->index]) -
			last->counters[metric->index];
		if (amount && last->time_ns && live_counter_value(metric, amount, seconds, &value)) {
			line->primary.metric = metric;
			line->primary.known = true;
			line->primary.now = value;
			break;
		}
	}
	last->time_ns = now_ns;
	for (size_t i = 0; i < BB_COUNTERS_MAX; i++)
		last->counters[i] = counter_get(&shared->counters[i]);
}
