/* SPDX-License-Identifier: MIT */
/* Clock, governor, temperature and throttling around a measurement, and the facts of the machine. */
#include "environment.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "cpu.h"
#include "file.h"
#include "mem.h"
#include "text.h"

#define CPU_DIRECTORY "/sys/devices/system/cpu"
#define CLOCK_TOLERANCE 0.01 /* of the clock: less is the rounding of the driver */

struct clock_sums {
	double mhz, max, limit;
	unsigned mhz_len, max_len, limit_len;
};

static void add_khz(const char *root, int cpu, const char *name, double *sum, unsigned *len)
{
	long long khz = file_read_number(root, 0, CPU_DIRECTORY "/cpu%d/cpufreq/%s", cpu, name);
	if (khz <= 0)
		return;
	*sum += (double)khz / 1000;
	++*len;
}

static void read_governor(const char *root, int cpu, struct environment *environment)
{
	_autofree_ char *governor =
		file_read_line(root, CPU_DIRECTORY "/cpu%d/cpufreq/scaling_governor", cpu);
	if (!governor || governor[0] == '\0')
		return;
	bool mixed = environment->governor[0] != '\0' && strcmp(environment->governor, governor) != 0;
	snprintf(environment->governor, sizeof(environment->governor), "%s", mixed ? "mixed" : governor);
}

/* Lines of "kHz ticks": how long the CPU ran at each clock, since the start or the last reset. */
static void read_time_in_state(const char *root, int cpu, struct environment *environment)
{
	_autofree_ char *text =
		file_read(root, CPU_DIRECTORY "/cpu%d/cpufreq/stats/time_in_state", cpu);
	for (const char *line = text; line && *line;) {
		double khz, ticks;
		if (sscanf(line, "%lf %lf", &khz, &ticks) == 2 && khz > 0 && ticks > 0) {
			environment->mhz_mean_base += khz / 1000 * ticks;
			environment->mhz_ticks_base += ticks;
		}
		line = strchr(line, '\n');
		if (line)
			line++;
	}
}

static void read_cpus(const char *root, struct environment *environment)
{
	_autofree_ int *cpus = NULL;
	size_t len;
	struct clock_sums sums = { 0 };
	if (cpu_list_parse(root, "all", &cpus, &len, NULL) < 0)
		return;
	environment->cpus = (unsigned)len;
	for (size_t i = 0; i < len; i++) {
		int cpu = cpus[i];
		read_governor(root, cpu, environment);
		add_khz(root, cpu, "scaling_cur_freq", &sums.mhz, &sums.mhz_len);
		add_khz(root, cpu, "cpuinfo_max_freq", &sums.max, &sums.max_len);
		add_khz(root, cpu, "scaling_max_freq", &sums.limit, &sums.limit_len);
		read_time_in_state(root, cpu, environment);
		long long core = file_read_number(root, 0,
			CPU_DIRECTORY "/cpu%d/thermal_throttle/core_throttle_count", cpu);
		long long package = file_read_number(root, 0,
			CPU_DIRECTORY "/cpu%d/thermal_throttle/package_throttle_count", cpu);
		environment->throttle_count += (uint64_t)(core > 0 ? core : 0);
		environment->throttle_count += (uint64_t)(package > 0 ? package : 0);
	}
	environment->cpu_mhz = sums.mhz_len > 0 ? sums.mhz / sums.mhz_len : 0;
	environment->cpu_mhz_max = sums.max_len > 0 ? sums.max / sums.max_len : 0;
	environment->cpu_mhz_limit = sums.limit_len > 0 ? sums.limit / sums.limit_len : 0;
}

/* The lowest trip point at which the kernel slows something down. */
static double read_trip(const char *root, const char *zone)
{
	double trip = NAN;
	for (int i = 0; i < 16; i++) {
		_autofree_ char *type =
			file_read_line(root, "/sys/class/thermal/%s/trip_point_%d_type", zone, i);
		if (!type)
			break;
		if (strcmp(type, "passive") != 0 && strcmp(type, "hot") != 0)
			continue;
		long long milli = file_read_number(root, 0,
			"/sys/class/thermal/%s/trip_point_%d_temp", zone, i);
		if (milli > 0 && !((double)milli / 1000 >= trip))
			trip = (double)milli / 1000;
	}
	return trip;
}

