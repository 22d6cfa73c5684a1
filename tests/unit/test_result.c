/* SPDX-License-Identifier: MIT
 *
 * Results: the object of the command line's contract, and reading it back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "list.h"
#include "mem.h"
#include "result.h"

static void add_param(struct result *result, const char *name, enum bb_type type, const char *text,
	double number)
{
	result->params = mem_grow(result->params, result->params_len + 1, sizeof(*result->params));
	result->params[result->params_len++] = (struct result_param){ .name = mem_strdup(name),
		.text = mem_strdup(text), .unit = type == BB_RATE ? mem_strdup("Hz") : NULL, .type = type,
		.number = number };
}

static void make_metrics(struct result *result)
{
	static const double passes[] = { 8.77, 9.05, 9.9 };

	result->metrics_len = 2;
	result->metrics = mem_zalloc(2, sizeof(*result->metrics));
	result->metrics[0] = (struct metric_result){ .name = mem_strdup("throughput"),
		.unit = mem_strdup("MB/s"), .better = BB_HIGHER, .value = 9.24, .min = 8.77, .max = 9.9,
		.stddev = 0.4, .median = 9.05, .samples = 3, .passes_len = 3,
		.passes = mem_zalloc(3, sizeof(double)) };
	memcpy(result->metrics[0].passes, passes, sizeof(passes));
	result->metrics[1] = (struct metric_result){ .name = mem_strdup("call"), .unit = mem_strdup("us"),
		.better = BB_LOWER, .value = 0.1, .min = 0.05, .max = 7, .median = 0.09,
		.samples = UINT64_C(9007199254740993), .has_percentiles = true, .p90 = 1.5, .p99 = 2.5,
		.p999 = 3.5, .error = 1.0 / 64 };
}

static void make_result(struct result *result)
{
	*result = (struct result){ .case_index = 4, .cases = 5, .time = 1769853600, /* date -u -d @1769853600 */
		.monotonic_ns = UINT64_C(12345678901234), .state = RESULT_OK, .repeat = 3, .elapsed_s = 11.3,
		.board = mem_strdup("generic"), .subsystem = mem_strdup("sd \"card\"\n"),
		.module = mem_strdup("storage"), .method = mem_strdup("1.10"),
		.profile = mem_strdup("nightly") };
	strcpy(result->id, "1f3a9c2e77b0-4");
	strcpy(result->run, "1f3a9c2e77b0");
	strcpy(result->boot_id, "6b7f4c0e-2d6c-4f0b-9f0e-0123456789ab");
	add_param(result, "operation", BB_CHOICE, "write", 0);
	add_param(result, "buffer_size", BB_SIZE, "100KiB", 102400);
	add_param(result, "pause", BB_DURATION, "500us", 500000);
	add_param(result, "fsync", BB_FLAG, "on", 1);
	add_param(result, "random", BB_FLAG, "off", 0);
	add_param(result, "rate", BB_RATE, "48000", 48000);
	add_param(result, "gain", BB_NUMBER, "-2.5", -2.5);
	add_param(result, "directory", BB_PATH, "/mnt/a b", 0);
	make_metrics(result);
	result->cpu = (struct cpu_load){ .valid = true, .load = 8.25, .user = 1, .system = 5, .irq = 0.2,
		.softirq = 1.9, .iowait = 71.2, .resolution = 0.05, .worker = 5.4, .workbench = 0.1,
		.cpus_len = 2, .cpus = { 12.5f, -1 } };
	settings_set(&result->environment, "kernel", "6.10");
	settings_set(&result->environment, "cpu_mhz", "1000");
	settings_set(&result->environment, "temperature_c", "51.0");
	settings_set(&result->environment, "boardbench", "0.1.0");
	settings_set(&result->environment, "serial", "0012345");
	settings_set(&result->environment, "cpus", "0-3");
	settings_set(&result->actual, "rate", "47999");
	result_add_note(result, "%s", "a note");
	result_add_kernel_message(result, "mmc0: timeout");
}

static json_t *to_tree(const struct result *result)
{
	struct text text = { 0 };
	json_error_t why;

	result_to_json(result, &text);
	assert_true(text_starts(text.data, "{\"schema\":\"boardbench.result/1\",\"id\":\"1f3a9c2e77b0-4\","));
	assert_ptr_equal(strchr(text.data, '\n'), text.data + text.length - 1); /* one line */
	json_t *root = json_loads(text.data, JSON_REJECT_DUPLICATES, &why);
	assert_non_null(root);
	text_finish(&text);
	return root;
}

static const json_t *at(const json_t *root, const char *object, const char *key)
{
	return json_object_get(json_object_get(root, object), key);
}

