/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A MAD: see sim/scrub/scrub-mad.h.
 *
 * The data of an RMPP transfer is one stream of records, cut into segments where it happens to be.
 * It is looked at through a window of three segments: a field that begins in one and ends in the
 * next is whole in both windows, and each segment takes its piece of the alias.
 */
#include "sim/scrub/scrub-mad.h"

#include <glib.h>
#include <string.h>

#include "sim/scrub/segments.h"
#include "lib/base/wire.h"

enum {
	ATTR_CLASS_PORT_INFO = 0x0001,
	ATTR_NOTICE = 0x0002,
	ATTR_LINEAR_TABLE = 0x0019,
	ATTR_MULTI_PATH = 0x003a,
	ATTR_PATH = 0x0035,
	METHOD_GET_MULTI_RESP = 0x94,
	METHOD_GET_TABLE_RESP = 0x92,
	METHOD_GET_TRACE_TABLE_RESP = 0x93,

	CLASS_KEY = 24,			/* of the classes below */
	CLASS_MELLANOX_VENDOR = 0x0a,	/* VS_Key, */
	CLASS_MELLANOX_AGGREGATION = 0x0b, /* AM_Key, */
	CLASS_MELLANOX_N2N = 0x0c,	/* N2N_Key */
	ATTR_SNMP_FIRST = 0x0010,	/* before are those that all classes have */
	SNMP_DATA = 64,

	NOTICE_GENERIC = 0x80,
	NOTICE_TRAP_AT = 4,

	ATTR_CM_REQUEST = 0x0010,
	ATTR_CM_SERVICE_ID_REQUEST = 0x0017,
	CM_SERVICE_ID = 8,
	/* Annex A11 of the IBA specification: IP addresses of programs that connect by them. */
	RDMA_IP_SERVICE = 0x01,		/* the upper 40 bits of a service ID */
	RDMA_IP_VERSION = 1,
	RDMA_IP_SOURCE = 4,
	RDMA_IP_DESTINATION = 20,
	RDMA_IP_SIZE = 36,
};

/* Bytes of which some are the MAD's own; the others belong to its neighbours. */
struct surface {
	uint8_t bytes[3 * MAD_SIZE];
	bool done[3 * MAD_SIZE];	/* a known field that has been learned or replaced */
	int64_t from, to;		/* what is there */
	int64_t own_from, own_to;
	const struct value_book *values;
	unsigned int blanked;
};

static struct surface *surface_new(const struct value_book *values)
{
	struct surface *surface = g_new0(struct surface, 1);

	surface->values = values;
	return surface;
}

/* ---- fields ---- */

/* Of what a field is a row: pieces of a row that is cut need not be blanked whole. */
static int64_t element_size(enum mad_identity identity, int64_t size)
{
	switch (identity) {
	case MAD_IDENTITY_P_KEY:
		return 2;
	case MAD_IDENTITY_LID_TABLE:
		return 4;
	case MAD_IDENTITY_PRIVATE:
		return 1;
	case MAD_IDENTITY_KEY:
		return MIN(size, 8);
	case MAD_IDENTITY_NONE:
	case MAD_IDENTITY_GUID:
	case MAD_IDENTITY_GID:
	case MAD_IDENTITY_PREFIX:
	case MAD_IDENTITY_NAME:
	case MAD_IDENTITY_LID:
	case MAD_IDENTITY_LID_TOP:
	case MAD_IDENTITY_LID_BLOCK:
		return size;
	}
	return size;
}

static bool stays(const struct value_book *values, enum mad_identity identity)
{
	switch (identity) {
	case MAD_IDENTITY_NONE:
		return true;
	case MAD_IDENTITY_LID:
	case MAD_IDENTITY_LID_TOP:
	case MAD_IDENTITY_LID_BLOCK:
	case MAD_IDENTITY_LID_TABLE:
		return !values->lids;
	case MAD_IDENTITY_P_KEY:
		return values->keep_p_keys;
	case MAD_IDENTITY_GUID:
	case MAD_IDENTITY_GID:
	case MAD_IDENTITY_PREFIX:
	case MAD_IDENTITY_NAME:
	case MAD_IDENTITY_KEY:
	case MAD_IDENTITY_PRIVATE:
		return false;
	}
	return false;
}

