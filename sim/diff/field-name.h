/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fields of MADs by name: those of the headers under the names that scenarios use, those of
 * attributes as the dictionary has them (sim/diff/ignored-fields.h).
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

#endif
