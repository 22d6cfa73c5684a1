/* SPDX-License-Identifier: MIT
 * Finds modules and asks workers what they are and whether they can run here. */
#include "catalog.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "config.h"
#include "json.h"
#include "loader.h"
#include "loop.h"
#include "mem.h"
#include "process.h"
#include "wire.h"

#define ANSWER_NS UINT64_C(5000000000)

struct question {
	struct process process;
	struct module_info *module;
};

static int compare_modules(const void *a, const void *b)
{
	return strcmp(((const struct module_info *)a)->name, ((const struct module_info *)b)->name);
}

const struct module_info *catalog_find(const struct catalog *catalog, const char *name)
{
	for (size_t i = 0; i < catalog->len; i++)
		if (!strcmp(catalog->modules[i].name, name))
			return &catalog->modules[i];
	return NULL;
}

static void add_found(struct catalog *catalog, char *name, char *path)
{
	if (catalog_find(catalog, name)) { /* an earlier directory wins */
		free(name);
		free(path);
		return;
	}
	catalog->modules = mem_grow(catalog->modules, catalog->len + 1, sizeof(*catalog->modules));
	catalog->modules[catalog->len++] = (struct module_info){ .name = name, .path = path };
}

static void find_in(struct catalog *catalog, const char *directory)
{
	DIR *stream = opendir(directory);

	if (!stream)
		return;
	for (const struct dirent *entry; (entry = readdir(stream));) {
		size_t length = strlen(entry->d_name);
		if (length > 3 && !strcmp(entry->d_name + length - 3, ".so"))
			add_found(catalog, mem_strndup(entry->d_name, length - 3),
				text_printf("%s/%s", directory, entry->d_name));
	}
	closedir(stream);
}

static void find_all(struct catalog *catalog)
{
	_autofree_ char *list = mem_strdup(getenv("BOARDBENCH_MODULE_PATH"));
	char *rest = NULL;

	for (char *directory = list ? strtok_r(list, ":", &rest) : NULL; directory;
		directory = strtok_r(NULL, ":", &rest))
		find_in(catalog, directory);
	for (unsigned i = 0; i < builtin_modules_len; i++)
		add_found(catalog, mem_strdup(builtin_modules[i]->name), mem_strdup(""));
	find_in(catalog, BB_MODULE_DIR);
}

static void ask(struct question *question, const char *verb, const struct settings *parameters,
	const struct module_info *module, const char *root, struct error *error)
{
	struct text text = { 0 };

	json_put_object(&text, NULL);
	json_put_string(&text, "do", verb);
	json_put_string(&text, "module", module->name);
	json_put_string(&text, "path", module->path);
	json_put_string(&text, "root", root);
	json_put_int(&text, "cpu", -1);
	json_put_object(&text, "parameters");
	for (size_t i = 0; parameters && i < parameters->len; i++)
		if (module_info_find_param(module, parameters->items[i].name) >= 0)
			json_put_string(&text, parameters->items[i].name, parameters->items[i].text);
	json_put_object_end(&text);
	json_put_object_end(&text);
	process_start(&question->process, text.data, text.length, false, error);
	text_finish(&text);
}

/* Wait for its end, in steps of a millisecond. */
static bool await_end(struct process *process, int milliseconds)
{
	while (!process_reap(process) && milliseconds-- > 0)
		poll(NULL, 0, 1);
	return process->pid == 0;
}

/* A worker that has answered ends by itself at once; one that does not is no loss. */
static void dismiss(struct process *process, bool answered)
{
	if (process->pid > 0 && !(answered && await_end(process, 200))) {
		process_kill(process, SIGKILL);
		await_end(process, 1000); /* one stuck in the kernel is left behind */
	}
	process_finish(process);
}

/* Next packet before the deadline as JSON: NULL at the end or when it is late. *late tells which. */
static json_t *next_answer(struct process *process, uint64_t deadline, bool *late)
{
	char *packet = NULL;

	*late = false;
	for (;;) {
		uint64_t now = clock_now();
		struct pollfd poll_fd = { .fd = process->socket, .events = POLLIN };
		int left = now < deadline ? (int)((deadline - now) / 1000000 + 1) : 0;
		int ready = poll(&poll_fd, 1, left);
		if (ready == 0) {
			*late = true;
			return NULL;
		}
		ssize_t length = ready < 0 ? -EAGAIN : wire_receive(process->socket, false, &packet);
		if (length == -EAGAIN)
			continue;
		if (length <= 0)
			return NULL;
		json_t *answer = json_loadb(packet, (size_t)length, 0, NULL);
		free(packet);
		return answer;
	}
}

static char *end_reason(struct process *process, bool late)
{
	if (late)
		return text_printf("did not answer within 5 s and was stopped");
	await_end(process, 1000);
	_autofree_ char *end = process_end_text(process);
	return text_printf("its worker %s", end);
}

static void take_description(struct question *question, uint64_t deadline)
{
	struct module_info *module = question->module;
	bool late;
	json_t *answer = next_answer(&question->process, deadline, &late);
	json_t *info = json_object_get(answer, "info");
	const char *failure = json_string_value(json_object_get(answer, "text"));
	struct error error = { 0 };

	if (info) {
		char *json = json_dumps(info, JSON_COMPACT);
		struct module_info described = { 0 };
		if (module_info_from_json(json, strlen(json), &described, &error) == 0) {
			free(described.path);
			described.path = module->path;
			free(module->name);
			*module = described;
		} else {
			module->problem = mem_strdup(error.text);
		}
		free(json);
	} else {
		module->problem = failure ? mem_strdup(failure) : end_reason(&question->process, late);
	}
	json_decref(answer);
	dismiss(&question->process, answer != NULL);
}

