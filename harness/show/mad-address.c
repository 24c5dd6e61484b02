/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where a captured MAD comes from and goes to. See harness/show/mad-address.h.
 */
#include "harness/show/mad-address.h"

#include <arpa/inet.h>
#include <string.h>

#include "lib/base/wire.h"

void mad_text_gid(struct text *out, const uint8_t gid[16])
{
	static const uint8_t ipv4_prefix[12] = { [10] = 0xff, [11] = 0xff };
	bool ipv4 = memcmp(gid, ipv4_prefix, sizeof(ipv4_prefix)) == 0;
	char *at = text_room(out, INET6_ADDRSTRLEN);

	inet_ntop(ipv4 ? AF_INET : AF_INET6, ipv4 ? gid + 12 : gid, at, INET6_ADDRSTRLEN);
	out->length += strlen(at);
}

static void address(struct text *out, const struct capture_mad *mad, uint16_t lid,
		    const uint8_t gid[16])
{
	if (mad->transport != CAPTURE_INFINIBAND) {
		mad_text_gid(out, gid);
	} else if (lid == LID_PERMISSIVE) {
		text_words(out, "DR");
	} else {
		text_words(out, "LID ");
		text_number(out, lid);
	}
}

void mad_text_source(struct text *out, const struct capture_mad *mad)
{
	address(out, mad, mad->addr.slid, mad->addr.sgid);
}

void mad_text_destination(struct text *out, const struct capture_mad *mad)
{
	address(out, mad, mad->addr.dlid, mad->addr.dgid);
}
