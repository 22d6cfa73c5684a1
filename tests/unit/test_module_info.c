/* SPDX-License-Identifier: MIT
 *
 * Descriptions of modules: through JSON and back, and broken ones refused with the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "mem.h"
#include "module_info.h"
#include "text.h"

static char *operations[] = { "write", "read \"back\"", NULL };

static struct param params[] = {
	{ .name = "operation", .text = "What is done.", .initial = "write", .choices = operations,
		.type = BB_CHOICE, .offset = 8, .flags = BB_PARAM_OFFERED },
	{ .name = "rate", .text = "Samples a second.", .unit = "Hz", .initial = "48k",
		.minimum = -INFINITY, .maximum = 192000.5, .type = BB_RATE, .offset = UINT32_MAX },
};

static struct metric metrics[] = {
	{ .name = "throughput", .text = "Bytes moved.", .unit = "MB/s", .scale = 1e-6,
		.source = BB_PERIOD_OF, .index = 15, .better = BB_HIGHER, .mean = BB_HARMONIC },
};

static struct module_info example = {
	.name = "storage-x", .title = "read or write", .text = "Two\nlines.", .method = "write()",
	.version = "1", .group = "STORAGE", .path = "/usr/lib/x.so", .flags = BB_EXCLUSIVE,
	.params = params, .params_len = 2, .metrics = metrics, .metrics_len = 1,
};

static void comes_back_whole(void **state)
{
	_autofree_ char *json = module_info_to_json(&example);
	struct module_info info = { 0 };

	assert_int_equal(module_info_from_json(json, strlen(json), &info, NULL), 0);
	assert_string_equal(info.name, "storage-x");
	assert_string_equal(info.title, "read or write");
	assert_string_equal(info.text, "Two\nlines.");
	assert_string_equal(info.method, "write()");
	assert_string_equal(info.version, "1");
	assert_string_equal(info.group, "STORAGE");
	assert_string_equal(info.path, "/usr/lib/x.so");
	assert_null(info.problem);
	assert_int_equal(info.flags, BB_EXCLUSIVE);
	assert_int_equal(info.params_len, 2);
	assert_string_equal(info.params[0].text, "What is done.");
	assert_null(info.params[0].unit);
	assert_string_equal(info.params[0].initial, "write");
	assert_string_equal(info.params[0].choices[1], "read \"back\"");
	assert_null(info.params[0].choices[2]);
	assert_int_equal(info.params[0].type, BB_CHOICE);
	assert_int_equal(info.params[0].offset, 8);
	assert_int_equal(info.params[0].flags, BB_PARAM_OFFERED);
	assert_string_equal(info.params[1].unit, "Hz");
	assert_null(info.params[1].choices);
	assert_true(info.params[1].minimum == -INFINITY);
	assert_true(info.params[1].maximum == 192000.5);
	assert_true(info.params[1].offset == UINT32_MAX);
	assert_int_equal(info.metrics_len, 1);
	assert_string_equal(info.metrics[0].unit, "MB/s");
	assert_true(info.metrics[0].scale == 1e-6);
	assert_int_equal(info.metrics[0].source, BB_PERIOD_OF);
	assert_int_equal(info.metrics[0].index, 15);
	assert_int_equal(info.metrics[0].better, BB_HIGHER);
	assert_int_equal(info.metrics[0].mean, BB_HARMONIC);
	module_info_finish(&info);
	assert_null(info.name);
}

static void finds_parameters(void **state)
{
	assert_int_equal(module_info_find_param(&example, "rate"), 1);
	assert_int_equal(module_info_find_param(&example, "rat"), -1);
}

static void a_problem_comes_alone(void **state)
{
	struct module_info broken = { .name = "Odd.Name", .path = "/x.so", .problem = "ABI 9" };
	_autofree_ char *json = module_info_to_json(&broken);
	struct module_info info = { 0 };

	assert_int_equal(module_info_from_json(json, strlen(json), &info, NULL), 0);
	assert_string_equal(info.name, "Odd.Name");
	assert_string_equal(info.problem, "ABI 9");
	assert_null(info.title);
	module_info_finish(&info);
}

/* The good description with `from` written as `to`. */
static char *with(const char *from, const char *to)
{
	_autofree_ char *json = module_info_to_json(&example);
	const char *place = strstr(json, from);

	assert_non_null(place);
	return text_printf("%.*s%s%s", (int)(place - json), json, to, place + strlen(from));
}

