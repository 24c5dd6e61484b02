/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Differences of captures: every byte of every answer, and every field of its addresses, changed
 * one at a time, is found and named; what is missing, extra or in another order is said to be so.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/diff/align.h"
#include "tests/rig/leak.h"
#include "tests/sim/diff-made.h"

/* Does the name, as it is printed, stand for the byte of the MAD (or of the message)? */
static bool names_byte(const char *name, const uint8_t *mad, size_t byte)
{
	size_t first, last, each;
	const struct mad_attribute *attribute;
	const char *dot = strrchr(name, '.');

	if (sscanf(name, "bytes %zu..%zu", &first, &last) == 2)
		return byte >= first && byte <= last;
	if (sscanf(name, "byte %zu", &first) == 1)
		return byte == first;
	for (const struct header_field *header = header_fields; header->field.name; header++) {
		if (strcmp(header->field.name, name) == 0 && byte >= header->field.bit / 8u &&
		    byte <= (header->field.bit + header->field.width - 1u) / 8)
			return true;
	}
	attribute = mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));
	if (!dot || !attribute || !attribute->fields)
		return false;
	each = sscanf(name, "PathRecord[%zu]", &first) == 1 ? first * 64 : 0;
	for (const struct mad_field *field = attribute->fields; field->name; field++) {
		size_t at = each + mad_class_find(mad[MAD_CLASS])->data_at;

		if (strcmp(field->name, dot + 1) == 0 && byte >= at + field->bit / 8u &&
		    byte <= at + (field->bit + field->width - 1u) / 8)
			return true;
	}
	return false;
}

/* The byte of the message that a byte of a segment is, and what names of headers begin with. */
static size_t place_in_message(const uint8_t *mad, size_t byte, char *prefix)
{
	uint32_t segment = get_be32(mad + RMPP_SEGMENT);

	*prefix = '\0';
	if (mad[MAD_METHOD] != 0x92 || segment == 1)
		return byte;
	if (byte >= SA_DATA)
		return byte + (size_t)(segment - 1) * 200;
	sprintf(prefix, "segment %u: ", segment);
	return byte;
}

static bool is_named(const struct seen *seen, const uint8_t *mad, size_t byte)
{
	char prefix[32];
	size_t place = place_in_message(mad, byte, prefix);

	for (guint i = 0; i < seen->names->len; i++) {
		const char *name = seen->names->pdata[i];

		/* A segment with another number is another segment: which there are is named. */
		if (*prefix && strcmp(name, "segments") == 0 && byte >= RMPP_SEGMENT &&
		    byte < RMPP_SEGMENT + 4u)
			return true;
		if (g_str_has_prefix(name, prefix) &&
		    names_byte(name + strlen(prefix), mad, place))
			return true;
		/* Where it is no segment of the transfer any more, it is compared by itself. */
		if (*prefix && names_byte(name, mad, byte))
			return true;
	}
	return false;
}

/* Behind the last hop of a directed route: it leads nowhere. */
static bool is_behind_route(const uint8_t *mad, size_t byte)
{
	size_t hop = byte - (byte < SMP_RETURN_PATH ? SMP_INITIAL_PATH : SMP_RETURN_PATH);

	return mad[MAD_CLASS] == MAD_CLASS_SUBN_DR && byte >= SMP_INITIAL_PATH &&
	       hop > mad[SMP_HOP_CNT];
}

static void check_byte(struct diff_options *options, struct mads *a, struct mads *b, size_t mad,
		       size_t byte)
{
	struct seen seen = seen_new();
	uint8_t *bytes = b->list[mad].mad;

	bytes[byte] ^= 0x55;
	g_assert_cmpint(seen_differs(options, a, b, &seen), !=, is_behind_route(bytes, byte));
	if (!is_behind_route(bytes, byte) && !is_named(&seen, a->list[mad].mad, byte)) {
		for (guint i = 0; i < seen.names->len; i++)
			g_test_message("named: %s", (const char *)seen.names->pdata[i]);
		g_error("frame %zu, byte %zu: not named (%s)", mad + 1, byte, seen.kinds->str);
	}
	bytes[byte] ^= 0x55;
	seen_free(&seen);
}

static bool is_answer(const uint8_t *mad)
{
	uint16_t attr = get_be16(mad + MAD_ATTR_ID);

	return mad_is_response(mad) ||
	       (mad[MAD_CLASS] == MAD_CLASS_CM && (attr == 0x0013 || attr == 0x0014));
}

