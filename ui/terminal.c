/* Takes the terminal over and gives it back; the only file that starts and stops curses.
 * SPDX-License-Identifier: MIT */
#include "terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <linux/serial.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "budget.h"
#include "console.h"
#include "crash.h"
#include "file.h"
#include "glyphs.h"
#include "mem.h"
#include "size.h"
#include "terminfo.h"
#include "text.h"
#include "theme.h"

#define SIZE_POLL_NS UINT64_C(3000000000)  /* some lines change their size without a signal */
#define ESCAPE_NS UINT64_C(100000000)      /* Esc alone: an adapter may hold bytes back for 16 ms */
#define RETRY_NS UINT64_C(50000000)
#define EARLY_KEYS 32

struct term {
	struct term_listener listener;
	struct loop *loop;
	int fd;                 /* of our own: O_NONBLOCK on the one we were given would be the shell's too */
	bool gone, cursor_shown;
	struct termios saved;
	SCREEN *screen;
	FILE *picture;          /* what curses writes goes to memory first */
	struct text pending;    /* on its way out */
	size_t sent;
	struct keys keys;
	int early[EARLY_KEYS], early_len; /* typed while we asked for the size */
	int rows, columns;
	unsigned baud;          /* 0: no real line */
	struct budget budget;
	struct console *console;
	struct loop_source *input, *size_timer, *escape_timer, *retry_timer, *winch;
};

static int open_own(struct error *error)
{
	char name[128];
	int fd = -1;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_set(error, ENOTTY, "no terminal on standard input and output: use `boardbench run`");
	if (!ttyname_r(STDOUT_FILENO, name, sizeof(name)))
		fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) /* in a container the name may lead nowhere */
		fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return error_set(error, ENOTTY, "cannot open the terminal again: %s; use `boardbench run`",
			strerror(errno));
	return fd;
}

static void guard(struct term *term)
{
	_autofree_ char *printk = term->console ? console_saved(term->console) : NULL;
	_autofree_ char *restore = terminfo_restore_string(term->rows);

	crash_guard(term->fd, restore, &term->saved, printk);
}

static void set_modes(struct term *term)
{
	struct termios modes = term->saved;

	/* Ctrl-S must not freeze the screen; Ctrl-C stays a signal; Ctrl-Z would leave a run without eyes. */
	modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ICRNL | INLCR | IGNCR | ISTRIP);
	modes.c_oflag &= ~(tcflag_t)OPOST;
	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	modes.c_cc[VSUSP] = _POSIX_VDISABLE;
	modes.c_cc[VQUIT] = _POSIX_VDISABLE;
	tcsetattr(term->fd, TCSANOW, &modes);
}

static unsigned line_speed(int fd, const struct termios *modes)
{
	static const struct { speed_t code; unsigned baud; } speeds[] = {
		{ B1200, 1200 }, { B2400, 2400 }, { B4800, 4800 }, { B9600, 9600 }, { B19200, 19200 },
		{ B38400, 38400 }, { B57600, 57600 }, { B115200, 115200 }, { B230400, 230400 },
		{ B460800, 460800 }, { B921600, 921600 }, { B1500000, 1500000 }, { B3000000, 3000000 },
	};
	struct serial_struct serial;

	/* A pty tells a speed too, but it means nothing. */
	if (ioctl(fd, TIOCGSERIAL, &serial))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(speeds); i++)
		if (speeds[i].code == cfgetospeed(modes))
			return speeds[i].baud;
	return 0;
}

static void choose_glyphs(const struct session_options *options)
{
	glyphs_choose(options->acs ? GLYPHS_ACS : GLYPHS_ASCII);
	if (!options->utf8)
		return;
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") && !setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "en_US.UTF-8");
	if (!strcmp(nl_langinfo(CODESET), "UTF-8"))
		glyphs_choose(GLYPHS_UNICODE);
}

static void keep_early(void *data, int key)
{
	struct term *term = data;

	if (term->early_len < EARLY_KEYS)
		term->early[term->early_len++] = key;
}

static void find_size(struct term *term, const struct session_options *options)
{
	int rows = (int)options->rows, columns = (int)options->columns;

	if (rows && columns) {
		size_set(term->fd, rows, columns);
	} else if (!size_get(term->fd, &rows, &columns)) {
		if (!terminfo_is_ansi() ||
			!size_ask(term->fd, &term->keys, keep_early, term, &rows, &columns)) {
			rows = 24;
			columns = 80;
		}
		size_set(term->fd, rows, columns);
	}
	term->rows = rows;
	term->columns = columns;
}

