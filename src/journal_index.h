/* SPDX-License-Identifier: MIT */
/* The index of the journal: fixed-size records in journal.index, a cache that makes start-up quick. */
#ifndef BB_JOURNAL_INDEX_H
#define BB_JOURNAL_INDEX_H

#include "journal.h"

/* Entries of a line of the journal. false: no line of ours. */
bool journal_entry_of_line(const char *line, size_t length, uint64_t offset,
	struct journal_entry *entry);
void journal_append_entry(struct journal *journal, const struct journal_entry *entry);
/* Read the index and keep what fits the journal file; returns up to which offset it holds. */
uint64_t journal_index_load(struct journal *journal, int fd);
/* Write the index anew, whole; or add its last entry. Failing is no harm: it is a cache. */
void journal_index_save(const struct journal *journal);
void journal_index_add(const struct journal *journal);

#endif
