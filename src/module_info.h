/* SPDX-License-Identifier: MIT */
/* What a module says of itself, owned by the workbench: copied out of a worker's description, because
 * the workbench process never loads a module. */
#ifndef BB_MODULE_INFO_H
#define BB_MODULE_INFO_H

#include <boardbench/module.h>
#include <stdbool.h>

#include "error.h"

/* A value found on this machine for a parameter. */
struct offer {
	char *value, *description;
	bool usable;
};

struct param {
	char *name, *text, *unit, *initial; /* unit may be NULL */
	char **choices;                     /* NULL-terminated; NULL unless BB_CHOICE */
	double minimum, maximum;            /* both 0: none */
	enum bb_type type;
	uint32_t offset;                    /* in the configuration struct; worker side only */
	uint32_t flags;                     /* enum bb_param_flags */
};

struct metric {
	char *name, *text, *unit;
	double scale;
	enum bb_source source;
	uint32_t index;
	enum bb_better better;
	enum bb_mean mean;
};

struct module_info {
	char *name, *title, *text, *method, *version, *group;
	char *path;      /* of the shared object; "" when built in */
	char *problem;   /* NULL, or why it cannot be loaded: then only name and path are set */
	uint32_t flags;  /* enum bb_flags */
	struct param *params;
	size_t params_len;
	struct metric *metrics;
	size_t metrics_len;
};

void module_info_finish(struct module_info *info);
void param_finish(struct param *param);
/* Index of the parameter, or -1. */
int module_info_find_param(const struct module_info *info, const char *name);

/* As JSON, for the socket between worker and workbench; a new string, the caller's to free. */
char *module_info_to_json(const struct module_info *info);
/* info is all zero before; on error it is finished. -EPROTO. */
int module_info_from_json(const char *json, size_t length, struct module_info *info,
	struct error *error);

#endif
