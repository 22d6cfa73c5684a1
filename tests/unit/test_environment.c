/* SPDX-License-Identifier: MIT */
/* Clock, temperature and facts from a dump of /proc and /sys; what spoils an interval from figures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "environment.h"

#define DUMP TESTS_DIR "/dumps-cpu/dual"

static void assert_near(double value, double expected)
{
	assert_true(value > expected - 1e-6 && value < expected + 1e-6);
}

static void a_dump_is_read(void **state)
{
	struct environment now;
	environment_read(DUMP, &now);
	assert_int_equal(now.cpus, 3);
	assert_string_equal(now.governor, "mixed");
	assert_near(now.cpu_mhz, 500); /* 600, 600, 300 */
	assert_near(now.cpu_mhz_max, 1000);
	assert_near(now.cpu_mhz_limit, 800);
	/* the hotter zone of two, its lower passive or hot trip; the one at -274 C is off */
	assert_near(now.temperature_c, 62.5);
	assert_near(now.trip_c, 85);
	assert_false(now.cooling); /* only a fan runs */
	assert_true(now.throttle_count == 12);
	assert_near(now.mhz_ticks_base, 3 * 400);
	assert_near(now.mhz_mean_base, 3 * (300 * 100 + 1000 * 300));
}

static void a_machine_that_tells_nothing_is_unknown_not_0_degrees(void **state)
{
	struct environment now;
	environment_read("/nonexistent", &now);
	assert_string_equal(now.governor, "");
	assert_true(isnan(now.temperature_c) && isnan(now.trip_c));
	assert_false(now.cooling);
	assert_near(now.cpu_mhz, 0);
	assert_int_equal(now.cpus, 0);
}

static void assert_fact(const struct settings *facts, const char *key, const char *expected)
{
	const char *value = settings_get(facts, key);
	assert_non_null(value);
	assert_string_equal(value, expected);
}

static void facts_are_told(void **state)
{
	struct settings facts = { 0 };
	environment_facts(DUMP, &facts);
	assert_fact(&facts, "kernel", "4.14.78-rt47");
	assert_fact(&facts, "machine", "aarch64");
	assert_fact(&facts, "model", "Made-up EVM");
	assert_fact(&facts, "cpu_model", "Cortex-A53"); /* implementer 0x41, part 0xd03 */
	assert_fact(&facts, "cpus", "3");
	assert_fact(&facts, "preempt", "PREEMPT_RT");
	assert_fact(&facts, "clocksource", "jiffies");
	assert_fact(&facts, "console", "tty0 ttyS2");
	assert_fact(&facts, "governor", "mixed");
	assert_fact(&facts, "cpu_mhz", "500");
	assert_fact(&facts, "cpu_mhz_max", "1000");
	assert_fact(&facts, "temperature_c", "62.5");
	assert_fact(&facts, "trip_c", "85.0");
	assert_non_null(settings_get(&facts, "hz"));
	assert_non_null(settings_get(&facts, "boardbench"));
	assert_non_null(settings_get(&facts, "compiler"));
	settings_finish(&facts);
}

static void unknown_facts_are_left_out(void **state)
{
	struct settings facts = { 0 };
	environment_facts("/nonexistent", &facts);
	assert_null(settings_get(&facts, "temperature_c"));
	assert_null(settings_get(&facts, "cpu_mhz"));
	assert_null(settings_get(&facts, "kernel"));
	assert_null(settings_get(&facts, "governor"));
	settings_finish(&facts);
}

static const struct environment calm = {
	.governor = "performance", .cpus = 2, .cpu_mhz = 1000, .cpu_mhz_max = 1000,
	.cpu_mhz_limit = 1000, .temperature_c = 50, .trip_c = 85, .mhz_mean_base = 1e6,
	.mhz_ticks_base = 1000,
};

