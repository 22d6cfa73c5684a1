/* SPDX-License-Identifier: MIT */
/* Loading a module: in a worker only. Everything of it is checked before it is used. */
#ifndef BB_LOADER_H
#define BB_LOADER_H

#include <boardbench/module.h>

#include "error.h"
#include "module_info.h"

struct loaded {
	void *handle;            /* NULL for a built-in one */
	struct bb_module module; /* a copy, zero behind what an older module has */
};

/* path "": the built-in module of that name. The error names the file and the fault. */
int loader_open(const char *path, const char *name, struct loaded *loaded, struct error *error);
void loader_close(struct loaded *loaded);
/* The description for the workbench; the caller's to finish. */
void loader_describe(const struct loaded *loaded, const char *path, struct module_info *info);

/* Modules linked into the program (-Dbuiltin_modules=true); made by the build. */
extern const struct bb_module *const builtin_modules[];
extern const unsigned builtin_modules_len;

#endif