static void lost(struct term *term)
{
	if (term->gone)
		return;
	term->gone = true;
	loop_remove(term->input);
	term->input = NULL;
	term->listener.gone(term->listener.data);
}

/* Send what the line takes. */
static void flush(struct term *term)
{
	while (!term->gone && term->sent < term->pending.length) {
		ssize_t sent = write(term->fd, term->pending.data + term->sent, term->pending.length - term->sent);

		if (sent > 0) {
			term->sent += (size_t)sent;
			continue;
		}
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0 && errno != EAGAIN)
			lost(term);
		break;
	}
	if (term->sent == term->pending.length || term->gone) {
		text_clear(&term->pending);
		term->sent = 0;
	}
	if (term->input)
		loop_set_events(term->input, term->pending.length ? POLLIN | POLLOUT : POLLIN);
}

/* Move what curses has written from the memory file to `pending`; returns the bytes. */
static size_t collect(struct term *term)
{
	int fd = fileno(term->picture);
	off_t length;
	size_t total = 0;

	fflush(term->picture);
	length = lseek(fd, 0, SEEK_CUR);
	while (length > 0 && total < (size_t)length) {
		char bytes[2048];
		ssize_t got = pread(fd, bytes, sizeof(bytes), (off_t)total);

		if (got <= 0)
			break;
		if ((size_t)got > (size_t)length - total)
			got = (ssize_t)((size_t)length - total);
		text_add_bytes(&term->pending, bytes, (size_t)got);
		total += (size_t)got;
	}
	lseek(fd, 0, SEEK_SET);
	return total;
}

static void key_read(void *data, int key)
{
	struct term *term = data;

	term->listener.key(term->listener.data, key);
}

static void escape_is_alone(void *data)
{
	struct term *term = data;

	keys_timeout(&term->keys, key_read, term);
}

static void early_keys(void *data)
{
	struct term *term = data;

	for (int i = 0; i < term->early_len; i++)
		key_read(term, term->early[i]);
	term->early_len = 0;
}

static void on_terminal(void *data, short revents)
{
	struct term *term = data;

	if (revents & POLLIN) {
		unsigned char bytes[256];
		ssize_t got = read(term->fd, bytes, sizeof(bytes));

		if (got > 0)
			keys_feed(&term->keys, bytes, (size_t)got, key_read, term);
		else if (got == 0 || (errno != EAGAIN && errno != EINTR))
			lost(term);
		if (keys_pending(&term->keys))
			loop_set_timer(term->escape_timer, ESCAPE_NS, 0);
	}
	if (revents & POLLOUT && !term->gone) {
		flush(term);
		if (!term->pending.length)
			term->listener.writable(term->listener.data);
	}
	if (revents & (POLLHUP | POLLERR | POLLNVAL))
		lost(term);
}

static void check_size(void *data)
{
	struct term *term = data;
	int rows, columns;

	if (term->gone || !size_get(term->fd, &rows, &columns) ||
		(rows == term->rows && columns == term->columns))
		return;
	term->rows = rows;
	term->columns = columns;
	resize_term(rows, columns);
	clearok(curscr, TRUE);
	term->listener.resized(term->listener.data);
}

static void on_winch(void *data, int signal_number)
{
	(void)signal_number;
	check_size(data);
}

static void retry(void *data)
{
	struct term *term = data;

	if (!term->gone)
		term->listener.writable(term->listener.data);
}

static void listen_to(struct term *term)
{
	/* A timer that is to wait is set when it is needed; until then it is far away. */
	const uint64_t never = UINT64_C(1) << 60;

	term->input = loop_add_fd(term->loop, term->fd, POLLIN, on_terminal, term);
	term->winch = loop_add_signal(term->loop, SIGWINCH, on_winch, term);
	term->size_timer = loop_add_timer(term->loop, SIZE_POLL_NS, SIZE_POLL_NS, check_size, term);
	term->escape_timer = loop_add_timer(term->loop, never, 0, escape_is_alone, term);
	term->retry_timer = loop_add_timer(term->loop, never, 0, retry, term);
	if (term->early_len)
		loop_add_timer(term->loop, 1, 0, early_keys, term);
}

