/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: MADs of any kind in any order are a capture that answers requests of any kind. What
 * answers has the request's class and TID, and every refusal has words.
 *
 * The input is records of RECORD_SIZE bytes: whether the MAD is in the capture (bit 0), is asked
 * (bit 1), how much later it is, where it was recorded, its LIDs, its QPs, and the beginning of the
 * MAD.
 */
#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/capture/capture.h"
#include "sim/capture/replay-question.h"
#include "sim/capture/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	RECORD_SIZE = 80,
	RECORD_MAD = 8,
	MAD_BYTES = RECORD_SIZE - RECORD_MAD,
	RECORDS_MAX = 500,
	IN_CAPTURE = 1,
	IS_ASKED = 2,
	STATUS_UNSUPPORTED = 0x000c,
};

static void read_mad(const uint8_t *record, unsigned int frame, int64_t time_ns,
		     struct capture_mad *ret)
{
	*ret = (struct capture_mad){
		.frame = frame,
		.time_ns = time_ns,
		.interface = record[2] & 3,
		.interface_name = record[2] & 3 ? "H1[1]" : NULL,
		.direction = record[2] & 4 ? CAPTURE_INBOUND : CAPTURE_OUTBOUND,
		.comment = record[2] & 8 ? "dropped: so" : NULL,
		.icrc_wrong = record[2] & 16,
		.transport = record[2] & 32 ? CAPTURE_ROCE_V2 : CAPTURE_INFINIBAND,
		.addr = { .slid = record[3], .dlid = record[4], .src_qp = record[5] & 1,
			  .dest_qp = record[5] >> 1 & 1, .has_grh = record[5] & 4,
			  .pkey = PKEY_DEFAULT, .sgid = { [15] = record[3] },
			  .dgid = { [15] = record[4] } },
	};
	memcpy(ret->mad, record + RECORD_MAD, MAD_BYTES);
	memset(ret->mad + MAD_BYTES, record[6], MAD_SIZE - MAD_BYTES);
}

static GArray *read_mads(const uint8_t *data, size_t count, uint8_t mask)
{
	GArray *mads = g_array_new(false, true, sizeof(struct capture_mad));
	int64_t time_ns = 0;

	for (size_t i = 0; i < count; i++, data += RECORD_SIZE) {
		struct capture_mad mad;

		time_ns += (int64_t)data[1] * data[1] * 1000000;
		if (!(data[0] & mask))
			continue;
		read_mad(data, (unsigned int)i + 1, time_ns, &mad);
		g_array_append_val(mads, mad);
	}
	return mads;
}

static void check_answer(const struct replay *replay, const struct packet *request,
			 const struct packet *answer, enum replay_verdict verdict)
{
	const uint8_t *asked = packet_mad_const(request), *mad = packet_mad_const(answer);
	size_t size = MAD_SIZE;

	g_assert_cmpuint(mad[MAD_CLASS], ==, asked[MAD_CLASS]);
	g_assert_cmpuint(get_be64(mad + MAD_TID), ==, get_be64(asked + MAD_TID));
	if (verdict == REPLAY_ANSWERED)
		return;
	mad = replay_message(replay, &size);
	g_assert_nonnull(mad);
	for (size_t i = 0, sum = 0; i < size; i++) {
		sum += mad[i];
		g_assert_cmpuint(sum, <=, size * UINT8_MAX);
	}
}

static void ask(struct replay *replay, const struct capture_mad *mad)
{
	struct packet request = { 0 }, answer = { 0 };
	char why[REPLAY_WHY_SIZE] = "";
	struct packet_addr addr = mad->addr;
	enum replay_verdict verdict;

	addr.has_grh |= mad->transport != CAPTURE_INFINIBAND;
	packet_build(&request, &addr);
	memcpy(packet_mad(&request), mad->mad, MAD_SIZE);
	verdict = replay_answer(replay, &request, &answer, why);
	g_assert_nonnull(memchr(why, '\0', sizeof(why)));
	switch (verdict) {
	case REPLAY_ANSWERED:
	case REPLAY_ANSWERED_BY_RMPP:
		check_answer(replay, &request, &answer, verdict);
		break;
	case REPLAY_SILENT:
	case REPLAY_UNMATCHED:
		g_assert_true(question_is_asked(mad->mad));
		g_assert_cmpuint(*why, !=, '\0');
		if (replay_refuse(&request, STATUS_UNSUPPORTED, &answer))
			check_answer(replay, &request, &answer, REPLAY_ANSWERED);
		break;
	case REPLAY_NOT_ASKED:
		break;
	}
}

static void replay(const struct capture *capture, const GArray *asked, enum replay_as_of as_of,
		   const char *host)
{
	const struct replay_options options = { .as_of = as_of, .at_ns = 1000000000, .host = host };
	char message[512] = "";
	struct replay *replay = replay_from(capture, &options, message, sizeof(message));

	if (!replay) {
		g_assert_cmpuint(*message, !=, '\0');
		return;
	}
	for (guint i = 0; i < asked->len; i++)
		ask(replay, &g_array_index(asked, struct capture_mad, i));
	g_assert_cmpuint(replay_size(replay), >, 0);
	replay_free(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = MIN(size / RECORD_SIZE, (size_t)RECORDS_MAX);
	g_autoptr(GArray) captured = read_mads(data, count, IN_CAPTURE);
	g_autoptr(GArray) asked = read_mads(data, count, IS_ASKED);
	char *no_warnings[] = { NULL }, name[] = "fuzz";
	const struct capture capture = {
		.file = name,
		.mads = (struct capture_mad *)(void *)captured->data,
		.mad_count = captured->len,
		.counts = { .frames = captured->len, .mads = captured->len },
		.warnings = no_warnings,
	};

	for (unsigned int as_of = REPLAY_IN_ORDER; as_of <= REPLAY_AT; as_of++)
		replay(&capture, asked, (enum replay_as_of)as_of, as_of % 2 ? "5" : NULL);
	return 0;
}
