/* SPDX-License-Identifier: MIT */
/* The loops that the memory module times. */
#include "memory.h"

void memory_copy(double *restrict c, const double *restrict a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c[i] = a[i];
}

void memory_scale(double *restrict b, const double *restrict c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		b[i] = 3.0 * c[i];
}

void memory_add(double *restrict c, const double *restrict a, const double *restrict b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c[i] = a[i] + b[i];
}

void memory_triad(double *restrict a, const double *restrict b, const double *restrict c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] + 3.0 * c[i];
}

/* Four sums, so that one addition need not wait for the one before it. */
uint64_t memory_read(const uint64_t *words, size_t n)
{
	uint64_t sums[4] = { 0 };
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		for (size_t k = 0; k < 4; k++)
			sums[k] += words[i + k];
	}
	for (; i < n; i++)
		sums[0] += words[i];
	return sums[0] + sums[1] + sums[2] + sums[3];
}

void memory_write(uint64_t *words, size_t n, uint64_t value)
{
	for (size_t i = 0; i < n; i++)
		words[i] = value;
}

/* Each load gives the address of the next, so they cannot overlap, whatever the CPU can do. */
#define FOLLOW_4 place = *place, place = *place, place = *place, place = *place

void **memory_chase(void **place, size_t loads)
{
	for (; loads >= 16; loads -= 16) {
		FOLLOW_4;
		FOLLOW_4;
		FOLLOW_4;
		FOLLOW_4;
	}
	return place;
}
