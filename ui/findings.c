/* SPDX-License-Identifier: MIT
 * Findings as lines. */
#include "findings.h"

#include <stdio.h>

#include "screen_text.h"

#define INDENT 14

void findings_to_lines(const struct findings *findings, struct lines *lines)
{
	static const enum style styles[] = { STYLE_NORMAL, STYLE_NORMAL, STYLE_WARNING, STYLE_BAD };

	for (size_t i = 0; i < findings->len; i++) {
		const struct finding *finding = &findings->items[i];
		char text[1100];
		snprintf(text, sizeof(text), "%-13.13s %s%s%s", finding->topic, finding->text,
			finding->verdict == VERDICT_NOTE ? "" : "  ",
			finding->verdict == VERDICT_NOTE ? "" : verdict_name(finding->verdict));
		lines_add_wrapped(lines, styles[finding->verdict], SCREEN_TEXT_WIDTH, INDENT, text);
		if (finding->advice) {
			snprintf(text, sizeof(text), "%*s%s", INDENT, "", finding->advice);
			lines_add_wrapped(lines, STYLE_DIM, SCREEN_TEXT_WIDTH, INDENT, text);
		}
	}
}
