/* SPDX-License-Identifier: MIT
 *
 * Classifies a block device by where it hangs in sysfs: no udev, no names of drivers. */
#include "disk.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "file.h"
#include "mem.h"
#include "sysfs.h"
#include "text.h"

#define SECTOR_SIZE 512 /* of the size file in sysfs, whatever the device's own is */
#define UBI_VOLUMES_MAX 128

static char *read_or_empty(const char *root, const char *directory, const char *name)
{
	char *line = file_read_line(root, "/sys%s/%s", directory, name);
	if (!line)
		return mem_strdup("");
	char *trimmed = mem_strdup(text_trim(line));
	free(line);
	return trimmed;
}

/* Paths below are "/devices/...": within sysfs, links followed. NULL: none. */
static char *device_path(const char *root, const char *name)
{
	_autofree_ char *path = sysfs_resolve(root, "/sys/%s", name);
	return path && text_starts(path, "/sys/") ? mem_strdup(path + strlen("/sys")) : NULL;
}

static bool has_file(const char *root, const char *directory, const char *name)
{
	_autofree_ char *path = text_printf("%s/sys%s/%s", root, directory, name);
	struct stat status;
	return stat(path, &status) == 0;
}

/* Who made a card, from its CID: the numbers that the SD Association and JEDEC gave, as far as the
 * tools of the kernel's MMC developers list them. */
static const char *card_maker(bool is_sd, long long id)
{
	static const struct {
		bool is_sd;
		unsigned char id;
		const char *name;
	} makers[] = {
		{ true, 0x02, "Toshiba" },
		{ true, 0x03, "SanDisk" },
		{ true, 0x1b, "Samsung" },
		{ true, 0x27, "Phison" },
		{ true, 0x74, "Transcend" },
		{ false, 0x11, "Toshiba" },
		{ false, 0x13, "Micron" },
		{ false, 0x15, "Samsung" },
		{ false, 0x45, "SanDisk" },
		{ false, 0x90, "SK Hynix" },
		{ false, 0xfe, "Micron" },
	};
	for (size_t i = 0; i < ARRAY_LEN(makers); i++)
		if (makers[i].is_sd == is_sd && makers[i].id == id)
			return makers[i].name;
	return NULL;
}

static void classify_card(const char *root, const char *path, struct disk *disk)
{
	_autofree_ char *type = read_or_empty(root, path, "device/type");
	_autofree_ char *name = read_or_empty(root, path, "device/name");
	_autofree_ char *id = read_or_empty(root, path, "device/manfid");
	bool is_sd = strcmp(type, "MMC") != 0;
	const char *maker = card_maker(is_sd, strtoll(id, NULL, 0));
	disk->bus = mem_strdup(is_sd ? "mmc" : "emmc");
	disk->model = text_printf("%s%s%s", maker ? maker : "", maker && *name ? " " : "", name);
}

static bool is_ufs_host(const char *root, const char *path)
{
	if (strstr(path, "ufs"))
		return true;
	const char *host = strstr(path, "/host");
	unsigned number;
	if (!host || sscanf(host, "/host%u", &number) != 1)
		return false;
	_autofree_ char *driver =
		file_read_line(root, "/sys/class/scsi_host/host%u/proc_name", number);
	return driver && text_starts(driver, "ufshcd");
}

static void classify_scsi(const char *root, const char *path, struct disk *disk)
{
	const char *bus = strstr(path, "/usb")	    ? "usb"
			  : strstr(path, "/ata")    ? "sata"
			  : is_ufs_host(root, path) ? "ufs"
			  : strstr(path, "/virtio") ? "virtio"
						    : "disk";
	_autofree_ char *vendor = read_or_empty(root, path, "device/vendor");
	_autofree_ char *model = read_or_empty(root, path, "device/model");
	/* SATA disks all say "ATA" there, the maker stands in the model. */
	bool has_vendor = *vendor && strcmp(vendor, "ATA") != 0;
	disk->bus = mem_strdup(bus);
	disk->model = text_printf(
		"%s%s%s", has_vendor ? vendor : "", has_vendor && *model ? " " : "", model);
}

/* Devices that stand on others or on nothing are known by their names alone. */
static const char *classify_virtual(
	const char *root, const char *path, const char *name, char **model)
{
	static const struct {
		const char *start, *bus, *model_file;
	} kinds[] = {
		{ "dm-", "disk", "dm/name" },
		{ "md", "disk", "md/level" },
		{ "loop", "loop", "loop/backing_file" },
		{ "zram", "ram", NULL },
		{ "ram", "ram", NULL },
		{ "ubiblock", "ubi", NULL },
		{ "mtdblock", "disk", "device/name" },
	};
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (!text_starts(name, kinds[i].start))
			continue;
		*model = kinds[i].model_file ? read_or_empty(root, path, kinds[i].model_file)
					     : mem_strdup("");
		return kinds[i].bus;
	}
	return NULL;
}

