/* SPDX-License-Identifier: MIT */
/* Fuzzes the parser of /dev/kmsg's records: what it gives must be safe to print. */
#include <stdint.h>
#include <stdlib.h>

#include "kernel_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kernel_message message;
	if (!kernel_log_parse((const char *)data, size, &message))
		return 0;
	if (message.level < 0 || message.level > 7)
		abort();
	for (const unsigned char *at = (const unsigned char *)message.text; *at; at++)
		if (*at < 0x20 || *at == 0x7f)
			abort();
	free(message.text);
	return 0;
}
