/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the readers of fabric descriptions share: the topology in the making.
 *
 * A reader goes through its file once, line by line, and hands headers and port lines to
 * sim/topology/record.c, which makes nodes at once and keeps each port line's claim ("my port 3
 * leads to port 5 of X") for later. When all is read, topology_finish() gives GUIDs to nodes
 * without one (sim/topology/guid.c), joins claims into links (sim/topology/link.c) and looks over
 * the LIDs (sim/topology/lid.c). Everything is linear in the size of the file; hash tables are for
 * look-ups only.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_READER_H
#define UMADRIG_SIM_TOPOLOGY_READER_H

#include "sim/topology/line.h"
#include "sim/topology/topology.h"

/* A GUID in a diagnostic. */
#define GUID_FORMAT "0x%" G_GINT64_MODIFIER "x"

/* For "%.*s" in a diagnostic: no more of a text than is needed to recognize it. */
#define SHOWN(span) (int)MIN(span_size(span), 80), (span).at

/* What a port line says of its link. */
struct topology_claim {
	int node;
	uint8_t port;
	const char *peer;	/* a node's id; an alias where it has an '@' in an ibsim file */
	long peer_port;
	uint64_t peer_guid;	/* of the peer's port; 0: not said */
	long peer_lid;		/* 0: not said, or nothing that could be a LID */
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
};

struct topology_format;

struct topology_reader {
	struct topology *topology;
	const struct topology_format *format;
	unsigned int file_number;	/* that is being read now, in topology's files */
	unsigned int line;		/* in it */

	GHashTable *ids;		/* id -> index in nodes + 1 */
	GHashTable *aliases;		/* "module@name" -> node << 8 | port, + 1 */
	GArray *claims;			/* of struct topology_claim */
	GPtrArray *claims_by_port;	/* by node: uint32_t[port_count + 1], index in claims + 1 */

	struct topology_preamble next;
	int node;			/* whose port lines follow; -1: nobody's */
	bool skipping;			/* the header was refused, so are its port lines */
	bool closed;			/* something that is no port line came after them */
	bool repeated;			/* this record repeats one that was read before */
	bool grouped;			/* ibnetdiscover -g: switches come twice */
	unsigned int record_count;	/* headers so far */
	bool began;			/* anything that belongs to a node was there */
	unsigned int zero_lid_count;	/* end ports whose LID is said to be 0 */
	unsigned int zero_lid_line;

	/* ibsim only. */
	const char *module;		/* prefix of ids, NULL: none */
	uint64_t guid_base[TOPOLOGY_KIND_COUNT];	/* what +N is relative to */
	uint8_t width, speed, speed_ext;	/* enabled on the nodes that follow; 0: not said */
	unsigned int include_depth;

	/* Harmless traces of a terminal or an editor, told in one line. */
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

/* What a terminal or an editor did to the file: harmless, so one line tells all of it. */
void reader_tell_traces(struct topology_reader *reader);

/* A line that is neither blank nor a comment; and that one is left out. */
void topology_count_line(struct topology_reader *reader);
void topology_lose_line(struct topology_reader *reader);

void reader_init(struct topology_reader *reader, struct topology *topology);
/* Frees what the reader has; the topology stays. */
void reader_done(struct topology_reader *reader);

/* ---- sim/topology/record.c ---- */

/* A header has "Switch 36 "id""; 'ret_guid_id': the id is one as ibnetdiscover makes them. */
bool topology_record_is_header(struct span line, bool *ret_guid_id);

/* The GUID in an id as ibnetdiscover makes them, "S-0002c903007b78b0"; false: it has none. */
bool topology_record_id_guid(struct span id, uint64_t *ret_guid);

/* The comments before the first node that ibnetdiscover writes. */
bool topology_record_is_heading(struct span line);

/* Which kind a header line begins ("Switch", "Ca", "Hca", "Rt"); moves the cursor behind it. */
bool topology_record_keyword(struct span *line, enum topology_kind *ret_kind);

/* "vendid=0x2c9" and the like; false when it is none of them. */
bool topology_record_preamble(struct topology_reader *reader, struct span line);

/* A new node without port lines yet, whose the lines that follow are; 'id' is the topology's. */
struct topology_node *topology_record_node(struct topology_reader *reader, enum topology_kind kind,
					   const char *id, uint8_t port_count);
/* Text as a NodeDescription, cut to what that holds. */
char *topology_record_description(struct topology_reader *reader, struct span text);

/* A header; 'rest' is what follows the keyword. */
void topology_record_header(struct topology_reader *reader, enum topology_kind kind,
			    struct span rest);

/* A line that is no port line follows port lines: a later port line is out of place. */
void topology_record_close(struct topology_reader *reader);

/* The key under which a node or alias called 'name' is known: with its module, if it has one. */
const char *topology_record_key(struct topology_reader *reader, struct span name);

/* ---- sim/topology/port.c ---- */

/* Keeps the claim; false, and told, where the port has another line. */
bool topology_port_claim(struct topology_reader *reader, const struct topology_claim *claim);

/* A port line, "[3] ...". */
void topology_port_line(struct topology_reader *reader, struct span line);

/* "@[3] ... "name"": another name for a port. */
void topology_port_alias(struct topology_reader *reader, struct span line);

/* ---- sim/topology/comment.c ---- */

/* What is behind the '#': the text in quotes, what precedes and what follows it. */
struct topology_comment {
	struct span before;
	struct span description;
	struct span after;
	bool quoted;		/* else all of it is in 'before' */
};

/* False when there is no '#'. */
bool topology_comment_split(struct span text, struct topology_comment *ret);

/* ibsim: a description without quotes ends where the port's data begin. */
void topology_comment_unquoted(struct topology_comment *comment);

/* "... lid 5 lmc 0 ..." of the port itself. */
void topology_comment_lids(struct topology_reader *reader, struct span text,
			   struct topology_port *port);

/* The number behind a word, 0 and 'ret_bad' where the next word is none (it is left alone). */
long topology_word_number(struct span *cursor, bool *ret_bad);

/* Whether a line is what a shell printed. */
bool topology_is_prompt(struct span line);

/* Whether a line is too long for those who read 254 bytes; tells it. */
void topology_check_length(struct topology_reader *reader, struct span line);

/* ---- sim/topology/rate.c ---- */

/* "4xHDR" into the port's active width and speed; false when 'word' is nothing like a rate. */
bool topology_rate_parse(struct topology_reader *reader, struct span word,
			 struct topology_port *port);
/* "4x"; false when it is no width. */
bool topology_width_parse(struct span word, struct topology_port *port);
/* Gb/s of a lane, as OpenSM and ibdm write it ("2.5", "FDR10"); false when it is no such speed. */
bool topology_lane_speed_parse(struct span value, struct topology_port *port);
/* "w=2": false when 'word' is nothing like an option. */
bool topology_rate_option(struct topology_reader *reader, struct span word,
			  struct topology_port *port);
/* "4x", "HDR" of what is active; NULL: not said, or no name for it. */
const char *topology_width_name(const struct topology_port *port);
const char *topology_speed_name(const struct topology_port *port);
/* Into 'buf' (16 bytes); returns it. */
const char *topology_rate_name(const struct topology_port *port, char *buf);
/* ibsim: what two ports with these enabled masks come up with; false: nothing in common. */
bool topology_rate_negotiate(struct topology_port *a, struct topology_port *b);

/* ---- finishing ---- */

void topology_finish_guids(struct topology_reader *reader);
void topology_finish_links(struct topology_reader *reader);
void topology_finish_lids(struct topology_reader *reader);

#endif
