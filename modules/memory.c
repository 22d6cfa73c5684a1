/* SPDX-License-Identifier: MIT */
/* The memory module: bandwidth as STREAM and lmbench count it, and the latency of one load. */
#include <boardbench/module.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"

#define STEP_NS UINT64_C(4000000) /* a step takes about as long */
#define REPEAT_MAX (UINT64_C(1) << 20)
#define LINE 64

enum memory_operation { COPY, SCALE, ADD, TRIAD, READ, WRITE, BCOPY, FILL, LATENCY };

static const char *const operations[] = { "copy", "scale", "add", "triad", "read", "write", "bcopy",
	"fill", "latency", NULL };

/* How many arrays an operation touches, and how many of them count: STREAM counts a byte read and a
 * byte written as one each, lmbench counts a byte that was handled once. */
static const struct {
	unsigned arrays, counted;
} shape_of[] = {
	[COPY] = { 2, 2 }, [SCALE] = { 2, 2 }, [ADD] = { 3, 3 }, [TRIAD] = { 3, 3 },
	[READ] = { 1, 1 }, [WRITE] = { 1, 1 }, [BCOPY] = { 2, 1 }, [FILL] = { 1, 1 },
	[LATENCY] = { 1, 0 },
};

enum memory_order { ORDER_STRIDE, ORDER_RANDOM };

static const char *const orders[] = { "stride", "random", NULL };

struct memory_config {
	int32_t operation;
	uint64_t size;
	uint64_t stride;
	int32_t order;
};

struct memory_state {
	char *mapping;
	size_t mapping_size;
	char *arrays[3];
	size_t size;     /* of one array, a multiple of 8 */
	size_t piece;    /* bytes of each array that one call of a loop handles */
	size_t at;       /* where the next piece starts */
	uint64_t repeat; /* calls in one step; for latency: loads */
	void **place;
	bool begun;
};

enum { COUNT_BYTES, COUNT_LOADS };
enum { PARAM_OPERATION, PARAM_SIZE, PARAM_STRIDE, PARAM_ORDER };

/* The compiler must take it that memory was read and written here, so no call can be left out. */
static void keep(const void *pointer)
{
	__asm__ volatile("" : : "g"(pointer) : "memory");
}

/* Bytes that the kernel says are free for us; UINT64_MAX when it does not say (before Linux 3.14). */
static uint64_t memory_available(const char *root)
{
	char path[PATH_MAX], line[128];
	uint64_t kib, available = UINT64_MAX;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	FILE *file = fopen(path, "re");
	if (!file)
		return available;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) == 1)
			available = kib * 1024;
	}
	fclose(file);
	return available;
}

static uint64_t memory_needed(struct bb_context *ctx)
{
	const struct memory_config *config = ctx->config;

	return config->size * shape_of[config->operation].arrays;
}

static int memory_probe(struct bb_context *ctx)
{
	uint64_t available = memory_available(ctx->root);
	uint64_t needed = memory_needed(ctx);

	if (needed > available)
		return bb_fail(ctx, ENODEV,
			"%" PRIu64 " MiB are needed and %" PRIu64 " MiB are free: choose a smaller size",
			needed >> 20, available >> 20);
	return 0;
}

static void work(struct memory_state *state, int32_t operation)
{
	char *a = state->arrays[0] + state->at;
	char *b = state->arrays[1] + state->at;
	char *c = state->arrays[2] + state->at;
	size_t bytes = state->piece;
	size_t n = bytes / sizeof(double);

	/* mmap() aligned them, and `at` is a multiple of a cache line. */
	switch (operation) {
	case COPY:
		memory_copy((double *)(void *)b, (const double *)(void *)a, n);
		break;
	case SCALE:
		memory_scale((double *)(void *)b, (const double *)(void *)a, n);
		break;
	case ADD:
		memory_add((double *)(void *)c, (const double *)(void *)a, (const double *)(void *)b, n);
		break;
	case TRIAD:
		memory_triad((double *)(void *)c, (const double *)(void *)a, (const double *)(void *)b, n);
		break;
	case READ:
		keep((const void *)(uintptr_t)memory_read((const uint64_t *)(void *)a, n));
		break;
	case WRITE:
		memory_write((uint64_t *)(void *)a, n, 1);
		break;
	case BCOPY:
		memcpy(b, a, bytes);
		break;
	default:
		memset(a, 0, bytes);
		break;
	}
	keep(a);
	state->at += bytes;
	if (state->at + bytes > state->size)
		state->at = 0;
}

/* A ring through all places `stride` apart: backwards as lmbench's lat_mem_rd goes, or in an order
 * that no prefetcher guesses (Sattolo's shuffle: always one single ring). */
