/* SPDX-License-Identifier: MIT
 *
 * Typed values: what is read, what is refused and how, and that what is printed is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "value.h"

static char *operations[] = { "write", "read", "copy", NULL };

static struct param param_of(enum bb_type type)
{
	return (struct param){ .name = "p",
		.type = type,
		.choices = type == BB_CHOICE ? operations : NULL };
}

static void reads(enum bb_type type, const char *unit, const char *text, uint64_t natural)
{
	struct param param = param_of(type);
	struct value value = { 0 };
	struct error error = { 0 };

	param.unit = (char *)unit;
	assert_int_equal(value_parse(&param, text, &value, &error), 0);
	assert_int_equal(value.type, type);
	assert_true(value.natural == natural);
}

/* The message holds both words, and the value is not touched. */
static void refuses(const struct param *param, const char *text, int code, const char *one,
	const char *other)
{
	struct value value = { .type = BB_INTEGER, .integer = 77 };
	struct error error = { 0 };

	assert_int_equal(value_parse(param, text, &value, &error), -code);
	assert_int_equal(value.type, BB_INTEGER);
	assert_int_equal(value.integer, 77);
	assert_non_null(strstr(error.text, one));
	assert_non_null(strstr(error.text, other));
}

static void reads_sizes(void **state)
{
	reads(BB_SIZE, NULL, "4096", 4096);
	reads(BB_SIZE, NULL, " 100KiB ", 102400);
	reads(BB_SIZE, NULL, "100k", 102400);
	reads(BB_SIZE, NULL, "100 kB", 100000);
	reads(BB_SIZE, NULL, "1.5M", 1572864);
	reads(BB_SIZE, NULL, "1.5MB", 1500000);
	reads(BB_SIZE, NULL, ".5 gib", 536870912);
	reads(BB_SIZE, NULL, "2GB", 2000000000);
	reads(BB_SIZE, NULL, "5.000", 5);
	reads(BB_SIZE, NULL, "0.0009765625M", 1024); /* 2^-10 */
	reads(BB_SIZE, NULL, "18446744073709551615", UINT64_MAX);
}

static void reads_durations(void **state)
{
	reads(BB_DURATION, NULL, "7ns", 7);
	reads(BB_DURATION, NULL, "500 us", 500000);
	reads(BB_DURATION, NULL, "500\xc2\xb5s", 500000);
	reads(BB_DURATION, NULL, "1.5ms", 1500000);
	reads(BB_DURATION, NULL, "1.5s", 1500000000);
	reads(BB_DURATION, NULL, "2min", UINT64_C(120000000000));
	reads(BB_DURATION, NULL, "1H", UINT64_C(3600000000000));
	reads(BB_DURATION, NULL, "0", 0);
}

static void reads_rates(void **state)
{
	reads(BB_RATE, "Hz", "44100", 44100);
	reads(BB_RATE, "Hz", "44.1k", 44100);
	reads(BB_RATE, "Hz", "48 kHz", 48000);
	reads(BB_RATE, "Hz", "48000 Hz", 48000);
	reads(BB_RATE, "bit/s", "1Mbit/s", 1000000);
	reads(BB_RATE, NULL, "1G", 1000000000);
}

static void reads_the_other_types(void **state)
{
	static const struct {
		const char *text;
		bool flag;
	} flags[] = { { "on", true }, { "off", false }, { "YES", true }, { "no", false },
		{ "true", true }, { "False", false }, { "1", true }, { "0", false } };
	struct param flag = param_of(BB_FLAG), integer = param_of(BB_INTEGER);
	struct param number = param_of(BB_NUMBER), choice = param_of(BB_CHOICE);
	struct value value;

	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		assert_int_equal(value_parse(&flag, flags[i].text, &value, NULL), 0);
		assert_int_equal(value.flag, flags[i].flag);
	}
	integer.unit = number.unit = "dB";
	assert_int_equal(value_parse(&integer, "-3 dB", &value, NULL), 0);
	assert_int_equal(value.integer, -3);
	assert_int_equal(value_parse(&integer, "0x40", &value, NULL), 0);
	assert_int_equal(value.integer, 64);
	assert_int_equal(value_parse(&integer, "010", &value, NULL), 0); /* never octal */
	assert_int_equal(value.integer, 10);
	assert_int_equal(value_parse(&integer, "-9223372036854775808", &value, NULL), 0);
	assert_true(value.integer == INT64_MIN);
	assert_int_equal(value_parse(&number, "-2.5e-1dB", &value, NULL), 0);
	assert_true(value.number == -0.25);
	assert_int_equal(value_parse(&choice, "copy", &value, NULL), 0);
	assert_int_equal(value.choice, 2);
}