static void classify(const char *root, const char *path, struct disk *disk)
{
	const char *virtual = classify_virtual(root, path, disk->name, &disk->model);
	if (virtual) {
		disk->bus = mem_strdup(virtual);
		return;
	}
	_autofree_ char *bus = sysfs_name(root, "/sys%s/device/subsystem", path);
	if (bus && strcmp(bus, "mmc") == 0) {
		classify_card(root, path, disk);
	} else if (bus && strcmp(bus, "scsi") == 0) {
		classify_scsi(root, path, disk);
	} else {
		bool is_nvme = text_starts(disk->name, "nvme");
		bool is_virtio = bus && strcmp(bus, "virtio") == 0;
		disk->bus = mem_strdup(is_nvme ? "nvme" : is_virtio ? "virtio" : "disk");
		disk->model = read_or_empty(root, path, "device/model");
	}
}

/* "/dev/mapper/root" is a name of device mapper's own; sysfs lists it as dm-0. */
static char *find_mapped(const char *root, const char *name)
{
	for (unsigned i = 0; i < 64; i++) {
		_autofree_ char *mapped = file_read_line(root, "/sys/class/block/dm-%u/dm/name", i);
		_autofree_ char *block = text_printf("class/block/dm-%u", i);
		if (mapped && strcmp(mapped, name) == 0)
			return device_path(root, block);
	}
	return NULL;
}

static char *find_device(const char *root, unsigned major, unsigned minor, const char *source)
{
	struct stat status;
	/* Another name of the same device, "/dev/root" or "/dev/disk/by-uuid/...": only the live
	 * system can say. */
	if (major == 0 && root[0] == '\0' && source[0] == '/' && stat(source, &status) == 0 &&
		S_ISBLK(status.st_mode)) {
		major = major(status.st_rdev);
		minor = minor(status.st_rdev);
	}
	if (major != 0) {
		_autofree_ char *number = text_printf("dev/block/%u:%u", major, minor);
		return device_path(root, number);
	}
	if (!text_starts(source, "/dev/"))
		return NULL;
	if (text_starts(source, "/dev/mapper/"))
		return find_mapped(root, sysfs_base(source));
	_autofree_ char *block = text_printf("class/block/%s", sysfs_base(source));
	return device_path(root, block);
}

void disk_find(
	const char *root, unsigned major, unsigned minor, const char *source, struct disk *disk)
{
	*disk = (struct disk){ 0 };
	_autofree_ char *path = find_device(root, major, minor, source);
	if (!path) {
		*disk = (struct disk){ mem_strdup("disk"), mem_strdup(""), mem_strdup(""),
			mem_strdup(""), 0 };
		return;
	}
	long long sectors = file_read_number(root, 0, "/sys%s/size", path);
	disk->size = sectors > 0 ? (uint64_t)sectors * SECTOR_SIZE : 0;
	disk->partition = mem_strdup(sysfs_base(path));
	if (has_file(root, path, "partition"))
		*strrchr(path, '/') = '\0';
	disk->name = mem_strdup(sysfs_base(path));
	classify(root, path, disk);
}

/* The volume with that name on the UBI device, or -1. */
static int find_volume(const char *root, unsigned device, const char *name)
{
	for (int i = 0; i < UBI_VOLUMES_MAX; i++) {
		_autofree_ char *volume =
			file_read_line(root, "/sys/class/ubi/ubi%u_%d/name", device, i);
		if (volume && strcmp(volume, name) == 0)
			return i;
	}
	return -1;
}

void disk_find_ubi(const char *root, const char *source, struct disk *disk)
{
	unsigned device = 0;
	int volume = -1, used = 0;
	const char *name = sysfs_base(source);

	if (sscanf(name, "ubi%u:%n", &device, &used) == 1 && used > 0)
		volume = find_volume(root, device, name + used);
	else if (sscanf(name, "ubi%u_%d", &device, &volume) != 2 &&
		 sscanf(name, "ubi:%n", &used) == 0 && used > 0)
		volume = find_volume(root, device, name + used); /* short for ubi0:NAME */
	long long bytes =
		file_read_number(root, 0, "/sys/class/ubi/ubi%u_%d/data_bytes", device, volume);
	long long mtd = file_read_number(root, -1, "/sys/class/ubi/ubi%u/mtd_num", device);
	_autofree_ char *type = file_read_line(root, "/sys/class/mtd/mtd%lld/type", mtd);
	_autofree_ char *label = file_read_line(root, "/sys/class/mtd/mtd%lld/name", mtd);
	*disk = (struct disk){
		.bus = mem_strdup("ubi"),
		.name = text_printf("ubi%u", device),
		.partition = mem_strdup(name),
		.model = text_printf(
			"%s%s%s", type ? type : "", type && label ? " " : "", label ? label : ""),
		.size = bytes > 0 ? (uint64_t)bytes : 0,
	};
}

void disk_set_memory(struct disk *disk, uint64_t size)
{
	*disk = (struct disk){ mem_strdup("ram"), mem_strdup(""), mem_strdup(""), mem_strdup(""),
		size };
}

void disk_set_network(struct disk *disk, const char *source)
{
	*disk = (struct disk){ mem_strdup("network"), mem_strdup(""), mem_strdup(""),
		mem_strdup(source), 0 };
}
