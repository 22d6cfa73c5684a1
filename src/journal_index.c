/* SPDX-License-Identifier: MIT
 * Reads, checks and writes the index of the journal. */
#include "journal_index.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "mem.h"

struct header {
	char magic[8];
	uint32_t version, entry_size;
	uint64_t inode; /* of the journal: one that was replaced has another */
};

#define MAGIC "bbindex"
#define VERSION 1

static void copy_text(const json_t *root, const char *key, char *buffer, size_t size)
{
	const char *text = json_string_value(json_object_get(root, key));

	snprintf(buffer, size, "%s", text ? text : "");
}

static uint8_t state_of(const json_t *root)
{
	const char *state = json_string_value(json_object_get(root, "state"));

	for (int i = RESULT_OK; i <= RESULT_UNFINISHED; i++)
		if (state && !strcmp(state, result_state_name((enum result_state)i)))
			return (uint8_t)i;
	return RESULT_FAILED;
}

static int64_t time_of(const json_t *root)
{
	const json_t *time = json_object_get(root, "time");
	struct tm parts = { 0 };

	if (json_is_integer(time))
		return json_integer_value(time);
	if (!json_is_string(time) || !strptime(json_string_value(time), "%Y-%m-%dT%H:%M:%SZ", &parts))
		return 0;
	return (int64_t)timegm(&parts);
}

static uint8_t kind_of(const json_t *root)
{
	static const struct { const char *schema; enum journal_kind kind; } kinds[] = {
		{ "boardbench.result/1", JOURNAL_RESULT }, { "boardbench.begun/1", JOURNAL_BEGUN },
		{ "boardbench.closed/1", JOURNAL_CLOSED },
	};
	const char *schema = json_string_value(json_object_get(root, "schema"));

	for (size_t i = 0; schema && i < ARRAY_LEN(kinds); i++)
		if (!strcmp(schema, kinds[i].schema))
			return (uint8_t)kinds[i].kind;
	return 0;
}

bool journal_entry_of_line(const char *line, size_t length, uint64_t offset,
	struct journal_entry *entry)
{
	json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);

	*entry = (struct journal_entry){ .offset = offset, .length = (uint32_t)length,
		.kind = kind_of(root), .state = state_of(root), .time = time_of(root),
		.case_index = (uint32_t)json_integer_value(json_object_get(root, "case")),
		.cases = (uint32_t)json_integer_value(json_object_get(root, "cases")) };
	copy_text(root, "run", entry->run, sizeof(entry->run));
	copy_text(root, "boot_id", entry->boot_id, sizeof(entry->boot_id));
	copy_text(root, "subsystem", entry->subsystem, sizeof(entry->subsystem));
	copy_text(root, "profile", entry->profile, sizeof(entry->profile));
	json_decref(root);
	return entry->kind != 0;
}

void journal_append_entry(struct journal *journal, const struct journal_entry *entry)
{
	/* Grown by doubling: 100,000 entries must not be copied 100,000 times. */
	if ((journal->len & (journal->len - 1)) == 0)
		journal->entries = mem_grow(journal->entries, journal->len ? 2 * journal->len : 1,
			sizeof(*journal->entries));
	journal->entries[journal->len++] = *entry;
}

static char *index_path(const struct journal *journal)
{
	return text_printf("%s/journal.index", journal->directory);
}

static void header_of(const struct journal *journal, struct header *header)
{
	struct stat status;

	*header = (struct header){ .magic = MAGIC, .version = VERSION,
		.entry_size = sizeof(struct journal_entry) };
	if (stat(journal->path, &status) == 0)
		header->inode = (uint64_t)status.st_ino;
}

static bool entry_is_sane(const struct journal_entry *entry, uint64_t from, uint64_t size)
{
	return entry->offset >= from && entry->length > 0 && entry->offset <= size &&
		entry->length < size - entry->offset && entry->kind >= JOURNAL_RESULT &&
		entry->kind <= JOURNAL_CLOSED && memchr(entry->run, 0, sizeof(entry->run)) &&
		memchr(entry->boot_id, 0, sizeof(entry->boot_id)) &&
		memchr(entry->subsystem, 0, sizeof(entry->subsystem)) &&
		memchr(entry->profile, 0, sizeof(entry->profile));
}

/* The last line that the index knows must stand in the journal as it says: then so does the rest, which
 * was appended before it. */
static bool last_fits(const struct journal_entry *last, int fd)
{
	struct journal_entry found;
	char *line = mem_zalloc((size_t)last->length + 2, 1);
	ssize_t got = pread(fd, line, (size_t)last->length + 1, (off_t)last->offset);
	bool fits = got == (ssize_t)last->length + 1 && line[last->length] == '\n' &&
		journal_entry_of_line(line, last->length, last->offset, &found) &&
		!memcmp(&found, last, sizeof(found));

	free(line);
	return fits;
}

uint64_t journal_index_load(struct journal *journal, int fd)
{
	_autofree_ char *path = index_path(journal);
	_autoclose_ int index = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat status, own;
	struct header header, expected;
	uint64_t from = 0;

	if (index < 0 || fstat(index, &status) < 0 || !S_ISREG(status.st_mode) || fstat(fd, &own) < 0)
		return 0;
	header_of(journal, &expected);
	if (read(index, &header, sizeof(header)) != (ssize_t)sizeof(header) ||
		memcmp(&header, &expected, sizeof(header)))
		return 0;
	uint64_t bytes = (uint64_t)status.st_size - sizeof(header);
	/* No line of ours is shorter than this: a grown index must not ask for all of the memory. */
	if (bytes / sizeof(*journal->entries) > (uint64_t)own.st_size / sizeof("{\"schema\":\"boardbench.\"}"))
		return 0;
	size_t len = (size_t)(bytes / sizeof(*journal->entries)), capacity = 1;
	while (capacity < len)
		capacity *= 2;
	struct journal_entry *entries = mem_grow(NULL, capacity, sizeof(*entries));
	if (len == 0 || read(index, entries, len * sizeof(*entries)) != (ssize_t)(len * sizeof(*entries)))
		len = 0;
	for (size_t i = 0; i < len; i++) {
		if (!entry_is_sane(&entries[i], from, (uint64_t)own.st_size)) {
			len = 0;
			break;
		}
		from = entries[i].offset + entries[i].length + 1;
	}
	if (len == 0 || !last_fits(&entries[len - 1], fd)) {
		free(entries);
		return 0;
	}
	journal->entries = entries;
	journal->len = len;
	return from;
}

void journal_index_save(const struct journal *journal)
{
	_autofree_ char *path = index_path(journal);
	struct text text = { 0 };
	struct header header;

	header_of(journal, &header);
	text_add_bytes(&text, (const char *)&header, sizeof(header));
	if (journal->len)
		text_add_bytes(&text, (const char *)journal->entries,
			journal->len * sizeof(*journal->entries));
	file_replace(path, text.data, text.length, NULL);
	text_finish(&text);
}

void journal_index_add(const struct journal *journal)
{
	_autofree_ char *path = index_path(journal);
	_autoclose_ int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat status;
	const struct journal_entry *last = &journal->entries[journal->len - 1];

	/* One that another process has written to, or that is not there, is made anew at the next start. */
	if (fd < 0 || fstat(fd, &status) < 0 || (uint64_t)status.st_size != sizeof(struct header) +
		(journal->len - 1) * sizeof(*last)) {
		if (journal->len == 1)
			journal_index_save(journal);
		return;
	}
	file_write_all(fd, (const char *)last, sizeof(*last));
}
