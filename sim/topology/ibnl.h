/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Models of systems, as ibdm describes them (ibdm-ibnl-file(1)): which devices and boards are in a
 * box, how they are wired, and the labels of the sockets on its front.
 *
 *	SYSTEM LEAF,LEAF:4x		a board, with its names; one per variant
 *	NODE SW 24 MT47396 U1		a device on it: kind, ports, make, name
 *	   1 -4x-5G-> P13		its port 1 is the board's connector P13
 *	   2 -> U2 7			its port 2 leads to port 7 of device U2
 *	TOPSYSTEM MTS14400,Rhino	the box
 *	SUBSYSTEM LEAF leaf1		a board in it, and where its connectors lead
 *	   P13 -> L1/P1
 */
#ifndef UMADRIG_SIM_TOPOLOGY_IBNL_H
#define UMADRIG_SIM_TOPOLOGY_IBNL_H

#include "sim/topology/reader.h"

/* A wire from a part to another part of the same board, or to a connector of the board. */
struct ibnl_wire {
	const char *port;	/* of a device: its number; of a board: a connector */
	const char *to;		/* a part, or a connector of this board */
	const char *to_port;	/* NULL: 'to' is a connector */
	struct topology_port rate;	/* width and speed, if given */
	unsigned int line;
};

/* A device or a board on a board. */
struct ibnl_part {
	bool is_device;
	enum topology_kind kind;	/* of a device */
	uint8_t port_count;
	const char *model;	/* a device's make (MT47396), a board's name in this file */
	const char *name;
	GArray *wires;		/* of struct ibnl_wire */
	unsigned int line;
};

struct ibnl_board {
	GPtrArray *parts;	/* of struct ibnl_part * */
	GHashTable *by_name;	/* name -> struct ibnl_part * */
};

/* One file: a box and its boards. */
struct ibnl_model {
	unsigned int file_number;	/* in the topology's files; 0: a built-in model */
	struct ibnl_board *top;		/* NULL: it has none */
	GPtrArray *top_names;		/* of const char *, the topology's strings */
	GPtrArray *boards;		/* of struct ibnl_board * */
	GHashTable *by_name;		/* "LEAF:4x" -> struct ibnl_board * */
};

/* Reads a model; diagnostics name reader->file_number and the line. Never NULL. */
struct ibnl_model *ibnl_parse(struct topology_reader *reader, struct span text);
void ibnl_model_free(struct ibnl_model *model);

/*
 * Takes "-4x-5G->" off a line; what precedes it becomes 'ret_port'. False if there is no arrow, or
 * one that cannot be understood.
 */
bool ibnl_arrow(struct span *line, struct span *ret_port, struct topology_port *rate);

/* All models that are available. */
struct ibnl_library;

struct ibnl_library *ibnl_library_new(struct topology_reader *reader);
void ibnl_library_free(struct ibnl_library *library);
/*
 * The model called 'name', or NULL. Boxes of one device are built in; others are read from IBNL
 * files, which are looked for (only when needed) beside the topology, in the directories of
 * UMADRIG_IBNL (separated by colons), and where ibdm is installed, in this order.
 */
const struct ibnl_model *ibnl_find(struct ibnl_library *library, const char *name);

#endif
