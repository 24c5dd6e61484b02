/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Questions: see sim/capture/replay-question.h. One table names the parts, in the order of their
 * bytes; questions are built, compared and explained according to it.
 */
#include "sim/capture/replay-question.h"

#include <arpa/inet.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/capture/mad-role.h"
#include "sim/capture/sa-mask.h"

enum {
	ATTR_CLASS_PORT_INFO = 0x0001,
	ATTR_SAMPLES_RESULT = 0x0011,
	PERF_PORT_SELECT = MAD_HDR_SIZE + 40 + 1,	/* IBA vol 1, 16.1.3 */
	CM_CONNECT_REQUEST = 0x0010,
	CM_SERVICE_REQUEST = 0x0017,
	CM_REMOTE_ID = MAD_HDR_SIZE + 4,		/* IBA vol 1, 12.6 */
	CM_SERVICE_ID = MAD_HDR_SIZE + 8,
};

enum part_kind {
	PART_CLASS,
	PART_CLASS_VERSION,
	PART_METHOD,
	PART_ATTRIBUTE,
	PART_MODIFIER,
	PART_OUI,
	PART_DLID,
	PART_DGID,
	PART_DR_SLID,
	PART_DR_DLID,
	PART_HOPS,
	PART_PATH,
	PART_COMPONENT_MASK,
	PART_SA_DATA,
	PART_PORT_SELECT,
	PART_SERVICE,
	PART_REMOTE_ID,
	PART_COUNT,
};

/*
 * 'weight': how much a difference in this part adds to the distance. 'is_place': it says where the
 * question goes.
 */
static const struct part {
	const char *name;
	uint16_t at;
	uint16_t size;
	uint8_t weight;
	bool is_place;
} parts[] = {
	[PART_CLASS] = { "class", 0, 1, 64, false },
	[PART_CLASS_VERSION] = { "class version", 1, 1, 8, false },
	[PART_METHOD] = { "method", 2, 1, 16, false },
	[PART_ATTRIBUTE] = { "attribute", 3, 2, 32, false },
	[PART_MODIFIER] = { "modifier", 5, 4, 4, false },
	[PART_OUI] = { "OUI", 9, 3, 16, false },
	[PART_DLID] = { "LID", 12, 2, 4, true },
	[PART_DGID] = { "GID", 14, 16, 2, true },
	[PART_DR_SLID] = { "DrSLID", 30, 2, 2, true },
	[PART_DR_DLID] = { "DrDLID", 32, 2, 2, true },
	[PART_HOPS] = { "hop count", 34, 1, 2, true },
	[PART_PATH] = { "route", 35, 63, 4, true },
	[PART_COMPONENT_MASK] = { "component mask", 98, 8, 2, false },
	[PART_SA_DATA] = { "data", 106, SA_DATA_SIZE, 2, false },
	[PART_PORT_SELECT] = { "PortSelect", 106 + SA_DATA_SIZE, 1, 4, false },
	[PART_SERVICE] = { "ServiceID", 107 + SA_DATA_SIZE, 8, 4, false },
	[PART_REMOTE_ID] = { "remote communication ID", 115 + SA_DATA_SIZE, 4, 4, false },
};

_Static_assert(G_N_ELEMENTS(parts) == PART_COUNT, "a part without a row");
_Static_assert(119 + SA_DATA_SIZE == QUESTION_SIZE, "the parts fill a question");

static uint8_t *part_of(struct question *question, enum part_kind kind)
{
	return question->bytes + parts[kind].at;
}

static uint64_t part_number(const struct question *question, enum part_kind kind)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < parts[kind].size; i++)
		value = value << 8 | question->bytes[parts[kind].at + i];
	return value;
}

bool question_is_asked(const uint8_t *mad)
{
	return mad_role(mad) == MAD_ROLE_ASKS;
}

static void take_route(const uint8_t *mad, bool from_own, struct question *ret)
{
	unsigned int hops = MIN(mad[SMP_HOP_CNT], SMP_PATH_SIZE - 1);

	memcpy(part_of(ret, PART_DR_SLID), mad + SMP_DR_SLID, 2);
	memcpy(part_of(ret, PART_DR_DLID), mad + SMP_DR_DLID, 2);
	*part_of(ret, PART_HOPS) = (uint8_t)hops;
	memcpy(part_of(ret, PART_PATH), mad + SMP_INITIAL_PATH + 1, hops);
	if (hops && from_own)
		*part_of(ret, PART_PATH) = 0;
}

/* The port of the node that most attributes of performance management are about. */
static void take_port_select(const uint8_t *mad, struct question *ret)
{
	uint16_t attribute = get_be16(mad + MAD_ATTR_ID);

	if (attribute != ATTR_CLASS_PORT_INFO && attribute != ATTR_SAMPLES_RESULT)
		*part_of(ret, PART_PORT_SELECT) = mad[PERF_PORT_SELECT];
}