static int start_curses(struct term *term, const char *type, struct error *error)
{
	int fd = memfd_create("screen", MFD_CLOEXEC);

	term->picture = fd < 0 ? NULL : fdopen(fd, "w+");
	if (!term->picture) {
		if (fd >= 0)
			close(fd);
		return error_set(error, ENOTSUP, "cannot make a memory file for the screen: %s", strerror(errno));
	}
	/* LINES and COLUMNS of a shell on another terminal must not win; a kind of terminal without a size of
	 * its own (linux) needs some size here: the true one follows. */
	setenv("LINES", "24", 1);
	setenv("COLUMNS", "80", 1);
	use_env(TRUE);
	term->screen = newterm(type, term->picture, term->picture);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	use_env(FALSE);
	if (!term->screen)
		return error_set(error, ENOTSUP, "curses does not know the terminal \"%s\"; try --term vt100", type);
	typeahead(-1); /* else curses looks for input where its output is */
	nonl();
	leaveok(stdscr, TRUE);
	curs_set(0);
	resize_term(term->rows, term->columns);
	theme_start(true);
	return 0;
}

int term_open(const struct session_options *options, const char *store, struct loop *loop,
	const struct term_listener *listener, struct term **result, struct error *error)
{
	const char *type = options->term ? options->term : getenv("TERM");
	struct term *term;
	int fd = open_own(error), status;

	if (fd < 0)
		return fd;
	status = terminfo_open(type, error);
	if (status) {
		close(fd);
		return status;
	}
	term = mem_zalloc(1, sizeof(*term));
	term->fd = fd;
	term->loop = loop;
	term->listener = *listener;
	tcgetattr(fd, &term->saved);
	set_modes(term);
	find_size(term, options);
	term->baud = options->baud ? options->baud : line_speed(fd, &term->saved);
	budget_start(&term->budget, term->baud, clock_now());
	choose_glyphs(options);
	terminfo_close();
	status = start_curses(term, type, error);
	if (status) {
		term_close(term);
		return status;
	}
	term->console = console_quieten(fd, store);
	guard(term);
	listen_to(term);
	*result = term;
	return 0;
}

/* The last bytes have to go out; a line that takes none for a second is left alone. */
static void flush_wait(struct term *term)
{
	struct pollfd poll_fd = { .fd = term->fd, .events = POLLOUT };

	flush(term);
	while (!term->gone && term->pending.length && poll(&poll_fd, 1, 1000) > 0 && !(poll_fd.revents & POLLHUP))
		flush(term);
}

void term_close(struct term *term)
{
	if (!term)
		return;
	loop_remove(term->input);
	loop_remove(term->winch);
	loop_remove(term->size_timer);
	loop_remove(term->escape_timer);
	loop_remove(term->retry_timer);
	term->input = NULL;
	if (term->screen) {
		endwin();
		collect(term);
		if (!term->gone)
			flush_wait(term);
		delscreen(term->screen);
	}
	crash_unguard();
	console_restore(term->console);
	tcsetattr(term->fd, TCSANOW, &term->saved);
	if (term->picture)
		fclose(term->picture);
	close(term->fd);
	text_finish(&term->pending);
	free(term);
}

int term_rows(const struct term *term)
{
	return term->rows;
}

int term_columns(const struct term *term)
{
	return term->columns;
}

bool term_ready(struct term *term, bool live)
{
	int queued = 0;

	if (term->gone || term->pending.length)
		return false;
	/* A quarter of a second on the line already: what is drawn now would be old when it arrives. */
	if (term->baud && !ioctl(term->fd, TIOCOUTQ, &queued) && (unsigned)queued > term->baud / 10 / 4) {
		loop_set_timer(term->retry_timer, RETRY_NS, 0);
		return false;
	}
	return !live || budget_allows(&term->budget, clock_now());
}

void term_begin(struct term *term)
{
	(void)term;
	leaveok(stdscr, TRUE); /* draw_cursor() takes it back */
	erase();
}

void term_end(struct term *term, bool live)
{
	bool cursor = !is_leaveok(stdscr);
	size_t sent;

	if (cursor != term->cursor_shown)
		curs_set(cursor);
	term->cursor_shown = cursor;
	wnoutrefresh(stdscr);
	doupdate();
	sent = collect(term);
	if (live)
		budget_spend(&term->budget, sent);
	flush(term);
}

void term_redraw(struct term *term)
{
	(void)term;
	clearok(curscr, TRUE);
}

unsigned term_bytes_per_second(const struct term *term)
{
	return term->budget.rate;
}
