/* SPDX-License-Identifier: MIT
 * Collects the figures of passes and makes the result of them. */
#include "run_result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live.h"
#include "mem.h"
#include "stats.h"

void result_suspect(struct result *result, const char *format, ...)
{
	char line[600];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	result_add_note(result, "suspect: %s", line);
	if (result->state == RESULT_OK)
		result->state = RESULT_SUSPECT;
}

static double param_number(const struct value *value)
{
	switch (value->type) {
	case BB_INTEGER:
		return (double)value->integer;
	case BB_NUMBER:
		return value->number;
	case BB_SIZE:
	case BB_DURATION:
	case BB_RATE:
		return (double)value->natural;
	case BB_FLAG:
		return value->flag;
	default:
		return 0;
	}
}

struct result_param *result_params_of(const struct module_info *info, const struct value *values)
{
	struct result_param *params = mem_zalloc(info->params_len + 1, sizeof(*params));

	for (size_t i = 0; i < info->params_len; i++)
		params[i] = (struct result_param){
			.name = mem_strdup(info->params[i].name),
			.text = value_format_plain(&info->params[i], &values[i]),
			.unit = mem_strdup(info->params[i].unit),
			.type = info->params[i].type,
			.number = param_number(&values[i]),
		};
	return params;
}

static void collected_init(struct collected *collected, const struct module_info *info)
{
	collected->info = info;
	collected->metrics = mem_zalloc(info->metrics_len, sizeof(*collected->metrics));
	for (size_t i = 0; i < info->metrics_len; i++)
		if (info->metrics[i].source == BB_HISTOGRAM)
			collected->metrics[i].histogram = mem_zalloc(1, sizeof(struct histogram));
}

static void collected_finish(struct collected *collected)
{
	for (size_t i = 0; collected->metrics && i < collected->info->metrics_len; i++) {
		free(collected->metrics[i].values);
		free(collected->metrics[i].histogram);
	}
	free(collected->metrics);
}

void case_record_init(struct case_record *record, const struct plan_case *plan_case)
{
	*record = (struct case_record){ .plan_case = plan_case };
	collected_init(&record->own, plan_case->subsystem->info);
	record->loads = mem_zalloc(plan_case->loads_len + 1, sizeof(*record->loads));
	record->result.loads = mem_zalloc(plan_case->loads_len + 1, sizeof(*record->result.loads));
	record->result.loads_len = plan_case->loads_len;
	for (size_t i = 0; i < plan_case->loads_len; i++) {
		const struct plan_load *load = &plan_case->loads[i];
		collected_init(&record->loads[i], load->subsystem->info);
		record->result.loads[i] = (struct result_load){
			.subsystem = mem_strdup(load->subsystem->name),
			.module = mem_strdup(load->subsystem->module),
			.params = result_params_of(load->subsystem->info, load->values),
			.params_len = load->subsystem->info->params_len,
		};
	}
}

/* One metric of one pass over several instances: rates and totals add up, periods and gauges average. */
static bool pass_value(const struct metric *metric, const struct pass_worker *workers, size_t len,
	double *value)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < len; i++) {
		const struct measured *measured = &workers[i].measured;
		double one;
		if (!measured->known)
			continue;
		if (metric->source == BB_GAUGE) {
			if (!(measured->gauges_set & 1u << metric->index) ||
				!isfinite(measured->gauges[metric->index]))
				continue;
			one = measured->gauges[metric->index] * metric->scale;
		} else {
			uint64_t amount = measured->counters[metric->index];
			double seconds = (double)(measured->end_ns - measured->begin_ns) / 1e9;
			if ((amount == 0 && metric->source != BB_TOTAL_OF) ||
				!live_counter_value(metric, amount, seconds, &one))
				continue;
		}
		sum += one;
		known++;
	}
	if (!known)
		return false;
	bool average = metric->source == BB_GAUGE || metric->source == BB_PERIOD_OF;
	*value = average ? sum / (double)known : sum;
	return true;
}

