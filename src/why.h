/* SPDX-License-Identifier: MIT */
/* "Why slow": what of the link, the machine and the medium held a result down. */
#ifndef BB_WHY_H
#define BB_WHY_H

#include "finding.h"
#include "result.h"

/* From the result alone (its environment, CPU load, notes, kernel messages), so that it can be told
 * tomorrow too; `conclusion` is the most likely reason in a sentence or two, the caller's to free. */
void why_slow(const struct result *result, struct findings *findings, char **conclusion);

#endif
