/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reading conversations to compare: see sim/diff/diff-reader.h.
 */
#include "sim/diff/diff-reader.h"

#include <glib.h>
#include <string.h>

struct diff_reader {
	const struct diff_options *options;
	const struct diff_source *source;
	struct conversations *conversations;	/* NULL: packet by packet */
	GQueue ready;			/* of struct diff_item * */
	uint64_t count;
	uint64_t damaged;		/* packets */
	bool ended;
};

static bool counts(const struct diff_options *options, const struct conversation *conversation)
{
	const struct conversation_message *const messages[] = {
		&conversation->request, &conversation->answer, &conversation->close,
	};

	if (!options->keep)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(messages); i++) {
		struct capture_mad mad = {
			.frame = messages[i]->frame,
			.time_ns = messages[i]->time_ns,
			.transport = messages[i]->transport,
			.addr = messages[i]->addr,
		};

		if (!messages[i]->frame)
			continue;
		memcpy(mad.mad, messages[i]->bytes, MAD_SIZE);
		if (options->keep(options->keep_ctx, &mad))
			return true;
	}
	return false;
}

static void take(void *ctx, const struct conversation *conversation)
{
	struct diff_reader *reader = ctx;

	if (counts(reader->options, conversation))
		g_queue_push_tail(&reader->ready, diff_item_new(&reader->options->ignored,
								reader->count++, conversation));
}

struct diff_reader *diff_reader_new(const struct diff_options *options,
				    const struct diff_source *source)
{
	struct diff_reader *reader = g_new0(struct diff_reader, 1);

	reader->options = options;
	reader->source = source;
	if (!options->packets)
		reader->conversations = conversations_new(take, reader);
	g_queue_init(&reader->ready);
	return reader;
}

static void take_packet(struct diff_reader *reader, const struct capture_mad *mad)
{
	const struct diff_options *options = reader->options;

	if (mad->icrc_wrong || mad->vcrc_wrong)
		reader->damaged++;
	else if (!options->keep || options->keep(options->keep_ctx, mad))
		g_queue_push_tail(&reader->ready,
				  diff_item_of_packet(&options->ignored, reader->count++, mad));
}

struct diff_item *diff_reader_next(struct diff_reader *reader)
{
	while (!reader->ended && g_queue_is_empty(&reader->ready)) {
		const struct capture_mad *mad = reader->source->next(reader->source->ctx);

		if (mad && reader->conversations)
			conversations_take(reader->conversations, mad);
		else if (mad)
			take_packet(reader, mad);
		else if (reader->conversations)
			conversations_end(reader->conversations);
		reader->ended = !mad;
	}
	return g_queue_pop_head(&reader->ready);
}

void diff_reader_count(const struct diff_reader *reader, uint64_t *ret_items,
		       uint64_t *ret_damaged)
{
	*ret_items = reader->count;
	*ret_damaged = reader->conversations ? conversations_damaged(reader->conversations) :
					       reader->damaged;
}

void diff_reader_free(struct diff_reader *reader)
{
	struct diff_item *item;

	while ((item = g_queue_pop_head(&reader->ready)))
		diff_item_free(item);
	conversations_free(reader->conversations);
	g_free(reader);
}

void diff_closest_consider(struct diff_closest *closest, const struct diff_item *candidate)
{
	uint64_t distance = diff_items_distance(closest->item, candidate);

	if (closest->best && distance >= closest->distance)
		return;
	closest->best = candidate;
	closest->distance = distance;
}
