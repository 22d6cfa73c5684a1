/* SPDX-License-Identifier: MIT
 *
 * Sweeps: lists and ranges, counted before they are made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "mem.h"
#include "value.h"

static char *operations[] = { "write", "read", "copy", NULL };

/* "VALUE,VALUE" for files is what the tests compare with. */
static void makes(enum bb_type type, const char *text, const char *values)
{
	struct param param = { .name = "p", .type = type, .choices = operations };
	struct error error = { 0 };
	struct sweep sweep;

	assert_int_equal(sweep_parse(&param, text, &sweep, &error), 0);
	_autofree_ char *plain = sweep_format_plain(&param, &sweep);

	assert_string_equal(plain, values);
	sweep_finish(&sweep);
}

static void refuses(enum bb_type type, const char *text, int code, const char *reason)
{
	struct param param = { .name = "p", .type = type, .choices = operations };
	struct error error = { 0 };
	struct sweep sweep;

	assert_int_equal(sweep_parse(&param, text, &sweep, &error), -code);
	assert_int_equal(sweep.len, 0);
	assert_null(sweep.values);
	assert_non_null(strstr(error.text, reason));
}

static void makes_lists(void **state)
{
	makes(BB_CHOICE, "write,read", "write,read");
	makes(BB_SIZE, "100KiB, 256KiB ,1MiB", "102400,262144,1MiB");
	makes(BB_FLAG, "on,no", "on,off");
	makes(BB_INTEGER, "5", "5");
}

static void makes_ranges(void **state)
{
	makes(BB_SIZE, "100KiB..5MiB*2", "102400,204800,409600,819200,1638400,3276800");
	makes(BB_INTEGER, "8..256*2", "8,16,32,64,128,256");
	makes(BB_INTEGER, "0..100+30", "0,30,60,90");
	makes(BB_INTEGER, "-3..3+2", "-3,-1,1,3");
	makes(BB_INTEGER, "4..4+1", "4");
	makes(BB_INTEGER, "1..3+1,8,10..40*2", "1,2,3,8,10,20,40");
	makes(BB_INTEGER, "10..34*1.5", "10,15,23,34");
	makes(BB_DURATION, "1ms .. 4ms * 2", "1ms,2ms,4ms");
	makes(BB_RATE, "8k..24k+8k", "8000,16000,24000");
}

static void ranges_of_numbers_hit_their_end(void **state)
{
	makes(BB_NUMBER, "0..1+0.1", "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1");
	makes(BB_NUMBER, "1e-1..1e+0*10", "0.1,1");
	makes(BB_NUMBER, "0..1e+1+2.5e+0", "0,2.5,5,7.5,10");
	makes(BB_NUMBER, "0..1+0.3", "0,0.3,0.6,0.9");
	makes(BB_NUMBER, "1000000..1000000.0002+0.0001", "1000000,1000000.0001,1000000.0002");
}

static void the_ends_of_64_bits_hold(void **state)
{
	makes(BB_SIZE, "18446744073709551614..18446744073709551615+1",
		"18446744073709551614,18446744073709551615");
	makes(BB_INTEGER, "-9223372036854775808..9223372036854775807+9223372036854775807",
		"-9223372036854775808,-1,9223372036854775806");
	/* 2^63 is the last power of two, and 2^64 - 1 is not mistaken for 2^64 */
	makes(BB_RATE, "4611686018427387904..18446744073709551615*2",
		"4611686018427387904,9223372036854775808");
}

static void texts_may_hold_commas(void **state)
{
	struct param param = { .name = "p", .type = BB_PATH };
	struct sweep sweep;

	assert_int_equal(sweep_parse(&param, "/mnt/a\\,b,../c,d\\\\,e\\f", &sweep, NULL), 0);
	assert_int_equal(sweep.len, 4);
	assert_string_equal(sweep.values[0].text, "/mnt/a,b");
	assert_string_equal(sweep.values[1].text, "../c");
	assert_string_equal(sweep.values[2].text, "d\\");
	assert_string_equal(sweep.values[3].text, "e\\f");
	_autofree_ char *plain = sweep_format_plain(&param, &sweep);

	sweep_finish(&sweep);
	assert_int_equal(sweep_parse(&param, plain, &sweep, NULL), 0);
	assert_int_equal(sweep.len, 4);
	assert_string_equal(sweep.values[3].text, "e\\f");
	sweep_finish(&sweep);
	makes(BB_TEXT, "", "");
}

