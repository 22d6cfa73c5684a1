/* SPDX-License-Identifier: MIT */
/* A loop in the manner of STREAM, for comparison: the mean MB/s of an operation.
 *
 * Usage: stream_peer copy|scale|add|triad|read|fill|bcopy BYTES_OF_ONE_ARRAY SECONDS
 * Bytes are counted as STREAM counts them (read, fill, bcopy: as lmbench). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void pass(const char *operation, double *restrict a, double *restrict b, double *restrict c,
	size_t n)
{
	uint64_t sum = 0;

	if (strcmp(operation, "copy") == 0)
		for (size_t i = 0; i < n; i++)
			c[i] = a[i];
	else if (strcmp(operation, "scale") == 0)
		for (size_t i = 0; i < n; i++)
			b[i] = 3.0 * c[i];
	else if (strcmp(operation, "add") == 0)
		for (size_t i = 0; i < n; i++)
			c[i] = a[i] + b[i];
	else if (strcmp(operation, "triad") == 0)
		for (size_t i = 0; i < n; i++)
			a[i] = b[i] + 3.0 * c[i];
	else if (strcmp(operation, "read") == 0)
		for (size_t i = 0; i < n; i++) {
			uint64_t word;
			memcpy(&word, &a[i], sizeof(word));
			sum += word;
		}
	else if (strcmp(operation, "fill") == 0)
		memset(a, 0, n * sizeof(*a));
	else
		memcpy(c, a, n * sizeof(*a));
	/* All of it must have happened. */
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(sum) : "memory");
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	const char *operation = argv[1];
	size_t size = (size_t)strtoull(argv[2], NULL, 10), n = size / sizeof(double);
	double limit = strtod(argv[3], NULL), counted = (double)size;
	double *a = malloc(size), *b = malloc(size), *c = malloc(size);

	if (!a || !b || !c || !n)
		return 1;
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] = c[i] = 1.0;
	if (strcmp(operation, "copy") == 0 || strcmp(operation, "scale") == 0)
		counted *= 2;
	else if (strcmp(operation, "add") == 0 || strcmp(operation, "triad") == 0)
		counted *= 3;
	pass(operation, a, b, c, n);
	double start = seconds(), now = start;
	uint64_t passes = 0;
	while (now - start < limit) {
		pass(operation, a, b, c, n);
		passes++;
		now = seconds();
	}
	printf("%.3f\n", counted * (double)passes / (now - start) / 1e6);
	free(a);
	free(b);
	free(c);
	return 0;
}
