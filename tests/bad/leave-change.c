/* SPDX-License-Identifier: MIT */
/* A module that misbehaves on purpose: it crashes and leaves its changes of the system behind. */
#include <boardbench/module.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

struct config {
	const char *file, *setting;
};

static const struct bb_param params[] = {
	{ .name = "file", .text = "A file that is created and left behind; empty: none.",
	  .initial = "", BB_FIELD(BB_PATH, const char *, struct config, file) },
	{ .name = "setting", .text = "An existing file that is changed and left so; empty: none.",
	  .initial = "", BB_FIELD(BB_PATH, const char *, struct config, setting) },
};

static int bad_prepare(struct bb_context *ctx)
{
	const struct config *config = ctx->config;

	if (config->file[0]) {
		int result = bb_change(ctx, BB_CHANGE_CREATE, config->file, NULL);
		if (result < 0)
			return bb_fail(ctx, -result, "cannot announce %s", config->file);
		int fd = open(config->file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0)
			return bb_fail(ctx, errno, "cannot create %s", config->file);
		close(fd);
	}
	if (config->setting[0]) {
		int result = bb_change(ctx, BB_CHANGE_WRITE, config->setting, "changed");
		if (result < 0)
			return bb_fail(ctx, -result, "cannot change %s", config->setting);
	}
	return 0;
}

static int bad_step(struct bb_context *ctx)
{
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return BB_GO_ON;
}

static const struct bb_metric metrics[] = {
	{ .name = "rate", .text = "Things counted in a second.", .unit = "1/s", .scale = 1,
	  .source = BB_RATE_OF, .index = 0, .better = BB_HIGHER },
};

BB_MODULE(leave_change) = {
	.abi = BB_ABI,
	.struct_size = sizeof(struct bb_module),
	.name = "leave-change",
	.title = "misbehave on purpose",
	.text = "For tests only: it crashes and leaves its changes of the system behind.",
	.method = "Nothing is timed.",
	.version = "1",
	.group = "SYSTEM",
	.flags = BB_HIDDEN,
	.metrics = metrics,
	.metrics_len = sizeof(metrics) / sizeof(metrics[0]),
	.params = params,
	.params_len = sizeof(params) / sizeof(params[0]),
	.config_size = sizeof(struct config),
	.prepare = bad_prepare,
	.step = bad_step,
};
