/* SPDX-License-Identifier: MIT
 *
 * The boardbench module ABI: all that the author of a module includes. C11; usable from C++.
 *
 * A module counts; the workbench computes. A module moves data and adds to counters, records single
 * values into histograms, sets gauges and says which phase it is in. It never computes a rate,
 * draws, loops for a duration, or sleeps to look busy. See modules/README.md.
 */
#ifndef BOARDBENCH_MODULE_H
#define BOARDBENCH_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* major: layout or meaning changed, modules must be rebuilt.
 * minor: something was appended, older modules keep working. */
#define BB_ABI_MAJOR 1
#define BB_ABI_MINOR 0
#define BB_ABI ((uint32_t)BB_ABI_MAJOR << 16 | BB_ABI_MINOR)

/* How many counters, gauges and histograms a module may use: its indices run from 0 to MAX - 1. */
#define BB_COUNTERS_MAX 16
#define BB_GAUGES_MAX 16
#define BB_HISTOGRAMS_MAX 8

/* ---- what a module declares: parameters and metrics ---- */

enum bb_type {           /* C type of the field in the configuration struct */
	BB_FLAG = 1,     /* bool                  text: on, off, yes, no */
	BB_INTEGER,      /* int64_t               text: 12, -3, 0x40 */
	BB_NUMBER,       /* double                text: 2.5 */
	BB_SIZE,         /* uint64_t, bytes       text: 4096, 100KiB, 1M (K, M, G are powers of 1024; kB, MB, GB of 1000) */
	BB_DURATION,     /* uint64_t, nanoseconds text: 500us, 1.5s, 2min */
	BB_RATE,         /* uint64_t, in `unit`   text: 44100, 48k, 1M (powers of 1000) */
	BB_CHOICE,       /* int32_t, index into choices */
	BB_TEXT,         /* const char *, never NULL; the host's until cleanup() returns */
	BB_PATH,         /* const char *, as BB_TEXT; a file or directory */
};

enum bb_param_flags {
	/* The values found by probe() through offer() are the ones to choose from, and the first
	 * ready one is the default when `initial` is "". Other values may still be typed. */
	BB_PARAM_OFFERED = 1 << 0,
};

struct bb_param {
	const char *name;           /* [a-z][a-z0-9_]*: key in profiles and on the command line */
	const char *text;           /* one sentence, for the form and for `boardbench show` */
	const char *unit;           /* shown behind the value: "Hz"; NULL: none or given by the type */
	const char *initial;        /* default, as text: the same parser reads it */
	const char *const *choices; /* NULL-terminated; BB_CHOICE only */
	double minimum, maximum;    /* in base units, both included; both 0: no limit of ours */
	uint32_t type;              /* enum bb_type */
	uint32_t offset, size;      /* of the field in the configuration struct: BB_FIELD */
	uint32_t flags;             /* enum bb_param_flags */
	uintptr_t reserved[4];      /* 0 */
};

/* .type .offset .size of a configuration field; the compiler compares the C types. */
#define BB_FIELD(type_id, ctype, config, field)                          \
	.type = (type_id), .offset = (uint32_t)offsetof(config, field),  \
	.size = (uint32_t)(sizeof(*(1 ? &((config *)0)->field : (ctype *)0)))

enum bb_better { BB_NEITHER, BB_LOWER, BB_HIGHER };

enum bb_source {
	BB_RATE_OF = 1,  /* counter `index` per second of the timed part, times `scale` */
	BB_PERIOD_OF,    /* seconds of the timed part per count of counter `index`, times `scale` */
	BB_TOTAL_OF,     /* counter `index` over the timed part, times `scale` */
	BB_GAUGE,        /* last value of gauge `index`, times `scale`; never set: not reported */
	BB_HISTOGRAM,    /* values of histogram `index`, times `scale`: mean, min, max, percentiles */
};

/* Kind of mean over several passes. */
enum bb_mean { BB_ARITHMETIC, BB_HARMONIC };

/* The first metric of a case that has data is the one that the live view charts.
 * A rate or period of a counter that never moved is not reported: unknown is never 0. */
struct bb_metric {
	const char *name;       /* [a-z][a-z0-9_]*: stable key in results */
	const char *text;       /* one sentence */
	const char *unit;       /* as shown: "MB/s", "us", "ns", "Hz" */
	double scale;           /* from counts per second (or counts, seconds, values) to `unit` */
	uint32_t source;        /* enum bb_source */
	uint32_t index;         /* of the counter, gauge or histogram */
	uint32_t better;        /* enum bb_better */
	uint32_t mean;          /* enum bb_mean */
	uintptr_t reserved[4];  /* 0 */
};

