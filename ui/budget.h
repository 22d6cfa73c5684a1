/* SPDX-License-Identifier: MIT */
/* How many bytes the live view may send: a fifth of what the line carries. Pure. */
#ifndef BB_UI_BUDGET_H
#define BB_UI_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
	unsigned rate;     /* bytes a second; 0: no limit */
	double credit;     /* bytes; negative: owed */
	uint64_t time_ns;  /* when credit was right */
};

/* baud 0: no limit. A byte is ten bits on the line. */
void budget_start(struct budget *budget, unsigned baud, uint64_t now_ns);
bool budget_allows(struct budget *budget, uint64_t now_ns);
void budget_spend(struct budget *budget, uint64_t bytes);

#endif
