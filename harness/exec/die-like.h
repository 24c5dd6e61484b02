/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef UMADRIG_HARNESS_EXEC_DIE_LIKE_H
#define UMADRIG_HARNESS_EXEC_DIE_LIKE_H

#include <glib.h>

/* Ends this process by the signal that ended the program for which it stands. */
void die_like(int sig) G_GNUC_NORETURN;

#endif
