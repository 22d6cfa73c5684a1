/* SPDX-License-Identifier: MIT
 * The journal: opens, repairs, appends, reads. */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "file.h"
#include "journal_index.h"
#include "json.h"
#include "mem.h"

#define TMPFS_MAGIC_NUMBER 0x01021994 /* linux/magic.h */
#define RAMFS_MAGIC_NUMBER 0x858458f6
#define CHUNK (256 * 1024)
#define LINE_MAX_BYTES (16 * 1024 * 1024) /* a longer line is none of ours */

static void set_problem(struct journal *journal, char *problem)
{
	free(journal->problem);
	journal->problem = problem;
}

/* Lines from `from` on; returns the end of the last whole line. */
static uint64_t scan(struct journal *journal, int fd, uint64_t from)
{
	struct text line = { 0 };
	char *chunk = mem_zalloc(CHUNK, 1);
	uint64_t start = from, position = from;
	ssize_t got;

	while ((got = pread(fd, chunk, CHUNK, (off_t)position)) > 0) {
		char *rest = chunk, *end = chunk + got;
		for (char *newline; (newline = memchr(rest, '\n', (size_t)(end - rest)));
			rest = newline + 1) {
			struct journal_entry entry;
			text_add_bytes(&line, rest, (size_t)(newline - rest));
			if (line.length && line.length < LINE_MAX_BYTES &&
				journal_entry_of_line(line.data, line.length, start, &entry))
				journal_append_entry(journal, &entry);
			text_clear(&line);
			start = position + (uint64_t)(newline + 1 - chunk);
		}
		if (line.length < LINE_MAX_BYTES)
			text_add_bytes(&line, rest, (size_t)(end - rest));
		position += (uint64_t)got;
	}
	text_finish(&line);
	free(chunk);
	return start;
}

/* What stands behind the last newline is kept in journal.torn and cut off. Under the lock that each append
 * holds, and looked at again under it: what seemed torn may be another workbench's line on its way. */
static void set_torn_aside(struct journal *journal, uint64_t whole)
{
	_autofree_ char *path = text_printf("%s/journal.torn", journal->directory);
	struct stat status;

	if (journal->fd < 0 || flock(journal->fd, LOCK_EX | LOCK_NB) < 0)
		return;
	whole = scan(journal, journal->fd, whole);
	uint64_t size = fstat(journal->fd, &status) == 0 ? (uint64_t)status.st_size : 0;
	size_t length = size > whole && size - whole <= LINE_MAX_BYTES ? (size_t)(size - whole) : 0;
	_autofree_ char *bytes = mem_zalloc(length + 1, 1);
	_autoclose_ int torn = length == 0 ? -1 :
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
	if (torn >= 0 && pread(journal->fd, bytes, length, (off_t)whole) == (ssize_t)length) {
		bytes[length] = '\n';
		if (file_write_all(torn, bytes, length + 1) == 0 && fsync(torn) == 0 &&
			ftruncate(journal->fd, (off_t)whole) == 0) {
			journal->torn = true;
			journal->torn_offset = whole;
		}
	}
	flock(journal->fd, LOCK_UN);
}

static void look_at_store(struct journal *journal)
{
	struct statfs status;

	if (statfs(journal->directory, &status) < 0 || journal->problem)
		return;
	if ((unsigned long)status.f_type == TMPFS_MAGIC_NUMBER ||
		(unsigned long)status.f_type == RAMFS_MAGIC_NUMBER)
		set_problem(journal, text_printf("%s is in memory: results are lost at a power cut or reset; give "
			"a directory on a disk with --store", journal->directory));
	else if (status.f_bavail == 0)
		set_problem(journal, text_printf("%s is full: new results cannot be kept", journal->directory));
}

static int open_file(struct journal *journal, struct error *error)
{
	struct error why = { 0 };
	struct stat status;
	int fd = -1;

	if (file_make_directories(journal->directory, &why) == 0) {
		fd = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
		if (fd < 0)
			error_set(&why, errno, "cannot open %s: %s", journal->path, strerror(errno));
	}
	journal->fd = fd;
	if (fd < 0) {
		set_problem(journal, text_printf("results are not kept: %s; give another place with --store",
			why.text));
		fd = open(journal->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0 && errno != ENOENT && errno != ENOTDIR)
			return error_set(error, errno, "%s", journal->problem);
	}
	if (fd >= 0 && fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
		close(fd);
		journal->fd = -1;
		return error_set(error, EINVAL, "%s is no regular file: move it away, or give another place with "
			"--store", journal->path);
	}
	return fd;
}

int journal_open(const char *directory, struct journal *journal, struct error *error)
{
	struct stat status;

	*journal = (struct journal){ .directory = mem_strdup(directory),
		.path = text_printf("%s/journal.jsonl", directory), .fd = -1 };
	int fd = open_file(journal, error);
	if (fd < 0 && error && error->code) {
		journal_close(journal);
		return -error->code;
	}
	if (fd < 0)
		return 0; /* nothing there, and nothing can be kept: problem says so */
	uint64_t indexed = journal_index_load(journal, fd);
	size_t known = journal->len;
	uint64_t whole = scan(journal, fd, indexed);
	if (fstat(fd, &status) == 0 && (uint64_t)status.st_size > whole)
		set_torn_aside(journal, whole);
	if (journal->fd >= 0 && (journal->len != known || indexed == 0))
		journal_index_save(journal);
	if (journal->fd < 0)
		close(fd);
	look_at_store(journal);
	return 0;
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	free(journal->directory);
	free(journal->path);
	free(journal->problem);
	free(journal->entries);
	*journal = (struct journal){ .fd = -1 };
}

