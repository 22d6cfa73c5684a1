/* SPDX-License-Identifier: MIT */
/* Fuzzes the parser of /proc/stat and the load made from it: always from 0 to 100 per cent. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* With room for the rounding of sums of doubles. */
static void check_share(double share)
{
	if (!(share >= -1e-6 && share <= 100 + 1e-6))
		abort();
}

static void check_load(const struct cpu_load *load)
{
	check_share(load->load);
	check_share(load->user + load->system + load->irq + load->softirq + load->iowait + load->steal);
	for (uint32_t i = 0; i < load->cpus_len; i++)
		if (!(load->cpus[i] >= -1 && load->cpus[i] <= 100.001f))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cpu_snapshot before, after;
	struct cpu_load load;
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	/* A line "--" parts the two readings; without it the first one is all zero. */
	char *second = strstr(text, "--\n");
	if (second)
		*second = '\0';
	int result = cpu_parse(second ? text : "cpu 0\n", &before, NULL);
	if (cpu_parse(second ? second + 3 : text, &after, NULL) == 0 && result == 0) {
		after.time_ns = 1000000000;
		cpu_between(&before, &after, &load);
		check_load(&load);
	}
	free(text);
	return 0;
}
