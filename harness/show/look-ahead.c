/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is known of frames when all have been read: see harness/show/look-ahead.h. */
#include "harness/show/look-ahead.h"

#include <string.h>

#include "harness/base/command.h"
#include "harness/show/history.h"
#include "sim/capture/conversation.h"
#include "sim/capture/stream.h"

enum { MESSAGE_SIZE = 512 };

static void mark(struct frame_traits *traits, const struct conversation *conversation,
		 unsigned int frame)
{
	struct frame_trait *trait = frame ? frame_traits_at(traits, frame) : NULL;

	if (!trait)
		return;
	trait->is_asked = conversation->kind != CONVERSATION_ORPHAN;
	trait->retries = conversation->retries;
	trait->trip_ns = conversation_round_trip_ns(conversation);
}

static void take(void *ctx, const struct conversation *conversation)
{
	const struct conversation_message *messages[] = {
		&conversation->request, &conversation->answer, &conversation->close,
	};
	struct frame_traits *traits = ctx;

	for (size_t i = 0; i < G_N_ELEMENTS(messages); i++) {
		mark(traits, conversation, messages[i]->frame);
		mark(traits, conversation, messages[i]->last_frame);
	}
	if (conversation->kind == CONVERSATION_UNANSWERED)
		frame_traits_at(traits, conversation->request.frame)->is_unanswered = true;
}

static void read_all(struct capture_stream *stream, struct frame_traits *traits)
{
	struct conversations *conversations = conversations_new(take, traits);
	struct view_setup setup = { .ends = mad_ends_new(), .marks = traits };
	struct view *history = view_new(&history_view, &setup);
	struct capture_item item;

	while (capture_stream_next(stream, &item)) {
		if (item.kind != CAPTURE_ITEM_MAD)
			continue;
		mad_ends_learn(setup.ends, item.mad);
		conversations_take(conversations, item.mad);
		history->kind->mad(history, item.mad);
	}
	conversations_end(conversations);
	conversations_free(conversations);
	history->kind->end(history, capture_stream_counts(stream), 0);
	mad_ends_free(setup.ends);
}

struct frame_traits *look_ahead(const char *path, const char *word, GError **error)
{
	char message[MESSAGE_SIZE];
	struct frame_traits *traits;
	struct capture_stream *stream;

	/* (What a directory is, is said where it is opened.) */
	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) && !g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_set_error(error, COMMAND_ERROR, COMMAND_USAGE, "%s cannot be read twice, as '%s' "
			    "needs it: give a file", strcmp(path, "-") == 0 ? "standard input" :
			    path, word);
		return NULL;
	}
	stream = capture_stream_open(path, CAPTURE_CHECK_CRCS, message, sizeof(message));
	if (!stream) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_FAILED, message);
		return NULL;
	}
	traits = frame_traits_new();
	read_all(stream, traits);
	capture_stream_close(stream);
	return traits;
}