void journal_refresh(struct journal *journal)
{
	uint64_t from = 0;

	if (journal->entries && journal->len) {
		const struct journal_entry *last = &journal->entries[journal->len - 1];
		from = last->offset + last->length + 1;
	}
	_autoclose_ int fd = open(journal->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		scan(journal, fd, from);
}

/* One write, so that a crash loses the last line at most; then it is on the medium. */
static int append(struct journal *journal, struct text *line, struct error *error)
{
	struct journal_entry entry;
	struct stat status;
	off_t before;

	if (journal->fd < 0)
		return error_set(error, EROFS, "%s", journal->problem ? journal->problem : "the journal is closed");
	/* Held for this line only: with one held for as long as the journal is open, the second workbench
	 * would wait for the first to be left. */
	flock(journal->fd, LOCK_EX);
	before = fstat(journal->fd, &status) == 0 ? status.st_size : 0;
	char last = '\n';
	if (before > 0 && pread(journal->fd, &last, 1, before - 1) == 1 && last != '\n') {
		/* A torn line of somebody else's: ours begins on a line of its own. */
		if (write(journal->fd, "\n", 1) == 1)
			before++;
	}
	ssize_t written = write(journal->fd, line->data, line->length);
	int code = written < 0 ? errno : written != (ssize_t)line->length ? ENOSPC :
		fdatasync(journal->fd) < 0 ? errno : 0;
	if (code && written != (ssize_t)line->length && ftruncate(journal->fd, before) < 0)
		code = errno;
	flock(journal->fd, LOCK_UN);
	if (code) {
		set_problem(journal, text_printf("results are not kept: cannot write %s: %s", journal->path,
			strerror(code)));
		return error_set(error, code, "cannot write %s: %s", journal->path, strerror(code));
	}
	/* Others may have appended meanwhile: their lines come first. */
	const struct journal_entry *newest = journal->len ? &journal->entries[journal->len - 1] : NULL;
	if ((newest ? newest->offset + newest->length + 1 : 0) != (uint64_t)before) {
		journal_refresh(journal);
		return 0;
	}
	if (journal_entry_of_line(line->data, line->length - 1, (uint64_t)before, &entry)) {
		journal_append_entry(journal, &entry);
		journal_index_add(journal);
	}
	return 0;
}

int journal_add(struct journal *journal, const struct result *result, struct error *error)
{
	struct text line = { 0 };

	result_to_json(result, &line);
	int code = append(journal, &line, error);
	text_finish(&line);
	return code;
}

int journal_begin(struct journal *journal, const struct journal_begun *begun, struct error *error)
{
	struct text line = { 0 };

	json_put_object(&line, NULL);
	json_put_string(&line, "schema", "boardbench.begun/1");
	json_put_string(&line, "run", begun->run);
	json_put_uint(&line, "case", begun->case_index);
	json_put_uint(&line, "cases", begun->cases);
	json_put_uint(&line, "pass", begun->pass);
	json_put_string(&line, "board", begun->board);
	json_put_string(&line, "subsystem", begun->subsystem);
	json_put_string(&line, "profile", begun->profile);
	json_put_string(&line, "what", begun->what);
	json_put_int(&line, "time", begun->time);
	json_put_string(&line, "boot_id", begun->boot_id);
	json_put_int(&line, "pid", begun->pid);
	json_put_uint(&line, "pid_start", begun->pid_start);
	if (begun->plan)
		json_put_string(&line, "plan", begun->plan);
	json_put_object_end(&line);
	text_add(&line, "\n");
	int code = append(journal, &line, error);
	text_finish(&line);
	return code;
}

int journal_close_run(struct journal *journal, const char *run, struct error *error)
{
	struct text line = { 0 };

	json_put_object(&line, NULL);
	json_put_string(&line, "schema", "boardbench.closed/1");
	json_put_string(&line, "run", run);
	json_put_object_end(&line);
	text_add(&line, "\n");
	int code = append(journal, &line, error);
	text_finish(&line);
	return code;
}

static char *read_line(const struct journal *journal, size_t i, struct error *error)
{
	const struct journal_entry *entry = &journal->entries[i];
	_autoclose_ int fd = open(journal->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *line = mem_zalloc((size_t)entry->length + 1, 1);

	if (fd >= 0 && pread(fd, line, entry->length, (off_t)entry->offset) == (ssize_t)entry->length)
		return line;
	error_set(error, fd < 0 ? errno : EIO, "cannot read %s at %llu: %s", journal->path,
		(unsigned long long)entry->offset, fd < 0 ? strerror(errno) : "it has changed");
	free(line);
	return NULL;
}

int journal_read(const struct journal *journal, size_t i, struct result *result,
	struct error *error)
{
	_autofree_ char *line = read_line(journal, i, error);

	*result = (struct result){ 0 };
	if (!line)
		return error ? -error->code : -EIO;
	return result_from_json(line, journal->entries[i].length, result, error);
}

void journal_begun_finish(struct journal_begun *begun)
{
	free(begun->board);
	free(begun->subsystem);
	free(begun->profile);
	free(begun->what);
	free(begun->plan);
	*begun = (struct journal_begun){ 0 };
}

void journal_unfinished_finish(struct journal_unfinished *found)
{
	journal_begun_finish(&found->begun);
	settings_finish(&found->last_seen);
	*found = (struct journal_unfinished){ 0 };
}
