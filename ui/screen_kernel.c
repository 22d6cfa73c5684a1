/* SPDX-License-Identifier: MIT
 * Messages of the kernel since the start. */
#include <stdio.h>

#include "app.h"
#include "mem.h"
#include "screen_text.h"

struct kernel {
	struct screen_text text;
	uint64_t serial; /* of the log when the lines were made */
};

static void fill(struct kernel *kernel)
{
	const struct kernel_log *log = &app_session(kernel->text.screen.app)->kernel_log;
	struct lines *lines = &kernel->text.lines;
	/* Who has scrolled up wants to go on reading there. */
	bool at_end = lines->first + (size_t)(lines->page > 0 ? lines->page : 0) >= lines->len;

	lines_clear(lines);
	kernel->serial = log->serial;
	if (log->problem)
		lines_add_wrapped(lines, STYLE_WARNING, SCREEN_TEXT_WIDTH, 0, log->problem);
	else if (log->len == 0)
		lines_add(lines, STYLE_DIM, "No message since the start.");
	for (size_t i = 0; i < log->len; i++) {
		const struct kernel_message *message = &log->messages[i];
		lines_add(lines, message->level <= 3 ? STYLE_BAD : STYLE_NORMAL, "%c%10.3f  <%d> %s",
			message->during_case ? '*' : ' ', (double)message->time_ns / 1e9, message->level,
			message->text);
	}
	if (log->dropped)
		lines_add(lines, STYLE_WARNING, "%llu messages were lost.", (unsigned long long)log->dropped);
	if (at_end)
		lines->first = lines->len; /* the newest */
}

static void kernel_draw(struct screen *screen, const struct area *body)
{
	struct kernel *kernel = (struct kernel *)screen;

	if (kernel->serial != app_session(screen->app)->kernel_log.serial)
		fill(kernel);
	screen_text_draw(screen, body);
}

static const struct screen_key keys[] = { SCREEN_TEXT_KEYS, { 0 } };

static const struct screen_ops ops = {
	.help = "Messages of the kernel since this program started, the newest last, with the kernel's time and "
		"level (3 and below are errors). * came while something was measured.",
	.keys = keys,
	.title = screen_text_title,
	.draw = kernel_draw,
	.key = screen_text_key,
	.destroy = screen_text_destroy,
};

struct screen *screen_kernel_create(struct app *app)
{
	struct kernel *kernel = mem_zalloc(1, sizeof(*kernel));

	kernel->text.screen = (struct screen){ &ops, app };
	snprintf(kernel->text.title, sizeof(kernel->text.title), "kernel log");
	fill(kernel);
	return &kernel->text.screen;
}
