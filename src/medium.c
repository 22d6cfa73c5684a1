/* SPDX-License-Identifier: MIT
 *
 * Says which storage medium is below each mounted filesystem. */
#include "medium.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "disk.h"
#include "file.h"
#include "mem.h"
#include "mountinfo.h"
#include "text.h"

enum filesystem_kind { FILESYSTEM_BLOCK, FILESYSTEM_PSEUDO, FILESYSTEM_RAM, FILESYSTEM_NETWORK };

static enum filesystem_kind filesystem_kind(const char *name)
{
	static const char *const pseudo[] = { "autofs", "binder", "binfmt_misc", "bpf", "cgroup",
		"cgroup2", "configfs", "cpuset", "debugfs", "devpts", "devtmpfs", "efivarfs",
		"functionfs", "fuse", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore",
		"ramfs", "resctrl", "rpc_pipefs", "securityfs", "selinuxfs", "smackfs", "sysfs",
		"tracefs" };
	static const char *const network[] = { "9p", "afs", "ceph", "cifs", "nfs", "nfs4", "smb3",
		"smbfs", "virtiofs" };

	for (size_t i = 0; i < ARRAY_LEN(pseudo); i++)
		if (strcmp(name, pseudo[i]) == 0)
			return FILESYSTEM_PSEUDO;
	/* A program in user space stands between us and the medium, if there is one at all. */
	if (text_starts(name, "fuse."))
		return FILESYSTEM_PSEUDO;
	for (size_t i = 0; i < ARRAY_LEN(network); i++)
		if (strcmp(name, network[i]) == 0)
			return FILESYSTEM_NETWORK;
	/* rootfs: the initramfs itself, a ramfs or a tmpfs. */
	if (strcmp(name, "tmpfs") == 0 || strcmp(name, "rootfs") == 0)
		return FILESYSTEM_RAM;
	return FILESYSTEM_BLOCK;
}

static bool is_live(const char *root)
{
	return root[0] == '\0';
}

/* "size=24731708k", also with m, g or % of the memory; without it a tmpfs may take half of the
 * memory. */
static uint64_t memory_size(const char *root, const struct mount *mount)
{
	struct statvfs status;
	if (is_live(root))
		return statvfs(mount->mount_point, &status) == 0
			       ? (uint64_t)status.f_blocks * status.f_frsize
			       : 0;
	_autofree_ char *text = file_read(root, "/proc/meminfo");
	unsigned long long total_kib = 0;
	if (text && sscanf(text, "MemTotal: %llu kB", &total_kib) != 1)
		total_kib = 0;
	_autofree_ char *size = mount_option(mount->super, "size");
	if (!size)
		return total_kib * 1024 / 2;
	char *end;
	unsigned long long number = strtoull(size, &end, 10);
	switch (*end) {
	case 'k':
		return number << 10;
	case 'm':
		return number << 20;
	case 'g':
		return number << 30;
	case '%':
		return total_kib * 1024 / 100 * number;
	default:
		return number;
	}
}

static struct disk disk_below(
	const char *root, const struct mount_table *table, const struct mount *mount)
{
	struct disk disk = { 0 };
	const struct mount *upper = mount;
	_autofree_ char *directory = NULL;

	/* What is written to an overlay lands in its upper directory. In a container that path is
	 * the host's and tells nothing; then it may lead to no mount but the overlay itself. */
	if (strcmp(mount->filesystem, "overlay") == 0) {
		directory = mount_option(mount->super, "upperdir");
		const struct mount *found =
			directory ? mountinfo_find_path(table, directory, "overlay") : NULL;
		if (found)
			upper = found;
	}
	switch (filesystem_kind(upper->filesystem)) {
	case FILESYSTEM_RAM:
	case FILESYSTEM_PSEUDO:
		disk_set_memory(&disk, memory_size(root, upper));
		break;
	case FILESYSTEM_NETWORK:
		disk_set_network(&disk, upper->source);
		break;
	case FILESYSTEM_BLOCK:
		if (strcmp(upper->filesystem, "ubifs") == 0)
			disk_find_ubi(root, upper->source, &disk);
		else
			disk_find(root, upper->major, upper->minor, upper->source, &disk);
	}
	return disk;
}

static bool has_flag(const char *options, const char *name)
{
	_autofree_ char *value = mount_option(options, name);
	return value != NULL;
}

static void fill(const char *root, const struct mount_table *table, const struct mount *mount,
	struct medium *medium)
{
	struct disk disk = disk_below(root, table, mount);
	*medium = (struct medium){
		.bus = disk.bus,
		.disk = disk.name,
		.partition = disk.partition,
		.model = disk.model,
		.size = disk.size,
		.mount_point = mem_strdup(mount->mount_point),
		.filesystem = mem_strdup(mount->filesystem),
	};
	/* "rw" is in both parts; it is said once. */
	const char *super = mount->super;
	if (text_starts(super, "rw,"))
		super += strlen("rw,");
	else if (strcmp(super, "rw") == 0)
		super = "";
	medium->options = text_printf("%s%s%s", mount->options, *super ? "," : "", super);
	medium->writable =
		has_flag(mount->options, "rw") && has_flag(mount->super, "rw") &&
		filesystem_kind(mount->filesystem) != FILESYSTEM_PSEUDO &&
		/* An initramfs without a limit: a file that is too large takes the machine down. */
		!(strcmp(mount->filesystem, "rootfs") == 0 && medium->size == 0);
}

