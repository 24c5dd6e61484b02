/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Frames of a capture: from the file's record to the MAD in it.
 *
 * A container (sim/capture/container.h) hands out frames; sim/capture/erf.c,
 * sim/capture/infiniband.c, sim/capture/roce.c and sim/capture/cooked.c take them apart, one layer
 * each; sim/capture/stream.c puts it together. Nothing here trusts a length: 'captured' bytes are
 * present, 'original' is how many there were according to the file.
 */
#ifndef UMADRIG_SIM_CAPTURE_FRAME_H
#define UMADRIG_SIM_CAPTURE_FRAME_H

#include "sim/capture/capture.h"

/* Link types, by their numbers in pcap and pcapng files (LINKTYPE_ values). */
enum {
	LINKTYPE_ETHERNET = 1,
	LINKTYPE_RAW_LINUX = 12,	/* raw IP's number inside of some systems */
	LINKTYPE_RAW_BSD = 14,
	LINKTYPE_RAW = 101,
	LINKTYPE_LINUX_SLL = 113,
	LINKTYPE_ERF = 197,
	LINKTYPE_IPV4 = 228,
	LINKTYPE_IPV6 = 229,
	LINKTYPE_INFINIBAND = 247,
	LINKTYPE_LINUX_SLL2 = 276,
};

/* The header of an ERF record, and what comes in it. */
enum {
	ERF_HEADER_SIZE = 16,
	ERF_TYPE_AT = 8,
	ERF_FLAGS_AT = 9,
	ERF_RLEN_AT = 10,
	ERF_WLEN_AT = 14,
	ERF_TYPE_MASK = 0x7f,
	ERF_TYPE_ETHERNET = 2,
	ERF_TYPE_INFINIBAND = 21,
	ERF_TYPE_LINK = 25,		/* InfiniBand link packets */
	ERF_TYPE_PROVENANCE = 27,	/* where a file comes from */
	ERF_TYPE_PAD = 48,
};

/* What a file says about a frame. */
struct capture_frame {
	uint32_t link_type;
	int64_t epoch_ns;
	bool timeless;			/* the file does not say when it was */
	const uint8_t *bytes;
	size_t captured;
	size_t original;
	int interface;			/* -1: the format has none (pcap) */
	const char *interface_name;	/* NULL: none, as all that follow */
	const char *comment;
	const char *note;		/* a line of text, and no packet; NULL: it is a packet */
	enum capture_direction direction;
};

/* Room for the 'why' of the functions below. */
#define FRAME_WHY_SIZE 256

/* What is found in a frame, layer by layer. All members begin as zeros, or as the file says. */
struct frame_result {
	struct capture_mad mad;		/* whole only without a cause, or with one of FRAME_MAD */
	struct capture_headers headers;
	int64_t epoch_ns;
	bool has_interface;		/* the file says which one: pcapng */
	bool check_crcs;		/* check CRCs; else they are ignored */
	char why[FRAME_WHY_SIZE];	/* what is odd; a MAD may have a warning, too */
};

/*
 * Each of these returns CAUSE_NONE if there is a MAD, which is then in 'result', or the reason why
 * there is none.
 */

/* An ERF record: strips its header and reads what is inside. Fills in interface and time too. */
enum capture_cause frame_read_erf(const struct capture_frame *frame, struct frame_result *result);

/* A native InfiniBand packet from its LRH. */
enum capture_cause frame_read_infiniband(const uint8_t *bytes, size_t captured, size_t original,
					 struct frame_result *result);

/* An Ethernet frame: RoCE v1 or v2, VLAN tags allowed. */
enum capture_cause frame_read_ethernet(const uint8_t *bytes, size_t captured, size_t original,
				       struct frame_result *result);

/* What follows an ethertype: VLAN tags, RoCE v1 or IP. */
enum capture_cause frame_read_ethertype(unsigned int ethertype, const uint8_t *bytes,
					size_t captured, size_t original,
					struct frame_result *result);

/* An IP packet of either version: RoCE v2. */
enum capture_cause frame_read_ip(const uint8_t *bytes, size_t captured, size_t original,
				 struct frame_result *result);

/* A frame of a capture on Linux's device "any": a header of Linux's own, then as Ethernet. */
enum capture_cause frame_read_sll(const uint8_t *bytes, size_t captured, size_t original,
				  struct frame_result *result);
/* The same for the second version; the device's index becomes the interface. */
enum capture_cause frame_read_sll2(const uint8_t *bytes, size_t captured, size_t original,
				   struct frame_result *result);

/* Room for any RoCE v2 frame that carries a MAD. */
#define FRAME_ROCE_SIZE 352

/*
 * The Ethernet frame that carries 'packet', which has a GRH, as RoCE v2 over IPv6, with its right
 * ICRC; 'to' and 'from' are MAC addresses. Returns its size.
 */
size_t frame_write_roce_v2(uint8_t bytes[FRAME_ROCE_SIZE], const uint8_t to[6],
			   const uint8_t from[6], const struct packet *packet);

/*
 * The ICRC of a RoCE packet with a MAD. 'network' is its GRH or IP header, 'network_size' what is
 * between the start of that and the BTH.
 */
uint32_t frame_roce_icrc(const uint8_t *network, size_t network_size, bool ipv4);

/*
 * BTH, DETH and MAD, which all transports share: 'original' bytes from the BTH through the ICRC,
 * 'captured' of them present. Fills in QPs, P_Key, Q_Key, PSN and the MAD.
 */
enum capture_cause frame_read_bth(const uint8_t *bth, size_t captured, size_t original,
				  struct frame_result *result);

/* Formats a 'why'. */
void frame_say(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The verdict on a packet that was cut before it said what it is: CAUSE_CUT_HEADER, in words. */
enum capture_cause frame_cut_off(struct frame_result *result);

/* Fills in what comes from a GRH or an IPv6 header (40 bytes). */
void frame_read_grh(const uint8_t *grh, struct frame_result *result);

enum frame_crc { CRC_ABSENT, CRC_RIGHT, CRC_WRONG };

/*
 * Compares a CRC of 'size' bytes at 'stored', least significant byte first, with 'right'. All zero
 * means that the CRC was not computed when the capture was made.
 */
enum frame_crc frame_check_crc(const uint8_t *stored, unsigned int size, uint32_t right);

#endif
