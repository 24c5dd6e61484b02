/*
 * Building and comparing the MADs of a script.
 */
#include "script-mad.h"

#include <arpa/inet.h>
#include <string.h>

/* ---- where a term is in an instance ---- */

static uint64_t addr_number(const struct packet_addr *addr, enum term_addr which)
{
	switch (which) {
	case TERM_ADDR_SLID: return addr->slid;
	case TERM_ADDR_DLID: return addr->dlid;
	case TERM_ADDR_SL: return addr->sl;
	case TERM_ADDR_VL: return addr->vl;
	case TERM_ADDR_PKEY: return addr->pkey;
	case TERM_ADDR_SQP: return addr->src_qp;
	case TERM_ADDR_DQP: return addr->dest_qp;
	case TERM_ADDR_QKEY: return addr->qkey;
	case TERM_ADDR_PSN: return addr->psn;
	case TERM_ADDR_GRH: return addr->has_grh;
	case TERM_ADDR_HOP_LIMIT: return addr->hop_limit;
	case TERM_ADDR_TRAFFIC_CLASS: return addr->traffic_class;
	case TERM_ADDR_FLOW_LABEL: return addr->flow_label;
	case TERM_ADDR_SGID:
	case TERM_ADDR_DGID:
		return 0;
	}
	return 0;
}

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

/* Bits of big-endian memory, as the dictionary reads them. */
static struct mad_field bits_at(unsigned int bit, unsigned int width)
{
	return (struct mad_field) { .name = "", .bit = (uint16_t)bit, .width = (uint16_t)width };
}

static unsigned int attribute_at(const struct mad_pattern *pattern)
{
	return pattern->class_info->data_at;
}

/* First bit of a term that lies in the MAD. */
static unsigned int mad_bit(const struct mad_pattern *pattern, const struct mad_term *term)
{
	if (term->info == NULL)
		return attribute_at(pattern) * 8 + term->field->bit;
	return term->info->where == TERM_BYTES ? term->first * 8 : term->info->bit;
}

static uint64_t host_number(const uint8_t *umad, const struct term_info *info)
{
	uint64_t value = 0;

	/* wire.h is for little-endian hosts only. */
	memcpy(&value, umad + info->bit / 8, info->width / 8);
	return value;
}

static uint64_t get_number(const struct mad_pattern *pattern, const struct mad_term *term,
			   const struct mad_instance *instance)
{
	enum term_where where = term->info != NULL ? term->info->where : TERM_MAD;
	struct mad_field field;

	switch (where) {
	case TERM_MAD:
	case TERM_BYTES:
		field = bits_at(mad_bit(pattern, term), term_width(term));
		return mad_field_get(&field, instance->mad);
	case TERM_UMAD_HOST:
		return host_number(instance->umad, term->info);
	case TERM_UMAD_BE:
		field = bits_at(term->info->bit, term->info->width);
		return mad_field_get(&field, instance->umad);
	case TERM_ADDR:
		return addr_number(&instance->addr, term->info->bit);
	case TERM_RESULT:
		return (uint64_t)instance->result[term->info->bit];
	case TERM_TO:
	case TERM_FROM:
	case TERM_DATA:
		return 0;
	}
	return 0;
}

static void set_number(const struct mad_pattern *pattern, const struct mad_term *term,
		       struct mad_instance *instance, uint64_t value)
{
	enum term_where where = term->info != NULL ? term->info->where : TERM_MAD;
	struct mad_field field;

	switch (where) {
	case TERM_MAD:
	case TERM_BYTES:
		field = bits_at(mad_bit(pattern, term), term_width(term));
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
	case TERM_TO:
	case TERM_FROM:
	case TERM_DATA:
		return;
	}
}

