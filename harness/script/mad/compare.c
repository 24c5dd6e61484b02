/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Compares MADs with what a script says about them.
 */
#include <string.h>

#include "harness/script/mad/term-value.h"
#include "harness/script/mad/term-words.h"
#include "harness/script/mad/whole-packet.h"
#include "lib/base/user-header.h"

/* How many bytes that 'exact' does not allow are listed. */
enum { EXACT_LISTED = 8 };

static void append_number(GString *out, const struct mad_term *term, uint64_t value)
{
	enum term_format format = term->info ? term->info->format : TERM_NUMBER;
	const char *name = format == TERM_ERRNO && value < 4096 ? errno_name((int)value) : NULL;

	if (!term->info && (term->field->format == MAD_FIELD_HEX ||
				   term->field->format == MAD_FIELD_GUID))
		format = TERM_HEX;
	if (name)
		g_string_append(out, name);
	else if (format == TERM_HEX || format == TERM_CLASS || format == TERM_FLAGS)
		g_string_append_printf(out, "0x%0*" G_GINT64_MODIFIER "x",
				       (int)(term_width(term) + 3) / 4, value);
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
}

/* What a number means that scripts have no word for, or NULL. */
static const char *meaning(const struct mad_term *term, uint64_t value)
{
	const struct mad_class_info *info;

	if (!term->info || term->info->where != TERM_MAD)
		return NULL;
	if (term->info->bit == MAD_STATUS * 8)
		return mad_status_words((uint16_t)value);
	if (term->info->format != TERM_CLASS)
		return NULL;
	info = mad_class_find((uint8_t)value);
	return info ? info->name : NULL;
}

/* "Active", or a number and what it means; what came is "Init (2)". */
static void append_value(GString *out, const struct mad_term *term, uint64_t value, bool both)
{
	g_autoptr(GString) word = g_string_new(NULL);
	const char *means = meaning(term, value);

	if (!term_append_word(word, term, value)) {
		append_number(out, term, value);
		if (means)
			g_string_append_printf(out, " (%s)", means);
		return;
	}
	g_string_append(out, word->str);
	if (!both)
		return;
	g_string_append(out, " (");
	append_number(out, term, value);
	g_string_append_c(out, ')');
}

static void append_where(GString *out, const struct mad_pattern *pattern,
			 const struct mad_term *term)
{
	unsigned int first, last;

	if (term->info && term->info->where != TERM_MAD &&
	    term->info->where != TERM_BYTES) {
		g_string_append_c(out, '\n');
		return;
	}
	first = term_bit(pattern, term) / 8;
	last = (term_bit(pattern, term) + term_width(term) - 1) / 8;
	if (first == last)
		g_string_append_printf(out, "  (byte %u)\n", first);
	else
		g_string_append_printf(out, "  (bytes %u..%u)\n", first, last);
}

