#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Collect what boardbench reads of a machine below /proc and /sys, for tests and for reports:
#
#     sh collect.sh DIRECTORY        then: boardbench --root DIRECTORY list subsystems
#
# Only reads, needs no root, and runs with busybox. The links of sysfs are kept as links, relative as they
# are. Look through the result before passing it on: mount points and labels of disks are in it. (Serial
# numbers are not.)
set -u
[ $# -eq 1 ] || { echo "usage: collect.sh DIRECTORY" >&2; exit 2; }
mkdir "$1" || exit 1
to=$(cd "$1" && pwd) || exit 1

# A file as it reads now: files of /proc and /sys tell no size, so cp and tar may take them as empty.
keep() {
	[ -f "$1" ] && [ -r "$1" ] || return 0
	mkdir -p "$to$(dirname "$1")"
	cat "$1" >"$to$1" 2>/dev/null || rm -f "$to$1"
}

keep_link() {
	[ -L "$1" ] || return 0
	mkdir -p "$to$(dirname "$1")"
	ln -s "$(readlink "$1")" "$to$1" 2>/dev/null
}

for file in /proc/self/mountinfo /proc/meminfo /proc/cpuinfo /proc/version /proc/cmdline \
	/proc/device-tree/compatible /proc/device-tree/model \
	/sys/firmware/devicetree/base/compatible /sys/firmware/devicetree/base/model \
	/sys/class/dmi/id/product_name /sys/devices/system/cpu/online; do
	keep "$file"
done

# Block devices: the device's own directory, where its links lead, and the way up from there.
for link in /sys/dev/block/*; do
	keep_link "$link"
	keep_link "/sys/class/block/$(basename "$(readlink -f "$link")")"
	block=$(readlink -f "$link") || continue
	for file in partition size dm/name md/level loop/backing_file; do
		keep "$block/$file"
	done
	mkdir -p "$to$block"
	keep_link "$block/device"
	device=$(readlink -f "$block/device" 2>/dev/null) || continue
	mkdir -p "$to$device"
	keep_link "$device/subsystem"
	subsystem=$(readlink -f "$device/subsystem" 2>/dev/null) && mkdir -p "$to$subsystem"
	for file in type name manfid vendor model; do
		keep "$device/$file"
	done
done
for file in /sys/class/scsi_host/host*/proc_name /sys/class/ubi/ubi*/name \
	/sys/class/ubi/ubi*/data_bytes /sys/class/ubi/ubi*/mtd_num /sys/class/mtd/mtd*/type \
	/sys/class/mtd/mtd*/name; do
	keep "$file"
done

# A mount point that is a file must be one in the dump too.
while read -r _ _ _ _ place _; do
	case $place in
	*\\*) continue ;;
	esac
	if [ -f "$place" ]; then
		mkdir -p "$to$(dirname "$place")"
		[ -e "$to$place" ] || : >"$to$place"
	fi
done </proc/self/mountinfo