static void is_the_object_of_the_contract(void **state)
{
	static const char *const keys[] = { "schema", "id", "time", "board", "subsystem", "module",
		"parameters", "actual", "with", "state", "error", "repeat", "metrics", "cpu", "elapsed_s",
		"environment", "notes", "kernel_messages" };
	static const char *const shares[] = { "load", "user", "system", "irq", "softirq", "iowait", "steal" };
	static const char *const figures[] = { "unit", "value", "min", "max", "stddev", "samples" };
	struct result result;

	make_result(&result);
	json_t *root = to_tree(&result);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		assert_non_null(json_object_get(root, keys[i]));
	for (size_t i = 0; i < ARRAY_LEN(shares); i++)
		assert_true(json_is_number(at(root, "cpu", shares[i])));
	for (size_t i = 0; i < ARRAY_LEN(figures); i++)
		assert_non_null(json_object_get(at(root, "metrics", "throughput"), figures[i]));
	assert_string_equal(json_string_value(json_object_get(root, "time")), "2026-01-31T10:00:00Z");
	assert_true(json_is_null(json_object_get(root, "error")));
	assert_string_equal(json_string_value(json_object_get(root, "state")), "ok");
	assert_int_equal(json_array_size(json_object_get(root, "notes")), 1);
	json_decref(root);
	result_finish(&result);
}

static void parameters_have_their_types(void **state)
{
	struct result result;

	make_result(&result);
	json_t *root = to_tree(&result);
	assert_string_equal(json_string_value(at(root, "parameters", "operation")), "write");
	assert_int_equal(json_integer_value(at(root, "parameters", "buffer_size")), 102400);
	assert_int_equal(json_integer_value(at(root, "parameters", "pause")), 500000);
	assert_true(json_is_true(at(root, "parameters", "fsync")));
	assert_true(json_is_false(at(root, "parameters", "random")));
	assert_true(json_number_value(at(root, "parameters", "gain")) == -2.5);
	assert_string_equal(json_string_value(at(root, "parameters", "directory")), "/mnt/a b");
	assert_true(json_number_value(at(root, "environment", "temperature_c")) == 51);
	assert_int_equal(json_integer_value(at(root, "environment", "cpu_mhz")), 1000);
	assert_string_equal(json_string_value(at(root, "environment", "kernel")), "6.10");
	assert_string_equal(json_string_value(at(root, "environment", "boardbench")), "0.1.0");
	assert_string_equal(json_string_value(at(root, "environment", "serial")), "0012345");
	assert_string_equal(json_string_value(at(root, "environment", "cpus")), "0-3");
	assert_true(json_is_null(json_array_get(at(root, "cpu", "per_cpu"), 1)));
	assert_null(json_object_get(at(root, "metrics", "throughput"), "p99"));
	json_decref(root);
	result_finish(&result);
}

static void no_cpu_load_is_null(void **state)
{
	struct result result, again = { 0 };
	struct text text = { 0 };

	make_result(&result);
	result.cpu.valid = false;
	json_t *root = to_tree(&result);
	assert_true(json_is_null(json_object_get(root, "cpu")));
	json_decref(root);
	result_to_json(&result, &text);
	assert_int_equal(result_from_json(text.data, text.length, &again, NULL), 0);
	assert_false(again.cpu.valid);
	text_finish(&text);
	result_finish(&again);
	result_finish(&result);
}

static void same_metric(const struct metric_result *a, const struct metric_result *b)
{
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->unit, b->unit);
	assert_true(a->better == b->better && a->value == b->value && a->min == b->min && a->max == b->max);
	assert_true(a->stddev == b->stddev && a->median == b->median && a->samples == b->samples);
	assert_true(a->has_percentiles == b->has_percentiles && a->p90 == b->p90 && a->p99 == b->p99 &&
		a->p999 == b->p999 && a->error == b->error);
	assert_int_equal(a->passes_len, b->passes_len);
	for (size_t i = 0; i < a->passes_len; i++)
		assert_true(a->passes[i] == b->passes[i]);
}

static void add_load(struct result *result)
{
	result->loads_len = 1;
	result->loads = mem_zalloc(1, sizeof(*result->loads));
	result->loads[0] = (struct result_load){ .subsystem = mem_strdup("net"), .module = mem_strdup("tcp"),
		.state = RESULT_FAILED, .error = mem_strdup("died") };
}

