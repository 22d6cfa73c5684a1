/* SPDX-License-Identifier: MIT
 * Reads the machine before and after a pass and says what spoiled it. */
#include "run_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "run_result.h"

#define PROCESS_NS_MIN UINT64_C(500000000) /* CPU times are in ticks: a shorter interval tells nothing of others */
#define KERNEL_ERROR_LEVEL 3   /* KERN_ERR and worse spoil a measurement */
#define KERNEL_WARNING_LEVEL 4 /* kept with the result */

void run_judge_begin(struct run_judge *judge, struct session *session, const struct pass *pass)
{
	const char *root = session->options.root;

	(void)pass;
	run_judge_finish(judge);
	kernel_log_read(&session->kernel_log, false);
	judge->kernel_serial = session->kernel_log.serial;
	judge->kernel_dropped = session->kernel_log.dropped;
	environment_read(root, &judge->before);
	judge->processes = process_times_read("");
	judge->time_ns = clock_now();
	judge->begun = true;
}

static void judge_environment(const struct run_judge *judge, const char *root, struct result *result)
{
	struct environment after;
	struct findings findings = { 0 };
	char number[32];

	environment_read(root, &after);
	environment_judge(&judge->before, &after, &findings);
	for (size_t i = 0; i < findings.len; i++)
		result_suspect(result, "%s", findings.items[i].text);
	findings_finish(&findings);
	if (isfinite(after.temperature_c)) {
		snprintf(number, sizeof(number), "%.1f", after.temperature_c);
		settings_set(&result->environment, "temperature_c", number);
	}
}

static void judge_processes(const struct run_judge *judge, const struct pass *pass,
	struct result *result)
{
	int *own = mem_zalloc(pass->workers_len + 1, sizeof(*own));
	size_t own_len = 0;
	char name[64] = "";
	char line[128];
	int pid = 0;

	/* The workers were alive at the first reading; those that have ended are not in the second. */
	own[own_len++] = (int)getpid();
	for (size_t i = 0; i < pass->workers_len; i++)
		if (pass->workers[i].process.pid > 0)
			own[own_len++] = (int)pass->workers[i].process.pid;
	struct process_times *now = process_times_read("");
	double percent = process_times_busiest(judge->processes, now, own, own_len, name, sizeof(name),
		&pid);
	process_times_free(now);
	free(own);
	if (percent <= 0 || clock_now() - judge->time_ns < PROCESS_NS_MIN)
		return;
	snprintf(line, sizeof(line), "%s %.1f %%", name, percent);
	settings_set(&result->environment, "busiest_process", line);
	if (percent >= JUDGE_PROCESS_PERCENT)
		result_suspect(result, "process %d (%s) used %.0f %% of a CPU meanwhile: stop it", pid, name,
			percent);
}

static void judge_kernel(const struct run_judge *judge, const struct kernel_log *log,
	struct result *result)
{
	uint64_t fresh = log->serial - judge->kernel_serial;
	size_t first = fresh < log->len ? log->len - (size_t)fresh : 0;
	bool bad = false;

	for (size_t i = first; i < log->len; i++) {
		if (log->messages[i].level > KERNEL_WARNING_LEVEL)
			continue;
		result_add_kernel_message(result, log->messages[i].text);
		bad = bad || log->messages[i].level <= KERNEL_ERROR_LEVEL;
	}
	if (bad)
		result_suspect(result, "the kernel logged an error during the measurement");
	if (log->dropped > judge->kernel_dropped)
		result_add_note(result, "%llu messages of the kernel were lost",
			(unsigned long long)(log->dropped - judge->kernel_dropped));
}

void run_judge_end(struct run_judge *judge, struct session *session, const struct pass *pass,
	struct result *result)
{
	if (!judge->begun)
		return;
	judge_environment(judge, session->options.root, result);
	judge_processes(judge, pass, result);
	judge_kernel(judge, &session->kernel_log, result);
	run_judge_finish(judge);
}

void run_judge_finish(struct run_judge *judge)
{
	process_times_free(judge->processes);
	*judge = (struct run_judge){ 0 };
}
