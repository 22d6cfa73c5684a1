/* SPDX-License-Identifier: MIT */
/* What the files of the storage module share. */
#ifndef STORAGE_H
#define STORAGE_H

#include <boardbench/module.h>
#include <limits.h>

enum storage_operation { STORAGE_WRITE, STORAGE_READ, STORAGE_COPY };
enum storage_mode { STORAGE_BUFFERED, STORAGE_DIRECT, STORAGE_SYNC, STORAGE_DSYNC };
enum storage_param { PARAM_OPERATION, PARAM_DIRECTORY, PARAM_BUFFER_SIZE, PARAM_FILE_SIZE,
	PARAM_MODE, PARAM_FSYNC, PARAM_SOURCE_SIZE };

struct storage_config {
	int32_t operation;
	const char *directory;
	uint64_t buffer_size, file_size;
	int32_t mode;
	bool fsync;
	uint64_t source_size;
};

/* ---- storage_device.c: what lies below a directory ---- */

struct storage_device {
	char mount_point[PATH_MAX];
	char filesystem[64], options[512], source[256];
	unsigned device_major, device_minor; /* as mountinfo tells; major 0: no block device */
	char name[64], model[128], bus[16];  /* "" when unknown */
	bool read_only;
	bool memory;       /* tmpfs, ramfs: no device at all */
	bool provable;     /* the device counts the sectors that it moves */
	uint64_t block;    /* logical block size of the device; 0: unknown */
	char counters[PATH_MAX]; /* path of the file with these counts */
};

/* Of a mounted directory: an absolute path without links. 0 or a negative errno. */
int storage_device_find(const char *root, const char *directory, struct storage_device *device);
/* "mmcblk0p3 SL08G", or the source of the mount. */
void storage_device_title(const struct storage_device *device, char *text, size_t size);

struct storage_moved {
	uint64_t read, written; /* bytes */
};

/* What the device has moved since the kernel started. 0 or a negative errno. */
int storage_device_moved(const struct storage_device *device, struct storage_moved *moved);

/* Call back for each mounted filesystem that holds files, each once, as of root. */
typedef void (*storage_mount_callback)(void *data, const struct storage_device *device);
int storage_device_each(const char *root, storage_mount_callback callback, void *data);

/* ---- storage_offer.c: which directories can be used ---- */

int storage_probe(struct bb_context *ctx);

/* ---- storage_file.c: one file of ours ---- */

struct storage_file {
	int directory; /* fd, not owned */
	int fd;        /* -1: not open */
	bool created;
	char name[64];
};

/* Create under a name that was not there, told to the host first. 0 or bb_fail(). */
int storage_file_create(struct bb_context *ctx, struct storage_file *file, const char *directory,
	int flags);
/* Open what was created anew with other flags. */
int storage_file_reopen(struct bb_context *ctx, struct storage_file *file, int flags);
/* Close and remove; fine when there is nothing. */
void storage_file_remove(struct storage_file *file);
/* Alignment that O_DIRECT needs: of the file where the kernel tells, else of the device. */
uint64_t storage_file_alignment(const struct storage_file *file, const struct storage_device *device);
/* Let the next read come from the device: drop the file's cached pages, as root all caches. */
void storage_file_forget(const struct storage_file *file, const char *root);
/* Fail with words for what `error` means while doing `what`. */
int storage_fail(struct bb_context *ctx, int error, const char *what, uint64_t done);

/* ---- storage_data.c: bytes that no controller can compress ---- */

void storage_data_fill(void *memory, size_t size);

#endif
