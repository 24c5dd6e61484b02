/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: a capture of any bytes is read or refused with a message; what was read can be
 * indexed for a replay, and every request in it can be looked up.
 */
#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "sim/capture/capture.h"
#include "sim/capture/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct capture *capture)
{
	const struct capture_counts *counts = &capture->counts;

	g_assert(counts->mads + counts->notes + counts->skipped + counts->damaged ==
		 counts->frames);
	g_assert(capture->mad_count == counts->mads);
	for (char **warning = capture->warnings; *warning; warning++)
		g_assert(g_str_has_prefix(*warning, "fuzz: "));
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		g_assert(mad->frame >= 1 && mad->frame <= counts->frames);
		g_assert(!(mad->icrc_ok && mad->icrc_wrong) && !(mad->vcrc_ok && mad->vcrc_wrong));
		g_assert(mad->addr.src_qp <= 1 || mad->addr.dest_qp <= 1);
	}
}

static void ask(struct replay *replay, const struct capture_mad *mad)
{
	struct packet request, answer;
	struct packet_addr addr;
	char why[REPLAY_WHY_SIZE];
	enum replay_verdict verdict;
	size_t message_size;

	packet_build(&request, &mad->addr);
	memcpy(packet_mad(&request), mad->mad, MAD_SIZE);
	verdict = replay_answer(replay, &request, &answer, why);
	if (verdict == REPLAY_ANSWERED || verdict == REPLAY_ANSWERED_BY_RMPP) {
		g_assert(packet_parse(&answer, packet_size(&answer), &addr));
		g_assert(memcmp(packet_mad(&answer) + MAD_TID, mad->mad + MAD_TID, 8) == 0);
	}
	if (verdict == REPLAY_ANSWERED_BY_RMPP) {
		const uint8_t *message = replay_message(replay, &message_size);

		g_assert(message_size >= mad_class_header_size(mad->mad[MAD_CLASS]));
		g_assert(memcmp(message + MAD_TID, mad->mad + MAD_TID, 8) == 0);
	}
	g_assert(*why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char message[512] = "";
	struct capture *capture = capture_parse(data, size, "fuzz", message, sizeof(message));
	const struct replay_options options = { .any_order = true };
	struct replay *replay;

	g_assert(!capture == (*message != '\0'));
	if (!capture)
		return 0;
	check(capture);
	replay = replay_from(capture, &options, message, sizeof(message));
	g_assert(!replay == (*message != '\0'));
	for (size_t i = 0; replay && i < capture->mad_count; i++)
		ask(replay, &capture->mads[i]);
	replay_free(replay);
	capture_free(capture);
	return 0;
}
