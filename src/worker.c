/* SPDX-License-Identifier: MIT
 * The worker process: describes a module, probes it, or runs one case of it. */
#include "worker.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cpu.h"
#include "json.h"
#include "loader.h"
#include "loop.h"
#include "mem.h"
#include "value.h"
#include "wire.h"
#include "worker_host.h"

struct request {
	json_t *root;
	const char *verb, *module, *path, *directory, *store; /* borrowed from root */
	uint32_t instance, instances;
	int cpu;
	uint64_t duration_ns, warmup_ns;
	bool hold;     /* the warm-up goes on until COMMAND_MEASURE */
	bool endless;
};

struct worker {
	struct request request;
	struct loaded loaded;
	struct module_info info;
	struct value *values;
	struct shared *shared;
	struct worker_host host;
	void *config, *state;
};

/* What the timed part began or ended with. */
struct mark {
	uint64_t time_ns;
	uint64_t counters[BB_COUNTERS_MAX];
	struct rusage usage;
	struct cpu_snapshot cpu;
};

static void on_terminate(int signal_number)
{
	(void)signal_number;
	worker_host_terminate();
}

static void set_signals(void)
{
	struct sigaction action = { .sa_handler = on_terminate }; /* no SA_RESTART: a call that waits ends */
	sigset_t none;

	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* Ctrl-C goes to the whole group of the terminal: the workbench decides what it means. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static const char *get_string(const json_t *root, const char *key, const char *otherwise)
{
	const char *value = json_string_value(json_object_get(root, key));

	return value ? value : otherwise;
}

static uint64_t get_number(const json_t *root, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(root, key));
}

static int request_read(struct request *request)
{
	char *packet;
	ssize_t length = wire_receive(WORKER_SOCKET_FD, true, &packet);

	if (length <= 0)
		return -EPIPE;
	request->root = json_loadb(packet, (size_t)length, JSON_REJECT_DUPLICATES, NULL);
	free(packet);
	if (!json_is_object(request->root))
		return -EPROTO;
	const json_t *root = request->root;
	request->verb = get_string(root, "do", "");
	request->module = get_string(root, "module", "");
	request->path = get_string(root, "path", "");
	request->directory = get_string(root, "root", "");
	request->store = get_string(root, "store", NULL);
	request->instance = (uint32_t)get_number(root, "instance");
	request->instances = (uint32_t)get_number(root, "instances");
	request->cpu = (int)json_integer_value(json_object_get(root, "cpu"));
	request->duration_ns = get_number(root, "duration_ns");
	request->warmup_ns = get_number(root, "warmup_ns");
	request->hold = json_is_true(json_object_get(root, "hold"));
	request->endless = json_is_true(json_object_get(root, "endless"));
	return 0;
}

static void send_text(struct text *text)
{
	wire_send_text(WORKER_SOCKET_FD, text);
	text_finish(text);
}

static void send_state(const char *state)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	json_put_string(&text, "type", "state");
	json_put_string(&text, "state", state);
	json_put_object_end(&text);
	send_text(&text);
}

static void send_failure(const char *stage, const struct error *error)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	json_put_string(&text, "type", "fail");
	json_put_string(&text, "stage", stage);
	json_put_int(&text, "code", error->code);
	json_put_string(&text, "text", error->text);
	json_put_object_end(&text);
	send_text(&text);
}

/* Values given, else the defaults; one without either (an offered parameter) is empty text. */
static int configure(struct worker *worker, struct error *error)
{
	const json_t *given = json_object_get(worker->request.root, "parameters");

	worker->values = mem_zalloc(worker->info.params_len + 1, sizeof(*worker->values));
	for (size_t i = 0; i < worker->info.params_len; i++) {
		const struct param *param = &worker->info.params[i];
		const char *text = get_string(given, param->name, param->initial);
		int result = value_parse(param, text, &worker->values[i], error);
		if (result < 0 && (param->type == BB_TEXT || param->type == BB_PATH) && !text[0]) {
			worker->values[i] = (struct value){ .type = param->type, .text = mem_strdup("") };
			*error = (struct error){ 0 };
		} else if (result < 0) {
			return result;
		}
		value_store(param, &worker->values[i], worker->config);
	}
	return 0;
}

static int worker_load(struct worker *worker, struct error *error)
{
	int result = loader_open(worker->request.path, worker->request.module, &worker->loaded, error);

	if (result < 0)
		return result;
	loader_describe(&worker->loaded, worker->request.path, &worker->info);
	const struct bb_module *module = &worker->loaded.module;
	size_t state_size = (module->state_size + 63) / 64 * 64 + 64;
	worker->config = mem_zalloc(1, module->config_size + 1);
	if (posix_memalign(&worker->state, 64, state_size))
		return error_set(error, ENOMEM, "no memory for the state of %s", module->name);
	memset(worker->state, 0, state_size);
	return configure(worker, error);
}

static void worker_unload(struct worker *worker)
{
	for (size_t i = 0; worker->values && i < worker->info.params_len; i++)
		value_finish(&worker->values[i]);
	free(worker->values);
	module_info_finish(&worker->info);
	free(worker->config);
	free(worker->state);
	loader_close(&worker->loaded);
	shared_unmap(worker->shared);
	json_decref(worker->request.root);
}