static void element(struct surface *surface, enum mad_identity identity, int64_t at, int64_t size)
{
	int64_t end = at + size;

	if (end <= surface->own_from || at >= surface->own_to)
		return;
	if (at >= surface->from && end <= surface->to) {
		value_field(surface->values, identity, surface->bytes + at, (size_t)size);
	} else {
		at = MAX(at, surface->own_from);
		end = MIN(end, surface->own_to);
		for (int64_t i = at; i < end && surface->values->replace; i++)
			surface->bytes[i] = 0;
		surface->blanked++;
	}
	memset(surface->done + at, true, (size_t)(end - at));
}

/* A field of 'size' bytes at 'at', which may lie outside of what is there. */
static void field(struct surface *surface, enum mad_identity identity, int64_t at, int64_t size)
{
	int64_t step = element_size(identity, size);

	if (stays(surface->values, identity))
		return;
	for (int64_t offset = 0; offset + step <= size; offset += step)
		element(surface, identity, at + offset, step);
}

/* RDMA CM's addresses, at the head of the private data at 'at'; the rest is the program's own. */
static void rdma_addresses(struct surface *surface, int64_t at, int64_t size)
{
	uint8_t *head = surface->bytes + at;
	unsigned int version = head[RDMA_IP_VERSION] >> 4;
	const int64_t ends[] = { at + RDMA_IP_SOURCE, at + RDMA_IP_DESTINATION };

	if (version != 4 && version != 6) {
		field(surface, MAD_IDENTITY_PRIVATE, at, size);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		if (version == 6) {
			field(surface, MAD_IDENTITY_GID, ends[i], 16);
		} else {
			field(surface, MAD_IDENTITY_PRIVATE, ends[i], 12);
			value_ipv4(surface->values, surface->bytes + ends[i] + 12);
			memset(surface->done + ends[i] + 12, true, 4);
		}
	}
	field(surface, MAD_IDENTITY_PRIVATE, at + RDMA_IP_SIZE, size - RDMA_IP_SIZE);
}

static void fields_of(struct surface *surface, const struct mad_field *fields, int64_t at)
{
	for (const struct mad_field *f = fields; f && f->name; f++)
		field(surface, f->identity, at + f->bit / 8, f->width / 8);
}

/* CM's messages: private data may begin with addresses, as the service ID says. */
static void cm_fields(struct surface *surface, const struct mad_attribute *attribute)
{
	const uint8_t *data = surface->bytes + MAD_HDR_SIZE;
	bool has_addresses = (attribute->id == ATTR_CM_REQUEST ||
			      attribute->id == ATTR_CM_SERVICE_ID_REQUEST) &&
			     get_be64(data + CM_SERVICE_ID) >> 24 == RDMA_IP_SERVICE;

	for (const struct mad_field *f = attribute->fields; f && f->name; f++) {
		int64_t at = MAD_HDR_SIZE + f->bit / 8;

		if (f->identity == MAD_IDENTITY_PRIVATE && has_addresses)
			rdma_addresses(surface, at, f->width / 8);
		else
			field(surface, f->identity, at, f->width / 8);
	}
}

/* What a notice tells of depends on its trap; 'at' is where it begins. */
static void notice_details(struct surface *surface, int64_t at)
{
	const uint8_t *notice;

	if (at < surface->from || at + NOTICE_TRAP_AT + 2 > surface->to)
		return;
	notice = surface->bytes + at;
	if (notice[0] & NOTICE_GENERIC)
		fields_of(surface, mad_notice_details(get_be16(notice + NOTICE_TRAP_AT)), at);
}

/* ---- headers ---- */