static void test_every_byte(void)
{
	struct mads *a = g_new(struct mads, 1), *b = g_new(struct mads, 1);
	size_t answers = 0;

	mads_make(a);
	mads_make(b);
	for (unsigned int any_order = 0; any_order < 2; any_order++) {
		struct diff_options options = { .any_order = any_order };
		struct seen seen = seen_new();

		g_assert_false(seen_differs(&options, a, b, &seen));
		seen_free(&seen);
		for (size_t mad = 0; mad < a->count; mad++) {
			if (!is_answer(a->list[mad].mad))
				continue;
			answers++;
			for (size_t byte = 0; byte < MAD_SIZE; byte++)
				check_byte(&options, a, b, mad, byte);
		}
	}
	g_assert_cmpuint(answers, ==, 2 * (1 + 8 + 3 + 2));
	g_free(a);
	g_free(b);
}

/* ---- addresses ---- */

static void change_address(struct packet_addr *addr, enum address_field field)
{
	switch (field) {
	case ADDRESS_SLID: addr->slid ^= 0x10; return;
	case ADDRESS_DLID: addr->dlid ^= 0x10; return;
	case ADDRESS_SL: addr->sl ^= 1; return;
	case ADDRESS_PKEY: addr->pkey ^= 1; return;
	case ADDRESS_SQP: addr->src_qp ^= 0x10; return;
	case ADDRESS_DQP: addr->dest_qp ^= 0x10; return;
	case ADDRESS_QKEY: addr->qkey ^= 1; return;
	case ADDRESS_GRH: addr->has_grh = !addr->has_grh; return;
	case ADDRESS_SGID: addr->sgid[3] ^= 1; return;
	case ADDRESS_DGID: addr->dgid[3] ^= 1; return;
	case ADDRESS_FIELDS: return;
	}
}

static bool has_name(const struct seen *seen, const char *name)
{
	for (guint i = 0; i < seen->names->len; i++) {
		if (strcmp(seen->names->pdata[i], name) == 0)
			return true;
	}
	return false;
}

static void test_every_address(void)
{
	struct mads *a = g_new(struct mads, 1), *b = g_new(struct mads, 1);

	mads_make(a);
	mads_make(b);
	for (size_t mad = 0; mad < a->count; mad++) {
		for (unsigned int field = 0; field < ADDRESS_FIELDS; field++) {
			struct packet_addr *addr = &b->list[mad].addr, before = *addr;
			struct diff_options options = { .any_order = field % 2 };
			struct seen seen;
			bool is_first = mad == 0 || get_be32(a->list[mad].mad + RMPP_SEGMENT) < 2;

			/* Later segments of a transfer have the addresses of the first. */
			if ((a->list[mad].mad[MAD_METHOD] == 0x92 && !is_first) ||
			    (field >= ADDRESS_SGID && !addr->has_grh))
				continue;
			seen = seen_new();
			change_address(addr, (enum address_field)field);
			seen_run(&options, a, b, &seen);
			if (!has_name(&seen, address_field_names[field]))
				g_error("frame %zu: %s is not named (%s)", mad + 1,
					address_field_names[field], seen.kinds->str);
			*addr = before;
			seen_free(&seen);
		}
	}
	g_free(a);
	g_free(b);
}

/* ---- order, and what is not there ---- */

/* Requests and answers, one for each letter, which is the attribute modifier asked for. */
static void make_letters(struct mads *mads, const char *letters)
{
	*mads = (struct mads){ .count = 0 };
	for (const char *at = letters; *at; at++) {
		uint8_t letter = (uint8_t)g_ascii_tolower(*at);
		uint8_t *request = mads_add(mads, false, MAD_CLASS_SUBN_LID, 1, 0x15, letter);
		uint8_t *answer;

		put_be32(request + MAD_ATTR_MOD, letter);
		answer = mads_add(mads, true, MAD_CLASS_SUBN_LID, 0x81, 0x15, letter);
		memset(answer + MAD_HDR_SIZE, g_ascii_isupper(*at), MAD_SIZE - MAD_HDR_SIZE);
		put_be32(answer + MAD_ATTR_MOD, letter);
		/* Each at its time: that which is repeated is asked anew. */
		mads->list[mads->count - 2].time_ns = mads->list[mads->count - 1].time_ns =
			(at - letters) * INT64_C(2000000000);
	}
}