static int describe(struct worker *worker)
{
	struct error error = { 0 };

	if (loader_open(worker->request.path, worker->request.module, &worker->loaded, &error) < 0) {
		send_failure("load", &error);
		return 1;
	}
	loader_describe(&worker->loaded, worker->request.path, &worker->info);
	_autofree_ char *json = module_info_to_json(&worker->info);
	struct text text = { 0 };
	text_add(&text, "{\"type\":\"info\",\"info\":%s}", json);
	send_text(&text);
	return 0;
}

static void prepare_context(struct worker *worker, struct undo *undo)
{
	worker_host_init(&worker->host, &worker->info, WORKER_SOCKET_FD, worker->shared, undo);
	struct bb_context *context = &worker->host.context;
	context->config = worker->config;
	context->state = worker->state;
	context->root = worker->request.directory;
	context->instance = worker->request.instance;
	context->instances = worker->request.instances ? worker->request.instances : 1;
	context->cpu = worker->request.cpu;
}

/* A failure that the module did not put into words. */
static void complete_failure(struct worker *worker, int result, const char *call)
{
	if (result < 0 && !worker->host.failure.code)
		error_set(&worker->host.failure, -result, "%s: %s() failed: %s", worker->info.name, call,
			strerror(-result));
}

static int call_probe(struct worker *worker)
{
	const struct bb_module *module = &worker->loaded.module;

	if ((module->flags & BB_NEEDS_ROOT) && geteuid() != 0) {
		error_set(&worker->host.failure, EACCES, "needs root: run boardbench as root");
		return -EACCES;
	}
	int result = module->probe ? module->probe(&worker->host.context) : 0;
	complete_failure(worker, result, "probe");
	return result;
}

static int probe(struct worker *worker)
{
	struct error error = { 0 };

	if (worker_load(worker, &error) < 0) {
		send_failure("load", &error);
		return 1;
	}
	prepare_context(worker, NULL);
	if (call_probe(worker) < 0) {
		send_failure("probe", &worker->host.failure);
		return 1;
	}
	worker_host_finish(&worker->host);
	send_state("ready");
	return 0;
}

