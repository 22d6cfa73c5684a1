/* SPDX-License-Identifier: MIT
 * Messages of workers into struct pass_worker; nothing in them is trusted. */
#include "pass_messages.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"
#include "wire.h"

#define TEXTS_MAX 64

static void add_text(char ***texts, size_t *len, const char *text)
{
	if (!text || *len >= TEXTS_MAX)
		return;
	for (size_t i = 0; i < *len; i++)
		if (!strcmp((*texts)[i], text))
			return;
	*texts = mem_grow(*texts, *len + 2, sizeof(**texts));
	(*texts)[(*len)++] = mem_strdup(text);
	(*texts)[*len] = NULL;
}

void pass_messages_note(struct pass_worker *worker, const char *text)
{
	add_text(&worker->notes, &worker->notes_len, text);
}

static void take_state(struct pass_worker *worker, const char *name)
{
	static const struct { const char *name; enum run_state state; } states[] = {
		{ "prepared", RUN_PREPARED }, { "warming", RUN_WARMING }, { "measuring", RUN_MEASURING },
		{ "cleaning", RUN_CLEANING },
	};

	worker->probed = true; /* every state comes after the probe */
	if (!strcmp(name, "measuring"))
		worker->begun = true;
	if (!strcmp(name, "done") && worker->state == RUN_CLEANING)
		settings_set(&worker->facts, "done", "yes");
	for (size_t i = 0; i < ARRAY_LEN(states); i++)
		if (!strcmp(states[i].name, name) && states[i].state > worker->state &&
			worker->state < RUN_DONE)
			worker->state = states[i].state;
}

bool pass_messages_done(const struct pass_worker *worker)
{
	return settings_get(&worker->facts, "done") != NULL;
}

static void take_times(const json_t *array, struct cpu_times *times)
{
	times->online = json_array_size(array) == CPU_FIELDS;
	for (size_t i = 0; times->online && i < CPU_FIELDS; i++)
		times->ticks[i] = (uint64_t)json_integer_value(json_array_get(array, i));
}

static void take_cpu(const json_t *array, struct cpu_snapshot *cpu)
{
	size_t size = json_array_size(array);

	if (size < 2)
		return;
	cpu->time_ns = (uint64_t)json_integer_value(json_array_get(array, 0));
	take_times(json_array_get(array, 1), &cpu->total);
	for (size_t i = 2; i < size && i - 2 < CPU_MAX; i++) {
		take_times(json_array_get(array, i), &cpu->cpus[i - 2]);
		cpu->cpus_len = (uint32_t)(i - 1);
	}
}

void pass_messages_copy_gauges(struct pass_worker *worker)
{
	const struct shared *shared = worker->process.shared;

	if (!shared)
		return;
	worker->measured.gauges_set = atomic_load(&worker->process.shared->gauges_set);
	for (size_t i = 0; i < BB_GAUGES_MAX; i++)
		worker->measured.gauges[i] = counter_get_double(&shared->gauges[i]);
}

static void take_measured(struct pass_worker *worker, const json_t *message)
{
	struct measured *measured = &worker->measured;
	const json_t *counters = json_object_get(message, "counters");

	if (worker->is_load || measured->known)
		return; /* of a load the workbench reads the counters itself */
	measured->begin_ns = (uint64_t)json_integer_value(json_object_get(message, "begin_ns"));
	measured->end_ns = (uint64_t)json_integer_value(json_object_get(message, "end_ns"));
	if (measured->end_ns <= measured->begin_ns)
		return;
	measured->known = true;
	measured->finished = json_is_true(json_object_get(message, "finished"));
	measured->cancelled = json_is_true(json_object_get(message, "cancelled"));
	measured->cpu_s = json_number_value(json_object_get(message, "cpu_s"));
	for (size_t i = 0; i < BB_COUNTERS_MAX; i++)
		measured->counters[i] = (uint64_t)json_integer_value(json_array_get(counters, i));
	measured->cpu = mem_zalloc(2, sizeof(*measured->cpu));
	take_cpu(json_object_get(message, "cpu_before"), &measured->cpu[0]);
	take_cpu(json_object_get(message, "cpu_after"), &measured->cpu[1]);
	pass_messages_copy_gauges(worker);
	if (worker->state < RUN_CLEANING)
		worker->state = RUN_CLEANING;
}

