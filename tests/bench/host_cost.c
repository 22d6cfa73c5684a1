/* SPDX-License-Identifier: MIT
 * What a module pays for the host's services: nanoseconds for one count(), sample() and now(). Median of nine. */
#include <stdio.h>
#include <stdlib.h>

#include "loop.h"
#include "worker_host.h"

#define CALLS 20000000u

static void do_count(struct bb_context *context)
{
	for (uint32_t i = 0; i < CALLS; i++)
		bb_count(context, 0, i);
}

static void do_sample(struct bb_context *context)
{
	for (uint32_t i = 0; i < CALLS; i++)
		bb_sample(context, 0, 1000 + (i * 2654435761u >> 20));
}

static void do_now(struct bb_context *context)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < CALLS; i++)
		sum += bb_now(context);
	bb_count(context, 1, sum);
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

int main(void)
{
	static const struct { const char *name; void (*call)(struct bb_context *context); } calls[] = {
		{ "count", do_count }, { "sample", do_sample }, { "now", do_now },
	};
	static const struct module_info info;
	struct worker_host host;
	struct shared *shared;

	if (shared_create(&shared, NULL) < 0)
		return 1;
	worker_host_init(&host, &info, -1, shared, NULL);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		double times[9];
		for (size_t j = 0; j < 9; j++) {
			uint64_t begin = clock_now();
			calls[i].call(&host.context);
			times[j] = (double)(clock_now() - begin) / CALLS;
		}
		qsort(times, 9, sizeof(times[0]), compare);
		printf("%-8s %.2f ns (%.2f .. %.2f)\n", calls[i].name, times[4], times[0], times[8]);
	}
	return 0;
}
