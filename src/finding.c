/* SPDX-License-Identifier: MIT
 *
 * A list of things found out, each with a verdict. */
#include "finding.h"

#include <stdarg.h>
#include <stdio.h>

#include "mem.h"

void findings_add(struct findings *findings, enum verdict verdict, const char *topic,
	const char *advice, const char *format, ...)
{
	char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = mem_strdup("");
	va_end(arguments);
	findings->items =
		mem_grow(findings->items, findings->len + 1, sizeof(*findings->items));
	findings->items[findings->len++] = (struct finding){
		.verdict = verdict,
		.topic = mem_strdup(topic),
		.text = text,
		.advice = mem_strdup(advice),
	};
}

void findings_finish(struct findings *findings)
{
	for (size_t i = 0; i < findings->len; i++) {
		free(findings->items[i].topic);
		free(findings->items[i].text);
		free(findings->items[i].advice);
	}
	free(findings->items);
	*findings = (struct findings){ 0 };
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_FINE] = "fine",
		[VERDICT_NOTE] = "note",
		[VERDICT_WARNING] = "warning",
		[VERDICT_BAD] = "bad",
	};

	return (size_t)verdict < ARRAY_LEN(names) ? names[verdict] : "bad";
}