static bool is_directory(const char *root, const char *path)
{
	_autofree_ char *full = text_printf("%s%s", root, path);
	struct stat status;
	if (lstat(full, &status) == 0)
		return S_ISDIR(status.st_mode);
	return !is_live(root); /* a dump may leave out empty directories */
}

/* Mounts that serve the system and are no place for files of ours. */
static bool is_system_place(const struct mount *mount)
{
	static const char *const places[] = { "/dev", "/proc", "/sys", "/run/credentials" };
	if (strcmp(mount->filesystem, "tmpfs") != 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		size_t length = strlen(places[i]);
		if (strncmp(mount->mount_point, places[i], length) == 0 &&
			(mount->mount_point[length] == '\0' || i > 0))
			return true;
	}
	return false;
}

static bool is_listed(const char *root, const struct mount_table *table, const struct mount *mount)
{
	return filesystem_kind(mount->filesystem) != FILESYSTEM_PSEUDO && !is_system_place(mount) &&
	       !mountinfo_is_covered(table, mount) && is_directory(root, mount->mount_point);
}

static bool is_read_write(const struct mount *mount)
{
	return has_flag(mount->options, "rw");
}

/* Of several mounts of one filesystem: the writable one, then the one of its top directory (the
 * others are bind mounts or subvolumes), then the first. */
static bool is_better(const struct mount *a, const struct mount *b)
{
	if (is_read_write(a) != is_read_write(b))
		return is_read_write(a);
	bool a_top = strcmp(a->root, "/") == 0, b_top = strcmp(b->root, "/") == 0;
	return a_top && !b_top;
}

struct medium *medium_list(const char *root, size_t *len)
{
	struct mount_table table;
	mountinfo_load(root, &table);
	const struct mount **chosen = mem_zalloc(table.len + 1, sizeof(*chosen));
	size_t count = 0;
	for (size_t i = 0; i < table.len; i++) {
		const struct mount *mount = &table.items[i];
		if (!is_listed(root, &table, mount))
			continue;
		size_t at = 0;
		while (at < count &&
			(chosen[at]->major != mount->major || chosen[at]->minor != mount->minor))
			at++;
		if (at == count)
			chosen[count++] = mount;
		else if (is_better(mount, chosen[at]))
			chosen[at] = mount;
	}
	struct medium *media = mem_zalloc(count + 1, sizeof(*media));
	for (size_t i = 0; i < count; i++)
		fill(root, &table, chosen[i], &media[i]);
	free(chosen);
	mountinfo_finish(&table);
	*len = count;
	return media;
}

/* The kernel's own word on which mount a path is on: Linux 5.8 and newer. */
static const struct mount *find_live(const struct mount_table *table, const char *path)
{
#ifdef STATX_MNT_ID
	struct statx status;
	if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &status) == 0 &&
		(status.stx_mask & STATX_MNT_ID)) {
		const struct mount *mount = mountinfo_find_id(table, (int)status.stx_mnt_id);
		if (mount)
			return mount;
	}
#endif
	_autofree_ char *real = realpath(path, NULL);
	return real ? mountinfo_find_path(table, real, NULL) : NULL;
}

int medium_of_path(const char *root, const char *path, struct medium *medium)
{
	struct mount_table table;
	*medium = (struct medium){ 0 };
	if (is_live(root) && access(path, F_OK) < 0)
		return -errno;
	mountinfo_load(root, &table);
	const struct mount *mount =
		is_live(root) ? find_live(&table, path) : mountinfo_find_path(&table, path, NULL);
	if (mount)
		fill(root, &table, mount, medium);
	mountinfo_finish(&table);
	return mount ? 0 : -ENOENT;
}

void medium_finish(struct medium *medium)
{
	free(medium->bus);
	free(medium->disk);
	free(medium->partition);
	free(medium->model);
	free(medium->mount_point);
	free(medium->filesystem);
	free(medium->options);
	*medium = (struct medium){ 0 };
}

void medium_list_finish(struct medium *media, size_t len)
{
	for (size_t i = 0; i < len; i++)
		medium_finish(&media[i]);
	free(media);
}

static void add_size(struct text *text, uint64_t size)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double number = (double)size / 1024;
	size_t unit = 0;
	while (number >= 1024 && unit + 1 < ARRAY_LEN(units)) {
		number /= 1024;
		unit++;
	}
	text_add(text, "%.1f %s, ", number, units[unit]);
}

char *medium_describe(const struct medium *medium)
{
	struct text text = { 0 };
	if (*medium->partition)
		text_add(&text, "%s  ", medium->partition);
	if (*medium->model)
		text_add(&text, "%s, ", medium->model);
	if (medium->size)
		add_size(&text, medium->size);
	text_add(&text, "%s on %s", medium->filesystem, medium->mount_point);
	return text_steal(&text);
}
