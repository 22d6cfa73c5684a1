/* SPDX-License-Identifier: MIT
 * The life of one pass: start, prepare, begin together, measure, clean up, reap. */
#include "pass.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "file.h"
#include "json.h"
#include "mem.h"
#include "pass_messages.h"
#include "undo.h"

#define BEGIN_DELAY_NS UINT64_C(5000000)      /* until the last instance has woken up */
#define TERMINATE_NS UINT64_C(1000000000)     /* after being asked */
#define KILL_NS UINT64_C(4000000000)          /* after SIGTERM */
#define STUCK_NS UINT64_C(10000000000)        /* after SIGKILL */
#define PROBE_NS UINT64_C(10000000000)        /* start, loading and probe together */
#define OVERDUE_NS UINT64_C(20000000000)      /* a step is 0.1 s at most: after a duration nothing takes so long */
#define MOVED_INTERVAL_NS UINT64_C(1000000000)

static void add_request(struct text *text, const struct pass_worker *worker)
{
	const struct pass *pass = worker->pass;
	const struct case_options *options = &pass->plan_case->options;
	const struct module_info *info = worker->subsystem->info;

	json_put_object(text, NULL);
	json_put_string(text, "do", "run");
	json_put_string(text, "module", info->name);
	json_put_string(text, "path", info->path);
	json_put_string(text, "root", pass->session->options.root);
	json_put_string(text, "store", pass->session->journal_open && pass->session->journal.fd >= 0 ?
		pass->session->store : NULL);
	json_put_uint(text, "instance", worker->instance);
	json_put_uint(text, "instances", worker->is_load ? 1 : pass->instances);
	json_put_int(text, "cpu", worker->cpu);
	uint64_t duration = options->duration_ns;
	if (!duration && (info->flags & BB_ENDLESS))
		duration = DEFAULT_DURATION_NS;
	json_put_uint(text, "duration_ns", worker->is_load ? 0 : duration);
	json_put_uint(text, "warmup_ns", worker->is_load ? 0 : options->warmup_ns);
	json_put_bool(text, "hold", !worker->is_load && options->steady_percent > 0);
	json_put_bool(text, "endless", worker->is_load);
	json_put_object(text, "parameters");
	for (size_t i = 0; i < info->params_len; i++) {
		_autofree_ char *value = value_format_plain(&info->params[i], &worker->values[i]);
		json_put_string(text, info->params[i].name, value);
	}
	json_put_object_end(text);
	json_put_object_end(text);
}

static void moved(struct pass *pass)
{
	pass->moved_ns = clock_now();
}

static void on_socket(void *data, short revents)
{
	struct pass_worker *worker = data;

	(void)revents;
	moved(worker->pass);
	if (!pass_messages_read(worker)) {
		loop_remove(worker->socket_source);
		worker->socket_source = NULL;
	}
	pass_tick(worker->pass);
}

static void on_output(void *data, short revents)
{
	struct pass_worker *worker = data;

	(void)revents;
	if (!pass_output_read(worker)) {
		loop_remove(worker->output_source);
		worker->output_source = NULL;
	}
}

static int start_worker(struct pass_worker *worker, struct error *error)
{
	struct text request = { 0 };
	struct loop *loop = worker->pass->session->loop;

	add_request(&request, worker);
	int result = process_start(&worker->process, request.data, request.length, true, error);
	text_finish(&request);
	if (result < 0) {
		worker->state = RUN_FAILED;
		return result;
	}
	worker->socket_source = loop_add_fd(loop, worker->process.socket, POLLIN, on_socket, worker);
	worker->output_source = loop_add_fd(loop, worker->process.output, POLLIN, on_output, worker);
	return 0;
}

static void lay_out(struct pass *pass)
{
	const struct plan_case *plan_case = pass->plan_case;
	const struct case_options *options = &plan_case->options;

	pass->instances = options->cpus_len ? options->cpus_len : 1;
	pass->workers_len = pass->instances + plan_case->loads_len;
	pass->workers = mem_zalloc(pass->workers_len, sizeof(*pass->workers));
	for (size_t i = 0; i < pass->workers_len; i++) {
		struct pass_worker *worker = &pass->workers[i];
		bool is_load = i >= pass->instances;
		const struct plan_load *load = is_load ? &plan_case->loads[i - pass->instances] : NULL;
		*worker = (struct pass_worker){ .pass = pass, .is_load = is_load,
			.instance = is_load ? 0 : (uint32_t)i,
			.subsystem = is_load ? load->subsystem : plan_case->subsystem,
			.values = is_load ? load->values : plan_case->values,
			.cpu = !is_load && options->cpus_len ? options->cpus[i] : -1,
			.process = { .socket = -1, .output = -1 } };
	}
}

