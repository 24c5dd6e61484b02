/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bytes that depend on addresses: see harness/explore/explore-leaks.h.
 */
#include "harness/explore/explore-leaks.h"

#include <stdlib.h>
#include <string.h>

#include "sim/capture/mad-role.h"
#include "sim/capture/stream.h"
#include "sim/diff/field-name.h"

struct leaking_mad {
	unsigned int frame;		/* its number in the capture, from 1 */
	char *port;			/* where it was recorded */
	uint8_t mad[MAD_SIZE];
	uint8_t differs[MAD_SIZE];	/* 0: this byte is the same in all runs */
};

static void leaking_mad_free(gpointer mad)
{
	g_free(((struct leaking_mad *)mad)->port);
	g_free(mad);
}

void explore_leaks_begin(struct explore_leaks *leaks)
{
	leaks->mads = g_hash_table_new_full(NULL, NULL, NULL, leaking_mad_free);
	leaks->count = 0;
}

void explore_leaks_end(struct explore_leaks *leaks)
{
	g_hash_table_destroy(leaks->mads);
}

/* ---- two captures ---- */

static void note(struct explore_leaks *leaks, const struct capture_mad *a,
		 const struct capture_mad *b)
{
	gpointer key = GUINT_TO_POINTER(a->frame);
	struct leaking_mad *leaking;

	if (memcmp(a->mad, b->mad, MAD_SIZE) == 0)
		return;
	leaking = g_hash_table_lookup(leaks->mads, key);
	if (!leaking) {
		leaking = g_new0(struct leaking_mad, 1);
		leaking->frame = a->frame;
		leaking->port = g_strdup(a->interface_name ? a->interface_name : "?");
		memcpy(leaking->mad, a->mad, MAD_SIZE);
		g_hash_table_insert(leaks->mads, key, leaking);
	}
	for (size_t i = 0; i < MAD_SIZE; i++)
		leaking->differs[i] |= a->mad[i] ^ b->mad[i];
}

/* The same question or answer, at the same time and place? */
static bool is_same_mad(const struct capture_mad *a, const struct capture_mad *b)
{
	return a->time_ns == b->time_ns && a->direction == b->direction &&
	       a->addr.slid == b->addr.slid && a->addr.dlid == b->addr.dlid &&
	       a->addr.src_qp == b->addr.src_qp && a->addr.dest_qp == b->addr.dest_qp &&
	       a->mad[MAD_CLASS] == b->mad[MAD_CLASS] &&
	       a->mad[MAD_METHOD] == b->mad[MAD_METHOD] &&
	       get_be16(a->mad + MAD_ATTR_ID) == get_be16(b->mad + MAD_ATTR_ID) &&
	       g_strcmp0(a->interface_name, b->interface_name) == 0;
}

static const struct capture_mad *next_mad(struct capture_stream *stream, struct capture_item *item)
{
	while (capture_stream_next(stream, item)) {
		if (item->kind == CAPTURE_ITEM_MAD)
			return item->mad;
	}
	return NULL;
}

static bool compare(struct explore_leaks *leaks, struct capture_stream *a,
		    struct capture_stream *b, char **ret_why)
{
	struct capture_item of_a, of_b;
	uint64_t count = 0;

	for (;; count++) {
		const struct capture_mad *one = next_mad(a, &of_a), *other = next_mad(b, &of_b);

		if (!one && !other)
			break;
		if (!one || !other || !is_same_mad(one, other)) {
			*ret_why = g_strdup_printf("from MAD %" G_GUINT64_FORMAT " on, more than "
						   "addresses is different", count + 1);
			return false;
		}
		note(leaks, one, other);
	}
	leaks->count = count;
	return true;
}

bool explore_leaks_compare(struct explore_leaks *leaks, const char *a, const char *b,
			   char **ret_why)
{
	char message[512];
	struct capture_stream *one = capture_stream_open(a, 0, message, sizeof(message));
	struct capture_stream *other = one ? capture_stream_open(b, 0, message, sizeof(message)) :
					     NULL;
	bool is_good = other && compare(leaks, one, other, ret_why);

	if (!other)
		*ret_why = g_strdup(message);
	capture_stream_close(one);
	capture_stream_close(other);
	return is_good;
}

/* ---- their names ---- */

