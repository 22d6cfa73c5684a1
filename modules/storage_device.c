/* SPDX-License-Identifier: MIT */
/* The device below a directory, from /proc/self/mountinfo and /sys, and the sectors it moved. */
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECTOR 512 /* of the block layer's counts, whatever the device's own sectors are */

/* First line of a small file without the blanks at its end; "" when it cannot be read. */
static void read_line(char *text, size_t size, const char *directory, const char *name)
{
	char path[PATH_MAX];

	text[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s", directory, name) >= (int)sizeof(path))
		return;
	FILE *file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(text, (int)size, file))
		text[0] = '\0';
	fclose(file);
	for (size_t length = strlen(text); length && strchr(" \n\t", text[length - 1]); length--)
		text[length - 1] = '\0';
}

/* Blanks, tabs and backslashes are written \040 in mountinfo. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		unsigned code;
		if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
			*to = (char)code;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static void copy(char *to, size_t size, const char *from)
{
	size_t length = strlen(from);

	if (length >= size)
		length = size - 1;
	memcpy(to, from, length);
	to[length] = '\0';
}

static bool has_option(const char *options, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = options; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}

/* 36 35 98:0 /root /mount rw,noatime shared:1 - ext3 /dev/sda1 rw,errors=continue */
static bool parse_mount(char *line, struct storage_device *device)
{
	char *at = line, *words[6], *tail = strstr(line, " - ");
	char *type, *source, *options, *rest = NULL;

	if (!tail)
		return false;
	*tail = '\0';
	for (size_t i = 0; i < 6; i++) {
		words[i] = strtok_r(i ? NULL : at, " ", &rest);
		if (!words[i])
			return false;
	}
	type = strtok_r(tail + 3, " \n", &rest);
	source = strtok_r(NULL, " \n", &rest);
	options = strtok_r(NULL, " \n", &rest);
	if (!type || !source)
		return false;
	*device = (struct storage_device){ 0 };
	if (sscanf(words[2], "%u:%u", &device->device_major, &device->device_minor) != 2)
		return false;
	unescape(words[4]);
	unescape(source);
	copy(device->mount_point, sizeof(device->mount_point), words[4]);
	copy(device->filesystem, sizeof(device->filesystem), type);
	copy(device->source, sizeof(device->source), source);
	snprintf(device->options, sizeof(device->options), "%s%s%s", words[5], options ? "," : "",
		options ? options : "");
	device->read_only = has_option(device->options, "ro");
	device->memory = strcmp(type, "tmpfs") == 0 || strcmp(type, "ramfs") == 0;
	return true;
}

/* One word for what carries the disk, from the kernel's name of its bus and the path of its device. */
static const char *bus_of(const char *disk, const char *subsystem)
{
	char type[32];

	if (strcmp(subsystem, "mmc") == 0) {
		char device[PATH_MAX + 8];
		snprintf(device, sizeof(device), "%s/device", disk);
		read_line(type, sizeof(type), device, "type");
		return strcmp(type, "SD") == 0 ? "mmc" : "emmc";
	}
	if (strstr(disk, "/usb"))
		return "usb";
	if (strstr(disk, "/ata"))
		return "sata";
	if (strstr(disk, "ufs"))
		return "ufs";
	if (strcmp(subsystem, "nvme") == 0)
		return "nvme";
	if (strcmp(subsystem, "virtio") == 0)
		return "virtio";
	return strstr(disk, "/virtual/block/loop") ? "loop" : "disk";
}

static void describe_block(const char *root, struct storage_device *device)
{
	char link[PATH_MAX], path[PATH_MAX], disk[PATH_MAX], text[PATH_MAX];

	snprintf(link, sizeof(link), "%s/sys/dev/block/%u:%u", root, device->device_major,
		device->device_minor);
	if (!realpath(link, path))
		return;
	copy(device->name, sizeof(device->name), strrchr(path, '/') + 1);
	copy(disk, sizeof(disk), path);
	if (snprintf(text, sizeof(text), "%s/partition", path) < (int)sizeof(text) &&
		access(text, F_OK) == 0)
		*strrchr(disk, '/') = '\0';
	read_line(device->model, sizeof(device->model), disk, "device/model");
	if (!device->model[0])
		read_line(device->model, sizeof(device->model), disk, "device/name");
	read_line(text, sizeof(text), disk, "queue/logical_block_size");
	device->block = strtoull(text, NULL, 10);

	char subsystem[PATH_MAX] = "";
	if (snprintf(text, sizeof(text), "%s/device/subsystem", disk) < (int)sizeof(text)) {
		ssize_t length = readlink(text, subsystem, sizeof(subsystem) - 1);
		subsystem[length > 0 ? length : 0] = '\0';
	}
	const char *slash = strrchr(subsystem, '/');
	copy(device->bus, sizeof(device->bus), bus_of(disk, slash ? slash + 1 : subsystem));
	if (snprintf(device->counters, sizeof(device->counters), "%s/stat", path) <
		(int)sizeof(device->counters))
		device->provable = access(device->counters, R_OK) == 0;
}

