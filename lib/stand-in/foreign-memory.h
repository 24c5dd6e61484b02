/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The foreign program's memory: of the process that foreign.pid is, by its addresses. */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_MEMORY_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* All 'size' bytes: 0, or -EFAULT. */
int foreign_memory_get(uint64_t at, void *ret, size_t size);
int foreign_memory_put(uint64_t at, const void *bytes, size_t size);

/* A text with its end. 0, -EFAULT, or -ENAMETOOLONG where it has no room. */
int foreign_memory_get_text(uint64_t at, char *ret, size_t size);

#endif
