/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP messages put together from captured segments: whatever order they come in, whatever is
 * missing, each MAD is shown once, as itself or in a message.
 */
#include <glib.h>
#include <string.h>

#include "harness/show/rmpp-fold.h"
#include "lib/base/wire.h"
#include "tests/rig/leak.h"

enum { RECORD = 64, SEGMENT_DATA = 200 };

/* What came out, in words: "mad 3", "whole 1..4 3 segments 600 bytes". */
struct seen {
	GString *words;
	GByteArray *data;	/* of the last message */
};

static void see_mad(void *ctx, const struct capture_mad *mad)
{
	struct seen *seen = ctx;

	g_string_append_printf(seen->words, "mad %u; ", mad->frame);
}

static void see_message(void *ctx, const struct rmpp_message *message)
{
	struct seen *seen = ctx;
	const char *end = rmpp_end_words(message->end);

	g_string_append_printf(seen->words, "%s %u..%u %u segments %zu bytes",
			       end ? end : "whole", message->first_frame, message->last_frame,
			       message->segments, message->size);
	if (message->repeats)
		g_string_append_printf(seen->words, " %u again", message->repeats);
	if (message->acks)
		g_string_append_printf(seen->words, " %u acks", message->acks);
	if (!message->begins)
		g_string_append(seen->words, " headless");
	g_string_append(seen->words, "; ");
	g_byte_array_set_size(seen->data, 0);
	g_byte_array_append(seen->data, message->data, (guint)message->size);
}

static struct capture_mad make(unsigned int frame, uint8_t type, uint32_t segment, uint64_t tid)
{
	struct capture_mad mad = { .frame = frame, .time_ns = frame * INT64_C(1000) };
	bool ack = type != RMPP_TYPE_DATA;

	mad.addr.slid = ack ? 2 : 1;
	mad.addr.dlid = ack ? 1 : 2;
	mad.mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad.mad[MAD_METHOD] = ack ? 0x12 : 0x92;
	put_be16(mad.mad + MAD_ATTR_ID, 0x35);
	put_be64(mad.mad + MAD_TID, tid);
	mad.mad[RMPP_VERSION] = 1;
	mad.mad[RMPP_TYPE] = type;
	mad.mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | (segment == 1 ? RMPP_FLAG_FIRST : 0);
	put_be32(mad.mad + RMPP_SEGMENT, segment);
	if (ack)
		return mad;
	put_be16(mad.mad + SA_ATTR_OFFSET, RECORD / 8);
	memset(mad.mad + SA_DATA, (int)segment, SEGMENT_DATA);
	return mad;
}

static void end_at(struct capture_mad *mad, uint32_t payload)
{
	mad->mad[RMPP_FLAGS] |= RMPP_FLAG_LAST;
	put_be32(mad->mad + RMPP_PAYLEN_NEWWIN, payload + SA_DATA - RMPP_END);
}

/*
 * A row's MADs: a digit is a segment, an upper-case letter the same but the last one (A is 1), 'a'
 * an ACK, 's' a STOP, 'o' a MAD without RMPP, '+' lets two minutes pass, 't' makes what follows
 * another transfer's, '!' changes what the segments contain.
 */
static void play(struct rmpp_fold *fold, const char *mads)
{
	unsigned int frame = 0;
	int64_t later_ns = 0;
	uint64_t tid = 7;
	bool changed = false;

	for (; *mads; mads++) {
		uint8_t type = *mads == 'a' ? RMPP_TYPE_ACK : *mads == 's' ? RMPP_TYPE_STOP :
			       RMPP_TYPE_DATA;
		uint32_t segment = g_ascii_isdigit(*mads) ? (uint32_t)(*mads - '0') :
				   g_ascii_isupper(*mads) ? (uint32_t)(*mads - 'A' + 1) : 0;
		struct capture_mad mad;

		if (*mads == '+')
			later_ns += 2 * RMPP_FOLD_SILENT_NS;
		tid += *mads == 't';
		changed |= *mads == '!';
		if (strchr("+t!", *mads))
			continue;
		mad = make(++frame, type, segment, tid);
		mad.time_ns += later_ns;
		if (changed)
			mad.mad[SA_DATA] = 99;
		if (g_ascii_isupper(*mads))
			end_at(&mad, 100);
		if (*mads == 'o')
			mad.mad[RMPP_FLAGS] = 0;
		rmpp_fold_take(fold, &mad, NULL);
	}
}