/* The bytes of a term that is wider than 64 bits. */
static uint8_t *wide_bytes(const struct mad_pattern *pattern, const struct mad_term *term,
			   struct mad_instance *instance)
{
	if (term->info != NULL && term->info->where == TERM_ADDR)
		return term->info->bit == TERM_ADDR_SGID ? instance->addr.sgid :
							   instance->addr.dgid;
	if (term->info != NULL && term->info->where == TERM_UMAD_BE)
		return instance->umad + term->info->bit / 8;
	return instance->mad + mad_bit(pattern, term) / 8;
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

/* 'known': which bits of the number are. False with a message. */
static bool term_number(const struct mad_term *term, const struct mad_env *env, uint64_t *ret,
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
		/* The halves of a captured TID are used as they are needed. */
		if (reterr != NULL)
			g_string_append_printf(reterr,
					       "0x%" G_GINT64_MODIFIER "x does not fit into %s",
					       *ret, term_name(term));
		return false;
	}
	if (reterr != NULL)
		g_string_append_printf(reterr, "%s has no value here", term_name(term));
	return false;
}

/* The value of a wide term, zero-padded. 'ret' has at least the term's width. */
static bool term_wide(const struct mad_term *term, const struct mad_env *env, uint8_t *ret)
{
	const struct expr *value = term->value;
	unsigned int size = term_width(term) / 8;
	unsigned int at = term->info != NULL && term->info->format == TERM_PATH ? 1 : 0;
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

/* ---- building ---- */

static void set_umad_address(struct mad_instance *instance, const struct world_address *to)
{
	if (to->needs_grh) {
		instance->umad[32] = 1;		/* grh_present; gid_index 0 */
		instance->umad[34] = 64;	/* hop_limit */
		memcpy(instance->umad + 36, to->gid, 16);
		return;
	}
	put_be16(instance->umad + 28, to->lid);
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

/*
 * A MAD with rmpp= is Active (IBA vol 1, 13.6.2.1): its flags need not say so. Whoever wants it
 * otherwise writes bytes[26]=.
 */
static uint64_t implied_flags(const struct mad_pattern *pattern, const struct mad_term *term)
{
	bool flags = term->info != NULL && term->info->format == TERM_FLAGS;

	return flags && mad_pattern_term(pattern, "rmpp") != NULL ? RMPP_FLAG_ACTIVE : 0;
}

/*
 * What a segment of class 'mgmt_class' carries of the data that 'term' names. False with a message:
 * there is no such piece.
 */
static bool data_piece(const struct mad_term *term, const struct mad_env *env, uint8_t mgmt_class,
		       const uint8_t **ret_bytes, size_t *ret_size, GString *reterr)
{
	size_t most = MAD_SIZE - mad_class_header_size(mgmt_class);
	uint64_t number = 1, known;
	size_t size;
	const uint8_t *bytes = env->data(env->ctx, term->value->text, &size);

	if (bytes != NULL && term->value->kind == EXPR_PIECE &&
	    !env->number(env->ctx, term->value->left, &number, &known))
		bytes = NULL;
	/* The last one may be empty: a message without data has a segment too. */
	if (bytes == NULL || number == 0 || number > MAX(1, (size + most - 1) / most)) {
		if (reterr != NULL)
			g_string_append_printf(reterr, "%s has no piece %" G_GUINT64_FORMAT,
					       term->value->text, number);
		return false;
	}
	*ret_bytes = bytes + (number - 1) * most;
	*ret_size = MIN(most, size - (number - 1) * most);
	return true;
}

static bool put_data(const struct mad_term *term, const struct mad_env *env,
		     struct mad_instance *instance, GString *reterr)
{
	unsigned int at = mad_class_header_size(instance->mad[MAD_CLASS]);
	const uint8_t *bytes;
	size_t size;

	if (!data_piece(term, env, instance->mad[MAD_CLASS], &bytes, &size, reterr))
		return false;
	memset(instance->mad + at, 0, MAD_SIZE - at);
	memcpy(instance->mad + at, bytes, size);
	return true;
}

static bool put_term(const struct mad_pattern *pattern, const struct mad_term *term,
		     const struct mad_env *env, struct mad_instance *instance, GString *reterr)
{
	uint64_t number, known;

	if (term->info != NULL &&
	    (term->info->where == TERM_TO || term->info->where == TERM_FROM))
		return put_role(pattern, term, env, instance, reterr);
	if (term->info != NULL && term->info->where == TERM_DATA)
		return put_data(term, env, instance, reterr);
	if (term_width(term) > 64) {
		if (term_wide(term, env, wide_bytes(pattern, term, instance)))
			return true;
		g_string_append_printf(reterr, "%s has no value here", term_name(term));
		return false;
	}
	if (term->value->kind == EXPR_CAPTURE)
		return true;
	if (!term_number(term, env, &number, &known, reterr))
		return false;
	set_number(pattern, term, instance, number | implied_flags(pattern, term));
	return true;
}

static void capture_built(const struct mad_pattern *pattern, const struct mad_env *env,
			  const struct mad_instance *instance)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term->value->kind == EXPR_CAPTURE)
			env->capture(env->ctx, term->value->text,
				     get_number(pattern, term, instance));
	}
}

