/* SPDX-License-Identifier: MIT */
/* The likeliest reason for results of which the reason is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem.h"
#include "why.h"

static void set(struct result *result, const char *key, const char *value)
{
	settings_set(&result->environment, key, value);
}

/* A write to a card with nothing wrong. */
static void make(struct result *result)
{
	*result = (struct result){ .state = RESULT_OK, .metrics_len = 1 };
	result->metrics = mem_zalloc(1, sizeof(*result->metrics));
	result->metrics[0] = (struct metric_result){ .name = mem_strdup("throughput"),
		.unit = mem_strdup("MB/s"), .value = 9.24, .min = 8.77, .max = 9.9, .samples = 3 };
	result->cpu = (struct cpu_load){ .valid = true, .load = 8.25, .iowait = 71.2, .irq = 0.2,
		.softirq = 1.9, .cpus_len = 2, .cpus = { 4, 12.5f } };
	set(result, "device", "mmcblk0p3 SL08G");
	set(result, "link", "SD high speed, 50 MHz, 4 bit");
	set(result, "link_limit", "25.0");
	set(result, "mount_options", "rw,relatime,data=ordered,syncopate");
	set(result, "governor", "performance");
	set(result, "cpu_mhz", "1000");
	set(result, "cpu_mhz_max", "1000");
	set(result, "temperature_c", "51.0");
	set(result, "trip_c", "85.0");
	set(result, "busiest_process", "(sd-pam) 1.0 %");
	set(result, "bytes_moved", "104857600");
	set(result, "device_bytes", "104882176");
}

/* Tell why, and release the result. The finding of `topic` (NULL: none) must have that verdict and say
 * the words, and the conclusion those. */
static void assert_why(struct result *result, const char *topic, enum verdict verdict, const char *words,
	const char *conclusion_words)
{
	struct findings findings = { 0 };
	char *conclusion = NULL;
	why_slow(result, &findings, &conclusion);
	const struct finding *found = NULL;
	for (size_t i = 0; i < findings.len; i++)
		if (topic && strcmp(findings.items[i].topic, topic) == 0)
			found = &findings.items[i];
	if (topic) {
		assert_non_null(found);
		assert_int_equal(found->verdict, verdict);
		assert_non_null(strstr(found->text, words));
	}
	assert_non_null(conclusion);
	assert_non_null(strstr(conclusion, conclusion_words));
	free(conclusion);
	findings_finish(&findings);
	result_finish(result);
}

static void with_nothing_wrong_it_is_the_device(void **state)
{
	static const char *const fine[] = { "measured", "link", "mount", "clock", "temperature", "CPU",
		"interrupts", "others", "device", "kernel" };
	for (size_t i = 0; i < ARRAY_LEN(fine); i++) {
		struct result result;
		make(&result);
		assert_why(&result, fine[i], VERDICT_FINE, "", "the device itself (mmcblk0p3 SL08G)");
	}
	struct result result;
	make(&result);
	assert_why(&result, "link", VERDICT_FINE, "carries 25.0 MB/s, 37 % used", "the device itself");
	make(&result);
	assert_why(&result, "device", VERDICT_FINE, "proved", "the device itself");
}

static void a_full_link_is_the_limit(void **state)
{
	struct result result;
	make(&result);
	result.metrics[0].value = 22.5;
	assert_why(&result, "link", VERDICT_WARNING, "90 % used", "the link");
	make(&result);
	result.metrics[0].value = 500;
	assert_why(&result, "link", VERDICT_BAD, "2000 % used", "a cache was measured");
}

static void a_sync_mount_and_a_sync_mode_are_blamed(void **state)
{
	struct result result;
	make(&result);
	set(&result, "mount_options", "rw,sync,relatime");
	assert_why(&result, "mount", VERDICT_BAD, "rw,sync", "option sync");
	make(&result);
	result.params = mem_zalloc(1, sizeof(*result.params));
	result.params_len = 1;
	result.params[0] = (struct result_param){ .name = mem_strdup("mode"), .text = mem_strdup("dsync"),
		.type = BB_CHOICE };
	assert_why(&result, "mode", VERDICT_WARNING, "dsync", "the mode dsync");
}

static void the_processor_is_blamed(void **state)
{
	struct result result;
	make(&result);
	set(&result, "cpu_mhz", "300");
	set(&result, "governor", "ondemand");
	assert_why(&result, "clock", VERDICT_WARNING, "it can do 1000 MHz", "300 of 1000 MHz");
	make(&result);
	set(&result, "temperature_c", "88");
	assert_why(&result, "temperature", VERDICT_BAD, "88.0 C", "heat");
	make(&result);
	result.cpu.cpus[1] = 99;
	assert_why(&result, "CPU", VERDICT_WARNING, "CPU 1 is full", "CPU 1 was full");
	make(&result);
	result.cpu.softirq = 40;
	assert_why(&result, "interrupts", VERDICT_WARNING, "soft 40.0", "interrupts");
	make(&result);
	result.cpu.steal = 12;
	assert_why(&result, "steal", VERDICT_WARNING, "12.0 %", "other guests");
	make(&result);
	result.cpu.valid = false;
	assert_why(&result, "CPU", VERDICT_NOTE, "unknown", "not known");
}

static void others_caches_and_kernel_errors_are_blamed(void **state)
{
	struct result result;
	make(&result);
	set(&result, "busiest_process", "tar of all 88.0 %");
	assert_why(&result, "others", VERDICT_WARNING, "tar of all 88.0 %", "another process: tar of all");
	make(&result);
	set(&result, "device_bytes", "10485760");
	assert_why(&result, "device", VERDICT_BAD, "a cache", "only 10 % of the bytes");
	make(&result);
	result_add_kernel_message(&result, "mmc0: Card stuck in wrong state");
	assert_why(&result, "kernel", VERDICT_WARNING, "stuck", "mmc0: Card stuck");
	make(&result);
	result_add_note(&result, "an overrun");
	assert_why(&result, "note", VERDICT_NOTE, "an overrun", "the device itself");
	make(&result);
	result.state = RESULT_SUSPECT;
	result_add_note(&result, "an overrun");
	assert_why(&result, "note", VERDICT_WARNING, "an overrun", "an overrun");
}

static void the_surest_reason_wins(void **state)
{
	struct result result;
	make(&result);
	result.cpu.cpus[0] = 100;
	set(&result, "cpu_mhz", "300"); /* a full core at a low clock: the clock */
	assert_why(&result, NULL, VERDICT_FINE, NULL, "300 of 1000 MHz");
}

static void a_result_that_knows_nothing_is_no_trouble(void **state)
{
	struct result result = { .state = RESULT_FAILED, .error = mem_strdup("disk full") };
	assert_why(&result, "measured", VERDICT_BAD, "disk full", "disk full");
	make(&result);
	settings_finish(&result.environment);
	assert_why(&result, NULL, VERDICT_FINE, NULL, "this is what the machine does");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_nothing_wrong_it_is_the_device),
		cmocka_unit_test(a_full_link_is_the_limit),
		cmocka_unit_test(a_sync_mount_and_a_sync_mode_are_blamed),
		cmocka_unit_test(the_processor_is_blamed),
		cmocka_unit_test(others_caches_and_kernel_errors_are_blamed),
		cmocka_unit_test(the_surest_reason_wins),
		cmocka_unit_test(a_result_that_knows_nothing_is_no_trouble),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
