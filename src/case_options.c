/* SPDX-License-Identifier: MIT
 *
 * The settings of a case that are the workbench's own: repeat, duration, warmup, steady, cpus,
 * stall, quiet. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "mem.h"
#include "plan_internal.h"
#include "text.h"

#define REPEAT_MAX 100000
#define CPUS_MAX 4096

static int set_repeat(struct case_options *options, const char *text, struct error *error)
{
	char *end;
	errno = 0;
	long number = strtol(text, &end, 10);
	if (end == text || *end || errno || number < 1 || number > REPEAT_MAX)
		return error_set(error, EINVAL,
			"repeat \"%s\" is not a number from 1 to %d: write repeat=3", text,
			REPEAT_MAX);
	options->repeat = (unsigned)number;
	return 0;
}

static int set_duration(
	uint64_t *ns, const char *name, bool zero_is_fine, const char *text, struct error *error)
{
	if (duration_parse(text, ns, error) < 0)
		return error_prefix(error, "%s", name);
	if (*ns == 0 && !zero_is_fine)
		return error_set(
			error, EINVAL, "%s must be longer than 0: write %s=2min", name, name);
	return 0;
}

static int set_steady(struct case_options *options, const char *text, struct error *error)
{
	char *end;
	if (strcmp(text, "off") == 0) {
		options->steady_percent = 0;
		return 0;
	}
	double percent = strtod(text, &end);
	end += strspn(end, " ");
	if (end == text || (*end && strcmp(end, "%") != 0) || !isfinite(percent) || percent < 0 ||
		percent > 100)
		return error_set(error, EINVAL,
			"steady \"%s\" is neither off nor a percentage up to 100: write steady=2",
			text);
	options->steady_percent = percent;
	return 0;
}

static int set_quiet(struct case_options *options, const char *text, struct error *error)
{
	static const char *const words[] = { "off", "no", "on", "yes" };
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(text, words[i]) == 0) {
			options->quiet = i >= 2;
			return 0;
		}
	return error_set(error, EINVAL, "quiet \"%s\" is neither on nor off", text);
}

/* "0,2-3", as the kernel writes lists of CPUs; NULL: it is none. */
static int *parse_cpus(const char *text, size_t *len)
{
	int *cpus = NULL;
	*len = 0;
	for (;;) {
		unsigned first, last;
		int used = 0;
		if (*text < '0' || *text > '9' || sscanf(text, "%u%n", &first, &used) != 1)
			break;
		text += used;
		last = first;
		if (*text == '-' && text[1] >= '0' && text[1] <= '9' &&
			sscanf(text + 1, "%u%n", &last, &used) == 1)
			text += 1 + used;
		if (last < first || last >= CPUS_MAX || *len > CPUS_MAX)
			break;
		for (unsigned cpu = first; cpu <= last; cpu++) {
			cpus = mem_grow(cpus, *len + 1, sizeof(*cpus));
			cpus[(*len)++] = (int)cpu;
		}
		if (*text == '\0')
			return cpus;
		if (*text++ != ',')
			break;
		text += strspn(text, " ");
	}
	free(cpus);
	*len = 0;
	return NULL;
}

static bool has_cpu(const int *cpus, size_t len, int cpu)
{
	for (size_t i = 0; i < len; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

static int check_cpus(const int *cpus, size_t len, const char *root, struct error *error)
{
	size_t online_len = 0;
	_autofree_ char *online = file_read_line(root, "/sys/devices/system/cpu/online");
	_autofree_ int *present = online ? parse_cpus(online, &online_len) : NULL;
	for (size_t i = 0; i < len; i++) {
		if (has_cpu(cpus, i, cpus[i]))
			return error_set(error, EINVAL, "cpus names CPU %d twice", cpus[i]);
		if (present && !has_cpu(present, online_len, cpus[i]))
			return error_set(error, EINVAL, "cpus: CPU %d is not online: online are %s",
				cpus[i], online);
	}
	return 0;
}

static int set_cpus(struct case_options *options, const struct module_info *info, const char *root,
	const char *text, struct error *error)
{
	if (!(info->flags & BB_PER_CPU))
		return error_set(error, EINVAL,
			"module %s cannot run on chosen CPUs, one instance on each: leave cpus out",
			info->name);
	_autofree_ char *all = NULL;
	if (strcmp(text, "all") == 0)
		all = file_read_line(root, "/sys/devices/system/cpu/online");
	size_t len;
	int *cpus = parse_cpus(all ? all : text, &len);
	if (!cpus)
		return error_set(error, EINVAL,
			"cpus \"%s\" is not a list of CPUs: write cpus=all or cpus=0,2-3", text);
	if (check_cpus(cpus, len, root, error) < 0) {
		free(cpus);
		return -error->code;
	}
	free(options->cpus);
	options->cpus = cpus;
	options->cpus_len = len;
	return 0;
}

int case_option_set(struct case_options *options, const struct module_info *info, const char *root,
	const char *name, const char *text, struct error *error)
{
	if (strcmp(name, "repeat") == 0)
		return set_repeat(options, text, error);
	if (strcmp(name, "duration") == 0)
		return set_duration(&options->duration_ns, name, true, text, error);
	if (strcmp(name, "warmup") == 0)
		return set_duration(&options->warmup_ns, name, true, text, error);
	if (strcmp(name, "stall") == 0)
		return set_duration(&options->stall_ns, name, false, text, error);
	if (strcmp(name, "steady") == 0)
		return set_steady(options, text, error);
	if (strcmp(name, "quiet") == 0)
		return set_quiet(options, text, error);
	if (strcmp(name, "cpus") == 0)
		return set_cpus(options, info, root, text, error);
	return 1;
}

void case_options_init(struct case_options *options)
{
	*options = (struct case_options){ .repeat = 1, .stall_ns = DEFAULT_STALL_NS };
}

void case_options_copy(struct case_options *to, const struct case_options *from)
{
	*to = *from;
	to->cpus = NULL;
	if (from->cpus_len) {
		to->cpus = mem_grow(NULL, from->cpus_len, sizeof(*to->cpus));
		memcpy(to->cpus, from->cpus, from->cpus_len * sizeof(*to->cpus));
	}
}
