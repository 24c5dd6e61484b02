/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Waiting for any of several handles. */
#ifndef UMADRIG_SIM_HOST_POLL_ANY_H
#define UMADRIG_SIM_HOST_POLL_ANY_H

#include <stddef.h>

/* As struct umad_backend's poll_any (lib/backend.h). Lock free. */
int handle_poll_any(const int *fds, size_t count, int *timeout_ms);

#endif
