/* SPDX-License-Identifier: MIT
 * Counters and histograms in shared memory: one writer, a reader in another process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "shared.h"

static struct shared *make(int *fd)
{
	struct shared *shared = NULL;
	struct error error = { 0 };

	*fd = shared_create(&shared, &error);
	assert_true(*fd >= 0);
	assert_non_null(shared);
	return shared;
}

static void counter_passes_32_bits(void **state)
{
	struct counter counter = { 0 };

	(void)state;
	counter_add(&counter, UINT32_MAX);
	counter_add(&counter, 2);
	assert_true(counter_get(&counter) == UINT64_C(0x100000001));
	counter_set(&counter, UINT64_MAX);
	assert_true(counter_get(&counter) == UINT64_MAX);
	counter_set_double(&counter, -1.5);
	assert_true(counter_get_double(&counter) == -1.5);
}

/* A reader never sees a value between two: the writer adds 2^31 each time, so that the halves of the value
 * change together and a torn one would be no multiple. */
static void reader_never_sees_a_torn_value(void **state)
{
	const uint64_t step = UINT64_C(1) << 31, last = 200000;
	int fd;
	struct shared *shared = make(&fd);

	(void)state;
	pid_t pid = fork();
	if (pid == 0) {
		for (uint64_t i = 0; i < last; i++)
			counter_add(&shared->counters[0], step);
		_exit(0);
	}
	uint64_t before = 0, value = 0;
	while (value != step * last) {
		value = counter_get(&shared->counters[0]);
		assert_true(value % step == 0);
		assert_true(value >= before);
		before = value;
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	shared_unmap(shared);
	close(fd);
}

static void histogram_is_copied_and_cleared(void **state)
{
	static struct histogram histogram;
	int fd;
	struct shared *shared = make(&fd);

	(void)state;
	shared_record(&shared->histograms[3], 10);
	shared_record(&shared->histograms[3], 1000);
	shared_record(&shared->histograms[3], UINT64_MAX);
	shared_copy_histogram(&shared->histograms[3], &histogram);
	assert_int_equal(histogram.count, 3);
	assert_int_equal(histogram.min, 10);
	assert_true(histogram.max == UINT64_MAX);
	assert_int_equal(histogram.buckets[histogram_bucket(10)], 1);
	assert_int_equal(histogram.buckets[histogram_bucket(1000)], 1);
	shared_clear(shared);
	shared_copy_histogram(&shared->histograms[3], &histogram);
	assert_int_equal(histogram.count, 0);
	shared_unmap(shared);
	close(fd);
}

static void the_other_end_maps_the_same(void **state)
{
	int fd;
	struct shared *shared = make(&fd), *other = shared_map(fd);

	(void)state;
	assert_non_null(other);
	counter_add(&other->counters[15], 7);
	assert_int_equal(counter_get(&shared->counters[15]), 7);
	assert_true(counter_get_double(&shared->progress) < 0); /* unknown to begin with */
	shared_unmap(other);
	shared_unmap(shared);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counter_passes_32_bits),
		cmocka_unit_test(reader_never_sees_a_torn_value),
		cmocka_unit_test(histogram_is_copied_and_cleared),
		cmocka_unit_test(the_other_end_maps_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
