/* Keeps the live view within a fifth of a serial line.
 * SPDX-License-Identifier: MIT */
#include "budget.h"

void budget_start(struct budget *budget, unsigned baud, uint64_t now_ns)
{
	*budget = (struct budget){ .rate = baud / 10 / 5, .time_ns = now_ns };
	if (baud && !budget->rate)
		budget->rate = 1;
}

bool budget_allows(struct budget *budget, uint64_t now_ns)
{
	if (!budget->rate)
		return true;
	if (now_ns > budget->time_ns)
		budget->credit += (double)(now_ns - budget->time_ns) * 1e-9 * budget->rate;
	budget->time_ns = now_ns;
	/* No saving up for a burst: what was not used in a tenth of a second is gone. */
	if (budget->credit > budget->rate / 10.0)
		budget->credit = budget->rate / 10.0;
	return budget->credit >= 0;
}

void budget_spend(struct budget *budget, uint64_t bytes)
{
	if (budget->rate)
		budget->credit -= (double)bytes;
}