bool mad_overlay(const struct mad_pattern *pattern, const struct mad_env *env,
		 struct mad_instance *ret, GString *reterr)
{
	for (guint i = 0; i < pattern->terms->len; i++) {
		if (!put_term(pattern, pattern->terms->pdata[i], env, ret, reterr))
			return false;
	}
	capture_built(pattern, env, ret);
	return true;
}

/* The class of what is built: named, or the method's own, or the agent's that sends it. */
static int class_of(const struct mad_pattern *pattern, const struct mad_env *env,
		    const struct mad_defaults *defaults)
{
	const struct mad_term *term = mad_pattern_term(pattern, "class");
	const struct mad_class_info *info = pattern->class_info;
	const struct mad_class_info *agents;
	uint64_t number, known;

	if (term != NULL && term_number(term, env, &number, &known, NULL))
		return (int)number;
	if (info == NULL)
		return defaults->mgmt_class;
	if (mad_class_is_smp(info->mgmt_class)) {
		bool routed = mad_pattern_term(pattern, "path") != NULL ||
			      mad_pattern_term(pattern, "hop_cnt") != NULL ||
			      mad_pattern_term(pattern, "drslid") != NULL;

		return routed ? MAD_CLASS_SUBN_DR : MAD_CLASS_SUBN_LID;
	}
	if (info->mgmt_class == info->last)
		return info->mgmt_class;
	agents = defaults->mgmt_class < 0 ? NULL : mad_class_find((uint8_t)defaults->mgmt_class);
	return agents != NULL && strcmp(agents->prefix, info->prefix) == 0 ? defaults->mgmt_class :
									     -1;
}

static void build_header(const struct mad_pattern *pattern, int mgmt_class,
			 const struct mad_defaults *defaults, uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find((uint8_t)mgmt_class);
	const struct mad_term *path = mad_pattern_term(pattern, "path");

	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = (uint8_t)mgmt_class;
	mad[MAD_CLASS_VERSION] = info != NULL ? info->class_version : 1;
	if (mgmt_class == defaults->mgmt_class && defaults->class_version >= 0)
		mad[MAD_CLASS_VERSION] = (uint8_t)defaults->class_version;
	mad[MAD_METHOD] = pattern->method;
	put_be64(mad + MAD_TID, defaults->tid);
	if (pattern->attr_id >= 0)
		put_be16(mad + MAD_ATTR_ID, (uint16_t)pattern->attr_id);
	if (mad_class_is_vendor2((unsigned int)mgmt_class))
		put_be24(mad + VENDOR2_OUI, defaults->oui);
	if (mad_pattern_term(pattern, "rmpp") != NULL) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	}
	if (mgmt_class == MAD_CLASS_SUBN_DR) {
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
		if (path != NULL && path->value->kind == EXPR_SET)
			mad[SMP_HOP_CNT] = (uint8_t)path->value->items->len;
	}
}

bool mad_build(const struct mad_pattern *pattern, const struct mad_env *env,
	       const struct mad_defaults *defaults, struct mad_instance *ret, GString *reterr)
{
	int mgmt_class = class_of(pattern, env, defaults);

	if (mgmt_class < 0) {
		g_string_append(reterr, "the method stands for several classes: say class=");
		return false;
	}
	memset(ret->mad, 0, sizeof(ret->mad));
	build_header(pattern, mgmt_class, defaults, ret->mad);
	return mad_overlay(pattern, env, ret, reterr);
}

