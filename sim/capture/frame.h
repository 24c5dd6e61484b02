/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Frames of a capture: from the file's record to the MAD in it.
 *
 * sim/capture/pcapng.c and libpcap hand out frames; sim/capture/erf.c, sim/capture/infiniband.c and
 * sim/capture/roce.c take them apart, one layer each; sim/capture/read.c puts it together. Nothing
 * here trusts a length: 'captured' bytes are present, 'original' is how many there were according
 * to the file.
 */
#ifndef UMADRIG_SIM_CAPTURE_FRAME_H
#define UMADRIG_SIM_CAPTURE_FRAME_H

#include "sim/capture/capture.h"

/* Link types, by their numbers in pcap and pcapng files (LINKTYPE_ values). */
enum {
	LINKTYPE_ETHERNET = 1,
	LINKTYPE_LINUX_SLL = 113,
	LINKTYPE_ERF = 197,
	LINKTYPE_INFINIBAND = 247,
	LINKTYPE_LINUX_SLL2 = 276,
};

enum {
	ERF_HEADER_SIZE = 16,
	ERF_TYPE_ETHERNET = 2,
	ERF_TYPE_INFINIBAND = 21,
};

/* What a file says about a frame. The pointers are valid for the call only. */
struct capture_frame {
	uint32_t link_type;
	int64_t epoch_ns;
	const uint8_t *bytes;
	size_t captured;
	size_t original;
	int interface;			/* -1: the format has none (pcap) */
	const char *interface_name;	/* NULL: none, as all that follow */
	const char *interface_description;
	const char *comment;
	const char *note;		/* a line of text, and no packet; NULL: it is a packet */
	enum capture_direction direction;
};

typedef void capture_frame_fn(void *ctx, const struct capture_frame *frame);

/* What a frame turned out to be. */
enum frame_kind {
	FRAME_MAD,		/* 'mad' is filled in; 'why' may hold a warning */
	FRAME_OTHER,		/* carries no MAD */
	FRAME_DAMAGED,		/* should carry one; 'why' says what is wrong with it */
};

/* Room for the 'why' of the functions below. */
#define FRAME_WHY_SIZE 256

/*
 * An ERF record: strips its header and reads what is inside. Fills in mad->interface and time too.
 */
enum frame_kind frame_read_erf(const struct capture_frame *frame, struct capture_mad *mad,
			       char *why);

/* A native InfiniBand packet from its LRH. */
enum frame_kind frame_read_infiniband(const uint8_t *bytes, size_t captured, size_t original,
				      struct capture_mad *mad, char *why);

/* An Ethernet frame: RoCE v1 or v2, VLAN tags allowed. */
enum frame_kind frame_read_ethernet(const uint8_t *bytes, size_t captured, size_t original,
				    struct capture_mad *mad, char *why);

/* Room for any RoCE v2 frame that carries a MAD. */
#define FRAME_ROCE_SIZE 352

/*
 * The Ethernet frame that carries 'packet', which has a GRH, as RoCE v2 over IPv6, with its right
 * ICRC; 'to' and 'from' are MAC addresses. Returns its size.
 */
size_t frame_write_roce_v2(uint8_t bytes[FRAME_ROCE_SIZE], const uint8_t to[6],
			   const uint8_t from[6], const struct packet *packet);

/*
 * BTH, DETH and MAD, which all transports share: 'original' bytes from the BTH through the ICRC,
 * 'captured' of them present. Fills in QPs, P_Key, Q_Key, PSN and the MAD.
 */
enum frame_kind frame_read_bth(const uint8_t *bth, size_t captured, size_t original,
			       struct capture_mad *mad, char *why);

/* Formats a 'why'. */
void frame_say(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The verdict on a packet that was cut before it said what it is: FRAME_DAMAGED, and 'why'. */
enum frame_kind frame_cut_off(char *why);

/* Fills in the address fields that come from a GRH (40 bytes). */
void frame_read_grh(const uint8_t *grh, struct packet_addr *addr);

/*
 * Compares a CRC of 'size' bytes at 'stored', least significant byte first, with 'right'. All zero
 * means that the CRC was not computed when the capture was made.
 */
void frame_check_crc(const uint8_t *stored, unsigned int size, uint32_t right, bool *ret_ok,
		     bool *ret_wrong);

#endif
