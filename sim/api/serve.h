/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server of a fabric that this process made itself: umadrig_serve().
 */
#ifndef UMADRIG_SIM_API_SERVE_H
#define UMADRIG_SIM_API_SERVE_H

struct umadrig_fabric;

/* Ends the fabric's server, if it has one, and its thread. Lock not held. */
void serve_end(struct umadrig_fabric *fabric);

#endif
