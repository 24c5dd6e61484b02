/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which fabric and which host a thread of this process means. sim/api/umadrig.c sets it, door.c
 * asks.
 */
#ifndef UMADRIG_SIM_API_ATTACH_H
#define UMADRIG_SIM_API_ATTACH_H

struct umadrig_fabric;
struct umadrig_host;

/* The fabric that umadrig_attach() named, or NULL. */
struct umadrig_fabric *attached_fabric(void);

/* The fabric goes away: it is attached no more. */
void attach_forget(const struct umadrig_fabric *fabric);

/* The calling thread's host on the fabric: umadrig_host_enter()'s, else the fabric's default. */
struct umadrig_host *attached_host(const struct umadrig_fabric *fabric);

#endif
