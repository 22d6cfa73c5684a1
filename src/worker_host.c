/* SPDX-License-Identifier: MIT
 * Host services of a worker: what a module counts goes to shared memory, what it says to the socket. */
#include "worker_host.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "loop.h"
#include "wire.h"

static volatile sig_atomic_t terminated; /* a signal handler has nothing else to write to */

void worker_host_terminate(void)
{
	terminated = 1;
	/* Nobody may be left to kill a step that hangs: the workbench itself may be gone. */
	alarm(WORKER_GRACE_S);
}

static struct worker_host *host_of(struct bb_context *context)
{
	return (struct worker_host *)context;
}

bool worker_host_stopping(const struct worker_host *host)
{
	return terminated || (host->shared &&
		atomic_load_explicit(&host->shared->command, memory_order_relaxed) >= COMMAND_STOP);
}

static uint64_t host_now(struct bb_context *context)
{
	(void)context;
	return clock_now();
}

static void host_count(struct bb_context *context, uint32_t counter, uint64_t amount)
{
	struct shared *shared = host_of(context)->shared;

	if (shared && counter < BB_COUNTERS_MAX)
		counter_add(&shared->counters[counter], amount);
}

static void host_sample(struct bb_context *context, uint32_t histogram, uint64_t value)
{
	struct shared *shared = host_of(context)->shared;

	if (shared && histogram < BB_HISTOGRAMS_MAX && !context->warming)
		shared_record(&shared->histograms[histogram], value);
}

static void host_gauge(struct bb_context *context, uint32_t gauge, double value)
{
	struct shared *shared = host_of(context)->shared;

	if (!shared || gauge >= BB_GAUGES_MAX)
		return;
	counter_set_double(&shared->gauges[gauge], value);
	uint32_t set = atomic_load_explicit(&shared->gauges_set, memory_order_relaxed);
	atomic_store_explicit(&shared->gauges_set, set | 1u << gauge, memory_order_release);
}

static void host_phase(struct bb_context *context, const char *name)
{
	struct shared *shared = host_of(context)->shared;

	if (shared)
		snprintf(shared->phase, sizeof(shared->phase), "%s", name ? name : "");
}

static void host_progress(struct bb_context *context, double fraction)
{
	struct shared *shared = host_of(context)->shared;

	if (shared && !context->warming)
		counter_set_double(&shared->progress, fraction);
}

static void send_pair(struct worker_host *host, const char *type, const char *first_key,
	const char *first, const char *second_key, const char *second)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	json_put_string(&text, "type", type);
	json_put_string(&text, first_key, first);
	if (second_key)
		json_put_string(&text, second_key, second);
	json_put_object_end(&text);
	wire_send_text(host->socket, &text);
	text_finish(&text);
}

static void host_actual(struct bb_context *context, uint32_t param, const char *value)
{
	struct worker_host *host = host_of(context);

	if (param < host->info->params_len && value && host->facts++ < HOST_NOTES_MAX)
		send_pair(host, "actual", "name", host->info->params[param].name, "value", value);
}

static void host_fact(struct bb_context *context, const char *key, const char *value)
{
	struct worker_host *host = host_of(context);

	if (key && value && host->facts++ < HOST_NOTES_MAX)
		send_pair(host, "fact", "name", key, "value", value);
}

/* Sleeping in the poll keeps the socket in view, so that a stop ends the wait at once. */
static int host_wait(struct bb_context *context, int fd, uint64_t until_ns)
{
	struct worker_host *host = host_of(context);
	struct pollfd polls[2] = { { .fd = host->socket, .events = POLLIN },
		{ .fd = fd, .events = POLLIN } };

	for (;;) {
		uint64_t now = clock_now();
		if (worker_host_stopping(host))
			return -EINTR;
		uint64_t left = now >= until_ns ? 0 : until_ns - now;
		struct timespec timeout = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };
		int ready = ppoll(polls, fd >= 0 ? 2 : 1, &timeout, NULL);
		if (ready < 0 && errno != EINTR)
			return -errno;
		if (ready > 0 && fd >= 0 && polls[1].revents)
			return 1;
		if (ready > 0 && (polls[0].revents & (POLLHUP | POLLERR)))
			return -EINTR; /* the workbench is gone */
		if (ready > 0 && polls[0].revents) {
			char *packet;
			if (wire_receive(host->socket, false, &packet) > 0)
				free(packet);
		}
		if (left == 0 && ready == 0)
			return 0;
	}
}

