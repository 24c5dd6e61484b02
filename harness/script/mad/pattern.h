/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * MADs in scripts: resolves names, builds what is sent, compares what was received.
 *
 * 	VendGet(0x0010) to=peer class=0x32 tid=?t tid.low=0x1234 { Field=1 } exact
 *
 * A pattern is the resolved form of a struct mad_expr: each field has been found in the table of
 * header fields (sim/filter/term.c) or in the MAD dictionary.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_PATTERN_H
#define UMADRIG_HARNESS_SCRIPT_MAD_PATTERN_H

#include "sim/dictionary/mad-dictionary.h"
#include "sim/filter/term.h"
#include "kmod-stub/packet.h"
#include "harness/script/tree/value.h"
#include "harness/world/world.h"

/* A hand-made packet has at least an LRH and the CRCs. */
enum { PACKET_SIZE_LEAST = LRH_SIZE + ICRC_SIZE + VCRC_SIZE };

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

/* ---- harness/script/mad/pattern-term.c ---- */

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
