/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Containers of frames: pcap, pcapng, or a sequence of ERF records. Each splits the bytes of a
 * source into frames, one at a time.
 */
#ifndef UMADRIG_SIM_CAPTURE_CONTAINER_H
#define UMADRIG_SIM_CAPTURE_CONTAINER_H

#include "sim/capture/frame.h"
#include "sim/capture/names.h"
#include "sim/capture/source.h"

struct capture_container {
	/*
	 * 1 and the next frame, whose pointers are valid until the next call; 0 at the end; or
	 * -EBADMSG if the file is broken, with what is wrong and where in 'why' (FRAME_WHY_SIZE
	 * bytes).
	 */
	int (*next)(struct capture_container *container, struct capture_frame *ret, char *why);
	void (*free)(struct capture_container *container);
};

/* The format of a file, according to its beginning. */
enum container_format {
	CONTAINER_NONE,		/* no format that is read here */
	CONTAINER_TOO_SHORT,	/* fewer bytes than any capture has */
	CONTAINER_PCAP,
	CONTAINER_PCAPNG,
	CONTAINER_ERF,
};

/*
 * The format of the source, according to its first bytes, which are not taken. In a compressed
 * archive (sim/capture/tar.h) the source becomes the capture in it. ERF has no magic
 * number: its first records have to make sense. In a file whose 'name' has ".erf" in it any type of
 * record will do.
 */
enum container_format container_format(struct capture_source *source, const char *name);

/*
 * pcap of any byte order and resolution, by libpcap. NULL, and 'why' says what is wrong. The source
 * stays the caller's, and must outlive the container; the same goes for the others.
 */
struct capture_container *pcap_file_open(struct capture_source *source, char *why);
/*
 * The same without libpcap. NULL, and nothing is taken: its header is not the usual one, and only
 * libpcap knows more.
 */
struct capture_container *pcap_direct_open(struct capture_source *source);
/* Are these first four bytes pcap's? */
bool pcap_file_is(const uint8_t *magic);

/* pcapng: see sim/capture/pcapng.h. The interfaces that it declares go to 'names'. */
struct capture_container *pcapng_open(struct capture_source *source, struct capture_names *names);
/* Are these first four bytes pcapng's? */
bool pcapng_is(const uint8_t *magic);

/* ERF records without a container. */
struct capture_container *erf_file_open(struct capture_source *source);
/* Do these bytes, as many as there are, begin with records that make sense? */
bool erf_file_is(const uint8_t *bytes, size_t size, bool any_type);

#endif