void catalog_load(struct catalog *catalog)
{
	*catalog = (struct catalog){ 0 };
	find_all(catalog);
	if (catalog->len == 0)
		return;
	qsort(catalog->modules, catalog->len, sizeof(*catalog->modules), compare_modules);
	struct question *questions = mem_zalloc(catalog->len, sizeof(*questions));
	for (size_t i = 0; i < catalog->len; i++) {
		struct error error = { 0 };
		questions[i].module = &catalog->modules[i];
		ask(&questions[i], "describe", NULL, &catalog->modules[i], "", &error);
		if (error.code)
			catalog->modules[i].problem = mem_strdup(error.text);
	}
	uint64_t deadline = clock_now() + ANSWER_NS;
	for (size_t i = 0; i < catalog->len; i++)
		if (!catalog->modules[i].problem)
			take_description(&questions[i], deadline);
	free(questions);
}

void catalog_finish(struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->len; i++)
		module_info_finish(&catalog->modules[i]);
	free(catalog->modules);
	*catalog = (struct catalog){ 0 };
}

static void clear_offers(struct subsystem *subsystem)
{
	for (size_t i = 0; subsystem->info && subsystem->offers && i < subsystem->info->params_len; i++) {
		for (size_t j = 0; j < subsystem->offers_len[i]; j++) {
			free(subsystem->offers[i][j].value);
			free(subsystem->offers[i][j].description);
		}
		free(subsystem->offers[i]);
	}
	free(subsystem->offers);
	free(subsystem->offers_len);
	subsystem->offers = NULL;
	subsystem->offers_len = NULL;
}

static void set_state(struct subsystem *subsystem, enum subsystem_state state, char *reason)
{
	free(subsystem->reason);
	subsystem->state = state;
	subsystem->reason = reason;
}

void catalog_attach(const struct catalog *catalog, struct board *board)
{
	for (size_t i = 0; i < board->subsystems_len; i++) {
		struct subsystem *subsystem = &board->subsystems[i];
		const struct module_info *info = catalog_find(catalog, subsystem->module);
		clear_offers(subsystem);
		subsystem->info = info && !info->problem ? info : NULL;
		if (!info)
			set_state(subsystem, SUBSYSTEM_ABSENT,
				text_printf("module \"%s\" is not built or not installed", subsystem->module));
		else if (info->problem)
			set_state(subsystem, SUBSYSTEM_ABSENT, mem_strdup(info->problem));
	}
}

static void add_offer(struct subsystem *subsystem, const json_t *answer)
{
	size_t param = (size_t)json_integer_value(json_object_get(answer, "param"));
	const char *value = json_string_value(json_object_get(answer, "value"));
	const char *description = json_string_value(json_object_get(answer, "description"));

	if (param >= subsystem->info->params_len || !value)
		return;
	size_t *len = &subsystem->offers_len[param];
	subsystem->offers[param] = mem_grow(subsystem->offers[param], *len + 1, sizeof(struct offer));
	subsystem->offers[param][(*len)++] = (struct offer){ .value = mem_strdup(value),
		.description = mem_strdup(description ? description : ""),
		.usable = json_is_true(json_object_get(answer, "usable")) };
}

/* true: that was the last answer. */
static bool take_probe_answer(struct subsystem *subsystem, const json_t *answer)
{
	const char *type = json_string_value(json_object_get(answer, "type"));
	const char *text = json_string_value(json_object_get(answer, "text"));

	if (!type)
		return false;
	if (!strcmp(type, "offer"))
		add_offer(subsystem, answer);
	if (!strcmp(type, "fail")) {
		int code = (int)json_integer_value(json_object_get(answer, "code"));
		set_state(subsystem, code == ENODEV || code == ENOENT ? SUBSYSTEM_ABSENT : SUBSYSTEM_NEEDS,
			mem_strdup(text ? text : "the probe failed"));
		return true;
	}
	if (!strcmp(type, "state")) {
		set_state(subsystem, SUBSYSTEM_READY, NULL);
		return true;
	}
	return false;
}

void catalog_probe(struct subsystem *subsystem, const char *root)
{
	struct question question = { 0 };
	struct error error = { 0 };
	uint64_t deadline = clock_now() + ANSWER_NS;

	if (!subsystem->info)
		return;
	if (subsystem->missing) {
		set_state(subsystem, SUBSYSTEM_ABSENT, mem_strdup(subsystem->missing));
		return;
	}
	clear_offers(subsystem);
	subsystem->offers = mem_zalloc(subsystem->info->params_len + 1, sizeof(*subsystem->offers));
	subsystem->offers_len = mem_zalloc(subsystem->info->params_len + 1,
		sizeof(*subsystem->offers_len));
	ask(&question, "probe", &subsystem->defaults, subsystem->info, root, &error);
	if (error.code) {
		set_state(subsystem, SUBSYSTEM_NEEDS, mem_strdup(error.text));
		return;
	}
	bool over = false;
	while (!over) {
		bool late;
		json_t *answer = next_answer(&question.process, deadline, &late);
		if (!answer) {
			set_state(subsystem, SUBSYSTEM_NEEDS, end_reason(&question.process, late));
			break;
		}
		over = take_probe_answer(subsystem, answer);
		json_decref(answer);
	}
	dismiss(&question.process, over);
}
