/* SPDX-License-Identifier: MIT
 *
 * Follows the links of sysfs without leaving the root directory. */
#include "sysfs.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"
#include "text.h"

/* As the kernel's limit for one path. */
#define LINKS_MAX 40

/* Take the first component off *rest; false: none is left. */
static bool next_component(const char **rest, const char **start, size_t *length)
{
	*start = *rest + strspn(*rest, "/");
	*length = strcspn(*start, "/");
	*rest = *start + *length;
	return *length > 0;
}

static void cut_last(struct text *path)
{
	char *slash = path->data ? strrchr(path->data, '/') : NULL;
	if (slash) {
		*slash = '\0';
		path->length = (size_t)(slash - path->data);
	}
}

/* Target of the link root + path; false: it is no link. *exists tells whether it is anything. */
static bool read_link(const char *root, const char *path, char *target, size_t size, bool *exists)
{
	_autofree_ char *full = text_printf("%s%s", root, path);
	struct stat status;
	*exists = lstat(full, &status) == 0;
	if (!*exists || !S_ISLNK(status.st_mode))
		return false;
	ssize_t length = readlink(full, target, size - 1);
	*exists = length >= 0;
	target[length < 0 ? 0 : length] = '\0';
	return length >= 0;
}

static char *resolve(const char *root, const char *path)
{
	struct text done = { 0 };
	char *todo = mem_strdup(path), *result = NULL;
	const char *rest = todo, *start;
	size_t length;
	int links = 0;

	while (next_component(&rest, &start, &length)) {
		char target[PATH_MAX];
		bool exists;

		if (length == 1 && start[0] == '.')
			continue;
		if (length == 2 && start[0] == '.' && start[1] == '.') {
			cut_last(&done);
			continue;
		}
		text_add(&done, "/%.*s", (int)length, start);
		if (!read_link(root, done.data, target, sizeof(target), &exists)) {
			if (!exists)
				goto out;
			continue;
		}
		if (++links > LINKS_MAX)
			goto out;
		if (target[0] == '/')
			text_clear(&done);
		else
			cut_last(&done);
		char *more = text_printf("%s/%s", target, rest);
		free(todo);
		todo = more;
		rest = todo;
	}
	result = text_steal(&done);
out:
	text_finish(&done);
	free(todo);
	return result;
}

static char *__attribute__((format(printf, 1, 0))) format_path(const char *format, va_list args)
{
	char path[PATH_MAX];
	int length = vsnprintf(path, sizeof(path), format, args);
	return length < 0 || (size_t)length >= sizeof(path) ? NULL : mem_strdup(path);
}

char *sysfs_resolve(const char *root, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	_autofree_ char *path = format_path(format, args);
	va_end(args);
	return path ? resolve(root, path) : NULL;
}

char *sysfs_name(const char *root, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	_autofree_ char *path = format_path(format, args);
	va_end(args);
	_autofree_ char *real = path ? resolve(root, path) : NULL;
	return real ? mem_strdup(sysfs_base(real)) : NULL;
}

const char *sysfs_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