/* ---- what the host gives: one context an instance ---- */

struct bb_context;

enum bb_offer_state { BB_OFFER_READY, BB_OFFER_UNUSABLE };

enum bb_change_kind {
	/* Write `text` into the existing file `path` (sysfs, procfs). Undone by writing back what
	 * was read from it before. */
	BB_CHANGE_WRITE = 1,
	/* `path` is about to be created by the module, and is its own. Undone by removing it.
	 * -EEXIST if it is there already: nothing of the user's is ever overwritten. */
	BB_CHANGE_CREATE,
};

struct bb_host {
	uint32_t struct_size;
	/* CLOCK_MONOTONIC in nanoseconds: the clock of the whole measurement. */
	uint64_t (*now)(struct bb_context *ctx);
	/* Add to a counter. A few nanoseconds; never blocks. */
	void (*count)(struct bb_context *ctx, uint32_t counter, uint64_t amount);
	/* Record one value (nanoseconds, bytes, ...) in a log-linear histogram, relative error of
	 * its percentiles at most 1/64. Never blocks. Not recorded while warming up. */
	void (*sample)(struct bb_context *ctx, uint32_t histogram, uint64_t value);
	/* Set a gauge: the last value is what counts. */
	void (*gauge)(struct bb_context *ctx, uint32_t gauge, double value);
	/* Say what is being done ("writing", "formatting"): one or two words, shown live. */
	void (*phase)(struct bb_context *ctx, const char *name);
	/* Say how much of a fixed amount of work is done, 0..1, so that a remaining time can be
	 * shown. Optional. */
	void (*progress)(struct bb_context *ctx, double fraction);
	/* Report the value that the hardware really took for parameter `param` (index), as text. */
	void (*actual)(struct bb_context *ctx, uint32_t param, const char *value);
	/* Wait until `fd` is readable (fd < 0: for the time only) or `until_ns` on the clock of
	 * now(). 1 readable, 0 the time has come, -EINTR the case is ending. */
	int (*wait)(struct bb_context *ctx, int fd, uint64_t until_ns);
	/* A remark for the user that goes into the result. Not in the hot path. */
	void (*note)(struct bb_context *ctx, const char *format, ...)
#if defined(__GNUC__)
		__attribute__((format(printf, 2, 3)))
#endif
		;
	/* As note, and the result is marked suspect: measured, but something spoiled it. Say what
	 * and by how much. May be called from cleanup() too. */
	void (*suspect)(struct bb_context *ctx, const char *format, ...)
#if defined(__GNUC__)
		__attribute__((format(printf, 2, 3)))
#endif
		;
	/* Keep the first message, for the user: what was tried, on what, what to do. `error` is a
	 * positive errno. Returns -error, so that one can write: return bb_fail(ctx, errno, ...). */
	int (*fail)(struct bb_context *ctx, int error, const char *format, ...)
#if defined(__GNUC__)
		__attribute__((format(printf, 3, 4)))
#endif
		;
	/* A fact of what is measured that belongs into the result ("device", "mmcblk0p3 SL08G").
	 * Key as a metric's name. */
	void (*fact)(struct bb_context *ctx, const char *key, const char *value);
	/* probe() only: a value for parameter `param` (index) that was found on this machine, with
	 * a description for the user. BB_OFFER_UNUSABLE: the description says why. */
	void (*offer)(struct bb_context *ctx, uint32_t param, const char *value,
		const char *description, uint32_t state);
	/* Change something of the system. How to undo it is on the medium before it is done; it is
	 * undone at the end of the case, by the workbench if this process crashes, and at the next
	 * start after a power cut. 0 or a negative errno (nothing was changed then). `text` is NULL
	 * for BB_CHANGE_CREATE. prepare() and step() only. */
	int (*change)(struct bb_context *ctx, uint32_t kind, const char *path, const char *text);
};

struct bb_context {
	const struct bb_host *host;
	const void *config;     /* the module's configuration struct, filled and checked; read-only */
	void *state;            /* state_size zeroed bytes, this instance's alone */
	const char *root;       /* "" on a live system, else a directory before /proc, /sys, /dev */
	uint32_t instance;      /* 0 .. instances - 1 */
	uint32_t instances;
	int32_t cpu;            /* the CPU this instance is pinned to, or -1 */
	/* How long to go on; the host sets these between two steps. */
	bool warming;           /* warm-up: start the amount of work afresh at the first step without */
	bool endless;           /* go round until told: the case has a duration, or is a load */
	bool ending;            /* the last step: finish what belongs into the timing (fsync) and return */
};

/* ---- the module ---- */

