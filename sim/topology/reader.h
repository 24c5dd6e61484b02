/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the readers of fabric descriptions share: the topology in the making.
 *
 * A reader goes through its file once, line by line, and hands headers and port lines to
 * sim/topology/record.c, which makes nodes at once and keeps each port line's claim ("my port 3
 * leads to port 5 of X") for later. When all is read, topology_finish() gives GUIDs to nodes
 * without one (sim/topology/guid.c), joins claims into links (sim/topology/link.c) and checks the
 * LIDs (sim/topology/lid.c). Everything is linear in the size of the file; hash tables are for
 * look-ups only.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_READER_H
#define UMADRIG_SIM_TOPOLOGY_READER_H

#include "sim/topology/line.h"
#include "sim/topology/topology.h"

/* A GUID in a diagnostic. */
#define GUID_FORMAT "0x%" G_GINT64_MODIFIER "x"

/* For "%.*s" in a diagnostic: as much of a text as is needed to recognize it. */
#define SHOWN(span) (int)MIN(span_size(span), 80), (span).at

/* What a port line says about its link. */
struct topology_claim {
	int node;
	uint8_t port;
	const char *peer;	/* a node's id; with '@' in an ibsim file an alias */
	long peer_port;
	uint64_t peer_guid;	/* of the peer's port; 0: not given */
	long peer_lid;		/* 0: not given, or not a possible LID */
	unsigned int file_number;
	unsigned int line;
	int peer_node;		/* found while joining; -1: it leads nowhere */
};

/* What precedes a header: it belongs to the node that follows. */
struct topology_preamble {
	uint64_t guid[TOPOLOGY_KIND_COUNT];	/* of the next node of a kind */
	bool guid_said[TOPOLOGY_KIND_COUNT];
	uint64_t port0_guid;
	uint64_t sys_image_guid;
	uint32_t vendor_id;
	uint16_t device_id;
	uint32_t revision;
	unsigned int planes;		/* 0: not given */
	unsigned int planes_line;
	unsigned int vfs;		/* likewise */
	unsigned int vfs_line;
};

struct topology_format;

struct topology_reader {
	struct topology *topology;
	const struct topology_format *format;
	unsigned int file_number;	/* the file that is being read, in topology's files */
	unsigned int line;		/* in it */

	GHashTable *ids;		/* id -> index in nodes + 1 */
	GHashTable *aliases;		/* "module@name" -> node << 8 | port, + 1 */
	GArray *claims;			/* of struct topology_claim */
	GPtrArray *claims_by_port;	/* by node: uint32_t[port_count + 1], index in claims + 1 */

	struct topology_preamble next;
	int node;			/* whose port lines follow; -1: no node's */
	bool skipping;			/* the header was refused, so are its port lines */
	bool closed;			/* another line has come after its port lines */
	bool repeated;			/* this record repeats one that was read before */
	bool grouped;			/* ibnetdiscover -g: switches occur twice */
	bool began;			/* a line that belongs to a node was read */
	unsigned int zero_lid_count;	/* end ports whose LID is given as 0 */
	unsigned int zero_lid_line;

	/* ibsim only. */
	const char *module;		/* prefix of ids, NULL: none */
	uint64_t guid_base[TOPOLOGY_KIND_COUNT];	/* what +N is relative to */
	uint8_t width, speed, speed_ext;	/* enabled on the nodes that follow; 0: not given */
	unsigned int include_depth;

	/* Harmless traces of a terminal or an editor, reported in one line. */
	bool saw_bom, saw_cr, saw_prompt, saw_blanks_for_tabs, saw_cut;
	unsigned int prompt_line;

	/* Headers without the tab that separates their first two fields. */
	unsigned int glued_count;
	unsigned int glued_line;
};

/* One diagnostic, about line 'line' of the file that is being read, or of file 'file_number'. */
void topology_diagnose(struct topology_reader *reader, enum topology_severity severity,
		       unsigned int line, const char *format, ...) G_GNUC_PRINTF(4, 5);
void topology_diagnose_at(struct topology_reader *reader, enum topology_severity severity,
			  unsigned int file_number, unsigned int line, const char *format, ...)
	G_GNUC_PRINTF(5, 6);

/*
 * Reports what a terminal or an editor did to the file: it is harmless, so one line is enough for
 * all.
 */
void reader_tell_traces(struct topology_reader *reader);

/* The next line of the file, which diagnostics are about from then on; false: there is none. */
bool reader_next_line(struct topology_reader *reader, struct line_reader *lines,
		      struct span *ret_line);

/* Count a line that is neither blank nor a comment, and one of these that is left out. */
void topology_count_line(struct topology_reader *reader);
void topology_lose_line(struct topology_reader *reader);

void reader_init(struct topology_reader *reader, struct topology *topology);
/* Frees what the reader has; the topology stays. */
void reader_done(struct topology_reader *reader);

