/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which fields of a MAD a lie can be about, and telling it. See sim/fabric/lie.h.
 */
#include "sim/fabric/lie.h"

#include <string.h>

#include "lib/base/wire.h"
#include "sim/capture/mad-role.h"
#include "sim/dictionary/mad-header.h"

enum { VALUE_SIZE = 256 };

/* A field in a MAD: its 'bit' counts from there. */
struct place {
	const char *owner;		/* of an attribute or a header, its name */
	const struct mad_field *of;	/* as the dictionary has it */
	const struct mad_field *fields;	/* all of them that the owner has */
	struct mad_field field;
	bool is_header;
	bool has_record;
	unsigned int record;
};

/* Counts the places that a lie fits, and finds one of them. */
struct search {
	const struct lie *lie;
	const uint8_t *mad;
	unsigned int count;
	unsigned int wanted;	/* which of them, from 0 */
	struct place found;
};

/* ---- kinds ---- */

/* Of a port's number no table says that it is one: its name does. */
static bool is_port(const struct place *place)
{
	static const char *const ends[] = { "Port", "Ports", "PortNum", "PortSelect" };

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		if (place->of->width == 8 && g_str_has_suffix(place->of->name, ends[i]))
			return !place->is_header;
	}
	return false;
}

static bool is_lid(const struct mad_field *field)
{
	return field->identity == MAD_IDENTITY_LID || field->identity == MAD_IDENTITY_LID_TOP;
}

static size_t stem_size(const char *name)
{
	size_t size = strlen(name);

	while (size > 0 && g_ascii_isdigit(name[size - 1]))
		size--;
	return size;
}

/* Are they P_Key3 and P_Key4? */
static bool is_beside(const struct mad_field *a, const struct mad_field *b)
{
	size_t size = stem_size(a->name);

	return a->name[size] != '\0' && b->name && stem_size(b->name) == size &&
	       b->name[size] != '\0' && strncmp(a->name, b->name, size) == 0;
}

/* A table is one field of bytes, or has numbered fields. */
static bool is_entry(const struct place *place)
{
	const struct mad_field *of = place->of;

	if (place->is_header)
		return false;
	if (of->format == MAD_FIELD_BYTES)
		return of->identity != MAD_IDENTITY_PRIVATE;
	return is_beside(of, of + 1) || (of > place->fields && is_beside(of, of - 1));
}

static bool is_at(const struct place *place, unsigned int byte)
{
	return place->is_header && place->field.bit == byte * 8;
}

static bool is_rmpp(const struct place *place, const uint8_t *mad)
{
	return place->is_header && mad_class_has_rmpp(mad[MAD_CLASS]) &&
	       place->field.bit >= RMPP_VERSION * 8 && place->field.bit < RMPP_END * 8;
}

/*
 * In a directed route the status has a bit less, behind D. A field of a header is meant that ends
 * where the named one does.
 */
static bool is_named(const struct lie *lie, const struct place *place)
{
	if (!lie->header)
		return !place->is_header && strcmp(place->owner, lie->owner) == 0 &&
		       strcmp(place->of->name, lie->name) == 0;
	return place->is_header &&
	       place->of->bit + place->of->width == lie->header->bit + lie->header->width;
}

static bool is_of_kind(const struct lie *lie, const struct place *place, const uint8_t *mad)
{
	switch (lie->kind) {
	case LIE_FIELD:
		return is_named(lie, place);
	case LIE_ANY:
		return !is_at(place, MAD_TID) && !is_rmpp(place, mad);
	case LIE_STATUS:
		return place->is_header &&
		       place->field.bit + place->field.width == MAD_CLASS_SPECIFIC * 8;
	case LIE_MODIFIER:
		return is_at(place, MAD_ATTR_MOD);
	case LIE_TID:
		return is_at(place, MAD_TID);
	case LIE_PORT:
		return is_port(place);
	case LIE_GUID:
		return place->of->identity == MAD_IDENTITY_GUID;
	case LIE_LID:
		return is_lid(place->of);
	case LIE_PATH:
		return is_at(place, SMP_INITIAL_PATH) && place->of->format == MAD_FIELD_BYTES;
	case LIE_RMPP:
		return is_rmpp(place, mad);
	case LIE_MASK:
		return is_at(place, SA_COMP_MASK);
	case LIE_BLOCK:
		return is_entry(place);
	}
	return false;
}

/* ---- places ---- */

/* Of a directed route, how many bytes of the initial path mean something; the first does not. */
static bool has_path(const struct place *place, const uint8_t *mad)
{
	return !is_at(place, SMP_INITIAL_PATH) || place->of->format != MAD_FIELD_BYTES ||
	       (mad[SMP_HOP_CNT] > 0 && mad[SMP_HOP_CNT] < SMP_PATH_SIZE);
}

static void offer(struct search *search, const struct place *place)
{
	const struct lie *lie = search->lie;

	if (!lie_may_change(search->mad[MAD_CLASS], place->field.bit, place->field.width) ||
	    !is_of_kind(lie, place, search->mad) || !has_path(place, search->mad))
		return;
	if (lie->how == LIE_VALUE && mad_field_get(&place->field, search->mad) ==
	    (lie->value & mad_field_max(&place->field)))
		return;
	if (search->count++ == search->wanted)
		search->found = *place;
}

