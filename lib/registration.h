/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Registering agents, for the calls of libibumad and for ioctl(2). */
#ifndef UMADRIG_LIB_REGISTRATION_H
#define UMADRIG_LIB_REGISTRATION_H

#include "lib/backend.h"

/* As the backend's functions; libibumad remembers what is registered. -EBADF: a bad handle. */
int umad_agent_register(int fd, struct umad_backend_reg *reg);
int umad_agent_unregister(int fd, uint32_t id);

#endif
