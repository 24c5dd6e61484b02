/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Why a frame of a capture has no MAD, or one that no port would have accepted.
 */
#ifndef UMADRIG_SIM_CAPTURE_CAUSE_H
#define UMADRIG_SIM_CAPTURE_CAUSE_H

enum capture_cause {
	CAUSE_NONE,		/* it carries a MAD that can be used */

	/* It carries no MAD. */
	CAUSE_LINK_TYPE,
	CAUSE_ERF_TYPE,
	CAUSE_FLOW_CONTROL,
	CAUSE_RAW_PACKET,
	CAUSE_GRH_NEXT,
	CAUSE_ETHERTYPE,
	CAUSE_IP_PROTOCOL,
	CAUSE_UDP_PORT,
	CAUSE_LATER_FRAGMENT,
	CAUSE_OPCODE,
	CAUSE_DATA_QP,
	CAUSE_SHORT,

	/* It carries a MAD that cannot be read, or it is unknown whether it does. */
	CAUSE_CUT_HEADER,
	CAUSE_CUT_MAD,
	CAUSE_SHORT_MAD,
	CAUSE_JUMBO,
	CAUSE_MIRRORED,
	CAUSE_FRAGMENT,
	CAUSE_ERF_RECORD,

	/* It carries a MAD that a port would not have accepted. */
	CAUSE_BASE_VERSION,
	CAUSE_ICRC,
	CAUSE_VCRC,
	CAUSE_RX_ERROR,

	CAPTURE_CAUSES,
};

/* What a frame turned out to be. */
enum frame_kind {
	FRAME_MAD,		/* it carries a MAD */
	FRAME_OTHER,		/* it carries none */
	FRAME_DAMAGED,		/* it should carry one, which cannot be read */
};

struct capture_cause_info {
	const char *word;	/* "udp-port": for programs and tables */
	const char *text;	/* "UDP to a port other than 4791" */
	enum frame_kind kind;
};

/* The row of a cause. 'cause' must be less than CAPTURE_CAUSES. */
const struct capture_cause_info *capture_cause_info(enum capture_cause cause);

#endif