/* ---- comparing ---- */

static void append_number(GString *out, const struct mad_term *term, uint64_t value)
{
	enum term_format format = term->info != NULL ? term->info->format : TERM_NUMBER;
	const char *name = format == TERM_ERRNO && value < 4096 ? errno_name((int)value) : NULL;

	if (term->info == NULL && (term->field->format == MAD_FIELD_HEX ||
				   term->field->format == MAD_FIELD_GUID))
		format = TERM_HEX;
	if (name != NULL)
		g_string_append(out, name);
	else if (format == TERM_HEX || format == TERM_CLASS || format == TERM_FLAGS)
		g_string_append_printf(out, "0x%0*" G_GINT64_MODIFIER "x",
				       (int)(term_width(term) + 3) / 4, value);
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
}

static void append_where(GString *out, const struct mad_pattern *pattern,
			 const struct mad_term *term)
{
	unsigned int first, last;

	if (term->info != NULL && term->info->where != TERM_MAD &&
	    term->info->where != TERM_BYTES) {
		g_string_append_c(out, '\n');
		return;
	}
	first = mad_bit(pattern, term) / 8;
	last = (mad_bit(pattern, term) + term_width(term) - 1) / 8;
	if (first == last)
		g_string_append_printf(out, "  (byte %u)\n", first);
	else
		g_string_append_printf(out, "  (bytes %u..%u)\n", first, last);
}

static bool differs(GString *why, const struct mad_pattern *pattern, const struct mad_term *term,
		    uint64_t expected, uint64_t actual)
{
	if (why != NULL) {
		g_string_append_printf(why, "%s  expected ", term_name(term));
		append_number(why, term, expected);
		g_string_append(why, "  actual ");
		append_number(why, term, actual);
		append_where(why, pattern, term);
	}
	return false;
}

static bool same_address(const struct mad_instance *actual, enum term_where where,
			 const struct world_address *address)
{
	const struct packet_addr *addr = &actual->addr;
	uint16_t lid = where == TERM_TO ? addr->dlid : addr->slid;

	if (addr->has_grh && address->has_gid &&
	    memcmp(where == TERM_TO ? addr->dgid : addr->sgid, address->gid, 16) != 0)
		return false;
	return address->needs_grh ||
	       (lid >= address->lid && lid < address->lid + (1 << address->lmc));
}

static bool same_sender(const struct mad_instance *actual, const struct world_address *address)
{
	uint16_t lid = get_be16(actual->umad + 28);

	if (actual->umad[32] != 0 && address->has_gid &&
	    memcmp(actual->umad + 36, address->gid, 16) != 0)
		return false;
	return address->needs_grh ||
	       (lid >= address->lid && lid < address->lid + (1 << address->lmc));
}

static bool compare_role(const struct mad_pattern *pattern, const struct mad_term *term,
			 const struct mad_env *env, const struct mad_instance *actual, GString *why)
{
	struct world_address address;
	bool same;

	if (!env->address(env->ctx, term->value->text, &address)) {
		if (why != NULL)
			g_string_append_printf(why, "there is no port '%s'\n", term->value->text);
		return false;
	}
	if (pattern->use == MAD_RECEIVED)
		same = same_sender(actual, &address);
	else
		same = !actual->has_addr || same_address(actual, term->info->where, &address);
	if (!same && why != NULL)
		g_string_append_printf(why, "%s  expected %s (LID %u)  actual LID %u\n",
				       term_name(term), term->value->text, address.lid,
				       pattern->use == MAD_RECEIVED ? get_be16(actual->umad + 28) :
				       term->info->where == TERM_TO ? actual->addr.dlid :
								      actual->addr.slid);
	return same;
}

