/* SPDX-License-Identifier: MIT */
/* The storage module: write, read or copy a file in a directory, and prove that the device did it. */
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define STEP_NS UINT64_C(10000000)
#define PROVED 0.95 /* of the bytes have to be seen by the device */

static const char *const operations[] = { "write", "read", "copy", NULL };
static const char *const modes[] = { "buffered", "direct", "sync", "dsync", NULL };

enum { COUNT_BYTES };
enum { GAUGE_FSYNC };
enum { HISTOGRAM_LATENCY };

struct storage_state {
	struct storage_device device;
	struct storage_file from, to; /* read and copy; write and copy */
	int directory;                /* fd */
	char path[PATH_MAX];          /* of the directory, without links */
	char *source, *buffer;        /* source: random data; buffer: what is read */
	size_t source_size, source_at;
	uint64_t file_size, offset;
	bool opened, begun, was_warming, over;
	uint64_t moved; /* bytes since the start of the timed part */
	struct storage_moved before, after;
	bool before_known, after_known;
};

static bool writes(const struct storage_config *config)
{
	return config->operation != STORAGE_READ;
}

static bool reads(const struct storage_config *config)
{
	return config->operation != STORAGE_WRITE;
}

/* ---- preparing ---- */

static int open_directory(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;

	state->from.fd = state->to.fd = state->directory = -1;
	state->opened = true;
	if (!config->directory[0])
		return bb_fail(ctx, EINVAL, "no directory is given: directory=/media/sd, for example");
	if (!realpath(config->directory, state->path))
		return bb_fail(ctx, errno, "cannot use the directory %s: %s; make it, or mount what belongs "
			"there", config->directory, strerror(errno));
	state->directory = open(state->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (state->directory < 0)
		return bb_fail(ctx, errno, "cannot open the directory %s: %s; choose another", state->path,
			strerror(errno));
	state->from.directory = state->to.directory = state->directory;
	return 0;
}

static void tell_device(struct bb_context *ctx, struct storage_state *state)
{
	struct storage_device *device = &state->device;
	char title[512];

	if (storage_device_find(ctx->root, state->path, device) < 0) {
		bb_note(ctx, "what lies below %s cannot be told: /proc/self/mountinfo does not say",
			state->path);
		return;
	}
	storage_device_title(device, title, sizeof(title));
	bb_fact(ctx, "device", device->memory ? "memory, not a device" : title);
	bb_fact(ctx, "filesystem", device->filesystem);
	bb_fact(ctx, "mount_options", device->options);
	if (device->bus[0])
		bb_fact(ctx, "bus", device->bus);
	if (!device->provable && !device->memory)
		bb_note(ctx, "%s has no block device that counts sectors: that the bytes reached a medium "
			"cannot be proved", device->filesystem);
}

static int check_room(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;
	uint64_t files = config->operation == STORAGE_COPY ? 2 : 1;
	uint64_t needed = state->file_size * files + state->file_size * files / 20;
	struct statvfs space;

	if (strcmp(state->device.filesystem, "vfat") == 0 && state->file_size > UINT32_MAX)
		return bb_fail(ctx, EFBIG, "vfat takes no file of 4 GiB or more: choose a smaller file_size");
	if (fstatvfs(state->directory, &space) < 0)
		return bb_fail(ctx, errno, "cannot ask for the free space of %s: %s", state->path,
			strerror(errno));
	uint64_t available = (uint64_t)space.f_bavail * space.f_frsize;
	if (needed > available)
		return bb_fail(ctx, ENOSPC, "%s has %" PRIu64 " MiB free and %" PRIu64
			" MiB are needed: free space, or choose a smaller file_size", state->path,
			available >> 20, (needed >> 20) + 1);
	return 0;
}

static int open_flags(const struct storage_config *config)
{
	switch (config->mode) {
	case STORAGE_DIRECT:
		return O_DIRECT;
	case STORAGE_SYNC:
		return O_SYNC;
	case STORAGE_DSYNC:
		return O_DSYNC;
	default:
		return 0;
	}
}

/* O_DIRECT moves whole blocks only. */
static int align(struct bb_context *ctx, struct storage_state *state, const struct storage_file *file)
{
	const struct storage_config *config = ctx->config;
	char text[32];

	if (config->mode != STORAGE_DIRECT)
		return 0;
	uint64_t alignment = storage_file_alignment(file, &state->device);
	if (config->buffer_size % alignment)
		return bb_fail(ctx, EINVAL, "a buffer of %" PRIu64 " bytes is not a multiple of %" PRIu64
			", which direct I/O on %s needs: choose another buffer_size, or mode=buffered",
			config->buffer_size, alignment, state->path);
	uint64_t whole = state->file_size / alignment * alignment;
	if (!whole)
		return bb_fail(ctx, EINVAL, "a file of %" PRIu64 " bytes is smaller than a block of %" PRIu64
			": choose a larger file_size, or mode=buffered", state->file_size, alignment);
	if (whole != state->file_size) {
		snprintf(text, sizeof(text), "%" PRIu64, whole);
		bb_actual(ctx, PARAM_FILE_SIZE, text);
		state->file_size = whole;
	}
	return 0;
}

static int get_buffers(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;
	uint64_t size = config->source_size;
	size_t alignment = 4096;
	void *memory;

	if (size > state->file_size)
		size = state->file_size;
	if (size < config->buffer_size)
		size = config->buffer_size;
	if (posix_memalign(&memory, alignment, (size_t)size))
		return bb_fail(ctx, ENOMEM, "cannot get %" PRIu64 " MiB for the data: choose a smaller "
			"buffer_size", size >> 20);
	state->source = memory;
	state->source_size = (size_t)size;
	bb_phase(ctx, "random data");
	storage_data_fill(state->source, state->source_size);
	if (!reads(config))
		return 0;
	if (posix_memalign(&memory, alignment, (size_t)config->buffer_size))
		return bb_fail(ctx, ENOMEM, "cannot get a buffer of %" PRIu64 " bytes: choose a smaller "
			"buffer_size", config->buffer_size);
	state->buffer = memory;
	memset(state->buffer, 0, (size_t)config->buffer_size);
	return 0;
}

/* Next piece of the random data, which is used round and round. */
static const char *next_source(struct storage_state *state, size_t size)
{
	if (state->source_at + size > state->source_size)
		state->source_at = 0;
	const char *piece = state->source + state->source_at;
	state->source_at += size;
	return piece;
}

/* Move exactly `size` bytes at `offset`: with `write` set from `data`, else into it. 0 or -errno;
 * *done are the bytes that were moved, also then. */
static int transfer(int fd, bool write, char *data, size_t size, uint64_t offset, size_t *done)
{
	for (*done = 0; *done < size;) {
		off_t at = (off_t)(offset + *done);
		ssize_t n = write ? pwrite(fd, data + *done, size - *done, at) :
			pread(fd, data + *done, size - *done, at);
		if (n > 0)
			*done += (size_t)n;
		else if (n == 0)
			return write ? -ENOSPC : -ENODATA;
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static size_t piece_size(uint64_t buffer_size, uint64_t left)
{
	return (size_t)(left < buffer_size ? left : buffer_size);
}

/* The file to read, on the medium and nowhere else. */
static int write_source_file(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;
	int read_flags = O_RDONLY | (config->mode == STORAGE_DIRECT ? O_DIRECT : 0);
	uint64_t chunk = config->buffer_size < (1 << 20) ? 1 << 20 : config->buffer_size;
	size_t done;

	if (chunk > state->source_size)
		chunk = state->source_size;
	int result = storage_file_create(ctx, &state->from, state->path, O_WRONLY);
	if (!result)
		result = align(ctx, state, &state->from);
	if (result)
		return result;
	bb_phase(ctx, "writing the file");
	for (uint64_t at = 0; at < state->file_size; at += done) {
		size_t size = piece_size(chunk, state->file_size - at);
		char *data = (char *)(uintptr_t)next_source(state, size);
		result = transfer(state->from.fd, true, data, size, at, &done);
		if (result)
			return storage_fail(ctx, -result, "writing the file to read", at + done);
	}
	if (fsync(state->from.fd) < 0)
		return storage_fail(ctx, errno, "writing the file to read", state->file_size);
	bb_phase(ctx, "dropping caches");
	storage_file_forget(&state->from, ctx->root);
	return storage_file_reopen(ctx, &state->from, read_flags);
}

static int storage_prepare(struct bb_context *ctx)
{
	const struct storage_config *config = ctx->config;
	struct storage_state *state = ctx->state;

	state->file_size = config->file_size;
	int result = open_directory(ctx, state);
	if (result)
		return result;
	tell_device(ctx, state);
	/* Linux 6.5 and newer accept O_DIRECT there, and copy all the same. */
	if (state->device.memory && config->mode == STORAGE_DIRECT)
		return bb_fail(ctx, EINVAL, "%s on %s refuses O_DIRECT, it is memory: choose mode=buffered",
			state->device.filesystem, state->path);
	result = check_room(ctx, state);
	if (!result)
		result = get_buffers(ctx, state);
	if (!result && reads(config))
		result = write_source_file(ctx, state);
	if (!result && writes(config)) {
		result = storage_file_create(ctx, &state->to, state->path, O_WRONLY | open_flags(config));
		if (!result)
			result = align(ctx, state, &state->to);
	}
	state->source_at = 0;
	return result;
}

/* ---- measuring ---- */

static void begin(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;
	static const char *const phases[] = { "writing", "reading", "copying" };

	if (state->begun && reads(config))
		posix_fadvise(state->from.fd, 0, 0, POSIX_FADV_DONTNEED);
	state->begun = true;
	state->was_warming = ctx->warming;
	state->offset = state->moved = 0;
	state->source_at = 0;
	bb_phase(ctx, phases[config->operation]);
	if (!ctx->warming && state->device.provable)
		state->before_known = storage_device_moved(&state->device, &state->before) == 0;
}

/* One buffer, of which the file's last may be a part. */
static int move_piece(struct bb_context *ctx, struct storage_state *state, size_t size, size_t *done)
{
	const struct storage_config *config = ctx->config;
	int result;

	*done = 0;
	if (config->operation == STORAGE_WRITE) {
		char *data = (char *)(uintptr_t)next_source(state, size);
		return transfer(state->to.fd, true, data, size, state->offset, done);
	}
	result = transfer(state->from.fd, false, state->buffer, size, state->offset, done);
	if (result || config->operation == STORAGE_READ)
		return result;
	return transfer(state->to.fd, true, state->buffer, size, state->offset, done);
}

static int sync_file(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;

	if (!writes(config) || !config->fsync || ctx->warming)
		return 0;
	uint64_t start = bb_now(ctx);
	bb_phase(ctx, "fsync");
	if (fsync(state->to.fd) < 0)
		return storage_fail(ctx, errno, "fsync", state->moved);
	bb_gauge(ctx, GAUGE_FSYNC, (double)(bb_now(ctx) - start));
	return 0;
}

/* The end of the timed part: what belongs into it, then at once what the device has seen. */
static int finish(struct bb_context *ctx, struct storage_state *state, int otherwise)
{
	if (state->over)
		return otherwise;
	int result = sync_file(ctx, state);
	if (result)
		return result;
	state->over = !ctx->warming;
	if (state->over && state->device.provable)
		state->after_known = storage_device_moved(&state->device, &state->after) == 0;
	return otherwise;
}

/* At the end of the file: done, or once more from its start. */
static int end_of_file(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;

	if (!ctx->endless && !ctx->warming)
		return finish(ctx, state, BB_FINISHED);
	/* Each round is a whole measurement of its own, as if repeated. */
	int result = sync_file(ctx, state);
	if (result)
		return result;
	if (writes(config) && config->fsync && !ctx->warming)
		bb_phase(ctx, operations[config->operation]);
	if (reads(config))
		posix_fadvise(state->from.fd, 0, 0, POSIX_FADV_DONTNEED);
	state->offset = 0;
	return BB_GO_ON;
}

/* Somebody may remove the file or the whole directory: writing would go on into nowhere. */
static int check_file(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;
	int fd = writes(config) ? state->to.fd : state->from.fd;
	struct stat status;

	if (fstat(fd, &status) < 0)
		return storage_fail(ctx, errno, "the measurement", state->moved);
	return status.st_nlink ? 0 : storage_fail(ctx, ENOENT, "the measurement", state->moved);
}

static int storage_step(struct bb_context *ctx)
{
	const struct storage_config *config = ctx->config;
	struct storage_state *state = ctx->state;
	uint64_t file_size = state->file_size;
	size_t done;

	if (!state->begun || state->was_warming != ctx->warming)
		begin(ctx, state);
	if (ctx->ending)
		return finish(ctx, state, BB_GO_ON);
	int result = check_file(ctx, state);
	if (result)
		return result;
	uint64_t stamp = bb_now(ctx), until = stamp + STEP_NS;
	do {
		size_t size = piece_size(config->buffer_size, file_size - state->offset);
		result = move_piece(ctx, state, size, &done);
		uint64_t now = bb_now(ctx);
		state->moved += done;
		bb_count(ctx, COUNT_BYTES, done);
		if (result)
			return storage_fail(ctx, -result, operations[config->operation], state->moved);
		bb_sample(ctx, HISTOGRAM_LATENCY, now - stamp);
		state->offset += done;
		stamp = now;
	} while (stamp < until && state->offset < file_size);
	if (!ctx->endless && !ctx->warming)
		bb_progress(ctx, (double)state->offset / (double)file_size);
	return state->offset < file_size ? BB_GO_ON : end_of_file(ctx, state);
}

/* ---- afterwards ---- */

static void judge(struct bb_context *ctx, struct storage_state *state, const char *verb,
	const char *reason, uint64_t device_bytes)
{
	if ((double)device_bytes < PROVED * (double)state->moved)
		bb_suspect(ctx, "%" PRIu64 " bytes were %s, %" PRIu64 " reached the device (%s)",
			state->moved, verb, device_bytes, reason);
}

static void prove(struct bb_context *ctx, struct storage_state *state)
{
	const struct storage_config *config = ctx->config;
	char text[32];

	if (!state->moved || !state->over)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, state->moved);
	bb_fact(ctx, "bytes_moved", text);
	if (!state->before_known || !state->after_known)
		return;
	uint64_t read = state->after.read - state->before.read;
	uint64_t written = state->after.written - state->before.written;
	snprintf(text, sizeof(text), "%" PRIu64, writes(config) ? written : read);
	bb_fact(ctx, "device_bytes", text);
	if (reads(config))
		judge(ctx, state, "read", "page cache", read);
	if (writes(config))
		judge(ctx, state, "written", config->fsync ? "page cache" : "page cache: fsync is off",
			written);
}

static void storage_cleanup(struct bb_context *ctx)
{
	struct storage_state *state = ctx->state;

	if (!state->opened)
		return;
	prove(ctx, state);
	storage_file_remove(&state->from);
	storage_file_remove(&state->to);
	if (state->directory >= 0)
		close(state->directory);
	free(state->source);
	free(state->buffer);
	*state = (struct storage_state){ 0 };
}

static const struct bb_param params[] = {
	[PARAM_OPERATION] = { .name = "operation", .text = "What is done with the file.",
		.initial = "write", .choices = operations,
		BB_FIELD(BB_CHOICE, int32_t, struct storage_config, operation) },
	[PARAM_DIRECTORY] = { .name = "directory",
		.text = "Where the file is made: a directory on the device to be measured.",
		.initial = "", .flags = BB_PARAM_OFFERED,
		BB_FIELD(BB_PATH, const char *, struct storage_config, directory) },
	[PARAM_BUFFER_SIZE] = { .name = "buffer_size",
		.text = "How many bytes one call moves.", .initial = "1MiB",
		.minimum = 512, .maximum = 67108864,
		BB_FIELD(BB_SIZE, uint64_t, struct storage_config, buffer_size) },
	[PARAM_FILE_SIZE] = { .name = "file_size",
		.text = "Size of the file; the caches of the device should be smaller.",
		.initial = "100MiB", .minimum = 512, .maximum = 1099511627776.0,
		BB_FIELD(BB_SIZE, uint64_t, struct storage_config, file_size) },
	[PARAM_MODE] = { .name = "mode",
		.text = "Through the page cache, past it (O_DIRECT), or waiting for the medium at each call "
			"(O_SYNC, O_DSYNC).",
		.initial = "buffered", .choices = modes,
		BB_FIELD(BB_CHOICE, int32_t, struct storage_config, mode) },
	[PARAM_FSYNC] = { .name = "fsync",
		.text = "Wait at the end, inside the timing, until all is on the medium, as published.",
		.initial = "on", BB_FIELD(BB_FLAG, bool, struct storage_config, fsync) },
	[PARAM_SOURCE_SIZE] = { .name = "source_size",
		.text = "How many random bytes are made and written round and round: 10 MiB as published; a "
			"single buffer, which stays in the CPU's cache, as other tools do.",
		.initial = "10MiB", .minimum = 512, .maximum = 1073741824.0,
		BB_FIELD(BB_SIZE, uint64_t, struct storage_config, source_size) },
};

static const struct bb_metric metrics[] = {
	{ .name = "throughput", .text = "Bytes moved in a second; a copied byte counts once.",
	  .unit = "MB/s", .scale = 1e-6, .source = BB_RATE_OF, .index = COUNT_BYTES,
	  .better = BB_HIGHER, .mean = BB_ARITHMETIC },
	{ .name = "latency", .text = "Time of one buffer, without the fsync at the end.",
	  .unit = "us", .scale = 1e-3, .source = BB_HISTOGRAM, .index = HISTOGRAM_LATENCY,
	  .better = BB_LOWER, .mean = BB_ARITHMETIC },
	{ .name = "fsync_time", .text = "Time of the last fsync.", .unit = "ms", .scale = 1e-6,
	  .source = BB_GAUGE, .index = GAUGE_FSYNC, .better = BB_LOWER, .mean = BB_ARITHMETIC },
};

BB_MODULE(storage) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "storage",
	.title = "read or write a file",
	.text = "Makes one file of its own in a directory, writes, reads or copies it from the start to "
		"the end, and removes it. Nothing else is touched. The fill level of the medium, its own "
		"caches and everything else that uses it disturb the figure.",
	.method = "Timed from the first write() or read() to the end of the last, with fsync() inside "
		"the time when `fsync` is on. Random data made before, `source_size` of them, are written "
		"round and round in pieces of the buffer size; MB/s is bytes by microseconds, a copied byte "
		"counts once. Before a read the file is written, synced and dropped from the page cache, "
		"as root with all caches. The file is not truncated after a warm-up. A case with a duration "
		"starts again at the end of the file, and each round has an fsync() of its own. The sectors "
		"that the block device counted prove that the bytes reached it: below 95 % the result is "
		"suspect.",
	.version = "1",
	.group = "STORAGE",
	.params_len = sizeof(params) / sizeof(params[0]),
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.params = params,
	.metrics = metrics,
	.config_size = sizeof(struct storage_config),
	.state_size = sizeof(struct storage_state),
	.probe = storage_probe,
	.prepare = storage_prepare,
	.step = storage_step,
	.cleanup = storage_cleanup,
};
