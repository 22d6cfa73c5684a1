/* SPDX-License-Identifier: MIT */
/* A host for one module without a workbench: a clock wound by hand, and a memory of all it was told. */
#ifndef FAKE_HOST_H
#define FAKE_HOST_H

#include <boardbench/module.h>

#define FAKE_TEXTS 64

struct fake_texts {
	char *items[FAKE_TEXTS];
	size_t len;
};

struct fake_host {
	struct bb_context ctx; /* first: the module's calls are cast back from it */
	const struct bb_module *module;
	uint64_t clock;  /* what now() says; wait() moves it to its end */
	uint64_t tick;   /* by how much each call of now() moves it afterwards */
	uint64_t counters[BB_COUNTERS_MAX];
	double gauges[BB_GAUGES_MAX];
	bool gauge_set[BB_GAUGES_MAX];
	struct {
		uint64_t count, sum, min, max;
	} histograms[BB_HISTOGRAMS_MAX];
	double progress;
	int error; /* of the first fail(), positive; 0: none */
	char failure[512];
	struct fake_texts phases, notes, suspects;
	struct fake_texts actuals;             /* "file_size=4096" */
	struct fake_texts facts;               /* "device=sda" */
	struct fake_texts offers;              /* "/media: sda, ext4" */
	unsigned offers_ready;
	struct fake_texts created, written;    /* paths of changes */
	int refuse_change;                     /* positive errno: change() fails with it */
};

/* Everything zero, the defaults of the module's parameters in its configuration. */
void fake_init(struct fake_host *fake, const struct bb_module *module);
/* Free what was kept and the configuration; calls nothing of the module. */
void fake_finish(struct fake_host *fake);
/* Set a parameter from text; fails the test when there is none such, or it cannot be read. */
void fake_set(struct fake_host *fake, const char *name, const char *text);
/* The first text that begins with `start`, or NULL. */
const char *fake_find(const struct fake_texts *texts, const char *start);

int fake_prepare(struct fake_host *fake);
/* Steps until it does not go on, or `max` of them. Returns what the last one did. */
int fake_run(struct fake_host *fake, unsigned max);
void fake_cleanup(struct fake_host *fake);

#endif
