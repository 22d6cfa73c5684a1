/* SPDX-License-Identifier: MIT
 *
 * The journal: what was added survives, whatever stands around it and whoever else writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "journal.h"
#include "mem.h"
#include "text.h"

#define BOOT_BEFORE "00000000-0000-4000-8000-000000000000" /* never this boot's: those are random */

struct place {
	char directory[64];
};

static int make_place(void **state)
{
	struct place *place = mem_zalloc(1, sizeof(*place));

	strcpy(place->directory, "/tmp/boardbench-journal-XXXXXX");
	*state = place;
	return mkdtemp(place->directory) ? 0 : -1;
}

static int remove_place(void **state)
{
	static const char *const names[] = { "journal.jsonl", "journal.index", "journal.torn", "running",
		"deep/er/journal.jsonl", "deep/er/journal.index", "deep/er", "deep" };
	struct place *place = *state;

	chmod(place->directory, 0755);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		_autofree_ char *path = text_printf("%s/%s", place->directory, names[i]);
		remove(path);
	}
	int code = rmdir(place->directory);
	free(place);
	return code;
}

static char *path_of(void **state, const char *name)
{
	const struct place *place = *state;

	return text_printf("%s/%s", place->directory, name);
}

static void open_journal(void **state, struct journal *journal)
{
	const struct place *place = *state;
	struct error error = { 0 };

	assert_int_equal(journal_open(place->directory, journal, &error), 0);
}

static void append_bytes(void **state, const char *bytes, size_t length)
{
	_autofree_ char *path = path_of(state, "journal.jsonl");
	_autoclose_ int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, bytes, length), 0);
}

static void append_text(void **state, const char *text)
{
	append_bytes(state, text, strlen(text));
}

static void add_result(struct journal *journal, const char *run, unsigned number)
{
	struct result result = { .case_index = number, .cases = 5, .time = 1767225600, .board = mem_strdup("generic"),
		.subsystem = mem_strdup("disk"), .module = mem_strdup("storage"), .method = mem_strdup("1"),
		.state = RESULT_OK };
	struct error error = { 0 };

	snprintf(result.run, sizeof(result.run), "%s", run);
	snprintf(result.id, sizeof(result.id), "%s-%u", run, number);
	assert_int_equal(journal_add(journal, &result, &error), 0);
	result_finish(&result);
}

static void begin_case(struct journal *journal, const char *run, unsigned number, const char *boot,
	int pid, uint64_t pid_start)
{
	char board[] = "generic", subsystem[] = "disk", what[] = "write", plan[] = "version = 1\n";
	struct journal_begun begun = { .case_index = number, .cases = 5, .pass = 2, .board = board,
		.subsystem = subsystem, .what = what, .plan = number == 1 ? plan : NULL, .time = 1767225600,
		.pid = pid, .pid_start = pid_start };
	struct error error = { 0 };

	snprintf(begun.run, sizeof(begun.run), "%s", run);
	snprintf(begun.boot_id, sizeof(begun.boot_id), "%s", boot);
	assert_int_equal(journal_begin(journal, &begun, &error), 0);
}

static void check_id(const struct journal *journal, size_t i, const char *id)
{
	struct result result = { 0 };
	struct error error = { 0 };

	assert_true(i < journal->len);
	assert_int_equal(journal_read(journal, i, &result, &error), 0);
	assert_string_equal(result.id, id);
	result_finish(&result);
}

static void keeps_what_was_added_in_order(void **state)
{
	struct journal journal;

	open_journal(state, &journal);
	assert_int_equal(journal.len, 0);
	begin_case(&journal, "aa", 1, BOOT_BEFORE, 0, 0);
	add_result(&journal, "aa", 1);
	assert_int_equal(journal_close_run(&journal, "aa", NULL), 0);
	assert_int_equal(journal.len, 3);
	journal_close(&journal);
	open_journal(state, &journal);
	assert_int_equal(journal.len, 3);
	assert_int_equal(journal.entries[0].kind, JOURNAL_BEGUN);
	assert_int_equal(journal.entries[1].kind, JOURNAL_RESULT);
	assert_int_equal(journal.entries[1].state, RESULT_OK);
	assert_int_equal(journal.entries[1].time, 1767225600);
	assert_int_equal(journal.entries[1].case_index, 1);
	assert_string_equal(journal.entries[1].subsystem, "disk");
	assert_string_equal(journal.entries[1].run, "aa");
	assert_int_equal(journal.entries[2].kind, JOURNAL_CLOSED);
	check_id(&journal, 1, "aa-1");
	assert_false(journal.torn);
	journal_close(&journal);
}

