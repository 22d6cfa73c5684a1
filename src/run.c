/* SPDX-License-Identifier: MIT
 * A run: begins cases in the journal, drives their passes, judges what they gave, keeps the results. */
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "config.h"
#include "identity.h"
#include "list.h"
#include "live.h"
#include "mem.h"
#include "pass.h"
#include "run_judge.h"
#include "run_result.h"
#include "stats.h"
#include "undo.h"

#define TICK_NS UINT64_C(100000000)
#define CPU_INTERVAL_NS UINT64_C(1000000000)
#define STEADY_WINDOW_NS UINT64_C(5000000000)  /* of the steady-state rule */
#define STEADY_LIMIT_NS UINT64_C(120000000000) /* then it is measured all the same, and said */

struct run {
	struct session *session;
	struct plan plan;
	struct run_listener listener;
	char id[24];
	size_t index;               /* of the case under way */
	unsigned pass_number;
	struct pass pass;
	bool pass_running;
	bool stop_all, case_begun;
	struct case_record record;
	struct run_judge judge;
	struct live live;
	struct live_worker *loads;
	struct live_reading *load_readings;
	struct cpu_snapshot cpu_last, cpu_now;
	uint64_t start_ns, progress_ns, steady_since_ns;
	double passes_s;            /* time that the passes so far took, set-up included */
	size_t passes_done;
	struct loop_source *tick;
	struct run_view view;
	char phase[48];
	char **notes;
	struct result **results;
	size_t results_len;
};

const char *run_state_name(enum run_state state)
{
	static const char *const names[] = { "starting", "prepared", "warming up", "measuring",
		"cleaning up", "done", "refused", "failed", "crashed", "stuck", "cancelled" };

	return state < ARRAY_LEN(names) ? names[state] : "?";
}

static const struct plan_case *current(const struct run *run)
{
	return run->index < run->plan.len ? &run->plan.cases[run->index] : NULL;
}

static void tell_changed(struct run *run)
{
	if (run->listener.changed)
		run->listener.changed(run->listener.data);
}

static void complain(struct run *run, const struct error *error)
{
	result_add_note(&run->record.result, "this result is not kept: %s", error->text);
}

static void journal_the_beginning(struct run *run)
{
	const struct plan_case *plan_case = current(run);
	struct session *session = run->session;
	struct error error = { 0 };

	if (!session->journal_open || session->journal.fd < 0)
		return;
	struct journal_begun begun = {
		.case_index = (uint32_t)run->index + 1, .cases = (uint32_t)run->plan.len,
		.pass = run->pass_number, .board = session->board.name,
		.subsystem = plan_case->subsystem->name, .profile = run->plan.spec.profile,
		.what = plan_case_describe(plan_case), .time = time(NULL),
		.plan = run->case_begun ? NULL : run_spec_to_text(&run->plan.spec),
		.pid = (int)getpid(), .pid_start = process_start_time((int)getpid()),
	};
	snprintf(begun.run, sizeof(begun.run), "%s", run->id);
	boot_id_read(begun.boot_id, sizeof(begun.boot_id));
	if (journal_begin(&session->journal, &begun, &error) < 0)
		complain(run, &error);
	run->case_begun = true;
	free(begun.what);
	free(begun.plan);
}

static void begin_result(struct run *run)
{
	const struct plan_case *plan_case = current(run);
	struct result *result = &run->record.result;
	const struct subsystem *subsystem = plan_case->subsystem;

	snprintf(result->id, sizeof(result->id), "%s-%u", run->id, (unsigned)run->index + 1);
	snprintf(result->run, sizeof(result->run), "%s", run->id);
	boot_id_read(result->boot_id, sizeof(result->boot_id));
	result->case_index = (uint32_t)run->index + 1;
	result->cases = (uint32_t)run->plan.len;
	result->time = time(NULL);
	result->clock_unset = result->time < BB_BUILD_TIME;
	result->monotonic_ns = clock_now();
	result->board = mem_strdup(run->session->board.name);
	result->subsystem = mem_strdup(subsystem->name);
	result->module = mem_strdup(subsystem->module);
	result->method = mem_strdup(subsystem->info->version);
	result->profile = mem_strdup(run->plan.spec.profile);
	result->params = result_params_of(subsystem->info, plan_case->values);
	result->params_len = subsystem->info->params_len;
	environment_facts(run->session->options.root, &result->environment);
	settings_set(&result->environment, "quiet", plan_case->options.quiet ? "yes" : "no");
}

