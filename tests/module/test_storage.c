/* SPDX-License-Identifier: MIT */
/* The storage module: its file, its counts, its proof, what it refuses and in which words. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_host.h"
#include "storage.h"

extern const struct bb_module boardbench_module_storage;

enum { COUNT_BYTES };

struct fixture {
	struct fake_host fake;
	char directory[64];
};

static int setup(void **state)
{
	static struct fixture fixture;

	strcpy(fixture.directory, "/tmp/boardbench-storage-XXXXXX");
	assert_non_null(mkdtemp(fixture.directory));
	fake_init(&fixture.fake, &boardbench_module_storage);
	fixture.fake.tick = 1000;
	fake_set(&fixture.fake, "directory", fixture.directory);
	fake_set(&fixture.fake, "file_size", "1MiB");
	fake_set(&fixture.fake, "buffer_size", "100KiB");
	*state = &fixture;
	return 0;
}

/* The one file in the directory, or "" */
static unsigned files_in(const char *directory, char *name, size_t size)
{
	unsigned count = 0;
	struct dirent *entry;
	DIR *open_directory = opendir(directory);

	name[0] = '\0';
	if (!open_directory)
		return 0;
	while ((entry = readdir(open_directory))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(name, size, "%s/%s", directory, entry->d_name);
		count++;
	}
	closedir(open_directory);
	return count;
}

/* Whatever happened: the directory is empty afterwards. */
static int teardown(void **state)
{
	struct fixture *fixture = *state;
	char name[512];

	fake_cleanup(&fixture->fake);
	unsigned left = files_in(fixture->directory, name, sizeof(name));
	fake_finish(&fixture->fake);
	rmdir(fixture->directory);
	return left ? -1 : 0;
}

static void writes_the_whole_file_once(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;
	char name[512];
	struct stat status;

	assert_int_equal(fake_prepare(fake), 0);
	assert_int_equal(files_in(fixture->directory, name, sizeof(name)), 1);
	/* The host was told of this file before it was there: the fake refuses what exists. */
	assert_int_equal(fake->created.len, 1);
	assert_string_equal(fake->created.items[0], name);
	assert_int_equal(fake_run(fake, 100), BB_FINISHED);
	assert_int_equal(fake->counters[COUNT_BYTES], 1048576);
	/* Ten of 102400 bytes and the rest of 24576. */
	assert_int_equal(fake->histograms[0].count, 11);
	assert_true(fake->progress == 1);
	assert_true(fake->gauge_set[0]);
	assert_int_equal(stat(name, &status), 0);
	assert_int_equal(status.st_size, 1048576);
	assert_int_equal(status.st_mode & 0777, 0600);
	fake_cleanup(fake);
	assert_non_null(fake_find(&fake->facts, "bytes_moved=1048576"));
	assert_int_equal(files_in(fixture->directory, name, sizeof(name)), 0);
}

static void writes_no_zeros_and_no_repeats(void **state)
{
	struct fixture *fixture = *state;
	char name[512];
	static unsigned char data[1048576];
	unsigned counts[256] = { 0 };

	assert_int_equal(fake_prepare(&fixture->fake), 0);
	assert_int_equal(fake_run(&fixture->fake, 100), BB_FINISHED);
	files_in(fixture->directory, name, sizeof(name));
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, data, sizeof(data)), sizeof(data));
	close(fd);
	for (size_t i = 0; i < sizeof(data); i++)
		counts[data[i]]++;
	/* 4096 of each, deviation 64: six of them. */
	for (int i = 0; i < 256; i++)
		assert_in_range(counts[i], 4096 - 384, 4096 + 384);
	assert_memory_not_equal(data, data + 102400, 4096);
}

static void reads_and_copies(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;

	fake_set(fake, "operation", "read");
	assert_int_equal(fake_prepare(fake), 0);
	assert_int_equal(fake_run(fake, 100), BB_FINISHED);
	assert_int_equal(fake->counters[COUNT_BYTES], 1048576);
	assert_false(fake->gauge_set[0]);
	fake_cleanup(fake);

	fake_set(fake, "operation", "copy");
	assert_int_equal(fake_prepare(fake), 0);
	assert_int_equal(fake->created.len, 3);
	assert_int_equal(fake_run(fake, 100), BB_FINISHED);
	assert_int_equal(fake->counters[COUNT_BYTES], 2 * 1048576);
	static char from[1048576], to[1048576];
	int fd = open(fake->created.items[1], O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, from, sizeof(from)), sizeof(from));
	close(fd);
	fd = open(fake->created.items[2], O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, to, sizeof(to)), sizeof(to));
	close(fd);
	assert_memory_equal(from, to, sizeof(from));
}

