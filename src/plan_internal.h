/* SPDX-License-Identifier: MIT
 *
 * Parts of plan_make() that stand in files of their own. */
#ifndef BB_PLAN_INTERNAL_H
#define BB_PLAN_INTERNAL_H

#include "plan.h"

/* Set the option `name` of a case; 1: it is no option. Messages without the line. */
int case_option_set(struct case_options *options, const struct module_info *info, const char *root,
	const char *name, const char *text, struct error *error);
void case_options_init(struct case_options *options);
void case_options_copy(struct case_options *to, const struct case_options *from);

/* What a subsystem's defaults give for parameter `index`; no setting of the run is looked at. */
int plan_default_value(const struct board *board, const struct subsystem *subsystem, size_t index,
	struct value *value, struct error *error);
/* -EINVAL for a name that is no parameter: with the nearest that is. */
int plan_unknown_parameter(
	const struct module_info *info, const char *name, bool with_options, struct error *error);
/* Release values of a module with params_len parameters. */
void plan_values_finish(struct value *values, size_t len);

#endif
