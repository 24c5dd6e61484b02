/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Builds the MADs of a script.
 */
#include "harness/script/mad/term-value.h"

#include <string.h>

#include "lib/base/user-header.h"

static void set_umad_address(struct mad_instance *instance, const struct world_address *to)
{
	if (to->needs_grh) {
		instance->umad[USER_GRH_PRESENT] = 1;	/* GID index 0 */
		instance->umad[USER_HOP_LIMIT] = 64;
		memcpy(instance->umad + USER_GID, to->gid, 16);
		return;
	}
	put_be16(instance->umad + USER_LID_BE, to->lid);
}

static bool put_role(const struct mad_pattern *pattern, const struct mad_term *term,
		     const struct mad_env *env, struct mad_instance *instance, GString *reterr)
{
	struct world_address address;

	if (!env->address(env->ctx, term->value->text, &address)) {
		g_string_append_printf(reterr, "there is no port '%s'", term->value->text);
		return false;
	}
	if (pattern->use == MAD_SENT) {
		set_umad_address(instance, &address);
		return true;
	}
	if (term->info->where == TERM_TO) {
		instance->addr.dlid = address.lid;
		memcpy(instance->addr.dgid, address.gid, 16);
	} else {
		instance->addr.slid = address.lid;
		memcpy(instance->addr.sgid, address.gid, 16);
	}
	return true;
}

static bool put_data(const struct mad_term *term, const struct mad_env *env,
		     struct mad_instance *instance, GString *reterr)
{
	unsigned int at = mad_class_header_size(instance->mad[MAD_CLASS]);
	const uint8_t *bytes;
	size_t size;

	if (!term_piece(term, env, instance->mad[MAD_CLASS], &bytes, &size, reterr))
		return false;
	memset(instance->mad + at, 0, MAD_SIZE - at);
	memcpy(instance->mad + at, bytes, size);
	return true;
}

static bool put_term(const struct mad_pattern *pattern, const struct mad_term *term,
		     const struct mad_env *env, struct mad_instance *instance, GString *reterr)
{
	uint64_t number, known;

	if (term->info &&
	    (term->info->where == TERM_TO || term->info->where == TERM_FROM))
		return put_role(pattern, term, env, instance, reterr);
	if (term->info && term->info->where == TERM_WIRE)
		return true;
	if (term->info && term->info->where == TERM_DATA)
		return put_data(term, env, instance, reterr);
	if (term_width(term) > 64) {
		if (term_wide(term, env, term_bytes(pattern, term, instance)))
			return true;
		g_string_append_printf(reterr, "%s has no value here", term_name(term));
		return false;
	}
	if (term->value->kind == EXPR_CAPTURE)
		return true;
	if (!term_number(term, env, &number, &known, reterr))
		return false;
	term_set(pattern, term, instance, number | term_implied(pattern, term));
	return true;
}

/*
 * Fields that mut= breaks come last; those of the packet around the MAD are handled by
 * harness/script/mad/whole-packet.c.
 */
static bool put_terms(const struct mad_pattern *pattern, const struct mad_env *env, bool muts,
		      struct mad_instance *ret, GString *reterr)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->is_mut == muts && !put_term(pattern, term, env, ret, reterr))
			return false;
	}
	return true;
}

bool mad_overlay(const struct mad_pattern *pattern, const struct mad_env *env,
		 struct mad_instance *ret, GString *reterr)
{
	if (!put_terms(pattern, env, false, ret, reterr) ||
	    !put_terms(pattern, env, true, ret, reterr))
		return false;
	terms_capture(pattern, env, ret);
	return true;
}

/*
 * The class of the MAD to be built: as named, or the method's only one, or that of the sending
 * agent.
 */
static int class_of(const struct mad_pattern *pattern, const struct mad_env *env,
		    const struct mad_defaults *defaults)
{
	const struct mad_term *term = mad_pattern_term(pattern, "class");
	const struct mad_class_info *info = pattern->class_info;
	const struct mad_class_info *agents;
	uint64_t number, known;

	if (term && term_number(term, env, &number, &known, NULL))
		return (int)number;
	if (!info)
		return defaults->mgmt_class;
	if (mad_class_is_smp(info->mgmt_class)) {
		bool routed = mad_pattern_term(pattern, "path") ||
			      mad_pattern_term(pattern, "hop_cnt") ||
			      mad_pattern_term(pattern, "drslid") != NULL;

		return routed ? MAD_CLASS_SUBN_DR : MAD_CLASS_SUBN_LID;
	}
	if (info->mgmt_class == info->last)
		return info->mgmt_class;
	agents = defaults->mgmt_class < 0 ? NULL : mad_class_find((uint8_t)defaults->mgmt_class);
	return agents && strcmp(agents->prefix, info->prefix) == 0 ? defaults->mgmt_class :
									     -1;
}

void mad_build_header(const struct mad_pattern *pattern, int mgmt_class,
		      const struct mad_defaults *defaults, uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find((uint8_t)mgmt_class);
	const struct mad_term *path = mad_pattern_term(pattern, "path");

	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = (uint8_t)mgmt_class;
	mad[MAD_CLASS_VERSION] = info ? info->class_version : 1;
	if (mgmt_class == defaults->mgmt_class && defaults->class_version >= 0)
		mad[MAD_CLASS_VERSION] = (uint8_t)defaults->class_version;
	mad[MAD_METHOD] = pattern->method;
	put_be64(mad + MAD_TID, defaults->tid);
	if (pattern->attr_id >= 0)
		put_be16(mad + MAD_ATTR_ID, (uint16_t)pattern->attr_id);
	if (mad_class_is_vendor2((unsigned int)mgmt_class))
		put_be24(mad + VENDOR2_OUI, defaults->oui);
	if (mad_pattern_term(pattern, "rmpp")) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	}
	if (mgmt_class == MAD_CLASS_SUBN_DR) {
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
		if (path && path->value->kind == EXPR_SET)
			mad[SMP_HOP_CNT] = (uint8_t)path->value->items->len;
	}
}

bool mad_build(const struct mad_pattern *pattern, const struct mad_env *env,
	       const struct mad_defaults *defaults, struct mad_instance *ret, GString *reterr)
{
	int mgmt_class = class_of(pattern, env, defaults);

	if (mgmt_class < 0) {
		g_string_append(reterr, "the method is one of several classes: give class=");
		return false;
	}
	memset(ret->mad, 0, sizeof(ret->mad));
	mad_build_header(pattern, mgmt_class, defaults, ret->mad);
	return mad_overlay(pattern, env, ret, reterr);
}
