/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bytes that a program has sent in a memfd.
 */
#ifndef UMADRIG_SIM_SERVER_MEMFD_H
#define UMADRIG_SIM_SERVER_MEMFD_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads the first 'size' bytes of it, which never blocks; g_free() frees them. NULL: it has fewer,
 * or is no memfd, or there is no memory.
 */
uint8_t *memfd_read(int fd, size_t size);

#endif