static void refuses_bad_ranges(void **state)
{
	refuses(BB_INTEGER, "1..10", EINVAL, "no step");
	refuses(BB_INTEGER, "10..1+1", EINVAL, "ends before it begins");
	refuses(BB_INTEGER, "1..10+0", EINVAL, "more than 0");
	refuses(BB_INTEGER, "1..10+-1", EINVAL, "more than 0");
	refuses(BB_INTEGER, "1..10*1", EINVAL, "more than 1");
	refuses(BB_NUMBER, "1..10*0.5", EINVAL, "more than 1");
	refuses(BB_NUMBER, "0..10*nan", EINVAL, "nan");
	refuses(BB_INTEGER, "0..10*2", EINVAL, "above 0");
	refuses(BB_INTEGER, "1..10*1.5", EINVAL, "too small");
	refuses(BB_NUMBER, "1e15..2e15+1e-3", EINVAL, "too small");
	refuses(BB_NUMBER, "-1e308..1e308+1e300", EINVAL, "too small");
	refuses(BB_SIZE, "1K..+1", EINVAL, "no step");
	refuses(BB_SIZE, "..5+1", EINVAL, "empty");
	refuses(BB_CHOICE, "write..copy+1", EINVAL, "no order");
	refuses(BB_FLAG, "off..on", EINVAL, "no order");
	refuses(BB_TEXT, "1..5+1", EINVAL, "no order");
}

static void refuses_bad_lists(void **state)
{
	refuses(BB_INTEGER, "1,,2", EINVAL, "between two commas");
	refuses(BB_INTEGER, "1,2,", EINVAL, "at an end");
	refuses(BB_INTEGER, ",", EINVAL, "at an end");
	refuses(BB_CHOICE, "write,reed", EINVAL, "did you mean \"read\"");
	refuses(BB_INTEGER, "", EINVAL, "empty");
}

static void checks_the_range_of_every_value(void **state)
{
	struct param param = { .name = "p", .type = BB_INTEGER, .minimum = 1, .maximum = 100 };
	struct error error = { 0 };
	struct sweep sweep;

	assert_int_equal(sweep_parse(&param, "1..101+1", &sweep, &error), -ERANGE);
	assert_non_null(strstr(error.text, "100"));
	assert_int_equal(sweep_parse(&param, "1..100+99", &sweep, NULL), 0);
	assert_int_equal(sweep.len, 2);
	sweep_finish(&sweep);
}

static void refuses_too_many_with_the_count(void **state)
{
	struct param param = { .name = "p", .type = BB_INTEGER };
	struct sweep sweep;

	refuses(BB_INTEGER, "0..1000000+1", E2BIG, "1000001");
	refuses(BB_INTEGER, "1..600000+1,1..600000+1", E2BIG, "1200000");
	refuses(BB_SIZE, "0..18446744073709551615+1", E2BIG, "18446744073709551615");
	refuses(BB_NUMBER, "0..1e10+1", E2BIG, "10000000001 values");
	refuses(BB_NUMBER, "1..1e300*1.0000001", E2BIG, "values");
	assert_int_equal(sweep_parse(&param, "1..1000000+1", &sweep, NULL), 0);
	assert_int_equal(sweep.len, SWEEP_MAX);
	assert_int_equal(sweep.values[999999].integer, 1000000);
	sweep_finish(&sweep);
}

static void shows_the_values(void **state)
{
	struct param param = { .name = "p", .type = BB_SIZE };
	struct sweep sweep;

	assert_int_equal(sweep_parse(&param, "100K,256K,1M", &sweep, NULL), 0);
	_autofree_ char *shown = sweep_format(&param, &sweep);

	assert_string_equal(shown, "102400, 262144, 1 MiB");
	sweep_finish(&sweep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_lists),
		cmocka_unit_test(makes_ranges),
		cmocka_unit_test(ranges_of_numbers_hit_their_end),
		cmocka_unit_test(the_ends_of_64_bits_hold),
		cmocka_unit_test(texts_may_hold_commas),
		cmocka_unit_test(refuses_bad_ranges),
		cmocka_unit_test(refuses_bad_lists),
		cmocka_unit_test(checks_the_range_of_every_value),
		cmocka_unit_test(refuses_too_many_with_the_count),
		cmocka_unit_test(shows_the_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
