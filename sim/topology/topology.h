/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A topology: what a fabric description file says, as plain data, before it becomes a fabric.
 *
 * Readers of files (sim/topology/format.h) or generators fill it in, for sim/topology/load.h. All
 * of them are above this file. Nothing is silently lost: whatever is impossible in a file becomes a
 * diagnostic with file, line and cure. If the damage is local (a dangling peer, a bad LID, a
 * repeated line), the rest still loads; if it is not (no node at all, unreadable file), loading
 * fails.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_TOPOLOGY_H
#define UMADRIG_SIM_TOPOLOGY_TOPOLOGY_H

#include <glib.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/topology/loss.h"

enum topology_kind {		/* as NodeInfo.NodeType, IBA vol 1, 14.2.5.3 */
	TOPOLOGY_CA = 1,
	TOPOLOGY_SWITCH = 2,
	TOPOLOGY_ROUTER = 3,
};

/* LinkWidth bits (PortInfo): 1x 1, 4x 2, 8x 4, 12x 8, 2x 16. */
/* LinkSpeed bits: SDR 1, DDR 2, QDR 4. LinkSpeedExt bits: FDR 1, EDR 2, HDR 4, NDR 8, XDR 32. */

struct topology_port {
	uint64_t guid;		/* 0: the file does not say */
	int peer_node;		/* index in nodes, -1: no link */
	uint8_t peer_port;
	uint16_t lid;		/* CA and router ports, and port 0 of a switch; 0: not given */
	uint8_t lmc;
	uint8_t width_active;	/* bit masks as above; 0: not given */
	uint8_t speed_active;
	uint8_t speed_ext_active;
	bool fdr10;		/* Mellanox FDR10, on top of speed QDR */
	uint8_t width_enabled;	/* ibsim's w= s= e=; 0: not given */
	uint8_t speed_enabled;
	uint8_t speed_ext_enabled;
	uint8_t vl_cap;		/* VLCap code of v=; 0: not given */
	int subnet;		/* of an end port: its number, from 0 (topology-subnet.h) */
	unsigned int line;	/* the line that gives it, 0: none */
};

struct topology_node {
	enum topology_kind kind;
	char *id;		/* in quotes on the header line: "S-0008f10500650b3c", "H1" */
	char *description;	/* NodeDescription, at most 64 bytes, UTF-8 or not */
	char *device_name;	/* the device's name in the file (mlx5_0), or NULL */
	uint64_t node_guid;	/* never 0 after loading: made up if the file has none */
	uint64_t sys_image_guid;	/* 0: as the node GUID */
	uint32_t vendor_id;
	uint16_t device_id;
	uint32_t revision;
	uint8_t port_count;	/* physical ports, 1..254 */
	bool enhanced_port0;
	uint16_t vfs;		/* a CA: virtual functions (sim/fabric/virtual-function.h); or 0 */
	bool planarized;	/* a CA: its ports are planes of one port (sim/fabric/plane.h) */
	struct topology_port *ports;	/* port_count + 1 entries; entry 0 used on switches only */
	unsigned int file_number;	/* where its header is, in topology's files */
	unsigned int line;	/* of the header */
};

#define TOPOLOGY_LID_MAX 0xbfff		/* IBA vol 1, 4.1.3: unicast LIDs are 1..0xbfff */
#define TOPOLOGY_LMC_MAX 7
#define TOPOLOGY_PORT_MAX 254		/* NodeInfo.NumPorts is a byte, and 255 is no port */
#define TOPOLOGY_VFS_MAX 1024		/* of a CA; ours */
#define TOPOLOGY_DESCRIPTION_MAX 64	/* NodeDescription is 64 bytes on the wire */
#define TOPOLOGY_KIND_COUNT 4		/* for tables indexed by enum topology_kind */

enum topology_severity {
	TOPOLOGY_WARNING,	/* not taken literally, loading goes on */
	TOPOLOGY_ERROR,		/* left out, loading goes on */
	TOPOLOGY_FATAL,		/* nothing was loaded */
};

struct topology_diagnostic {
	enum topology_severity severity;
	char *file;
	unsigned int file_number;	/* in topology's files */
	unsigned int line;	/* 0: about the whole file */
	char *message;		/* what is wrong, what was done, how to mend it: one line */
};

/* A "do" line of an ibsim net file: for the fabric's console, once it is made. */
struct topology_command {
	unsigned int file_number;	/* in topology's files */
	unsigned int line;
	char *text;
};

/* How many diagnostics of a file are kept; the last one then says how many more there were. */
#define TOPOLOGY_DIAGNOSTICS_MAX 1000

#define TOPOLOGY_SEVERITY_COUNT 3	/* for tables indexed by enum topology_severity */

/* All strings of the nodes belong to the topology. */
struct topology {
	char *file;
	GPtrArray *files;	/* of char *: the file, then those that it includes, as read */
	GPtrArray *nodes;	/* of struct topology_node *, in file order */
	GArray *diagnostics;	/* of struct topology_diagnostic, in file order */
	GArray *commands;	/* of struct topology_command, as read */
	GStringChunk *strings;
	unsigned int diagnostics_left_out;	/* beyond TOPOLOGY_DIAGNOSTICS_MAX */
	unsigned int told[TOPOLOGY_SEVERITY_COUNT];	/* diagnostics, with those left out */
	struct topology_loss loss;
};

/* A topology without nodes, called 'name', for readers and generators to fill in. */
struct topology *topology_new(const char *name);

/*
 * Why so much of the file is lost in the topology that it should not be used without the option
 * partial=yes (sim/topology/loss.h), to be freed with g_free(); NULL: little is lost.
 */
char *topology_objection(const struct topology *topology);

/* The node at 'index' in nodes, which must exist. */
struct topology_node *topology_node(const struct topology *topology, int index);

/* NULL is allowed. */
void topology_free(struct topology *topology);
void topology_diagnostics_free(GArray *diagnostics);

/* "FILE:LINE: error: MESSAGE", to be freed with g_free(). */
char *topology_diagnostic_format(const struct topology_diagnostic *diagnostic);

/* Adds a diagnostic about a line of one of the topology's files; line 0: about the whole file. */
void topology_tell(struct topology *topology, enum topology_severity severity,
		   unsigned int file_number, unsigned int line, const char *format, ...)
	G_GNUC_PRINTF(5, 6);
void topology_tell_va(struct topology *topology, enum topology_severity severity,
		      unsigned int file_number, unsigned int line, const char *format,
		      va_list args) G_GNUC_PRINTF(5, 0);

/*
 * Sorts the diagnostics by file and line, and adds one with the number of those left out. Later
 * ones (topology_assign_lids(), commands) follow these.
 */
void topology_sort_diagnostics(struct topology *topology);

/*
 * Carries out the topology's commands, on a fabric made of it. Returns the resulting topology,
 * which has no commands, or NULL with a message. Commands that fail become diagnostics of
 * 'topology', which stays the caller's. In libumadrig.
 */
struct topology *topology_carry_out(struct topology *topology, char *reterr,
				    size_t reterr_size);

/* The node whose id, or else whose description, is 'name'; -1: none, or two descriptions match. */
int topology_find(const struct topology *topology, const char *name);

#endif
