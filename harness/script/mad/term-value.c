/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A named field of a MAD: where it is in an instance, and what its value is.
 */
#include "harness/script/mad/term-value.h"

#include <arpa/inet.h>
#include <string.h>

/* ---- where a term is in an instance ---- */

static void set_addr_number(struct packet_addr *addr, enum term_addr which, uint64_t value)
{
	switch (which) {
	case TERM_ADDR_SLID: addr->slid = (uint16_t)value; break;
	case TERM_ADDR_DLID: addr->dlid = (uint16_t)value; break;
	case TERM_ADDR_SL: addr->sl = (uint8_t)value; break;
	case TERM_ADDR_VL: addr->vl = (uint8_t)value; break;
	case TERM_ADDR_PKEY: addr->pkey = (uint16_t)value; break;
	case TERM_ADDR_SQP: addr->src_qp = (uint32_t)value; break;
	case TERM_ADDR_DQP: addr->dest_qp = (uint32_t)value; break;
	case TERM_ADDR_QKEY: addr->qkey = (uint32_t)value; break;
	case TERM_ADDR_PSN: addr->psn = (uint32_t)value; break;
	case TERM_ADDR_GRH: addr->has_grh = value != 0; break;
	case TERM_ADDR_HOP_LIMIT: addr->hop_limit = (uint8_t)value; break;
	case TERM_ADDR_TRAFFIC_CLASS: addr->traffic_class = (uint8_t)value; break;
	case TERM_ADDR_FLOW_LABEL: addr->flow_label = (uint32_t)value; break;
	case TERM_ADDR_SGID:
	case TERM_ADDR_DGID:
		break;
	}
}

/* Bits of big-endian memory, in the dictionary's numbering. */
static struct mad_field bits_at(unsigned int bit, unsigned int width)
{
	return (struct mad_field) { .name = "", .bit = (uint16_t)bit, .width = (uint16_t)width };
}

static unsigned int attribute_at(const struct mad_pattern *pattern)
{
	return pattern->class_info->data_at;
}

unsigned int term_bit(const struct mad_pattern *pattern, const struct mad_term *term)
{
	if (!term->info)
		return attribute_at(pattern) * 8 + term->field->bit;
	return term->info->where == TERM_BYTES ? term->first * 8 : term->info->bit;
}

static uint64_t host_number(const uint8_t *umad, const struct term_info *info)
{
	uint64_t value = 0;

	/* lib/base/wire.h is for little-endian hosts only. */
	memcpy(&value, umad + info->bit / 8, info->width / 8);
	return value;
}

uint64_t term_get(const struct mad_pattern *pattern, const struct mad_term *term,
		  const struct mad_instance *instance)
{
	enum term_where where = term->info ? term->info->where : TERM_MAD;
	struct mad_field field;

	switch (where) {
	case TERM_MAD:
	case TERM_BYTES:
		field = bits_at(term_bit(pattern, term), term_width(term));
		return mad_field_get(&field, instance->mad);
	case TERM_UMAD_HOST:
		return host_number(instance->umad, term->info);
	case TERM_UMAD_BE:
		field = bits_at(term->info->bit, term->info->width);
		return mad_field_get(&field, instance->umad);
	case TERM_ADDR:
		return term_addr_number(&instance->addr, term->info->bit);
	case TERM_RESULT:
		return (uint64_t)instance->result[term->info->bit];
	case TERM_WIRE:
	case TERM_TO:
	case TERM_FROM:
	case TERM_DATA:
		return 0;
	}
	return 0;
}

void term_set(const struct mad_pattern *pattern, const struct mad_term *term,
	      struct mad_instance *instance, uint64_t value)
{
	enum term_where where = term->info ? term->info->where : TERM_MAD;
	struct mad_field field;

	switch (where) {
	case TERM_MAD:
	case TERM_BYTES:
		field = bits_at(term_bit(pattern, term), term_width(term));
		mad_field_set(&field, instance->mad, value);
		return;
	case TERM_UMAD_HOST:
		memcpy(instance->umad + term->info->bit / 8, &value, term->info->width / 8);
		return;
	case TERM_UMAD_BE:
		field = bits_at(term->info->bit, term->info->width);
		mad_field_set(&field, instance->umad, value);
		return;
	case TERM_ADDR:
		set_addr_number(&instance->addr, term->info->bit, value);
		return;
	case TERM_RESULT:
	case TERM_WIRE:
	case TERM_TO:
	case TERM_FROM:
	case TERM_DATA:
		return;
	}
}

