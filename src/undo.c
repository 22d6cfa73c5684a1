/* SPDX-License-Identifier: MIT
 * Changes of the system and the file that says how to undo them. */
#include "undo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "identity.h"
#include "json.h"
#include "mem.h"
#include "text.h"

struct change {
	enum bb_change_kind kind;
	char *path;
	char *old; /* what BB_CHANGE_WRITE puts back */
	char *now; /* what BB_CHANGE_WRITE wrote: a value that someone else has set since is left alone */
};

struct undo {
	char *path; /* NULL: nowhere to write */
	struct change *changes;
	size_t len;
};

struct undo *undo_open(const char *store)
{
	struct undo *undo = mem_zalloc(1, sizeof(*undo));

	if (store) {
		_autofree_ char *directory = text_printf("%s/undo", store);
		if (file_make_directories(directory, NULL) == 0)
			undo->path = text_printf("%s/%d-%llu.undo", directory, (int)getpid(),
				(unsigned long long)process_start_time((int)getpid()));
	}
	return undo;
}

/* The whole list is rewritten at each change: there are few, and the file is never half-written. */
static int save(const struct undo *undo, struct error *error)
{
	struct text text = { 0 };
	char boot[BOOT_ID_SIZE];

	boot_id_read(boot, sizeof(boot));
	json_put_object(&text, NULL);
	json_put_string(&text, "schema", "boardbench.undo/1");
	json_put_int(&text, "pid", getpid());
	json_put_uint(&text, "pid_start", process_start_time((int)getpid()));
	json_put_string(&text, "boot_id", boot);
	json_put_array(&text, "changes");
	for (size_t i = 0; i < undo->len; i++) {
		json_put_object(&text, NULL);
		json_put_int(&text, "kind", undo->changes[i].kind);
		json_put_string(&text, "path", undo->changes[i].path);
		json_put_string(&text, "old", undo->changes[i].old);
		json_put_string(&text, "now", undo->changes[i].now);
		json_put_object_end(&text);
	}
	json_put_array_end(&text);
	json_put_object_end(&text);
	text_add(&text, "\n");
	int result = file_replace(undo->path, text.data, text.length, error);
	text_finish(&text);
	return result;
}

static void change_finish(struct change *change)
{
	free(change->path);
	free(change->old);
	free(change->now);
}

static void forget_last(struct undo *undo)
{
	change_finish(&undo->changes[--undo->len]);
}

static int write_existing(const char *path, const char *text, struct error *error)
{
	/* sysfs and procfs do not mind being truncated; a file on a disk must not keep a longer text's end. */
	_autoclose_ int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return error_set(error, errno, "cannot open %s: %s", path, strerror(errno));
	/* One write: sysfs takes each write as a whole value. */
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return error_set(error, errno ? errno : EIO, "cannot write \"%s\" to %s: %s", text, path,
			strerror(errno));
	return 0;
}

/* sysfs shows a choice as "none [mq-deadline] kyber": what is written back is the chosen one alone. */
static void choose_bracketed(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close || close - open < 2)
		return;
	memmove(text, open + 1, (size_t)(close - open - 1));
	text[close - open - 1] = '\0';
}

static int prepare_change(struct change *change, struct error *error)
{
	struct stat status;

	if (change->kind == BB_CHANGE_CREATE) {
		if (lstat(change->path, &status) == 0)
			return error_set(error, EEXIST, "%s is there already and is left alone", change->path);
		return 0;
	}
	change->old = file_read("", "%s", change->path);
	if (!change->old)
		return error_set(error, errno, "cannot read %s: %s", change->path, strerror(errno));
	choose_bracketed(change->old);
	return 0;
}

int undo_change(struct undo *undo, enum bb_change_kind kind, const char *path, const char *text,
	struct error *error)
{
	if (kind != BB_CHANGE_CREATE && kind != BB_CHANGE_WRITE)
		return error_set(error, EINVAL, "unknown kind of change %d", (int)kind);
	if (!path || path[0] != '/' || (kind == BB_CHANGE_WRITE && !text))
		return error_set(error, EINVAL, "a change needs an absolute path and its text");
	if (!undo->path && kind == BB_CHANGE_WRITE)
		return error_set(error, EROFS, "%s is not changed: there is no place to write how to undo it; "
			"give a writable directory with --store", path);
	struct change change = { .kind = kind, .path = mem_strdup(path), .now = mem_strdup(text) };
	int result = prepare_change(&change, error);
	if (result < 0) {
		change_finish(&change);
		return result;
	}
	undo->changes = mem_grow(undo->changes, undo->len + 1, sizeof(change));
	undo->changes[undo->len++] = change;
	if (undo->path) {
		struct error why = { 0 };
		result = save(undo, &why);
		/* A full medium must not keep a file from being measured; it is removed from memory. */
		if (result < 0 && kind == BB_CHANGE_WRITE) {
			forget_last(undo);
			return error_set(error, why.code, "%s is not changed: how to undo it cannot be kept: %s",
				path, why.text);
		}
	}
	if (kind == BB_CHANGE_WRITE && (result = write_existing(path, text, error)) < 0) {
		forget_last(undo);
		if (undo->path)
			save(undo, NULL);
		return result;
	}
	return 0;
}

