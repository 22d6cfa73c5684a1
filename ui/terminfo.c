/* Asks the terminal's description what the terminal can do.
 * SPDX-License-Identifier: MIT */
#include <curses.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "terminfo.h"
#include "text.h"
/* Last: it defines words as macros. */
#include <term.h>

static const char *capability(const char *name)
{
	const char *string = tigetstr(name);

	return string == (char *)-1 ? NULL : string;
}

int terminfo_open(const char *type, struct error *error)
{
	int problem = 0;

	if (!type || !*type || !strcmp(type, "dumb") || !strcmp(type, "unknown"))
		return error_set(error, ENOTSUP,
			"TERM is %s: a terminal that cannot place the cursor; set TERM or use --term vt100",
			type && *type ? type : "not set");
	if (setupterm(type, STDOUT_FILENO, &problem) != OK)
		return error_set(error, ENOTSUP, "no description of the terminal \"%s\" here; try --term vt100",
			type);
	if (capability("cup"))
		return 0;
	terminfo_close();
	return error_set(error, ENOTSUP, "the terminal \"%s\" cannot place the cursor; try --term vt100", type);
}

void terminfo_close(void)
{
	del_curterm(cur_term);
}

bool terminfo_is_ansi(void)
{
	const char *address = capability("cup");

	return address && text_starts(address, "\033[");
}

/* Append a capability without its padding ("$<50/>"). */
static void add(struct text *text, const char *name)
{
	const char *string = capability(name);

	while (string && *string) {
		const char *end = string[0] == '$' && string[1] == '<' ? strchr(string, '>') : NULL;

		if (end)
			string = end + 1;
		else
			text_add_bytes(text, string++, 1);
	}
}

char *terminfo_restore_string(int rows)
{
	struct text restore = { 0 };

	add(&restore, "sgr0");
	add(&restore, "rmacs");
	add(&restore, "cnorm");
	/* Below what was drawn, where there is no second screen to leave. */
	if (terminfo_is_ansi())
		text_add(&restore, "\033[%d;1H", rows);
	add(&restore, "rmcup");
	text_add(&restore, "\r\n");
	return text_steal(&restore);
}
