/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * MADs in scripts: resolves names, builds what is sent, compares what was received.
 *
 * 	VendGet(0x0010) to=peer class=0x32 tid=?t tid.low=0x1234 { Field=1 } exact
 *
 * A pattern is the resolved form of a struct mad_expr: each field has been found in the table of
 * header fields (harness/script/mad/term.c) or in the MAD dictionary.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_PATTERN_H
#define UMADRIG_HARNESS_SCRIPT_MAD_PATTERN_H

#include "sim/dictionary/mad-dictionary.h"
#include "kmod-stub/packet.h"
#include "harness/script/tree/value.h"
#include "harness/world/world.h"

/* A hand-made packet has at least an LRH and the CRCs. */
enum { PACKET_SIZE_LEAST = LRH_SIZE + ICRC_SIZE + VCRC_SIZE };

/* How a script uses a MAD: this decides which fields it may name, and where they are. */
enum mad_use {
	MAD_SENT = 1,		/* the argument of umad_send and file.write */
	MAD_ARRIVES = 2,	/* < */
	MAD_LEAVES = 4,		/* > */
	MAD_RECEIVED = 8,	/* the MAD of a result */
	MAD_HEADER = 16,	/* the fields of a result before its MAD */
	MAD_ASKED = 32,		/* peer answers MAD */
	MAD_ANSWER = 64,	/* ... with fields */
	MAD_ON_WIRE = MAD_ARRIVES | MAD_LEAVES,
	MAD_ANY = 127,
};

enum term_where {
	TERM_MAD,		/* bits of the MAD, big-endian */
	TERM_UMAD_HOST,		/* bits of struct ib_user_mad, in the host's byte order */
	TERM_UMAD_BE,		/* ... big-endian */
	TERM_ADDR,		/* of struct packet_addr: 'bit' is an enum term_addr */
	TERM_TO,		/* a role */
	TERM_FROM,
	TERM_BYTES,		/* bytes[first..last] of the MAD */
	TERM_DATA,		/* what follows the header of a MAD or of a whole message */
	TERM_WIRE,		/* of the packet's bytes: 'bit' is WIRE_PART * part + bit */
	TERM_RESULT,		/* beside the result: 'bit' is an enum term_result */
};

enum term_addr {
	TERM_ADDR_SLID,
	TERM_ADDR_DLID,
	TERM_ADDR_SL,
	TERM_ADDR_VL,
	TERM_ADDR_PKEY,
	TERM_ADDR_SQP,
	TERM_ADDR_DQP,
	TERM_ADDR_QKEY,
	TERM_ADDR_PSN,
	TERM_ADDR_GRH,
	TERM_ADDR_HOP_LIMIT,
	TERM_ADDR_TRAFFIC_CLASS,
	TERM_ADDR_FLOW_LABEL,
	TERM_ADDR_SGID,
	TERM_ADDR_DGID,
};

enum term_result {
	TERM_RESULT_ERRNO,
	TERM_RESULT_FLAGS,	/* what umad_register2 left in attr->flags */
	TERM_RESULT_ID,		/* the agent id received */
	TERM_RESULT_LENGTH,	/* size of the MAD received */
	TERM_RESULTS,
};

/* The part of a packet that a field is in, where struct packet_addr does not have it. */
enum wire_part {
	WIRE_LRH,
	WIRE_GRH,
	WIRE_BTH,
	WIRE_ICRC,
	WIRE_VCRC,
	WIRE_SIZE,		/* the packet's size in bytes, from the LRH through the VCRC */
};

enum { WIRE_PART = 256 };

enum term_format {
	TERM_NUMBER,
	TERM_HEX,
	TERM_GID,		/* 128 bits: "fe80::1", or a role */
	TERM_PATH,		/* hops of a directed route: {1, 2} */
	TERM_FLAGS,		/* {FIRST, LAST} */
	TERM_ERRNO,
	TERM_CLASS,
	TERM_CRC,		/* as on the wire, or 'right' or 'wrong' */
};

struct term_word {
	const char *name;
	uint64_t value;
};

struct term_info {
	const char *name;
	const char *alias;	/* Wireshark's name of the field, or NULL */
	unsigned int uses;	/* of enum mad_use */
	enum term_where where;
	uint16_t bit;
	uint16_t width;		/* in bits */
	enum term_format format;
	const struct term_word *words;	/* ends with a NULL name; or NULL */
};

/* One named field of a pattern. */
struct mad_term {
	struct place place;
	const struct term_info *info;	/* NULL: a field of the attribute */
	const struct mad_field *field;
	bool is_mut;			/* the MAD is built correctly, and then broken here */
	unsigned int first, last;	/* TERM_BYTES */
	const struct expr *value;
};

struct mad_pattern {
	const struct mad_pattern *next;	/* of the same line */
	struct place place;
	enum mad_use use;
	const struct expr *packet;	/* packet(DATA): the data is the whole packet; or NULL */
	const struct mad_class_info *class_info;	/* NULL: no method named */
	uint8_t method;
	int attr_id;			/* -1: not named */
	const struct mad_attribute *attribute;	/* NULL: not known */
	GPtrArray *terms;		/* of struct mad_term * */
	bool exact;
};