static void refuses_bad_quantities(void **state)
{
	struct param size = param_of(BB_SIZE), duration = param_of(BB_DURATION);
	struct param rate = param_of(BB_RATE);

	rate.unit = "Hz";
	refuses(&size, "", EINVAL, "p:", "100KiB");
	refuses(&size, "big", EINVAL, "big", "100KiB");
	refuses(&size, "-1", EINVAL, "below 0", "100KiB");
	refuses(&size, "5X", EINVAL, "\"X\"", "KiB");
	refuses(&size, "5K rubbish", EINVAL, "K rubbish", "KiB");
	refuses(&size, "1.3", EINVAL, "whole number of bytes", "1.3");
	refuses(&size, "0.0001K", EINVAL, "whole number of bytes", "0.0001K");
	refuses(&size, "0.00000000000000000001K", EINVAL, "whole", "bytes");
	refuses(&size, "18446744073709551616", ERANGE, "64 bits", "p:");
	refuses(&size, "16777216T", ERANGE, "64 bits", "p:"); /* 2^64 */
	refuses(&size, "nan", EINVAL, "nan", "number");
	refuses(&size, ".", EINVAL, "number", "p:");
	refuses(&duration, "500", EINVAL, "no unit", "500us");
	refuses(&duration, "5m", EINVAL, "\"m\"", "min");
	refuses(&duration, "0.1ns", EINVAL, "nanoseconds", "0.1ns");
	refuses(&rate, "48 kB", EINVAL, "kB", "Hz");
}

static void refuses_bad_numbers(void **state)
{
	static const char *const bad[] = { "nan", "inf", "-inf", "infinity", "0x1p3", "1e", ".", "-",
		"1,5", "2 apples", "--1" };
	struct param integer = param_of(BB_INTEGER), number = param_of(BB_NUMBER);

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		refuses(&number, bad[i], EINVAL, bad[i], "2.5");
	refuses(&number, "1e999", ERANGE, "too large", "p:");
	refuses(&integer, "1.5", EINVAL, "whole", "0x40");
	refuses(&integer, "9223372036854775808", ERANGE, "64 bits", "p:");
	refuses(&integer, "0x", EINVAL, "behind", "0x");
	refuses(&integer, "12 dB", EINVAL, "behind", "12 dB");
	refuses(&integer, "", EINVAL, "empty", "p:");
}

static void refuses_wrong_words(void **state)
{
	struct param flag = param_of(BB_FLAG), choice = param_of(BB_CHOICE);
	struct param text = param_of(BB_TEXT);

	refuses(&flag, "maybe", EINVAL, "maybe", "on or off");
	refuses(&choice, "wirte", EINVAL, "did you mean \"write\"", "write, read, copy");
	refuses(&choice, "Read", EINVAL, "did you mean \"read\"", "write, read, copy");
	refuses(&choice, "erase", EINVAL, "erase", "write, read, copy");
	refuses(&choice, "", EINVAL, "no choice", "write, read, copy");
	refuses(&text, "a\nb", EINVAL, "control character", "a?b");
}

static void long_lists_of_choices_end(void **state)
{
	char names[500][16], *choices[501] = { NULL };
	struct param choice = { .name = "p", .type = BB_CHOICE, .choices = choices };

	for (size_t i = 0; i < 500; i++) {
		snprintf(names[i], sizeof(names[i]), "choice-%zu", i);
		choices[i] = names[i];
	}
	refuses(&choice, "x", EINVAL, "choice-1, ", "500 in all");
}

