/* SPDX-License-Identifier: MIT
 * Shared memory between workbench and worker. */
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int unlinked_file(const char *directory)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/boardbench-XXXXXX", directory);
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int shared_create(struct shared **shared, struct error *error)
{
	int fd = (int)syscall(SYS_memfd_create, "boardbench", 1u /* MFD_CLOEXEC */);

	if (fd < 0)
		fd = unlinked_file("/dev/shm");
	if (fd < 0)
		fd = unlinked_file("/tmp");
	if (fd < 0)
		return error_set(error, errno, "cannot make shared memory: %s", strerror(errno));
	if (ftruncate(fd, (off_t)sizeof(**shared)) < 0 || !(*shared = shared_map(fd))) {
		int code = errno;
		close(fd);
		return error_set(error, code, "cannot map shared memory: %s", strerror(code));
	}
	counter_set_double(&(*shared)->progress, -1);
	return fd;
}

struct shared *shared_map(int fd)
{
	void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void shared_unmap(struct shared *shared)
{
	if (shared)
		munmap(shared, sizeof(*shared));
}

void shared_record(struct shared_histogram *histogram, uint64_t value)
{
	uint64_t count = counter_get(&histogram->count);
	double exact = (double)value;
	_Atomic uint32_t *bucket = &histogram->buckets[histogram_bucket(value)];

	if (count == 0 || value < counter_get(&histogram->min))
		counter_set(&histogram->min, value);
	if (count == 0 || value > counter_get(&histogram->max))
		counter_set(&histogram->max, value);
	counter_set_double(&histogram->sum, counter_get_double(&histogram->sum) + exact);
	counter_set_double(&histogram->sum_squares,
		counter_get_double(&histogram->sum_squares) + exact * exact);
	atomic_store_explicit(bucket, atomic_load_explicit(bucket, memory_order_relaxed) + 1,
		memory_order_relaxed);
	counter_set(&histogram->count, count + 1);
}

void shared_clear(struct shared *shared)
{
	atomic_store_explicit(&shared->gauges_set, 0, memory_order_relaxed);
	memset(shared->histograms, 0, sizeof(shared->histograms));
}

void shared_copy_histogram(const struct shared_histogram *shared, struct histogram *histogram)
{
	*histogram = (struct histogram){
		.count = counter_get(&shared->count),
		.min = counter_get(&shared->min),
		.max = counter_get(&shared->max),
		.sum = counter_get_double(&shared->sum),
		.sum_squares = counter_get_double(&shared->sum_squares),
	};
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		histogram->buckets[i] = atomic_load_explicit(
			&((struct shared_histogram *)(uintptr_t)shared)->buckets[i], memory_order_relaxed);
}
