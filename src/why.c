/* SPDX-License-Identifier: MIT */
/* "Why slow": goes through what can hold a result down, and keeps the likeliest reason. */
#include "why.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "text.h"

#define CORE_FULL 95.0       /* per cent of one CPU from which it is the limit */
#define LINK_FULL 85.0       /* per cent of the link: protocols take the rest */
#define INTERRUPTS_MANY 30.0 /* per cent of all CPUs */
#define STEAL_MUCH 2.0
#define OTHERS_MUCH 10.0     /* per cent of one CPU */
#define CLOCK_LOW 0.99       /* of the highest */

/* The heavier the likelier; the heaviest makes the conclusion. */
enum weight { WEIGHT_NONE, WEIGHT_HINT, WEIGHT_MODE, WEIGHT_LINK, WEIGHT_CORE, WEIGHT_INTERRUPTS,
	WEIGHT_OTHERS, WEIGHT_STEAL, WEIGHT_MOUNT, WEIGHT_CLOCK, WEIGHT_HEAT, WEIGHT_KERNEL,
	WEIGHT_CACHED, WEIGHT_NOT_MEASURED };

struct why {
	const struct result *result;
	struct findings *findings;
	enum weight weight;
	char *reason;
};

__attribute__((format(printf, 3, 4))) static void blame(
	struct why *why, enum weight weight, const char *format, ...)
{
	va_list arguments;
	char *reason = NULL;
	if (weight <= why->weight)
		return;
	va_start(arguments, format);
	if (vasprintf(&reason, format, arguments) < 0)
		reason = mem_strdup("");
	va_end(arguments);
	free(why->reason);
	why->reason = reason;
	why->weight = weight;
}

static const char *fact(const struct why *why, const char *key)
{
	return settings_get(&why->result->environment, key);
}

static double fact_number(const struct why *why, const char *key, double otherwise)
{
	const char *text = fact(why, key);
	char *end;
	double number = text ? strtod(text, &end) : otherwise;
	return text && end == text ? otherwise : number;
}

static void check_measured(struct why *why)
{
	const struct result *result = why->result;
	struct text line = { 0 };
	const struct metric_result *metric = result_metric(result, NULL);
	if (!metric) {
		const char *error = result->error ? result->error : "no reason was given";
		findings_add(why->findings, VERDICT_BAD, "measured", NULL, "nothing (%s): %s",
			result_state_name(result->state), error);
		blame(why, WEIGHT_NOT_MEASURED, "nothing was measured, so nothing can be said of its speed: %s.",
			error);
		return;
	}
	text_add(&line, "%s %.2f %s", metric->name, metric->value, metric->unit ? metric->unit : "");
	if (metric->samples > 1)
		text_add(&line, " (%.2f .. %.2f)", metric->min, metric->max);
	for (size_t i = 0; i < result->params_len; i++)
		if (result->params[i].text && result->params[i].text[0])
			text_add(&line, ", %s %s", result->params[i].name, result->params[i].text);
	findings_add(why->findings, result->state == RESULT_OK ? VERDICT_FINE : VERDICT_WARNING,
		"measured", NULL, "%s", line.data);
	text_finish(&line);
}

static void check_link(struct why *why)
{
	const char *link = fact(why, "link");
	double limit = fact_number(why, "link_limit", 0);
	const struct metric_result *metric = result_metric(why->result, NULL);
	if (!link && limit <= 0)
		return;
	bool comparable = limit > 0 && metric && metric->unit && strcmp(metric->unit, "MB/s") == 0;
	if (!comparable) {
		findings_add(why->findings, VERDICT_NOTE, "link", NULL, "%s", link ? link : "unknown");
		return;
	}
	double used = 100 * metric->value / limit;
	enum verdict verdict = used > 100 ? VERDICT_BAD : used >= LINK_FULL ? VERDICT_WARNING : VERDICT_FINE;
	findings_add(why->findings, verdict, "link", used > 100 ? "look whether the bytes reached the device"
		: used >= LINK_FULL ? "only a faster link helps" : NULL,
		"%s carries %.1f MB/s, %.0f %% used", link ? link : "it", limit, used);
	if (used > 100)
		blame(why, WEIGHT_CACHED, "the figure is above what the link can carry: a cache was measured.");
	else if (used >= LINK_FULL)
		blame(why, WEIGHT_LINK, "the link: %.0f %% of the %.1f MB/s that it carries were used.",
			used, limit);
}

static void check_mount(struct why *why)
{
	const char *options = fact(why, "mount_options");
	if (!options)
		return;
	_autofree_ char *copy = mem_strdup(options);
	bool synchronous = false;
	for (char *rest = copy, *option; (option = strsep(&rest, ","));)
		synchronous |= strcmp(option, "sync") == 0;
	findings_add(why->findings, synchronous ? VERDICT_BAD : VERDICT_FINE, "mount",
		synchronous ? "mount -o remount,async" : NULL, "%s", options);
	if (synchronous)
		blame(why, WEIGHT_MOUNT, "the filesystem is mounted with the option sync: every write waits "
			"for the medium. Mount it async.");
}