static void headers(struct surface *surface)
{
	const uint8_t *mad = surface->bytes;
	const unsigned int mgmt_class = mad[MAD_CLASS];

	if (mad_class_is_smp(mgmt_class))
		field(surface, MAD_IDENTITY_KEY, SMP_MKEY, 8);
	if (mgmt_class == MAD_CLASS_SUBN_DR) {
		field(surface, MAD_IDENTITY_LID, SMP_DR_SLID, 2);
		field(surface, MAD_IDENTITY_LID, SMP_DR_DLID, 2);
	}
	if (mad_class_is_smp(mgmt_class) && get_be16(mad + MAD_ATTR_ID) == ATTR_LINEAR_TABLE)
		field(surface, MAD_IDENTITY_LID_BLOCK, MAD_ATTR_MOD, 4);
	if (mgmt_class == MAD_CLASS_SUBN_ADM)
		field(surface, MAD_IDENTITY_KEY, SA_SM_KEY, 8);
	if (mgmt_class == MAD_CLASS_BM || mgmt_class == MAD_CLASS_CONG_MGT ||
	    mgmt_class == CLASS_MELLANOX_VENDOR || mgmt_class == CLASS_MELLANOX_AGGREGATION ||
	    mgmt_class == CLASS_MELLANOX_N2N)
		field(surface, MAD_IDENTITY_KEY, CLASS_KEY, 8);
	/* Tunnelled SNMP: community names, and whatever agents say. */
	if (mgmt_class == MAD_CLASS_SNMP && get_be16(mad + MAD_ATTR_ID) >= ATTR_SNMP_FIRST)
		field(surface, MAD_IDENTITY_PRIVATE, SNMP_DATA, MAD_SIZE - SNMP_DATA);
}

/* ---- what no field is known of ---- */

static void put_alias(struct surface *surface, int64_t at, size_t size, const uint8_t *alias)
{
	for (size_t i = 0; i < size; i++) {
		int64_t to = at + (int64_t)i;

		if (to >= surface->own_from && to < surface->own_to)
			surface->bytes[to] = alias[i];
	}
}

struct run {
	struct surface *surface;
	int64_t at;
};

static void found(void *ctx, size_t at, size_t size, const uint8_t *alias)
{
	struct run *run = ctx;

	put_alias(run->surface, run->at + (int64_t)at, size, alias);
}

/* Each run of bytes that belong to no known field. */
static void search(struct surface *surface, int64_t from)
{
	g_autofree uint8_t *before = g_memdup2(surface->bytes, sizeof(surface->bytes));

	if (!surface->values->replace)
		return;
	for (int64_t at = MAX(from, surface->from), end; at < surface->to; at = end) {
		struct run run = { surface, at };

		for (end = at; end < surface->to && surface->done[end] == surface->done[at]; )
			end++;
		if (!surface->done[at])
			alias_search(surface->values->aliases, before + at, (size_t)(end - at),
				     found, &run);
	}
}

/* ---- RMPP ---- */

/* Of the segment's data, how many bytes count: the last one of a transfer says so. */
static size_t data_size(const uint8_t *mad, size_t header)
{
	size_t room = MAD_SIZE - header, said = get_be32(mad + RMPP_PAYLEN_NEWWIN);

	if (!(mad[RMPP_FLAGS] & RMPP_FLAG_LAST) || !said)
		return room;
	/* The first segment tells the length of all, with each one's class header. */
	if (mad[RMPP_FLAGS] & RMPP_FLAG_FIRST ? said > RMPP_PAYLOAD_SIZE :
						said < header - RMPP_END)
		return room;
	said -= MIN(said, header - RMPP_END);
	return MIN(said, room);
}

/* Bytes from one record to the next; 0: there is one. */
static int64_t record_step(const uint8_t *mad, const struct mad_attribute *attribute)
{
	int64_t step = (int64_t)get_be16(mad + SA_ATTR_OFFSET) * 8;

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_ADM ||
	    (mad[MAD_METHOD] != METHOD_GET_TABLE_RESP &&
	     mad[MAD_METHOD] != METHOD_GET_TRACE_TABLE_RESP &&
	     mad[MAD_METHOD] != METHOD_GET_MULTI_RESP))
		return 0;
	return step ? step : (attribute->size + 7) / 8 * 8;
}