static void start_pass(struct run *run);

static void keep_result(struct run *run)
{
	struct session *session = run->session;
	struct error error = { 0 };

	case_record_complete(&run->record);
	struct result *result = mem_zalloc(1, sizeof(*result));
	*result = run->record.result;
	run->record.result = (struct result){ 0 };
	if (session->journal_open && session->journal.fd >= 0 &&
		journal_add(&session->journal, result, &error) < 0)
		result_add_note(result, "this result is not kept: %s", error.text);
	run->results = mem_grow(run->results, run->results_len + 1, sizeof(*run->results));
	run->results[run->results_len++] = result;
	if (run->listener.case_done)
		run->listener.case_done(run->listener.data, result);
}

static void release_case(struct run *run)
{
	case_record_finish(&run->record);
	live_finish(&run->live);
	free(run->loads);
	free(run->load_readings);
	run->loads = NULL;
	run->load_readings = NULL;
	list_finish(&run->notes);
	run_judge_finish(&run->judge);
}

/* What the view shows of workers and of a case dies with them; the screen may look in between. */
static void forget_pass(struct run *run)
{
	struct run_view *view = &run->view;

	view->primary = NULL;
	view->metrics = NULL;
	view->metrics_len = 0;
	view->series = NULL;
	view->loads = NULL;
	view->loads_len = 0;
	view->actual = NULL;
	view->notes = NULL;
	view->progress = -1;
	view->elapsed_s = view->stalled_s = 0;
	view->state = RUN_STARTING;
	view->quiet = false;
}

static void finish_run(struct run *run)
{
	struct session *session = run->session;

	loop_remove(run->tick);
	run->tick = NULL;
	if (session->journal_open && session->journal.fd >= 0)
		journal_close_run(&session->journal, run->id, NULL);
	run->view.current = NULL;
	run->view.over = true;
	forget_pass(run);
	tell_changed(run);
	if (run->listener.over)
		run->listener.over(run->listener.data);
}

static void start_case(struct run *run)
{
	const struct plan_case *plan_case = current(run);

	if (!plan_case || run->stop_all) {
		finish_run(run);
		return;
	}
	case_record_init(&run->record, plan_case);
	run->pass_number = 0;
	run->case_begun = run->results_len > 0 || run->case_begun;
	begin_result(run);
	live_init(&run->live, plan_case->subsystem->info);
	run->loads = mem_zalloc(plan_case->loads_len + 1, sizeof(*run->loads));
	run->load_readings = mem_zalloc(plan_case->loads_len + 1, sizeof(*run->load_readings));
	for (size_t i = 0; i < plan_case->loads_len; i++)
		run->loads[i].subsystem = plan_case->loads[i].subsystem;
	run->view.kernel_serial = run->session->kernel_log.serial;
	start_pass(run);
}

static void end_case(struct run *run)
{
	keep_result(run);
	release_case(run);
	run->index++;
	start_case(run);
}

static void pass_changed(void *data)
{
	struct run *run = data;

	if (run->pass.state == RUN_WARMING || run->pass.state == RUN_MEASURING) {
		run->steady_since_ns = clock_now();
		live_begin(&run->live, &run->pass);
	}
	if (run->pass.state == RUN_PREPARED)
		run_judge_begin(&run->judge, run->session, &run->pass);
}