/* ---- sim/topology/record.c ---- */

/* Is it a header: "Switch 36 "id""? 'ret_guid_id': the id is made as ibnetdiscover makes them. */
bool topology_record_is_header(struct span line, bool *ret_guid_id);

/*
 * Gets the GUID from an id as ibnetdiscover makes them, "S-0002c903007b78b0"; false: it has none.
 */
bool topology_record_id_guid(struct span id, uint64_t *ret_guid);

/* Is it one of the comments that ibnetdiscover writes before the first node? */
bool topology_record_is_heading(struct span line);

/*
 * The kind that a header line begins with ("Switch", "Ca", "Hca", "Rt"); moves the cursor past it.
 */
bool topology_record_keyword(struct span *line, enum topology_kind *ret_kind);

/* Reads "vendid=0x2c9" and the like; false if it is another line. */
bool topology_record_preamble(struct topology_reader *reader, struct span line);

/* A new node, which the port lines that follow belong to; 'id' is one of the topology's strings. */
struct topology_node *topology_record_node(struct topology_reader *reader, enum topology_kind kind,
					   const char *id, uint8_t port_count);
/* Text as a NodeDescription, cut to the size of that. */
char *topology_record_description(struct topology_reader *reader, struct span text);
/* The driver's name for a CA, at the end of its description "host mlx5_0"; NULL: it has none. */
char *topology_record_device_name(struct topology_reader *reader, const char *description);

/* Reads a header; 'rest' is what follows the keyword. */
void topology_record_header(struct topology_reader *reader, enum topology_kind kind,
			    struct span rest);

/* To be called for other lines after port lines: a later port line is then out of place. */
void topology_record_close(struct topology_reader *reader);

/* The key under which a node or alias called 'name' is known: with its module, if it has one. */
const char *topology_record_key(struct topology_reader *reader, struct span name);

/* ---- sim/topology/port.c ---- */

/* Keeps the claim; false after a diagnostic if the port has another line. */
bool topology_port_claim(struct topology_reader *reader, const struct topology_claim *claim);

/* Reads a port line, "[3] ...". */
void topology_port_line(struct topology_reader *reader, struct span line);

/* Reads "@[3] ... "name"": another name for a port. */
void topology_port_alias(struct topology_reader *reader, struct span line);

/* ---- sim/topology/comment.c ---- */

/* What follows the '#': the text in quotes, what precedes and what follows it. */
struct topology_comment {
	struct span before;
	struct span description;
	struct span after;
	bool quoted;		/* false: all of it is in 'before' */
};

/* False if there is no '#'. */
bool topology_comment_split(struct span text, struct topology_comment *ret);

/* For ibsim: a description without quotes ends where the port's data begin. */
void topology_comment_unquoted(struct topology_comment *comment);

/* Reads "... lid 5 lmc 0 ..." of the port itself. */
void topology_comment_lids(struct topology_reader *reader, struct span text,
			   struct topology_port *port);

/*
 * The number after a word; 0 and 'ret_bad' if the next word is none (the cursor stays before it).
 */
long topology_word_number(struct span *cursor, bool *ret_bad);

/* Whether a line is a shell's prompt. */
bool topology_is_prompt(struct span line);

/* A diagnostic if a line is too long for programs that read 254 bytes. */
void topology_check_length(struct topology_reader *reader, struct span line);

/* ---- sim/topology/rate.c ---- */

/* Parses "4xHDR" into the port's active width and speed; false if 'word' is not like a rate. */
bool topology_rate_parse(struct topology_reader *reader, struct span word,
			 struct topology_port *port);
/* Parses "4x"; false if it is no width. */
bool topology_width_parse(struct span word, struct topology_port *port);
/*
 * Parses the Gb/s of a lane, as OpenSM and ibdm write it ("2.5", "FDR10"); false if it is no such
 * speed.
 */
bool topology_lane_speed_parse(struct span value, struct topology_port *port);
/* Parses "w=2"; false if 'word' is not like an option. */
bool topology_rate_option(struct topology_reader *reader, struct span word,
			  struct topology_port *port);
/* Names of the active width and speed, "4x" and "HDR"; NULL: not given, or it has no name. */
const char *topology_width_name(const struct topology_port *port);
const char *topology_speed_name(const struct topology_port *port);
/* The rate, in 'buf' (16 bytes), which is returned. */
const char *topology_rate_name(const struct topology_port *port, char *buf);
/*
 * For ibsim: the rate that two ports with these enabled masks come up with; false: nothing in
 * common.
 */
bool topology_rate_negotiate(struct topology_port *a, struct topology_port *b);

/* ---- finishing ---- */

void topology_finish_guids(struct topology_reader *reader);
void topology_finish_links(struct topology_reader *reader);
void topology_finish_lids(struct topology_reader *reader);

#endif