/* 1: put back, 0: nothing to do, negative: failed. */
static int revert_one(const struct change *change, struct error *error)
{
	if (change->kind == BB_CHANGE_CREATE) {
		struct stat status;
		if (lstat(change->path, &status) < 0)
			return 0;
		if (!S_ISREG(status.st_mode))
			return 0; /* not the file that was made */
		if (unlink(change->path) < 0 && errno != ENOENT)
			return error_set(error, errno, "cannot remove %s: %s", change->path, strerror(errno));
		return 1;
	}
	return write_existing(change->path, change->old, error) < 0 ? -error->code : 1;
}

int undo_revert(struct undo *undo, struct error *error)
{
	int result = 0;

	while (undo->len > 0) {
		struct error why = { 0 };
		if (revert_one(&undo->changes[undo->len - 1], &why) < 0)
			result = error_set(error, why.code, "%s", why.text);
		forget_last(undo);
	}
	if (undo->path)
		unlink(undo->path);
	return result;
}

void undo_close(struct undo *undo)
{
	if (!undo)
		return;
	while (undo->len > 0)
		forget_last(undo);
	free(undo->changes);
	free(undo->path);
	free(undo);
}

static void say(char ***messages, size_t *len, char *message)
{
	*messages = mem_grow(*messages, *len + 2, sizeof(**messages));
	(*messages)[(*len)++] = message;
	(*messages)[*len] = NULL;
}

/* Is the process that wrote this still the one with that number, in this boot? */
static bool owner_alive(const json_t *root)
{
	const char *boot = json_string_value(json_object_get(root, "boot_id"));

	return boot && process_is_alive(boot, (int)json_integer_value(json_object_get(root, "pid")),
		(uint64_t)json_integer_value(json_object_get(root, "pid_start")));
}

static void recover_change(const json_t *item, bool rebooted, char ***messages, size_t *len)
{
	struct error error = { 0 };
	struct change change = {
		.kind = (enum bb_change_kind)json_integer_value(json_object_get(item, "kind")),
		.path = (char *)(uintptr_t)json_string_value(json_object_get(item, "path")),
		.old = (char *)(uintptr_t)json_string_value(json_object_get(item, "old")),
	};

	if (!change.path || change.path[0] != '/' || (change.kind == BB_CHANGE_WRITE && !change.old))
		return;
	/* What lies in /proc and /sys was reset by the boot itself. */
	if (rebooted && change.kind == BB_CHANGE_WRITE &&
		(text_starts(change.path, "/proc/") || text_starts(change.path, "/sys/")))
		return;
	int result = revert_one(&change, &error);
	if (result < 0)
		say(messages, len, text_printf("not put back: %s", error.text));
	else if (result > 0 && change.kind == BB_CHANGE_CREATE)
		say(messages, len, text_printf("removed %s, left by an earlier run", change.path));
	else if (result > 0)
		say(messages, len, text_printf("put back %s to \"%.*s\"", change.path,
			(int)strcspn(change.old, "\n"), change.old));
}

/* What somebody else has put there is no order to change anything. */
static bool is_ours(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

static void recover_file(const char *path, int pid, char ***messages, size_t *len)
{
	json_error_t why;

	if (!is_ours(path))
		return;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
	char boot[BOOT_ID_SIZE];

	if (!root) {
		/* Written whole or not at all, so this is not ours or the medium is broken. */
		say(messages, len, text_printf("%s cannot be read (%s): look at it, then remove it", path,
			why.text));
		return;
	}
	int owner = (int)json_integer_value(json_object_get(root, "pid"));
	if (pid > 0 ? owner == pid : !owner_alive(root)) {
		const char *written = json_string_value(json_object_get(root, "boot_id"));
		json_t *changes = json_object_get(root, "changes");
		boot_id_read(boot, sizeof(boot));
		for (size_t i = json_array_size(changes); i > 0; i--)
			recover_change(json_array_get(changes, i - 1), !written || strcmp(written, boot) != 0,
				messages, len);
		unlink(path);
	}
	json_decref(root);
}

char **undo_recover(const char *store, int pid)
{
	char **messages = NULL;
	size_t len = 0;
	_autofree_ char *directory = text_printf("%s/undo", store ? store : "");
	DIR *stream = store ? opendir(directory) : NULL;

	if (!stream)
		return NULL;
	for (const struct dirent *entry; (entry = readdir(stream));) {
		const char *end = strrchr(entry->d_name, '.');
		if (!end || strcmp(end, ".undo"))
			continue;
		_autofree_ char *path = text_printf("%s/%s", directory, entry->d_name);
		recover_file(path, pid, &messages, &len);
	}
	closedir(stream);
	return messages;
}
