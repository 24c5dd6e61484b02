/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric and the host of a thread of this process. sim/api/umadrig.c sets them, door.c reads
 * them.
 */
#ifndef UMADRIG_SIM_API_ATTACH_H
#define UMADRIG_SIM_API_ATTACH_H

struct umadrig_fabric;
struct umadrig_host;

/* The fabric that umadrig_attach() named, or NULL. */
struct umadrig_fabric *attached_fabric(void);

/* Detaches a fabric that is closed. */
void attach_forget(const struct umadrig_fabric *fabric);

/* The calling thread's host on the fabric: umadrig_host_enter()'s, else the fabric's default. */
struct umadrig_host *attached_host(const struct umadrig_fabric *fabric);

#endif