int pass_start(struct pass *pass, struct session *session, const struct plan_case *plan_case,
	void (*changed)(void *data), void *data, struct error *error)
{
	*pass = (struct pass){ .session = session, .plan_case = plan_case, .changed = changed,
		.data = data, .start_ns = clock_now(), .moved_ns = clock_now() };
	lay_out(pass);
	for (size_t i = 0; i < pass->workers_len; i++) {
		int result = start_worker(&pass->workers[i], error);
		if (result < 0) {
			pass_finish(pass);
			return result;
		}
	}
	return 0;
}

uint64_t pass_counter(const struct pass *pass, unsigned counter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < pass->instances; i++)
		if (pass->workers[i].process.shared)
			sum += counter_get(&pass->workers[i].process.shared->counters[counter]);
	return sum;
}

static bool ended(const struct pass_worker *worker)
{
	return worker->state >= RUN_DONE;
}

/* All workers of the kind (loads or instances) at least in that state? */
static bool all_reached(const struct pass *pass, bool loads, enum run_state state)
{
	size_t first = loads ? pass->instances : 0, end = loads ? pass->workers_len : pass->instances;

	for (size_t i = first; i < end; i++)
		if (pass->workers[i].state < state)
			return false;
	return true;
}

static void command_all(struct pass *pass, bool loads, enum shared_command command)
{
	uint64_t begin = clock_now() + BEGIN_DELAY_NS;

	for (size_t i = loads ? pass->instances : 0;
		i < (loads ? pass->workers_len : pass->instances); i++) {
		struct process *process = &pass->workers[i].process;
		if (!process->shared)
			continue;
		if (command == COMMAND_BEGIN)
			counter_set(&process->shared->begin_ns, begin);
		process_command(process, command);
	}
}

static double own_cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
		((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) / 1e6;
}

/* A load's figure is of the case's timed part: its counters are read at both ends of it. */
static void mark_loads(struct pass *pass, bool begin)
{
	for (size_t i = pass->instances; i < pass->workers_len; i++) {
		struct pass_worker *worker = &pass->workers[i];
		struct measured *measured = &worker->measured;
		if (!worker->process.shared || ended(worker))
			continue;
		uint64_t now = clock_now();
		for (size_t j = 0; j < BB_COUNTERS_MAX; j++) {
			uint64_t value = counter_get(&worker->process.shared->counters[j]);
			if (begin)
				worker->load_counters[j] = value;
			else
				measured->counters[j] = value - worker->load_counters[j];
		}
		if (begin) {
			worker->load_begin_ns = now;
		} else if (worker->load_begin_ns) {
			measured->begin_ns = worker->load_begin_ns;
			measured->end_ns = now;
			measured->known = measured->finished = true;
			pass_messages_copy_gauges(worker);
		}
	}
}

static void set_state(struct pass *pass, enum run_state state)
{
	if (state <= pass->state)
		return;
	pass->state = state;
	if (state == RUN_MEASURING) {
		pass->begin_ns = clock_now();
		pass->workbench_cpu_s = own_cpu_seconds();
		mark_loads(pass, true);
	}
	if (state >= RUN_CLEANING && !pass->end_ns && pass->begin_ns) {
		pass->end_ns = clock_now();
		pass->workbench_cpu_s = own_cpu_seconds() - pass->workbench_cpu_s;
		mark_loads(pass, false);
	}
	pass->changed(pass->data);
}

/* The next harder means against a worker that is to end. */
static void press(struct pass_worker *worker)
{
	static const uint64_t patience[] = { TERMINATE_NS, KILL_NS, STUCK_NS };
	uint64_t now = clock_now();

	if (ended(worker) || worker->process.pid <= 0)
		return;
	if (worker->kill_at_ns == 0) {
		process_command(&worker->process, COMMAND_STOP);
		worker->kill_at_ns = now + patience[0];
		return;
	}
	if (now < worker->kill_at_ns)
		return;
	if (worker->kills == 0) {
		process_kill(&worker->process, SIGTERM);
	} else if (worker->kills == 1) {
		process_kill(&worker->process, SIGKILL);
	} else {
		_autofree_ char *where = process_stuck_text(&worker->process);
		error_set(&worker->failure, ETIMEDOUT, "the worker does not die even when killed: %s; it is left "
			"behind, and only a reset may end it", where);
		worker->state = RUN_STUCK;
		return;
	}
	worker->kills++;
	worker->kill_at_ns = now + patience[worker->kills];
}

static void stop_worker(struct pass_worker *worker)
{
	if (!ended(worker) && worker->kill_at_ns == 0)
		press(worker);
}

