/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures: reading pcap, pcapng and ERF files with InfiniBand packets, writing pcapng and pcap.
 *
 * Read: native InfiniBand (247), ERF (197, or a bare .erf file), and RoCE v1 and v2 in Ethernet,
 * Linux cooked captures and raw IP; as it is, or compressed by gzip or zstd. What is not a MAD is
 * counted by cause, a MAD that was cut off is reported, nothing is padded. A capture is read here
 * as a whole; sim/capture/stream.h reads it item by item, in constant memory.
 * Written: pcapng, ERF, nanoseconds, one interface per port (declared when first used), a comment
 * per MAD, right ICRC and VCRC. Wireshark opens it and agrees on every field. A file whose name
 * ends in ".pcap" is a pcap: the same packets, without comments, notes and names of interfaces.
 */
#ifndef UMADRIG_SIM_CAPTURE_CAPTURE_H
#define UMADRIG_SIM_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/packet.h"
#include "lib/base/session-date.h"
#include "sim/capture/cause.h"

/* ---- writing ---- */

struct capture_writer;

/* Time 0 of a written capture, unless capture_writer_set_date() says another. */
#define CAPTURE_EPOCH_S SESSION_DATE_S

/*
 * Creates a capture in 'path', or replaces it: pcap if its name ends in ".pcap", else pcapng. On
 * failure returns NULL with a message in 'reterr'. 'comment': for the section header (tool, seed,
 * fabric), may be NULL. Nothing else goes in that could differ between two runs: no dates, no names
 * of hosts or users. Without 'may_wait', 'path' has to be a regular file or /dev/null: a write to
 * anything else may block.
 */
struct capture_writer *capture_writer_open(const char *path, const char *comment, bool may_wait,
					   char *reterr, size_t reterr_size);

/*
 * Before the first record, where time is real: its date at time 0, in nanoseconds since 1970. What
 * the fabric does at one instant, such as sending all segments of a window, is then recorded as a
 * wire would show it: each record is at least 1 ns later than the one before.
 */
void capture_writer_set_date(struct capture_writer *writer, int64_t date_ns);

/* Does it keep comments, notes and interfaces? A pcap does not, but is complete without them. */
bool capture_writer_has_comments(const struct capture_writer *writer);

/*
 * An interface named 'name' ("H1[1]"), with a description (may be NULL). Its number, from 0, for
 * capture_writer_packet(). The file declares it when its first packet is written.
 */
unsigned int capture_writer_interface(struct capture_writer *writer, const char *name,
				      const char *description);

/* A comment of an interface without packets so far; the identity of its port, for example. */
void capture_writer_interface_comment(struct capture_writer *writer, unsigned int interface,
				      const char *comment);

/*
 * One packet at 'at_ns' at the interface; seals it. 'outbound': it leaves the port. 'comment' may
 * be NULL. Records may come out of order; the file is written in order of time, then of arrival.
 * They are held back until capture_writer_advance() or the end. The packet stays the caller's.
 */
void capture_writer_packet(struct capture_writer *writer, unsigned int interface, int64_t at_ns,
			   bool outbound, struct packet *packet, const char *comment);

/*
 * No record earlier than 'safe_ns' will follow: those up to and including it are written. When and
 * how often this is called makes no difference to the file.
 */
void capture_writer_advance(struct capture_writer *writer, int64_t safe_ns);

/*
 * A line of text at 'at_ns', in the order of the packets. Control characters become blanks.
 * Wireshark shows it as a journal entry, in a line of its own.
 */
void capture_writer_note(struct capture_writer *writer, int64_t at_ns, const char *text);

/*
 * Hands what has been written to the system, so that it outlives a crash of this process. 0, or
 * -errno of the first thing that went wrong since it was opened.
 */
int capture_writer_flush(struct capture_writer *writer);

/* Writes out what is left and closes. 0, or -errno of whatever went wrong since it was opened. */
int capture_writer_close(struct capture_writer *writer);

/* ---- reading ---- */

enum capture_transport {
	CAPTURE_INFINIBAND,	/* with LRH: link type 247 or ERF */
	CAPTURE_ROCE_V1,
	CAPTURE_ROCE_V2,
};

enum capture_direction {
	CAPTURE_DIRECTION_UNKNOWN,	/* most captures do not say */
	CAPTURE_INBOUND,		/* it arrived at the port where it was recorded */
	CAPTURE_OUTBOUND,		/* it left that port */
};

/*
 * One MAD of a capture: 256 bytes, and 96 about where they were found. Its strings belong to the
 * capture or stream that it comes from.
 */
