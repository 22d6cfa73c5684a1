/* SPDX-License-Identifier: MIT */
/* Reads /proc/stat and makes the CPU load of an interval from two readings. */
#include "cpu.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "mem.h"
#include "text.h"

/* Digits at *at to a number, that may be as large as it likes: the largest there is then. */
static bool parse_natural(const char **at, uint64_t *number)
{
	const char *digit = *at;
	uint64_t value = 0;
	if (*digit < '0' || *digit > '9')
		return false;
	for (; *digit >= '0' && *digit <= '9'; digit++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(*digit - '0'), &value))
			value = UINT64_MAX;
	}
	*at = digit;
	*number = value;
	return true;
}

static void parse_ticks(const char *at, struct cpu_times *times)
{
	*times = (struct cpu_times){ .online = true };
	for (int i = 0; i < CPU_FIELDS; i++) {
		while (*at == ' ')
			at++;
		/* Kernels before 2.6.11 had no steal: what is not there is 0. */
		if (!parse_natural(&at, &times->ticks[i]))
			return;
	}
}

static void parse_line(const char *line, struct cpu_snapshot *snapshot)
{
	const char *at = line + strlen("cpu");
	if (*at == ' ') {
		parse_ticks(at, &snapshot->total);
		return;
	}
	uint64_t number;
	if (!parse_natural(&at, &number) || *at != ' ' || number >= CPU_MAX)
		return;
	parse_ticks(at, &snapshot->cpus[number]);
	if (snapshot->cpus_len <= number)
		snapshot->cpus_len = (uint32_t)number + 1;
}

