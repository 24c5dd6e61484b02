/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What registers of Mellanox devices consist of: fields, of which those of ports have some in
 * common, and what is asked and answered.
 *
 * Numbers, sizes and fields are those of the tables that mstflint's source has for its mstreg
 * (register_access_table.adb), and of Linux's mlxsw. A field is written as there: the word that it
 * is in, by its first byte; its lowest bit, from the least significant one of that word; and its
 * width.
 */
#ifndef UMADRIG_SIM_AGENTS_REGISTER_FIELD_H
#define UMADRIG_SIM_AGENTS_REGISTER_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/wire.h"

struct node;
struct port;

enum { DEVICE_REGISTER_SIZE_MAX = 256 };

/* Where MGIR has its parts, which are also those of GeneralInfo. */
enum {
	REGISTER_MGIR = 0x9020,
	MGIR_HARDWARE = 0, MGIR_FIRMWARE = 0x20, MGIR_SOFTWARE = 0x60, MGIR_PARTS_END = 0x80,
};

/* What firmware says of a request: the status of an operation's TLV. */
enum register_status {
	REGISTER_OK = 0,
	REGISTER_BAD_TLV = 3,
	REGISTER_UNKNOWN = 4,
	REGISTER_BAD_CLASS = 5,
	REGISTER_BAD_METHOD = 6,
	REGISTER_BAD_PARAMETER = 7,
};

/* A query: of which device, and the register as it was sent, whose fields say what of it. */
struct register_query {
	struct node *node;
	bool (*has)(const struct node *node, unsigned int id);	/* has it that register? */
	const uint8_t *asked;		/* DEVICE_REGISTER_SIZE_MAX bytes */
};

/* ---- fields ---- */

static inline uint32_t register_bits(const uint8_t *data, unsigned int word, unsigned int low,
				     unsigned int width)
{
	return get_be32(data + word) >> low & (uint32_t)((UINT64_C(1) << width) - 1);
}

/* What does not fit into the field is cut off. */
static inline void register_put(uint8_t *data, unsigned int word, unsigned int low,
				unsigned int width, uint32_t value)
{
	uint32_t mask = (uint32_t)((UINT64_C(1) << width) - 1);

	put_be32(data + word, (get_be32(data + word) & ~(mask << low)) | (value & mask) << low);
}

/* Text in a field of 'size' bytes, which may fill it. */
void register_put_text(uint8_t *data, unsigned int at, size_t size, const char *text);

/*
 * The port that registers of ports are about: local_port and lp_msb in the first word. NULL: the
 * device has none of that number. Ports are numbered as in subnet management.
 */
struct port *register_port(const struct register_query *query);
/* Answers these fields as they were asked. */
void register_put_port(const struct register_query *query, uint8_t *data);

/*
 * The masks of speeds that registers have, SDR in bit 0 to XDR in bit 8, and of widths, 1x in bit 0
 * to 12x in bit 4, of masks and flags as PortInfo has them.
 */
uint16_t register_speeds(uint8_t speeds, uint8_t ext_speeds, bool fdr10);
uint16_t register_widths(uint8_t widths);

/* The speed of a link that is up, and its width; 0: it is down. */
uint16_t register_active_speed(const struct port *port);
uint16_t register_active_width(const struct port *port);

#endif