enum bb_flags {
	BB_NEEDS_ROOT = 1 << 0,
	BB_EXCLUSIVE = 1 << 1, /* nothing else may be measured or loaded meanwhile */
	BB_PER_CPU = 1 << 2,   /* can run as one instance on each chosen CPU */
	BB_HIDDEN = 1 << 3,    /* for tests: listed only when asked for by name */
	BB_ENDLESS = 1 << 4,   /* has no amount of work of its own: measured for a duration, 10 s if none is given */
};

enum bb_step { BB_GO_ON = 0, BB_FINISHED = 1 };

/* Calls of one instance come from one thread of a process of its own, so a module may print (it is
 * kept as notes), change signal handlers or leak: but it may not assume a terminal. */
struct bb_module {
	uint32_t abi;         /* BB_ABI; first, and never moves */
	uint32_t struct_size; /* sizeof(struct bb_module) where the module was built */
	const char *name;     /* [a-z][a-z0-9-]*, equal to the file's name without .so */
	const char *title;    /* a few words: "read or write a file" */
	const char *text;     /* what is measured and what can disturb it; several sentences */
	const char *method;   /* what exactly is timed, and which bytes are counted */
	const char *version;  /* of the method: raise it when figures stop being comparable */
	const char *group;    /* heading on the home screen: "SYSTEM", "STORAGE", "NETWORK", ... */
	uint32_t flags;       /* enum bb_flags */
	uint32_t params_len, metrics_len;
	const struct bb_param *params;
	const struct bb_metric *metrics;
	size_t config_size, state_size;

	/* May this run here? Quick (it is given 5 s), changes nothing. config holds the defaults, or
	 * the parameters given so far. 0, or bb_fail() with ENODEV (absent), EACCES (not
	 * permitted), ENOTSUP (the kernel lacks it). Optional. */
	int (*probe)(struct bb_context *ctx);
	/* Open, allocate, touch memory, create files, connect. Not timed. 0 or bb_fail(). Optional. */
	int (*prepare)(struct bb_context *ctx);
	/* One batch of work, 1 us to 100 ms, of the same size each time. BB_GO_ON, BB_FINISHED (the
	 * amount of work is done, not while warming or endless) or bb_fail(). */
	int (*step)(struct bb_context *ctx);
	/* Undo prepare(), also a half-done one. Called always. Optional. */
	void (*cleanup)(struct bb_context *ctx);
};

#if defined(__GNUC__)
#define BB_EXPORT __attribute__((visibility("default")))
#else
#define BB_EXPORT
#endif

/* A module defines its one symbol as: BB_MODULE(storage) = { .abi = BB_ABI, ... };
 * BB_BUILTIN is set by the build when modules are linked into the program. */
#define BB_MODULE_SYMBOL "boardbench_module"
#ifdef BB_BUILTIN
#define BB_MODULE(ident)                                      \
	extern const struct bb_module boardbench_module_##ident; \
	const struct bb_module boardbench_module_##ident
#else
#define BB_MODULE(ident)                                    \
	extern BB_EXPORT const struct bb_module boardbench_module; \
	BB_EXPORT const struct bb_module boardbench_module
#endif

#define bb_now(ctx) ((ctx)->host->now(ctx))
#define bb_count(ctx, counter, amount) ((ctx)->host->count((ctx), (counter), (amount)))
#define bb_sample(ctx, histogram, value) ((ctx)->host->sample((ctx), (histogram), (value)))
#define bb_gauge(ctx, index, value) ((ctx)->host->gauge((ctx), (index), (value)))
#define bb_phase(ctx, name) ((ctx)->host->phase((ctx), (name)))
#define bb_progress(ctx, fraction) ((ctx)->host->progress((ctx), (fraction)))
#define bb_actual(ctx, param, value) ((ctx)->host->actual((ctx), (param), (value)))
#define bb_wait(ctx, fd, until_ns) ((ctx)->host->wait((ctx), (fd), (until_ns)))
#define bb_note(ctx, ...) ((ctx)->host->note((ctx), __VA_ARGS__))
#define bb_suspect(ctx, ...) ((ctx)->host->suspect((ctx), __VA_ARGS__))
#define bb_fail(ctx, error, ...) ((ctx)->host->fail((ctx), (error), __VA_ARGS__))
#define bb_fact(ctx, key, value) ((ctx)->host->fact((ctx), (key), (value)))
#define bb_offer(ctx, param, value, description, state) \
	((ctx)->host->offer((ctx), (param), (value), (description), (state)))
#define bb_change(ctx, kind, path, text) ((ctx)->host->change((ctx), (kind), (path), (text)))

#ifdef __cplusplus
}
#endif
#endif