static void describe(const char *root, struct storage_device *device)
{
	if (device->device_major)
		describe_block(root, device);
	else if (device->memory)
		copy(device->bus, sizeof(device->bus), "ram");
	else if (strncmp(device->source, "ubi", 3) == 0)
		copy(device->bus, sizeof(device->bus), "ubi");
	else if (strncmp(device->filesystem, "nfs", 3) == 0 || strcmp(device->filesystem, "cifs") == 0)
		copy(device->bus, sizeof(device->bus), "network");
}

static FILE *open_mounts(const char *root)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(path, "re");
}

static bool lies_below(const char *directory, const char *mount_point)
{
	size_t length = strlen(mount_point);

	if (length == 1)
		return true;
	return strncmp(directory, mount_point, length) == 0 &&
		(directory[length] == '/' || directory[length] == '\0');
}

/* Not by the device number of the directory: btrfs gives each subvolume one that mountinfo does not
 * know. The longest mount point that holds it is right, and of several on one place the last. */
int storage_device_find(const char *root, const char *directory, struct storage_device *device)
{
	struct storage_device mount;
	char *line = NULL;
	size_t size = 0, best = 0;
	FILE *file = open_mounts(root);

	if (!file)
		return -errno;
	while (getline(&line, &size, file) >= 0) {
		if (!parse_mount(line, &mount) || !lies_below(directory, mount.mount_point))
			continue;
		if (strlen(mount.mount_point) >= best) {
			best = strlen(mount.mount_point);
			*device = mount;
		}
	}
	free(line);
	fclose(file);
	if (!best)
		return -ENOENT;
	describe(root, device);
	return 0;
}

void storage_device_title(const struct storage_device *device, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s", device->name[0] ? device->name : device->source,
		device->model[0] ? " " : "", device->model);
}

int storage_device_moved(const struct storage_device *device, struct storage_moved *moved)
{
	char text[512];
	uint64_t reads, writes;
	int fd = open(device->counters, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ssize_t length = read(fd, text, sizeof(text) - 1);
	int error = length < 0 ? errno : 0;
	close(fd);
	if (error)
		return -error;
	text[length] = '\0';
	/* Documentation/block/stat.rst: I/Os, merges, sectors, ticks of reading; then of writing. */
	if (sscanf(text, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64, &reads, &writes) != 2)
		return -EPROTO;
	*moved = (struct storage_moved){ reads * SECTOR, writes * SECTOR };
	return 0;
}

/* Filesystems without a block device that nevertheless hold files. All others are the kernel's own. */
static bool holds_files(const struct storage_device *device)
{
	static const char *const names[] = { "tmpfs", "ramfs", "ubifs", "jffs2", "nfs", "nfs4", "cifs",
		"smb3", "overlay", "btrfs", "9p", "virtiofs", "zfs", "bcachefs" };

	if (device->device_major)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(device->filesystem, names[i]) == 0)
			return true;
	}
	return false;
}

int storage_device_each(const char *root, storage_mount_callback callback, void *data)
{
	struct { unsigned major_number, minor_number; } seen[256];
	struct storage_device mount;
	size_t seen_len = 0, size = 0;
	char *line = NULL;
	FILE *file = open_mounts(root);

	if (!file)
		return -errno;
	while (getline(&line, &size, file) >= 0) {
		if (!parse_mount(line, &mount) || !holds_files(&mount))
			continue;
		size_t i = 0;
		while (i < seen_len && (seen[i].major_number != mount.device_major ||
			seen[i].minor_number != mount.device_minor))
			i++;
		if (i < seen_len)
			continue;
		if (seen_len < sizeof(seen) / sizeof(seen[0])) {
			seen[seen_len].major_number = mount.device_major;
			seen[seen_len++].minor_number = mount.device_minor;
		}
		describe(root, &mount);
		callback(data, &mount);
	}
	free(line);
	fclose(file);
	return 0;
}
