/* SPDX-License-Identifier: MIT
 * Places of files, and what every start of the program opens. */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "list.h"
#include "mem.h"
#include "text.h"
#include "undo.h"

/* $XDG_... , else below HOME, else (root without a usable HOME) the system's place. */
static char *place(const char *variable, const char *below_home, const char *system)
{
	const char *given = getenv(variable), *home = getenv("HOME");
	struct stat status;

	if (given && given[0] == '/')
		return text_printf("%s/boardbench", given);
	if (home && home[0] == '/' && strcmp(home, "/") && stat(home, &status) == 0 &&
		S_ISDIR(status.st_mode))
		return text_printf("%s/%s/boardbench", home, below_home);
	return mem_strdup(system);
}

static void find_places(struct session *session)
{
	_autofree_ char *settings = place("XDG_CONFIG_HOME", ".config", "/etc/boardbench");
	const char *source = getenv("BOARDBENCH_PROFILE_PATH");

	if (session->options.profile_dir)
		list_add(&session->board_directories, "%s", session->options.profile_dir);
	if (source && source[0])
		list_add(&session->board_directories, "%s", source);
	list_add(&session->board_directories, "%s/boards", settings);
	list_add(&session->board_directories, "%s/boards", BB_SYSCONF_DIR);
	list_add(&session->board_directories, "%s/boards", BB_DATA_DIR);
	session->run_directory = text_printf("%s/runs", settings);
	session->store = session->options.store ? mem_strdup(session->options.store) :
		place("XDG_STATE_HOME", ".local/state", "/var/lib/boardbench");
}

static void on_kernel(void *data, short revents)
{
	struct session *session = data;

	(void)revents;
	kernel_log_read(&session->kernel_log, false);
}

static int open_board(struct session *session, struct error *error)
{
	const char *const *directories = (const char *const *)session->board_directories;

	if (session->options.board)
		return board_find(directories, session->options.board, session->options.root, &session->board,
			error);
	board_detect(directories, session->options.root, &session->board);
	return 0;
}

int session_open(const struct session_options *options, struct session *session,
	struct error *error)
{
	struct error why = { 0 };

	*session = (struct session){ .options = *options };
	if (!session->options.root)
		session->options.root = "";
	session->kernel_log.fd = -1;
	find_places(session);
	int result = open_board(session, error);
	if (result < 0) {
		session_close(session);
		return result;
	}
	session->recovered = undo_recover(session->store, 0);
	session->loop = loop_create();
	catalog_load(&session->catalog);
	catalog_attach(&session->catalog, &session->board);
	session->journal_open = journal_open(session->store, &session->journal, &why) == 0;
	if (!session->journal_open) {
		session->journal.fd = -1;
		session->journal.problem = mem_strdup(why.text);
	}
	kernel_log_open(&session->kernel_log);
	if (session->kernel_log.fd >= 0)
		loop_add_fd(session->loop, session->kernel_log.fd, POLLIN, on_kernel, session);
	return 0;
}

void session_close(struct session *session)
{
	loop_destroy(session->loop);
	kernel_log_close(&session->kernel_log);
	if (session->journal_open)
		journal_close(&session->journal);
	else
		free(session->journal.problem);
	board_finish(&session->board);
	catalog_finish(&session->catalog);
	list_finish(&session->board_directories);
	list_finish(&session->recovered);
	free(session->run_directory);
	free(session->store);
	*session = (struct session){ 0 };
}

int session_set_board(struct session *session, const char *name, struct error *error)
{
	struct board board = { 0 };
	int result = board_find((const char *const *)session->board_directories, name,
		session->options.root, &board, error);

	if (result < 0)
		return result;
	board_finish(&session->board);
	session->board = board;
	catalog_attach(&session->catalog, &session->board);
	return 0;
}