int cpu_parse(const char *text, struct cpu_snapshot *snapshot, struct error *error)
{
	*snapshot = (struct cpu_snapshot){ 0 };
	for (const char *line = text; line && *line;) {
		if (text_starts(line, "cpu"))
			parse_line(line, snapshot);
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (!snapshot->total.online)
		return error_set(error, EBADMSG,
			"/proc/stat has no line \"cpu\": the CPU load cannot be measured; is this the "
			"/proc of a Linux kernel?");
	return 0;
}

int cpu_read(const char *root, struct cpu_snapshot *snapshot, struct error *error)
{
	*snapshot = (struct cpu_snapshot){ 0 };
	_autofree_ char *text = file_read(root, "/proc/stat");
	if (!text) {
		int code = errno > 0 ? errno : EIO;
		return error_set(error, code,
			"cannot read %s/proc/stat: %s; without it there is no CPU load (mount -t proc "
			"proc /proc)", root, strerror(code));
	}
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int result = cpu_parse(text, snapshot, error);
	snapshot->time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return result;
}

/* Ticks of each kind between the two, and their sum. Idle and iowait of a tickless kernel can run
 * backwards; that is 0. */
static double ticks_between(const struct cpu_times *before, const struct cpu_times *after,
	double ticks[CPU_FIELDS])
{
	double total = 0;
	for (int i = 0; i < CPU_FIELDS; i++) {
		ticks[i] = after->ticks[i] > before->ticks[i]
			? (double)(after->ticks[i] - before->ticks[i]) : 0;
		total += ticks[i];
	}
	return total;
}

static double load_of(const double ticks[CPU_FIELDS], double total)
{
	return total > 0 ? 100 * (total - ticks[CPU_IDLE] - ticks[CPU_IOWAIT]) / total : 0;
}

static void cpus_between(const struct cpu_snapshot *before, const struct cpu_snapshot *after,
	struct cpu_load *load)
{
	load->cpus_len = before->cpus_len > after->cpus_len ? before->cpus_len : after->cpus_len;
	if (load->cpus_len > CPU_MAX)
		load->cpus_len = CPU_MAX;
	for (uint32_t i = 0; i < load->cpus_len; i++) {
		double ticks[CPU_FIELDS];
		load->cpus[i] = -1;
		if (!before->cpus[i].online || !after->cpus[i].online)
			continue;
		double total = ticks_between(&before->cpus[i], &after->cpus[i], ticks);
		load->cpus[i] = (float)load_of(ticks, total);
	}
}

void cpu_between(const struct cpu_snapshot *before, const struct cpu_snapshot *after,
	struct cpu_load *load)
{
	*load = (struct cpu_load){ .worker = -1, .workbench = -1 };
	if (!before->total.online || !after->total.online || after->time_ns <= before->time_ns)
		return;
	double wall = (double)(after->time_ns - before->time_ns) / 1e9;
	double ticks[CPU_FIELDS];
	double total = ticks_between(&before->total, &after->total, ticks);
	cpus_between(before, after, load);
	if (wall * (double)sysconf(_SC_CLK_TCK) < CPU_TICKS_MIN || total <= 0)
		return;
	double share = 100 / total;
	load->valid = true;
	load->load = load_of(ticks, total);
	load->user = (ticks[CPU_USER] + ticks[CPU_NICE]) * share;
	load->system = ticks[CPU_SYSTEM] * share;
	load->irq = ticks[CPU_IRQ] * share;
	load->softirq = ticks[CPU_SOFTIRQ] * share;
	load->iowait = ticks[CPU_IOWAIT] * share;
	load->steal = ticks[CPU_STEAL] * share;
	load->resolution = share;
}

/* "0-2,5" to flags by number. */
static int parse_list(const char *text, bool chosen[CPU_MAX], struct error *error)
{
	const char *at = text;
	for (;;) {
		uint64_t first = 0, last;
		bool good = parse_natural(&at, &first);
		last = first;
		if (good && *at == '-') {
			at++;
			good = parse_natural(&at, &last) && first <= last;
		}
		if (!good || (*at != ',' && *at != '\0'))
			return error_set(error, EINVAL,
				"\"%s\" is no list of CPUs; write numbers and ranges such as 0-2,5, or "
				"\"all\"", text);
		if (last >= CPU_MAX)
			return error_set(error, ERANGE, "CPU %llu: the largest number is %d",
				(unsigned long long)last, CPU_MAX - 1);
		for (uint64_t i = first; i <= last; i++)
			chosen[i] = true;
		if (*at++ == '\0')
			return 0;
	}
}

static int find_online(const char *root, bool online[CPU_MAX], struct error *error)
{
	_autofree_ char *list = file_read_line(root, "/sys/devices/system/cpu/online");
	if (list && parse_list(list, online, NULL) == 0)
		return 0;
	memset(online, 0, CPU_MAX * sizeof(*online));
	struct cpu_snapshot snapshot;
	int result = cpu_read(root, &snapshot, error);
	if (result < 0)
		return result;
	for (uint32_t i = 0; i < snapshot.cpus_len; i++)
		online[i] = snapshot.cpus[i].online;
	/* A kernel for a single processor may have no line of its own for it. */
	if (snapshot.cpus_len == 0)
		online[0] = true;
	return 0;
}

int cpu_list_parse(const char *root, const char *text, int **cpus, size_t *len, struct error *error)
{
	bool online[CPU_MAX] = { false }, chosen[CPU_MAX] = { false };
	*cpus = NULL;
	*len = 0;
	int result = find_online(root, online, error);
	if (result < 0)
		return result;
	if (strcmp(text, "all") == 0 || strcmp(text, "each") == 0)
		memcpy(chosen, online, sizeof(chosen));
	else
		result = parse_list(text, chosen, error);
	if (result < 0)
		return result;
	size_t count = 0;
	for (int i = 0; i < CPU_MAX; i++) {
		if (chosen[i] && !online[i])
			return error_set(error, ENODEV,
				"CPU %d is not online; see /sys/devices/system/cpu/online", i);
		count += chosen[i];
	}
	*cpus = mem_zalloc(count > 0 ? count : 1, sizeof(**cpus));
	for (int i = 0; i < CPU_MAX; i++)
		if (chosen[i])
			(*cpus)[(*len)++] = i;
	return 0;
}
