/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What RDMA CM puts into a ConnectRequest's private data: who connects, by IP (IBA vol 1, annex
 * A11). Its ServiceIDs are 0x0000000001, the protocol, and the port that is connected to. Offsets
 * count from the attribute's first byte.
 */
#include <glib.h>

#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/dictionary/tables.h"

enum {
	SERVICE_ID = 8,
	SERVICE_PREFIX = 1,
	SERVICE_PREFIX_SHIFT = 24,
	PRIVATE_DATA = 140,
	IP_VERSION = PRIVATE_DATA + 1,	/* high 4 bits */
};

#define AT(byte) ((PRIVATE_DATA + (byte)) * 8)

#define FIRST_FIELDS                                                                        \
	HEX("Protocol", SERVICE_ID * 8 + 40, 8), DEC("DestinationPort", SERVICE_ID * 8 + 48, 16), \
	DEC("MajorVersion", AT(0), 4), DEC("MinorVersion", AT(0) + 4, 4),                   \
	DEC("IPVersion", AT(1), 4), DEC("SourcePort", AT(2), 16)
#define LAST_FIELDS                                                                         \
	IDENTITY("ConsumerPrivateData", AT(36), 56 * 8, BYTES, PRIVATE), FIELDS_END

static const struct mad_field ipv6[] = {
	FIRST_FIELDS, GID("SourceIP", AT(4)), GID("DestinationIP", AT(20)), LAST_FIELDS,
};

/* An IPv4 address is in the last four bytes of sixteen. */
static const struct mad_field ipv4[] = {
	FIRST_FIELDS, FIELD("SourceIP", AT(16), 32, MAD_FIELD_IPV4, NULL),
	FIELD("DestinationIP", AT(32), 32, MAD_FIELD_IPV4, NULL), LAST_FIELDS,
};

const struct mad_field *mad_ip_cm_details(bool is_ipv4)
{
	return is_ipv4 ? ipv4 : ipv6;
}

bool mad_ip_cm_is_ipv4(const uint8_t *data)
{
	return data[IP_VERSION] >> 4 == 4;
}

bool mad_is_ip_cm(const uint8_t *data)
{
	unsigned int version = data[IP_VERSION] >> 4;

	return get_be64(data + SERVICE_ID) >> SERVICE_PREFIX_SHIFT == SERVICE_PREFIX &&
	       (version == 4 || version == 6);
}
