/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures in archives: see sim/capture/tar.h.
 */
#include "sim/capture/tar.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "lib/words/number.h"

/* Of the files before the capture: those of a bundle are small, and the capture is the first. */
#define BEFORE_MAX (UINT64_C(64) << 20)

/* The size that a header tells; -1: it is none. */
static int64_t size_of(const uint8_t *header)
{
	g_autofree char *digits = g_strndup((const char *)header + TAR_SIZE, TAR_SIZE_SIZE);
	uint64_t size;

	if (memcmp(header + TAR_MAGIC, "ustar", 5) != 0 ||
	    number_after(digits, "", 8, &size) < 0 || size >> 36)
		return -1;
	return (int64_t)size;
}

static bool is_capture(const uint8_t *header)
{
	g_autofree char *name = g_strndup((const char *)header + TAR_NAME, TAR_NAME_SIZE);

	return g_str_has_suffix(name, ".pcapng") || g_str_has_suffix(name, ".pcap");
}

/* The header that is next; NULL: it is none, or something else. Its file's size. */
static const uint8_t *next_header(struct capture_source *source, uint64_t *ret_size)
{
	size_t there;
	const uint8_t *header = capture_source_peek(source, TAR_BLOCK_SIZE, &there);
	int64_t size = there >= TAR_BLOCK_SIZE ? size_of(header) : -1;

	*ret_size = (uint64_t)size;
	return size < 0 ? NULL : header;
}

bool tar_enter(struct capture_source *source)
{
	const uint8_t *header = next_header(source, &(uint64_t){ 0 });
	uint64_t size, before = 0;

	if (!header)
		return true;
	while ((header = next_header(source, &size)) && before <= BEFORE_MAX) {
		bool found = is_capture(header);

		capture_source_take(source, TAR_BLOCK_SIZE);
		if (found) {
			capture_source_end_after(source, size);
			return true;
		}
		size = (size + TAR_BLOCK_SIZE - 1) / TAR_BLOCK_SIZE * TAR_BLOCK_SIZE;
		before += size;
		if (before <= BEFORE_MAX && !capture_source_skip(source, size))
			break;
	}
	return false;
}