static void every_record_is_one_line(void **state)
{
	struct journal journal;
	_autofree_ char *path = path_of(state, "journal.jsonl");

	open_journal(state, &journal);
	begin_case(&journal, "aa", 1, BOOT_BEFORE, 0, 0); /* its plan holds a newline */
	add_result(&journal, "aa", 1);
	journal_close(&journal);
	_autofree_ char *text = file_read("", "%s", path);
	assert_non_null(text);
	size_t lines = 0;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 2);
	assert_true(text_starts(text, "{\"schema\":\"boardbench.begun/1\""));
	assert_non_null(strstr(text, "\n{\"schema\":\"boardbench.result/1\""));
}

static void makes_its_directory(void **state)
{
	struct journal journal;
	_autofree_ char *directory = path_of(state, "deep/er");

	assert_int_equal(journal_open(directory, &journal, NULL), 0);
	assert_true(journal.fd >= 0);
	journal_close(&journal);
}

static void sets_a_torn_last_line_aside(void **state)
{
	static const char torn[] = "{\"schema\":\"boardbench.result/1\",\"id\":\"aa";
	struct journal journal;

	open_journal(state, &journal);
	add_result(&journal, "aa", 1);
	uint64_t whole = journal.entries[0].offset + journal.entries[0].length + 1;
	journal_close(&journal);
	append_text(state, torn);
	open_journal(state, &journal);
	assert_true(journal.torn);
	assert_int_equal(journal.torn_offset, whole);
	assert_int_equal(journal.len, 1);
	add_result(&journal, "aa", 2);
	assert_int_equal(journal.len, 2);
	check_id(&journal, 0, "aa-1");
	check_id(&journal, 1, "aa-2");
	journal_close(&journal);
	_autofree_ char *aside = file_read("", "%s/journal.torn", ((struct place *)*state)->directory);
	assert_non_null(aside);
	assert_memory_equal(aside, torn, sizeof(torn) - 1);
	open_journal(state, &journal);
	assert_false(journal.torn);
	assert_int_equal(journal.len, 2);
	journal_close(&journal);
}

static void starts_a_line_of_its_own_after_a_foreign_torn_one(void **state)
{
	struct journal journal;

	open_journal(state, &journal);
	append_text(state, "{\"schema\":\"boardbench.res");
	add_result(&journal, "aa", 1);
	journal_close(&journal);
	open_journal(state, &journal);
	assert_int_equal(journal.len, 1);
	check_id(&journal, 0, "aa-1");
	journal_close(&journal);
}

/* With a lock held as long as a journal is open, this would wait for ever. */
static void two_workbenches_add_by_turns(void **state)
{
	struct journal first, second;

	open_journal(state, &first);
	open_journal(state, &second);
	alarm(20);
	add_result(&first, "aa", 1);
	add_result(&second, "bb", 1);
	add_result(&second, "bb", 2);
	add_result(&first, "aa", 2);
	alarm(0);
	assert_int_equal(first.len, 4);
	check_id(&first, 2, "bb-2");
	assert_int_equal(second.len, 3);
	journal_refresh(&second);
	assert_int_equal(second.len, 4);
	check_id(&second, 3, "aa-2");
	journal_close(&first);
	journal_close(&second);
	open_journal(state, &first);
	assert_int_equal(first.len, 4);
	check_id(&first, 0, "aa-1");
	check_id(&first, 1, "bb-1");
	journal_close(&first);
}

static void a_repair_leaves_others_usable(void **state)
{
	struct journal first, second;

	open_journal(state, &first);
	add_result(&first, "aa", 1);
	append_text(state, "{\"torn");
	open_journal(state, &second);
	assert_true(second.torn);
	add_result(&first, "aa", 2);
	assert_int_equal(first.len, 2);
	check_id(&first, 1, "aa-2");
	journal_close(&first);
	journal_close(&second);
}

static void skips_what_is_not_ours(void **state)
{
	static const char rubbish[] = "\x00\x01\xff\xfe\x80 \x00{\n\n[]\n42\n{\"schema\":\"boardbench.result/9\"}\n"
		"{\"schema\":\"boardbench.result/1\",\"schema\":\"boardbench.result/1\"}\n";
	struct journal journal;

	open_journal(state, &journal);
	add_result(&journal, "aa", 1);
	append_bytes(state, rubbish, sizeof(rubbish) - 1);
	add_result(&journal, "aa", 2);
	assert_int_equal(journal.len, 2);
	journal_close(&journal);
	for (int twice = 0; twice < 2; twice++) {
		open_journal(state, &journal);
		assert_int_equal(journal.len, 2);
		check_id(&journal, 1, "aa-2");
		journal_close(&journal);
	}
	_autofree_ char *path = path_of(state, "journal.jsonl");
	_autofree_ char *text = mem_zalloc(1 << 16, 1);
	_autoclose_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, text, 1 << 16);
	assert_true(got > 0);
	assert_non_null(memmem(text, (size_t)got, rubbish, sizeof(rubbish) - 1)); /* nothing was lost */
}