static void pin(struct worker *worker)
{
	cpu_set_t set;

	if (worker->request.cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((unsigned)worker->request.cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		bb_suspect(&worker->host.context, "not pinned to CPU %d: %s", worker->request.cpu,
			strerror(errno));
}

static uint32_t command(const struct worker *worker)
{
	return atomic_load_explicit(&worker->shared->command, memory_order_relaxed);
}

/* Wait for COMMAND_BEGIN, then for the moment at which all instances begin. */
static bool wait_for_begin(struct worker *worker)
{
	while (command(worker) < COMMAND_BEGIN) {
		struct pollfd poll_fd = { .fd = WORKER_SOCKET_FD, .events = POLLIN };
		char *packet;
		if (worker_host_stopping(&worker->host))
			return false;
		if (poll(&poll_fd, 1, -1) < 0)
			continue;
		if (wire_receive(WORKER_SOCKET_FD, false, &packet) == 0)
			return false; /* the workbench is gone */
		free(packet);
	}
	uint64_t begin = counter_get(&worker->shared->begin_ns);
	struct timespec at = { (time_t)(begin / 1000000000u), (long)(begin % 1000000000u) };
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		if (worker_host_stopping(&worker->host))
			return false;
	return !worker_host_stopping(&worker->host);
}

static int step(struct worker *worker)
{
	int result = worker->loaded.module.step(&worker->host.context);

	counter_add(&worker->shared->steps, 1);
	complete_failure(worker, result, "step");
	return result;
}

static int warm_up(struct worker *worker)
{
	struct bb_context *context = &worker->host.context;
	uint64_t until = clock_now() + worker->request.warmup_ns;
	int result = 0;

	if (!worker->request.warmup_ns && !worker->request.hold)
		return 0;
	send_state("warming");
	context->warming = context->endless = true;
	while (result >= 0 && !worker_host_stopping(&worker->host)) {
		if (clock_now() >= until && (!worker->request.hold || command(worker) >= COMMAND_MEASURE))
			break;
		result = step(worker);
	}
	context->warming = false;
	shared_clear(worker->shared);
	return result < 0 ? result : 0;
}

static void mark_counters(const struct worker *worker, struct mark *mark)
{
	for (size_t i = 0; i < BB_COUNTERS_MAX; i++)
		mark->counters[i] = counter_get(&worker->shared->counters[i]);
	getrusage(RUSAGE_SELF, &mark->usage);
}

/* The clock is read last before and first after the work: /proc/stat takes tens of microseconds. */
static int measure(struct worker *worker, struct mark *before, struct mark *after)
{
	struct bb_context *context = &worker->host.context;
	const struct request *request = &worker->request;
	int result = 0;

	context->endless = request->endless || request->duration_ns;
	send_state("measuring");
	cpu_read("", &before->cpu, NULL);
	mark_counters(worker, before);
	before->time_ns = clock_now();
	uint64_t until = request->duration_ns ? before->time_ns + request->duration_ns : UINT64_MAX;
	do {
		if (worker_host_stopping(&worker->host)) {
			result = -ECANCELED;
			break;
		}
		context->ending = clock_now() >= until || command(worker) >= COMMAND_FINISH;
		result = step(worker);
	} while (result == BB_GO_ON && !context->ending);
	after->time_ns = clock_now();
	mark_counters(worker, after);
	cpu_read("", &after->cpu, NULL);
	return result;
}

static void add_times(struct text *text, const struct cpu_times *times)
{
	json_put_array(text, NULL);
	for (size_t i = 0; i < CPU_FIELDS; i++)
		json_put_uint(text, NULL, times->ticks[i]);
	json_put_array_end(text);
}

static void add_cpu(struct text *text, const char *key, const struct cpu_snapshot *cpu)
{
	json_put_array(text, key);
	json_put_uint(text, NULL, cpu->time_ns);
	add_times(text, &cpu->total);
	for (uint32_t i = 0; i < cpu->cpus_len; i++) {
		if (cpu->cpus[i].online)
			add_times(text, &cpu->cpus[i]);
		else
			json_put_null(text, NULL);
	}
	json_put_array_end(text);
}

static double cpu_seconds(const struct rusage *usage)
{
	return (double)usage->ru_utime.tv_sec + (double)usage->ru_stime.tv_sec +
		((double)usage->ru_utime.tv_usec + (double)usage->ru_stime.tv_usec) / 1e6;
}

static void send_measured(const struct mark *before, const struct mark *after, int result)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	json_put_string(&text, "type", "measured");
	json_put_bool(&text, "finished", result >= 0);
	json_put_bool(&text, "cancelled", result == -ECANCELED);
	json_put_uint(&text, "begin_ns", before->time_ns);
	json_put_uint(&text, "end_ns", after->time_ns);
	json_put_array(&text, "counters");
	for (size_t i = 0; i < BB_COUNTERS_MAX; i++)
		json_put_uint(&text, NULL, after->counters[i] - before->counters[i]);
	json_put_array_end(&text);
	json_put_double(&text, "cpu_s", cpu_seconds(&after->usage) - cpu_seconds(&before->usage));
	add_cpu(&text, "cpu_before", &before->cpu);
	add_cpu(&text, "cpu_after", &after->cpu);
	json_put_object_end(&text);
	send_text(&text);
}

static int run_prepared(struct worker *worker)
{
	struct mark *marks = mem_zalloc(2, sizeof(*marks));
	int result = 0;

	send_state("prepared");
	if (!wait_for_begin(worker))
		result = -ECANCELED;
	if (result == 0)
		result = warm_up(worker);
	if (result == 0) {
		result = worker_host_stopping(&worker->host) ? -ECANCELED :
			measure(worker, &marks[0], &marks[1]);
		if (marks[1].time_ns)
			send_measured(&marks[0], &marks[1], result);
	}
	free(marks);
	return result;
}

static int run_case(struct worker *worker)
{
	const struct bb_module *module = &worker->loaded.module;
	struct bb_context *context = &worker->host.context;
	int result = call_probe(worker);

	if (result < 0) {
		send_failure("probe", &worker->host.failure);
		return result;
	}
	send_state("probed");
	result = module->prepare ? module->prepare(context) : 0;
	complete_failure(worker, result, "prepare");
	if (result == 0)
		result = run_prepared(worker);
	send_state("cleaning");
	if (module->cleanup)
		module->cleanup(context);
	/* A case that was stopped fails with EINTR and the like as a matter of course. */
	if (result < 0 && !worker_host_stopping(&worker->host))
		send_failure("run", &worker->host.failure);
	return result;
}

static int run(struct worker *worker)
{
	struct error error = { 0 };

	worker->shared = shared_map(WORKER_SHARED_FD);
	if (!worker->shared)
		error_set(&error, errno, "cannot map shared memory: %s", strerror(errno));
	if (error.code || worker_load(worker, &error) < 0) {
		send_failure("load", &error);
		return 1;
	}
	struct undo *undo = undo_open(worker->request.store);
	prepare_context(worker, undo);
	pin(worker);
	int result = run_case(worker);
	if (undo_revert(undo, &error) < 0)
		bb_suspect(&worker->host.context, "not put back: %s", error.text);
	undo_close(undo);
	worker_host_finish(&worker->host);
	send_state("done");
	return result < 0 ? 1 : 0;
}

int worker_main(void)
{
	struct worker *worker = mem_zalloc(1, sizeof(*worker));
	int status = 2;

	set_signals();
	if (request_read(&worker->request) == 0) {
		if (!strcmp(worker->request.verb, "describe"))
			status = describe(worker);
		else if (!strcmp(worker->request.verb, "probe"))
			status = probe(worker);
		else if (!strcmp(worker->request.verb, "run"))
			status = run(worker);
	}
	worker_unload(worker);
	free(worker);
	return status;
}