__attribute__((format(printf, 3, 0)))
static void say(struct worker_host *host, const char *type, const char *format, va_list arguments)
{
	char line[512];

	if (host->notes++ >= HOST_NOTES_MAX && strcmp(type, "suspect")) {
		host->dropped++;
		return;
	}
	vsnprintf(line, sizeof(line), format, arguments);
	send_pair(host, type, "text", line, NULL, NULL);
}

__attribute__((format(printf, 2, 3)))
static void host_note(struct bb_context *context, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(host_of(context), "note", format, arguments);
	va_end(arguments);
}

__attribute__((format(printf, 2, 3)))
static void host_suspect(struct bb_context *context, const char *format, ...)
{
	struct worker_host *host = host_of(context);
	va_list arguments;

	if (host->notes > 2 * HOST_NOTES_MAX) {
		host->dropped++;
		return;
	}
	va_start(arguments, format);
	say(host, "suspect", format, arguments);
	va_end(arguments);
}

__attribute__((format(printf, 3, 4)))
static int host_fail(struct bb_context *context, int code, const char *format, ...)
{
	struct worker_host *host = host_of(context);
	char line[sizeof(host->failure.text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	error_set(&host->failure, code > 0 ? code : EIO, "%s", line);
	return code > 0 ? -code : -EIO;
}

static void host_offer(struct bb_context *context, uint32_t param, const char *value,
	const char *description, uint32_t state)
{
	struct worker_host *host = host_of(context);
	struct text text = { 0 };

	if (param >= host->info->params_len || !value || host->offers++ >= 256)
		return;
	json_put_object(&text, NULL);
	json_put_string(&text, "type", "offer");
	json_put_uint(&text, "param", param);
	json_put_string(&text, "value", value);
	json_put_string(&text, "description", description ? description : "");
	json_put_bool(&text, "usable", state == BB_OFFER_READY);
	json_put_object_end(&text);
	wire_send_text(host->socket, &text);
	text_finish(&text);
}

static int host_change(struct bb_context *context, uint32_t kind, const char *path, const char *text)
{
	struct worker_host *host = host_of(context);
	struct error error = { 0 };

	if (!host->undo)
		return host_fail(context, EPERM, "a probe may not change anything");
	int result = undo_change(host->undo, (enum bb_change_kind)kind, path, text, &error);
	if (result < 0)
		host_fail(context, error.code, "%s", error.text);
	return result;
}

void worker_host_init(struct worker_host *host, const struct module_info *info, int socket,
	struct shared *shared, struct undo *undo)
{
	*host = (struct worker_host){ .info = info, .socket = socket, .shared = shared, .undo = undo };
	host->table = (struct bb_host){
		.struct_size = sizeof(host->table),
		.now = host_now, .count = host_count, .sample = host_sample, .gauge = host_gauge,
		.phase = host_phase, .progress = host_progress, .actual = host_actual, .wait = host_wait,
		.note = host_note, .suspect = host_suspect, .fail = host_fail, .fact = host_fact,
		.offer = host_offer, .change = host_change,
	};
	host->context.host = &host->table;
}

void worker_host_finish(struct worker_host *host)
{
	char line[64];

	if (!host->dropped)
		return;
	snprintf(line, sizeof(line), "%lu more notes of the module were dropped", host->dropped);
	send_pair(host, "note", "text", line, NULL, NULL);
}
