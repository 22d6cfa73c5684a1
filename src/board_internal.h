/* SPDX-License-Identifier: MIT
 *
 * What the files that make boards share. */
#ifndef BB_BOARD_INTERNAL_H
#define BB_BOARD_INTERNAL_H

#include "board.h"

/* The new subsystem is empty but for its name; the pointer is good until the next call. */
struct subsystem *board_add_subsystem(struct board *board, const char *name);

#endif
