/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The style of a generated fabric: what all its nodes have in common, whatever its shape. An option
 * of "generate:SHAPE:NUMBERS,OPTION=VALUE" is a row of the table in sim/topology/style.c.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_STYLE_H
#define UMADRIG_SIM_TOPOLOGY_STYLE_H

#include <stdbool.h>
#include <stdint.h>

enum { GENERATE_ADAPTERS_MAX = 16 };	/* of a host */

/* What is sold for a speed. */
struct generate_make {
	const char *speed;		/* "NDR" */
	uint8_t speed_ext;		/* LinkSpeedExt: sim/topology/topology.h */
	const char *model;		/* of the switches: "MQM9700" */
	uint16_t switch_id, adapter_id;	/* PCI device numbers, which NodeInfo.DeviceID has */
};

struct generate_style {
	const struct generate_make *make;
	uint8_t width;			/* a bit of LinkWidth */
	bool vendor_names;		/* "MF0;leaf-0:MQM9700/U1", "host-0 mlx5_0" */
	bool aggregation;		/* a SHARP aggregation node at each switch's last port */
	unsigned int adapters;		/* of a host */
	unsigned int adapter_ports;	/* 1 or 2 */
	unsigned int planes;		/* of an adapter's port; 1: it is one link */
	unsigned int subnets;		/* how often the shape is there */
	unsigned int routers;		/* between all subnets; 0: none */
};

/* -EINVAL and a message, to be freed with g_free(), if the options do not fit together. */
int generate_style_finish(struct generate_style *style, char **reterr);

/* What a fabric has without options. */
void generate_style_init(struct generate_style *style);

/* Is "NAME=VALUE" an option of generated fabrics, going by its name? */
bool generate_style_knows(const char *word);

/*
 * Takes "NAME=VALUE". 0, or -EINVAL with a message in '*reterr', to be freed with g_free(), that
 * names what may stand there.
 */
int generate_style_set(struct generate_style *style, const char *word, char **reterr);

/* The name of an option, and what its value is: "names", "plain or vendor". NULL after the last. */
const char *generate_style_option(unsigned int at, const char **ret_wanted);

#endif