static void search_headers(struct search *search)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		bool is_of_rmpp = mad_class_has_rmpp(search->mad[MAD_CLASS]) &&
				  header->fields[0].bit == RMPP_VERSION * 8;

		if (header->base != MAD_HEADER_OF_MAD || !header->applies(search->mad[MAD_CLASS]) ||
		    (is_of_rmpp && !mad_is_rmpp(search->mad)))
			continue;
		for (const struct mad_field *f = header->fields; f->name; f++) {
			const struct place place = {
				.owner = header->name, .of = f, .fields = header->fields,
				.field = *f, .is_header = true,
			};

			offer(search, &place);
		}
	}
}

/* The fields of the attribute that begins at 'at' and lie between two bytes of the MAD. */
static void search_fields(struct search *search, const struct mad_attribute *attribute, int64_t at,
			  int64_t first, int64_t end, struct place place)
{
	place.owner = attribute->name;
	place.fields = attribute->fields;
	for (const struct mad_field *f = attribute->fields; f->name; f++) {
		int64_t bit = at * 8 + f->bit;

		if (bit < first * 8 || bit + f->width > end * 8)
			continue;
		place.of = f;
		place.field = *f;
		place.field.bit = (uint16_t)bit;
		offer(search, &place);
	}
}

/* The records of a segment of an SA's answer; one may have begun in the segment before. */
static void search_records(struct search *search, const struct mad_attribute *attribute)
{
	enum { ROOM = MAD_SIZE - SA_DATA, HEADER = SA_DATA - RMPP_END };
	const uint8_t *mad = search->mad;
	uint32_t segment = get_be32(mad + RMPP_SEGMENT);
	uint32_t payload = get_be32(mad + RMPP_PAYLEN_NEWWIN);
	int64_t each = get_be16(mad + SA_ATTR_OFFSET) * 8, first, size = ROOM;

	if (segment == 0)
		return;
	if (each == 0)
		each = attribute->size;
	if (each == 0)
		return;
	first = ((int64_t)segment - 1) * ROOM;
	if (mad[RMPP_FLAGS] & RMPP_FLAG_LAST)
		size = payload > HEADER ? MIN((int64_t)payload - HEADER, ROOM) : 0;
	for (int64_t record = first / each; record * each < first + size; record++) {
		struct place place = { .has_record = true, .record = (unsigned int)record };

		search_fields(search, attribute, SA_DATA + record * each - first, SA_DATA,
			      SA_DATA + size, place);
	}
}

static void search_all(struct search *search)
{
	const uint8_t *mad = search->mad;
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	const struct mad_attribute *attribute =
		mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));
	struct place place = { .has_record = false };

	search_headers(search);
	if (!info || !attribute || !attribute->fields)
		return;
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM && mad_is_segment(mad))
		search_records(search, attribute);
	else if (!mad_is_rmpp(mad) ||
		 (mad_is_segment(mad) && get_be32(mad + RMPP_SEGMENT) == 1))
		search_fields(search, attribute, info->data_at, info->data_at, MAD_SIZE, place);
}

bool lie_fits(const struct lie *lie, const uint8_t *mad)
{
	struct search search = { .lie = lie, .mad = mad, .wanted = UINT_MAX };

	search_all(&search);
	return search.count > 0;
}

/* ---- telling ---- */

/*
 * Another value. All bits by chance would hardly ever be near what it was, or at an end of the
 * range, where mistakes are.
 */
static uint64_t draw(struct chance *chance, uint64_t old, const struct mad_field *field)
{
	uint64_t most = mad_field_max(field), value;

	switch (chance_below(chance, 6)) {
	case 0:
		value = 0;
		break;
	case 1:
		value = most;
		break;
	case 2:
		value = old + 1;
		break;
	case 3:
		value = old - 1;
		break;
	case 4:
		value = old ^ UINT64_C(1) << chance_below(chance, field->width);
		break;
	default:	/* a number, not an enum of ours */
		value = chance_next(chance);
		break;
	}
	value &= most;
	return value != old ? value : old ^ UINT64_C(1) << chance_below(chance, field->width);
}

/* What is no number: one of its octets is meant. */
static unsigned int take_octet(struct place *place, struct chance *chance, const uint8_t *mad)
{
	unsigned int count = place->field.width / 8, first = 0;

	if (is_at(place, SMP_INITIAL_PATH)) {
		first = 1;
		count = mad[SMP_HOP_CNT];
	}
	first += (unsigned int)chance_below(chance, count);
	place->field.bit = (uint16_t)(place->field.bit + 8 * first);
	place->field.width = 8;
	place->field.format = MAD_FIELD_DEC;
	return first;
}

void lie_tell(const struct lie *lie, struct chance *chance, uint8_t *mad, GString *said)
{
	struct search search = { .lie = lie, .mad = mad, .wanted = UINT_MAX };
	struct place *place = &search.found;
	char from[VALUE_SIZE], to[VALUE_SIZE];
	uint64_t old;

	search_all(&search);
	g_assert(search.count > 0);
	search.wanted = search.count > 1 ? (unsigned int)chance_below(chance, search.count) : 0;
	search.count = 0;
	search_all(&search);
	g_string_append_printf(said, "lie %s", place->owner);
	if (place->has_record)
		g_string_append_printf(said, "[%u]", place->record);
	g_string_append_printf(said, ".%s", place->of->name);
	if (!mad_field_is_number(place->of))
		g_string_append_printf(said, "[%u]", take_octet(place, chance, mad));
	old = mad_field_get(&place->field, mad);
	mad_field_format_value(&place->field, mad, from, sizeof(from));
	mad_field_set(&place->field, mad, lie->how == LIE_VALUE ? lie->value :
		      lie->how == LIE_MORE ? old + lie->value : draw(chance, old, &place->field));
	mad_field_format_value(&place->field, mad, to, sizeof(to));
	g_string_append_printf(said, " %s -> %s", from, to);
}
