/* SPDX-License-Identifier: MIT
 * Which run was broken off, and what was last seen of it. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "identity.h"
#include "journal.h"
#include "json.h"
#include "mem.h"

static char *get_copy(const json_t *root, const char *key)
{
	return mem_strdup(json_string_value(json_object_get(root, key)));
}

static json_t *load(const struct journal *journal, size_t i)
{
	const struct journal_entry *entry = &journal->entries[i];
	_autoclose_ int fd = open(journal->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	_autofree_ char *line = mem_zalloc((size_t)entry->length + 1, 1);

	if (fd < 0 || pread(fd, line, entry->length, (off_t)entry->offset) != (ssize_t)entry->length)
		return NULL;
	return json_loadb(line, entry->length, JSON_REJECT_DUPLICATES, NULL);
}

static bool begun_of(const struct journal *journal, size_t i, struct journal_begun *begun)
{
	json_t *root = load(journal, i);

	if (!root)
		return false;
	*begun = (struct journal_begun){
		.case_index = (uint32_t)json_integer_value(json_object_get(root, "case")),
		.cases = (uint32_t)json_integer_value(json_object_get(root, "cases")),
		.pass = (uint32_t)json_integer_value(json_object_get(root, "pass")),
		.board = get_copy(root, "board"), .subsystem = get_copy(root, "subsystem"),
		.profile = get_copy(root, "profile"), .what = get_copy(root, "what"),
		.plan = get_copy(root, "plan"), .time = json_integer_value(json_object_get(root, "time")),
		.pid = (int)json_integer_value(json_object_get(root, "pid")),
		.pid_start = (uint64_t)json_integer_value(json_object_get(root, "pid_start")),
	};
	snprintf(begun->run, sizeof(begun->run), "%s", journal->entries[i].run);
	snprintf(begun->boot_id, sizeof(begun->boot_id), "%s", journal->entries[i].boot_id);
	json_decref(root);
	if (!begun->subsystem)
		begun->subsystem = mem_strdup("?");
	if (!begun->what)
		begun->what = mem_strdup("?");
	if (!begun->board)
		begun->board = mem_strdup("?");
	return true;
}

static bool is_of(const struct journal_entry *entry, enum journal_kind kind, const char *run)
{
	return entry->kind == kind && !strcmp(entry->run, run);
}

/* The last beginning of the newest run, when that has no end. One way through: the journal may be long. */
static bool find_open(const struct journal *journal, size_t *found)
{
	size_t newest = journal->len;

	while (newest > 0 && journal->entries[newest - 1].kind == JOURNAL_CLOSED)
		newest--;
	if (newest == 0)
		return false;
	const char *run = journal->entries[newest - 1].run;
	for (size_t i = newest; i < journal->len; i++)
		if (is_of(&journal->entries[i], JOURNAL_CLOSED, run))
			return false;
	for (size_t i = newest; i > 0; i--)
		if (is_of(&journal->entries[i - 1], JOURNAL_BEGUN, run)) {
			*found = i - 1;
			return true;
		}
	return false;
}

static char *plan_of(const struct journal *journal, const char *run)
{
	for (size_t i = 0; i < journal->len; i++) {
		if (journal->entries[i].kind != JOURNAL_BEGUN || strcmp(journal->entries[i].run, run))
			continue;
		json_t *root = load(journal, i);
		char *plan = get_copy(root, "plan");
		json_decref(root);
		if (plan)
			return plan;
	}
	return NULL;
}

static void read_last_seen(const struct journal *journal, struct journal_unfinished *found)
{
	_autofree_ char *text = file_read("", "%s/running", journal->directory);
	json_t *root = text ? json_loads(text, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, NULL) : NULL;
	const char *run = json_string_value(json_object_get(root, "run")), *name;
	json_t *value;

	if (run && !strcmp(run, found->begun.run))
		json_object_foreach(root, name, value)
			if (json_is_string(value))
				settings_set(&found->last_seen, name, json_string_value(value));
	json_decref(root);
}

bool journal_find_unfinished(const struct journal *journal, struct journal_unfinished *found)
{
	char boot[BOOT_ID_SIZE];
	size_t at;

	*found = (struct journal_unfinished){ 0 };
	if (!find_open(journal, &at) || !begun_of(journal, at, &found->begun))
		return false;
	if (process_is_alive(found->begun.boot_id, found->begun.pid, found->begun.pid_start)) {
		journal_unfinished_finish(found);
		return false;
	}
	bool has_result = false;
	for (size_t i = 0; i < journal->len; i++) {
		const struct journal_entry *entry = &journal->entries[i];
		if (entry->kind != JOURNAL_RESULT || strcmp(entry->run, found->begun.run))
			continue;
		found->complete++;
		has_result = has_result || entry->case_index == found->begun.case_index;
	}
	if (has_result && found->begun.case_index >= found->begun.cases) {
		journal_unfinished_finish(found);
		return false; /* only the line that says so is missing */
	}
	if (has_result) { /* it went away between two cases */
		found->begun.case_index++;
		found->begun.pass = 0;
		free(found->begun.what);
		found->begun.what = mem_strdup("had not begun yet");
	}
	found->rebooted = strcmp(found->begun.boot_id, boot_id_read(boot, sizeof(boot))) != 0;
	if (!found->begun.plan)
		found->begun.plan = plan_of(journal, found->begun.run);
	read_last_seen(journal, found);
	return true;
}

void journal_progress(const struct journal *journal, const struct settings *progress)
{
	_autofree_ char *path = text_printf("%s/running", journal->directory);
	_autoclose_ int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
	struct text text = { 0 };

	if (fd < 0)
		return;
	json_put_object(&text, NULL);
	for (size_t i = 0; i < progress->len; i++)
		json_put_string(&text, progress->items[i].name, progress->items[i].text);
	json_put_object_end(&text);
	/* Of one length, so that it is overwritten in place and never torn across a longer one. */
	while (text.length < 511)
		text_add_bytes(&text, " ", 1);
	text_add_bytes(&text, "\n", 1);
	ssize_t written = pwrite(fd, text.data, text.length, 0);
	(void)written; /* only what was last seen: nothing depends on it */
	text_finish(&text);
}
