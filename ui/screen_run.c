/* SPDX-License-Identifier: MIT
 * The live view of a run: figures, chart, CPU, what is going on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "latest.h"
#include "mem.h"
#include "side.h"
#include "value.h"

#define CHART_MAX 400 /* columns */
/* Where the four figures of a metric end. */
#define FIGURE_END 16
#define FIGURE_STEP 9

struct live_screen {
	struct screen screen;
	struct side side;
	/* The chart sweeps: a column stays where it was drawn, which costs a serial line a third of a chart that
	 * scrolls. */
	float chart[CHART_MAX];
	size_t drawn;        /* columns ever filled */
	uint64_t column_ns;  /* when the last one was */
	float top;           /* of the scale */
	const struct run *run;
	size_t case_index;
	unsigned pass;
};

static struct live_screen *live_of(const struct screen *screen)
{
	return (struct live_screen *)(uintptr_t)screen;
}

#define COLUMN_NS UINT64_C(500000000)

/* 1, 2 or 5 times a power of ten above the value, so that the scale rarely changes. */
static float round_up(float value)
{
	double power = value > 0 ? pow(10, floor(log10((double)value))) : 1;

	for (int step = 1; step <= 10; step = step == 2 ? 5 : step * 2)
		if ((double)value <= step * power)
			return (float)(step * power);
	return (float)(10 * power);
}

static void restart_chart(struct live_screen *live)
{
	live->drawn = 0;
	live->top = 0;
	memset(live->chart, 0, sizeof(live->chart));
}

/* What was measured before this screen was opened. */
static void recall(struct live_screen *live, const struct run_view *view)
{
	const struct series *series = view->series;
	uint64_t columns = series && view->primary ? series->len * series->bucket_ns / COLUMN_NS : 0;

	for (uint64_t i = columns > CHART_MAX ? columns - CHART_MAX : 0; i < columns; i++) {
		const struct series_bucket *bucket = &series->buckets[i * COLUMN_NS / series->bucket_ns];

		live->chart[live->drawn++ % CHART_MAX] = bucket->mean;
		if (bucket->mean > live->top)
			live->top = round_up(bucket->mean);
	}
}

static void run_changed(struct screen *screen)
{
	struct live_screen *live = live_of(screen);
	const struct run_view *view = app_look(screen->app);
	uint64_t now = clock_now();

	if (!view)
		return;
	if (live->run != app_run(screen->app) || live->case_index != view->case_index) {
		restart_chart(live);
		live->run = app_run(screen->app);
		live->case_index = view->case_index;
		recall(live, view);
	}
	live->side.running = view->current ? view->current->subsystem : NULL;
	if (!view->primary || now - live->column_ns < COLUMN_NS)
		return;
	live->column_ns = now;
	live->chart[live->drawn++ % CHART_MAX] = (float)view->primary->now;
	if ((float)view->primary->now > live->top)
		live->top = round_up((float)view->primary->now);
}

static void draw_head(const struct run_view *view, const struct area *area)
{
	_autofree_ char *what = plan_case_describe(view->current);
	const char *doing = view->phase[0] && view->state >= RUN_STARTING ? view->phase :
		run_state_name(view->state);

	draw_field(area, 0, 1, area->columns - 2, STYLE_HEADING, "");
	draw_format(area, 0, 1, STYLE_HEADING, "%-6s %s", view->current->subsystem->name, what);
	draw_format(area, 1, 8, STYLE_NORMAL, "case %zu of %zu, pass %u of %u", view->case_index + 1,
		view->plan->len, view->pass, view->current->options.repeat);
	draw_right(area, 1, area->columns - 1, STYLE_NORMAL, doing);
}

