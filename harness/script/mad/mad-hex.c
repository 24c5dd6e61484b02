/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The bytes in which a MAD differs: see harness/script/mad/mad-hex.h.
 */
#include "harness/script/mad/mad-hex.h"

#include <string.h>

#include "harness/script/mad/hex-ruler.h"
#include "harness/script/mad/term-value.h"
#include "harness/script/mad/whole-packet.h"

/* A MAD as it was expected, and which bytes of it belong to fields that differ. */
struct wanted {
	uint8_t mad[MAD_SIZE];
	bool fields[MAD_SIZE];
};

static void mark(struct wanted *wanted, size_t first, size_t last)
{
	memset(wanted->fields + first, true, last - first + 1);
}

static void want_data(struct wanted *wanted, const struct mad_term *term,
		      const struct mad_env *env, const struct mad_instance *actual)
{
	size_t at = mad_class_header_size(actual->mad[MAD_CLASS]), size;
	const uint8_t *bytes;

	if (!term_piece(term, env, actual->mad[MAD_CLASS], &bytes, &size, NULL))
		return;
	memcpy(wanted->mad + at, bytes, size);
	memset(wanted->mad + at + size, 0, MAD_SIZE - at - size);
	for (size_t i = at; i < MAD_SIZE; i++)
		wanted->fields[i] |= wanted->mad[i] != actual->mad[i];
}

static void want_number(struct wanted *wanted, const struct mad_pattern *pattern,
			const struct mad_term *term, const struct mad_env *env,
			const struct mad_instance *actual)
{
	struct mad_instance copy;
	uint64_t number, known;

	if (!term_number(term, env, &number, &known, NULL))
		return;
	memcpy(copy.mad, wanted->mad, MAD_SIZE);
	number |= term_implied(pattern, term);
	term_set(pattern, term, &copy,
		 (number & known) | (term_get(pattern, term, actual) & ~known));
	memcpy(wanted->mad, copy.mad, MAD_SIZE);
}

static void want_term(struct wanted *wanted, const struct mad_pattern *pattern,
		      const struct mad_term *term, const struct mad_env *env,
		      const struct mad_instance *actual)
{
	enum term_where where = term->info ? term->info->where : TERM_MAD;
	unsigned int bit, width = term_width(term);
	uint8_t wide[SMP_PATH_SIZE * 4];

	if (mad_compare_term(pattern, term, env, actual, NULL))
		return;
	if (where == TERM_DATA && pattern->use != MAD_HEADER)
		want_data(wanted, term, env, actual);
	if (where != TERM_MAD && where != TERM_BYTES)
		return;
	bit = term_bit(pattern, term);
	if (width <= 64)
		want_number(wanted, pattern, term, env, actual);
	else if (term_wide(term, env, wide))
		memcpy(wanted->mad + bit / 8, wide, width / 8);
	mark(wanted, bit / 8, (bit + width - 1) / 8);
}

static void want_header(struct wanted *wanted, const struct mad_pattern *pattern,
			const uint8_t *mad)
{
	if (!pattern->class_info)
		return;
	if (!mad_pattern_term(pattern, "method") && mad[MAD_METHOD] != pattern->method) {
		wanted->mad[MAD_METHOD] = pattern->method;
		mark(wanted, MAD_METHOD, MAD_METHOD);
	}
	if (pattern->attr_id >= 0 && get_be16(mad + MAD_ATTR_ID) != pattern->attr_id) {
		put_be16(wanted->mad + MAD_ATTR_ID, (uint16_t)pattern->attr_id);
		mark(wanted, MAD_ATTR_ID, MAD_ATTR_ID + 1);
	}
}

/* The data of a whole message. */
static void message_hex(const struct mad_pattern *pattern, const struct mad_env *env,
			const struct mad_instance *actual, GString *out)
{
	const struct mad_term *term = mad_pattern_term(pattern, "data");
	size_t at = mad_class_header_size(actual->mad[MAD_CLASS]), size;
	const uint8_t *bytes;

	if (!term || !actual->message || actual->message_size < at ||
	    mad_compare_term(pattern, term, env, actual, NULL))
		return;
	bytes = env->data(env->ctx, term->value->text, &size);
	if (bytes)
		hex_ruler(out, bytes, size, actual->message + at, actual->message_size - at, NULL);
}

void mad_hex(const struct mad_pattern *pattern, const struct mad_env *env,
	     const struct mad_instance *actual, GString *out)
{
	struct wanted wanted = { .fields = { false } };

	if (pattern->packet) {
		packet_hex(pattern, env, actual, out);
		return;
	}
	memcpy(wanted.mad, actual->mad, MAD_SIZE);
	want_header(&wanted, pattern, actual->mad);
	for (guint i = 0; i < pattern->terms->len; i++)
		want_term(&wanted, pattern, pattern->terms->pdata[i], env, actual);
	hex_ruler(out, wanted.mad, MAD_SIZE, actual->mad, MAD_SIZE, wanted.fields);
	if (pattern->use == MAD_HEADER)
		message_hex(pattern, env, actual, out);
}
