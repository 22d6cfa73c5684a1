/* SPDX-License-Identifier: MIT */
/* The loops that the memory module times; compiled with -O3, as STREAM's are. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* STREAM's four, over n elements of a, b and c. The scalar is 3. */
void memory_copy(double *restrict c, const double *restrict a, size_t n);
void memory_scale(double *restrict b, const double *restrict c, size_t n);
void memory_add(double *restrict c, const double *restrict a, const double *restrict b, size_t n);
void memory_triad(double *restrict a, const double *restrict b, const double *restrict c, size_t n);

/* Every word is read; the sum comes back so that the reads cannot be left out. */
uint64_t memory_read(const uint64_t *words, size_t n);
void memory_write(uint64_t *words, size_t n, uint64_t value);

/* Follow the chain for `loads` loads, a multiple of 16. Returns where it ended. */
void **memory_chase(void **place, size_t loads);

#endif
