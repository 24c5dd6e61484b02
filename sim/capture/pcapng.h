/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pcapng: its numbers.
 *
 * We do not use libpcap's reader (sim/capture/container.h), because it drops what is needed
 * (comments, interface names, directions) and refuses files whose interfaces differ in link type.
 * Ours holds one block at a time. Interfaces are numbered through all sections of a file.
 */
#ifndef UMADRIG_SIM_CAPTURE_PCAPNG_H
#define UMADRIG_SIM_CAPTURE_PCAPNG_H

#include <stdint.h>

/* Block types. */
enum {
	PCAPNG_SECTION = 0x0a0d0d0a,	/* the same in both byte orders */
	PCAPNG_INTERFACE = 1,
	PCAPNG_PACKET_OLD = 2,
	PCAPNG_SIMPLE_PACKET = 3,
	PCAPNG_ENHANCED_PACKET = 6,
	PCAPNG_JOURNAL_ENTRY = 9,	/* a line of text with its time */
};

/*
 * Fields of a journal entry, "NAME=value" a line: systemd's own, and the time to the nanosecond,
 * which systemd has no field for.
 */
#define JOURNAL_TIME_US "__REALTIME_TIMESTAMP="
#define JOURNAL_TIME_NS "UMADRIG_TIME_NS="
#define JOURNAL_SENDER "SYSLOG_IDENTIFIER="
#define JOURNAL_TEXT "MESSAGE="

#define PCAPNG_BYTE_ORDER_MAGIC UINT32_C(0x1a2b3c4d)
#define PCAPNG_OPTION_SIZE_MAX 65535

/* Options: common, of the section header, of interfaces, of enhanced packets. */
enum {
	PCAPNG_OPT_END = 0,
	PCAPNG_OPT_COMMENT = 1,
	PCAPNG_SHB_USERAPPL = 4,
	PCAPNG_IF_NAME = 2,
	PCAPNG_IF_DESCRIPTION = 3,
	PCAPNG_IF_TSRESOL = 9,
	PCAPNG_IF_TSOFFSET = 14,
	PCAPNG_EPB_FLAGS = 2,
};

/* The two low bits of PCAPNG_EPB_FLAGS. */
enum {
	PCAPNG_INBOUND = 1,
	PCAPNG_OUTBOUND = 2,
};

/*
 * The longest block that is read: no packet is so long. A longer block is skipped if it has no
 * packet, and is an error if it claims to have one.
 */
#define PCAPNG_BLOCK_MAX (16 * 1024 * 1024)

#endif
