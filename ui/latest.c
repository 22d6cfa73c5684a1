/* Reads the newest results of a subsystem and draws them as a table.
 * SPDX-License-Identifier: MIT */
#include "latest.h"

#include <string.h>

#include "text.h"

static bool is_of(const struct journal_entry *entry, const char *subsystem)
{
	/* The index keeps the beginning of long names only. */
	return entry->kind == JOURNAL_RESULT && !strncmp(entry->subsystem, subsystem, sizeof(entry->subsystem) - 1);
}

static void make_table(struct latest *latest)
{
	const struct result *rows[LATEST_MAX];
	size_t len = 0;

	for (size_t i = 0; i < latest->len; i++)
		if (!strcmp(latest->results[i].module, latest->results[latest->len - 1].module))
			rows[len++] = &latest->results[i];
	if (len)
		table_of_results(rows, len, &latest->table);
}

void latest_load(struct latest *latest, const struct session *session, const char *subsystem, size_t most)
{
	const struct journal *journal = &session->journal;
	size_t found = 0;

	*latest = (struct latest){ 0 };
	if (!session->journal_open)
		return;
	if (most > LATEST_MAX)
		most = LATEST_MAX;
	for (size_t i = 0; i < journal->len; i++)
		latest->total += is_of(&journal->entries[i], subsystem);
	for (size_t i = 0; i < journal->len && latest->len < most; i++) {
		struct result *result = &latest->results[latest->len];

		if (!is_of(&journal->entries[i], subsystem) || latest->total - found++ > most)
			continue;
		if (journal_read(journal, i, result, NULL))
			continue;
		if (strcmp(result->subsystem, subsystem) != 0) {
			result_finish(result);
			*result = (struct result){ 0 };
			continue;
		}
		latest->len++;
	}
	make_table(latest);
}

void latest_finish(struct latest *latest)
{
	table_finish(&latest->table);
	for (size_t i = 0; i < latest->len; i++)
		result_finish(&latest->results[i]);
	*latest = (struct latest){ 0 };
}

void latest_copy(const struct result *from, struct result *to)
{
	struct text text = { 0 };

	*to = (struct result){ 0 };
	result_to_json(from, &text);
	result_from_json(text.data, text.length, to, NULL);
	text_finish(&text);
}

static void draw_cells(const struct table *table, const struct area *line, char *const *cells, bool title)
{
	int column = 1;

	for (size_t i = 0; i < table->columns_len && column < line->columns; i++) {
		const struct column *shape = &table->columns[i];
		const char *text = title || !cells ? shape->title : cells[i];

		if (shape->right)
			draw_right(line, 0, column + shape->width, title ? STYLE_HEADING : STYLE_NORMAL, text ? text : "");
		else
			draw_text(line, 0, column, title ? STYLE_HEADING : STYLE_NORMAL, text ? text : "");
		column += shape->width + 2;
	}
}

void latest_draw_table(const struct table *table, const struct area *area)
{
	size_t rows = area->rows > 1 ? (size_t)area->rows - 1 : 0;
	size_t first = table->rows > rows ? table->rows - rows : 0;
	struct area line = area_rows(area, 0, 1);

	if (!table->rows || area_is_empty(area))
		return;
	draw_cells(table, &line, NULL, true);
	for (size_t i = first; i < table->rows; i++) {
		line = area_rows(area, 1 + (int)(i - first), 1);
		draw_cells(table, &line, table->cells[i], false);
	}
}
