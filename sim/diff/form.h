/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A message as it is compared: addresses and bytes without what is ignored. Two that are equal in
 * form are equal.
 */
#ifndef UMADRIG_SIM_DIFF_FORM_H
#define UMADRIG_SIM_DIFF_FORM_H

#include "sim/capture/conversation.h"
#include "sim/diff/ignored-fields.h"
#include "sim/diff/message-difference.h"

/* What there is of the packet around it. Zeroed before it is filled in: it is compared as bytes. */
struct form_address {
	uint8_t is_there;		/* 0: there is no message */
	uint8_t has_lids;		/* RoCE has none */
	uint8_t has_grh;
	uint8_t sl;
	uint16_t slid, dlid, pkey;
	uint16_t unused;
	uint32_t sqp, dqp, qkey;
	uint8_t sgid[16], dgid[16];
};

struct form {
	struct form_address address;
	struct message_bytes message;	/* the form's; without bytes where it is not there */
};

/* 128 bits of a hash: what differs in one word never has the same one. */
struct form_digest {
	uint64_t half[2];
};

/* Brings a message into form; 'has_lids': whether LIDs and SL count. */
void form_make(const struct ignored_fields *ignored, bool has_lids,
	       const struct conversation_message *message, struct form *ret);
void form_clear(struct form *form);

#define FORM_DIGEST_INIT { { UINT64_C(0x9ae16a3b2f90404f), UINT64_C(0xc949d7c7509e6557) } }
/* Adds a form, or 'size' bytes. */
void form_digest_add(struct form_digest *digest, const struct form *form);
void form_digest_add_bytes(struct form_digest *digest, const void *bytes, size_t size);

/*
 * What differs, address first, as message_differences() does it. Both are there. Returns how many
 * differences there are.
 */
size_t form_differences(const struct form *a, const struct form *b, field_difference_fn *fn,
			void *ctx);

#endif
