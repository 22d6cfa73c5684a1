/* SPDX-License-Identifier: MIT */
/* The screens, as the program starts them. */
#ifndef BB_UI_H
#define BB_UI_H

#include "error.h"
#include "session.h"

/* The workbench on this terminal until the user leaves or a signal ends it. 0; -EINTR after SIGINT;
 * -ENOTTY (no terminal) and -ENOTSUP (a terminal that cannot be addressed, TERM unknown) before anything was
 * drawn: plain lines are left then. session->loop is used and left as it was. */
int ui_run(struct session *session, struct error *error);

#endif