static void check_mode(struct why *why)
{
	const struct result_param *mode = result_param(why->result, "mode");
	if (!mode || !mode->text)
		return;
	bool waits = strcmp(mode->text, "sync") == 0 || strcmp(mode->text, "dsync") == 0;
	findings_add(why->findings, waits ? VERDICT_WARNING : VERDICT_FINE, "mode",
		waits ? "larger buffers cost fewer waits" : NULL, "%s%s", mode->text,
		waits ? ": every call waits for the medium" : "");
	if (waits)
		blame(why, WEIGHT_MODE, "the mode %s: every call waits until the medium has the data. Use larger "
			"buffers, or the mode buffered.", mode->text);
}

static void check_clock(struct why *why)
{
	const char *governor = fact(why, "governor");
	double mhz = fact_number(why, "cpu_mhz", 0), max = fact_number(why, "cpu_mhz_max", 0);
	if (mhz <= 0 && !governor)
		return;
	bool low = mhz > 0 && max > 0 && mhz < CLOCK_LOW * max;
	struct text line = { 0 };
	if (mhz > 0)
		text_add(&line, "%.0f MHz%s", mhz, governor ? ", " : "");
	if (governor)
		text_add(&line, "governor %s", governor);
	if (low)
		text_add(&line, "; it can do %.0f MHz", max);
	findings_add(why->findings, low ? VERDICT_WARNING : VERDICT_FINE, "clock",
		low ? "set the governor to performance" : NULL, "%s", line.data);
	text_finish(&line);
	if (low)
		blame(why, WEIGHT_CLOCK, "the clock: the processor ran at %.0f of %.0f MHz%s%s. Set the governor "
			"to performance.", mhz, max, governor ? ", governor " : "", governor ? governor : "");
}

static void check_temperature(struct why *why)
{
	double celsius = fact_number(why, "temperature_c", -1000), trip = fact_number(why, "trip_c", 1000);
	if (celsius <= -1000)
		return;
	bool hot = celsius >= trip;
	if (trip < 1000)
		findings_add(why->findings, hot ? VERDICT_BAD : VERDICT_FINE, "temperature",
			hot ? "cool the board" : NULL, "%.1f C, first trip %.1f C", celsius, trip);
	else
		findings_add(why->findings, VERDICT_FINE, "temperature", NULL, "%.1f C, no trip point known",
			celsius);
	if (hot)
		blame(why, WEIGHT_HEAT, "heat: at %.1f C, the trip point is %.1f C, the kernel slows the board "
			"down. Cool it.", celsius, trip);
}

static void check_cpu(struct why *why)
{
	const struct cpu_load *cpu = &why->result->cpu;
	if (!cpu->valid) {
		findings_add(why->findings, VERDICT_NOTE, "CPU", "measure longer",
			"load unknown: too short, or /proc/stat could not be read");
		return;
	}
	uint32_t busiest = 0;
	for (uint32_t i = 1; i < cpu->cpus_len && i < CPU_MAX; i++)
		if (cpu->cpus[i] > cpu->cpus[busiest])
			busiest = i;
	double most = cpu->cpus_len > 0 ? (double)cpu->cpus[busiest] : cpu->load;
	bool full = most > CORE_FULL;
	if (full)
		findings_add(why->findings, VERDICT_WARNING, "CPU", "less work per byte, or spread it over cores",
			"%.1f %% of all; CPU %u is full (%.0f %%)", cpu->load, busiest, most);
	else
		findings_add(why->findings, VERDICT_FINE, "CPU", NULL,
			"%.1f %% of all; busiest: CPU %u with %.0f %%, none full", cpu->load, busiest, most);
	if (full)
		blame(why, WEIGHT_CORE, "the processor: CPU %u was full (%.0f %%), all together %.1f %%.", busiest,
			most, cpu->load);
}

static void check_interrupts(struct why *why)
{
	const struct cpu_load *cpu = &why->result->cpu;
	if (!cpu->valid)
		return;
	double share = cpu->irq + cpu->softirq;
	bool many = share > INTERRUPTS_MANY;
	findings_add(why->findings, many ? VERDICT_WARNING : VERDICT_FINE, "interrupts",
		many ? "coalesce interrupts, or spread them over the CPUs" : NULL,
		"%.1f %% of all CPUs (hard %.1f, soft %.1f)", share, cpu->irq, cpu->softirq);
	if (many)
		blame(why, WEIGHT_INTERRUPTS, "interrupts: %.1f %% of all CPUs went into them.", share);
	if (cpu->steal > STEAL_MUCH) {
		findings_add(why->findings, VERDICT_WARNING, "steal", "measure on a machine that is not shared",
			"%.1f %% were taken by the host of this virtual machine", cpu->steal);
		blame(why, WEIGHT_STEAL, "other guests: the host of this virtual machine took %.1f %% of the "
			"CPUs.", cpu->steal);
	}
}