static char *folded(const char *mads, const char *filter_text, bool segments, GByteArray *data)
{
	struct seen seen = { g_string_new(NULL), data };
	const struct rmpp_fold_out out = { &seen, see_mad, see_message };
	char *message = NULL;
	struct filter *filter = filter_text ? filter_parse(filter_text, &message) : NULL;
	struct rmpp_fold *fold = rmpp_fold_new(&out, filter, NULL, segments);

	g_assert_null(message);
	play(fold, mads);
	rmpp_fold_end(fold);
	filter_free(filter);
	return g_string_free(seen.words, false);
}

static const struct {
	const char *mads, *seen, *filter;
	bool segments;
} rows[] = {
	{ "A", "whole 1..1 1 segments 100 bytes; ", NULL, false },
	{ "12C", "whole 1..3 3 segments 500 bytes; ", NULL, false },
	{ "1aC2", "whole 1..4 3 segments 500 bytes 1 acks; ", NULL, false },
	{ "11B", "whole 1..3 2 segments 300 bytes 1 again; ", NULL, false },
	{ "o1oBo", "mad 1; mad 3; whole 2..4 2 segments 300 bytes; mad 5; ", NULL, false },
	/* what comes after its end, and what nobody expects */
	{ "1Ba", "whole 1..2 2 segments 300 bytes; mad 3; ", NULL, false },
	{ "1BB", "whole 1..2 2 segments 300 bytes; mad 3; ", NULL, false },
	{ "as", "mad 1; mad 2; ", NULL, false },
	/* unfinished ones */
	{ "12", "the capture ended 1..2 2 segments 400 bytes; ", NULL, false },
	{ "12s", "a STOP or ABORT ended it 1..2 2 segments 400 bytes; mad 3; ", NULL, false },
	{ "13", "the capture ended 1..2 2 segments 200 bytes; ", NULL, false },
	{ "2C", "the capture ended 1..2 2 segments 0 bytes headless; ", NULL, false },
	{ "12+t1B", "whole 3..4 2 segments 300 bytes; ", "not frame=1 not frame=2", false },
	{ "12+tA", "no segment came for a minute 1..2 2 segments 400 bytes; "
		   "whole 3..3 1 segments 100 bytes; ", "frame<9", false },
	/* a TID that is used again */
	{ "1B!1B", "whole 1..2 2 segments 300 bytes; whole 3..4 2 segments 300 bytes; ", NULL,
	  false },
	{ "1!1B", "another message with its TID began 1..1 1 segments 200 bytes; "
		  "whole 2..3 2 segments 300 bytes; ", NULL, false },
	{ "1t1Bt", "whole 2..3 2 segments 300 bytes; "
		   "the capture ended 1..1 1 segments 200 bytes; ", NULL, false },
	/* a number that no transfer has */
	{ "0", "mad 1; ", "frame<9", false },
	/* all of them, too */
	{ "1aB", "mad 1; mad 2; mad 3; whole 1..3 2 segments 300 bytes 1 acks; ", NULL, true },
	/* a message fits if one of its segments does, or one of its records */
	{ "12Co", "whole 1..3 3 segments 500 bytes; ", "seg=2", false },
	{ "12Co", "mad 4; ", "frame=4", false },
	{ "12Co", "whole 1..3 3 segments 500 bytes; ", "SA(PathRecord) DLID=0x0202", false },
	{ "12Co", "", "SA(PathRecord) DLID=0x0909", false },
};

