/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What guests need of the machine: the kernel's file, init, and a place for their memory.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_IMAGE_H
#define UMADRIG_SIM_GUESTS_GUEST_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Of one guest: opensm and its tools need less. */
#define GUEST_MEMORY "128M"

/* Does the name of a kernel stand for a guest: "uml:6.12", "uml:/path/of/linux"? */
bool guest_image_is_meant(const char *name);

/*
 * The kernel's file that such a name stands for; to be freed. NULL with a message, and the cure:
 * there is none; guests cannot run on this machine.
 */
char *guest_image_find(const char *name, char *reterr, size_t reterr_size);

/* The path of the guests' first program; to be freed. */
char *guest_init_path(void);
/*
 * A directory where files may be mapped to be executed, as a guest's memory is; NULL: there is
 * none.
 */
const char *guest_memory_directory(void);

#endif