static bool compare_wide(const struct mad_pattern *pattern, const struct mad_term *term,
			 const struct mad_env *env, const struct mad_instance *actual, GString *why)
{
	struct mad_instance copy = *actual;
	uint8_t expected[SMP_PATH_SIZE * 4];
	const uint8_t *bytes = wide_bytes(pattern, term, &copy);
	unsigned int size = term_width(term) / 8;

	if (term_wide(term, env, expected) && memcmp(expected, bytes, size) == 0)
		return true;
	if (why == NULL)
		return false;
	g_string_append_printf(why, "%s  expected", term_name(term));
	for (unsigned int i = 0; i < size; i++)
		g_string_append_printf(why, " %02x", expected[i]);
	g_string_append(why, "  actual");
	for (unsigned int i = 0; i < size; i++)
		g_string_append_printf(why, " %02x", bytes[i]);
	append_where(why, pattern, term);
	return false;
}

/* What a whole message carries, or a MAD: then zeros follow. */
static bool compare_data(const struct mad_pattern *pattern, const struct mad_term *term,
			 const struct mad_env *env, const struct mad_instance *actual, GString *why)
{
	static const uint8_t zeros[MAD_SIZE];
	size_t at = mad_class_header_size(actual->mad[MAD_CLASS]);
	bool whole = pattern->use == MAD_HEADER;
	const uint8_t *found = whole ? actual->message : actual->mad;
	size_t found_size = whole ? actual->message_size : MAD_SIZE;
	const uint8_t *bytes;
	size_t size;

	if (whole)
		bytes = env->data(env->ctx, term->value->text, &size);
	else if (!data_piece(term, env, actual->mad[MAD_CLASS], &bytes, &size, why))
		bytes = NULL;
	if (bytes == NULL)
		return false;
	if (found == NULL || found_size < at || (whole && found_size - at != size)) {
		if (why != NULL)
			g_string_append_printf(why, "data  expected %zu bytes  actual %zu\n", size,
					       found_size < at ? 0 : found_size - at);
		return false;
	}
	if (memcmp(found + at, bytes, size) == 0 &&
	    (whole || memcmp(found + at + size, zeros, MAD_SIZE - at - size) == 0))
		return true;
	for (size_t i = 0; why != NULL && i < found_size - at; i++) {
		uint8_t byte = i < size ? bytes[i] : 0;

		if (found[at + i] == byte)
			continue;
		g_string_append_printf(why, "data  byte %zu  expected 0x%02x  actual 0x%02x\n", i, byte,
				       found[at + i]);
		break;
	}
	return false;
}

static bool compare_term(const struct mad_pattern *pattern, const struct mad_term *term,
			 const struct mad_env *env, const struct mad_instance *actual, GString *why)
{
	enum term_where where = term->info != NULL ? term->info->where : TERM_MAD;
	unsigned int width = term_width(term);
	uint64_t number, known, found, mask;

	if (where == TERM_TO || where == TERM_FROM)
		return compare_role(pattern, term, env, actual, why);
	if (where == TERM_ADDR && !actual->has_addr)
		return true;
	if (where == TERM_DATA)
		return compare_data(pattern, term, env, actual, why);
	if (width > 64)
		return compare_wide(pattern, term, env, actual, why);
	if (term->value->kind == EXPR_CAPTURE)
		return true;
	found = get_number(pattern, term, actual);
	if (!term_number(term, env, &number, &known, why)) {
		if (why != NULL)
			g_string_append_c(why, '\n');
		return false;
	}
	number |= implied_flags(pattern, term);
	mask = known & (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
	if (((number ^ found) & mask) == 0)
		return true;
	return differs(why, pattern, term, number & mask, found & mask);
}

/* A difference of what the method and the attribute say. */
static bool header_differs(GString *why, const char *what, const char *expected, const char *actual)
{
	if (why != NULL)
		g_string_append_printf(why, "%s  expected %s  actual %s\n", what, expected, actual);
	return false;
}

static bool compare_method(const struct mad_pattern *pattern, const uint8_t *mad, GString *why)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	bool named_class = mad_pattern_term(pattern, "class") != NULL;
	char expected[64], actual[64];

	if (mad_pattern_term(pattern, "method") != NULL)
		return true;
	if (mad[MAD_METHOD] == pattern->method &&
	    (named_class ||
	     (info != NULL && strcmp(info->prefix, pattern->class_info->prefix) == 0)))
		return true;
	mad_method_format(pattern->class_info->mgmt_class, pattern->method, expected,
			  sizeof(expected));
	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], actual, sizeof(actual));
	return header_differs(why, "method", expected, actual);
}