static void build_chain(struct memory_state *state, size_t stride, int32_t order)
{
	char *base = state->arrays[0];
	size_t n = state->size / stride;
	uint64_t random = 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < n; i++) {
		size_t next = order == ORDER_RANDOM ? i : (i ? i - 1 : n - 1);
		*(void **)(void *)(base + i * stride) = base + next * stride;
	}
	for (size_t i = n - 1; order == ORDER_RANDOM && i > 0; i--) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		void **one = (void **)(void *)(base + i * stride);
		void **other = (void **)(void *)(base + (size_t)(random % i) * stride);
		void *kept = *one;
		*one = *other;
		*other = kept;
	}
	state->place = (void **)(void *)base;
}

static int allocate(struct bb_context *ctx, struct memory_state *state)
{
	const struct memory_config *config = ctx->config;
	unsigned arrays = shape_of[config->operation].arrays;
	uint64_t each = (config->size + LINE - 1) / LINE * LINE;
	uint64_t total = each * arrays, available = memory_available(ctx->root);
	uint32_t instances = ctx->instances ? ctx->instances : 1;

	if (total > available / instances)
		return bb_fail(ctx, ENOMEM,
			"%u of %" PRIu64 " MiB each are needed on %u CPU, and %" PRIu64
			" MiB are free: choose a smaller size",
			arrays, each >> 20, instances, available >> 20);
	if (total > SIZE_MAX / 2)
		return bb_fail(ctx, ENOMEM, "%" PRIu64
			" MiB do not fit into the address space of this program: choose a smaller size",
			total >> 20);
	void *mapping = mmap(NULL, (size_t)total, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapping == MAP_FAILED)
		return bb_fail(ctx, errno, "cannot get %" PRIu64 " MiB of memory: %s; choose a smaller size",
			total >> 20, strerror(errno));
	state->mapping = mapping;
	state->mapping_size = (size_t)total;
	for (unsigned i = 0; i < 3; i++)
		state->arrays[i] = state->mapping + (i < arrays ? i : 0) * (size_t)each;
	state->size = (size_t)config->size / 8 * 8;
	return 0;
}

/* Every page is there before the clock runs, and the numbers are ones that keep the floating-point
 * unit on its fast path: neither zero nor denormal nor growing. */
static void touch(struct memory_state *state, int32_t operation)
{
	double *number = (double *)(void *)state->mapping;

	if (operation >= READ)
		memset(state->mapping, 1, state->mapping_size);
	else
		for (size_t i = 0; i < state->mapping_size / sizeof(double); i++)
			number[i] = 1.0;
}

/* Find pieces and repeats that make one step about STEP_NS long, so that the host can sample, stop
 * and count often enough and the two calls of the host per step cost nothing that shows. */
static void calibrate(struct bb_context *ctx, struct memory_state *state, int32_t operation)
{
	uint64_t begun, took;

	if (operation == LATENCY) {
		const uint64_t loads = 65536;
		state->place = memory_chase(state->place, (size_t)loads);
		begun = bb_now(ctx);
		state->place = memory_chase(state->place, (size_t)loads);
		keep(state->place);
		took = bb_now(ctx) - begun;
		state->repeat = loads * STEP_NS / (took ? took : 1) / 16 * 16;
		if (state->repeat < 1024)
			state->repeat = 1024;
		if (state->repeat > REPEAT_MAX * 16)
			state->repeat = REPEAT_MAX * 16;
		return;
	}
	state->piece = state->size;
	state->repeat = 1;
	work(state, operation);
	begun = bb_now(ctx);
	work(state, operation);
	took = bb_now(ctx) - begun;
	if (took > STEP_NS) {
		uint64_t pieces = took / STEP_NS + 1;
		state->piece = (size_t)(state->size / pieces / 4096 * 4096);
		if (state->piece < 4096)
			state->piece = 4096;
	} else {
		state->repeat = STEP_NS / (took ? took : 1);
		if (state->repeat < 1)
			state->repeat = 1;
		if (state->repeat > REPEAT_MAX)
			state->repeat = REPEAT_MAX;
	}
}

static int memory_prepare(struct bb_context *ctx)
{
	const struct memory_config *config = ctx->config;
	struct memory_state *state = ctx->state;

	if (config->operation == LATENCY) {
		if (config->stride % sizeof(void *))
			return bb_fail(ctx, EINVAL, "the stride %" PRIu64
				" is not a multiple of a pointer's %zu bytes", config->stride, sizeof(void *));
		if (config->size / config->stride < 2)
			return bb_fail(ctx, EINVAL, "a size of %" PRIu64 " bytes has no two places %" PRIu64
				" bytes apart: choose a larger size or a smaller stride", config->size,
				config->stride);
	}
	int result = allocate(ctx, state);
	if (result)
		return result;
	bb_phase(ctx, "touching");
	touch(state, config->operation);
	if (config->operation == LATENCY)
		build_chain(state, (size_t)config->stride, config->order);
	calibrate(ctx, state, config->operation);
	return 0;
}

