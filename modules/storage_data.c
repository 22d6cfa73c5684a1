/* SPDX-License-Identifier: MIT */
/* Random bytes, made before the clock runs, so that no filesystem or controller can compress them. */
#include "storage.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

/* xoshiro256** by Blackman and Vigna: a gigabyte a second where getrandom() makes a tenth of that. */
static uint64_t next(uint64_t state[4])
{
	uint64_t result = rotate(state[1] * 5, 7) * 9;
	uint64_t kept = state[1] << 17;

	state[2] ^= state[0];
	state[3] ^= state[1];
	state[1] ^= state[2];
	state[0] ^= state[3];
	state[2] ^= kept;
	state[3] = rotate(state[3], 45);
	return result;
}

void storage_data_fill(void *memory, size_t size)
{
	uint64_t state[4];
	unsigned char *bytes = memory;

	/* Early after a boot the kernel may have no entropy yet: it is no secret that is made here. */
	if (getrandom(state, sizeof(state), GRND_NONBLOCK) != (ssize_t)sizeof(state)) {
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		for (size_t i = 0; i < 4; i++)
			state[i] = ((uint64_t)now.tv_nsec + i) * UINT64_C(0x9e3779b97f4a7c15) + 1;
	}
	for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
		uint64_t word = next(state);
		memcpy(bytes + at, &word, size - at < sizeof(word) ? size - at : sizeof(word));
	}
}
