/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP messages put together from their segments. See harness/show/rmpp-fold.h.
 */
#include "harness/show/rmpp-fold.h"

#include <glib.h>
#include <string.h>

#include "harness/show/mad-text.h"
#include "sim/capture/transfer.h"
#include "lib/base/wire.h"

/* What the data of a transfer have in common: ACKs go the other way. */
struct fold_key {
	uint64_t tid;
	uint8_t mgmt_class;
	uint16_t from_lid, to_lid;
	uint8_t from_gid[16], to_gid[16];	/* zeros where there are LIDs */
};

struct fold_entry {
	struct fold_key key;
	struct capture_mad head;
	struct capture_headers headers;	/* of its packet */
	bool has_headers;
	struct transfer transfer;
	unsigned int segments, repeats, acks, first_frame, last_frame;
	int64_t last_ns;
	bool begins;
	bool fits;
	bool done;		/* it has come out: only its key is kept, for what comes again */
	size_t held;
	GList link;		/* in 'silent' or 'done' */
};

struct rmpp_fold {
	struct rmpp_fold_out out;
	const struct filter *filter;
	const struct mad_ends *ends;
	bool segments;
	const struct capture_headers *headers;	/* of the MAD that is taken; NULL: not known */
	GHashTable *entries;	/* struct fold_key * -> struct fold_entry *: look-up only */
	GQueue unfinished;	/* of struct fold_entry *, the one silent longest first */
	GQueue done;
	size_t held;		/* bytes */
};

static guint key_hash(gconstpointer p)
{
	const struct fold_key *key = p;
	uint64_t hash = key->tid ^ (uint64_t)key->from_lid << 48 ^ (uint64_t)key->to_lid << 32 ^
			key->mgmt_class;

	hash ^= get_be64(key->from_gid + 8) * 3 ^ get_be64(key->to_gid + 8) * 5;
	return (guint)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
	const struct fold_key *left = a, *right = b;

	return left->tid == right->tid && left->mgmt_class == right->mgmt_class &&
	       left->from_lid == right->from_lid && left->to_lid == right->to_lid &&
	       memcmp(left->from_gid, right->from_gid, 16) == 0 &&
	       memcmp(left->to_gid, right->to_gid, 16) == 0;
}

static struct fold_key key_of(const struct capture_mad *mad, bool reverse)
{
	const struct packet_addr *addr = &mad->addr;
	struct fold_key key = {
		.tid = get_be64(mad->mad + MAD_TID),
		.mgmt_class = mad->mad[MAD_CLASS],
		.from_lid = reverse ? addr->dlid : addr->slid,
		.to_lid = reverse ? addr->slid : addr->dlid,
	};

	if (mad->transport != CAPTURE_INFINIBAND) {
		memcpy(key.from_gid, reverse ? addr->dgid : addr->sgid, 16);
		memcpy(key.to_gid, reverse ? addr->sgid : addr->dgid, 16);
	}
	return key;
}

const char *rmpp_end_words(enum rmpp_end end)
{
	switch (end) {
	case RMPP_WHOLE: return NULL;
	case RMPP_STOPPED: return "a STOP or ABORT ended it";
	case RMPP_ANOTHER: return "another message with its TID began";
	case RMPP_SILENT: return "no segment came for a minute";
	case RMPP_NO_ROOM: return "more is unfinished than is held";
	case RMPP_CAPTURE_ENDED: return "the capture ended";
	}
	return NULL;
}

size_t rmpp_record_count(const struct rmpp_message *message)
{
	if (!message->record_size)
		return message->size > 0;
	return (message->size + message->record_size - 1) / message->record_size;
}

/* ---- what comes out ---- */

/* Does one of the records fit, as if it were alone in a MAD? */
static bool record_fits(const struct rmpp_fold *fold, const struct rmpp_message *message)
{
	const struct mad_class_info *info = mad_class_find(message->head.mad[MAD_CLASS]);
	struct capture_mad mad = message->head;
	size_t room = info ? MAD_SIZE - info->data_at : 0;

	if (!message->record_size || message->record_size > room)
		return false;
	put_be32(mad.mad + RMPP_SEGMENT, 1);
	for (size_t at = 0; at + message->record_size <= message->size;
	     at += message->record_size) {
		memset(mad.mad + info->data_at, 0, room);
		memcpy(mad.mad + info->data_at, message->data + at, message->record_size);
		if (filter_keeps(fold->filter, fold->ends, &mad))
			return true;
	}
	return false;
}