static void refuses_what_is_out_of_range(void **state)
{
	struct param size = param_of(BB_SIZE), integer = param_of(BB_INTEGER);
	struct param duration = param_of(BB_DURATION), number = param_of(BB_NUMBER);
	struct value value;

	size.minimum = 4096;
	size.maximum = 1 << 30;
	refuses(&size, "4095", ERANGE, "4096", "1 GiB");
	assert_int_equal(value_parse(&size, "4096", &value, NULL), 0);
	assert_int_equal(value_parse(&size, "1G", &value, NULL), 0);
	refuses(&size, "1073741825", ERANGE, "4096", "1 GiB");
	integer.minimum = -5;
	refuses(&integer, "1", ERANGE, "-5", "0");
	refuses(&integer, "-6", ERANGE, "-5", "0");
	duration.minimum = 1e3;
	duration.maximum = 1.5e9;
	refuses(&duration, "1ns", ERANGE, "1 us", "1500 ms");
	number.unit = "V";
	number.minimum = -INFINITY;
	number.maximum = 1.8;
	refuses(&number, "1.9", ERANGE, "at most", "1.8 V");
	assert_int_equal(value_parse(&number, "-1e300", &value, NULL), 0);
	number.minimum = 0.5;
	number.maximum = INFINITY;
	refuses(&number, "0.4", ERANGE, "at least", "0.5 V");
}

static void prints(enum bb_type type, const char *unit, uint64_t natural, const char *people,
	const char *plain)
{
	struct param param = param_of(type);
	struct value value = { .type = type, .natural = natural };

	param.unit = (char *)unit;
	_autofree_ char *for_people = value_format(&param, &value);
	_autofree_ char *for_files = value_format_plain(&param, &value);

	assert_string_equal(for_people, people);
	assert_string_equal(for_files, plain);
}

static void prints_for_people_and_files(void **state)
{
	prints(BB_SIZE, NULL, 1048576, "1 MiB", "1MiB");
	prints(BB_SIZE, NULL, UINT64_C(3) << 30, "3 GiB", "3GiB");
	prints(BB_SIZE, NULL, 262144, "262144", "262144");
	prints(BB_SIZE, NULL, 1572864, "1572864", "1572864");
	prints(BB_SIZE, NULL, 0, "0", "0");
	prints(BB_DURATION, NULL, 500000, "500 us", "500us");
	prints(BB_DURATION, NULL, 1500000000, "1500 ms", "1500ms");
	prints(BB_DURATION, NULL, UINT64_C(120000000000), "120 s", "120s");
	prints(BB_DURATION, NULL, 1000001, "1000001 ns", "1000001ns");
	prints(BB_RATE, "Hz", 48000, "48000 Hz", "48000");
	prints(BB_RATE, NULL, 48000, "48000", "48000");
}

/* xorshift64*: the same numbers in every run. */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * UINT64_C(2685821657736338717);
}

static void make_random(enum bb_type type, uint64_t *seed, struct value *value, char *text)
{
	static const uint64_t factors[] = { 1, 1000, 1 << 20, 1 << 30, 1000000, 1000000000 };
	uint64_t random = next_random(seed);

	*value = (struct value){ .type = type };
	if (type == BB_FLAG)
		value->flag = random & 1;
	else if (type == BB_CHOICE)
		value->choice = (int32_t)(random % 3);
	else if (type == BB_INTEGER)
		value->integer = (int64_t)(random >> random % 64);
	else if (type == BB_NUMBER)
		memcpy(&value->number, &random, sizeof(random));
	else if (type == BB_TEXT || type == BB_PATH) {
		/* printable and beyond ASCII, no blank at the ends */
		for (int i = 0; i < 8; i++)
			text[i] = (char)(0x21 + (random >> 8 * i & 0xff) % 0x5e);
		text[3] = (char)(0x80 | random >> 57);
		text[8] = '\0';
		value->text = text;
	} else {
		value->natural = (random >> random % 64) % (UINT64_MAX / factors[random % 6]) *
			factors[random % 6];
	}
}

