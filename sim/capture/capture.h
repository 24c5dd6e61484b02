/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures: reading and writing pcap and pcapng with InfiniBand packets.
 *
 * Read: link types 247 (native), 197 (ERF, record type 21, extension headers skipped) and 1
 * (Ethernet: RoCE v1 and v2), in pcap of any byte order and resolution and in pcapng. What is not
 * a MAD is counted, a truncated MAD is reported, nothing is padded.
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

/* ---- writing ---- */

struct capture_writer;

/*
 * Time 0 of a written capture: 2000-01-01 00:00:00 UTC. A fixed instant, because the same run has
 * to give the same bytes; not 1970, because a record may lie one latency before the fabric's start.
 */
#define CAPTURE_EPOCH_S INT64_C(946684800)

/*
 * Creates a capture in 'path', or replaces it: pcap if its name ends in ".pcap", else pcapng. On
 * failure returns NULL with a message in 'reterr'. 'comment': for the section header (tool, seed,
 * fabric), may be NULL. Nothing else goes in that could differ between two runs: no dates, no names
 * of hosts or users. Without 'may_wait', 'path' has to be a regular file or /dev/null: a write to
 * anything else may block.
 */
struct capture_writer *capture_writer_open(const char *path, const char *comment, bool may_wait,
					   char *reterr, size_t reterr_size);

/* Does it keep comments, notes and interfaces? A pcap does not, but is complete without them. */
bool capture_writer_has_comments(const struct capture_writer *writer);

/*
 * An interface named 'name' ("H1[1]"), with a description (may be NULL). Its number, from 0, for
 * capture_writer_packet(). The file declares it when its first packet is written.
 */
unsigned int capture_writer_interface(struct capture_writer *writer, const char *name,
				      const char *description);

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

/* One MAD of a capture. */
struct capture_mad {
	unsigned int frame;		/* number in the file, from 1, as Wireshark counts */
	int64_t time_ns;		/* since the first frame of the file */
	int64_t epoch_ns;		/* since 1970 */
	enum capture_transport transport;
	enum capture_direction direction;
	int interface;			/* pcapng interface, else ERF interface bits, else 0 */
	struct packet_addr addr;	/* RoCE: LIDs 0, GIDs as in or mapped from the IP header */
	uint8_t mad[MAD_SIZE];
	char *comment;			/* pcapng comments, one a line, or NULL */
	char *interface_name;		/* pcapng interface name, or NULL */
	char *interface_description;	/* the same; umadrig's captures: the node's */
	bool icrc_ok;			/* present and right */
	bool icrc_wrong;		/* present and wrong; zeros count as absent */
	bool vcrc_ok;
	bool vcrc_wrong;
};

/* A line of text between the packets, which Wireshark shows as a journal entry. */
struct capture_note {
	unsigned int frame;		/* number in the file: it counts as a frame */
	int64_t time_ns;		/* since the first frame of the file */
	char *text;
};

struct capture {
	char *file;
	struct capture_mad *mads;
	size_t mad_count;
	struct capture_note *notes;
	size_t note_count;
	size_t frame_count;		/* with the notes */
	size_t skipped;			/* frames that carry no MAD */
	size_t damaged;			/* frames that should be read but cannot; see warnings */
	char **warnings;		/* "FILE: frame 7: ...", NULL-terminated */
};

/*
 * Reads a whole file. NULL with a message that names file, place and cure. A file that is cut off
 * gives what it has, and a warning.
 */
struct capture *capture_read(const char *path, char *reterr, size_t reterr_size);
/* The same from memory, for tests and fuzzing. */
struct capture *capture_parse(const uint8_t *data, size_t size, const char *name, char *reterr,
			      size_t reterr_size);
/* Removes the MADs for which 'keep' returns false. */
void capture_filter(struct capture *capture,
		    bool (*keep)(void *ctx, const struct capture_mad *mad), void *ctx);
/* NULL is allowed. */
void capture_free(struct capture *capture);

/*
 * Does the file begin like a pcap or pcapng? A compressed file whose name says that it is a capture
 * counts too: capture_read() names the cure, which a reader of topologies could not.
 */
bool capture_is_capture(const char *path);

#endif
