/* SPDX-License-Identifier: MIT
 *
 * Small files below a root directory read whole, and files written whole and atomically. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "mem.h"
#include "text.h"

#define FILE_READ_MAX ((size_t)1 << 20)

__attribute__((format(printf, 2, 0))) static char *make_path(
	const char *root, const char *format, va_list arguments)
{
	char *path, *tail = NULL;

	if (vasprintf(&tail, format, arguments) < 0)
		tail = mem_strdup("");
	path = text_printf("%s%s", root ? root : "", tail);
	free(tail);
	return path;
}

/* O_NONBLOCK: opening a FIFO nobody writes to would wait for ever. It is then refused, as devices
 * are: reading one of those may block, or have an effect. */
static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0) {
		int error = errno;

		close(fd);
		return -error;
	}
	if (!S_ISREG(status.st_mode)) {
		close(fd);
		return S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
	}
	return fd;
}

/* st_size says nothing in /proc and /sys, so read until the end. */
static int read_all(int fd, struct text *content)
{
	char block[4096];

	for (;;) {
		ssize_t got = read(fd, block, sizeof(block));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return 0;
		if (content->length + (size_t)got > FILE_READ_MAX)
			return -EFBIG;
		text_add_bytes(content, block, (size_t)got);
	}
}

static char *read_path(const char *path)
{
	struct text content = { 0 };
	_autoclose_ int fd = open_regular(path);
	int result = fd < 0 ? fd : read_all(fd, &content);

	if (result < 0) {
		text_finish(&content);
		errno = -result;
		return NULL;
	}
	return text_steal(&content);
}

static char *first_line(char *content)
{
	size_t length;

	if (!content)
		return NULL;
	length = strcspn(content, "\n");
	while (length > 0 && strchr(" \t\r", content[length - 1]))
		length--;
	content[length] = '\0';
	return content;
}

char *file_read(const char *root, const char *format, ...)
{
	va_list arguments;
	char *content;

	va_start(arguments, format);
	_autofree_ char *path = make_path(root, format, arguments);
	va_end(arguments);
	content = read_path(path);
	return content;
}

char *file_read_line(const char *root, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	_autofree_ char *path = make_path(root, format, arguments);
	va_end(arguments);
	return first_line(read_path(path));
}

long long file_read_number(const char *root, long long otherwise, const char *format, ...)
{
	va_list arguments;
	long long number;
	char *end;

	va_start(arguments, format);
	_autofree_ char *path = make_path(root, format, arguments);
	va_end(arguments);
	_autofree_ char *line = first_line(read_path(path));

	if (!line)
		return otherwise;
	errno = 0;
	number = strtoll(line, &end, 0);
	return errno || end == line || *end ? otherwise : number;
}

char *file_link_name(const char *root, const char *format, ...)
{
	char target[4096];
	va_list arguments;
	ssize_t length;
	char *slash;

	va_start(arguments, format);
	_autofree_ char *path = make_path(root, format, arguments);
	va_end(arguments);
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return NULL;
	while (length > 1 && target[length - 1] == '/')
		length--;
	target[length] = '\0';
	slash = strrchr(target, '/');
	return mem_strdup(slash && slash[1] ? slash + 1 : target);
}

int file_write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t put = write(fd, bytes, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		if (put == 0)
			return -EIO;
		bytes += put;
		length -= (size_t)put;
	}
	return 0;
}

/* The name of a file is only as safe as its directory. Some filesystems have no fsync there. */
static int sync_directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	_autofree_ char *directory = slash == path ? mem_strdup("/")
		: slash ? mem_strndup(path, (size_t)(slash - path))
			: mem_strdup(".");
	_autoclose_ int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
		return -errno;
	return 0;
}

static int fill_temporary(const char *path, mode_t mode, const char *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	int result;

	if (fd < 0)
		return -errno;
	result = file_write_all(fd, bytes, length);
	if (result == 0 && fsync(fd) < 0 && errno != EINVAL)
		result = -errno;
	if (close(fd) < 0 && result == 0)
		result = -errno;
	return result;
}

int file_replace(const char *path, const char *bytes, size_t length, struct error *error)
{
	/* Of a symbolic link the file behind it is replaced, not the link. */
	_autofree_ char *real = realpath(path, NULL);
	const char *place = real ? real : path;
	_autofree_ char *temporary = text_printf("%s.%ld.tmp", place, (long)getpid());
	mode_t mode = 0666; /* less the umask */
	struct stat status;
	int result;

	if (stat(place, &status) == 0) {
		if (!S_ISREG(status.st_mode))
			return error_set(error, S_ISDIR(status.st_mode) ? EISDIR : EINVAL,
				"cannot write %s: it is %s; give the name of a file", path,
				S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
		mode = status.st_mode & 0777;
	}
	result = fill_temporary(temporary, mode, bytes, length);
	if (result == -EEXIST) { /* left by a process of this number that was killed */
		unlink(temporary);
		result = fill_temporary(temporary, mode, bytes, length);
	}
	if (result == 0 && rename(temporary, place) < 0)
		result = -errno;
	if (result < 0) {
		unlink(temporary);
		return error_set(error, -result, "cannot write %s: %s", path, strerror(-result));
	}
	result = sync_directory_of(place);
	if (result < 0)
		return error_set(error, -result,
			"%s was written, but may be gone after a power cut: %s", path,
			strerror(-result));
	return 0;
}

static int make_directory(const char *path, struct error *error)
{
	struct stat status;
	int code;

	if (mkdir(path, 0755) == 0)
		return 0;
	code = errno;
	/* A directory on a read-only filesystem gives EROFS, not EEXIST, on some kernels. */
	if (stat(path, &status) == 0) {
		if (S_ISDIR(status.st_mode))
			return 0;
		return error_set(error, ENOTDIR,
			"cannot make the directory %s: a file of that name is in the way", path);
	}
	return error_set(error, code, "cannot make the directory %s: %s", path, strerror(code));
}

int file_make_directories(const char *path, struct error *error)
{
	_autofree_ char *partial = mem_strdup(path);

	for (char *c = partial; *c; c++) {
		int result;

		if (*c != '/' || c == partial || c[-1] == '/')
			continue;
		*c = '\0';
		result = make_directory(partial, error);
		*c = '/';
		if (result < 0)
			return result;
	}
	return make_directory(partial, error);
}
