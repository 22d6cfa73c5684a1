/* SPDX-License-Identifier: MIT */
/* What the files of the app share: stack of screens, prompt, drawing. */
#ifndef BB_UI_APP_INTERNAL_H
#define BB_UI_APP_INTERNAL_H

#include "app.h"
#include "entry.h"
#include "terminal.h"

#define APP_DEPTH 16

enum prompt_kind { PROMPT_NONE, PROMPT_TEXT, PROMPT_CONFIRM };

/* A question in the message line. */
struct prompt {
	enum prompt_kind kind;
	char question[160];
	struct entry entry;
	void (*answer_text)(struct app *app, void *data, const char *text);
	void (*answer_yes)(struct app *app, void *data);
	void *data;
};

struct app {
	struct session *session;
	struct term *term;       /* NULL after the line was hung up */
	struct screen *stack[APP_DEPTH];
	size_t depth;
	struct screen *dead[APP_DEPTH + 1]; /* taken off while one of their functions may be running */
	size_t dead_len;
	struct prompt prompt;
	char message[512];
	char release[72];        /* "Linux 6.1.80" */
	struct run *run;
	bool dirty;              /* draw now */
	bool live_dirty;         /* draw when a frame is due */
	uint64_t frame_ns;       /* when the last one was drawn */
	bool leaving;            /* at the end of the run */
	int end_status;
	struct loop_source *probe_timer, *signals[3];
	size_t probe_next;       /* subsystem to probe */
};

/* prompt.c */
void prompt_key(struct app *app, int key);
void prompt_draw(const struct app *app, const struct area *line);

/* app_draw.c */
void app_draw(struct app *app);

/* app_keys.c */
void app_key(struct app *app, int key);
/* "Enter edit  r run  ? help": the rows that work now, as many as fit in `columns`. */
void app_key_line(const struct screen *screen, bool home, int columns, char *buffer, size_t size);

#endif
