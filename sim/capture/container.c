/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The format of a file, by its first bytes: see sim/capture/container.h.
 */
#include "sim/capture/container.h"

#include <glib.h>
#include <string.h>

#include "sim/capture/tar.h"

enum { MAGIC_SIZE = 4 };

enum container_format container_format(struct capture_source *source, const char *name)
{
	size_t there;
	const uint8_t *bytes = capture_source_peek(source, MAGIC_SIZE, &there);

	if (there < MAGIC_SIZE)
		return CONTAINER_TOO_SHORT;
	if (pcapng_is(bytes))
		return CONTAINER_PCAPNG;
	if (pcap_file_is(bytes))
		return CONTAINER_PCAP;
	/* A live capture is no archive, and a block of one must not be waited for. */
	bytes = capture_source_peek(source, ERF_HEADER_SIZE, &there);
	if (erf_file_is(bytes, MIN(there, ERF_HEADER_SIZE), false))
		return CONTAINER_ERF;
	if (capture_source_is_compressed(source) && capture_source_at(source) == 0) {
		if (!tar_enter(source))
			return CONTAINER_NONE;
		if (capture_source_at(source) > 0)
			return container_format(source, name);
	}
	bytes = capture_source_peek(source, ERF_HEADER_SIZE, &there);
	return erf_file_is(bytes, there, strstr(name, ".erf")) ? CONTAINER_ERF : CONTAINER_NONE;
}
