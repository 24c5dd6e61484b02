/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The bytes of a message in which fields are looked for, and where its records begin. */
#ifndef UMADRIG_SIM_DIFF_MESSAGE_BYTES_H
#define UMADRIG_SIM_DIFF_MESSAGE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/dictionary/mad-dictionary.h"

/* The bytes of a message, as struct conversation_message has them. */
struct message_bytes {
	uint8_t *bytes;		/* at least MAD_SIZE */
	size_t size, padded;
	uint8_t *headers;	/* of the segments from the second on, or NULL */
	size_t header, header_count;
	uint8_t *seen;		/* a bit for each segment by its number, or NULL */
	size_t seen_size;	/* bytes */
};

/* Where the attribute of a message begins, and how often there is one. */
struct message_records {
	const struct mad_attribute *attribute;	/* NULL: nothing is known of it */
	size_t at;
	size_t each;		/* bytes from one to the next */
	size_t count;		/* whole ones */
};

/* Those of a message of 'size' bytes, at least MAD_SIZE of which are there. */
struct message_records message_records(const uint8_t *bytes, size_t size);

/* Makes a field of 'data' zero. */
void message_blank(const struct mad_field *field, uint8_t *data);

#endif
