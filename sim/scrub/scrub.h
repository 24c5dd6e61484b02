/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures without the names of their site: GUIDs, GIDs, addresses, node descriptions and keys are
 * replaced wherever they are, each by the same alias everywhere, so that a capture may be shown to
 * anybody and still be replayed.
 *
 * A file is read three times: for the segments of RMPP transfers, to learn what there is, and to
 * write. What is not understood is dropped and counted, and never passed on.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_H
#define UMADRIG_SIM_SCRUB_SCRUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/scrub/alias.h"

struct value_book;

struct scrub_options {
	const char *key;	/* NULL: aliases are numbered; see sim/scrub/alias.h */
	bool lids;		/* LIDs, too */
	bool keep_p_keys;
	bool keep_other;	/* headers of InfiniBand packets that are no MADs */
	/*
	 * What else is to be scrubbed by the same aliases; may be NULL. Called twice: to learn, and
	 * to replace.
	 */
	void (*also)(void *ctx, const struct value_book *values);
	void *also_ctx;
};

#define SCRUB_WHY_SIZE 256

enum scrub_format {
	SCRUB_NO_FORMAT,
	SCRUB_PCAP,
	SCRUB_PCAPNG,
	SCRUB_ERF,
};

/* What was done. */
struct scrub_report {
	enum scrub_format format;	/* of the file, and of what was made of it */
	size_t frames;		/* packets of the file */
	size_t mads;		/* written */
	size_t others;		/* written */
	size_t notes;		/* lines of text between the packets, written */
	size_t dropped_other;	/* no MADs */
	size_t dropped_cut;	/* not all of them was captured */
	size_t dropped_broken;	/* unreadable */
	size_t dropped_blocks;	/* of pcapng: names, statistics, secrets, what others invent */
	size_t blanked;		/* pieces of fields whose other pieces are not there */
	size_t replaced[ALIAS_KINDS];	/* different originals of each kind */
	size_t names;
	char why[SCRUB_WHY_SIZE];	/* not "": the file is broken behind the last frame */
};

/*
 * Writes what is in 'data' (pcap, pcapng, or ERF records) to 'to', in the same format. Returns 0,
 * or -errno with a message that names 'name' in 'reterr'; 'to' may then have a piece of it. 'to'
 * stays the caller's and is flushed.
 */
int scrub_bytes(const uint8_t *data, size_t size, const char *name, FILE *to,
		const struct scrub_options *options, struct scrub_report *ret, char *reterr,
		size_t reterr_size);

/*
 * The same from file to file. 'in' may be "-" for standard input, and compressed by gzip or zstd.
 * 'out' is written under another name beside it, mode 0600, and takes its name once it is whole; it
 * must not be 'in'. A name in .gz or .zst: it is compressed; "-": standard output. A name in
 * .pcap, .pcapng or .erf that is not the format's is refused.
 */
int scrub_file(const char *in, const char *out, const struct scrub_options *options,
	       struct scrub_report *ret, char *reterr, size_t reterr_size);

#endif