static void draw_metric(const struct area *area, int row, const struct live_metric *metric)
{
	char number[32];
	const double values[] = { metric->now, metric->mean, metric->min, metric->max };
	char label[24];

	snprintf(label, sizeof(label), "%.8s", metric->metric->unit);
	draw_text(area, row, 2, STYLE_NORMAL, label);
	for (int i = 0; i < 4; i++)
		draw_right(area, row, FIGURE_END + i * FIGURE_STEP, STYLE_NORMAL,
			number_format(values[i], number, sizeof(number)));
	draw_field(area, row, FIGURE_END + 3 * FIGURE_STEP + 2, area->columns, STYLE_DIM, metric->metric->name);
}

/* Returns the rows used. */
static int draw_metrics(const struct run_view *view, const struct area *area)
{
	static const char *const titles[] = { "now", "mean", "min", "max" };
	int row = 1, most = area->rows < 20 ? 2 : 4; /* the chart needs the room */

	for (int i = 0; i < 4; i++)
		draw_right(area, 0, FIGURE_END + i * FIGURE_STEP, STYLE_DIM, titles[i]);
	for (size_t i = 0; i < view->metrics_len && row <= most; i++)
		if (view->metrics[i].known && view->metrics[i].metric->source != BB_TOTAL_OF)
			draw_metric(area, row++, &view->metrics[i]);
	if (row == 1)
		draw_text(area, row++, 2, STYLE_DIM, "no figure yet");
	return row;
}

static void draw_chart(const struct live_screen *live, const struct area *area)
{
	int rows = area->rows - 1, columns = area->columns - 9;
	char number[32];

	if (rows < 2 || columns < 10)
		return;
	if (columns > CHART_MAX)
		columns = CHART_MAX;
	if (live->top > 0)
		draw_right(area, 0, 7, STYLE_DIM, number_format((double)live->top, number, sizeof(number)));
	draw_right(area, rows - 1, 7, STYLE_DIM, "0");
	for (int i = 0; i < rows; i++)
		draw_text(area, i, 7, STYLE_NORMAL, "|");
	draw_text(area, rows, 7, STYLE_NORMAL, "+");
	struct area line = area_columns(area, 8, columns);
	draw_line(&line, rows);
	/* Columns from the newest round to the oldest; one gap marks where the sweep is. */
	size_t shown = live->drawn < (size_t)columns ? live->drawn : (size_t)columns - 1;
	for (size_t back = 0; back < shown; back++) {
		size_t index = live->drawn - 1 - back;
		float value = live->chart[index % CHART_MAX];
		draw_chart_column(area, rows - 1, 8 + (int)(index % (size_t)columns), rows,
			live->top > 0 ? (double)(value / live->top) : 0, STYLE_CHART);
	}
}

static bool has_clock(const struct run_view *view)
{
	return view->environment.cpu_mhz > 0 || isfinite(view->environment.temperature_c);
}

/* Fixed columns: what does not change is not sent again. */
static void draw_cpu(const struct run_view *view, const struct area *area)
{
	const struct cpu_load *cpu = &view->cpu;
	const struct environment *environment = &view->environment;
	bool wide = area->columns >= 58;
	char clock[64] = "", temperature[32] = "";

	if (cpu->valid) {
		draw_format(area, 0, 1, STYLE_NORMAL, "CPU %5.1f %% user %5.1f  system %5.1f", cpu->load, cpu->user,
			cpu->system);
		draw_format(area, wide ? 0 : 1, wide ? 39 : 5, STYLE_NORMAL, "irq %4.1f  soft %4.1f", cpu->irq,
			cpu->softirq);
		if (wide)
			draw_bar(area, 1, 5, 20, cpu->load / 100, STYLE_CHART);
		draw_format(area, 1, 26, STYLE_NORMAL, "wait %5.1f", cpu->iowait);
		draw_format(area, 1, 38, STYLE_NORMAL, "steal %4.1f", cpu->steal);
	} else {
		draw_text(area, 0, 1, STYLE_DIM, "CPU  -");
	}
	if (environment->cpu_mhz > 0)
		snprintf(clock, sizeof(clock), "clock %.0f MHz  %s", environment->cpu_mhz, environment->governor);
	if (isfinite(environment->temperature_c))
		snprintf(temperature, sizeof(temperature), "  %.0f C", environment->temperature_c);
	draw_format(area, 2, 1, STYLE_NORMAL, "%s%s", clock, temperature);
}

