/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The port that asks, opened through libibumad: simulated or real.
 */
#ifndef UMADRIG_HARNESS_REPLAY_ASK_UMAD_H
#define UMADRIG_HARNESS_REPLAY_ASK_UMAD_H

#include <glib.h>

#include "sim/ask/ask-port.h"

/*
 * Opens it: 'ca' NULL and 'port' 0 for the default, as umad_open_port() takes them. NULL with an
 * error.
 */
struct ask_port *ask_umad_open(const char *ca, int port, GError **error);

#endif