static const struct {
	const char *a, *b;
	const char *same, *any;		/* kinds, in order and in any order */
} orders[] = {
	{ "abc", "abc", "", "" },
	{ "", "", "", "" },
	{ "abc", "", "mmm", "mmm" },
	{ "", "abc", "eee", "eee" },
	{ "abc", "ac", "m", "m" },
	{ "ac", "abc", "e", "e" },
	{ "abc", "aBc", "c", "c" },
	{ "abc", "acb", "me", "" },
	{ "abcdef", "defabc", "mmmeee", "" },
	{ "abc", "xyz", "mmmeee", "mmmeee" },
	{ "abcd", "aBd", "cm", "cm" },
	/* A question that is asked again: the one that is missing is not the last one. */
	{ "aAab", "aab", "m", "m" },
	{ "aab", "aAab", "e", "e" },
	{ "aaaa", "aaa", "m", "m" },
};

static void test_order(void)
{
	struct mads *a = g_new(struct mads, 1), *b = g_new(struct mads, 1);

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		for (unsigned int any_order = 0; any_order < 2; any_order++) {
			struct diff_options options = { .any_order = any_order };
			struct seen seen = seen_new();

			make_letters(a, orders[i].a);
			make_letters(b, orders[i].b);
			seen_run(&options, a, b, &seen);
			g_test_message("%s and %s", orders[i].a, orders[i].b);
			g_assert_cmpstr(seen.kinds->str, ==,
					any_order ? orders[i].any : orders[i].same);
			seen_free(&seen);
		}
	}
	g_free(a);
	g_free(b);
}

/* Far into a long capture one is missing: what comes after it is the same. */
static void test_long(void)
{
	struct mads *a = g_new0(struct mads, 1), *b = g_new0(struct mads, 1);
	struct diff_options options = { .any_order = false };
	struct seen seen = seen_new();
	struct diff_counts counts;

	for (unsigned int i = 0; i < MADS_MAX / 2; i++) {
		put_be32(mads_add(a, false, MAD_CLASS_SUBN_LID, 1, 0x15, i) + MAD_ATTR_MOD, i);
		put_be32(mads_add(a, true, MAD_CLASS_SUBN_LID, 0x81, 0x15, i) + MAD_ATTR_MOD, i);
		if (i == 1000 || (i >= 2000 && i < 2000 + ALIGN_WINDOW / 2))
			continue;
		b->list[b->count++] = a->list[a->count - 2];
		b->list[b->count++] = a->list[a->count - 1];
	}
	counts = seen_run(&options, a, b, &seen);
	g_assert_cmpuint(counts.missing, ==, 1 + ALIGN_WINDOW / 2);
	g_assert_cmpuint(counts.extra + counts.changed, ==, 0);
	/* Only so many are told. */
	g_assert_cmpuint(seen.kinds->len, ==, 100);
	seen_free(&seen);
	g_free(a);
	g_free(b);
}

/* ---- tables ---- */

enum {
	TABLES = 100,
	TABLE_SEGMENTS = 1000,		/* 200 KB */
	TABLES_AHEAD = 40,		/* of those that are held 4 MiB have 21 */
};

/* Tables of SA, one after the other; each MAD is a millisecond after the one before. */
struct tables {
	struct mads one;		/* the MAD at hand */
	size_t tables, segment;		/* so many have been read */
	bool spoilt;			/* the first one's last byte */
};

static const struct capture_mad *next_of_tables(void *ctx)
{
	struct tables *tables = ctx;
	bool is_last = tables->segment == TABLE_SEGMENTS;
	size_t frame = tables->tables * (TABLE_SEGMENTS + 1) + tables->segment + 1;
	struct capture_mad *mad = tables->one.list;

	if (tables->tables == TABLES)
		return NULL;
	tables->one.count = 0;
	if (!tables->segment) {
		mads_add(&tables->one, false, MAD_CLASS_SUBN_ADM, 0x12, 0x0035, 0);
		tables->segment++;
	} else {
		mads_add_segment(&tables->one, (uint32_t)tables->segment,
				 tables->segment == 1 ? RMPP_FLAG_FIRST :
				 is_last ? RMPP_FLAG_LAST : 0, is_last ? MAD_SIZE - RMPP_END : 0);
		if (is_last && tables->spoilt && !tables->tables)
			mad->mad[MAD_SIZE - 1] ^= 1;
		tables->tables += is_last;
		tables->segment = is_last ? 0 : tables->segment + 1;
	}
	mad->frame = (unsigned int)frame;
	mad->time_ns = (int64_t)frame * 1000000;
	put_be64(mad->mad + MAD_TID, (frame - 1) / (TABLE_SEGMENTS + 1) + 1);
	return mad;
}

