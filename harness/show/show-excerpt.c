/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What a filter leaves of a capture: see harness/show/show-excerpt.h. */
#include "harness/show/show-excerpt.h"

#include <string.h>

#include "harness/base/command.h"
#include "lib/base/wire.h"
#include "sim/capture/stream.h"
#include "sim/excerpt/excerpt.h"

enum { MESSAGE_SIZE = 512 };

/* What the MADs of a conversation have in common. No holes: it is hashed by its bytes. */
struct key {
	uint64_t tid;
	uint16_t low_lid, high_lid;
	uint8_t mgmt_class;
	uint8_t path[SMP_PATH_SIZE - 1];	/* of directed routes; zeros */
	uint32_t zero;
};

_Static_assert(sizeof(struct key) == 80, "nothing between the fields");

struct choice {
	const struct filter *filter;
	struct mad_ends *ends;
	GHashTable *frames;		/* set: the numbers of frames that are kept */
	GHashTable *keys;		/* set of struct key, of conversations; NULL: none */
	bool names;			/* only learn the names of ports */
};

static guint key_hash(gconstpointer key)
{
	const uint8_t *bytes = key;
	guint hash = 2166136261u;

	for (size_t i = 0; i < sizeof(struct key); i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(struct key)) == 0;
}

static void key_of(const struct capture_mad *mad, struct key *ret)
{
	size_t hops = mad->mad[SMP_HOP_CNT];

	memset(ret, 0, sizeof(*ret));
	ret->tid = get_be64(mad->mad + MAD_TID);
	ret->mgmt_class = mad->mad[MAD_CLASS];
	ret->low_lid = MIN(mad->addr.slid, mad->addr.dlid);
	ret->high_lid = MAX(mad->addr.slid, mad->addr.dlid);
	if (mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		memcpy(ret->path, mad->mad + SMP_INITIAL_PATH + 1, MIN(hops, sizeof(ret->path)));
}

static void choose(struct choice *choice, const struct capture_mad *mad)
{
	struct key key;

	mad_ends_learn(choice->ends, mad);
	if (choice->names || !filter_keeps(choice->filter, choice->ends, mad))
		return;
	g_hash_table_add(choice->frames, GUINT_TO_POINTER(mad->frame));
	key_of(mad, &key);
	if (choice->keys && !g_hash_table_contains(choice->keys, &key))
		g_hash_table_add(choice->keys, g_memdup2(&key, sizeof(key)));
}

static void complete(struct choice *choice, const struct capture_mad *mad)
{
	struct key key;

	key_of(mad, &key);
	if (g_hash_table_contains(choice->keys, &key))
		g_hash_table_add(choice->frames, GUINT_TO_POINTER(mad->frame));
}

static bool read_all(const char *path, void (*fn)(struct choice *, const struct capture_mad *),
		     struct choice *choice, GError **error)
{
	char message[MESSAGE_SIZE];
	struct capture_stream *stream = capture_stream_open(path, 0, message, sizeof(message));
	struct capture_item item;

	if (!stream) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_FAILED, message);
		return false;
	}
	while (capture_stream_next(stream, &item))
		if (item.kind == CAPTURE_ITEM_MAD)
			fn(choice, item.mad);
	for (unsigned int i = 0; capture_stream_interface(stream, i); i++)
		mad_ends_learn_interface(choice->ends, capture_stream_interface(stream, i));
	capture_stream_close(stream);
	return true;
}

static bool is_kept(void *ctx, unsigned int frame)
{
	const struct choice *choice = ctx;

	return g_hash_table_contains(choice->frames, GUINT_TO_POINTER(frame));
}

/* Names are learned first, as for what is shown. */
static bool read_choice(const char *in, struct choice *choice, GError **error)
{
	choice->names = true;
	if (!read_all(in, choose, choice, error))
		return false;
	mad_ends_rewind(choice->ends);
	choice->names = false;
	return read_all(in, choose, choice, error) &&
	       (!choice->keys || read_all(in, complete, choice, error));
}

bool show_excerpt(const char *in, const char *out, const struct filter *filter, bool with_answers,
		  size_t *ret_written, char **ret_warning, GError **error)
{
	struct choice choice = {
		.filter = filter, .ends = mad_ends_new(), .frames = g_hash_table_new(NULL, NULL),
		.keys = with_answers ? g_hash_table_new_full(key_hash, key_equal, g_free, NULL) :
				       NULL,
	};
	char message[MESSAGE_SIZE] = "";
	bool ok = read_choice(in, &choice, error);

	*ret_warning = NULL;
	if (ok && excerpt_write(in, out, is_kept, &choice, ret_written, message,
				sizeof(message)) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_FAILED, message);
		ok = false;
	} else if (ok && *message) {
		*ret_warning = g_strdup(message);
	}
	mad_ends_free(choice.ends);
	g_hash_table_unref(choice.frames);
	if (choice.keys)
		g_hash_table_unref(choice.keys);
	return ok;
}
