/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Fields of messages that are not compared: by which names, and how they are left out. */
#ifndef UMADRIG_SIM_DIFF_IGNORED_FIELDS_H
#define UMADRIG_SIM_DIFF_IGNORED_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/diff/field-name.h"
#include "sim/diff/message-bytes.h"

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

/* Makes the fields of the message that are ignored zero. */
void ignored_fields_blank(const struct ignored_fields *ignored, struct message_bytes *message);

#endif