/*
 * What a message of the CM is about: a service, or a connection, which the other side's ID names.
 * The requester's own ID is like a TID.
 */
static void take_cm(const uint8_t *mad, struct question *ret)
{
	uint16_t attribute = get_be16(mad + MAD_ATTR_ID);

	if (attribute == CM_CONNECT_REQUEST || attribute == CM_SERVICE_REQUEST)
		memcpy(part_of(ret, PART_SERVICE), mad + CM_SERVICE_ID, 8);
	else
		memcpy(part_of(ret, PART_REMOTE_ID), mad + CM_REMOTE_ID, 4);
}

void question_from(const struct packet_addr *addr, const uint8_t *mad, bool from_own,
		   struct question *ret)
{
	memset(ret, 0, sizeof(*ret));
	*part_of(ret, PART_CLASS) = mad[MAD_CLASS];
	*part_of(ret, PART_CLASS_VERSION) = mad[MAD_CLASS_VERSION];
	*part_of(ret, PART_METHOD) = mad[MAD_METHOD];
	memcpy(part_of(ret, PART_ATTRIBUTE), mad + MAD_ATTR_ID, 2);
	memcpy(part_of(ret, PART_MODIFIER), mad + MAD_ATTR_MOD, 4);
	if (mad_class_is_vendor2(mad[MAD_CLASS]))
		memcpy(part_of(ret, PART_OUI), mad + VENDOR2_OUI, 3);
	put_be16(part_of(ret, PART_DLID), addr->dlid);
	if (addr->has_grh)
		memcpy(part_of(ret, PART_DGID), addr->dgid, 16);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		take_route(mad, from_own, ret);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM) {
		memcpy(part_of(ret, PART_COMPONENT_MASK), mad + SA_COMP_MASK, 8);
		sa_mask_data(get_be16(mad + MAD_ATTR_ID), get_be64(mad + SA_COMP_MASK),
			     mad + SA_DATA, part_of(ret, PART_SA_DATA));
	}
	if (mad[MAD_CLASS] == MAD_CLASS_PERF)
		take_port_select(mad, ret);
	if (mad[MAD_CLASS] == MAD_CLASS_CM)
		take_cm(mad, ret);
}

void question_forget_gid(struct question *question)
{
	if (part_number(question, PART_DLID))
		memset(part_of(question, PART_DGID), 0, parts[PART_DGID].size);
}

static bool part_differs(const struct question *a, const struct question *b, enum part_kind kind)
{
	return memcmp(a->bytes + parts[kind].at, b->bytes + parts[kind].at, parts[kind].size) != 0;
}

unsigned int question_distance(const struct question *a, const struct question *b)
{
	unsigned int distance = 0;

	for (unsigned int kind = 0; kind < PART_COUNT; kind++) {
		if (part_differs(a, b, kind))
			distance += parts[kind].weight;
	}
	return distance;
}

/* ---- words ---- */

static void append_route(GString *to, const struct question *question)
{
	const uint8_t *path = question->bytes + parts[PART_PATH].at;
	unsigned int hops = (unsigned int)part_number(question, PART_HOPS);

	g_string_append_c(to, '0');
	for (unsigned int i = 0; i < hops; i++) {
		if (i == 0 && path[i] == 0)
			g_string_append(to, ",own");
		else
			g_string_append_printf(to, ",%u", path[i]);
	}
}

static void append_part(GString *to, const struct question *question, enum part_kind kind)
{
	uint8_t mgmt_class = (uint8_t)part_number(question, PART_CLASS);
	uint64_t number = part_number(question, kind);
	char text[128] = "";

	switch (kind) {
	case PART_METHOD:
		mad_method_format(mgmt_class, (uint8_t)number, text, sizeof(text));
		break;
	case PART_ATTRIBUTE:
		mad_attribute_format(mgmt_class, (uint16_t)number, text, sizeof(text));
		break;
	case PART_DGID:
		inet_ntop(AF_INET6, question->bytes + parts[kind].at, text, sizeof(text));
		break;
	case PART_PATH:
		append_route(to, question);
		break;
	case PART_CLASS:
	case PART_MODIFIER:
	case PART_OUI:
	case PART_DR_SLID:
	case PART_DR_DLID:
	case PART_COMPONENT_MASK:
	case PART_SERVICE:
	case PART_REMOTE_ID:
		g_snprintf(text, sizeof(text), "0x%" G_GINT64_MODIFIER "x", number);
		break;
	case PART_CLASS_VERSION:
	case PART_DLID:
	case PART_HOPS:
	case PART_PORT_SELECT:
		g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, number);
		break;
	case PART_SA_DATA:
	case PART_COUNT:
		break;
	}
	g_string_append(to, text);
}