static void start_pass(struct run *run)
{
	const struct plan_case *plan_case = current(run);
	struct error error = { 0 };

	run->pass_number++;
	run->view.current = plan_case;
	run->view.case_index = run->index;
	run->view.pass = run->pass_number;
	journal_the_beginning(run);
	run->phase[0] = '\0';
	run->live.started = false;
	if (pass_start(&run->pass, run->session, plan_case, pass_changed, run, &error) < 0) {
		run->record.result.state = RESULT_FAILED;
		run->record.result.error = mem_strdup(error.text);
		end_case(run);
		return;
	}
	run->pass_running = true;
	tell_changed(run);
}

static void note_slope(struct run *run)
{
	struct series_bucket buckets[64];
	double values[64];
	size_t len = series_resample(&run->live.series, buckets, ARRAY_LEN(buckets));

	if (run->record.elapsed_s < 3 || len < 8)
		return;
	for (size_t i = 0; i < len; i++)
		values[i] = (double)buckets[i].mean;
	double slope = stats_slope_percent(values, len);
	if (fabs(slope) > 10)
		result_add_note(&run->record.result, "not steady: the rate %s by %.0f %% over the timed part of "
			"pass %u (least-squares line)", slope < 0 ? "fell" : "rose", fabs(slope), run->pass_number);
}

static void end_pass(struct run *run)
{
	bool more;

	live_sample(&run->live, &run->pass);
	kernel_log_read(&run->session->kernel_log, true);
	case_record_add_pass(&run->record, &run->pass);
	run_judge_end(&run->judge, run->session, &run->pass, &run->record.result);
	note_slope(run);
	run->passes_s += (double)(clock_now() - run->pass.start_ns) / 1e9;
	run->passes_done++;
	more = run->pass_number < current(run)->options.repeat && !run->record.result.error &&
		!run->stop_all;
	pass_finish(&run->pass);
	run->pass_running = false;
	forget_pass(run);
	if (more)
		start_pass(run);
	else
		end_case(run);
}

/* The warm-up of a held case ends when the slope over the last 5 s is small enough. */
static void check_steady(struct run *run)
{
	double limit = current(run)->options.steady_percent;
	struct series_bucket buckets[SERIES_BUCKETS];
	double values[SERIES_BUCKETS];
	uint64_t warmed = clock_now() - run->steady_since_ns;

	if (limit <= 0 || run->pass.state != RUN_WARMING || warmed < STEADY_WINDOW_NS)
		return;
	size_t len = series_resample(&run->live.series, buckets, SERIES_BUCKETS), used = 0;
	size_t window = run->live.series.bucket_ns ?
		(size_t)(STEADY_WINDOW_NS / run->live.series.bucket_ns) : 0;
	for (size_t i = len > window ? len - window : 0; i < len; i++)
		values[used++] = (double)buckets[i].mean;
	double slope = stats_slope_percent(values, used);
	bool steady = used >= 3 && fabs(slope) < limit;
	if (!steady && warmed < STEADY_LIMIT_NS)
		return;
	if (steady)
		result_add_note(&run->record.result, "steady after %.1f s of warm-up: the slope over 5 s is %.2g %%, "
			"the limit %.2g %%", (double)warmed / 1e9, fabs(slope), limit);
	else
		result_suspect(&run->record.result, "not steady after %.0f s of warm-up: the slope over 5 s is "
			"%.2g %%, the limit %.2g %%", (double)warmed / 1e9, fabs(slope), limit);
	run->steady_since_ns = clock_now();
	pass_measure(&run->pass);
}

