/* SPDX-License-Identifier: MIT */
/* The memory module: which bytes it counts, that its loops do what they say, what it refuses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_host.h"
#include "memory.h"

extern const struct bb_module boardbench_module_memory;

enum { COUNT_BYTES, COUNT_LOADS };

static int setup(void **state)
{
	static struct fake_host fake;

	fake_init(&fake, &boardbench_module_memory);
	fake.tick = 4000000; /* one pass seems to take 4 ms: one pass a step */
	*state = &fake;
	return 0;
}

static int teardown(void **state)
{
	fake_cleanup(*state);
	fake_finish(*state);
	return 0;
}

static void stream_loops_compute(void **state)
{
	double a[7] = { 1, 2, 3, 4, 5, 6, 7 }, b[7] = { 10, 20, 30, 40, 50, 60, 70 }, c[7];

	memory_copy(c, a, 7);
	assert_memory_equal(c, a, sizeof(c));
	memory_add(c, a, b, 7);
	for (int i = 0; i < 7; i++)
		assert_true(c[i] == 11.0 * (i + 1));
	memory_scale(b, c, 7);
	for (int i = 0; i < 7; i++)
		assert_true(b[i] == 33.0 * (i + 1));
	memory_triad(a, b, c, 7);
	for (int i = 0; i < 7; i++)
		assert_true(a[i] == 66.0 * (i + 1));
}

static void word_loops_touch_every_word(void **state)
{
	uint64_t words[11];

	memory_write(words, 11, 1);
	assert_int_equal(memory_read(words, 11), 11);
	for (int i = 0; i < 11; i++)
		words[i] = UINT64_C(1) << (4 * i);
	assert_int_equal(memory_read(words, 11), UINT64_C(0x11111111111));
}

static void chase_follows_each_link(void **state)
{
	void *ring[5];

	for (int i = 0; i < 5; i++)
		ring[i] = &ring[(i + 1) % 5];
	/* 32 = 6 * 5 + 2 */
	assert_ptr_equal(memory_chase(&ring[0], 32), &ring[2]);
}

/* STREAM's rules (stream.c, "bytes"): 16, 16, 24, 24 an element of 8 bytes; lmbench's bw_mem: each
 * byte once. */
static void counts_bytes_as_the_peers_do(void **state)
{
	static const struct {
		const char *operation;
		unsigned times;
	} rules[] = { { "copy", 2 }, { "scale", 2 }, { "add", 3 }, { "triad", 3 }, { "read", 1 },
		{ "write", 1 }, { "bcopy", 1 }, { "fill", 1 } };

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct fake_host fake;
		fake_init(&fake, &boardbench_module_memory);
		fake.tick = 4000000;
		fake_set(&fake, "operation", rules[i].operation);
		fake_set(&fake, "size", "64KiB");
		assert_int_equal(fake_prepare(&fake), 0);
		assert_int_equal(fake_run(&fake, 3), BB_GO_ON);
		assert_int_equal(fake.counters[COUNT_BYTES], 3 * rules[i].times * 65536);
		assert_int_equal(fake.counters[COUNT_LOADS], 0);
		fake_cleanup(&fake);
		fake_finish(&fake);
	}
}

static void long_passes_are_cut_into_pieces(void **state)
{
	struct fake_host *fake = *state;

	fake->tick = 400000000;
	fake_set(fake, "operation", "fill");
	fake_set(fake, "size", "8MiB");
	assert_int_equal(fake_prepare(fake), 0);
	assert_int_equal(fake_run(fake, 1), BB_GO_ON);
	/* 400 ms are 101 pieces: 83055 bytes, in whole pages 81920. */
	assert_int_equal(fake->counters[COUNT_BYTES], 81920);
	/* It goes through all of the array and begins again. */
	fake_run(fake, 300);
	assert_int_equal(fake->counters[COUNT_BYTES], 301 * 81920);
}

static void short_passes_are_repeated(void **state)
{
	struct fake_host *fake = *state;

	fake->tick = 1000;
	fake_set(fake, "operation", "read");
	fake_set(fake, "size", "4KiB");
	assert_int_equal(fake_prepare(fake), 0);
	fake_run(fake, 1);
	assert_int_equal(fake->counters[COUNT_BYTES], 4000 * 4096);
}

static void latency_counts_loads(void **state)
{
	static const char *const orders[] = { "stride", "random" };

	for (size_t i = 0; i < 2; i++) {
		struct fake_host fake;
		fake_init(&fake, &boardbench_module_memory);
		fake.tick = 4000000;
		fake_set(&fake, "operation", "latency");
		fake_set(&fake, "order", orders[i]);
		fake_set(&fake, "size", "64KiB");
		assert_int_equal(fake_prepare(&fake), 0);
		fake_run(&fake, 2);
		assert_int_equal(fake.counters[COUNT_LOADS], 2 * 65536);
		assert_int_equal(fake.counters[COUNT_BYTES], 0);
		fake_cleanup(&fake);
		fake_finish(&fake);
	}
}

static void refuses_a_ring_of_one(void **state)
{
	struct fake_host *fake = *state;

	fake_set(fake, "operation", "latency");
	fake_set(fake, "size", "4KiB");
	fake_set(fake, "stride", "4KiB");
	assert_int_equal(fake_prepare(fake), -EINVAL);
	assert_non_null(strstr(fake->failure, "larger size"));
}

static void refuses_an_odd_stride(void **state)
{
	struct fake_host *fake = *state;

	fake_set(fake, "operation", "latency");
	fake_set(fake, "stride", "13");
	assert_int_equal(fake_prepare(fake), -EINVAL);
	assert_non_null(strstr(fake->failure, "multiple"));
}

static void refuses_more_than_is_free(void **state)
{
	struct fake_host *fake = *state;
	char root[] = "/tmp/boardbench-memory-XXXXXX", path[128];

	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/proc", root);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("MemTotal:        65536 kB\nMemFree:         1000 kB\nMemAvailable:    32000 kB\n", file);
	fclose(file);
	fake->ctx.root = root;
	fake_set(fake, "size", "15MiB"); /* twice 15 MiB are 30720 kB */
	assert_int_equal(boardbench_module_memory.probe(&fake->ctx), 0);
	fake_set(fake, "size", "16MiB");
	assert_int_equal(boardbench_module_memory.probe(&fake->ctx), -ENODEV);
	assert_int_equal(fake_prepare(fake), -ENOMEM);
	assert_non_null(strstr(fake->failure, "31 MiB are free"));
	/* Two instances need twice as much. */
	fake_set(fake, "size", "8MiB");
	fake->ctx.instances = 2;
	assert_int_equal(fake_prepare(fake), -ENOMEM);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc", root);
	rmdir(path);
	rmdir(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stream_loops_compute),
		cmocka_unit_test(word_loops_touch_every_word),
		cmocka_unit_test(chase_follows_each_link),
		cmocka_unit_test(counts_bytes_as_the_peers_do),
		cmocka_unit_test_setup_teardown(long_passes_are_cut_into_pieces, setup, teardown),
		cmocka_unit_test_setup_teardown(short_passes_are_repeated, setup, teardown),
		cmocka_unit_test(latency_counts_loads),
		cmocka_unit_test_setup_teardown(refuses_a_ring_of_one, setup, teardown),
		cmocka_unit_test_setup_teardown(refuses_an_odd_stride, setup, teardown),
		cmocka_unit_test_setup_teardown(refuses_more_than_is_free, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