static void reads_back_what_was_written(void **state)
{
	struct result result, again = { 0 };
	struct text text = { 0 }, twice = { 0 };
	struct error error = { 0 };

	make_result(&result);
	add_load(&result);
	result_to_json(&result, &text);
	assert_int_equal(result_from_json(text.data, text.length, &again, &error), 0);
	assert_string_equal(again.id, result.id);
	assert_string_equal(again.run, result.run);
	assert_string_equal(again.boot_id, result.boot_id);
	assert_true(again.time == result.time && again.monotonic_ns == result.monotonic_ns);
	assert_int_equal(again.case_index, 4);
	assert_int_equal(again.cases, 5);
	assert_int_equal(again.repeat, 3);
	assert_string_equal(again.subsystem, "sd \"card\"\n");
	assert_string_equal(again.method, "1.10");
	assert_string_equal(again.profile, "nightly");
	assert_int_equal(again.params_len, result.params_len);
	for (size_t i = 0; i < result.params_len; i++) {
		assert_string_equal(again.params[i].name, result.params[i].name);
		assert_string_equal(again.params[i].text, result.params[i].text);
		assert_true(again.params[i].type == result.params[i].type);
		assert_true(again.params[i].number == result.params[i].number);
	}
	assert_string_equal(result_param(&again, "rate")->unit, "Hz");
	for (size_t i = 0; i < 2; i++)
		same_metric(&result.metrics[i], &again.metrics[i]);
	assert_true(again.cpu.valid && again.cpu.load == 8.25 && again.cpu.cpus_len == 2);
	assert_true(again.cpu.cpus[0] == 12.5f && again.cpu.cpus[1] < 0);
	assert_string_equal(settings_get(&again.environment, "kernel"), "6.10");
	assert_string_equal(settings_get(&again.environment, "serial"), "0012345");
	assert_string_equal(settings_get(&again.actual, "rate"), "47999");
	assert_int_equal(again.loads_len, 1);
	assert_string_equal(again.loads[0].error, "died");
	assert_int_equal(again.loads[0].state, RESULT_FAILED);
	assert_string_equal(again.notes[0], "a note");
	assert_string_equal(again.kernel_messages[0], "mmc0: timeout");
	result_finish(&again);
	assert_int_equal(result_from_json(text.data, text.length, &again, &error), 0);
	settings_set(&again.environment, "temperature_c", "51.0");
	result_to_json(&again, &twice);
	assert_string_equal(twice.data, text.data);
	text_finish(&text);
	text_finish(&twice);
	result_finish(&again);
	result_finish(&result);
}

static void every_state_reads_back(void **state)
{
	struct result result;

	make_result(&result);
	for (int i = RESULT_OK; i <= RESULT_UNFINISHED; i++) {
		struct result again = { 0 };
		struct text text = { 0 };
		result.state = (enum result_state)i;
		result_to_json(&result, &text);
		assert_int_equal(result_from_json(text.data, text.length, &again, NULL), 0);
		assert_int_equal(again.state, i);
		text_finish(&text);
		result_finish(&again);
	}
	result_finish(&result);
}

static void refuses_what_is_no_result(void **state)
{
	static const char *const bad[] = { "", "{", "null", "[]", "\"boardbench.result/1\"",
		"{\"schema\":\"boardbench.result/2\",\"id\":\"a\",\"subsystem\":\"b\",\"module\":\"c\"}",
		"{\"schema\":\"boardbench.begun/1\",\"id\":\"a\",\"subsystem\":\"b\",\"module\":\"c\"}",
		"{\"schema\":\"boardbench.result/1\"}", "{\"schema\":1}" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct result result = { 0 };
		struct error error = { 0 };
		assert_int_equal(result_from_json(bad[i], strlen(bad[i]), &result, &error), -EPROTO);
		assert_true(error.text[0] != '\0');
		assert_null(result.subsystem);
	}
}

static void takes_wrong_types_and_unknown_keys_calmly(void **state)
{
	static const char odd[] = "{\"schema\":\"boardbench.result/1\",\"id\":\"a\",\"subsystem\":\"b\","
		"\"module\":\"c\",\"new\":{},\"parameters\":[],\"parameter_texts\":[[\"x\",\"1\",\"colour\"],7,"
		"[\"y\",\"1\",\"text\",null],[\"y\",\"2\",\"text\",null]],"
		"\"metrics\":{\"m\":{\"samples\":-1,\"value\":\"fast\"},\"n\":3},\"with\":[{},5],"
		"\"cpu\":{\"per_cpu\":7},\"notes\":[1,\"kept\"],\"state\":\"splendid\",\"time\":\"soon\"}";
	struct result result = { 0 };

	assert_int_equal(result_from_json(odd, strlen(odd), &result, NULL), 0);
	assert_int_equal(result.params_len, 1);
	assert_string_equal(result.params[0].text, "1");
	assert_int_equal(result.metrics_len, 1);
	assert_true(result.metrics[0].samples == 0 && result.metrics[0].value == 0);
	assert_int_equal(result.loads_len, 2);
	assert_string_equal(result.loads[0].subsystem, "");
	assert_int_equal(list_len(result.notes), 1);
	assert_int_equal(result.state, RESULT_FAILED);
	result_finish(&result);
}

static void a_note_that_is_there_is_not_said_again(void **state)
{
	struct result result = { 0 };

	for (int i = 0; i < 3; i++)
		result_add_note(&result, "pass %d", i / 2);
	assert_int_equal(list_len(result.notes), 2);
	result_finish(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_object_of_the_contract),
		cmocka_unit_test(parameters_have_their_types),
		cmocka_unit_test(no_cpu_load_is_null),
		cmocka_unit_test(reads_back_what_was_written),
		cmocka_unit_test(every_state_reads_back),
		cmocka_unit_test(refuses_what_is_no_result),
		cmocka_unit_test(takes_wrong_types_and_unknown_keys_calmly),
		cmocka_unit_test(a_note_that_is_there_is_not_said_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
