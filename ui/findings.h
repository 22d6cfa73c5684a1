/* SPDX-License-Identifier: MIT */
/* Findings as lines, alike in "environment" and "why slow". */
#ifndef BB_UI_FINDINGS_H
#define BB_UI_FINDINGS_H

#include "finding.h"

#include "lines.h"

void findings_to_lines(const struct findings *findings, struct lines *lines);

#endif