/* The first byte in which two runs of SA data differ, counted from the start of the MAD. */
static unsigned int differing_byte(const struct question *a, const struct question *b)
{
	unsigned int at = parts[PART_SA_DATA].at;

	while (a->bytes[at] == b->bytes[at])
		at++;
	return SA_DATA + at - parts[PART_SA_DATA].at;
}

void question_format(const struct question *question, char *buf, size_t size)
{
	GString *text = g_string_new(NULL);

	append_part(text, question, PART_METHOD);
	g_string_append_c(text, '(');
	append_part(text, question, PART_ATTRIBUTE);
	g_string_append_c(text, ')');
	if (part_number(question, PART_MODIFIER)) {
		g_string_append(text, " modifier ");
		append_part(text, question, PART_MODIFIER);
	}
	if (part_number(question, PART_CLASS) == MAD_CLASS_SUBN_DR) {
		g_string_append(text, " by route ");
		append_part(text, question, PART_PATH);
	} else if (part_number(question, PART_DLID)) {
		g_string_append(text, " to LID ");
		append_part(text, question, PART_DLID);
	} else {
		g_string_append(text, " to GID ");
		append_part(text, question, PART_DGID);
	}
	g_strlcpy(buf, text->str, size);
	g_string_free(text, true);
}

/* Is the difference implied by that of another part? */
static bool is_implied(const struct question *a, const struct question *b, enum part_kind kind)
{
	switch (kind) {
	case PART_DLID:
	case PART_DR_SLID:
	case PART_DR_DLID:
	case PART_PATH:
		/* One goes by LID, the other by route: the addresses have nothing in common. */
		return part_differs(a, b, PART_CLASS) &&
		       (part_number(a, PART_CLASS) == MAD_CLASS_SUBN_DR ||
			part_number(b, PART_CLASS) == MAD_CLASS_SUBN_DR);
	case PART_HOPS:
		return part_differs(a, b, PART_PATH) || part_differs(a, b, PART_CLASS);
	case PART_SA_DATA:
		return part_differs(a, b, PART_COMPONENT_MASK);
	case PART_CLASS:
	case PART_CLASS_VERSION:
	case PART_METHOD:
	case PART_ATTRIBUTE:
	case PART_MODIFIER:
	case PART_OUI:
	case PART_DGID:
	case PART_COMPONENT_MASK:
	case PART_COUNT:
		return false;
	case PART_PORT_SELECT:
	case PART_SERVICE:
	case PART_REMOTE_ID:
		return part_differs(a, b, PART_CLASS) || part_differs(a, b, PART_ATTRIBUTE);
	}
	return false;
}

void question_format_difference(const struct question *captured, const struct question *asked,
				char *buf, size_t size)
{
	GString *text = g_string_new(NULL);

	for (unsigned int kind = 0; kind < PART_COUNT; kind++) {
		if (!part_differs(captured, asked, kind) || is_implied(captured, asked, kind))
			continue;
		if (text->len)
			g_string_append(text, "; ");
		if (kind == PART_SA_DATA) {
			g_string_append_printf(text, "data, from byte %u of the MAD",
					       differing_byte(captured, asked));
			continue;
		}
		g_string_append_printf(text, "%s ", parts[kind].name);
		append_part(text, captured, kind);
		g_string_append(text, ", not ");
		append_part(text, asked, kind);
	}
	g_strlcpy(buf, text->str, size);
	g_string_free(text, true);
}

/* Is this part in the view? */
static bool is_seen(enum question_view view, enum part_kind kind)
{
	switch (view) {
	case QUESTION_ABOUT:
		return kind == PART_CLASS || kind == PART_ATTRIBUTE;
	case QUESTION_ABOUT_AND_PLACE:
		return kind == PART_CLASS || kind == PART_ATTRIBUTE || parts[kind].is_place;
	case QUESTION_BUT_PLACE:
		return !parts[kind].is_place;
	}
	return false;
}

uint32_t question_hash_view(const struct question *question, enum question_view view)
{
	struct question seen = { .bytes = { 0 } };
	uint64_t hash = 0, word;

	for (unsigned int kind = 0; kind < PART_COUNT; kind++) {
		if (is_seen(view, kind))
			memcpy(seen.bytes + parts[kind].at, question->bytes + parts[kind].at,
			       parts[kind].size);
	}
	question_forget_gid(&seen);
	for (size_t at = 0; at < QUESTION_SIZE; at += sizeof(word)) {
		word = 0;
		memcpy(&word, seen.bytes + at, MIN(sizeof(word), QUESTION_SIZE - at));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return (uint32_t)hash;
}

unsigned int question_hash(const void *key)
{
	const struct question *question = key;
	guint hash = 2166136261u;

	for (size_t i = 0; i < sizeof(question->bytes); i++)
		hash = (hash ^ question->bytes[i]) * 16777619u;
	return hash;
}

int question_equal(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct question)) == 0;
}