static void read_zone(const char *root, const char *zone, struct environment *environment)
{
	const long long none = -1000000;
	long long milli = file_read_number(root, none, "/sys/class/thermal/%s/temp", zone);
	/* A sensor that is off gives 0, absolute zero or a full register. */
	if (milli == none || milli == 0 || milli < -60000 || milli > 250000)
		return;
	double celsius = (double)milli / 1000;
	if (celsius <= environment->temperature_c)
		return;
	environment->temperature_c = celsius;
	environment->trip_c = read_trip(root, zone);
}

/* Fans, lamps and limits that the firmware set cool without slowing anything that is measured. */
static bool slows_nothing(const char *type)
{
	static const char *const harmless[] = { "fan", "backlight", "LCD", "TCC Offset" };
	for (size_t i = 0; i < ARRAY_LEN(harmless); i++)
		if (strcasestr(type, harmless[i]))
			return true;
	return false;
}

static void read_cooling(const char *root, const char *device, struct environment *environment)
{
	if (file_read_number(root, 0, "/sys/class/thermal/%s/cur_state", device) <= 0)
		return;
	_autofree_ char *type = file_read_line(root, "/sys/class/thermal/%s/type", device);
	if (!type || !slows_nothing(type))
		environment->cooling = true;
}

static void read_thermal(const char *root, struct environment *environment)
{
	_autofree_ char *path = text_printf("%s/sys/class/thermal", root);
	DIR *directory = opendir(path);
	environment->temperature_c = environment->trip_c = NAN;
	if (!directory)
		return;
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (text_starts(entry->d_name, "thermal_zone"))
			read_zone(root, entry->d_name, environment);
		else if (text_starts(entry->d_name, "cooling_device"))
			read_cooling(root, entry->d_name, environment);
	}
	closedir(directory);
}

void environment_read(const char *root, struct environment *environment)
{
	struct timespec now;
	*environment = (struct environment){ 0 };
	clock_gettime(CLOCK_MONOTONIC, &now);
	environment->time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	read_cpus(root, environment);
	read_thermal(root, environment);
}

/* ---- facts ---- */

/* Value of the first line "KEY <blanks>: value" of /proc/cpuinfo; the caller's to free. */
static char *cpuinfo_value(const char *cpuinfo, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = cpuinfo; line && *line;) {
		const char *end = strchrnul(line, '\n'), *colon = memchr(line, ':', (size_t)(end - line));
		if (colon && strncmp(line, key, length) == 0 &&
			strspn(line + length, " \t") == (size_t)(colon - line) - length) {
			_autofree_ char *value = mem_strndup(colon + 1, (size_t)(end - colon - 1));
			return mem_strdup(text_trim(value));
		}
		line = *end ? end + 1 : NULL;
	}
	return NULL;
}

/* 64-bit ARM gives numbers only. From the ID register descriptions in the cores' manuals. */
static const struct {
	int part;
	const char *name;
} arm_parts[] = {
	{ 0x926, "ARM926" }, { 0xb76, "ARM1176" }, { 0xc05, "Cortex-A5" }, { 0xc07, "Cortex-A7" },
	{ 0xc08, "Cortex-A8" }, { 0xc09, "Cortex-A9" }, { 0xc0d, "Cortex-A17" }, { 0xc0f, "Cortex-A15" },
	{ 0xd01, "Cortex-A32" }, { 0xd03, "Cortex-A53" }, { 0xd04, "Cortex-A35" },
	{ 0xd05, "Cortex-A55" }, { 0xd07, "Cortex-A57" }, { 0xd08, "Cortex-A72" },
	{ 0xd09, "Cortex-A73" }, { 0xd0a, "Cortex-A75" }, { 0xd0b, "Cortex-A76" },
	{ 0xd0c, "Neoverse-N1" }, { 0xd41, "Cortex-A78" },
};

