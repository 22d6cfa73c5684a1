/* SPDX-License-Identifier: MIT
 *
 * The board made from what is found, for machines without a profile. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "board_internal.h"
#include "file.h"
#include "list.h"
#include "medium.h"
#include "mem.h"
#include "text.h"

static char *machine_title(const char *root)
{
	static const char *const sources[] = { "/sys/class/dmi/id/product_name",
		"/proc/device-tree/model", "/sys/firmware/devicetree/base/model" };
	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		/* A device tree string ends with NUL, where the line ends too. */
		char *title = file_read_line(root, "%s", sources[i]);
		if (title && *title)
			return title;
		free(title);
	}
	return mem_strdup("this machine");
}

static const char *bus_title(const char *bus)
{
	static const struct {
		const char *bus, *title;
	} table[] = {
		{ "mmc", "SD card" },
		{ "emmc", "eMMC" },
		{ "sata", "SATA disk" },
		{ "nvme", "NVMe disk" },
		{ "usb", "USB disk" },
		{ "virtio", "virtual disk" },
		{ "ufs", "UFS" },
		{ "ubi", "flash" },
		{ "loop", "file as a disk" },
		{ "ram", "memory as a disk" },
		{ "network", "network file system" },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (strcmp(table[i].bus, bus) == 0)
			return table[i].title;
	return "disk";
}

static bool same_filesystem(const char *a, const char *b)
{
	struct stat a_status, b_status;
	return stat(a, &a_status) == 0 && stat(b, &b_status) == 0 &&
	       a_status.st_dev == b_status.st_dev;
}

/* Where this user may write on the medium: its mount point, else one of the places where users may.
 * NULL: nowhere. In a dump nothing can be tried, and the mount point it is. */
static char *writable_directory(const char *root, const struct medium *medium)
{
	const char *const places[] = { getenv("TMPDIR"), "/var/tmp", "/tmp", getenv("HOME") };
	if (root[0] || access(medium->mount_point, W_OK) == 0)
		return mem_strdup(medium->mount_point);
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (places[i] && places[i][0] == '/' &&
			same_filesystem(places[i], medium->mount_point) &&
			access(places[i], W_OK) == 0)
			return mem_strdup(places[i]);
	return NULL;
}

/* "sata", then "sata2": the first keeps its name when another disk is plugged in, and so saved runs
 * do not change their meaning. */
static char *free_name(const struct board *board, const char *bus)
{
	char *name = mem_strdup(bus);
	for (unsigned number = 2; board_find_subsystem(board, name); number++) {
		free(name);
		name = text_printf("%s%u", bus, number);
	}
	return name;
}

static void add_storage(struct board *board, const struct medium *medium, const char *directory)
{
	_autofree_ char *name = free_name(board, medium->bus);
	struct subsystem *subsystem = board_add_subsystem(board, name);
	subsystem->module = mem_strdup("storage");
	subsystem->group = mem_strdup("STORAGE");
	subsystem->title = text_printf("%s%s%s, %s", bus_title(medium->bus),
		*medium->model ? " " : "", medium->model, medium->filesystem);
	settings_set(&subsystem->defaults, "directory", directory);
}

/* The same disk may carry several filesystems, and an overlay shows again what lies below it. */
static bool is_seen(const struct medium *media, size_t index, const bool *taken)
{
	for (size_t i = 0; i < index; i++)
		if (taken[i] && *media[i].partition &&
			strcmp(media[i].partition, media[index].partition) == 0)
			return true;
	return false;
}

static void add_media(const char *root, struct board *board)
{
	size_t len, ram = SIZE_MAX;
	struct medium *media = medium_list(root, &len);
	bool *taken = mem_zalloc(len + 1, sizeof(*taken));
	_autofree_ char *ram_directory = NULL;
	for (size_t i = 0; i < len; i++) {
		_autofree_ char *directory =
			media[i].writable ? writable_directory(root, &media[i]) : NULL;
		if (!directory || is_seen(media, i, taken))
			continue;
		if (strcmp(media[i].bus, "ram") != 0) {
			taken[i] = true;
			add_storage(board, &media[i], directory);
		} else if (ram == SIZE_MAX || media[i].size > media[ram].size) {
			/* All of them are the same memory: the largest stands for it. */
			ram = i;
			free(ram_directory);
			ram_directory = mem_strdup(directory);
		}
	}
	if (ram != SIZE_MAX)
		add_storage(board, &media[ram], ram_directory);
	free(taken);
	medium_list_finish(media, len);
}

void board_generic(const char *root, struct board *board)
{
	*board = (struct board){
		.name = mem_strdup("generic"),
		.title = machine_title(root),
		.compatible = mem_zalloc(1, sizeof(*board->compatible)),
		.warnings = mem_zalloc(1, sizeof(*board->warnings)),
	};
	struct subsystem *memory = board_add_subsystem(board, "memory");
	memory->module = mem_strdup("memory");
	memory->group = mem_strdup("SYSTEM");
	memory->title = mem_strdup("");
	add_media(root, board);
}
