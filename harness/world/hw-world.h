/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a real world consists of.
 */
#ifndef UMADRIG_HARNESS_WORLD_HW_WORLD_H
#define UMADRIG_HARNESS_WORLD_HW_WORLD_H

#include "harness/world/world.h"

struct hw_wire;

struct world_hw {
	struct world world;
	int64_t start_ns;
	struct hw_wire *wire;	/* the simulated wire; NULL: a real one */
	char *removed[WORLD_ENDS];	/* network interface of a removed soft RoCE device */
	bool is_ethernet[WORLD_ENDS];
	int issm[WORLD_ENDS];
};

static inline struct world_hw *hw_of(struct world *world)
{
	return (struct world_hw *)(void *)world;
}

/* ---- harness/world/hw-file.c: of struct world_kind ---- */

int hw_file_open(struct world *world, enum world_end end, void **ret_file);
int hw_file_ioctl(void *file, unsigned long request, void *arg);
long hw_file_write(void *file, const void *buf, size_t count);
long hw_file_read(void *file, void *buf, size_t count);
unsigned int hw_file_poll(void *file);
void hw_file_close(void *file);
int hw_issm_open(struct world *world, enum world_end end);
int hw_issm_close(struct world *world, enum world_end end);

/* ---- harness/world/hw-device.c ---- */

/* GID 0 of a port, or -errno. */
int hw_read_gid(const char *ca, int port, uint8_t ret_gid[16]);
/* Of struct world_kind. */
int hw_port_remove(struct world *world, enum world_end end);
/* Adds the device again that hw_port_remove() removed: the next point needs it. */
void hw_port_restore(struct world *world, enum world_end end);

/* ---- harness/world/hw-attribute.c: of struct world_kind ---- */

int hw_attribute(struct world *world, const char *node, int port, unsigned int attribute,
		 uint8_t ret_data[64]);

#endif