static char *arm_model(const char *cpuinfo)
{
	_autofree_ char *implementer = cpuinfo_value(cpuinfo, "CPU implementer");
	_autofree_ char *part = cpuinfo_value(cpuinfo, "CPU part");
	if (!implementer || !part)
		return NULL;
	long number = strtol(part, NULL, 16);
	for (size_t i = 0; strtol(implementer, NULL, 16) == 0x41 && i < ARRAY_LEN(arm_parts); i++)
		if (arm_parts[i].part == number)
			return mem_strdup(arm_parts[i].name);
	return text_printf("implementer %s part %s", implementer, part);
}

static char *cpu_model(const char *root)
{
	static const char *const keys[] = { "model name", "cpu model", "uarch", "cpu", "Processor" };
	_autofree_ char *cpuinfo = file_read(root, "/proc/cpuinfo");
	char *model = cpuinfo ? arm_model(cpuinfo) : NULL;
	for (size_t i = 0; cpuinfo && !model && i < ARRAY_LEN(keys); i++)
		model = cpuinfo_value(cpuinfo, keys[i]);
	return model;
}

static void set_fact(struct settings *facts, const char *key, const char *value)
{
	if (value && value[0] != '\0')
		settings_set(facts, key, value);
}

static void set_number(struct settings *facts, const char *key, int digits, double value)
{
	char text[400]; /* the largest double has 309 digits before the point */
	snprintf(text, sizeof(text), "%.*f", digits, value);
	settings_set(facts, key, text);
}

static const char *preemption(const char *version)
{
	static const char *const kinds[] = { "PREEMPT_RT", "PREEMPT RT", "PREEMPT_DYNAMIC", "PREEMPT" };
	for (size_t i = 0; version && i < ARRAY_LEN(kinds); i++)
		if (strstr(version, kinds[i]))
			return i == 1 ? kinds[0] : kinds[i];
	return version ? "none" : NULL;
}

