/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A topology: what a fabric description file says, as plain data, before it becomes a fabric.
 *
 * Readers of ibnetdiscover output, of ibsim net files, of OpenSM's subnet lists and of ibdm's
 * system topologies fill it in, or generators do.
 * Nothing is lost in silence: what a file says that cannot be so becomes a diagnostic with file,
 * line and cure; where the damage is local (a dangling peer, a bad LID, a doubled line) the rest
 * still loads, where it is not (no node at all, unreadable file) loading fails.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_TOPOLOGY_H
#define UMADRIG_SIM_TOPOLOGY_TOPOLOGY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

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
	uint16_t lid;		/* CA and router ports, and port 0 of a switch; 0: not said */
	uint8_t lmc;
	uint8_t width_active;	/* bit masks as above; 0: not said */
	uint8_t speed_active;
	uint8_t speed_ext_active;
	bool fdr10;		/* Mellanox FDR10, on top of speed QDR */
	uint8_t width_enabled;	/* ibsim's w= s= e=; 0: not said */
	uint8_t speed_enabled;
	uint8_t speed_ext_enabled;
	uint8_t vl_cap;		/* VLCap code of v=; 0: not said */
	unsigned int line;	/* where it was said, 0: nowhere */
};

struct topology_node {
	enum topology_kind kind;
	char *id;		/* in quotes on the header line: "S-0008f10500650b3c", "H1" */
	char *description;	/* NodeDescription, at most 64 bytes, UTF-8 or not */
	char *device_name;	/* what the topology calls its device (mlx5_0), or NULL */
	uint64_t node_guid;	/* never 0 after loading: made up where the file has none */
	uint64_t sys_image_guid;	/* 0: as the node GUID */
	uint32_t vendor_id;
	uint16_t device_id;
	uint32_t revision;
	uint8_t port_count;	/* physical ports, 1..254 */
	bool enhanced_port0;
	struct topology_port *ports;	/* port_count + 1 entries; entry 0 used on switches only */
	unsigned int file_number;	/* where its header is, in topology's files */
	unsigned int line;	/* of the header */
};

enum topology_severity {
	TOPOLOGY_WARNING,	/* taken otherwise than said, loading goes on */
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

/* So many of a file are kept; the last one then tells how many more there were. */
#define TOPOLOGY_DIAGNOSTICS_MAX 1000

/* All strings of the nodes belong to the topology. */
struct topology {
	char *file;
	GPtrArray *files;	/* of char *: itself, then what it includes, as it was met */
	GPtrArray *nodes;	/* of struct topology_node *, in file order */
	GArray *diagnostics;	/* of struct topology_diagnostic, in file order */
	GArray *commands;	/* of struct topology_command, as they were met */
	GStringChunk *strings;
	unsigned int diagnostics_left_out;	/* beyond TOPOLOGY_DIAGNOSTICS_MAX */
};

/*
 * A file of which this is the beginning is none: it is made as the rest says. "generate:" and
 * fat-tree:HCAS[,RADIX[,LEVELS]], torus:XxYxZ,HOSTS or
 * dragonfly+:GROUPS,LEAVES,SPINES,HOSTS[,CABLES].
 */
#define TOPOLOGY_GENERATE "generate:"

/*
 * Reads a file (format found by looking at it), or makes a fabric. Returns NULL only with a fatal
 * diagnostic, which is then the last of '*ret_diagnostics'. 'ret_diagnostics' may be NULL; else it
 * becomes the GArray of struct topology_diagnostic that a loaded topology's 'diagnostics' is too, for
 * the caller to free with topology_diagnostics_free(), before or after the topology.
 */
struct topology *topology_load(const char *path, GArray **ret_diagnostics);

/* One without nodes, called 'name', for whoever makes it. */
struct topology *topology_new(const char *name);

/*
 * The same from memory; 'name' stands for the file in diagnostics, and what an ibsim file includes
 * is looked for beside it. 'size' bytes, no terminator needed.
 */
struct topology *topology_parse(const char *text, size_t size, const char *name,
				GArray **ret_diagnostics);

/* NULL is allowed. */
void topology_free(struct topology *topology);
void topology_diagnostics_free(GArray *diagnostics);

/* "FILE:LINE: error: MESSAGE", to be freed with g_free(). */
char *topology_diagnostic_format(const struct topology_diagnostic *diagnostic);

/*
 * Gives every end port that needs one a LID that nobody has: ports in node order, lowest free LID
 * (aligned to the port's LMC). LIDs the file gave stay. Diagnoses when the 49,151 run out.
 */
void topology_assign_lids(struct topology *topology);

/*
 * Appends the fabric to 'out' as text. None of them looks at a clock: the same topology gives the
 * same bytes.
 *
 * As ibnetdiscover prints it: switches, CAs, routers, each in file order, ids made of node GUIDs;
 * revisions and VLCaps where they are known. topology_parse() makes an equal topology of it, up to
 * what such a dump cannot say: ids, what ports without a link are, and masks of what is enabled.
 * Graphviz: a graph with a node for each node and an edge for each link.
 * JSON: an object; bytes of descriptions that are no UTF-8 become U+FFFD.
 */
void topology_write_ibnetdiscover(const struct topology *topology, GString *out);
void topology_write_dot(const struct topology *topology, GString *out);
void topology_write_json(const struct topology *topology, GString *out);

/*
 * Does to a topology what its commands say, by way of a fabric: NULL with a message, or the
 * topology as it then is, which has none. What goes wrong becomes a diagnostic of the first one,
 * which stays the caller's. In libumadrig.
 */
struct topology *topology_carry_out(const struct topology *topology, char *reterr,
				    size_t reterr_size);

/* The node whose id, else whose description, is 'name'; -1: none, or two descriptions match. */
int topology_find(const struct topology *topology, const char *name);

#endif
