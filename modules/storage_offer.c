/* SPDX-License-Identifier: MIT */
/* The directories of this machine in which a file can be written, each with its device. */
#include "storage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum rank { RANK_DEVICE, RANK_OTHER, RANK_MEMORY, RANKS };

struct search {
	struct bb_context *ctx;
	enum rank rank; /* devices are offered first, so that one of them is the default */
	unsigned ready;
};

static enum rank rank_of(const struct storage_device *device)
{
	if (device->memory)
		return RANK_MEMORY;
	return device->device_major ? RANK_DEVICE : RANK_OTHER;
}

static bool can_write(const char *path)
{
	return access(path, W_OK | X_OK) == 0;
}

static bool is_directory(const char *root, const char *path)
{
	char full[PATH_MAX];
	struct stat status;

	return snprintf(full, sizeof(full), "%s%s", root, path) < (int)sizeof(full) &&
		stat(full, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Where the kernel's own filesystems are, a tmpfs holds only what keeps them in order; and one that
 * another is mounted over cannot be reached. */
static bool is_no_place(const char *root, const struct storage_device *device)
{
	static const char *const own[] = { "/proc/", "/sys/" };
	struct storage_device top;

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (strncmp(device->mount_point, own[i], strlen(own[i])) == 0)
			return true;
	}
	return storage_device_find(root, device->mount_point, &top) < 0 ||
		top.device_major != device->device_major || top.device_minor != device->device_minor;
}

/* A place for files on this filesystem. At the top of the root filesystem nobody wants them, and
 * where only root may write at the top, others have a place further down. */
static const char *place_on(const struct storage_device *device)
{
	const char *home = getenv("HOME");
	const char *places[] = { "/var/tmp", "/tmp", home ? home : "/root" };
	bool top = strcmp(device->mount_point, "/") != 0;

	if (top && can_write(device->mount_point))
		return device->mount_point;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct storage_device found;
		char path[PATH_MAX];
		if (realpath(places[i], path) && can_write(path) &&
			storage_device_find("", path, &found) == 0 &&
			strcmp(found.mount_point, device->mount_point) == 0)
			return places[i];
	}
	return !top && can_write("/") ? "/" : NULL;
}

static void offer_mount(void *data, const struct storage_device *device)
{
	struct search *search = data;
	struct bb_context *ctx = search->ctx;
	bool live = ctx->root[0] == '\0';
	char title[512], text[1024];
	struct statvfs space;

	if (rank_of(device) != search->rank || is_no_place(ctx->root, device) || (live && !is_directory("", device->mount_point)))
		return;
	storage_device_title(device, title, sizeof(title));
	snprintf(text, sizeof(text), "%s, %s", device->memory ? "memory, not a device" : title,
		device->filesystem);
	const char *place = live && !device->read_only ? place_on(device) : device->mount_point;
	size_t length = strlen(text);
	if (device->read_only || !place) {
		if (device->memory)
			return; /* the system's own, of no use to anyone */
		snprintf(text + length, sizeof(text) - length, ", %s",
			device->read_only ? "mounted read-only" : "not writable: needs root");
		bb_offer(ctx, PARAM_DIRECTORY, device->mount_point, text, BB_OFFER_UNUSABLE);
		return;
	}
	if (live && statvfs(place, &space) == 0)
		snprintf(text + length, sizeof(text) - length, ", %.1f GiB free",
			(double)space.f_bavail * (double)space.f_frsize / 1073741824.0);
	bb_offer(ctx, PARAM_DIRECTORY, place, text, BB_OFFER_READY);
	search->ready++;
}

static int check_directory(struct bb_context *ctx, const char *directory)
{
	struct stat status;
	struct statvfs space;

	if (stat(directory, &status) < 0)
		return bb_fail(ctx, errno == EACCES ? EACCES : ENODEV,
			"cannot use the directory %s: %s; make it, or mount what belongs there", directory,
			strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return bb_fail(ctx, ENODEV, "%s is not a directory: give the directory that the file is to be "
			"made in", directory);
	if (statvfs(directory, &space) == 0 && space.f_flag & ST_RDONLY)
		return bb_fail(ctx, EACCES, "%s is mounted read-only: mount -o remount,rw makes it writable",
			directory);
	if (!can_write(directory))
		return bb_fail(ctx, EACCES, "%s may not be written: choose another directory, or run as root",
			directory);
	return 0;
}

int storage_probe(struct bb_context *ctx)
{
	const struct storage_config *config = ctx->config;
	struct search search = { .ctx = ctx };

	for (search.rank = 0; search.rank < RANKS; search.rank++) {
		int result = storage_device_each(ctx->root, offer_mount, &search);
		if (result < 0 && !config->directory[0])
			return bb_fail(ctx, ENODEV, "cannot read %s/proc/self/mountinfo: %s; mount /proc, or give "
				"directory=...", ctx->root, strerror(-result));
	}
	if (config->directory[0])
		return ctx->root[0] ? 0 : check_directory(ctx, config->directory);
	if (!search.ready)
		return bb_fail(ctx, ENODEV,
			"no mounted filesystem can be written: mount one, or give directory=...");
	return 0;
}