static const struct mad_attribute *attribute_of(const uint8_t *mad)
{
	uint16_t id = get_be16(mad + MAD_ATTR_ID);

	/* IBA vol 1, 15.2.5.20: a question for many paths is answered with PathRecords. */
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM && id == ATTR_MULTI_PATH &&
	    mad[MAD_METHOD] == METHOD_GET_MULTI_RESP)
		id = ATTR_PATH;
	return mad_attribute_find(mad[MAD_CLASS], id);
}

/* The records of which a piece is in the window, which begins at 'base' of the stream. */
static void records(struct surface *surface, const uint8_t *mad, int64_t base)
{
	const struct mad_attribute *attribute = attribute_of(mad);
	int64_t step = attribute ? record_step(mad, attribute) : 0;
	int64_t first = 0, last = 0;

	if (!attribute)
		return;
	if (step) {
		first = (base + surface->own_from) / step;
		last = (base + surface->own_to - 1) / step;
	}
	for (int64_t i = first; i <= last; i++) {
		int64_t at = i * step - base;

		fields_of(surface, attribute->fields, at);
		if (attribute->id == ATTR_NOTICE)
			notice_details(surface, at);
	}
}

static unsigned int segment(const struct value_book *values, uint8_t *mad, const uint8_t *before,
			    const uint8_t *after)
{
	const size_t header = mad_class_header_size(mad[MAD_CLASS]), room = MAD_SIZE - header;
	const size_t size = data_size(mad, header);
	const int64_t number = get_be32(mad + RMPP_SEGMENT);
	struct surface *surface = surface_new(values);
	unsigned int blanked;

	surface->own_from = (int64_t)room;
	surface->own_to = surface->to = (int64_t)(room + size);
	surface->from = before ? 0 : surface->own_from;
	memcpy(surface->bytes + room, mad + header, room);
	if (before)
		memcpy(surface->bytes, before + header, room);
	if (after && size == room) {
		memcpy(surface->bytes + 2 * room, after + header, room);
		surface->to += (int64_t)data_size(after, header);
	}
	/* Segments count from 1: where the data of any other belong, nobody can tell. */
	if (number)
		records(surface, mad, (number - 2) * (int64_t)room);
	else
		field(surface, MAD_IDENTITY_PRIVATE, surface->own_from, (int64_t)size);
	search(surface, 0);
	if (values->replace) {
		/* What is behind the end of a table may be left from anything. */
		memset(mad + header, 0, room);
		memcpy(mad + header, surface->bytes + room, size);
	}
	blanked = surface->blanked;
	g_free(surface);
	return blanked;
}

unsigned int scrub_mad(const struct value_book *values, uint8_t *mad, const uint8_t *before,
		       const uint8_t *after)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	const struct mad_attribute *attribute = attribute_of(mad);
	bool is_segment = segments_is_data(mad);
	struct surface *surface = surface_new(values);
	unsigned int blanked = 0;

	memcpy(surface->bytes, mad, MAD_SIZE);
	surface->to = surface->own_to = is_segment ? mad_class_header_size(mad[MAD_CLASS]) :
						      MAD_SIZE;
	headers(surface);
	if (attribute && !is_segment && mad[MAD_CLASS] == MAD_CLASS_CM &&
	    attribute->id != ATTR_CLASS_PORT_INFO)
		cm_fields(surface, attribute);
	else if (attribute && !is_segment)
		fields_of(surface, attribute->fields, info->data_at);
	if (attribute && !is_segment && attribute->id == ATTR_NOTICE)
		notice_details(surface, info->data_at);
	search(surface, MAD_TID);
	if (is_segment)
		blanked = segment(values, mad, before, after);
	if (values->replace)
		memcpy(mad, surface->bytes, (size_t)surface->own_to);
	g_free(surface);
	return blanked;
}