static void take_failure(struct pass_worker *worker, const json_t *message)
{
	const char *text = json_string_value(json_object_get(message, "text"));
	const char *stage = json_string_value(json_object_get(message, "stage"));
	int code = (int)json_integer_value(json_object_get(message, "code"));

	error_set(&worker->failure, code > 0 ? code : EIO, "%s", text && text[0] ? text : "failed");
	worker->refused = stage && (!strcmp(stage, "probe") || !strcmp(stage, "load"));
}

static void take(struct pass_worker *worker, const json_t *message)
{
	const char *type = json_string_value(json_object_get(message, "type"));
	const char *text = json_string_value(json_object_get(message, "text"));
	const char *name = json_string_value(json_object_get(message, "name"));
	const char *value = json_string_value(json_object_get(message, "value"));
	const char *state = json_string_value(json_object_get(message, "state"));

	if (!type)
		return;
	if (!strcmp(type, "state") && state)
		take_state(worker, state);
	else if (!strcmp(type, "note"))
		add_text(&worker->notes, &worker->notes_len, text);
	else if (!strcmp(type, "suspect"))
		add_text(&worker->suspects, &worker->suspects_len, text);
	else if (!strcmp(type, "actual") && name && value)
		settings_set(&worker->actual, name, value);
	else if (!strcmp(type, "fact") && name && value && strcmp(name, "done"))
		settings_set(&worker->facts, name, value);
	else if (!strcmp(type, "fail"))
		take_failure(worker, message);
	else if (!strcmp(type, "measured"))
		take_measured(worker, message);
}

bool pass_messages_read(struct pass_worker *worker)
{
	for (int i = 0; i < 50; i++) {
		char *packet;
		ssize_t length = wire_receive(worker->process.socket, false, &packet);
		if (length == -EAGAIN)
			return true;
		if (length <= 0)
			return false;
		json_t *message = json_loadb(packet, (size_t)length, 0, NULL);
		free(packet);
		if (json_is_object(message))
			take(worker, message);
		json_decref(message);
	}
	return true;
}

static void take_line(struct pass_worker *worker)
{
	char *line = worker->output.data ? text_trim(worker->output.data) : NULL;

	if (line && line[0] && worker->output_lines++ < PASS_OUTPUT_LINES) {
		_autofree_ char *note = text_printf("%s printed: %.200s", worker->subsystem->module, line);
		pass_messages_note(worker, note);
	}
	text_clear(&worker->output);
}

bool pass_output_read(struct pass_worker *worker)
{
	char bytes[4096];

	/* One read a call: a module that floods does not keep the loop. */
	ssize_t length = read(worker->process.output, bytes, sizeof(bytes));
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return worker->process.pid > 0;
	for (ssize_t i = 0; i < length; i++) {
		if (bytes[i] == '\n')
			take_line(worker);
		else if (worker->output.length < 300 && bytes[i] >= ' ')
			text_add_bytes(&worker->output, &bytes[i], 1);
	}
	if (length > 0)
		return true;
	take_line(worker);
	return false;
}

static void texts_finish(char **texts)
{
	for (size_t i = 0; texts && texts[i]; i++)
		free(texts[i]);
	free(texts);
}

void pass_messages_finish(struct pass_worker *worker)
{
	if (worker->output_lines > PASS_OUTPUT_LINES)
		worker->output_lines = 0;
	settings_finish(&worker->actual);
	settings_finish(&worker->facts);
	texts_finish(worker->notes);
	texts_finish(worker->suspects);
	text_finish(&worker->output);
	free(worker->measured.cpu);
}