static void collect(struct collected *collected, const struct pass_worker *workers, size_t len)
{
	struct histogram *copy = mem_zalloc(1, sizeof(*copy));

	for (size_t i = 0; i < collected->info->metrics_len; i++) {
		const struct metric *metric = &collected->info->metrics[i];
		struct pass_values *into = &collected->metrics[i];
		double value;
		if (metric->source == BB_HISTOGRAM) {
			for (size_t j = 0; j < len; j++) {
				if (!workers[j].measured.known || !workers[j].process.shared)
					continue;
				shared_copy_histogram(&workers[j].process.shared->histograms[metric->index], copy);
				histogram_merge(into->histogram, copy);
			}
		} else if (pass_value(metric, workers, len, &value)) {
			into->values = mem_grow(into->values, into->len + 1, sizeof(*into->values));
			into->values[into->len++] = value;
		}
	}
	free(copy);
}

static void add_weighted(struct cpu_load *sum, const struct cpu_load *load, double weight)
{
	double *to[] = { &sum->load, &sum->user, &sum->system, &sum->irq, &sum->softirq, &sum->iowait,
		&sum->steal, &sum->resolution, &sum->worker, &sum->workbench };
	const double from[] = { load->load, load->user, load->system, load->irq, load->softirq,
		load->iowait, load->steal, load->resolution, load->worker, load->workbench };

	for (size_t i = 0; i < ARRAY_LEN(to); i++)
		*to[i] += from[i] * weight;
	if (load->cpus_len > sum->cpus_len)
		sum->cpus_len = load->cpus_len;
	for (uint32_t i = 0; i < load->cpus_len; i++)
		sum->cpus[i] = load->cpus[i] < 0 || sum->cpus[i] < 0 ? -1 :
			sum->cpus[i] + (float)(load->cpus[i] * weight);
}

static unsigned online_cpus(const struct cpu_snapshot *snapshot)
{
	unsigned online = 0;

	for (uint32_t i = 0; i < snapshot->cpus_len; i++)
		online += snapshot->cpus[i].online;
	return online ? online : 1;
}

static void collect_cpu(struct case_record *record, const struct pass *pass, double seconds)
{
	const struct measured *measured = &pass->workers[0].measured;
	double capacity = seconds * online_cpus(&measured->cpu[0]);
	struct cpu_load load = { 0 };
	double workers = 0;

	cpu_between(&measured->cpu[0], &measured->cpu[1], &load);
	if (!load.valid)
		return;
	for (size_t i = 0; i < pass->instances; i++)
		workers += pass->workers[i].measured.cpu_s;
	load.worker = 100 * workers / capacity;
	load.workbench = 100 * pass->workbench_cpu_s / capacity;
	add_weighted(&record->cpu, &load, seconds);
	record->cpu_weight_s += seconds;
}

static void collect_words(struct case_record *record, const struct pass_worker *worker)
{
	struct result *result = &record->result;
	const char *who = worker->is_load ? worker->subsystem->name : NULL;

	for (size_t i = 0; i < worker->notes_len; i++)
		result_add_note(result, "%s%s%s", who ? who : "", who ? ": " : "", worker->notes[i]);
	for (size_t i = 0; i < worker->suspects_len; i++)
		result_suspect(result, "%s%s%s", who ? who : "", who ? ": " : "", worker->suspects[i]);
	if (worker->is_load)
		return;
	for (size_t i = 0; i < worker->actual.len; i++)
		settings_set(&result->actual, worker->actual.items[i].name, worker->actual.items[i].text);
	for (size_t i = 0; i < worker->facts.len; i++)
		if (strcmp(worker->facts.items[i].name, "done"))
			settings_set(&result->environment, worker->facts.items[i].name,
				worker->facts.items[i].text);
}

static void fail(struct result *result, enum result_state state, const char *text)
{
	if (result->error)
		return;
	result->state = state;
	result->error = mem_strdup(text);
}

static void judge_worker(struct result *result, const struct pass_worker *worker)
{
	switch (worker->state) {
	case RUN_REFUSED:
		fail(result, RESULT_UNAVAILABLE, worker->failure.text);
		break;
	case RUN_CRASHED:
	case RUN_FAILED:
	case RUN_STUCK:
		fail(result, RESULT_FAILED, worker->failure.code ? worker->failure.text : "failed");
		break;
	default:
		break;
	}
}

