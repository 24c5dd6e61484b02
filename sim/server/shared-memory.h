/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory that a server shares with programs: rings and pages (lib/attach/protocol.h).
 */
#ifndef UMADRIG_SIM_SERVER_SHARED_MEMORY_H
#define UMADRIG_SIM_SERVER_SHARED_MEMORY_H

#include <stddef.h>

/*
 * Zeroed memory of 'size' bytes, to be unmapped with munmap(2), and '*ret_fd', a memfd of it with a
 * sealed size, to be closed. NULL with errno.
 */
void *shared_memory_new(size_t size, int *ret_fd);

#endif