static void write_progress(struct run *run)
{
	struct session *session = run->session;
	struct settings progress = { 0 };
	const struct live_metric *primary = run->view.primary;
	char text[64], number[32];

	if (!session->journal_open || session->journal.fd < 0)
		return;
	settings_set(&progress, "run", run->id);
	snprintf(text, sizeof(text), "%zu", run->index + 1);
	settings_set(&progress, "case", text);
	settings_set(&progress, "phase", run->phase[0] ? run->phase : run_state_name(run->pass.state));
	if (run->view.progress >= 0) {
		snprintf(text, sizeof(text), "%.0f %%", run->view.progress * 100);
		settings_set(&progress, "done", text);
	}
	if (primary) {
		snprintf(text, sizeof(text), "%s %s", number_format(primary->mean, number, sizeof(number)),
			primary->metric->unit);
		settings_set(&progress, "rate", text);
	}
	if (run->view.cpu.valid) {
		snprintf(text, sizeof(text), "%.0f %%", run->view.cpu.load);
		settings_set(&progress, "cpu", text);
	}
	journal_progress(&session->journal, &progress);
	settings_finish(&progress);
}

static void sample_cpu(struct run *run)
{
	uint64_t now = clock_now();

	if (now - run->cpu_now.time_ns < CPU_INTERVAL_NS)
		return;
	run->cpu_last = run->cpu_now;
	if (cpu_read("", &run->cpu_now, NULL) < 0)
		return;
	if (run->cpu_last.time_ns)
		cpu_between(&run->cpu_last, &run->cpu_now, &run->view.cpu);
	environment_read(run->session->options.root, &run->view.environment);
}

static void sample_loads(struct run *run)
{
	uint64_t now = clock_now();

	for (size_t i = run->pass.instances; i < run->pass.workers_len; i++) {
		size_t load = i - run->pass.instances;
		if (now - run->load_readings[load].time_ns >= LIVE_INTERVAL_NS)
			live_worker_sample(&run->pass.workers[i], &run->loads[load], now,
				&run->load_readings[load]);
	}
}

static void estimate(struct run *run)
{
	struct run_view *view = &run->view;
	const struct case_options *options = &current(run)->options;
	uint64_t duration = options->duration_ns;
	size_t passes = 0;

	if (!duration && (current(run)->subsystem->info->flags & BB_ENDLESS))
		duration = DEFAULT_DURATION_NS;
	view->elapsed_s = (double)(clock_now() - run->pass.start_ns) / 1e9;
	view->expected_s = -1;
	if (duration)
		view->expected_s = (double)(duration + options->warmup_ns) / 1e9;
	else if (view->progress > 0.02)
		view->expected_s = view->elapsed_s / view->progress;
	else if (run->passes_done)
		view->expected_s = run->passes_s / (double)run->passes_done;
	for (size_t i = run->index + 1; i < run->plan.len; i++)
		passes += run->plan.cases[i].options.repeat;
	passes += options->repeat - run->pass_number;
	view->run_elapsed_s = (double)(clock_now() - run->start_ns) / 1e9;
	double each = run->passes_done ? run->passes_s / (double)run->passes_done : view->expected_s;
	view->run_expected_s = each < 0 || view->expected_s < 0 ? -1 :
		run->passes_s + fmax(view->expected_s, view->elapsed_s) + each * (double)passes;
}

static void sample_phase(struct run *run)
{
	const struct shared *shared = run->pass.workers[0].process.shared;

	if (!shared)
		return;
	memcpy(run->phase, shared->phase, sizeof(run->phase));
	run->phase[sizeof(run->phase) - 1] = '\0';
	double progress = counter_get_double(&shared->progress);
	run->view.progress = progress >= 0 && progress <= 1 ? progress : -1;
	uint64_t duration = current(run)->options.duration_ns;
	if (run->view.progress < 0 && duration && run->pass.begin_ns)
		run->view.progress = fmin(1, (double)(clock_now() - run->pass.begin_ns) / (double)duration);
}