/* ---- harness/script/mad/term.c ---- */

/*
 * The field 'name' (or its alias, or the alias's last word) in this 'use'; NULL, and a
 * suggestion or NULL.
 */
const struct term_info *term_find(const char *name, enum mad_use use, const char **ret_suggestion);

/* In the order of the table; NULL after the last. */
const struct term_info *term_at(unsigned int at);

/* The value of the word 'text' for the term. */
bool term_word(const struct mad_term *term, const char *text, uint64_t *ret);

/* The term's name and width, for any kind. */
const char *term_name(const struct mad_term *term);
unsigned int term_width(const struct mad_term *term);

/* ---- harness/script/mad/resolve.c ---- */

/*
 * Resolves the names of 'mad' as it is used in 'use'. NULL: diagnosed. The pattern belongs to the
 * arena and shares the values of 'mad'.
 */
struct mad_pattern *mad_resolve(struct arena *arena, struct diagnostics *diagnostics,
				const struct mad_expr *mad, enum mad_use use);

/* ": did you mean NAME?", or "" where 'suggestion' is NULL. 'buf' is returned. */
const char *did_you_mean(const char *suggestion, char *buf, size_t size);

/* The pattern's own term called 'name', or NULL. */
const struct mad_term *mad_pattern_term(const struct mad_pattern *pattern, const char *name);

/* ---- harness/script/mad/build.c and harness/script/mad/compare.c ---- */

struct mad_instance;

/* What words in a script mean while it runs. */
struct mad_env {
	void *ctx;
	/*
	 * A number, and which of its bits are known (all, except for a TID that the kernel made).
	 */
	bool (*number)(void *ctx, const struct expr *expr, uint64_t *ret, uint64_t *ret_known);
	/* A port by role or name. */
	bool (*address)(void *ctx, const char *name, struct world_address *ret);
	void (*capture)(void *ctx, const char *name, uint64_t value);
	/* The bytes of the data with this name; NULL: there is none. */
	const uint8_t *(*data)(void *ctx, const char *name, size_t *ret_size);
	/*
	 * Called by a comparison that is to say why, for each term that differs (NULL: the MAD
	 * differs otherwise). True: the term counts as equal. The pointer may be NULL.
	 */
	bool (*amend)(void *ctx, const struct mad_pattern *pattern, const struct mad_term *term,
		      const struct mad_instance *actual);
};

/* The defaults for what the script does not name. */
struct mad_defaults {
	int mgmt_class;		/* -1: the script must name it */
	int class_version;	/* -1: the class's */
	uint32_t oui;
	uint64_t tid;
};

/* A MAD with everything around it: mad_build() fills it in and mad_compare() reads it. */
struct mad_instance {
	uint8_t mad[MAD_SIZE];
	uint8_t umad[64];		/* struct ib_user_mad: SENT, RECEIVED, HEADER */
	bool has_addr;			/* otherwise the packet was not seen on the wire itself */
	struct packet_addr addr;	/* ARRIVES, LEAVES */
	const uint8_t *wire;		/* LEAVES: the packet, through the MAD; or NULL */
	size_t wire_size;
	bool wire_sealed;		/* and the CRCs are among them */
	const uint8_t *message;		/* everything read, from the MAD's header on; or NULL */
	size_t message_size;
	int result[TERM_RESULTS];			/* by enum term_result: HEADER */
};

/*
 * Builds the MAD of 'pattern' into 'ret'. The caller has filled the other parts of 'ret', such as
 * the umad header's addresses, with defaults; 'to' and 'from' replace them. Returns false, and a
 * message, on failure.
 */
bool mad_build(const struct mad_pattern *pattern, const struct mad_env *env,
	       const struct mad_defaults *defaults, struct mad_instance *ret, GString *reterr);

/* The part of it that comes before the terms: what a MAD has without being told. It is zeroed. */
void mad_build_header(const struct mad_pattern *pattern, int mgmt_class,
		      const struct mad_defaults *defaults, uint8_t *mad);

/* Puts only the terms of 'pattern' into 'ret': fields of an answer. */
bool mad_overlay(const struct mad_pattern *pattern, const struct mad_env *env,
		 struct mad_instance *ret, GString *reterr);

/*
 * Compares what the pattern names. Differences are appended to 'why' (may be NULL), a line each; if
 * all is equal, binds the captures and returns true.
 */
bool mad_compare(const struct mad_pattern *pattern, const struct mad_env *env,
		 const struct mad_instance *actual, GString *why);

/* The same for one of its fields. */
bool mad_compare_term(const struct mad_pattern *pattern, const struct mad_term *term,
		      const struct mad_env *env, const struct mad_instance *actual, GString *why);

/* "VendGet(0x0010) tid=0x0000000500001234": a line about a MAD, with 'status' if it is not 0. */
char *mad_summary(const uint8_t mad[MAD_SIZE]);

#endif