static void refuses(const char *from, const char *to, const char *place)
{
	_autofree_ char *json = with(from, to);
	struct module_info info = { 0 };
	struct error error = { 0 };

	assert_int_equal(module_info_from_json(json, strlen(json), &info, &error), -EPROTO);
	assert_null(info.name);
	assert_null(info.params);
	assert_non_null(strstr(error.text, place));
}

static void refuses_broken_descriptions(void **state)
{
	refuses("\"storage-x\"", "\"Storage\"", "name");
	refuses("\"storage-x\"", "\"\"", "name");
	refuses("\"storage-x\"", "null", "name");
	refuses("\"read or write\"", "7", "title");
	refuses("\"title\"", "\"name\"", "duplicate");
	refuses("\"flags\":2", "\"flags\":-1", "flags");
	refuses("\"flags\":2", "\"flags\":4294967296", "flags");
	refuses("\"flags\":2", "\"flags\":2.5", "flags");
	refuses("\"type\":7", "\"type\":10", "params 0, type");
	refuses("\"type\":7", "\"type\":0", "params 0, type");
	refuses("\"type\":7", "\"type\":1", "params 0, choices");
	refuses("\"type\":6", "\"type\":7", "params 1, choices");
	refuses("[\"write\",", "[null,", "params 0, choices");
	refuses("[\"write\",\"read \\\"back\\\"\"]", "[]", "params 0, choices");
	refuses("\"name\":\"rate\"", "\"name\":\"operation\"", "params 1, name");
	refuses("\"name\":\"rate\"", "\"name\":\"ra te\"", "params 1, name");
	refuses("\"initial\":\"48k\"", "\"initial\":null", "params 1, initial");
	refuses("\"minimum\":null", "\"minimum\":192001", "params 1, minimum");
	refuses("\"minimum\":null", "\"minimum\":\"low\"", "params 1, minimum");
	refuses("\"source\":2", "\"source\":6", "metrics 0, source");
	refuses("\"index\":15", "\"index\":16", "metrics 0, index");
	refuses("\"source\":2", "\"source\":5", "metrics 0, index"); /* 8 histograms */
	refuses("\"better\":2", "\"better\":3", "metrics 0, better");
	refuses("\"mean\":1", "\"mean\":2", "metrics 0, mean");
	refuses("1e-06", "null", "metrics 0, scale");
	refuses("\"metrics\":[", "\"metric\":[", "metrics");
	refuses("\"metrics\":[", "\"metrics\":[3,", "metrics 0");
}

static void refuses_too_many(void **state)
{
	struct text many = { 0 };

	text_add(&many, "\"params\":[");
	for (int i = 0; i < 300; i++)
		text_add(&many, "0,");
	refuses("\"params\":[", many.data, "params");
	text_finish(&many);
}

static void refuses_what_is_no_description(void **state)
{
	static const char *const bad[] = { "", "{", "[]", "null", "{}", "\xff", "{\"name\":\"a\\u0000\"}" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct module_info info = { 0 };
		struct error error = { 0 };

		assert_int_equal(module_info_from_json(bad[i], strlen(bad[i]), &info, &error),
			-EPROTO);
		assert_non_null(strstr(error.text, "description"));
		assert_null(info.name);
	}
}

static void every_truncation_is_refused(void **state)
{
	_autofree_ char *json = module_info_to_json(&example);

	for (size_t length = 0; length < strlen(json); length++) {
		struct module_info info = { 0 };

		assert_int_equal(module_info_from_json(json, length, &info, NULL), -EPROTO);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back_whole),
		cmocka_unit_test(finds_parameters),
		cmocka_unit_test(a_problem_comes_alone),
		cmocka_unit_test(refuses_broken_descriptions),
		cmocka_unit_test(refuses_too_many),
		cmocka_unit_test(refuses_what_is_no_description),
		cmocka_unit_test(every_truncation_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
