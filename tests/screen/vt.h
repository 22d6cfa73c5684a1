/* SPDX-License-Identifier: MIT */
/* The real program on a pseudo terminal, its output read by libvterm: press keys, wait for what a user would
 * see. Every expectation is a wait with a deadline, since a frame may come in several reads. */
#ifndef BB_TESTS_VT_H
#define BB_TESTS_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct vt;

struct vt_options {
	int rows, columns;      /* 0: 24, 80 */
	bool no_size;           /* the kernel says 0x0, as of a serial line; the terminal has rows and columns */
	const char *term;       /* NULL: "vt100" */
	const char *const *arguments; /* NULL-terminated, behind the program's name */
};

/* Start BOARDBENCH with a home of its own below a temporary directory. Fails the test when it cannot. */
struct vt *vt_start(const struct vt_options *options);
/* The same home again: what the next start finds. */
struct vt *vt_restart(struct vt *vt, const struct vt_options *options);
/* Kill what is left, remove the temporary directory, free. */
void vt_close(struct vt *vt);

const char *vt_home(const struct vt *vt); /* the temporary directory */
pid_t vt_pid(const struct vt *vt);

void vt_keys(struct vt *vt, const char *bytes);
#define VT_UP "\033[A"
#define VT_DOWN "\033[B"
#define VT_ESCAPE "\033"
void vt_resize(struct vt *vt, int rows, int columns);
/* Close the terminal's end of the line: the program gets a hang-up. */
void vt_hang_up(struct vt *vt);

/* Fail the test, with a picture of the screen, when it does not come within 30 s. */
void vt_wait_text(struct vt *vt, const char *text);
void vt_wait_text_in_row(struct vt *vt, int row, const char *text); /* negative: from the last one */
void vt_wait_no_text(struct vt *vt, const char *text);
/* The exit status, or minus the signal. */
int vt_wait_exit(struct vt *vt);

/* Text of a row, without the blanks at its end. buffer is returned. */
const char *vt_row(struct vt *vt, int row, char *buffer, size_t size);
bool vt_has_text(struct vt *vt, const char *text);
bool vt_cell_is_reverse(struct vt *vt, int row, int column);
/* Settings of the line, as the shell would find them. */
void vt_termios(struct vt *vt, struct termios *settings);
/* Fails the test unless each of them is what it was before the program started. */
void vt_assert_termios_as_before(struct vt *vt);
/* All that the program has sent. */
const char *vt_output(const struct vt *vt, size_t *length);
void vt_wait_output(struct vt *vt, size_t length); /* until so many bytes have come in all */
/* Lines of the journal that hold `text`. */
size_t vt_journal_lines(struct vt *vt, const char *text);
/* A process whose parent is the program, or 0. */
pid_t vt_child(struct vt *vt);

#endif