static void judge_load(struct case_record *record, const struct pass_worker *worker, size_t index)
{
	struct result_load *load = &record->result.loads[index];
	bool early = worker->failure.code != 0 || worker->state == RUN_CRASHED;

	if (!early || load->error)
		return;
	load->state = RESULT_FAILED;
	load->error = mem_strdup(worker->failure.code ? worker->failure.text : "ended early");
	result_suspect(&record->result, "load %s ended before the case did: %s", load->subsystem,
		load->error);
}

static void judge(struct case_record *record, const struct pass *pass)
{
	struct result *result = &record->result;

	if (pass->reason && pass->workers[0].state == RUN_CANCELLED)
		fail(result, RESULT_FAILED, pass->reason);
	for (size_t i = 0; i < pass->instances; i++)
		judge_worker(result, &pass->workers[i]);
	if (pass->stop_asked)
		fail(result, RESULT_CANCELLED, "stopped");
	if (pass->reason)
		fail(result, RESULT_FAILED, pass->reason);
	for (size_t i = pass->instances; i < pass->workers_len; i++)
		judge_load(record, &pass->workers[i], i - pass->instances);
}

void case_record_add_pass(struct case_record *record, const struct pass *pass)
{
	const struct measured *measured = &pass->workers[0].measured;
	bool all = true;

	for (size_t i = 0; i < pass->instances; i++)
		all = all && pass->workers[i].measured.known;
	if (all) {
		double seconds = (double)(measured->end_ns - measured->begin_ns) / 1e9;
		record->passes++;
		record->elapsed_s += seconds;
		collect(&record->own, pass->workers, pass->instances);
		collect_cpu(record, pass, seconds);
		for (size_t i = pass->instances; i < pass->workers_len; i++)
			collect(&record->loads[i - pass->instances], &pass->workers[i], 1);
	}
	for (size_t i = 0; i < pass->workers_len; i++)
		collect_words(record, &pass->workers[i]);
	judge(record, pass);
}

static void from_values(const struct metric *metric, const struct pass_values *values,
	struct metric_result *result)
{
	struct stats stats;

	stats_of(values->values, values->len, metric->mean, &stats);
	result->value = stats.mean;
	result->min = stats.min;
	result->max = stats.max;
	result->stddev = stats.stddev;
	result->median = stats.median;
	result->samples = values->len;
	result->passes = mem_zalloc(values->len, sizeof(*result->passes));
	memcpy(result->passes, values->values, values->len * sizeof(*result->passes));
	result->passes_len = values->len;
}

static void from_histogram(const struct metric *metric, const struct histogram *histogram,
	struct metric_result *result)
{
	double count = (double)histogram->count, mean = histogram->sum / count;
	double variance = count > 1 ? (histogram->sum_squares - count * mean * mean) / (count - 1) : 0;

	result->value = mean * metric->scale;
	result->min = (double)histogram->min * metric->scale;
	result->max = (double)histogram->max * metric->scale;
	result->stddev = variance > 0 ? sqrt(variance) * metric->scale : 0;
	result->median = histogram_percentile(histogram, 0.5) * metric->scale;
	result->p90 = histogram_percentile(histogram, 0.9) * metric->scale;
	result->p99 = histogram_percentile(histogram, 0.99) * metric->scale;
	result->p999 = histogram_percentile(histogram, 0.999) * metric->scale;
	result->error = HISTOGRAM_ERROR;
	result->has_percentiles = true;
	result->samples = histogram->count;
}

static struct metric_result *compute(const struct collected *collected, size_t *len)
{
	struct metric_result *results = mem_zalloc(collected->info->metrics_len + 1, sizeof(*results));