struct capture_mad {
	int64_t time_ns;		/* since the first frame of the file */
	const char *comment;		/* pcapng comments, one a line, or NULL */
	const char *interface_name;	/* pcapng interface name, or NULL */
	unsigned int frame;		/* number in the file, from 1, as Wireshark counts */
	/* In pcapng the interface's number; else ERF's interface bits, SLL2's index, or 0. */
	unsigned int interface : 24;
	enum capture_transport transport : 2;
	enum capture_direction direction : 2;
	bool icrc_ok : 1;		/* checked, present and right */
	bool icrc_wrong : 1;		/* checked, present and wrong; zeros count as absent */
	bool vcrc_ok : 1;
	bool vcrc_wrong : 1;
	struct packet_addr addr;	/* RoCE: LIDs 0, GIDs as in or mapped from the IP header */
	uint8_t mad[MAD_SIZE];
};

/*
 * What the headers of a MAD's packet have besides its addresses, as the packet had it: bits that
 * senders always set alike, of the MAD that was read last (sim/capture/stream.h). RoCE has no LRH;
 * version 2 has an IP header in place of the GRH.
 */
struct capture_headers {
	uint8_t lrh[2];			/* its first bytes, with LVer and reserved bits */
	uint8_t lrh_length[2];		/* reserved bits and PktLen */
	uint8_t ip_version;		/* IPVer */
	uint8_t next_header;		/* NxtHdr */
	uint16_t payload_length;	/* PayLen: bytes behind the GRH or IP header */
	uint8_t bth_flags;		/* SE, MigReq, PadCnt, TVer */
	uint8_t bth_reserved;		/* the byte before DestQP */
	uint8_t bth_ack;		/* AckReq, and reserved bits */
	uint8_t deth_reserved;		/* the byte before SrcQP */
};

/* A line of text between the packets, which Wireshark shows as a journal entry. */
struct capture_note {
	unsigned int frame;		/* number in the file: it counts as a frame */
	int64_t time_ns;		/* since the first frame of the file */
	const char *text;
};

/* An interface that a pcapng file declares. */
struct capture_interface {
	const char *name;		/* NULL: it has none; so, too, the others */
	const char *description;	/* umadrig's captures: the node's */
	const char *comment;		/* umadrig's captures: sim/capture/identity.h */
};

/* What was in a file: frames = mads + notes + skipped + damaged. */
struct capture_counts {
	uint64_t frames;
	uint64_t mads;
	uint64_t notes;
	uint64_t skipped;		/* frames that carry no MAD */
	uint64_t damaged;		/* frames that should be read but cannot */
	uint64_t causes[CAPTURE_CAUSES];
	uint64_t backwards;		/* MADs that are earlier than the MAD before them */
	unsigned int first_backwards;	/* the first one's frame, 0: there is none */
};

struct capture {
	char *file;
	struct capture_mad *mads;
	size_t mad_count;
	struct capture_note *notes;
	size_t note_count;
	struct capture_counts counts;	/* of the file */
	int64_t first_ns;		/* the first frame's time, since 1970 */
	char **warnings;		/* "FILE: frame 7: ...", NULL-terminated */
	struct capture_names *names;	/* owns the strings; NULL: there are none */
};

/* What a compressed file that is kept in memory may unpack to where nobody says more: 256 MiB. */
#define CAPTURE_UNPACKED_MAX (UINT64_C(256) << 20)

/*
 * Reads a whole file ("-": standard input), and checks all CRCs. NULL with a message that names
 * file, place and cure. A file that is cut off gives what it has, and a warning.
 */
struct capture *capture_read(const char *path, char *reterr, size_t reterr_size);
/* The same for a compressed file that unpacks to at most 'size_max' bytes; 0: the usual number. */
struct capture *capture_read_within(const char *path, uint64_t size_max, char *reterr,
				    size_t reterr_size);
/* The same from memory, for tests and fuzzing. */
struct capture *capture_parse(const uint8_t *data, size_t size, const char *name, char *reterr,
			      size_t reterr_size);
/* The interface of a pcapng file with that number; NULL: there is none. Owned by the capture. */
const struct capture_interface *capture_interface(const struct capture *capture,
						  unsigned int number);
/*
 * Makes sure that no MAD is earlier than the one before it in the array. If one is, they are sorted
 * by time where 'any_order' allows it, and times count from the earliest; else -EINVAL, with a
 * message that says what to do. 0: they are in order.
 */
int capture_put_in_order(struct capture *capture, bool any_order, char *reterr,
			 size_t reterr_size);
/* NULL is allowed. */
void capture_free(struct capture *capture);

/*
 * Is 'path' a regular file that begins like a capture? A compressed file whose name says that it is
 * one counts too, even if it is damaged or compressed in a way that is not read: capture_read()
 * names the cure, which a reader of topologies could not.
 */
bool capture_is_capture(const char *path);

#endif