static size_t record_size(const uint8_t *mad)
{
	const struct mad_attribute *attribute =
		mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_ADM)
		return 0;
	if (get_be16(mad + SA_ATTR_OFFSET))
		return get_be16(mad + SA_ATTR_OFFSET) * 8U;
	return attribute ? attribute->size : 0;
}

/* The message as it is goes out; its key stays for a while. */
static void finish(struct rmpp_fold *fold, struct fold_entry *entry, enum rmpp_end end)
{
	size_t header = mad_class_header_size(entry->key.mgmt_class);
	struct rmpp_message message = {
		.head = entry->head,
		.headers = entry->has_headers ? &entry->headers : NULL,
		/* A segment that was refused has brought no bytes at all. */
		.data = entry->transfer.size > header ? entry->transfer.bytes + header : NULL,
		.size = entry->transfer.size - MIN(entry->transfer.size, header),
		.record_size = record_size(entry->head.mad),
		.segments = entry->segments,
		.repeats = entry->repeats,
		.acks = entry->acks,
		.first_frame = entry->first_frame,
		.last_frame = entry->last_frame,
		.end = end,
		.begins = entry->begins,
	};

	message.head.frame = entry->last_frame;
	message.head.time_ns = entry->last_ns;
	if (entry->fits || record_fits(fold, &message))
		fold->out.message(fold->out.ctx, &message);
	fold->held -= entry->held;
	entry->held = 0;
	entry->done = true;
	transfer_clear(&entry->transfer);
	g_queue_unlink(&fold->unfinished, &entry->link);
	g_queue_push_tail_link(&fold->done, &entry->link);
}

/* Of one that has come out. */
static void forget(struct rmpp_fold *fold, struct fold_entry *entry)
{
	g_queue_unlink(&fold->done, &entry->link);
	g_hash_table_remove(fold->entries, &entry->key);
	g_free(entry);
}

static void out_single(struct rmpp_fold *fold, const struct capture_mad *mad)
{
	if (filter_keeps(fold->filter, fold->ends, mad))
		fold->out.mad(fold->out.ctx, mad);
}

static void make_room(struct rmpp_fold *fold, int64_t now_ns)
{
	while (fold->unfinished.head) {
		struct fold_entry *entry = fold->unfinished.head->data;

		if (now_ns - entry->last_ns > RMPP_FOLD_SILENT_NS)
			finish(fold, entry, RMPP_SILENT);
		else if (fold->unfinished.length > RMPP_FOLD_MAX ||
			 fold->held > RMPP_FOLD_BYTES_MAX)
			finish(fold, entry, RMPP_NO_ROOM);
		else
			break;
	}
	while (fold->done.length > RMPP_FOLD_MAX)
		forget(fold, fold->done.head->data);
}

/* ---- what goes in ---- */

static void set_head(const struct rmpp_fold *fold, struct fold_entry *entry,
		     const struct capture_mad *mad)
{
	entry->head = *mad;
	/* Its strings are good for this call only. */
	entry->head.comment = NULL;
	entry->has_headers = fold->headers;
	if (fold->headers)
		entry->headers = *fold->headers;
}

static struct fold_entry *new_entry(struct rmpp_fold *fold, const struct fold_key *key,
				    const struct capture_mad *mad)
{
	struct fold_entry *entry = g_new0(struct fold_entry, 1);

	entry->key = *key;
	set_head(fold, entry, mad);
	entry->first_frame = mad->frame;
	entry->link.data = entry;
	g_hash_table_insert(fold->entries, &entry->key, entry);
	g_queue_push_tail_link(&fold->unfinished, &entry->link);
	return entry;
}

/* The transfer that a segment belongs to; NULL: to none that is still unfinished. */
static struct fold_entry *entry_of_data(struct rmpp_fold *fold, const struct capture_mad *mad)
{
	struct fold_key key = key_of(mad, false);
	struct fold_entry *entry = g_hash_table_lookup(fold->entries, &key);
	bool first = get_be32(mad->mad + RMPP_SEGMENT) == 1;

	if (!entry)
		return new_entry(fold, &key, mad);
	if (!first || memcmp(entry->head.mad, mad->mad, MAD_SIZE) == 0)
		return entry->done ? NULL : entry;
	/* A first segment that is another one: a requester has used its TID again. */
	if (!entry->begins && !entry->done)
		return entry;
	if (!entry->done)
		finish(fold, entry, RMPP_ANOTHER);
	forget(fold, entry);
	return new_entry(fold, &key, mad);
}