static void warm_up_and_duration_go_round(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;

	assert_int_equal(fake_prepare(fake), 0);
	fake->ctx.warming = true;
	assert_int_equal(fake_run(fake, 7), BB_GO_ON);
	assert_true(fake->counters[COUNT_BYTES] > 0);
	/* Measuring starts at the beginning of the file. */
	fake->ctx.warming = false;
	fake->counters[COUNT_BYTES] = 0;
	assert_int_equal(fake_run(fake, 1000), BB_FINISHED);
	assert_int_equal(fake->counters[COUNT_BYTES], 1048576);
	fake_cleanup(fake);

	fake->ctx.endless = true;
	fake->tick = 5000000; /* two calls a step */
	fake->counters[COUNT_BYTES] = 0;
	fake->gauge_set[0] = false;
	assert_int_equal(fake_prepare(fake), 0);
	assert_int_equal(fake_run(fake, 4), BB_GO_ON);
	fake->ctx.ending = true;
	uint64_t before = fake->counters[COUNT_BYTES];
	assert_false(fake->gauge_set[0]);
	assert_int_equal(fake_run(fake, 1), BB_GO_ON);
	assert_int_equal(fake->counters[COUNT_BYTES], before);
	assert_true(fake->gauge_set[0]);
}

static void tells_what_never_reached_the_device(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;
	struct storage_device device;

	if (storage_device_find("", fixture->directory, &device) < 0 || !device.provable)
		skip();
	/* Read back from the page cache: written, but the cache is filled again before the clock. */
	fake_set(fake, "operation", "read");
	fake_set(fake, "file_size", "16MiB");
	assert_int_equal(fake_prepare(fake), 0);
	static char data[65536];
	int fd = open(fake->created.items[0], O_RDONLY | O_CLOEXEC);
	while (read(fd, data, sizeof(data)) > 0)
		;
	close(fd);
	assert_int_equal(fake_run(fake, 10000), BB_FINISHED);
	fake_cleanup(fake);
	assert_non_null(fake_find(&fake->suspects, "16777216 bytes were read, "));
	assert_non_null(strstr(fake->suspects.items[0], "page cache"));
}

static void refuses_direct_on_memory(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;
	struct storage_device device;

	if (storage_device_find("", "/dev/shm", &device) < 0 || !device.memory)
		skip();
	fake_set(fake, "directory", "/dev/shm");
	fake_set(fake, "mode", "direct");
	assert_int_equal(fake_prepare(fake), -EINVAL);
	assert_non_null(strstr(fake->failure, "mode=buffered"));
	assert_non_null(fake_find(&fake->facts, "device=memory, not a device"));
}

static void direct_needs_whole_blocks(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;
	struct storage_device device;

	if (storage_device_find("", fixture->directory, &device) < 0 || !device.device_major)
		skip();
	fake_set(fake, "mode", "direct");
	fake_set(fake, "buffer_size", "1000");
	assert_int_equal(fake_prepare(fake), -EINVAL);
	assert_non_null(strstr(fake->failure, "is not a multiple of"));
	fake_cleanup(fake);
	fake->error = 0;
	fake_set(fake, "buffer_size", "64KiB");
	fake_set(fake, "file_size", "1000001");
	assert_int_equal(fake_prepare(fake), 0);
	/* Said, and a multiple of 512. */
	const char *actual = fake_find(&fake->actuals, "file_size=");
	assert_non_null(actual);
	assert_int_equal(strtoull(actual + 10, NULL, 10) % 512, 0);
	assert_int_equal(fake_run(fake, 1000), BB_FINISHED);
	assert_int_equal(fake->counters[COUNT_BYTES], strtoull(actual + 10, NULL, 10));
}

static void refuses_what_has_no_room(void **state)
{
	struct fixture *fixture = *state;

	fake_set(&fixture->fake, "file_size", "1024GiB");
	assert_int_equal(fake_prepare(&fixture->fake), -ENOSPC);
	assert_non_null(strstr(fixture->fake.failure, "smaller file_size"));
	assert_int_equal(fixture->fake.created.len, 0);
}

static void says_what_is_wrong_with_a_directory(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;

	fake_set(fake, "directory", "/nonexistent/boardbench");
	assert_int_equal(boardbench_module_storage.probe(&fake->ctx), -ENODEV);
	assert_non_null(strstr(fake->failure, "/nonexistent/boardbench"));
	assert_int_equal(fake_prepare(fake), -ENOENT);
	fake_cleanup(fake);
	fake->error = 0;
	fake_set(fake, "directory", "/proc/self/maps");
	assert_int_equal(boardbench_module_storage.probe(&fake->ctx), -ENODEV);
	assert_non_null(strstr(fake->failure, "not a directory"));
	fake->error = 0;
	fake_set(fake, "directory", "");
	assert_int_equal(fake_prepare(fake), -EINVAL);
}

static void notices_that_the_file_has_gone(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;

	fake->ctx.endless = true;
	assert_int_equal(fake_prepare(fake), 0);
	assert_int_equal(fake_run(fake, 3), BB_GO_ON);
	unlink(fake->created.items[0]);
	rmdir(fixture->directory);
	assert_int_equal(fake_run(fake, 1), -ENOENT);
	assert_non_null(strstr(fake->failure, "has gone away"));
	assert_true(fake->counters[COUNT_BYTES] > 0);
}

