/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the shim asks of mad.c beyond its exported functions. mad-door.c includes the kernel's file,
 * and so knows its structs.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_MAD_DOOR_H
#define UMADRIG_KMOD_STUB_LINUX_MAD_DOOR_H

#include <stdbool.h>
#include <stdint.h>

struct ib_device;
struct ib_qp;

/* The kernel's own: the begin of mad.c, and of user_mad.c by its module_init(). 0 or -errno. */
int ib_mad_init(void);
int linux_module_init(void);

/* Has mad.c post one buffer when it fills the QP's receive queue, however large that is. */
void mad_door_post_lazily(struct ib_qp *qp);
/* Has it post one more. */
void mad_door_post(struct ib_qp *qp);

/* The number of the agent that gets the request or response 'mad' (256 bytes), or -1: none. */
long mad_door_agent(struct ib_device *device, const void *mad);

bool mad_door_is_response(const void *mad);

/* Module parameters, by their names in the kernel; NULL: there is no such one. */
int *mad_door_parameter(const char *name);

#endif