/* What is found between calm and `after`, which must be one thing that says all the words. */
static void assert_found(const struct environment *after, const char *topic, const char *const words[3])
{
	struct findings findings = { 0 };
	environment_judge(&calm, after, &findings);
	assert_int_equal(findings.len, 1);
	assert_string_equal(findings.items[0].topic, topic);
	assert_true(findings.items[0].verdict >= VERDICT_WARNING);
	assert_non_null(findings.items[0].advice);
	for (int i = 0; i < 3 && words[i]; i++)
		assert_non_null(strstr(findings.items[0].text, words[i]));
	findings_finish(&findings);
}

static void assert_nothing_found(const struct environment *before, const struct environment *after)
{
	struct findings findings = { 0 };
	environment_judge(before, after, &findings);
	assert_int_equal(findings.len, 0);
	findings_finish(&findings);
}

static void a_calm_interval_has_no_finding(void **state)
{
	struct environment after = calm;
	after.mhz_ticks_base += 1000;
	after.mhz_mean_base += 995 * 1000.0; /* half a per cent lower */
	assert_nothing_found(&calm, &after);
	const struct environment nothing = { .temperature_c = NAN, .trip_c = NAN };
	assert_nothing_found(&nothing, &nothing);
}

static void a_clock_that_moved_in_between_is_found(void **state)
{
	struct environment after = calm;
	after.mhz_ticks_base += 1000;
	after.mhz_mean_base += 500 * 300.0 + 500 * 1000.0; /* half the time at 300 MHz: 650 */
	assert_found(&after, "clock", (const char *const[3]){ "650 MHz", "1000 MHz", "65 %" });
}

static void a_clock_set_low_on_purpose_stands_still(void **state)
{
	struct environment before = calm, after;
	before.cpu_mhz = 600;
	after = before;
	after.mhz_ticks_base += 1000;
	after.mhz_mean_base += 600 * 1000.0;
	assert_nothing_found(&before, &after);
}

static void without_statistics_the_clocks_at_both_ends_count(void **state)
{
	struct environment after = calm;
	after.cpu_mhz = 600;
	assert_found(&after, "clock", (const char *const[3]){ "1000", "600 MHz", "-40 %" });
	after = calm;
	after.cpu_mhz_limit = 800;
	assert_found(&after, "clock", (const char *const[3]){ "1000", "800 MHz" });
}

static void a_cpu_that_went_is_found_and_the_sums_are_not_compared(void **state)
{
	struct environment after = calm;
	after.cpus = 1;
	after.mhz_mean_base = 5;
	after.mhz_ticks_base = 5000;
	assert_found(&after, "cpus", (const char *const[3]){ "2 CPUs", "1 after" });
}

static void governor_throttling_and_heat_are_found(void **state)
{
	struct environment after = calm;
	strcpy(after.governor, "ondemand");
	assert_found(&after, "governor", (const char *const[3]){ "performance", "ondemand" });
	after = calm;
	after.throttle_count = 3;
	assert_found(&after, "throttling", (const char *const[3]){ "3" });
	after = calm;
	after.cooling = true;
	assert_found(&after, "throttling", (const char *const[3]){ "at the end" });
	after = calm;
	after.temperature_c = 85;
	assert_found(&after, "temperature", (const char *const[3]){ "85.0 C" });
	after.temperature_c = 91.5;
	assert_found(&after, "temperature", (const char *const[3]){ "91.5 C", "6.5 above", "85.0 C" });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dump_is_read),
		cmocka_unit_test(a_machine_that_tells_nothing_is_unknown_not_0_degrees),
		cmocka_unit_test(facts_are_told),
		cmocka_unit_test(unknown_facts_are_left_out),
		cmocka_unit_test(a_calm_interval_has_no_finding),
		cmocka_unit_test(a_clock_that_moved_in_between_is_found),
		cmocka_unit_test(a_clock_set_low_on_purpose_stands_still),
		cmocka_unit_test(without_statistics_the_clocks_at_both_ends_count),
		cmocka_unit_test(a_cpu_that_went_is_found_and_the_sums_are_not_compared),
		cmocka_unit_test(governor_throttling_and_heat_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