static void keeps_the_count_when_a_limit_stops_it(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;
	struct rlimit old, low;

	assert_int_equal(fake_prepare(fake), 0);
	getrlimit(RLIMIT_FSIZE, &old);
	low = old;
	low.rlim_cur = 300000;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &low);
	int result = fake_run(fake, 100);
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_DFL);
	/* A short write up to the limit, then EFBIG. */
	assert_int_equal(result, -EFBIG);
	assert_int_equal(fake->counters[COUNT_BYTES], 300000);
	assert_non_null(strstr(fake->failure, "after 300000 bytes"));
}

static void offers_each_place_with_its_device(void **state)
{
	struct fixture *fixture = *state;
	struct fake_host *fake = &fixture->fake;
	char root[] = "/tmp/boardbench-root-XXXXXX", path[128];

	assert_non_null(mkdtemp(root));
	const char *const directories[] = { "proc", "proc/self" };
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", root, directories[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("20 1 179:2 / / ro,relatime - ext4 /dev/mmcblk0p2 ro\n"
	      "21 20 0:5 / /proc rw - proc proc rw\n"
	      "22 20 0:22 / /run rw,nosuid shared:5 - tmpfs tmpfs rw,size=1000k\n"
	      "23 20 179:3 / /media/my\\040card rw,relatime shared:6 - vfat /dev/mmcblk0p3 rw,sync\n"
	      "24 20 179:3 /sub /media/again rw,relatime - vfat /dev/mmcblk0p3 rw\n"
	      "25 20 0:40 / /srv rw - nfs4 server:/export rw\n"
	      "26 20 0:41 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
	      "27 20 0:42 / /tmp rw - tmpfs hidden rw\n"
	      "28 20 0:43 / /tmp rw - tmpfs top rw\n"
	      "broken line\n", file);
	fclose(file);
	fake->ctx.root = root;
	fake_set(fake, "directory", "");
	assert_int_equal(boardbench_module_storage.probe(&fake->ctx), 0);
	assert_int_equal(fake->offers.len, 5);
	assert_int_equal(fake->offers_ready, 4);
	assert_string_equal(fake->offers.items[0], "/: /dev/mmcblk0p2, ext4, mounted read-only");
	assert_string_equal(fake->offers.items[1], "/media/my card: /dev/mmcblk0p3, vfat");
	assert_string_equal(fake->offers.items[2], "/srv: server:/export, nfs4");
	assert_string_equal(fake->offers.items[3], "/run: memory, not a device, tmpfs");
	assert_string_equal(fake->offers.items[4], "/tmp: memory, not a device, tmpfs");

	struct storage_device device;
	assert_int_equal(storage_device_find(root, "/media/my card/photos", &device), 0);
	assert_int_equal(device.device_minor, 3);
	assert_string_equal(device.options, "rw,relatime,rw,sync");
	assert_int_equal(storage_device_find(root, "/media/my cards", &device), 0);
	assert_int_equal(device.device_minor, 2);
	unlink(path);
	for (size_t i = 2; i-- > 0;) {
		snprintf(path, sizeof(path), "%s/%s", root, directories[i]);
		rmdir(path);
	}
	rmdir(root);
	fake->ctx.root = "";
}

static void reads_the_sectors_of_the_block_layer(void **state)
{
	struct storage_device device = { 0 };
	struct storage_moved moved;

	snprintf(device.counters, sizeof(device.counters), "/tmp/boardbench-stat-XXXXXX");
	int fd = mkstemp(device.counters);
	assert_true(fd >= 0);
	/* Documentation/block/stat.rst; sectors of 512 bytes, past 2^32. */
	const char text[] = "    70322    26578  9000000000     9350    35271    18762        7    14057\n";
	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	assert_int_equal(storage_device_moved(&device, &moved), 0);
	assert_int_equal(moved.read, UINT64_C(4608000000000));
	assert_int_equal(moved.written, 3584);
	assert_int_equal(truncate(device.counters, 0), 0);
	assert_int_equal(storage_device_moved(&device, &moved), -EPROTO);
	unlink(device.counters);
	assert_int_equal(storage_device_moved(&device, &moved), -ENOENT);
}

#define WITH(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH(writes_the_whole_file_once),
		WITH(writes_no_zeros_and_no_repeats),
		WITH(reads_and_copies),
		WITH(warm_up_and_duration_go_round),
		WITH(tells_what_never_reached_the_device),
		WITH(refuses_direct_on_memory),
		WITH(direct_needs_whole_blocks),
		WITH(refuses_what_has_no_room),
		WITH(says_what_is_wrong_with_a_directory),
		WITH(notices_that_the_file_has_gone),
		WITH(keeps_the_count_when_a_limit_stops_it),
		WITH(offers_each_place_with_its_device),
		cmocka_unit_test(reads_the_sectors_of_the_block_layer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