static void what_is_printed_is_read_back(void **state)
{
	uint64_t seed = 20261201;
	char text[16];

	for (enum bb_type type = BB_FLAG; type <= BB_PATH; type++) {
		struct param param = param_of(type);

		for (int i = 0; i < 3000; i++) {
			struct value value, people = { 0 }, plain = { 0 };

			param.unit = i & 1 ? "Hz" : NULL;
			make_random(type, &seed, &value, text);
			if (type == BB_NUMBER && !isfinite(value.number))
				continue;
			_autofree_ char *for_people = value_format(&param, &value);
			_autofree_ char *for_files = value_format_plain(&param, &value);

			assert_int_equal(value_parse(&param, for_people, &people, NULL), 0);
			assert_int_equal(value_parse(&param, for_files, &plain, NULL), 0);
			assert_true(value_equal(&value, &people));
			assert_true(value_equal(&value, &plain));
			value_finish(&people);
			value_finish(&plain);
		}
	}
}

struct config {
	char before;
	bool flag;
	int64_t integer;
	double number;
	uint64_t size;
	int32_t choice;
	const char *path;
	char after;
};

static void store(enum bb_type type, size_t offset, const char *text, struct value *value,
	struct config *config)
{
	struct param param = param_of(type);

	param.offset = (uint32_t)offset;
	assert_int_equal(value_parse(&param, text, value, NULL), 0);
	value_store(&param, value, config);
}

static void stores_into_the_configuration(void **state)
{
	struct config config = { .before = 'b', .after = 'a' };
	struct value value, path;

	store(BB_FLAG, offsetof(struct config, flag), "on", &value, &config);
	store(BB_INTEGER, offsetof(struct config, integer), "-3", &value, &config);
	store(BB_NUMBER, offsetof(struct config, number), "2.5", &value, &config);
	store(BB_SIZE, offsetof(struct config, size), "8G", &value, &config);
	store(BB_CHOICE, offsetof(struct config, choice), "read", &value, &config);
	store(BB_PATH, offsetof(struct config, path), "/dev/mmcblk0", &path, &config);
	assert_int_equal(config.before, 'b');
	assert_true(config.flag);
	assert_int_equal(config.integer, -3);
	assert_true(config.number == 2.5);
	assert_true(config.size == UINT64_C(8) << 30);
	assert_int_equal(config.choice, 1);
	assert_string_equal(config.path, "/dev/mmcblk0");
	assert_int_equal(config.after, 'a');
	value_finish(&path);
}

static void copies_are_their_own(void **state)
{
	struct param param = param_of(BB_TEXT);
	struct value value, copy;

	assert_int_equal(value_parse(&param, "a, b", &value, NULL), 0);
	value_copy(&copy, &value);
	assert_true(value_equal(&copy, &value));
	value_finish(&value);
	assert_string_equal(copy.text, "a, b");
	assert_false(value_equal(&copy, &value));
	value_finish(&copy);
}

static void reads_durations_of_options(void **state)
{
	struct error error = { 0 };
	uint64_t ns = 5;

	assert_int_equal(duration_parse("10", &ns, &error), 0);
	assert_true(ns == UINT64_C(10000000000));
	assert_int_equal(duration_parse(" 0.5 ", &ns, &error), 0);
	assert_true(ns == 500000000);
	assert_int_equal(duration_parse("2 min", &ns, &error), 0);
	assert_true(ns == UINT64_C(120000000000));
	assert_int_equal(duration_parse("soon", &ns, &error), -EINVAL);
	assert_non_null(strstr(error.text, "soon"));
	assert_true(ns == UINT64_C(120000000000));
	assert_int_equal(duration_parse("", &ns, NULL), -EINVAL);
	assert_int_equal(duration_parse("-1s", &ns, NULL), -EINVAL);
	assert_int_equal(duration_parse("99999999999s", &ns, NULL), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_sizes),
		cmocka_unit_test(reads_durations),
		cmocka_unit_test(reads_rates),
		cmocka_unit_test(reads_the_other_types),
		cmocka_unit_test(refuses_bad_quantities),
		cmocka_unit_test(refuses_bad_numbers),
		cmocka_unit_test(refuses_wrong_words),
		cmocka_unit_test(long_lists_of_choices_end),
		cmocka_unit_test(refuses_what_is_out_of_range),
		cmocka_unit_test(prints_for_people_and_files),
		cmocka_unit_test(what_is_printed_is_read_back),
		cmocka_unit_test(stores_into_the_configuration),
		cmocka_unit_test(copies_are_their_own),
		cmocka_unit_test(reads_durations_of_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
