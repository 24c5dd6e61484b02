/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table of causes: see sim/capture/cause.h.
 */
#include "sim/capture/cause.h"

#include <glib.h>

static const struct capture_cause_info causes[] = {
	[CAUSE_NONE] = { "mad", "a MAD", FRAME_MAD },

	[CAUSE_LINK_TYPE] = { "link-type", "of a link type that is not read", FRAME_OTHER },
	[CAUSE_ERF_TYPE] = { "erf-type", "an ERF record of neither InfiniBand nor Ethernet",
			     FRAME_OTHER },
	[CAUSE_FLOW_CONTROL] = { "flow-control", "an InfiniBand link packet (flow control)",
				 FRAME_OTHER },
	[CAUSE_RAW_PACKET] = { "raw-packet", "a raw packet, without a BTH", FRAME_OTHER },
	[CAUSE_GRH_NEXT] = { "grh-next", "a GRH that something other than a BTH follows",
			     FRAME_OTHER },
	[CAUSE_ETHERTYPE] = { "ethertype", "of an ethertype other than RoCE and IP", FRAME_OTHER },
	[CAUSE_IP_PROTOCOL] = { "ip-protocol", "IP, and not UDP", FRAME_OTHER },
	[CAUSE_UDP_PORT] = { "udp-port", "UDP, and not to RoCE's port 4791", FRAME_OTHER },
	[CAUSE_LATER_FRAGMENT] = { "later-fragment", "a fragment of an IP packet, not its first",
				   FRAME_OTHER },
	[CAUSE_OPCODE] = { "opcode", "of a BTH opcode other than UD SEND only", FRAME_OTHER },
	[CAUSE_DATA_QP] = { "data-qp", "a datagram between QPs other than 0 and 1", FRAME_OTHER },
	[CAUSE_SHORT] = { "short", "shorter than its headers, as it was sent", FRAME_OTHER },

	[CAUSE_CUT_HEADER] = { "cut-header", "cut off inside its headers by the capture",
			       FRAME_DAMAGED },
	[CAUSE_CUT_MAD] = { "cut-mad", "a MAD that the capture cut off", FRAME_DAMAGED },
	[CAUSE_SHORT_MAD] = { "short-mad", "a MAD of fewer than 256 bytes, as it was sent",
			      FRAME_DAMAGED },
	[CAUSE_JUMBO] = { "jumbo", "a MAD of more than 256 bytes (Omni-Path)", FRAME_DAMAGED },
	[CAUSE_MIRRORED] = { "mirrored", "mirrored by a switch, and still wrapped", FRAME_DAMAGED },
	[CAUSE_FRAGMENT] = { "fragment", "the first IP fragment of a RoCE packet", FRAME_DAMAGED },
	[CAUSE_ERF_RECORD] = { "erf-record", "an ERF record that cannot be taken apart",
			       FRAME_DAMAGED },

	[CAUSE_BASE_VERSION] = { "base-version", "a MAD of a base version other than 1",
				 FRAME_MAD },
	[CAUSE_ICRC] = { "icrc", "a MAD whose ICRC is wrong", FRAME_MAD },
	[CAUSE_VCRC] = { "vcrc", "a MAD whose VCRC is wrong", FRAME_MAD },
	[CAUSE_RX_ERROR] = { "rx-error", "a MAD marked as received with an error", FRAME_MAD },
};

_Static_assert(G_N_ELEMENTS(causes) == CAPTURE_CAUSES, "a cause without a row");

const struct capture_cause_info *capture_cause_info(enum capture_cause cause)
{
	return &causes[cause];
}