static void kernel_facts(const char *root, struct settings *facts)
{
	_autofree_ char *kernel = file_read_line(root, "/proc/sys/kernel/osrelease");
	_autofree_ char *version = file_read_line(root, "/proc/version");
	_autofree_ char *machine = file_read_line(root, "/proc/sys/kernel/arch"); /* since 6.1 */
	_autofree_ char *source = file_read_line(root,
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	_autofree_ char *console = file_read_line(root, "/sys/class/tty/console/active");
	_autofree_ char *model = file_read_line(root, "/proc/device-tree/model");
	char release[64];
	struct utsname name;
	bool live = root[0] == '\0' && uname(&name) == 0;
	if (!kernel && version && sscanf(version, "Linux version %63s", release) == 1)
		kernel = mem_strdup(release);
	set_fact(facts, "kernel", kernel ? kernel : live ? name.release : NULL);
	set_fact(facts, "machine", machine ? machine : live ? name.machine : NULL);
	set_fact(facts, "model", model);
	set_fact(facts, "preempt", preemption(version));
	set_fact(facts, "clocksource", source);
	set_fact(facts, "console", console);
}

void environment_facts(const char *root, struct settings *facts)
{
	struct environment now;
	kernel_facts(root, facts);
	_autofree_ char *model = cpu_model(root);
	set_fact(facts, "cpu_model", model);
	environment_read(root, &now);
	if (now.cpus > 0)
		set_number(facts, "cpus", 0, now.cpus);
	set_number(facts, "hz", 0, (double)sysconf(_SC_CLK_TCK));
	set_fact(facts, "governor", now.governor);
	if (now.cpu_mhz > 0)
		set_number(facts, "cpu_mhz", 0, now.cpu_mhz);
	if (now.cpu_mhz_max > 0)
		set_number(facts, "cpu_mhz_max", 0, now.cpu_mhz_max);
	if (!isnan(now.temperature_c))
		set_number(facts, "temperature_c", 1, now.temperature_c);
	if (!isnan(now.trip_c))
		set_number(facts, "trip_c", 1, now.trip_c);
	set_fact(facts, "boardbench", BB_VERSION);
	set_fact(facts, "compiler", BB_COMPILER);
}

/* ---- what spoils a measurement ---- */

static bool differs(double a, double b)
{
	return a > 0 && b > 0 && fabs(a - b) > CLOCK_TOLERANCE * b;
}

/* The true mean clock of the interval. It moved when that is neither the highest that is allowed nor
 * what was read at both ends: a clock that someone set lower on purpose stands still as well. */
static void judge_mean_clock(const struct environment *before, const struct environment *after,
	double ticks, struct findings *findings)
{
	double mean = (after->mhz_mean_base - before->mhz_mean_base) / ticks;
	bool stood = before->cpu_mhz > 0 && !differs(mean, before->cpu_mhz) &&
		!differs(after->cpu_mhz, before->cpu_mhz);
	if (differs(mean, before->cpu_mhz_limit) && !stood)
		findings_add(findings, VERDICT_WARNING, "clock", "set the governor to performance",
			"the clock moved: %.0f MHz on the mean of %.0f MHz allowed (%.0f %%)", mean,
			before->cpu_mhz_limit, 100 * mean / before->cpu_mhz_limit);
}

static void judge_clock(const struct environment *before, const struct environment *after,
	struct findings *findings)
{
	if (before->cpus != after->cpus) {
		findings_add(findings, VERDICT_WARNING, "cpus", "keep the number of CPUs while measuring",
			"%u CPUs were online before and %u after", before->cpus, after->cpus);
		return; /* sums over other CPUs: not comparable */
	}
	if (differs(after->cpu_mhz_limit, before->cpu_mhz_limit))
		findings_add(findings, VERDICT_WARNING, "clock", "see what lowers scaling_max_freq",
			"the highest clock allowed changed from %.0f to %.0f MHz",
			before->cpu_mhz_limit, after->cpu_mhz_limit);
	double ticks = after->mhz_ticks_base - before->mhz_ticks_base;
	/* Fewer ticks than these: one of them is more than the tolerance is worth. */
	if (before->mhz_ticks_base > 0 && ticks >= CPU_TICKS_MIN)
		judge_mean_clock(before, after, ticks, findings);
	else if (differs(after->cpu_mhz, before->cpu_mhz))
		findings_add(findings, VERDICT_WARNING, "clock", "set the governor to performance",
			"the clock moved from %.0f to %.0f MHz (%+.0f %%)", before->cpu_mhz,
			after->cpu_mhz, 100 * (after->cpu_mhz / before->cpu_mhz - 1));
}

static void judge_heat(const struct environment *before, const struct environment *after,
	struct findings *findings)
{
	static const char *const cool = "cool the board, or wait between the cases";
	if (after->throttle_count > before->throttle_count)
		findings_add(findings, VERDICT_WARNING, "throttling", cool,
			"the processor was throttled: its counters rose by %llu",
			(unsigned long long)(after->throttle_count - before->throttle_count));
	if (before->cooling || after->cooling)
		findings_add(findings, VERDICT_WARNING, "throttling", cool,
			"the kernel was slowing something down to cool it %s (a cooling device is above "
			"state 0)", before->cooling && after->cooling ? "all the time"
			: before->cooling ? "at the start" : "at the end");
	const struct environment *hotter = before->temperature_c > after->temperature_c ? before : after;
	if (hotter->temperature_c >= hotter->trip_c)
		findings_add(findings, VERDICT_WARNING, "temperature", cool,
			"%.1f C, %.1f above the trip point of %.1f C", hotter->temperature_c,
			hotter->temperature_c - hotter->trip_c, hotter->trip_c);
}

void environment_judge(const struct environment *before, const struct environment *after,
	struct findings *findings)
{
	if (strcmp(before->governor, after->governor) != 0)
		findings_add(findings, VERDICT_WARNING, "governor", "let nothing change the governor",
			"the governor changed from %s to %s",
			before->governor[0] ? before->governor : "none",
			after->governor[0] ? after->governor : "none");
	judge_clock(before, after, findings);
	judge_heat(before, after, findings);
}