void pass_stop(struct pass *pass, const char *reason)
{
	if (pass->stopping)
		return;
	pass->stopping = true;
	pass->stop_asked = reason == NULL;
	pass->reason = mem_strdup(reason);
	for (size_t i = 0; i < pass->workers_len; i++)
		stop_worker(&pass->workers[i]);
}

void pass_measure(struct pass *pass)
{
	command_all(pass, false, COMMAND_MEASURE);
}

static void note_recovered(struct pass_worker *worker, pid_t pid)
{
	char **messages = undo_recover(worker->pass->session->store, (int)pid);

	for (size_t i = 0; messages && messages[i]; i++) {
		pass_messages_note(worker, messages[i]);
		free(messages[i]);
	}
	free(messages);
}

static void end_of_worker(struct pass_worker *worker, pid_t pid)
{
	/* Messages sent before the end are still in the socket. */
	while (worker->socket_source && pass_messages_read(worker))
		;
	while (worker->output_source && pass_output_read(worker))
		;
	loop_remove(worker->socket_source);
	loop_remove(worker->output_source);
	worker->socket_source = worker->output_source = NULL;
	bool orderly = worker->state == RUN_CLEANING && pass_messages_done(worker);
	if (!orderly) {
		note_recovered(worker, pid);
		if (!worker->failure.code && worker->kills == 0) {
			_autofree_ char *end = process_end_text(&worker->process);
			error_set(&worker->failure, ECHILD, "the worker %s while %s", end,
				run_state_name(worker->state));
		}
	}
	if (worker->refused)
		worker->state = RUN_REFUSED;
	else if (!orderly && worker->kills == 0 && worker->failure.code == ECHILD)
		worker->state = RUN_CRASHED;
	else if (worker->failure.code)
		worker->state = RUN_FAILED;
	else
		worker->state = worker->measured.known && worker->measured.finished ? RUN_DONE :
			RUN_CANCELLED;
}

static void reap(struct pass *pass)
{
	for (size_t i = 0; i < pass->workers_len; i++) {
		struct pass_worker *worker = &pass->workers[i];
		pid_t pid = worker->process.pid;
		if (!ended(worker) && pid > 0 && process_reap(&worker->process))
			end_of_worker(worker, pid);
		if (worker->kill_at_ns)
			press(worker);
	}
}

/* Anything at all that shows life: work of the module, CPU time of the workers while they prepare, traffic of
 * the disks while one waits in the kernel (a long fsync moves nothing else). */
static uint64_t cpu_activity(const struct pass *pass, bool *waiting)
{
	uint64_t sum = 0;

	*waiting = false;
	for (size_t i = 0; i < pass->instances; i++) {
		unsigned long long user = 0, system = 0;
		char state = '?';
		if (pass->workers[i].process.pid <= 0)
			continue;
		_autofree_ char *stat = file_read("", "/proc/%d/stat", (int)pass->workers[i].process.pid);
		const char *rest = stat ? strrchr(stat, ')') : NULL;
		if (rest)
			sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &state, &user,
				&system);
		sum += user + system;
		*waiting = *waiting || state == 'D';
	}
	return sum;
}

static uint64_t disk_activity(void)
{
	_autofree_ char *text = file_read("", "/proc/diskstats");
	uint64_t sum = 0;

	for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		unsigned long long read = 0, written = 0;
		if (sscanf(line, " %*u %*u %*s %*u %*u %llu %*u %*u %*u %llu", &read, &written) == 2)
			sum += read + written;
	}
	return sum;
}

static void check_moved(struct pass *pass)
{
	uint64_t now = clock_now(), steps = 0;

	for (size_t i = 0; i < pass->instances; i++)
		if (pass->workers[i].process.shared)
			steps += counter_get(&pass->workers[i].process.shared->steps);
	if (steps != pass->workers[0].last_steps) {
		pass->workers[0].last_steps = steps;
		pass->moved_ns = now;
	}
	if (now - pass->moved_checked_ns < MOVED_INTERVAL_NS)
		return;
	pass->moved_checked_ns = now;
	/* prepare() may compute for long, a step may not: one that burns CPU without end hangs all the same. */
	bool waiting;
	uint64_t cpu = cpu_activity(pass, &waiting), disk = disk_activity();
	if ((waiting && disk != pass->disk_activity) ||
		(pass->state < RUN_PREPARED && cpu != pass->cpu_activity))
		pass->moved_ns = now;
	pass->disk_activity = disk;
	pass->cpu_activity = cpu;
}