static void take_data(struct rmpp_fold *fold, const struct capture_mad *mad)
{
	struct fold_entry *entry = entry_of_data(fold, mad);
	enum transfer_taken taken;

	if (!entry) {
		out_single(fold, mad);
		return;
	}
	taken = transfer_take(&entry->transfer, mad->mad);
	if (taken == TRANSFER_REFUSED) {
		if (entry->segments == 0) {
			finish(fold, entry, RMPP_NO_ROOM);
			forget(fold, entry);
		}
		out_single(fold, mad);
		return;
	}
	entry->segments += taken == TRANSFER_ADDED || taken == TRANSFER_FULL;
	entry->repeats += taken == TRANSFER_REPEATED;
	if (get_be32(mad->mad + RMPP_SEGMENT) == 1 && taken == TRANSFER_ADDED) {
		entry->begins = true;
		set_head(fold, entry, mad);
	}
	entry->last_frame = mad->frame;
	entry->last_ns = mad->time_ns;
	entry->fits |= filter_keeps(fold->filter, fold->ends, mad);
	fold->held -= entry->held;
	entry->held = transfer_held(&entry->transfer) + sizeof(*entry);
	fold->held += entry->held;
	g_queue_unlink(&fold->unfinished, &entry->link);
	g_queue_push_tail_link(&fold->unfinished, &entry->link);
	if (fold->segments)
		out_single(fold, mad);
	if (transfer_is_whole(&entry->transfer))
		finish(fold, entry, RMPP_WHOLE);
	else if (taken == TRANSFER_FULL && mad->mad[RMPP_FLAGS] & RMPP_FLAG_LAST)
		finish(fold, entry, RMPP_NO_ROOM);
}

/* An ACK, STOP or ABORT: of whoever receives, or (STOP, ABORT) of the sender too. */
static void take_control(struct rmpp_fold *fold, const struct capture_mad *mad)
{
	bool ack = mad->mad[RMPP_TYPE] == RMPP_TYPE_ACK;
	struct fold_key key = key_of(mad, true);
	struct fold_entry *entry = g_hash_table_lookup(fold->entries, &key);

	if (!ack && (!entry || entry->done)) {
		key = key_of(mad, false);
		entry = g_hash_table_lookup(fold->entries, &key);
	}
	if (entry && !entry->done && ack) {
		entry->acks++;
		entry->last_ns = mad->time_ns;
		entry->fits |= fold->filter && filter_keeps(fold->filter, fold->ends, mad);
		if (fold->segments)
			out_single(fold, mad);
		return;
	}
	if (entry && !entry->done)
		finish(fold, entry, RMPP_STOPPED);
	out_single(fold, mad);
}

void rmpp_fold_take(struct rmpp_fold *fold, const struct capture_mad *mad,
		    const struct capture_headers *headers)
{
	fold->headers = headers;
	/* What died on the way, or was damaged, has been received by no one. */
	if (!mad_has_active_rmpp(mad->mad) || mad->icrc_wrong || mad->vcrc_wrong ||
	    mad_death(mad)) {
		out_single(fold, mad);
		return;
	}
	switch (mad->mad[RMPP_TYPE]) {
	case RMPP_TYPE_DATA:
		take_data(fold, mad);
		break;
	case RMPP_TYPE_ACK:
	case RMPP_TYPE_STOP:
	case RMPP_TYPE_ABORT:
		take_control(fold, mad);
		break;
	default:	/* numbers on the wire, not an enum of ours */
		out_single(fold, mad);
		break;
	}
	make_room(fold, mad->time_ns);
}

struct rmpp_fold *rmpp_fold_new(const struct rmpp_fold_out *out, const struct filter *filter,
				const struct mad_ends *ends, bool segments)
{
	struct rmpp_fold *fold = g_new0(struct rmpp_fold, 1);

	fold->out = *out;
	fold->filter = filter;
	fold->ends = ends;
	fold->segments = segments;
	fold->entries = g_hash_table_new(key_hash, key_equal);
	return fold;
}

void rmpp_fold_end(struct rmpp_fold *fold)
{
	while (fold->unfinished.head)
		finish(fold, fold->unfinished.head->data, RMPP_CAPTURE_ENDED);
	while (fold->done.head)
		forget(fold, fold->done.head->data);
	g_hash_table_destroy(fold->entries);
	g_free(fold);
}
