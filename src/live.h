/* SPDX-License-Identifier: MIT */
/* The figures of a pass as they stand: rates from the counters, 10 times a second. */
#ifndef BB_LIVE_H
#define BB_LIVE_H

#include "pass.h"
#include "run.h"
#include "series.h"

#define LIVE_INTERVAL_NS UINT64_C(500000000) /* that "now", min and max are of */

struct live_reading {
	uint64_t time_ns;
	uint64_t counters[BB_COUNTERS_MAX];
};

struct live {
	const struct module_info *info;
	struct live_metric *metrics; /* one for each of the module */
	struct live_reading first;   /* at the start of the timed part, or of the warm-up */
	struct live_reading last;    /* of the last 0.1 s, for the series */
	struct live_reading interval; /* of the last LIVE_INTERVAL_NS */
	struct series series;        /* of the primary metric */
	size_t primary;              /* metrics_len of the module: none has data yet */
	bool started;
};

void live_init(struct live *live, const struct module_info *info);
void live_finish(struct live *live);
/* Begin anew at what the counters say now. */
void live_begin(struct live *live, const struct pass *pass);
/* Take a reading. */
void live_sample(struct live *live, const struct pass *pass);
/* The primary metric's rate for one worker since the given counters, for the lines of loads. */
void live_worker_sample(const struct pass_worker *worker, struct live_worker *line, uint64_t now_ns,
	struct live_reading *last);

/* value of a metric made of a counter: the amount over seconds. false: unknown. */
bool live_counter_value(const struct metric *metric, uint64_t amount, double seconds, double *value);

#endif