static bool covers(const struct mad_field *field, size_t at, size_t byte)
{
	return byte * 8 + 7 >= at * 8 + field->bit && byte * 8 < at * 8 + field->bit + field->width;
}

/* The attribute's field at a byte; of RMPP where the segment begins with a record. */
static char *attribute_field(const uint8_t *mad, size_t byte)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	const struct mad_attribute *attribute =
		mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));
	size_t at;

	if (!info || !attribute || !attribute->fields || byte < info->data_at ||
	    (mad_is_rmpp(mad) && get_be32(mad + RMPP_SEGMENT) > 1))
		return NULL;
	at = info->data_at;
	if (mad_is_rmpp(mad) && get_be16(mad + SA_ATTR_OFFSET) > 0)
		at += (byte - at) / (get_be16(mad + SA_ATTR_OFFSET) * 8u) *
		      (get_be16(mad + SA_ATTR_OFFSET) * 8u);
	for (const struct mad_field *field = attribute->fields; field->name; field++) {
		if (covers(field, at, byte))
			return g_strdup_printf("%s.%s", attribute->name, field->name);
	}
	return NULL;
}

/* Never NULL; to be freed. */
static char *field_at(const uint8_t *mad, size_t byte)
{
	char *name;

	for (const struct header_field *header = header_fields; header->field.name; header++) {
		if (header_field_applies(header, mad) && covers(&header->field, 0, byte))
			return g_strdup(header->field.name);
	}
	name = attribute_field(mad, byte);
	return name ? name : g_strdup("no field");
}

static void append_bytes(GString *text, const struct leaking_mad *leaking)
{
	for (size_t i = 0, last; i < MAD_SIZE; i = last + 1) {
		g_autofree char *name = NULL;

		last = i;
		if (!leaking->differs[i])
			continue;
		name = field_at(leaking->mad, i);
		while (last + 1 < MAD_SIZE && leaking->differs[last + 1]) {
			g_autofree char *next = field_at(leaking->mad, last + 1);

			if (strcmp(name, next) != 0)
				break;
			last++;
		}
		g_string_append_printf(text, " %s bytes[%zu", name, i);
		if (last > i)
			g_string_append_printf(text, "..%zu", last);
		g_string_append(text, "]");
	}
}

static int compare_frames(const void *a, const void *b)
{
	unsigned int one = (*(struct leaking_mad *const *)a)->frame;
	unsigned int other = (*(struct leaking_mad *const *)b)->frame;

	return one < other ? -1 : one > other;
}

char *explore_leaks_text(const struct explore_leaks *leaks)
{
	GString *text = g_string_new(NULL);
	GPtrArray *all = g_ptr_array_new();
	GHashTableIter iter;
	gpointer leaking;

	g_hash_table_iter_init(&iter, leaks->mads);
	while (g_hash_table_iter_next(&iter, NULL, &leaking))
		g_ptr_array_add(all, leaking);
	if (all->len > 0)
		qsort(all->pdata, all->len, sizeof(all->pdata[0]), compare_frames);
	for (guint i = 0; i < all->len; i++) {
		const struct leaking_mad *mad = all->pdata[i];
		char method[MAD_NAME_SIZE], attribute[MAD_NAME_SIZE];

		mad_method_format(mad->mad[MAD_CLASS], mad->mad[MAD_METHOD], method,
				  sizeof(method));
		mad_attribute_format(mad->mad[MAD_CLASS], get_be16(mad->mad + MAD_ATTR_ID),
				     attribute, sizeof(attribute));
		g_string_append_printf(text, "frame %u at %s, %s(%s):", mad->frame, mad->port,
				       method, attribute);
		append_bytes(text, mad);
		g_string_append_c(text, '\n');
	}
	g_ptr_array_free(all, true);
	return g_string_free(text, false);
}

uint64_t explore_leaks_bytes(const struct explore_leaks *leaks)
{
	GHashTableIter iter;
	gpointer leaking;
	uint64_t count = 0;

	g_hash_table_iter_init(&iter, leaks->mads);
	while (g_hash_table_iter_next(&iter, NULL, &leaking)) {
		for (size_t i = 0; i < MAD_SIZE; i++)
			count += ((struct leaking_mad *)leaking)->differs[i] != 0;
	}
	return count;
}