static int memory_step(struct bb_context *ctx)
{
	const struct memory_config *config = ctx->config;
	struct memory_state *state = ctx->state;

	if (!state->begun) {
		state->begun = true;
		state->at = 0;
		bb_phase(ctx, operations[config->operation]);
	}
	if (ctx->ending)
		return BB_GO_ON;
	if (config->operation == LATENCY) {
		state->place = memory_chase(state->place, (size_t)state->repeat);
		keep(state->place);
		bb_count(ctx, COUNT_LOADS, state->repeat);
		return BB_GO_ON;
	}
	for (uint64_t i = 0; i < state->repeat; i++)
		work(state, config->operation);
	bb_count(ctx, COUNT_BYTES,
		state->repeat * state->piece * shape_of[config->operation].counted);
	return BB_GO_ON;
}

static void memory_cleanup(struct bb_context *ctx)
{
	struct memory_state *state = ctx->state;

	if (state->mapping)
		munmap(state->mapping, state->mapping_size);
	state->mapping = NULL;
}

static const struct bb_param params[] = {
	[PARAM_OPERATION] = { .name = "operation",
		.text = "STREAM's copy, scale, add or triad; lmbench's read, write, bcopy or fill; or the "
			"latency of a load.",
		.initial = "copy", .choices = operations,
		BB_FIELD(BB_CHOICE, int32_t, struct memory_config, operation) },
	[PARAM_SIZE] = { .name = "size",
		.text = "Size of one array; copy, scale and bcopy use two, add and triad use three.",
		.initial = "16MiB", .minimum = 4096, .maximum = 1073741824.0,
		BB_FIELD(BB_SIZE, uint64_t, struct memory_config, size) },
	[PARAM_STRIDE] = { .name = "stride",
		.text = "How far apart the loads of the latency operation are; others do not use it.",
		.initial = "128", .minimum = 8, .maximum = 1048576,
		BB_FIELD(BB_SIZE, uint64_t, struct memory_config, stride) },
	[PARAM_ORDER] = { .name = "order",
		.text = "Order of the loads of the latency operation: backwards by the stride, as lmbench "
			"goes, or at random, which no prefetcher guesses.",
		.initial = "stride", .choices = orders,
		BB_FIELD(BB_CHOICE, int32_t, struct memory_config, order) },
};

static const struct bb_metric metrics[] = {
	{ .name = "throughput", .text = "Bytes handled in a second, counted as the method says.",
	  .unit = "MB/s", .scale = 1e-6, .source = BB_RATE_OF, .index = COUNT_BYTES,
	  .better = BB_HIGHER, .mean = BB_HARMONIC },
	{ .name = "latency", .text = "Time of one load that waits for the one before it.",
	  .unit = "ns", .scale = 1e9, .source = BB_PERIOD_OF, .index = COUNT_LOADS,
	  .better = BB_LOWER, .mean = BB_ARITHMETIC },
};

BB_MODULE(memory) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "memory",
	.title = "bandwidth and latency of the memory",
	.text = "Moves data in arrays that are small enough for a cache or large enough for the RAM, or "
		"follows a chain of loads through one. The clock of CPU and RAM, other busy processes and "
		"displays that are fed from the same RAM disturb it. Take a size at least four times the "
		"last cache to measure the RAM.",
	.method = "Arrays of `size` bytes each, of which every page was touched before. copy c=a, scale "
		"b=3c, add c=a+b and triad a=b+3c work on doubles with loops compiled as the compiler "
		"vectorises them, and count 16, 16, 24 and 24 bytes an element as STREAM does. read sums "
		"all words, write stores one value, fill is memset() and bcopy is memcpy(): these count a "
		"byte once, as lmbench's bw_mem does, so bcopy is about half of copy. latency follows a "
		"ring of pointers `stride` apart through one array, as lmbench's lat_mem_rd, and is the "
		"time per load, address translation included.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_PER_CPU | BB_ENDLESS,
	.params_len = sizeof(params) / sizeof(params[0]),
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.params = params,
	.metrics = metrics,
	.config_size = sizeof(struct memory_config),
	.state_size = sizeof(struct memory_state),
	.probe = memory_probe,
	.prepare = memory_prepare,
	.step = memory_step,
	.cleanup = memory_cleanup,
};
