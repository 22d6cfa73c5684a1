/* SPDX-License-Identifier: MIT */
/* Which boot this is and which process: a process number alone may have been given to another since. */
#ifndef BB_IDENTITY_H
#define BB_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_ID_SIZE 40

/* The kernel's id of this boot, or "unknown". buffer is returned. */
const char *boot_id_read(char *buffer, size_t size);
/* When the process was started, in clock ticks since the boot (field 22 of /proc/PID/stat); 0: no such process. */
uint64_t process_start_time(int pid);
/* Is the process of that number in that boot the one that was meant, and alive? */
bool process_is_alive(const char *boot_id, int pid, uint64_t start_time);

#endif
