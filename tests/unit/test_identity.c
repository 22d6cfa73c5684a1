/* SPDX-License-Identifier: MIT
 * A process is told from another that has its number later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "identity.h"

static void this_process_is_alive(void **state)
{
	char boot[BOOT_ID_SIZE];

	(void)state;
	uint64_t start = process_start_time((int)getpid());
	assert_true(start > 0);
	/* The kernel writes it as 8-4-4-4-12 digits. */
	assert_int_equal(strlen(boot_id_read(boot, sizeof(boot))), 36);
	assert_true(process_is_alive(boot, (int)getpid(), start));
	assert_false(process_is_alive(boot, (int)getpid(), start + 1));
	assert_false(process_is_alive("another", (int)getpid(), start));
	assert_false(process_is_alive(boot, 0, 0));
}

static void one_that_has_ended_is_not(void **state)
{
	char boot[BOOT_ID_SIZE];
	int go[2];

	(void)state;
	assert_int_equal(pipe(go), 0);
	pid_t pid = fork();
	if (pid == 0) {
		char byte;
		close(go[1]);
		_exit(read(go[0], &byte, 1) == 0 ? 0 : 1);
	}
	uint64_t start = process_start_time((int)pid);
	assert_true(process_is_alive(boot_id_read(boot, sizeof(boot)), (int)pid, start));
	close(go[0]);
	close(go[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(process_is_alive(boot, (int)pid, start));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_process_is_alive),
		cmocka_unit_test(one_that_has_ended_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
