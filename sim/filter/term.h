/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fields of headers by their short names ("dlid", "seg"): what scenarios, filters of captures
 * and the rules of faults may name. Fields of attributes are in the MAD dictionary.
 */
#ifndef UMADRIG_SIM_FILTER_TERM_H
#define UMADRIG_SIM_FILTER_TERM_H

#include <stdbool.h>
#include <stdint.h>

struct packet_addr;

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

/*
 * The field 'name' (or its alias, or the alias's last word) in this 'use'; NULL, and a
 * suggestion or NULL.
 */
const struct term_info *term_find(const char *name, enum mad_use use, const char **ret_suggestion);

/* In the order of the table; NULL after the last. */
const struct term_info *term_at(unsigned int at);

/* The value of the word 'text' for the field: one of its words, or a class. False: it has none. */
bool term_info_word(const struct term_info *info, const char *text, uint64_t *ret);

/* What a packet's headers have there; 0 for GIDs. */
uint64_t term_addr_number(const struct packet_addr *addr, enum term_addr which);

#endif
