/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fields of MADs by name: those of the headers under the names that scenarios use, those of
 * attributes as the dictionary has them. What no field has goes by the offset of its bytes.
 */
#ifndef UMADRIG_SIM_DIFF_FIELD_NAME_H
#define UMADRIG_SIM_DIFF_FIELD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dictionary/mad-dictionary.h"

/* Fields of the packet around a MAD that are compared. The lane and the PSN are the wire's. */
enum address_field {
	ADDRESS_SLID,
	ADDRESS_DLID,
	ADDRESS_SL,
	ADDRESS_PKEY,
	ADDRESS_SQP,
	ADDRESS_DQP,
	ADDRESS_QKEY,
	ADDRESS_GRH,
	ADDRESS_SGID,
	ADDRESS_DGID,
	ADDRESS_FIELDS,
};

extern const char *const address_field_names[ADDRESS_FIELDS];

/* What a conversation has beside its MADs. */
enum conversation_field {
	CONVERSATION_RETRIES,
	CONVERSATION_LOSSES,
	CONVERSATION_FIELDS,
};

extern const char *const conversation_field_names[CONVERSATION_FIELDS];

/* The headers that only some classes have. */
enum header_kind {
	HEADER_ALL,
	HEADER_ALL_BUT_DIRECTED,
	HEADER_DIRECTED,
	HEADER_SMP,
	HEADER_RMPP,
	HEADER_SA,
	HEADER_VENDOR2,
};

struct header_field {
	enum header_kind kind;
	struct mad_field field;		/* 'bit' counts from the MAD's first byte */
};

/* All of them, in the order of their bytes; ended by one without a name. */
extern const struct header_field header_fields[];

bool header_field_applies(const struct header_field *header, const uint8_t *mad);

/* Fields that are not compared. All zeros: there are none. */
struct ignored_fields {
	bool address[ADDRESS_FIELDS];
	bool conversation[CONVERSATION_FIELDS];
	bool time;
	struct ignored_field *fields;	/* of MADs */
	size_t count;
};

struct ignored_field {
	const struct header_field *header;	/* NULL: a field of an attribute, or bytes */
	uint16_t attribute;			/* of 'field' */
	uint8_t mgmt_class;
	const struct mad_field *field;		/* NULL: bytes */
	uint16_t first, last;			/* bytes of the MAD */
};

/*
 * Adds the field called 'name': one of the packet, of a header, "time", "retries", "losses", of any
 * attribute ("LinkState"), of one ("PortInfo.LinkState"), or "bytes[24..27]". A header's field
 * may also have its name in the dictionary ("TransactionID"). False: there is none;
 * '*ret_suggestion' is a name that it may be meant for, or NULL.
 */
bool ignored_fields_add(struct ignored_fields *ignored, const char *name,
			const char **ret_suggestion);
void ignored_fields_clear(struct ignored_fields *ignored);

/* The bytes of a message, as struct conversation_message has them. */
struct message_bytes {
	uint8_t *bytes;		/* at least MAD_SIZE */
	size_t size, padded;
	uint8_t *headers;	/* of the segments from the second on, or NULL */
	size_t header, header_count;
	uint8_t *seen;		/* a bit for each segment by its number, or NULL */
	size_t seen_size;	/* bytes */
};

/* Makes the fields of the message that are ignored zero. */
void ignored_fields_blank(const struct ignored_fields *ignored, struct message_bytes *message);

/*
 * What two messages differ in. 'name' is the field's ("status", "PathRecord[3].DLID", "bytes
 * 44..47", "segment 2: seg"); the values are as people read them. All strings are good for the call
 * only.
 */
typedef void field_difference_fn(void *ctx, const char *name, const char *a, const char *b);

/*
 * Calls 'fn' for each field in which two messages differ, in the order of their bytes, bytes that
 * no field has last, and then what segments after the first have of their own. Returns how many
 * there are.
 */
size_t message_differences(const struct message_bytes *a, const struct message_bytes *b,
			   field_difference_fn *fn, void *ctx);

#endif