static void draw_loads(const struct run_view *view, const struct area *area, int *row)
{
	for (size_t i = 0; i < view->loads_len && *row < area->rows - 2; i++) {
		const struct live_worker *load = &view->loads[i];
		char number[32];
		if (load->primary.known)
			draw_format(area, (*row)++, 1, STYLE_NORMAL, "load %-8s %8s %s  %s%s", load->subsystem->name,
				number_format(load->primary.now, number, sizeof(number)), load->primary.metric->unit,
				load->phase, load->alive ? "" : " (ended)");
		else
			draw_format(area, (*row)++, 1, STYLE_NORMAL, "load %-8s %s%s", load->subsystem->name, load->phase,
				load->alive ? "" : " (ended)");
	}
}

static void draw_time(const struct run_view *view, const struct area *area, int row)
{
	char elapsed[16], expected[16], run_elapsed[16], run_expected[16];

	draw_format(area, row, 1, STYLE_NORMAL,
		area->columns < 52 ? "%s of %s, run %s of %s" : "%s of about %s, run %s of about %s",
		elapsed_format(view->elapsed_s, elapsed, sizeof(elapsed)),
		elapsed_format(view->expected_s, expected, sizeof(expected)),
		elapsed_format(view->run_elapsed_s, run_elapsed, sizeof(run_elapsed)),
		elapsed_format(view->run_expected_s, run_expected, sizeof(run_expected)));
	if (view->stalled_s > 5)
		draw_format(area, row + 1, 1, STYLE_WARNING, "nothing has moved for %.0f s", view->stalled_s);
	else if (view->progress >= 0)
		draw_bar(area, row + 1, 1, area->columns - 3 < 40 ? area->columns - 3 : 40, view->progress, STYLE_CHART);
}

static void draw_kernel(const struct app *app, const struct run_view *view, const struct area *area, int row)
{
	const struct kernel_log *log = &app_session((struct app *)(uintptr_t)app)->kernel_log;

	if (log->problem)
		draw_text(area, row, 1, STYLE_DIM, "kernel messages cannot be read");
	else if (log->serial == view->kernel_serial || log->len == 0)
		draw_text(area, row, 1, STYLE_DIM, "kernel quiet");
	else
		draw_format(area, row, 1, STYLE_WARNING, "kernel %s", log->messages[log->len - 1].text);
}

static void draw_over(const struct app *app, const struct area *area)
{
	size_t len;
	const struct result *const *results = run_results(app_run(app), &len);

	draw_format(area, 0, 1, STYLE_HEADING, "The run is over: %zu case%s.", len, len == 1 ? "" : "s");
	if (len == 0)
		return;
	struct table table;
	size_t first = len > 200 ? len - 200 : 0;
	table_of_results(results + first, len - first, &table);
	struct area rest = area_rows(area, 2, area->rows - 5);
	latest_draw_table(&table, &rest);
	table_finish(&table);
	const struct result *last = results[len - 1];
	if (last->error)
		draw_wrapped(area, area->rows - 3, 1, 3, STYLE_WARNING, last->error);
	else if (last->notes && last->notes[0])
		draw_wrapped(area, area->rows - 3, 1, 3, STYLE_NORMAL, last->notes[0]);
}