static bool compare_attribute(const struct mad_pattern *pattern, const uint8_t *mad, GString *why)
{
	uint16_t found = get_be16(mad + MAD_ATTR_ID);
	char expected[64], actual[64];

	if (pattern->attr_id < 0 || found == pattern->attr_id)
		return true;
	mad_attribute_format(pattern->class_info->mgmt_class, (uint16_t)pattern->attr_id, expected,
			     sizeof(expected));
	mad_attribute_format(mad[MAD_CLASS], found, actual, sizeof(actual));
	return header_differs(why, "attribute", expected, actual);
}

/* exact: what is not named is zero, but for what makes a MAD this MAD (class, method, tid, ...). */
static bool compare_rest(const struct mad_pattern *pattern, const uint8_t *mad, GString *why)
{
	uint8_t named[MAD_SIZE] = { 0 };
	bool same = true;

	memset(named, 1, MAD_STATUS);
	memset(named + MAD_TID, 1, 8);
	memset(named + MAD_ATTR_ID, 1, 2);
	if (mad_class_is_vendor2(mad[MAD_CLASS]))
		memset(named + VENDOR2_OUI, 1, 3);
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];
		unsigned int bit;

		if (term->info != NULL && term->info->where != TERM_MAD &&
		    term->info->where != TERM_BYTES && term->info->where != TERM_DATA)
			continue;
		if (term->info != NULL && term->info->where == TERM_DATA) {
			unsigned int data_at = mad_class_header_size(mad[MAD_CLASS]);

			memset(named + data_at, 1, MAD_SIZE - data_at);
			continue;
		}
		bit = mad_bit(pattern, term);
		for (unsigned int at = bit / 8; at <= (bit + term_width(term) - 1) / 8; at++)
			named[at] = 1;
	}
	for (unsigned int i = 0; i < MAD_SIZE; i++) {
		if (named[i] || mad[i] == 0)
			continue;
		same = false;
		if (why != NULL)
			g_string_append_printf(
				why, "exact: byte %u  expected 0x00  actual 0x%02x\n", i, mad[i]);
	}
	return same;
}

bool mad_compare(const struct mad_pattern *pattern, const struct mad_env *env,
		 const struct mad_instance *actual, GString *why)
{
	bool same = true;

	if (pattern->class_info != NULL) {
		same &= compare_method(pattern, actual->mad, why);
		same &= compare_attribute(pattern, actual->mad, why);
	}
	for (guint i = 0; i < pattern->terms->len; i++)
		same &= compare_term(pattern, pattern->terms->pdata[i], env, actual, why);
	if (pattern->exact)
		same &= compare_rest(pattern, actual->mad, why);
	if (same)
		capture_built(pattern, env, actual);
	return same;
}

char *mad_summary(const uint8_t mad[MAD_SIZE])
{
	char method[64], attribute[64];
	GString *out = g_string_new(NULL);

	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], method, sizeof(method));
	mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), attribute,
			     sizeof(attribute));
	g_string_append_printf(out, "%s(%s)", method, attribute);
	if (mad_class_find(mad[MAD_CLASS]) == NULL ||
	    mad_class_find(mad[MAD_CLASS])->mgmt_class != mad_class_find(mad[MAD_CLASS])->last)
		g_string_append_printf(out, " class=0x%02x", mad[MAD_CLASS]);
	g_string_append_printf(out, " tid=0x%016" G_GINT64_MODIFIER "x", get_be64(mad + MAD_TID));
	if (get_be16(mad + MAD_STATUS) != 0)
		g_string_append_printf(out, " status=0x%04x", get_be16(mad + MAD_STATUS));
	return g_string_free(out, FALSE);
}
