/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The values of fields, as scripts have them: see harness/script/mad/mad-write.h.
 */
#include "harness/script/mad/mad-write.h"

#include <arpa/inet.h>
#include <string.h>

#include "harness/script/mad/term-value.h"
#include "harness/script/mad/term-words.h"

void quoted_write(GString *out, const char *text, size_t size)
{
	g_string_append_c(out, '"');
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte == '"' || byte == '\\')
			g_string_append_printf(out, "\\%c", byte);
		else if (byte == '\n')
			g_string_append(out, "\\n");
		else if (byte < ' ' || byte >= 0x7f)
			g_string_append_printf(out, "\\x%02x", byte);
		else
			g_string_append_c(out, (char)byte);
	}
	g_string_append_c(out, '"');
}

/* ---- numbers ---- */

static bool is_hex(const struct mad_term *term)
{
	if (term->info)
		return term->info->format == TERM_HEX || term->info->format == TERM_CLASS ||
		       term->info->format == TERM_FLAGS || term->info->format == TERM_CRC;
	return term->field->format == MAD_FIELD_HEX || term->field->format == MAD_FIELD_GUID ||
	       term->field->format == MAD_FIELD_FLAGS || term->field->format == MAD_FIELD_BYTES ||
	       term->field->format == MAD_FIELD_STRING;
}

/* The word of the value; false if it has none that means it, and it alone. */
static bool write_word(GString *out, const struct mad_term *term, uint64_t value)
{
	g_autoptr(GString) word = g_string_new(NULL);
	bool flags = term->info && term->info->format == TERM_FLAGS;
	uint64_t meant;

	if (!term_append_word(word, term, value))
		return false;
	if (!flags &&
	    (!is_script_word(word->str) || !term_word(term, word->str, &meant) || meant != value))
		return false;
	if (flags && value == 0)
		return false;
	g_string_append(out, word->str);
	return true;
}

static void write_number(GString *out, const struct mad_term *term, uint64_t value)
{
	const char *name = term->info && term->info->format == TERM_ERRNO && value < 4096 ?
			   errno_name((int)value) : NULL;

	if (name)
		g_string_append(out, name);
	else if (write_word(out, term, value))
		return;
	else if (is_hex(term) && value > 9)
		g_string_append_printf(out, "0x%0*" G_GINT64_MODIFIER "x",
				       (int)(term_width(term) + 3) / 4, value);
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
}

/* ---- what is more than a number ---- */

/* Bytes in braces; zeros at the end are left out: the rest of the field is zero. */
static void write_set(GString *out, const uint8_t *bytes, size_t size, bool hex)
{
	while (size > 0 && bytes[size - 1] == 0)
		size--;
	g_string_append_c(out, '{');
	for (size_t i = 0; i < size; i++)
		g_string_append_printf(out, hex ? "%s0x%02x" : "%s%u", i > 0 ? ", " : "", bytes[i]);
	g_string_append_c(out, '}');
}

/* Is it text, with nothing but zeros behind it? */
static bool is_text(const uint8_t *bytes, size_t size, size_t *ret_size)
{
	const uint8_t *end = memchr(bytes, 0, size);

	*ret_size = end ? (size_t)(end - bytes) : size;
	for (size_t i = *ret_size; i < size; i++) {
		if (bytes[i] != 0)
			return false;
	}
	return *ret_size > 0;
}

static bool write_wide(GString *out, const struct mad_term *term, const uint8_t *bytes)
{
	size_t size = term_width(term) / 8, text_size;
	bool is_gid = (term->info && term->info->format == TERM_GID) ||
		      (term->field && term->field->format == MAD_FIELD_GID);
	char gid[INET6_ADDRSTRLEN];

	if (is_gid && size == 16) {
		g_string_append_printf(out, "\"%s\"",
				       inet_ntop(AF_INET6, bytes, gid, sizeof(gid)));
		return true;
	}
	if (term->field && term->field->format == MAD_FIELD_STRING &&
	    is_text(bytes, size, &text_size)) {
		quoted_write(out, (const char *)bytes, text_size);
		return true;
	}
	if (term->info && term->info->format == TERM_PATH) {
		/* The first byte of a path is not a hop. */
		if (bytes[0] != 0)
			return false;
		write_set(out, bytes + 1, size - 1, false);
		return true;
	}
	write_set(out, bytes, size, true);
	return true;
}

bool term_write(GString *out, const struct mad_pattern *pattern, const struct mad_term *term,
		const struct mad_instance *instance)
{
	struct mad_instance copy;
	enum term_where where = term->info ? term->info->where : TERM_MAD;

	if (where == TERM_TO || where == TERM_FROM || where == TERM_DATA || where == TERM_WIRE)
		return false;
	if (term_width(term) > 64) {
		copy = *instance;
		return write_wide(out, term, term_bytes(pattern, term, &copy));
	}
	write_number(out, term, term_get(pattern, term, instance) & ~term_implied(pattern, term));
	return true;
}
