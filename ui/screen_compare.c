/* SPDX-License-Identifier: MIT
 * Two results side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "compare.h"
#include "mem.h"
#include "value.h"

struct compare {
	struct screen screen;
	struct result a, b;
	struct comparison comparison;
};

#define NAME_COLUMN 1
#define A_COLUMN 23
#define B_COLUMN 43
#define CHANGE_COLUMN 66

static struct compare *compare_of(const struct screen *screen)
{
	return (struct compare *)(uintptr_t)screen;
}

static void draw_side(const struct area *area, int row, int column, double value, double low, double high)
{
	char number[32], from[32], to[32], text[100];

	number_format(value, number, sizeof(number));
	if (isfinite(low) && low != high)
		snprintf(text, sizeof(text), "%s (%s .. %s)", number, number_format(low, from, sizeof(from)),
			number_format(high, to, sizeof(to)));
	else
		snprintf(text, sizeof(text), "%s", number);
	draw_field(area, row, column, B_COLUMN - A_COLUMN - 1, STYLE_NORMAL, text);
}

static void draw_change(const struct area *area, int row, const struct compare_row *line)
{
	static const enum style styles[] = { STYLE_NORMAL, STYLE_GOOD, STYLE_BAD, STYLE_WARNING, STYLE_NORMAL };
	double ratio = line->b / line->a;

	if (!isfinite(line->percent))
		return;
	if (line->a > 0 && ratio >= 3)
		draw_format(area, row, CHANGE_COLUMN, styles[line->verdict], "x %.1f", ratio);
	else if (line->a > 0 && ratio > 0 && ratio <= 1.0 / 3)
		draw_format(area, row, CHANGE_COLUMN, styles[line->verdict], "/ %.1f", 1 / ratio);
	else
		draw_format(area, row, CHANGE_COLUMN, styles[line->verdict], "%+.1f %%", line->percent);
}

static void draw_settings(const struct area *area, int *row, const struct settings *settings, bool differ)
{
	for (size_t i = 0; i < settings->len && *row < area->rows - 6; i++) {
		const char *text = settings->items[i].text, *arrow = strstr(text, " -> ");
		draw_field(area, *row, NAME_COLUMN, A_COLUMN - 2, STYLE_NORMAL, settings->items[i].name);
		if (arrow) {
			char left[64];
			snprintf(left, sizeof(left), "%.*s", (int)(arrow - text), text);
			draw_field(area, *row, A_COLUMN, B_COLUMN - A_COLUMN - 1, STYLE_NORMAL, left);
			draw_field(area, *row, B_COLUMN, CHANGE_COLUMN - B_COLUMN - 1, STYLE_NORMAL, arrow + 4);
		} else {
			draw_field(area, *row, A_COLUMN, CHANGE_COLUMN - A_COLUMN - 1, STYLE_NORMAL, text);
		}
		draw_text(area, *row, CHANGE_COLUMN, STYLE_NORMAL, differ ? "different" : "");
		(*row)++;
	}
}

static void draw_verdict(const struct area *area, int row, const struct comparison *comparison)
{
	const struct compare_row *first = comparison->len ? &comparison->rows[0] : NULL;

	if (!first)
		draw_text(area, row, 1, STYLE_WARNING, "The two have no metric in common.");
	else if (first->verdict == COMPARE_UNKNOWN)
		draw_wrapped(area, row, 1, 2, STYLE_NORMAL, "A single pass on a side: whether this is more than chance "
			"cannot be said. Set repeat to 3 or more.");
	else if (first->verdict == COMPARE_SAME)
		draw_format(area, row, 1, STYLE_NORMAL, "The difference is within the spread of the passes (p = %.3f).",
			first->p);
	else
		draw_format(area, row, 1, STYLE_NORMAL, "The difference is beyond the spread of the passes (p %s %.3f).",
			first->p < 0.001 ? "<" : "=", fmax(first->p, 0.001));
	if (comparison->warning)
		draw_wrapped(area, row + 1, 1, 2, STYLE_WARNING, comparison->warning);
}

static void compare_draw(struct screen *screen, const struct area *body)
{
	const struct compare *compare = compare_of(screen);
	const struct comparison *comparison = &compare->comparison;
	int row = 1;

	draw_text(body, 0, A_COLUMN, STYLE_HEADING, "A");
	draw_text(body, 0, B_COLUMN, STYLE_HEADING, "B");
	draw_text(body, 0, CHANGE_COLUMN, STYLE_HEADING, "B against A");
	draw_text(body, row, NAME_COLUMN, STYLE_NORMAL, "result");
	draw_field(body, row, A_COLUMN, B_COLUMN - A_COLUMN - 1, STYLE_NORMAL, compare->a.id);
	draw_field(body, row++, B_COLUMN, CHANGE_COLUMN - B_COLUMN - 1, STYLE_NORMAL, compare->b.id);
	draw_settings(body, &row, &comparison->different, true);
	row++;
	for (size_t i = 0; i < comparison->len && row < body->rows - 4; i++, row++) {
		const struct compare_row *line = &comparison->rows[i];
		char name[64];
		snprintf(name, sizeof(name), "%-13.13s %s", line->name, line->unit);
		draw_field(body, row, NAME_COLUMN, A_COLUMN - 2, STYLE_NORMAL, name);
		draw_side(body, row, A_COLUMN, line->a, line->a_min, line->a_max);
		draw_side(body, row, B_COLUMN, line->b, line->b_min, line->b_max);
		draw_change(body, row, line);
	}
	if (comparison->len && row + 3 < body->rows - 4) {
		double largest = fmax(comparison->rows[0].a, comparison->rows[0].b);
		row++;
		draw_text(body, row, 1, STYLE_NORMAL, "A |");
		draw_text(body, row + 1, 1, STYLE_NORMAL, "B |");
		draw_bar(body, row, 4, body->columns - 8, largest > 0 ? comparison->rows[0].a / largest : 0, STYLE_CHART);
		draw_bar(body, row + 1, 4, body->columns - 8, largest > 0 ? comparison->rows[0].b / largest : 0,
			STYLE_CHART);
	}
	draw_verdict(body, body->rows - 3, comparison);
}

static void export_to(struct app *app, void *data, const char *path)
{
	const struct compare *compare = data;
	FILE *stream = path[0] ? fopen(path, "wxe") : NULL; /* x: nothing is overwritten */

	if (!path[0])
		return;
	if (!stream) {
		app_message(app, "Cannot write %s: it is there already, or the directory is not writable.", path);
		return;
	}
	comparison_print(stream, OUTPUT_TEXT, &compare->a, &compare->b, &compare->comparison);
	app_message(app, fclose(stream) == 0 ? "Written to %s." : "Cannot write %s.", path);
}

