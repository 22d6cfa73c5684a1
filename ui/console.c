/* Lowers the kernel's console log level while the screen is up.
 * SPDX-License-Identifier: MIT */
#include "console.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "mem.h"
#include "text.h"
#include "undo.h"

#define PRINTK "/proc/sys/kernel/printk"

struct console {
	struct undo *undo;
	char *saved;
};

bool console_is_listed(const char *active, const char *name)
{
	size_t length = strlen(name);

	while (*active) {
		size_t word;

		active += strspn(active, " \n");
		word = strcspn(active, " \n");
		if (word && word == length && !strncmp(active, name, word))
			return true;
		active += word;
	}
	return false;
}

static bool is_console(int fd)
{
	_autofree_ char *active = NULL;
	char name[64];

	if (ttyname_r(fd, name, sizeof(name)) || !text_starts(name, "/dev/"))
		return false;
	active = file_read("", "/sys/class/tty/console/active");
	/* /dev/console is whatever the kernel's console is. */
	return active && (!strcmp(name, "/dev/console") || console_is_listed(active, name + 5));
}

struct console *console_quieten(int fd, const char *store)
{
	struct console *console;

	if (geteuid() || !is_console(fd))
		return NULL;
	console = mem_zalloc(1, sizeof(*console));
	console->saved = file_read_line("", PRINTK);
	console->undo = undo_open(store);
	/* Emergencies alone still come through. The first of the four numbers is the level; the kernel leaves
	 * those that are not given. */
	if (console->undo && !undo_change(console->undo, BB_CHANGE_WRITE, PRINTK, "1", NULL))
		return console;
	if (console->undo)
		undo_close(console->undo);
	free(console->saved);
	free(console);
	return NULL;
}

char *console_saved(const struct console *console)
{
	return mem_strdup(console->saved);
}

void console_restore(struct console *console)
{
	if (!console)
		return;
	undo_revert(console->undo, NULL);
	undo_close(console->undo);
	free(console->saved);
	free(console);
}
