/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a point would change in a fabric: see harness/script/check/changes.h.
 *
 * It is said before anything is sent, so of each MAD only what the script fixes is known. What
 * decides whether it changes something (class, method, OUI) nearly always is; where it is not, the
 * line counts as one that does.
 */
#include "harness/script/check/changes.h"

#include <string.h>

#include "harness/script/mad/term-value.h"
#include "sim/dictionary/mad-change.h"

/* Class, method, attribute and OUI: the bytes that mad_change() looks at. */
static bool decides(const struct mad_term *term)
{
	if (!term->info)
		return false;
	switch (term->info->where) {
	case TERM_MAD:
		return term->info->bit < 8 * MAD_HDR_SIZE ||
		       term->info->bit / 8 == VENDOR2_OUI;
	case TERM_BYTES:
		return term->first < MAD_HDR_SIZE ||
		       (term->first < VENDOR2_DATA && term->last >= VENDOR2_OUI);
	case TERM_UMAD_HOST:
	case TERM_UMAD_BE:
	case TERM_ADDR:
	case TERM_TO:
	case TERM_FROM:
	case TERM_DATA:
	case TERM_WIRE:
	case TERM_RESULT:
		return false;
	}
	return true;
}

/* TID and status may be anything. */
static bool matters(const struct mad_term *term)
{
	unsigned int first = term->info->where == TERM_BYTES ? term->first : term->info->bit / 8;

	return first <= MAD_METHOD || first == MAD_ATTR_ID || first == VENDOR2_OUI ||
	       term->info->where == TERM_BYTES;
}

/* The value that a script fixes: a number or a word. */
static bool constant(const struct mad_term *term, uint64_t *ret)
{
	if (term->value->kind == EXPR_WORD && term_word(term, term->value->text, ret))
		return true;
	return expr_constant_number(term->value, ret);
}

/* The MAD as far as it is known. False: what decides is not. */
static bool build(const struct mad_pattern *pattern, uint32_t oui, uint8_t *mad)
{
	struct mad_instance instance = { .has_addr = false };

	if (pattern->class_info)
		instance.mad[MAD_CLASS] = pattern->class_info->mgmt_class;
	instance.mad[MAD_METHOD] = pattern->method;
	if (pattern->attr_id >= 0)
		put_be16(instance.mad + MAD_ATTR_ID, (uint16_t)pattern->attr_id);
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];
		uint64_t value;

		if (!decides(term) || !matters(term))
			continue;
		if (term_width(term) > 64 || !constant(term, &value))
			return false;
		term_set(pattern, term, &instance, value);
	}
	if (!mad_pattern_term(pattern, "oui"))
		put_be32(instance.mad + VENDOR2_OUI - 1, oui);
	memcpy(mad, instance.mad, MAD_SIZE);
	return pattern->class_info || mad_pattern_term(pattern, "method");
}

static const struct mad_term *broken_term(const struct mad_pattern *pattern)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->is_mut)
			return term;
	}
	return NULL;
}

static char *pattern_change(const struct mad_pattern *pattern, uint32_t oui)
{
	char words[MAD_CHANGE_SIZE];
	const struct mad_term *broken = broken_term(pattern);
	uint8_t mad[MAD_SIZE];

	if (broken)
		return g_strdup_printf("mut=%s breaks a MAD on purpose", term_name(broken));
	if (pattern->packet)
		return g_strdup("the bytes of a whole packet may be anything");
	if (!build(pattern, oui, mad))
		return g_strdup("whether this MAD changes anything is not known before it runs");
	return g_strdup(mad_change(mad, words));
}

/*
 * The OUI of MADs that name none: that of their agent. One that is not ours counts for all of the
 * point.
 */
static uint32_t foreign_oui(const struct point *point)
{
	for (guint i = 0; i < point->steps->len; i++) {
		const struct plan_step *step = point->steps->pdata[i];
		uint32_t oui = step->line->verb->oui ? step->line->verb->oui(step) : 0;

		if (oui != 0 && oui != MAD_CHANGE_OWN_OUI)
			return oui;
	}
	return MAD_CHANGE_OWN_OUI;
}

char *step_change(const struct point *point, const struct plan_step *step)
{
	char *change = step->line->verb->changes ? step->line->verb->changes(step) : NULL;
	uint32_t oui = foreign_oui(point);

	for (const struct mad_pattern *pattern = step->patterns; pattern && !change;
	     pattern = pattern->next) {
		if (pattern->use == MAD_SENT || pattern->use == MAD_ARRIVES)
			change = pattern_change(pattern, oui);
	}
	return change;
}