static void act_export(struct screen *screen, int key)
{
	(void)key;
	app_ask(screen->app, "Write this comparison to the file", "", export_to, compare_of(screen));
}

static void act_swap(struct screen *screen, int key)
{
	struct compare *compare = compare_of(screen);
	struct result a = compare->a;

	(void)key;
	compare->a = compare->b;
	compare->b = a;
	comparison_finish(&compare->comparison);
	compare_results(&compare->a, &compare->b, &compare->comparison);
}

static void compare_destroy(struct screen *screen)
{
	struct compare *compare = compare_of(screen);

	comparison_finish(&compare->comparison);
	result_finish(&compare->a);
	result_finish(&compare->b);
	free(compare);
}

static void compare_title(const struct screen *screen, char *buffer, size_t size)
{
	snprintf(buffer, size, "compare: %s", compare_of(screen)->a.subsystem);
}

static const struct screen_key keys[] = {
	{ 's', NULL, "swap", "Exchange A and B.", act_swap, NULL },
	{ 'e', NULL, "export", "Write the comparison to a new file.", act_export, NULL },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "Two results side by side: what differed, each figure with its spread, the difference, and whether it is "
		"more than the spread of the passes (Welch's t test).",
	.keys = keys,
	.title = compare_title,
	.draw = compare_draw,
	.destroy = compare_destroy,
};

struct screen *screen_compare_create(struct app *app, struct result *a, struct result *b)
{
	struct compare *compare = mem_zalloc(1, sizeof(*compare));

	compare->screen = (struct screen){ &ops, app };
	compare->a = *a;
	compare->b = *b;
	*a = *b = (struct result){ 0 };
	compare_results(&compare->a, &compare->b, &compare->comparison);
	return &compare->screen;
}
