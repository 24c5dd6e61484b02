/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a lie is about, in words. See sim/fabric/lie.h.
 */
#include "sim/fabric/lie.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/wire.h"
#include "lib/words/number.h"
#include "sim/dictionary/mad-header.h"
#include "sim/dictionary/wireshark.h"

/* The words that fill in a value. */
static const char random_word[] = "random";

static const char *const kinds[] = {
#define ROW(name, word, help) #word,
	LIE_KINDS(ROW)
#undef ROW
	NULL,
};

const char *lie_kind_word(unsigned int at, const char **ret_help)
{
	static const char *const helps[] = {
#define ROW(name, word, help) help,
		LIE_KINDS(ROW)
#undef ROW
	};

	if (at >= G_N_ELEMENTS(helps))
		return NULL;
	*ret_help = helps[at];
	return kinds[at];
}

bool lie_kind_find(const char *word, enum lie_kind *ret_kind)
{
	for (unsigned int i = 0; kinds[i]; i++) {
		if (strcmp(kinds[i], word) != 0)
			continue;
		*ret_kind = (enum lie_kind)(LIE_ANY + i);
		return true;
	}
	return false;
}

const char *lie_kind_near(const char *word)
{
	return mad_closest(word, kinds);
}

bool lie_names_field(const char *word)
{
	const char *dot = strchr(word, '.'), *equals = strchr(word, '=');

	return dot && dot < equals && !g_str_has_prefix(word, "tid.");
}

/* ---- what is never changed ---- */

bool lie_may_change(unsigned int mgmt_class, unsigned int bit, unsigned int width)
{
	static const struct needed {
		bool is_directed;	/* in directed routes only */
		unsigned int bit, width;
	} needed[] = {
		{ false, 0, MAD_STATUS * 8 },
		{ true, MAD_STATUS * 8, 1 },	/* D */
		{ true, SMP_HOP_PTR * 8, 16 },
		{ true, SMP_DR_SLID * 8, 32 },
		{ true, SMP_RETURN_PATH * 8, SMP_PATH_SIZE * 8 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(needed); i++) {
		if ((!needed[i].is_directed || mgmt_class == MAD_CLASS_SUBN_DR) &&
		    bit < needed[i].bit + needed[i].width && needed[i].bit < bit + width)
			return false;
	}
	return true;
}

/* ---- looking up ---- */

struct name {
	const char *text;		/* "NodeInfo.LocalPort" */
	char *owner, *field, *value;
	char *reterr;
	size_t reterr_size;
};

static int fail(const struct name *name, const char *format, ...) G_GNUC_PRINTF(2, 3);

static int fail(const struct name *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_vsnprintf(name->reterr, (gulong)name->reterr_size, format, args);
	va_end(args);
	return -EINVAL;
}

static int unknown(const struct name *name, const char *what, const char *word,
		   const char *suggestion)
{
	return fail(name, "%s '%s'%s%s%s", what, word, suggestion ? ": did you mean '" : "",
		    suggestion ? suggestion : "", suggestion ? "'?" : "; umadrig fields has all");
}

static const struct mad_header *find_header(const char *owner)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		if (header->base == MAD_HEADER_OF_MAD &&
		    g_ascii_strcasecmp(header->name, owner) == 0)
			return header;
	}
	return NULL;
}

/* By the last part of what Wireshark calls it: NodeInfo.LocalPortNum is LocalPort. */
static const struct mad_field *wireshark_field(const struct mad_class_info *info,
					       const struct mad_attribute *attribute,
					       const char *name)
{
	g_autoptr(GArray) spans = wireshark_spans(info->mgmt_class, attribute->id);

	for (guint i = 0; i < spans->len; i++) {
		const struct wireshark_span *span = &g_array_index(spans, struct wireshark_span, i);

		if (g_ascii_strcasecmp(strrchr(span->name, '.') + 1, name) != 0)
			continue;
		for (const struct mad_field *f = attribute->fields; f->name; f++) {
			if (f->bit == span->bit && f->width == span->width)
				return f;
		}
	}
	return NULL;
}

/* The next class after '*at' that has the field; NULL: none. '*owner' is the attribute's name. */
static const struct mad_field *next_field(const struct name *name,
					  const struct mad_class_info **at, const char **owner)
{
	for (; (*at)->prefix; (*at)++) {
		const struct mad_attribute *attribute =
			mad_attribute_by_name(*at, name->owner, NULL);
		const struct mad_field *field;

		if (!attribute || !attribute->fields)
			continue;
		field = mad_field_by_name(attribute, name->field, NULL);
		if (!field)
			field = wireshark_field(*at, attribute, name->field);
		if (!field)
			continue;
		*owner = attribute->name;
		(*at)++;
		return field;
	}
	return NULL;
}