static bool differs(GString *why, const struct mad_pattern *pattern, const struct mad_term *term,
		    uint64_t expected, uint64_t actual)
{
	if (why) {
		g_string_append_printf(why, "%s  expected ", term_name(term));
		append_value(why, term, expected, false);
		g_string_append(why, "  actual ");
		append_value(why, term, actual, true);
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
	uint16_t lid = get_be16(actual->umad + USER_LID_BE);

	if (actual->umad[USER_GRH_PRESENT] != 0 && address->has_gid &&
	    memcmp(actual->umad + USER_GID, address->gid, 16) != 0)
		return false;
	return address->needs_grh ||
	       (lid >= address->lid && lid < address->lid + (1 << address->lmc));
}

/* "LID 2 (peer)" */
static void append_role(GString *out, const struct mad_env *env, uint16_t lid)
{
	static const char *const roles[] = { "self", "peer" };
	struct world_address address;

	g_string_append_printf(out, "LID %u", lid);
	for (size_t i = 0; i < G_N_ELEMENTS(roles); i++) {
		if (env->address(env->ctx, roles[i], &address) && !address.needs_grh &&
		    lid >= address.lid && lid < address.lid + (1 << address.lmc))
			g_string_append_printf(out, " (%s)", roles[i]);
	}
}

static bool compare_role(const struct mad_pattern *pattern, const struct mad_term *term,
			 const struct mad_env *env, const struct mad_instance *actual, GString *why)
{
	struct world_address address;
	bool same;

	if (!env->address(env->ctx, term->value->text, &address)) {
		if (why)
			g_string_append_printf(why, "there is no port '%s'\n", term->value->text);
		return false;
	}
	if (pattern->use == MAD_RECEIVED)
		same = same_sender(actual, &address);
	else
		same = !actual->has_addr || same_address(actual, term->info->where, &address);
	if (same || !why)
		return same;
	g_string_append_printf(why, "%s  expected %s (LID %u)  actual ", term_name(term),
			       term->value->text, address.lid);
	append_role(why, env, pattern->use == MAD_RECEIVED ? get_be16(actual->umad + USER_LID_BE) :
		    term->info->where == TERM_TO ? actual->addr.dlid : actual->addr.slid);
	g_string_append_c(why, '\n');
	return same;
}

static bool compare_wide(const struct mad_pattern *pattern, const struct mad_term *term,
			 const struct mad_env *env, const struct mad_instance *actual, GString *why)
{
	struct mad_instance copy = *actual;
	uint8_t expected[SMP_PATH_SIZE * 4];
	const uint8_t *bytes = term_bytes(pattern, term, &copy);
	unsigned int size = term_width(term) / 8;

	if (term_wide(term, env, expected) && memcmp(expected, bytes, size) == 0)
		return true;
	if (!why)
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

/* The data of a whole message, or of a MAD, in which zeros follow. */
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
	else if (!term_piece(term, env, actual->mad[MAD_CLASS], &bytes, &size, why))
		bytes = NULL;
	if (!bytes)
		return false;
	if (!found || found_size < at || (whole && found_size - at != size)) {
		if (why)
			g_string_append_printf(why, "data  expected %zu bytes  actual %zu\n", size,
					       found_size < at ? 0 : found_size - at);
		return false;
	}
	if (memcmp(found + at, bytes, size) == 0 &&
	    (whole || memcmp(found + at + size, zeros, MAD_SIZE - at - size) == 0))
		return true;
	for (size_t i = 0; why && i < found_size - at; i++) {
		uint8_t byte = i < size ? bytes[i] : 0;

		if (found[at + i] == byte)
			continue;
		g_string_append_printf(why, "data  byte %zu  expected 0x%02x  actual 0x%02x\n", i,
				       byte, found[at + i]);
		break;
	}
	return false;
}

bool mad_compare_term(const struct mad_pattern *pattern, const struct mad_term *term,
		      const struct mad_env *env, const struct mad_instance *actual, GString *why)
{
	enum term_where where = term->info ? term->info->where : TERM_MAD;
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
	if (!term_number(term, env, &number, &known, why)) {
		if (why)
			g_string_append_c(why, '\n');
		return false;
	}
	if (where == TERM_WIRE)
		return packet_compare_term(term, number, actual, why);
	found = term_get(pattern, term, actual);
	number |= term_implied(pattern, term);
	mask = known & (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
	if (((number ^ found) & mask) == 0)
		return true;
	return differs(why, pattern, term, number & mask, found & mask);
}

/* A difference in the method or the attribute. */
static bool header_differs(GString *why, const char *what, const char *expected, const char *actual)
{
	if (why)
		g_string_append_printf(why, "%s  expected %s  actual %s\n", what, expected, actual);
	return false;
}

static bool compare_method(const struct mad_pattern *pattern, const uint8_t *mad, GString *why)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	bool named_class = mad_pattern_term(pattern, "class") != NULL;
	char expected[64], actual[64];

	if (mad_pattern_term(pattern, "method"))
		return true;
	if (mad[MAD_METHOD] == pattern->method &&
	    (named_class ||
	     (info && strcmp(info->prefix, pattern->class_info->prefix) == 0)))
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

/* Sets the bits of the MAD that the term names. */
static void name_bits(const struct mad_pattern *pattern, const struct mad_term *term,
		      uint8_t mgmt_class, uint8_t named[MAD_SIZE])
{
	unsigned int data_at = mad_class_header_size(mgmt_class), first;

	if (term->info && term->info->where == TERM_DATA) {
		memset(named + data_at, 0xff, MAD_SIZE - data_at);
		return;
	}
	if (term->info && term->info->where != TERM_MAD && term->info->where != TERM_BYTES)
		return;
	first = term_bit(pattern, term);
	for (unsigned int bit = first; bit < first + term_width(term); bit++)
		named[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
}

/*
 * exact: what is not named is as the words imply, mostly zero, except for the fields that identify
 * the MAD (class, method, tid, ...).
 */
static bool compare_rest(const struct mad_pattern *pattern, const uint8_t *mad, GString *why)
{
	const struct mad_defaults defaults = { .mgmt_class = -1, .class_version = -1 };
	uint8_t named[MAD_SIZE] = { 0 }, implied[MAD_SIZE] = { 0 };
	unsigned int others = 0;

	mad_build_header(pattern, mad[MAD_CLASS], &defaults, implied);
	memset(named, 0xff, MAD_STATUS);
	memset(named + MAD_TID, 0xff, 8);
	memset(named + MAD_ATTR_ID, 0xff, 2);
	if (mad_class_is_vendor2(mad[MAD_CLASS]))
		memset(named + VENDOR2_OUI, 0xff, 3);
	for (guint i = 0; i < pattern->terms->len; i++)
		name_bits(pattern, pattern->terms->pdata[i], mad[MAD_CLASS], named);
	for (unsigned int i = 0; i < MAD_SIZE; i++) {
		if (((mad[i] ^ implied[i]) & ~named[i]) == 0)
			continue;
		if (why && others++ < EXACT_LISTED)
			g_string_append_printf(
				why, "exact: byte %u  expected 0x%02x  actual 0x%02x\n", i,
				(implied[i] & ~named[i]) | (mad[i] & named[i]), mad[i]);
		if (!why)
			return false;
	}
	if (others > EXACT_LISTED)
		g_string_append_printf(why, "exact: %u bytes more are not 0\n",
				       others - EXACT_LISTED);
	return others == 0;
}

/* What differs is put right, if 'env' says so, and then not part of 'why', which had 'before'. */
static bool amend(const struct mad_pattern *pattern, const struct mad_term *term,
		  const struct mad_env *env, const struct mad_instance *actual, GString *why,
		  size_t before)
{
	if (!why || !env->amend || !env->amend(env->ctx, pattern, term, actual))
		return false;
	g_string_truncate(why, before);
	return true;
}

bool mad_compare(const struct mad_pattern *pattern, const struct mad_env *env,
		 const struct mad_instance *actual, GString *why)
{
	bool same = true;

	if (pattern->packet)
		return packet_compare(pattern, env, actual, why);
	if (pattern->class_info) {
		same &= compare_method(pattern, actual->mad, why);
		same &= compare_attribute(pattern, actual->mad, why);
	}
	if (!same)
		amend(pattern, NULL, env, actual, why, 0);
	for (guint i = 0; i < pattern->terms->len; i++) {
		size_t before = why ? why->len : 0;

		same &= mad_compare_term(pattern, pattern->terms->pdata[i], env, actual, why) ||
			amend(pattern, pattern->terms->pdata[i], env, actual, why, before);
	}
	if (pattern->exact && !compare_rest(pattern, actual->mad, why)) {
		amend(pattern, NULL, env, actual, why, 0);
		same = false;
	}
	if (same)
		terms_capture(pattern, env, actual);
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
	if (!mad_class_find(mad[MAD_CLASS]) ||
	    mad_class_find(mad[MAD_CLASS])->mgmt_class != mad_class_find(mad[MAD_CLASS])->last)
		g_string_append_printf(out, " class=0x%02x", mad[MAD_CLASS]);
	g_string_append_printf(out, " tid=0x%016" G_GINT64_MODIFIER "x", get_be64(mad + MAD_TID));
	if (get_be16(mad + MAD_STATUS) != 0)
		g_string_append_printf(out, " status=0x%04x", get_be16(mad + MAD_STATUS));
	return g_string_free(out, false);
}