uint8_t *term_bytes(const struct mad_pattern *pattern, const struct mad_term *term,
		    struct mad_instance *instance)
{
	if (term->info && term->info->where == TERM_ADDR)
		return term->info->bit == TERM_ADDR_SGID ? instance->addr.sgid :
							   instance->addr.dgid;
	if (term->info && term->info->where == TERM_UMAD_BE)
		return instance->umad + term->info->bit / 8;
	return instance->mad + term_bit(pattern, term) / 8;
}

/* ---- what a term's value is ---- */

static bool set_number_of(const struct mad_term *term, uint64_t *ret)
{
	*ret = 0;
	for (guint i = 0; i < term->value->items->len; i++) {
		const struct expr *item = term->value->items->pdata[i];
		uint64_t bit;

		if (!(item->kind == EXPR_WORD && term_word(term, item->text, &bit)) &&
		    !expr_constant_number(item, &bit))
			return false;
		*ret |= bit;
	}
	return true;
}

bool term_number(const struct mad_term *term, const struct mad_env *env, uint64_t *ret,
		 uint64_t *ret_known, GString *reterr)
{
	*ret_known = UINT64_MAX;
	if (term->value->kind == EXPR_SET) {
		if (set_number_of(term, ret))
			return true;
	} else if (term->value->kind == EXPR_WORD && term_word(term, term->value->text, ret)) {
		return true;
	} else if (env->number(env->ctx, term->value, ret, ret_known)) {
		unsigned int width = term_width(term);

		if (width == 64 || *ret >> width == 0 || term->value->kind == EXPR_NEGATIVE)
			return true;
		/* Each half of a captured TID can be used by itself. */
		if (reterr)
			g_string_append_printf(reterr,
					       "0x%" G_GINT64_MODIFIER "x does not fit into %s",
					       *ret, term_name(term));
		return false;
	}
	if (reterr)
		g_string_append_printf(reterr, "%s has no value here", term_name(term));
	return false;
}

bool term_wide(const struct mad_term *term, const struct mad_env *env, uint8_t *ret)
{
	const struct expr *value = term->value;
	unsigned int size = term_width(term) / 8;
	unsigned int at = term->info && term->info->format == TERM_PATH ? 1 : 0;
	struct world_address address;

	memset(ret, 0, size);
	if (value->kind == EXPR_SET) {
		for (guint i = 0; i < value->items->len && at < size; i++, at++) {
			uint64_t byte = 0;

			expr_constant_number(value->items->pdata[i], &byte);
			ret[at] = (uint8_t)byte;
		}
		return true;
	}
	if (value->kind == EXPR_STRING) {
		if (size == 16 && inet_pton(AF_INET6, value->text, ret) == 1)
			return true;
		memcpy(ret, value->text, MIN(size, strlen(value->text)));
		return true;
	}
	if (value->kind != EXPR_WORD || size != 16 ||
	    !env->address(env->ctx, value->text, &address) || !address.has_gid)
		return false;
	memcpy(ret, address.gid, 16);
	return true;
}

uint64_t term_implied(const struct mad_pattern *pattern, const struct mad_term *term)
{
	bool flags = term->info && term->info->format == TERM_FLAGS;

	return flags && mad_pattern_term(pattern, "rmpp") ? RMPP_FLAG_ACTIVE : 0;
}

bool term_piece(const struct mad_term *term, const struct mad_env *env, uint8_t mgmt_class,
		const uint8_t **ret_bytes, size_t *ret_size, GString *reterr)
{
	size_t most = MAD_SIZE - mad_class_header_size(mgmt_class);
	uint64_t number = 1, known;
	size_t size;
	const uint8_t *bytes = env->data(env->ctx, term->value->text, &size);

	if (bytes && term->value->kind == EXPR_PIECE &&
	    !env->number(env->ctx, term->value->left, &number, &known))
		bytes = NULL;
	/* The last one may be empty: even a message without data has a segment. */
	if (!bytes || number == 0 || number > MAX(1, (size + most - 1) / most)) {
		if (reterr)
			g_string_append_printf(reterr, "%s has no piece %" G_GUINT64_FORMAT,
					       term->value->text, number);
		return false;
	}
	*ret_bytes = bytes + (number - 1) * most;
	*ret_size = MIN(most, size - (number - 1) * most);
	return true;
}

void terms_capture(const struct mad_pattern *pattern, const struct mad_env *env,
		   const struct mad_instance *instance)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->value->kind == EXPR_CAPTURE)
			env->capture(env->ctx, term->value->text,
				     term_get(pattern, term, instance));
	}
}