/* The attribute is known, but not its field; or the attribute is not known, either. */
static int no_field(const struct name *name)
{
	g_autoptr(GPtrArray) owners = g_ptr_array_new();
	const char *suggestion = NULL;

	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		const struct mad_attribute *a = mad_attribute_by_name(info, name->owner, NULL);

		if (a) {
			g_autofree char *what = g_strdup_printf("%s has no field", a->name);

			mad_field_by_name(a, name->field, &suggestion);
			return unknown(name, what, name->field, suggestion);
		}
		for (a = info->attributes; a->name; a++)
			g_ptr_array_add(owners, (gpointer)a->name);
	}
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		if (header->base == MAD_HEADER_OF_MAD)
			g_ptr_array_add(owners, (gpointer)header->name);
	}
	g_ptr_array_add(owners, NULL);
	suggestion = mad_closest(name->owner, (const char *const *)owners->pdata);
	return unknown(name, "there is no attribute or header", name->owner, suggestion);
}

/* ---- values ---- */

static int parse_value(const struct name *name, const struct mad_field *field, struct lie *lie)
{
	const char *text = name->value;
	bool is_more = text[0] == '+' || text[0] == '-';
	uint64_t value;
	int err;

	if (strcmp(text, random_word) == 0) {
		lie->how = LIE_DRAWN;
		return 0;
	}
	if (!mad_field_is_number(field))
		return fail(name, "%s.%s is no number: write %s.%s=%s", lie->owner, field->name,
			    lie->owner, field->name, random_word);
	lie->how = is_more ? LIE_MORE : LIE_VALUE;
	err = number_parse(text + is_more, 0, mad_field_max(field), &value);
	if (err == -ERANGE)
		return fail(name, "'%s' does not fit into %s.%s, which has %u bit%s: at most %"
			    PRIu64, text, lie->owner, field->name, field->width,
			    field->width == 1 ? "" : "s", mad_field_max(field));
	if (err < 0 && (is_more || !mad_field_parse_name(field, text, &value)))
		return fail(name, "'%s': expected a number, +1, -1%s or %s", text,
			    field->names ? ", one of its names" : "", random_word);
	if (is_more && value == 0)
		return fail(name, "'%s' changes nothing", text);
	lie->value = text[0] == '-' ? -value : value;
	return 0;
}

static int parse_header(const struct name *name, const struct mad_header *header, struct lie *lie)
{
	struct mad_attribute fields = { .name = header->name, .fields = header->fields };
	const char *suggestion;
	const struct mad_field *field = mad_field_by_name(&fields, name->field, &suggestion);
	g_autofree char *what = g_strdup_printf("%s has no field", header->name);

	if (!field)
		return unknown(name, what, name->field, suggestion);
	/* Of Status the lowest 15 bits are SMPStatus in a directed route: they can be. */
	if (!lie_may_change(header->applies(MAD_CLASS_SUBN_ADM) ? 0 : MAD_CLASS_SUBN_DR, field->bit,
			    field->width))
		return fail(name, "%s.%s is needed to get the answer where it goes: it is never "
			    "changed", header->name, field->name);
	lie->owner = header->name;
	lie->name = field->name;
	lie->header = field;
	return parse_value(name, field, lie);
}

static int parse_attribute(const struct name *name, struct lie *lie)
{
	const struct mad_class_info *at = mad_dictionary();
	const struct mad_field *field = next_field(name, &at, &lie->owner);
	int ret = field ? -EINVAL : no_field(name);

	/* Classes that have the attribute may have other fields in it. */
	for (; field && ret < 0; field = next_field(name, &at, &lie->owner)) {
		lie->name = field->name;
		ret = parse_value(name, field, lie);
	}
	return ret;
}

static int parse_kind(const struct name *name, struct lie *lie)
{
	if (strchr(name->text, '.'))
		return fail(name, "'%s': a field has a value, as in %s=1, %s=+1 or %s=%s",
			    name->text, name->text, name->text, name->text, random_word);
	if (lie_kind_find(name->text, &lie->kind))
		return 0;
	return unknown(name, "there is no kind of lie", name->text,
		       lie_kind_near(name->text));
}

int lie_parse(const char *text, struct lie *ret_lie, char *reterr, size_t reterr_size)
{
	const char *equals = strchr(text, '=');
	g_auto(GStrv) parts = NULL;
	g_autofree char *front = equals ? g_strndup(text, (gsize)(equals - text)) : NULL;
	struct name name = { .text = text, .reterr = reterr, .reterr_size = reterr_size };
	struct lie lie = { .kind = LIE_FIELD };
	const struct mad_header *header;
	int ret;

	if (!equals) {
		ret = parse_kind(&name, &lie);
	} else {
		parts = g_strsplit(front, ".", 2);
		if (!parts[0] || !parts[1])
			return fail(&name, "'%s': expected an attribute and its field, as in "
				    "NodeInfo.LocalPort=255", text);
		name.owner = parts[0];
		name.field = parts[1];
		name.value = (char *)equals + 1;
		header = find_header(name.owner);
		ret = header ? parse_header(&name, header, &lie) : parse_attribute(&name, &lie);
	}
	if (ret == 0)
		*ret_lie = lie;
	return ret;
}