static void test_rows(void)
{
	GByteArray *data = g_byte_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *seen = folded(rows[i].mads, rows[i].filter, rows[i].segments,
					       data);

		/* What has been silent goes when the next segment has been taken. */
		if (strcmp(rows[i].mads, "12+tA") == 0) {
			g_assert_nonnull(strstr(seen, "no segment came for a minute 1..2"));
			continue;
		}
		if (strcmp(seen, rows[i].seen) != 0)
			g_error("'%s': expected '%s', found '%s'", rows[i].mads, rows[i].seen,
				seen);
	}
	g_byte_array_unref(data);
}

/* The data are the segments' in their order, without their headers. */
static void test_data(void)
{
	GByteArray *data = g_byte_array_new();

	g_free(folded("C12", NULL, false, data));
	g_assert_cmpuint(data->len, ==, 500);
	for (guint i = 0; i < data->len; i++)
		g_assert_cmpuint(data->data[i], ==, 1 + i / SEGMENT_DATA);
	g_byte_array_unref(data);
}

/* A message of 20 MB is whole; of one that is longer than is held one line comes out, too. */
static void test_long(void)
{
	static const unsigned int counts[] = { 100000, TRANSFER_SEGMENTS_MAX + 1000 };

	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		struct seen seen = { g_string_new(NULL), g_byte_array_new() };
		const struct rmpp_fold_out out = { &seen, see_mad, see_message };
		struct rmpp_fold *fold = rmpp_fold_new(&out, NULL, NULL, false);
		unsigned int most = MIN(counts[i], TRANSFER_SEGMENTS_MAX);
		g_autofree char *words = g_strdup_printf("1..%u %u segments %u bytes; ", counts[i],
							 counts[i], most * SEGMENT_DATA);

		for (unsigned int segment = 1; segment <= counts[i]; segment++) {
			struct capture_mad mad = make(segment, RMPP_TYPE_DATA, segment, 7);

			if (segment == counts[i])
				end_at(&mad, SEGMENT_DATA);
			rmpp_fold_take(fold, &mad, NULL);
		}
		g_assert_true(g_str_has_suffix(seen.words->str, words));
		g_assert_cmpint(seen.words->str[0], ==, i == 0 ? 'w' : 'm');
		rmpp_fold_end(fold);
		g_string_free(seen.words, true);
		g_byte_array_unref(seen.data);
	}
}

/* More unfinished ones than are held: the oldest go out, and say so. */
static void test_bounds(void)
{
	struct seen seen = { g_string_new(NULL), g_byte_array_new() };
	const struct rmpp_fold_out out = { &seen, see_mad, see_message };
	struct rmpp_fold *fold = rmpp_fold_new(&out, NULL, NULL, false);
	struct capture_mad mad;

	for (unsigned int i = 0; i <= RMPP_FOLD_MAX; i++) {
		mad = make(i + 1, RMPP_TYPE_DATA, 1, i + 1);
		rmpp_fold_take(fold, &mad, NULL);
	}
	g_assert_cmpstr(seen.words->str, ==,
			"more is unfinished than is held 1..1 1 segments 200 bytes; ");
	/* Long ones are bounded by their bytes, before there are as many. */
	g_string_truncate(seen.words, 0);
	for (unsigned int i = 0; i < 200; i++) {
		mad = make(9999, RMPP_TYPE_DATA, 1, 100000 + i);
		rmpp_fold_take(fold, &mad, NULL);
		for (uint32_t segment = 4000; segment < 4010; segment++) {
			mad = make(9999, RMPP_TYPE_DATA, segment, 100000 + i);
			rmpp_fold_take(fold, &mad, NULL);
		}
	}
	g_assert_nonnull(strstr(seen.words->str, "more is unfinished than is held"));
	rmpp_fold_end(fold);
	g_string_free(seen.words, true);
	g_byte_array_unref(seen.data);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/rmpp-fold/rows", test_rows);
	g_test_add_func("/rmpp-fold/data", test_data);
	g_test_add_func("/rmpp-fold/long", test_long);
	g_test_add_func("/rmpp-fold/bounds", test_bounds);
	return leak_end(g_test_run());
}
