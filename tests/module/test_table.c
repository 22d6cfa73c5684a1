/* SPDX-License-Identifier: MIT */
/* What holds for every module: what it declares, and how it cleans up. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_host.h"

extern const struct bb_module boardbench_module_null, boardbench_module_memory,
	boardbench_module_storage;

static const struct bb_module *const modules[] = { &boardbench_module_null,
	&boardbench_module_memory, &boardbench_module_storage };

#define EACH(module) \
	for (size_t at_ = 0; at_ < sizeof(modules) / sizeof(modules[0]); at_++) \
		for (const struct bb_module *module = modules[at_]; module; module = NULL)

static void check_name(const char *name, char extra)
{
	assert_non_null(name);
	assert_true(islower((unsigned char)name[0]));
	for (const char *at = name; *at; at++)
		assert_true(islower((unsigned char)*at) || isdigit((unsigned char)*at) || *at == extra);
}

static void check_sentence(const char *text)
{
	assert_non_null(text);
	assert_true(strlen(text) > 10);
	if (text[strlen(text) - 1] != '.')
		fail_msg("no full stop: %s", text);
	assert_false(islower((unsigned char)text[0]));
}

static void declares_itself(void **state)
{
	EACH(module) {
		assert_int_equal(module->abi, BB_ABI);
		assert_int_equal(module->struct_size, sizeof(struct bb_module));
		check_name(module->name, '-');
		check_sentence(module->text);
		assert_non_null(module->method);
		assert_int_equal(module->method[strlen(module->method) - 1], '.');
		assert_true(module->title[0] && module->version[0] && module->group[0]);
		assert_non_null(module->step);
		assert_true(module->metrics_len > 0);
	}
}

static void parameters_are_valid(void **state)
{
	static const size_t sizes[] = { [BB_FLAG] = sizeof(bool), [BB_INTEGER] = 8, [BB_NUMBER] = 8,
		[BB_SIZE] = 8, [BB_DURATION] = 8, [BB_RATE] = 8, [BB_CHOICE] = 4,
		[BB_TEXT] = sizeof(char *), [BB_PATH] = sizeof(char *) };

	EACH(module) {
		for (uint32_t i = 0; i < module->params_len; i++) {
			const struct bb_param *param = &module->params[i];
			check_name(param->name, '_');
			check_sentence(param->text);
			assert_non_null(param->initial);
			assert_in_range(param->type, BB_FLAG, BB_PATH);
			assert_int_equal(param->size, sizes[param->type]);
			assert_true(param->offset + param->size <= module->config_size);
			assert_int_equal(param->choices != NULL, param->type == BB_CHOICE);
			assert_true(param->minimum <= param->maximum);
			for (uint32_t k = 0; k < i; k++) {
				const struct bb_param *other = &module->params[k];
				assert_string_not_equal(param->name, other->name);
				assert_true(param->offset + param->size <= other->offset ||
					other->offset + other->size <= param->offset);
			}
		}
		/* Reads every default, and fails when one is out of range or no choice. */
		struct fake_host fake;
		fake_init(&fake, module);
		fake_finish(&fake);
	}
}

static void metrics_are_valid(void **state)
{
	static const uint32_t limits[] = { [BB_RATE_OF] = BB_COUNTERS_MAX,
		[BB_PERIOD_OF] = BB_COUNTERS_MAX, [BB_TOTAL_OF] = BB_COUNTERS_MAX,
		[BB_GAUGE] = BB_GAUGES_MAX, [BB_HISTOGRAM] = BB_HISTOGRAMS_MAX };

	EACH(module) {
		for (uint32_t i = 0; i < module->metrics_len; i++) {
			const struct bb_metric *metric = &module->metrics[i];
			check_name(metric->name, '_');
			check_sentence(metric->text);
			assert_true(metric->unit && metric->unit[0]);
			assert_true(metric->scale > 0);
			assert_in_range(metric->source, BB_RATE_OF, BB_HISTOGRAM);
			assert_true(metric->index < limits[metric->source]);
			for (uint32_t k = 0; k < i; k++)
				assert_string_not_equal(metric->name, module->metrics[k].name);
		}
	}
}

static unsigned open_files(void)
{
	unsigned count = 0;
	DIR *directory = opendir("/proc/self/fd");

	assert_non_null(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

static void probe_leaves_nothing_open(void **state)
{
	EACH(module) {
		struct fake_host fake;
		if (!module->probe)
			continue;
		fake_init(&fake, module);
		unsigned before = open_files();
		module->probe(&fake.ctx);
		assert_int_equal(open_files(), before);
		fake_finish(&fake);
	}
}

static void cleans_up_without_and_after_a_failed_prepare(void **state)
{
	EACH(module) {
		struct fake_host fake;
		unsigned before = open_files();
		fake_init(&fake, module);
		fake_cleanup(&fake);
		fake_finish(&fake);
		fake_init(&fake, module);
		if (module == &boardbench_module_storage) {
			/* No place for the file: after directory and buffers have been taken. */
			fake_set(&fake, "directory", "/tmp");
			fake_set(&fake, "file_size", "1MiB");
			fake.refuse_change = EROFS;
			assert_int_equal(fake_prepare(&fake), -EROFS);
		} else if (module == &boardbench_module_memory) {
			fake_set(&fake, "operation", "latency");
			fake_set(&fake, "stride", "9");
			assert_int_equal(fake_prepare(&fake), -EINVAL);
		}
		fake_cleanup(&fake);
		fake_cleanup(&fake);
		fake_finish(&fake);
		assert_int_equal(open_files(), before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declares_itself),
		cmocka_unit_test(parameters_are_valid),
		cmocka_unit_test(metrics_are_valid),
		cmocka_unit_test(probe_leaves_nothing_open),
		cmocka_unit_test(cleans_up_without_and_after_a_failed_prepare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