static void fill_view(struct run *run)
{
	struct run_view *view = &run->view;
	const struct pass_worker *first = &run->pass.workers[0];

	view->plan = &run->plan;
	view->current = current(run);
	view->case_index = run->index;
	view->pass = run->pass_number;
	view->state = run->pass.state;
	view->phase = run->phase;
	view->stalled_s = (double)(clock_now() - run->pass.moved_ns) / 1e9;
	view->metrics = run->live.metrics;
	view->metrics_len = run->live.info->metrics_len;
	view->primary = run->live.primary < view->metrics_len ?
		&run->live.metrics[run->live.primary] : NULL;
	view->series = &run->live.series;
	view->loads = run->loads;
	view->loads_len = run->pass.workers_len - run->pass.instances;
	view->actual = &first->actual;
	view->notes = first->notes;
	view->quiet = (view->current->options.quiet || run->session->options.quiet_run) &&
		(run->pass.state == RUN_WARMING || run->pass.state == RUN_MEASURING);
}

static void on_tick(void *data)
{
	struct run *run = data;

	if (!run->pass_running)
		return;
	pass_tick(&run->pass);
	if (run->pass.over) {
		end_pass(run);
		return;
	}
	if (run->pass.state == RUN_WARMING || run->pass.state == RUN_MEASURING)
		live_sample(&run->live, &run->pass);
	sample_phase(run);
	sample_loads(run);
	sample_cpu(run);
	check_steady(run);
	estimate(run);
	fill_view(run);
	if (clock_now() - run->progress_ns >= CPU_INTERVAL_NS && !run->view.quiet) {
		run->progress_ns = clock_now();
		write_progress(run);
	}
	tell_changed(run);
}

static void new_id(char *id, size_t size)
{
	uint64_t bits = 0;

	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != (ssize_t)sizeof(bits))
		bits = clock_now() ^ (uint64_t)getpid() << 40;
	snprintf(id, size, "%012llx", (unsigned long long)(bits >> 16));
}

/* The first case starts from the loop, so that the caller has its run before anything is told of it. */
static void on_start(void *data)
{
	struct run *run = data;

	loop_remove(run->tick);
	run->tick = loop_add_timer(run->session->loop, TICK_NS, TICK_NS, on_tick, run);
	start_case(run);
}

struct run *run_start(struct session *session, struct plan *plan, const char *id, size_t skip,
	const struct run_listener *listener)
{
	struct run *run = mem_zalloc(1, sizeof(*run));

	run->session = session;
	run->plan = *plan;
	*plan = (struct plan){ 0 };
	if (listener)
		run->listener = *listener;
	if (id)
		snprintf(run->id, sizeof(run->id), "%s", id);
	else
		new_id(run->id, sizeof(run->id));
	run->case_begun = id != NULL; /* its plan is in the journal already */
	run->index = skip;
	run->start_ns = clock_now();
	run->view = (struct run_view){ .plan = &run->plan, .current = current(run), .case_index = skip,
		.phase = run->phase, .progress = -1, .expected_s = -1, .run_expected_s = -1 };
	cpu_read("", &run->cpu_now, NULL);
	environment_read(session->options.root, &run->view.environment);
	run->tick = loop_add_timer(session->loop, 0, 0, on_start, run);
	return run;
}

const struct run_view *run_look(struct run *run)
{
	return &run->view;
}

const struct result *const *run_results(const struct run *run, size_t *len)
{
	*len = run->results_len;
	return (const struct result *const *)run->results;
}

const char *run_id(const struct run *run)
{
	return run->id;
}

void run_stop_case(struct run *run)
{
	if (run->pass_running)
		pass_stop(&run->pass, NULL);
}

void run_stop(struct run *run)
{
	run->stop_all = true;
	run_stop_case(run);
}

void run_destroy(struct run *run)
{
	if (!run)
		return;
	loop_remove(run->tick);
	if (run->pass_running) {
		pass_stop(&run->pass, NULL);
		uint64_t until = clock_now() + UINT64_C(2000000000);
		while (!run->pass.over && clock_now() < until)
			loop_pass(run->session->loop, 50), pass_tick(&run->pass);
		pass_finish(&run->pass);
	}
	release_case(run);
	for (size_t i = 0; i < run->results_len; i++) {
		result_finish(run->results[i]);
		free(run->results[i]);
	}
	free(run->results);
	plan_finish(&run->plan);
	free(run);
}