/* How long nothing may move just now. A case with a duration is over soon after it, or hangs. */
static uint64_t stall_limit(const struct pass *pass)
{
	const struct case_options *options = &pass->plan_case->options;
	uint64_t limit = options->stall_ns ? options->stall_ns : UINT64_MAX;
	uint64_t planned = options->duration_ns + options->warmup_ns;

	if (options->duration_ns && pass->begin_ns && clock_now() > pass->begin_ns + planned &&
		limit > OVERDUE_NS)
		limit = OVERDUE_NS;
	return limit;
}

static void check_probe(struct pass *pass)
{
	char line[256];

	if (pass->stopping || clock_now() - pass->start_ns < PROBE_NS)
		return;
	for (size_t i = 0; i < pass->workers_len; i++) {
		if (pass->workers[i].probed || ended(&pass->workers[i]))
			continue;
		snprintf(line, sizeof(line), "%s did not say within %.0f s whether it can run here",
			pass->workers[i].subsystem->name, (double)PROBE_NS / 1e9);
		pass_stop(pass, line);
		return;
	}
}

static void check_stall(struct pass *pass)
{
	uint64_t limit = stall_limit(pass), still;

	check_moved(pass);
	check_probe(pass);
	still = clock_now() - pass->moved_ns;
	if (pass->stopping || still < limit)
		return;
	char line[256];
	_autofree_ char *where = process_stuck_text(&pass->workers[0].process);
	snprintf(line, sizeof(line), "nothing moved for %.0f s: %s", (double)still / 1e9, where);
	pass_stop(pass, line);
}

/* A case without its loads is not the case that was asked for. */
static void check_loads(struct pass *pass)
{
	for (size_t i = pass->instances; i < pass->workers_len; i++) {
		struct pass_worker *load = &pass->workers[i];
		if (!ended(load) || load->begun || pass->stopping || load->kill_at_ns)
			continue;
		char line[1200];
		snprintf(line, sizeof(line), "load %s: %s", load->subsystem->name,
			load->failure.code ? load->failure.text : "ended before the case began");
		pass_stop(pass, line);
	}
}

static void check_instances(struct pass *pass)
{
	for (size_t i = 0; i < pass->instances; i++)
		if (ended(&pass->workers[i]) && pass->workers[i].state != RUN_DONE && !pass->stopping) {
			/* One instance failed: the others' figures are not of the case that was asked for. */
			pass_stop(pass, pass->workers[i].failure.code ? pass->workers[i].failure.text :
				"an instance ended early");
		}
}

static void go_forward(struct pass *pass)
{
	if (pass->state < RUN_PREPARED && all_reached(pass, false, RUN_PREPARED) &&
		all_reached(pass, true, RUN_PREPARED))
		set_state(pass, RUN_PREPARED);
	if (pass->state >= RUN_PREPARED && !pass->stopping) {
		command_all(pass, true, COMMAND_BEGIN);
		if (all_reached(pass, true, RUN_MEASURING))
			command_all(pass, false, COMMAND_BEGIN);
	}
	for (enum run_state state = RUN_WARMING; state <= RUN_MEASURING; state++)
		if (pass->state >= RUN_PREPARED && all_reached(pass, false, state))
			set_state(pass, state);
	if (pass->state >= RUN_PREPARED && all_reached(pass, false, RUN_CLEANING)) {
		set_state(pass, RUN_CLEANING);
		for (size_t i = pass->instances; i < pass->workers_len; i++)
			stop_worker(&pass->workers[i]);
	}
}

void pass_tick(struct pass *pass)
{
	if (pass->over)
		return;
	reap(pass);
	check_loads(pass);
	check_instances(pass);
	go_forward(pass);
	check_stall(pass);
	for (size_t i = 0; i < pass->workers_len; i++)
		if (!ended(&pass->workers[i]))
			return;
	pass->over = true;
	set_state(pass, RUN_CLEANING);
	pass->changed(pass->data);
}

static void worker_finish(struct pass_worker *worker)
{
	loop_remove(worker->socket_source);
	loop_remove(worker->output_source);
	if (worker->process.pid > 0) {
		pid_t pid = worker->process.pid;
		process_kill(&worker->process, SIGKILL);
		for (int tries = 0; tries < 100 && !process_reap(&worker->process); tries++)
			poll(NULL, 0, 10);
		if (worker->process.pid == 0)
			note_recovered(worker, pid);
	}
	process_finish(&worker->process);
	pass_messages_finish(worker);
}

void pass_finish(struct pass *pass)
{
	for (size_t i = 0; i < pass->workers_len; i++)
		worker_finish(&pass->workers[i]);
	free(pass->workers);
	free(pass->reason);
	*pass = (struct pass){ 0 };
}