static void reads_only_results_as_results(void **state)
{
	struct journal journal;
	struct result result = { 0 };
	struct error error = { 0 };

	open_journal(state, &journal);
	assert_int_equal(journal_close_run(&journal, "aa", NULL), 0);
	assert_int_equal(journal_read(&journal, 0, &result, &error), -EPROTO);
	assert_non_null(strstr(error.text, "boardbench.closed/1"));
	journal_close(&journal);
}

static void a_directory_or_fifo_in_its_place_is_refused(void **state)
{
	_autofree_ char *path = path_of(state, "journal.jsonl");
	const struct place *place = *state;
	struct journal journal;

	assert_int_equal(mkfifo(path, 0644), 0);
	for (int kind = 0; kind < 2; kind++) {
		struct error error = { 0 };
		alarm(20);
		assert_true(journal_open(place->directory, &journal, &error) < 0);
		alarm(0);
		assert_non_null(strstr(error.text, "journal.jsonl"));
		assert_non_null(strstr(error.text, "--store"));
		remove(path);
		if (kind == 0)
			assert_int_equal(mkdir(path, 0755), 0);
	}
}

/* In a process of its own: the limit stays, and so does the user where the test runs as root. */
static int in_child(void (*body)(void **state), void **state)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		body(state);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(bool condition, int code)
{
	if (!condition)
		_exit(code);
}

static void write_read_only(void **state)
{
	const struct place *place = *state;
	struct journal journal;
	struct error error = { 0 };

	if (getuid() == 0)
		expect(setgid(65534) == 0 && setuid(65534) == 0, 77);
	expect(journal_open(place->directory, &journal, &error) == 0, 2);
	expect(journal.fd < 0 && journal.problem && strstr(journal.problem, "not kept") &&
		strstr(journal.problem, "--store"), 3);
	expect(journal.len == 1, 4);
	expect(journal_close_run(&journal, "aa", &error) < 0 && strstr(error.text, "journal.jsonl"), 5);
	journal_close(&journal);
}

static void a_read_only_store_is_read_and_said(void **state)
{
	const struct place *place = *state;
	_autofree_ char *path = path_of(state, "journal.jsonl");
	struct journal journal;

	open_journal(state, &journal);
	add_result(&journal, "aa", 1);
	journal_close(&journal);
	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(chmod(place->directory, 0555), 0);
	int code = in_child(write_read_only, state);
	assert_int_equal(chmod(place->directory, 0755), 0);
	if (code == 77)
		skip();
	assert_int_equal(code, 0);
}

static void write_until_full(void **state)
{
	const struct place *place = *state;
	struct journal journal;
	struct error error = { 0 };
	struct stat before, after;
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	expect(journal_open(place->directory, &journal, &error) == 0, 2);
	expect(journal_close_run(&journal, "aa", &error) == 0, 3);
	expect(stat(journal.path, &before) == 0, 4);
	limit.rlim_cur = limit.rlim_max = (rlim_t)before.st_size + 10; /* the next line only in part */
	expect(setrlimit(RLIMIT_FSIZE, &limit) == 0, 5);
	expect(journal_close_run(&journal, "bb", &error) < 0, 6);
	expect(strstr(error.text, "journal.jsonl") && journal.problem, 7);
	expect(stat(journal.path, &after) == 0 && after.st_size == before.st_size, 8);
	expect(journal.len == 1, 9);
	journal_close(&journal);
}

static void a_line_that_does_not_fit_is_taken_back(void **state)
{
	struct journal journal;

	assert_int_equal(in_child(write_until_full, state), 0);
	open_journal(state, &journal);
	assert_false(journal.torn);
	assert_int_equal(journal.len, 1);
	journal_close(&journal);
}

static void finds_a_run_that_was_broken_off(void **state)
{
	struct journal journal;
	struct journal_unfinished found;
	struct settings progress = { 0 };

	open_journal(state, &journal);
	assert_false(journal_find_unfinished(&journal, &found));
	begin_case(&journal, "aa", 1, BOOT_BEFORE, 1, 1);
	add_result(&journal, "aa", 1);
	begin_case(&journal, "aa", 2, BOOT_BEFORE, 1, 1);
	settings_set(&progress, "run", "aa");
	settings_set(&progress, "phase", "writing a very long phase that is overwritten by a shorter one");
	journal_progress(&journal, &progress);
	settings_set(&progress, "phase", "writing");
	journal_progress(&journal, &progress);
	settings_finish(&progress);
	journal_close(&journal);
	open_journal(state, &journal);
	assert_true(journal_find_unfinished(&journal, &found));
	assert_string_equal(found.begun.run, "aa");
	assert_int_equal(found.begun.case_index, 2);
	assert_int_equal(found.begun.cases, 5);
	assert_int_equal(found.begun.pass, 2);
	assert_string_equal(found.begun.plan, "version = 1\n");
	assert_string_equal(found.begun.what, "write");
	assert_int_equal(found.complete, 1);
	assert_true(found.rebooted);
	assert_string_equal(settings_get(&found.last_seen, "phase"), "writing");
	journal_unfinished_finish(&found);
	assert_int_equal(journal_close_run(&journal, "aa", NULL), 0);
	assert_false(journal_find_unfinished(&journal, &found));
	journal_close(&journal);
}