static void draw_right_side(const struct live_screen *live, const struct run_view *view,
	const struct area *area)
{
	int row = 3, chart_rows;

	if (view->over || !view->current) {
		draw_over(live->screen.app, area);
		return;
	}
	draw_head(view, area);
	draw_line(area, 2);
	struct area part = area_rows(area, row, -1);
	row += draw_metrics(view, &part);
	draw_line(area, row++);
	/* CPU takes two rows, kernel one, time two. */
	chart_rows = area->rows - row - 5 - has_clock(view) - (int)view->loads_len;
	if (chart_rows >= 3) {
		part = area_rows(area, row, chart_rows);
		draw_chart(live, &part);
		row += chart_rows;
	}
	part = area_rows(area, row, -1);
	draw_cpu(view, &part);
	row += 2 + has_clock(view);
	draw_loads(view, area, &row);
	draw_kernel(live->screen.app, view, area, row++);
	draw_time(view, area, row);
}

static void live_draw(struct screen *screen, const struct area *body)
{
	struct live_screen *live = live_of(screen);
	const struct run_view *view = app_look(screen->app);
	struct layout_home parts;

	layout_home(body, &parts);
	side_draw(&live->side, &parts.list);
	draw_column(&parts.divider, 0);
	if (view)
		draw_right_side(live, view, &parts.right);
}

static bool is_on(const struct screen *screen)
{
	return app_run_is_on(screen->app);
}

static void act_stop(struct screen *screen, int key)
{
	if (key == 'X')
		run_stop(app_run(screen->app));
	else
		run_stop_case(app_run(screen->app));
	app_message(screen->app, key == 'X' ? "Stopping the run; what was measured is kept." :
		"Stopping this case; what was measured is kept.");
}

static void act_results(struct screen *screen, int key)
{
	const struct run_view *view = app_look(screen->app);

	(void)key;
	app_push(screen->app, screen_results_create(screen->app,
		view && view->current ? view->current->subsystem->name : NULL));
}

static bool has_result(const struct screen *screen)
{
	size_t len = 0;

	if (app_run(screen->app))
		run_results(app_run(screen->app), &len);
	return len > 0;
}

static void act_why(struct screen *screen, int key)
{
	size_t len;
	const struct result *const *results = run_results(app_run(screen->app), &len);
	struct result copy;

	(void)key;
	latest_copy(results[len - 1], &copy);
	app_push(screen->app, screen_why_create(screen->app, &copy));
}

static void act_kernel(struct screen *screen, int key)
{
	(void)key;
	app_push(screen->app, screen_kernel_create(screen->app));
}

static void live_destroy(struct screen *screen)
{
	side_finish(&live_of(screen)->side);
	free(screen);
}

static void live_title(const struct screen *screen, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s", is_on(screen) ? "a run is on" : "run");
}

static const struct screen_key keys[] = {
	{ 'x', NULL, "stop", "Stop this case; what was measured of it is kept.", act_stop, is_on },
	{ 'X', NULL, "stop all", "Stop the whole run.", act_stop, is_on },
	{ UI_KEY_TAB, "Tab", "results", "Results while the run goes on.", act_results, NULL },
	{ 'k', NULL, "kernel log", "Messages of the kernel.", act_kernel, NULL },
	{ 'y', NULL, "why slow", "What held the newest result of this run down.", act_why, has_result },
	{ 0 },
};

static const struct screen_ops ops = {
	.help = "The run as it goes: the rate over the last half second, the mean of the timed part so far, the smallest "
		"and largest half second; for latencies the median, mean and extremes. The chart goes round like an "
		"oscilloscope. CPU is of all CPUs together over the last second. Esc leaves the run going on.",
	.keys = keys,
	.title = live_title,
	.draw = live_draw,
	.run_changed = run_changed,
	.shown = run_changed,
	.destroy = live_destroy,
};

struct screen *screen_run_create(struct app *app)
{
	struct live_screen *live = mem_zalloc(1, sizeof(*live));
	const struct run_view *view = app_look(app);

	live->screen = (struct screen){ &ops, app };
	side_init(&live->side, &app_session(app)->board);
	for (size_t i = 0; view && view->current && i < app_session(app)->board.subsystems_len; i++)
		if (&app_session(app)->board.subsystems[i] == view->current->subsystem)
			side_select(&live->side, i);
	return &live->screen;
}