static void look_at_tables(void *ctx, const struct diff_event *event)
{
	const struct tables *tables = ctx;

	g_assert_cmpint(event->kind, ==, DIFF_CHANGED);
	g_assert_cmpuint(tables->tables, <=, TABLES_AHEAD);
}

/* Of long answers few are held: what differs in the first one is told long before the last. */
static void test_tables(void)
{
	struct tables *a = g_new0(struct tables, 1), *b = g_new0(struct tables, 1);
	const struct diff_source one = { a, next_of_tables, NULL };
	const struct diff_source other = { b, next_of_tables, NULL };
	const struct diff_options options = { .details_max = 100 };
	struct diff_counts counts;

	b->spoilt = true;
	g_assert_true(diff_run(&options, &one, &other, look_at_tables, a, &counts));
	g_assert_cmpuint(counts.changed, ==, 1);
	g_assert_cmpuint(counts.same, ==, TABLES - 1);
	g_free(a);
	g_free(b);
}

/* ---- ignoring ---- */

static const struct {
	const char *field;	/* ignored */
	size_t mad, byte;	/* changed */
} ignored[] = {
	{ "status", 1, MAD_STATUS + 1 }, { "hop_ptr", 1, SMP_HOP_PTR },
	{ "return_path", 1, SMP_RETURN_PATH + 1 }, { "NodeType", 1, SMP_DATA + 2 },
	{ "NodeInfo.NodeType", 1, SMP_DATA + 2 }, { "bytes[110..130]", 1, 120 },
	{ "HopPointer", 1, SMP_HOP_PTR }, { "status", 1, MAD_STATUS + 1 },
	{ "AttributeModifier", 3, MAD_ATTR_MOD + 3 },
	{ "bytes[63]", 1, 63 }, { "mkey", 3, SMP_MKEY + 7 },
	{ "PathRecord.Preference", 20, 112 + 57 }, { "seg", 20, RMPP_PAYLEN_NEWWIN },
};

static void test_ignoring(void)
{
	struct mads *a = g_new(struct mads, 1), *b = g_new(struct mads, 1);
	const char *suggestion;

	mads_make(a);
	for (size_t i = 0; i < G_N_ELEMENTS(ignored); i++) {
		struct diff_options options = { .any_order = false };
		struct seen seen = seen_new();
		bool other = strcmp(ignored[i].field, "seg") == 0;

		mads_make(b);
		b->list[ignored[i].mad].mad[ignored[i].byte] ^= 1;
		g_assert_true(seen_differs(&options, a, b, &seen));
		g_assert_true(ignored_fields_add(&options.ignored, ignored[i].field, &suggestion));
		g_test_message("%s", ignored[i].field);
		g_assert_true(seen_differs(&options, a, b, &seen)
			      == other);
		ignored_fields_clear(&options.ignored);
		seen_free(&seen);
	}
	g_free(a);
	g_free(b);
}

static void test_names(void)
{
	static const char *const wrong[] = {
		"", "statu", "bytes[256]", "bytes[9..3]", "bytes[1..2]x", "NoSuch.NodeType",
		"NodeInfo.NoSuch", "bytes[-1]",
	};
	struct ignored_fields none = { .fields = NULL };
	const char *suggestion;

	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
		g_assert_false(ignored_fields_add(&none, wrong[i], &suggestion));
	g_assert_false(ignored_fields_add(&none, "statu", &suggestion));
	g_assert_cmpstr(suggestion, ==, "status");
	for (unsigned int i = 0; i < ADDRESS_FIELDS; i++)
		g_assert_true(ignored_fields_add(&none, address_field_names[i], &suggestion));
	g_assert_true(ignored_fields_add(&none, "time", &suggestion));
	g_assert_true(ignored_fields_add(&none, "retries", &suggestion));
	ignored_fields_clear(&none);
}

