/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whole packets in scripts: see harness/script/mad/whole-packet.h.
 */
#include "harness/script/mad/whole-packet.h"

#include <string.h>

#include "harness/script/mad/hex-ruler.h"
#include "harness/script/mad/term-value.h"
#include "kmod-stub/wire-crc.h"

enum { CRCS_SIZE = ICRC_SIZE + VCRC_SIZE };

bool packet_is_raw(const struct mad_pattern *pattern)
{
	if (pattern->packet)
		return true;
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->info && term->info->where == TERM_WIRE)
			return true;
	}
	return false;
}

/* ---- where a field is ---- */

static enum wire_part part_of(const struct mad_term *term)
{
	return (enum wire_part)(term->info->bit / WIRE_PART);
}

/*
 * A packet must have room for two headers in front of the CRCs; otherwise fields are not looked up.
 */
static bool part_at(const uint8_t *bytes, size_t size, enum wire_part part, size_t *ret)
{
	bool has_grh = (bytes[LRH_SL] & 3) == LRH_LNH_GRH;

	if (size < LRH_SIZE + CRCS_SIZE)
		return false;
	switch (part) {
	case WIRE_LRH:
		*ret = 0;
		return true;
	case WIRE_GRH:
		*ret = LRH_SIZE;
		return has_grh && size >= LRH_SIZE + GRH_SIZE + CRCS_SIZE;
	case WIRE_BTH:
		*ret = LRH_SIZE + (has_grh ? GRH_SIZE : 0);
		return size >= *ret + BTH_SIZE + CRCS_SIZE;
	case WIRE_ICRC:
		*ret = size - CRCS_SIZE;
		return true;
	case WIRE_VCRC:
		*ret = size - VCRC_SIZE;
		return true;
	case WIRE_SIZE:
		return false;
	}
	return false;
}

static struct mad_field field_at(const struct mad_term *term, size_t at)
{
	return (struct mad_field) {
		.name = "", .width = term->info->width,
		.bit = (uint16_t)(at * 8 + term->info->bit % WIRE_PART),
	};
}

/* ---- CRCs ---- */

/* The correct CRC, as on the wire: least significant byte first. */
static uint64_t right_crc(const uint8_t *bytes, size_t size, enum wire_part part)
{
	uint64_t stored = 0;
	uint32_t crc = 0;	/* without a transport header there is no ICRC */
	unsigned int width = part == WIRE_ICRC ? ICRC_SIZE : VCRC_SIZE;
	size_t bth_at;

	if (part == WIRE_VCRC)
		crc = wire_crc16(bytes, size - VCRC_SIZE);
	else if (part_at(bytes, size, WIRE_BTH, &bth_at))
		crc = wire_icrc(bytes, size - CRCS_SIZE);
	for (unsigned int i = 0; i < width; i++)
		stored = stored << 8 | (crc >> (8 * i) & 0xff);
	return stored;
}

static void stamp(uint8_t *bytes, size_t size, enum wire_part part)
{
	uint64_t crc = right_crc(bytes, size, part);

	if (part == WIRE_ICRC)
		put_be32(bytes + size - CRCS_SIZE, (uint32_t)crc);
	else
		put_be16(bytes + size - VCRC_SIZE, (uint16_t)crc);
}

void packet_stamp(uint8_t *bytes, size_t size)
{
	stamp(bytes, size, WIRE_ICRC);
	stamp(bytes, size, WIRE_VCRC);
}

/* ---- what arrives ---- */

static bool data_bytes(const struct mad_pattern *pattern, const struct mad_env *env, uint8_t *ret,
		       size_t *ret_size, GString *reterr)
{
	size_t size;
	const uint8_t *bytes = env->data(env->ctx, pattern->packet->text, &size);

	if (!bytes || size > PACKET_SIZE_MAX) {
		g_string_append_printf(reterr, "%s has no value here", pattern->packet->text);
		return false;
	}
	memcpy(ret, bytes, size);
	*ret_size = size;
	return true;
}

static bool mut_value(const struct mad_term *term, const struct mad_env *env, const uint8_t *bytes,
		      size_t size, uint64_t *ret, GString *reterr)
{
	uint64_t known;

	if (!term_number(term, env, ret, &known, reterr))
		return false;
	if (term->info->format == TERM_CRC && term->value->kind == EXPR_WORD)
		*ret = right_crc(bytes, size, part_of(term)) ^
		       (*ret ? 0 : UINT64_MAX >> (64 - term->info->width));
	return true;
}

/* Applies all mut= of the headers, or of one CRC. */
static bool put_muts(const struct mad_pattern *pattern, const struct mad_env *env, bool is_crc,
		     enum wire_part part, uint8_t *bytes, size_t size, GString *reterr)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];
		struct mad_field field;
		uint64_t value;
		size_t at;

		if (!term->is_mut || term->info->where != TERM_WIRE ||
		    part_of(term) == WIRE_SIZE ||
		    (term->info->format == TERM_CRC) != is_crc ||
		    (is_crc && part_of(term) != part))
			continue;
		if (!part_at(bytes, size, part_of(term), &at)) {
			g_string_append_printf(reterr, "the packet has no %s: %s", term_name(term),
					       part_of(term) == WIRE_GRH ? "say grh=yes" :
					       "it is too short");
			return false;
		}
		if (!mut_value(term, env, bytes, size, &value, reterr))
			return false;
		field = field_at(term, at);
		mad_field_set(&field, bytes, value);
	}
	return true;
}

