/* SPDX-License-Identifier: MIT
 * Runs the program on a pseudo terminal and reads its screen. */
#include "vt.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

#include <cmocka.h>

#define DEADLINE_MS 30000

struct vt {
	char home[64];
	pid_t pid;
	int fd, rows, columns, status;
	bool exited;
	VTerm *vterm;
	VTermScreen *screen;
	char *output;
	size_t output_len;
	struct termios before;
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Answers of the terminal (cursor position reports) go back to the program. */
static void on_reply(const char *bytes, size_t length, void *data)
{
	const struct vt *vt = data;

	if (vt->fd >= 0 && write(vt->fd, bytes, length) < 0)
		return;
}

static void child(const struct vt *vt, const struct vt_options *options)
{
	const char *argv[32] = { getenv("BOARDBENCH"), "--store" };
	char store[96];
	size_t len = 3;

	snprintf(store, sizeof(store), "%s/store", vt->home);
	argv[2] = store;
	for (size_t i = 0; options->arguments && options->arguments[i] && len < 30; i++)
		argv[len++] = options->arguments[i];
	setenv("HOME", vt->home, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	setenv("TERM", options->term ? options->term : "vt100", 1);
	setenv("LC_ALL", "C", 1);
	if (chdir(vt->home) == 0)
		execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

static void start(struct vt *vt, const struct vt_options *options)
{
	struct winsize size = { 0 };

	vt->rows = options->rows ? options->rows : 24;
	vt->columns = options->columns ? options->columns : 80;
	vt->exited = false;
	if (!options->no_size)
		size = (struct winsize){ .ws_row = (unsigned short)vt->rows,
			.ws_col = (unsigned short)vt->columns };
	assert_non_null(getenv("BOARDBENCH"));
	vt->vterm = vterm_new(vt->rows, vt->columns);
	vterm_set_utf8(vt->vterm, 1);
	vterm_output_set_callback(vt->vterm, on_reply, vt);
	vt->screen = vterm_obtain_screen(vt->vterm);
	vterm_screen_enable_altscreen(vt->screen, 1);
	vterm_screen_reset(vt->screen, 1);
	int slave;
	assert_int_equal(openpty(&vt->fd, &slave, NULL, NULL, &size), 0);
	assert_int_equal(tcgetattr(slave, &vt->before), 0);
	fcntl(vt->fd, F_SETFD, FD_CLOEXEC);
	vt->pid = fork();
	if (vt->pid == 0) {
		login_tty(slave);
		child(vt, options);
	}
	close(slave);
	assert_true(vt->pid > 0);
}

struct vt *vt_start(const struct vt_options *options)
{
	struct vt *vt = calloc(1, sizeof(*vt));

	assert_non_null(vt);
	snprintf(vt->home, sizeof(vt->home), "/tmp/boardbench-screen-XXXXXX");
	assert_non_null(mkdtemp(vt->home));
	start(vt, options);
	return vt;
}

static void stop(struct vt *vt)
{
	if (!vt->exited) {
		kill(vt->pid, SIGKILL);
		waitpid(vt->pid, NULL, 0);
	}
	if (vt->fd >= 0)
		close(vt->fd);
	vt->fd = -1;
	vterm_free(vt->vterm);
	vt->vterm = NULL;
	free(vt->output);
	vt->output = NULL;
	vt->output_len = 0;
}

struct vt *vt_restart(struct vt *vt, const struct vt_options *options)
{
	stop(vt);
	start(vt, options);
	return vt;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

void vt_close(struct vt *vt)
{
	stop(vt);
	nftw(vt->home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(vt);
}

const char *vt_home(const struct vt *vt)
{
	return vt->home;
}

pid_t vt_pid(const struct vt *vt)
{
	return vt->pid;
}

/* One read; false at the end or when nothing came. */
static bool pump(struct vt *vt, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = vt->fd, .events = POLLIN };
	char bytes[4096];

	if (vt->fd < 0) {
		poll(NULL, 0, timeout_ms < 20 ? timeout_ms : 20);
		return false;
	}
	if (poll(&poll_fd, 1, timeout_ms) <= 0)
		return false;
	ssize_t length = read(vt->fd, bytes, sizeof(bytes));
	if (length <= 0) {
		poll(NULL, 0, 10); /* the program has closed its end; it is about to exit */
		return false;
	}
	vt->output = realloc(vt->output, vt->output_len + (size_t)length + 1);
	assert_non_null(vt->output);
	memcpy(vt->output + vt->output_len, bytes, (size_t)length);
	vt->output_len += (size_t)length;
	vt->output[vt->output_len] = '\0';
	vterm_input_write(vt->vterm, bytes, (size_t)length);
	return true;
}

void vt_keys(struct vt *vt, const char *bytes)
{
	assert_int_equal(write(vt->fd, bytes, strlen(bytes)), (ssize_t)strlen(bytes));
}

void vt_resize(struct vt *vt, int rows, int columns)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	vt->rows = rows > 0 ? rows : 1;
	vt->columns = columns > 0 ? columns : 1;
	vterm_set_size(vt->vterm, vt->rows, vt->columns);
	ioctl(vt->fd, TIOCSWINSZ, &size);
}

void vt_hang_up(struct vt *vt)
{
	close(vt->fd);
	vt->fd = -1;
}

const char *vt_row(struct vt *vt, int row, char *buffer, size_t size)
{
	size_t len = 0;

	for (int column = 0; column < vt->columns && len + 1 < size; column++) {
		VTermScreenCell cell = { 0 };
		vterm_screen_get_cell(vt->screen, (VTermPos){ .row = row, .col = column }, &cell);
		buffer[len++] = cell.chars[0] >= ' ' && cell.chars[0] < 127 ? (char)cell.chars[0] :
			cell.chars[0] ? '?' : ' ';
	}
	while (len > 0 && buffer[len - 1] == ' ')
		len--;
	buffer[len] = '\0';
	return buffer;
}

bool vt_has_text(struct vt *vt, const char *text)
{
	char row[512];

	for (int i = 0; i < vt->rows; i++)
		if (strstr(vt_row(vt, i, row, sizeof(row)), text))
			return true;
	return false;
}

bool vt_cell_is_reverse(struct vt *vt, int row, int column)
{
	VTermScreenCell cell = { 0 };

	vterm_screen_get_cell(vt->screen, (VTermPos){ .row = row, .col = column }, &cell);
	return cell.attrs.reverse;
}

static void show_screen(struct vt *vt)
{
	char row[512];

	for (int i = 0; i < vt->rows; i++)
		print_message("# |%s\n", vt_row(vt, i, row, sizeof(row)));
}

static void give_up(struct vt *vt, const char *what, const char *text)
{
	show_screen(vt);
	fail_msg("%s \"%s\" within %d s", what, text, DEADLINE_MS / 1000);
}

void vt_wait_text(struct vt *vt, const char *text)
{
	for (int64_t end = now_ms() + DEADLINE_MS; !vt_has_text(vt, text);) {
		if (now_ms() > end)
			give_up(vt, "the screen did not show", text);
		pump(vt, 100);
	}
}

void vt_wait_text_in_row(struct vt *vt, int row, const char *text)
{
	char line[512];

	for (int64_t end = now_ms() + DEADLINE_MS;
		!strstr(vt_row(vt, row < 0 ? vt->rows + row : row, line, sizeof(line)), text);) {
		if (now_ms() > end)
			give_up(vt, "the row did not show", text);
		pump(vt, 100);
	}
}

void vt_wait_no_text(struct vt *vt, const char *text)
{
	for (int64_t end = now_ms() + DEADLINE_MS; vt_has_text(vt, text);) {
		if (now_ms() > end)
			give_up(vt, "the screen went on to show", text);
		pump(vt, 100);
	}
}

int vt_wait_exit(struct vt *vt)
{
	int status = 0;

	for (int64_t end = now_ms() + DEADLINE_MS; !vt->exited;) {
		if (now_ms() > end)
			give_up(vt, "the program did not end", "");
		pump(vt, 50);
		if (waitpid(vt->pid, &status, WNOHANG) == vt->pid) {
			vt->exited = true;
			vt->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
		}
	}
	while (vt->fd >= 0 && pump(vt, 0))
		;
	return vt->status;
}

void vt_termios(struct vt *vt, struct termios *settings)
{
	assert_int_equal(tcgetattr(vt->fd, settings), 0);
}

void vt_assert_termios_as_before(struct vt *vt)
{
	struct termios after;

	vt_termios(vt, &after);
	assert_int_equal(after.c_iflag, vt->before.c_iflag);
	assert_int_equal(after.c_oflag, vt->before.c_oflag);
	assert_int_equal(after.c_cflag, vt->before.c_cflag);
	assert_int_equal(after.c_lflag, vt->before.c_lflag);
	assert_memory_equal(after.c_cc, vt->before.c_cc, sizeof(after.c_cc));
}

const char *vt_output(const struct vt *vt, size_t *length)
{
	*length = vt->output_len;
	return vt->output ? vt->output : "";
}

void vt_wait_output(struct vt *vt, size_t length)
{
	for (int64_t end = now_ms() + DEADLINE_MS; vt->output_len < length;) {
		if (now_ms() > end)
			give_up(vt, "not enough was sent", "");
		pump(vt, 100);
	}
}

size_t vt_journal_lines(struct vt *vt, const char *text)
{
	char path[128], line[65536];
	size_t found = 0;

	snprintf(path, sizeof(path), "%s/store/journal.jsonl", vt->home);
	FILE *stream = fopen(path, "re");
	while (stream && fgets(line, sizeof(line), stream))
		found += strstr(line, text) != NULL;
	if (stream)
		fclose(stream);
	return found;
}

pid_t vt_child(struct vt *vt)
{
	char path[64];
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)vt->pid, (int)vt->pid);
	FILE *stream = fopen(path, "re");
	if (stream) {
		if (fscanf(stream, "%d", &pid) != 1)
			pid = 0;
		fclose(stream);
	}
	return (pid_t)pid;
}
