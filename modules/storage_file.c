/* SPDX-License-Identifier: MIT */
/* The one file that the storage module makes: created, told to the host, always removed. */
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of struct statx since Linux 6.1; the C library's header may be older than the kernel. */
#define DIOALIGN_MASK 0x2000u
#define DIOALIGN_MEMORY 0x98
#define DIOALIGN_OFFSET 0x9c

static uint64_t random_name(void)
{
	uint64_t value;
	struct timespec now;

	if (getrandom(&value, sizeof(value), GRND_NONBLOCK) == (ssize_t)sizeof(value))
		return value;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec;
}

int storage_fail(struct bb_context *ctx, int error, const char *what, uint64_t done)
{
	const char *advice = "see the kernel's messages";

	switch (error) {
	case ENOSPC:
		advice = "the filesystem is full: free space, or choose a smaller file_size";
		break;
	case EDQUOT:
		advice = "your quota is used up: free space, or choose a smaller file_size";
		break;
	case EIO:
		advice = "the device reports an error: see the kernel's messages, and check the medium";
		break;
	case EFBIG:
		advice = "this filesystem, or the limit of the shell (ulimit -f), takes no file of this size";
		break;
	case EROFS:
		advice = "the filesystem has become read-only: see the kernel's messages";
		break;
	case ESTALE:
	case ENOENT:
	case ENODEV:
	case ENOMEDIUM:
	case ENXIO:
		advice = "the file, its directory or its device has gone away";
		break;
	case EINVAL:
		advice = "the filesystem refuses this size or mode: choose mode=buffered";
		break;
	default:
		break;
	}
	const struct storage_config *config = ctx->config;
	return bb_fail(ctx, error, "%s in %s stopped after %" PRIu64 " bytes: %s; %s", what,
		config->directory, done, strerror(error), advice);
}

static int fail_open(struct bb_context *ctx, int error, const char *directory)
{
	const struct storage_config *config = ctx->config;

	if (error == EINVAL && config->mode == STORAGE_DIRECT)
		return bb_fail(ctx, error, "the filesystem of %s refuses O_DIRECT: choose mode=buffered",
			directory);
	return bb_fail(ctx, error, "cannot make a file in %s: %s; choose another directory", directory,
		strerror(error));
}

int storage_file_create(struct bb_context *ctx, struct storage_file *file, const char *directory,
	int flags)
{
	char path[PATH_MAX + 80];

	snprintf(file->name, sizeof(file->name), ".boardbench-%ld-%016" PRIx64 ".tmp", (long)getpid(),
		random_name());
	snprintf(path, sizeof(path), "%s/%s", directory, file->name);
	int result = bb_change(ctx, BB_CHANGE_CREATE, path, NULL);
	if (result < 0)
		return bb_fail(ctx, -result, "cannot announce the file %s: %s", path, strerror(-result));
	file->fd = openat(file->directory, file->name,
		flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file->fd < 0) {
		int error = errno;
		/* O_DIRECT may be refused after the file was made. */
		file->created = error == EINVAL;
		return fail_open(ctx, error, directory);
	}
	file->created = true;
	return 0;
}

int storage_file_reopen(struct bb_context *ctx, struct storage_file *file, int flags)
{
	const struct storage_config *config = ctx->config;

	close(file->fd);
	file->fd = openat(file->directory, file->name, flags | O_NOFOLLOW | O_CLOEXEC);
	return file->fd < 0 ? fail_open(ctx, errno, config->directory) : 0;
}

void storage_file_remove(struct storage_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	if (file->created)
		unlinkat(file->directory, file->name, 0);
	file->created = false;
}

uint64_t storage_file_alignment(const struct storage_file *file, const struct storage_device *device)
{
	struct statx status;
	uint32_t memory, offset;

	memset(&status, 0, sizeof(status));
	if (statx(file->fd, "", AT_EMPTY_PATH, DIOALIGN_MASK, &status) == 0 &&
		status.stx_mask & DIOALIGN_MASK) {
		memcpy(&memory, (const char *)&status + DIOALIGN_MEMORY, sizeof(memory));
		memcpy(&offset, (const char *)&status + DIOALIGN_OFFSET, sizeof(offset));
		if (offset)
			return memory > offset ? memory : offset;
	}
	return device->block ? device->block : 4096;
}

void storage_file_forget(const struct storage_file *file, const char *root)
{
	posix_fadvise(file->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (root[0] != '\0' || geteuid() != 0)
		return;
	/* Not a setting: it has nothing to undo. Without it the advice above still holds for the file;
	 * what really came from the device is counted anyway. */
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t written = write(fd, "3\n", 2);
	(void)written;
	close(fd);
}