	*len = 0;
	for (size_t i = 0; i < collected->info->metrics_len; i++) {
		const struct metric *metric = &collected->info->metrics[i];
		const struct pass_values *values = &collected->metrics[i];
		if (values->len == 0 && (!values->histogram || values->histogram->count == 0))
			continue;
		struct metric_result *result = &results[(*len)++];
		*result = (struct metric_result){ .name = mem_strdup(metric->name),
			.unit = mem_strdup(metric->unit), .better = metric->better };
		if (values->histogram)
			from_histogram(metric, values->histogram, result);
		else
			from_values(metric, values, result);
	}
	return results;
}

static void note_outliers(struct result *result)
{
	const struct metric_result *primary = result_metric(result, NULL);

	if (!primary || primary->passes_len < 4)
		return;
	bool *outliers = mem_zalloc(primary->passes_len, sizeof(*outliers));
	if (stats_outliers(primary->passes, primary->passes_len, outliers))
		for (size_t i = 0; i < primary->passes_len; i++)
			if (outliers[i])
				result_add_note(result, "pass %zu (%.4g %s) is an outlier by its modified z-score above 3.5; "
					"it is kept in the mean", i + 1, primary->passes[i], primary->unit);
	free(outliers);
}

static void complete_cpu(struct case_record *record)
{
	struct cpu_load *cpu = &record->result.cpu;

	if (record->cpu_weight_s <= 0) {
		cpu->valid = false;
		if (record->passes)
			result_add_note(&record->result, "no CPU load: the timed part is shorter than %d ticks of the "
				"clock, or /proc/stat cannot be read", CPU_TICKS_MIN);
		return;
	}
	*cpu = (struct cpu_load){ 0 };
	add_weighted(cpu, &record->cpu, 1 / record->cpu_weight_s);
	cpu->valid = true;
}

void case_record_complete(struct case_record *record)
{
	struct result *result = &record->result;

	result->repeat = record->passes;
	result->elapsed_s = record->elapsed_s;
	result->metrics = compute(&record->own, &result->metrics_len);
	for (size_t i = 0; i < record->plan_case->loads_len; i++)
		result->loads[i].metrics = compute(&record->loads[i], &result->loads[i].metrics_len);
	complete_cpu(record);
	note_outliers(result);
	if (result->state == RESULT_OK && result->metrics_len == 0)
		fail(result, RESULT_FAILED, "the module counted nothing in the timed part");
}

void case_record_finish(struct case_record *record)
{
	collected_finish(&record->own);
	for (size_t i = 0; record->loads && i < record->plan_case->loads_len; i++)
		collected_finish(&record->loads[i]);
	free(record->loads);
	result_finish(&record->result);
	*record = (struct case_record){ 0 };
}

/* What was asked for is in the plan; what is known of the case is what the journal says. */
int run_mark_unfinished(struct session *session, const struct journal_unfinished *found,
	struct error *error)
{
	const struct journal_begun *begun = &found->begun;
	const struct subsystem *subsystem = board_find_subsystem(&session->board, begun->subsystem);
	struct result result = { .case_index = begun->case_index, .cases = begun->cases,
		.time = begun->time, .state = RESULT_UNFINISHED };

	snprintf(result.id, sizeof(result.id), "%s-%u", begun->run, begun->case_index);
	snprintf(result.run, sizeof(result.run), "%s", begun->run);
	snprintf(result.boot_id, sizeof(result.boot_id), "%s", begun->boot_id);
	result.board = mem_strdup(begun->board);
	result.subsystem = mem_strdup(begun->subsystem);
	result.module = mem_strdup(subsystem ? subsystem->module : begun->subsystem);
	result.method = mem_strdup(subsystem && subsystem->info ? subsystem->info->version : "");
	result.profile = mem_strdup(begun->profile);
	result.error = text_printf("%s during pass %u", found->rebooted ? "the machine went away" :
		"the program was ended", begun->pass);
	result_add_note(&result, "%s", begun->what);
	for (size_t i = 0; i < found->last_seen.len; i++)
		result_add_note(&result, "last seen: %s %s", found->last_seen.items[i].name,
			found->last_seen.items[i].text);
	int code = journal_add(&session->journal, &result, error);
	result_finish(&result);
	return code;
}
