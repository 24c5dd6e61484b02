/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: a capture of any bytes is scrubbed or refused with a message. Every frame is
 * accounted for, the result is a capture with those MADs and no others, and twice the same. An
 * excerpt of it with all frames is the capture itself, as far as it is one, and others are shorter.
 */
#define _GNU_SOURCE
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/capture/capture.h"
#include "sim/excerpt/excerpt.h"
#include "sim/scrub/scrub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct result {
	char *bytes;
	size_t size;
	int err;
	struct scrub_report report;
};

static struct result scrub(const uint8_t *data, size_t size, const struct scrub_options *options)
{
	struct result result = { NULL, 0, 0, { 0 } };
	FILE *to = open_memstream(&result.bytes, &result.size);
	char message[512] = "";

	g_assert(to);
	result.err = scrub_bytes(data, size, "fuzz", to, options, &result.report, message,
				 sizeof(message));
	fclose(to);
	g_assert(!result.err == (*message == '\0'));
	return result;
}

static struct capture *read_again(const void *bytes, size_t size)
{
	char message[512];

	return capture_parse(bytes, size, "fuzz", message, sizeof(message));
}

static void check(const struct result *result, const uint8_t *data, size_t size)
{
	const struct scrub_report *report = &result->report;
	struct capture *before = read_again(data, size);
	struct capture *after = read_again(result->bytes, result->size);

	g_assert(report->frames == report->mads + report->others + report->dropped_other +
				   report->dropped_cut + report->dropped_broken);
	/* libpcap is choosy about headers, which are passed on as they are. */
	g_assert(after || !before || !report->mads);
	if (after)
		g_assert(after->mad_count <= report->mads);
	capture_free(before);
	capture_free(after);
}

static bool keep(void *every, unsigned int frame)
{
	return frame % *(unsigned int *)every == 0;
}

static void check_excerpt(const uint8_t *data, size_t size, unsigned int every)
{
	size_t written, excerpt_size;
	char *bytes = NULL;
	FILE *to = open_memstream(&bytes, &excerpt_size);
	bool whole;

	g_assert(to);
	whole = excerpt_bytes(data, size, to, keep, &every, &written);
	fclose(to);
	g_assert(excerpt_size <= size);
	/* Of ERF's padding nothing is left. */
	if (whole && every == 1 && excerpt_size == size && size)
		g_assert(memcmp(bytes, data, size) == 0);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct scrub_options rows[] = {
		{ .key = NULL }, { .key = "fuzz", .lids = true, .keep_other = true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct result once = scrub(data, size, &rows[i]);
		struct result again = scrub(data, size, &rows[i]);

		g_assert(once.err == again.err && once.size == again.size &&
			 memcmp(once.bytes, again.bytes, once.size) == 0);
		if (!once.err)
			check(&once, data, size);
		free(once.bytes);
		free(again.bytes);
	}
	check_excerpt(data, size, 1);
	check_excerpt(data, size, 2);
	return 0;
}