/* A retry on one side is a difference, unless it does not count. */
static void test_retries(void)
{
	struct mads *a = g_new(struct mads, 1), *b = g_new(struct mads, 1);
	struct diff_options options = { .any_order = false };
	struct seen seen = seen_new();
	const char *suggestion;

	make_letters(a, "a");
	*b = *a;
	b->list[2] = b->list[1];
	b->list[1] = b->list[0];
	b->count = 3;
	seen_run(&options, a, b, &seen);
	g_assert_true(has_name(&seen, "retries") && has_name(&seen, "losses"));
	g_assert_true(ignored_fields_add(&options.ignored, "retries", &suggestion));
	g_assert_true(ignored_fields_add(&options.ignored, "losses", &suggestion));
	g_assert_false(seen_differs(&options, a, b, &seen));
	ignored_fields_clear(&options.ignored);
	seen_free(&seen);
	g_free(a);
	g_free(b);
}

/* ---- packet by packet ---- */

/*
 * Any byte of any MAD counts that follows no route, also of those that belong to no conversation,
 * and where it goes.
 */
static void test_packets(void)
{
	struct mads *a = g_new(struct mads, 1), *b = g_new(struct mads, 1);

	mads_make(a);
	mads_add_segment(a, 3, 0, 0);
	a->list[a->count - 1].mad[RMPP_TYPE] = RMPP_TYPE_ACK;
	*b = *a;
	for (unsigned int any_order = 0; any_order < 2; any_order++) {
		struct diff_options options = { .packets = true, .any_order = any_order };
		struct seen seen = seen_new();
		bool is_nothing;

		g_assert_cmpuint(seen_run(&options, a, b, &seen).same, ==, a->count);
		g_assert_cmpstr(seen.kinds->str, ==, "");
		for (size_t mad = 0; mad < a->count; mad++) {
			for (size_t byte = mad % 7; byte < MAD_SIZE; byte += 7) {
				b->list[mad].mad[byte] ^= 1;
				is_nothing = is_behind_route(b->list[mad].mad, byte);
				g_assert_true(seen_differs(&options, a, b, &seen) != is_nothing);
				b->list[mad].mad[byte] ^= 1;
			}
			b->list[mad].direction = CAPTURE_INBOUND;
			g_assert_true(seen_differs(&options, a, b, &seen));
			g_assert_true(has_name(&seen, "direction"));
			b->list[mad].direction = CAPTURE_DIRECTION_UNKNOWN;
		}
		seen_free(&seen);
	}
	g_free(a);
	g_free(b);
}

/* What conversations do not have: when one is asked again, and which is answered first. */
static void test_packets_order(void)
{
	struct mads *a = g_new(struct mads, 1), *b = g_new(struct mads, 1);
	struct diff_options options = { .times = true, .tolerance_ns = 10 };
	struct capture_mad answer;
	struct seen seen = seen_new();

	make_letters(a, "ab");
	for (size_t i = 0; i < a->count; i++)
		a->list[i].time_ns = 0;
	answer = a->list[1];
	a->list[1] = a->list[2];
	a->list[2] = answer;
	*b = *a;
	b->list[2] = a->list[3];
	b->list[3] = a->list[2];
	g_assert_false(seen_differs(&options, a, b, &seen));
	options.packets = true;
	g_assert_true(seen_differs(&options, a, b, &seen));
	options.any_order = true;
	options.times = false;
	g_assert_false(seen_differs(&options, a, b, &seen));

	/* Asked three times, never answered. */
	options = (struct diff_options){ .times = true, .tolerance_ns = 10 };
	a->count = b->count = 3;
	for (size_t i = 0; i < 3; i++) {
		a->list[i] = a->list[0];
		b->list[i] = b->list[0];
		a->list[i].time_ns = (int64_t)i * 1000;
		b->list[i].time_ns = (int64_t)i * 1000 + (i == 1 ? 11 : 0);
	}
	g_assert_false(seen_differs(&options, a, b, &seen));
	options.packets = true;
	g_assert_true(seen_differs(&options, a, b, &seen));
	g_assert_true(has_name(&seen, "time"));
	b->list[1].time_ns--;
	g_assert_false(seen_differs(&options, a, b, &seen));
	seen_free(&seen);
	g_free(a);
	g_free(b);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/diff/every-byte", test_every_byte);
	g_test_add_func("/diff/every-address", test_every_address);
	g_test_add_func("/diff/order", test_order);
	g_test_add_func("/diff/long", test_long);
	g_test_add_func("/diff/tables", test_tables);
	g_test_add_func("/diff/ignoring", test_ignoring);
	g_test_add_func("/diff/names", test_names);
	g_test_add_func("/diff/retries", test_retries);
	g_test_add_func("/diff/packets", test_packets);
	g_test_add_func("/diff/packets-order", test_packets_order);
	return leak_end(g_test_run());
}