/* mut=size: truncates, or pads with zeros. */
static bool put_size(const struct mad_pattern *pattern, const struct mad_env *env, size_t *size,
		     GString *reterr)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];
		uint64_t value, known;

		if (!term->is_mut || term->info->where != TERM_WIRE ||
		    part_of(term) != WIRE_SIZE)
			continue;
		if (!term_number(term, env, &value, &known, reterr))
			return false;
		if (value < LRH_SIZE + CRCS_SIZE || value > PACKET_SIZE_MAX) {
			g_string_append_printf(reterr, "a packet has %d to %d bytes",
					       LRH_SIZE + CRCS_SIZE, PACKET_SIZE_MAX);
			return false;
		}
		*size = value;
	}
	return true;
}

bool packet_bytes(const struct mad_pattern *pattern, const struct mad_env *env,
		  const struct mad_instance *instance, uint8_t *ret, size_t *ret_size,
		  GString *reterr)
{
	struct packet packet = { .next = NULL };
	size_t size;

	if (pattern->packet)
		return data_bytes(pattern, env, ret, ret_size, reterr);
	packet_build(&packet, &instance->addr);
	memcpy(packet_mad(&packet), instance->mad, MAD_SIZE);
	size = packet_size(&packet) + CRCS_SIZE;
	if (!put_size(pattern, env, &size, reterr) ||
	    !put_muts(pattern, env, false, WIRE_LRH, packet.bytes, size, reterr))
		return false;
	/* The CRCs are correct for the packet as it now is, unless it is they that are broken. */
	stamp(packet.bytes, size, WIRE_ICRC);
	if (!put_muts(pattern, env, true, WIRE_ICRC, packet.bytes, size, reterr))
		return false;
	stamp(packet.bytes, size, WIRE_VCRC);
	if (!put_muts(pattern, env, true, WIRE_VCRC, packet.bytes, size, reterr))
		return false;
	memcpy(ret, packet.bytes, size);
	*ret_size = size;
	return true;
}

/* ---- what leaves ---- */

/* The packet with its CRCs, which are computed only if needed. */
static size_t seal(const struct mad_instance *instance, uint8_t ret[PACKET_SIZE_MAX])
{
	size_t size = instance->wire_size + (instance->wire_sealed ? 0 : CRCS_SIZE);

	memcpy(ret, instance->wire, instance->wire_size);
	if (!instance->wire_sealed)
		packet_stamp(ret, size);
	return size;
}

bool packet_compare_term(const struct mad_term *term, uint64_t wanted,
			 const struct mad_instance *actual, GString *why)
{
	uint8_t bytes[PACKET_SIZE_MAX];
	struct mad_field field;
	uint64_t found;
	size_t size, at = 0;

	if (!actual->wire)
		return true;
	size = seal(actual, bytes);
	if (part_of(term) == WIRE_SIZE) {
		found = size;
	} else if (!part_at(bytes, size, part_of(term), &at)) {
		if (why)
			g_string_append_printf(why, "%s  the packet has no such header\n",
					       term_name(term));
		return false;
	} else {
		field = field_at(term, at);
		found = mad_field_get(&field, bytes);
	}
	if (term->info->format == TERM_CRC && term->value->kind == EXPR_WORD)
		found = found == right_crc(bytes, size, part_of(term));
	if (found != wanted && why)
		g_string_append_printf(why, "%s  expected 0x%" G_GINT64_MODIFIER "x  actual 0x%"
				       G_GINT64_MODIFIER "x\n", term_name(term), wanted, found);
	return found == wanted;
}

/* Both packets as they are compared. False: the actual one is not known. */
static bool both_packets(const struct mad_pattern *pattern, const struct mad_env *env,
			 const struct mad_instance *actual, const uint8_t **ret_bytes,
			 size_t *ret_size, uint8_t *found, size_t *ret_found_size)
{
	*ret_bytes = env->data(env->ctx, pattern->packet->text, ret_size);
	if (!*ret_bytes || !actual->wire)
		return false;
	*ret_found_size = seal(actual, found);
	/* Data that ends with the MAD does not define the CRCs. */
	if (*ret_size + CRCS_SIZE == *ret_found_size)
		*ret_found_size = *ret_size;
	return true;
}

bool packet_compare(const struct mad_pattern *pattern, const struct mad_env *env,
		    const struct mad_instance *actual, GString *why)
{
	uint8_t found[PACKET_SIZE_MAX];
	size_t size, found_size, differing = 0, first = 0;
	const uint8_t *bytes;

	if (!both_packets(pattern, env, actual, &bytes, &size, found, &found_size)) {
		if (why)
			g_string_append(why, "the packet's own bytes are not known\n");
		return false;
	}
	for (size_t at = MIN(size, found_size); at-- > 0;) {
		differing += bytes[at] != found[at];
		first = bytes[at] != found[at] ? at : first;
	}
	if (why && size != found_size)
		g_string_append_printf(why, "packet  expected %zu bytes  actual %zu\n", size,
				       found_size);
	if (why && differing > 0)
		g_string_append_printf(why, "packet  byte %zu  expected 0x%02x  actual 0x%02x%s\n",
				       first, bytes[first], found[first], differing > 1 ?
				       ", and others" : "");
	return differing == 0 && size == found_size;
}

void packet_hex(const struct mad_pattern *pattern, const struct mad_env *env,
		const struct mad_instance *actual, GString *out)
{
	uint8_t found[PACKET_SIZE_MAX];
	size_t size, found_size;
	const uint8_t *bytes;

	if (both_packets(pattern, env, actual, &bytes, &size, found, &found_size))
		hex_ruler(out, bytes, size, found, found_size, NULL);
}

char *packet_summary(const struct mad_pattern *pattern, size_t size)
{
	return g_strdup_printf("packet(%s), %zu bytes", pattern->packet->text, size);
}
