/* SPDX-License-Identifier: MIT
 * Changes are undone at the end, after a crash, and only those of processes that are gone. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "mem.h"
#include "text.h"
#include "undo.h"

struct place {
	char directory[64];
	char *setting, *created;
};

static int make(void **state)
{
	struct place *place = mem_zalloc(1, sizeof(*place));

	snprintf(place->directory, sizeof(place->directory), "/tmp/boardbench-undo-XXXXXX");
	assert_non_null(mkdtemp(place->directory));
	place->setting = text_printf("%s/setting", place->directory);
	place->created = text_printf("%s/created", place->directory);
	assert_int_equal(file_replace(place->setting, "before, and long\n", 17, NULL), 0);
	*state = place;
	return 0;
}

static int clean(void **state)
{
	struct place *place = *state;
	_autofree_ char *undo = text_printf("%s/undo", place->directory);

	unlink(place->setting);
	unlink(place->created);
	rmdir(undo);
	assert_int_equal(rmdir(place->directory), 0); /* nothing else is left */
	free(place->setting);
	free(place->created);
	free(place);
	return 0;
}

static void assert_setting(const struct place *place, const char *text)
{
	_autofree_ char *now = file_read("", "%s", place->setting);

	assert_string_equal(now, text);
}

static void touch(const char *path)
{
	FILE *stream = fopen(path, "wxe");

	assert_non_null(stream);
	fclose(stream);
}

static void changes_are_undone_in_order(void **state)
{
	struct place *place = *state;
	struct undo *undo = undo_open(place->directory);
	struct error error = { 0 };

	assert_int_equal(undo_change(undo, BB_CHANGE_WRITE, place->setting, "once", &error), 0);
	assert_setting(place, "once");
	assert_int_equal(undo_change(undo, BB_CHANGE_WRITE, place->setting, "twice", &error), 0);
	assert_int_equal(undo_change(undo, BB_CHANGE_CREATE, place->created, NULL, &error), 0);
	touch(place->created);
	assert_int_equal(undo_revert(undo, &error), 0);
	undo_close(undo);
	assert_setting(place, "before, and long\n");
	assert_int_equal(access(place->created, F_OK), -1);
}

static void nothing_of_the_user_is_taken(void **state)
{
	struct place *place = *state;
	struct undo *undo = undo_open(place->directory);
	struct error error = { 0 };

	touch(place->created);
	assert_int_equal(undo_change(undo, BB_CHANGE_CREATE, place->created, NULL, &error), -EEXIST);
	assert_int_equal(undo_revert(undo, NULL), 0);
	undo_close(undo);
	assert_int_equal(access(place->created, F_OK), 0);
}

static void without_a_store_nothing_is_changed(void **state)
{
	struct place *place = *state;
	struct undo *undo = undo_open(NULL);
	struct error error = { 0 };

	assert_int_equal(undo_change(undo, BB_CHANGE_WRITE, place->setting, "x", &error), -EROFS);
	assert_setting(place, "before, and long\n");
	undo_close(undo);
}

/* A child that makes changes and dies as if by a power cut. */
static pid_t crash(const struct place *place)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct undo *undo = undo_open(place->directory);
		if (undo_change(undo, BB_CHANGE_WRITE, place->setting, "changed", NULL) == 0 &&
			undo_change(undo, BB_CHANGE_CREATE, place->created, NULL, NULL) == 0)
			close(creat(place->created, 0600));
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static void free_messages(char **messages)
{
	for (size_t i = 0; messages && messages[i]; i++)
		free(messages[i]);
	free(messages);
}

static void recovery_undoes_what_the_dead_left(void **state)
{
	struct place *place = *state;
	pid_t pid = crash(place);

	assert_setting(place, "changed");
	/* Asked for one process only, another's changes stay. */
	assert_null(undo_recover(place->directory, (int)pid + 1));
	assert_setting(place, "changed");
	char **messages = undo_recover(place->directory, 0);
	assert_non_null(messages);
	assert_non_null(messages[0]);
	assert_non_null(messages[1]);
	free_messages(messages);
	assert_setting(place, "before, and long\n");
	assert_int_equal(access(place->created, F_OK), -1);
	assert_null(undo_recover(place->directory, 0)); /* once is enough */
}

static void recovery_leaves_the_living_alone(void **state)
{
	struct place *place = *state;
	struct undo *undo = undo_open(place->directory);

	assert_int_equal(undo_change(undo, BB_CHANGE_WRITE, place->setting, "mine", NULL), 0);
	assert_null(undo_recover(place->directory, 0));
	assert_setting(place, "mine");
	assert_int_equal(undo_revert(undo, NULL), 0);
	undo_close(undo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(changes_are_undone_in_order, make, clean),
		cmocka_unit_test_setup_teardown(nothing_of_the_user_is_taken, make, clean),
		cmocka_unit_test_setup_teardown(without_a_store_nothing_is_changed, make, clean),
		cmocka_unit_test_setup_teardown(recovery_undoes_what_the_dead_left, make, clean),
		cmocka_unit_test_setup_teardown(recovery_leaves_the_living_alone, make, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