/* "name 12.3 %": the name may hold blanks. */
static void check_others(struct why *why)
{
	const char *busiest = fact(why, "busiest_process");
	if (!busiest || busiest[0] == '\0') {
		findings_add(why->findings, VERDICT_FINE, "others", NULL, "no other process was seen busy");
		return;
	}
	_autofree_ char *copy = mem_strdup(busiest);
	char *percent = strrchr(copy, '%');
	if (percent) {
		*percent = '\0';
		text_trim(copy);
	}
	char *number = strrchr(copy, ' ');
	double share = percent && number ? strtod(number, NULL) : 0;
	bool much = share > OTHERS_MUCH;
	findings_add(why->findings, much ? VERDICT_WARNING : VERDICT_FINE, "others",
		much ? "stop it while measuring" : NULL, "%s of one CPU", busiest);
	if (much)
		blame(why, WEIGHT_OTHERS, "another process: %s of one CPU. Stop it while measuring.", busiest);
}

static void check_device(struct why *why)
{
	const char *device = fact(why, "device");
	double moved = fact_number(why, "bytes_moved", 0);
	double reached = fact_number(why, "device_bytes", -1);
	if (moved <= 0 || reached < 0) {
		if (device)
			findings_add(why->findings, VERDICT_NOTE, "device", NULL,
				"%s; it is not known how many bytes reached it", device);
		return;
	}
	/* Journals and directories add to what the device counts, so more is no fault. */
	bool proved = reached >= 0.95 * moved;
	findings_add(why->findings, proved ? VERDICT_FINE : VERDICT_BAD, "device",
		proved ? NULL : "mode=direct, or a larger file", "%s%s%.0f bytes moved, the device counted %.0f: %s",
		device ? device : "", device ? ": " : "", moved, reached, proved ? "proved" : "a cache was measured");
	if (!proved)
		blame(why, WEIGHT_CACHED, "a cache: only %.0f %% of the bytes reached the device, so this is not "
			"its speed.", 100 * reached / moved);
}

static void check_messages(struct why *why)
{
	char **messages = why->result->kernel_messages;
	size_t count = 0;
	while (messages && messages[count])
		count++;
	if (count == 0) {
		findings_add(why->findings, VERDICT_FINE, "kernel", NULL,
			"no message during the measurement");
		return;
	}
	for (size_t i = 0; i < count; i++)
		findings_add(why->findings, VERDICT_WARNING, "kernel", NULL, "%s", messages[i]);
	blame(why, WEIGHT_KERNEL, "something that the kernel reported meanwhile: \"%s\"%s", messages[0],
		count > 1 ? " and more." : ".");
}

static void check_notes(struct why *why)
{
	char **notes = why->result->notes;
	bool suspect = why->result->state == RESULT_SUSPECT;
	for (size_t i = 0; notes && notes[i]; i++)
		findings_add(why->findings, suspect ? VERDICT_WARNING : VERDICT_NOTE, "note", NULL, "%s",
			notes[i]);
	/* A note alone tells no cause as surely as the checks above. */
	if (suspect && notes && notes[0])
		blame(why, WEIGHT_HINT, "what spoiled the measurement: %s.", notes[0]);
}

static char *conclude(struct why *why)
{
	const char *device = fact(why, "device");
	const struct cpu_load *cpu = &why->result->cpu;
	if (why->reason)
		return text_printf("Most likely: %s", why->reason);
	if (device && cpu->valid)
		return text_printf("Most likely: the device itself (%s). No core was full (%.1f %% of all, "
			"%.1f %% waiting for it), and nothing else was found that held it back.", device,
			cpu->load, cpu->iowait);
	if (device)
		return text_printf("Most likely: the device itself (%s). Nothing else was found that held it "
			"back, but the CPU load is not known.", device);
	return mem_strdup("Nothing was found that held it back: this is what the machine does.");
}

void why_slow(const struct result *result, struct findings *findings, char **conclusion)
{
	static void (*const checks[])(struct why *) = { check_measured, check_link, check_mount, check_mode,
		check_clock, check_temperature, check_cpu, check_interrupts, check_others, check_device,
		check_messages, check_notes };
	struct why why = { .result = result, .findings = findings };
	for (size_t i = 0; i < ARRAY_LEN(checks); i++)
		checks[i](&why);
	*conclusion = conclude(&why);
	free(why.reason);
}