static void between_two_cases_the_next_one_is_meant(void **state)
{
	struct journal journal;
	struct journal_unfinished found;

	open_journal(state, &journal);
	begin_case(&journal, "aa", 1, BOOT_BEFORE, 1, 1);
	add_result(&journal, "aa", 1);
	assert_true(journal_find_unfinished(&journal, &found));
	assert_int_equal(found.begun.case_index, 2);
	assert_int_equal(found.begun.pass, 0); /* it had not begun */
	assert_int_equal(found.complete, 1);
	journal_unfinished_finish(&found);
	journal_close(&journal);
}

static void last_seen_is_of_the_same_run(void **state)
{
	struct journal journal;
	struct journal_unfinished found;
	struct settings progress = { 0 };

	open_journal(state, &journal);
	settings_set(&progress, "run", "older");
	settings_set(&progress, "phase", "reading");
	journal_progress(&journal, &progress);
	settings_finish(&progress);
	begin_case(&journal, "aa", 1, BOOT_BEFORE, 1, 1);
	assert_true(journal_find_unfinished(&journal, &found));
	assert_int_equal(found.last_seen.len, 0);
	journal_unfinished_finish(&found);
	journal_close(&journal);
}

static uint64_t start_of_this_process(void)
{
	_autofree_ char *text = file_read("", "/proc/self/stat");
	unsigned long long start = 0;
	int field = 2; /* proc(5): the name ends with the last ')', starttime is field 22 */

	for (char *save, *word = strtok_r(strrchr(text, ')') + 1, " ", &save); word;
		word = strtok_r(NULL, " ", &save))
		if (++field == 22)
			start = strtoull(word, NULL, 10);
	return start;
}

static void a_living_workbench_is_not_unfinished(void **state)
{
	_autofree_ char *boot = file_read_line("", "/proc/sys/kernel/random/boot_id");
	struct journal journal;
	struct journal_unfinished found;

	assert_non_null(boot);
	open_journal(state, &journal);
	begin_case(&journal, "aa", 1, boot, (int)getpid(), start_of_this_process());
	assert_false(journal_find_unfinished(&journal, &found));
	/* The same number, but another process that was given it later. */
	begin_case(&journal, "bb", 1, boot, (int)getpid(), start_of_this_process() + 1);
	assert_true(journal_find_unfinished(&journal, &found));
	assert_string_equal(found.begun.run, "bb");
	assert_false(found.rebooted);
	journal_unfinished_finish(&found);
	journal_close(&journal);
}

static void a_run_whose_cases_are_all_there_is_over(void **state)
{
	struct journal journal;
	struct journal_unfinished found;

	open_journal(state, &journal);
	begin_case(&journal, "aa", 5, BOOT_BEFORE, 1, 1);
	add_result(&journal, "aa", 5);
	assert_false(journal_find_unfinished(&journal, &found));
	journal_close(&journal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(keeps_what_was_added_in_order, make_place, remove_place),
		cmocka_unit_test_setup_teardown(every_record_is_one_line, make_place, remove_place),
		cmocka_unit_test_setup_teardown(makes_its_directory, make_place, remove_place),
		cmocka_unit_test_setup_teardown(sets_a_torn_last_line_aside, make_place, remove_place),
		cmocka_unit_test_setup_teardown(starts_a_line_of_its_own_after_a_foreign_torn_one, make_place,
			remove_place),
		cmocka_unit_test_setup_teardown(two_workbenches_add_by_turns, make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_repair_leaves_others_usable, make_place, remove_place),
		cmocka_unit_test_setup_teardown(skips_what_is_not_ours, make_place, remove_place),
		cmocka_unit_test_setup_teardown(reads_only_results_as_results, make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_directory_or_fifo_in_its_place_is_refused, make_place,
			remove_place),
		cmocka_unit_test_setup_teardown(a_read_only_store_is_read_and_said, make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_line_that_does_not_fit_is_taken_back, make_place, remove_place),
		cmocka_unit_test_setup_teardown(finds_a_run_that_was_broken_off, make_place, remove_place),
		cmocka_unit_test_setup_teardown(between_two_cases_the_next_one_is_meant, make_place, remove_place),
		cmocka_unit_test_setup_teardown(last_seen_is_of_the_same_run, make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_living_workbench_is_not_unfinished, make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_run_whose_cases_are_all_there_is_over, make_place,
			remove_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
