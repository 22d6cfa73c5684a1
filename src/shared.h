/* SPDX-License-Identifier: MIT */
/* Memory shared between the workbench and one worker: counters, gauges, histograms, and the two words by
 * which the host is told to begin and to stop. One writer each; the reader never stops the writer. */
#ifndef BB_SHARED_H
#define BB_SHARED_H

#include <boardbench/module.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "histogram.h"

/* A 64-bit counter with one writer. Where 64-bit loads and stores are one instruction it is just that;
 * on 32-bit cores (the ARM926 has no 64-bit atomics, an ARMv7's are locked loops) the high word is kept
 * twice, and a reader that finds the two different reads again. */
#if UINTPTR_MAX > 0xffffffffu
struct counter {
	_Atomic uint64_t value;
};

static inline void counter_add(struct counter *counter, uint64_t amount)
{
	atomic_store_explicit(&counter->value,
		atomic_load_explicit(&counter->value, memory_order_relaxed) + amount,
		memory_order_relaxed);
}

static inline void counter_set(struct counter *counter, uint64_t value)
{
	atomic_store_explicit(&counter->value, value, memory_order_relaxed);
}

static inline uint64_t counter_get(const struct counter *counter)
{
	return atomic_load_explicit(&((struct counter *)(uintptr_t)counter)->value,
		memory_order_relaxed);
}
#else
struct counter {
	_Atomic uint32_t low, high, high_again;
};

static inline void counter_set(struct counter *counter, uint64_t value)
{
	uint32_t high = (uint32_t)(value >> 32);

	if (atomic_load_explicit(&counter->high, memory_order_relaxed) == high) {
		atomic_store_explicit(&counter->low, (uint32_t)value, memory_order_relaxed);
		return;
	}
	atomic_store_explicit(&counter->high_again, high, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&counter->low, (uint32_t)value, memory_order_relaxed);
	atomic_store_explicit(&counter->high, high, memory_order_release);
}

static inline uint64_t counter_get(const struct counter *counter)
{
	struct counter *shared = (struct counter *)(uintptr_t)counter;

	for (;;) {
		uint32_t high = atomic_load_explicit(&shared->high, memory_order_acquire);
		uint32_t low = atomic_load_explicit(&shared->low, memory_order_acquire);
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&shared->high_again, memory_order_relaxed) == high)
			return (uint64_t)high << 32 | low;
	}
}

static inline void counter_add(struct counter *counter, uint64_t amount)
{
	counter_set(counter, counter_get(counter) + amount);
}
#endif

/* Doubles travel as their bits. */
static inline void counter_set_double(struct counter *counter, double value)
{
	uint64_t bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	counter_set(counter, bits);
}

static inline double counter_get_double(const struct counter *counter)
{
	uint64_t bits = counter_get(counter);
	double value;

	__builtin_memcpy(&value, &bits, sizeof(value));
	return value;
}

struct shared_histogram {
	struct counter count, sum, sum_squares, min, max; /* sum and sum_squares: doubles */
	_Atomic uint32_t buckets[HISTOGRAM_BUCKETS];      /* 4e9 values in one bucket: enough for weeks */
};

/* Order of a worker's life; the workbench sets `command`, the worker everything else. */
enum shared_command { COMMAND_NONE, COMMAND_BEGIN, COMMAND_MEASURE, COMMAND_FINISH, COMMAND_STOP };

struct shared {
	_Atomic uint32_t command;     /* enum shared_command; only ever raised */
	struct counter begin_ns;      /* when all instances begin together; set before COMMAND_BEGIN */
	struct counter steps;         /* calls of step() so far: something moves */
	struct counter progress;      /* double, 0..1; < 0 unknown */
	struct counter counters[BB_COUNTERS_MAX];
	struct counter gauges[BB_GAUGES_MAX]; /* doubles */
	_Atomic uint32_t gauges_set;  /* bit per gauge */
	char phase[48];               /* for display only: may be read half-written */
	struct shared_histogram histograms[BB_HISTOGRAMS_MAX];
};

/* Make one (memfd, else an unlinked file in /dev/shm or /tmp). Returns the fd, or -errno with a message; *shared is
 * mapped. */
int shared_create(struct shared **shared, struct error *error);
struct shared *shared_map(int fd); /* NULL: errno */
void shared_unmap(struct shared *shared);

void shared_record(struct shared_histogram *histogram, uint64_t value);
void shared_clear(struct shared *shared); /* histograms and gauges: at the end of the warm-up */
void shared_copy_histogram(const struct shared_histogram *shared, struct histogram *histogram);

#endif
