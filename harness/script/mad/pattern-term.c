/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A named field of a pattern: its name, its width, and the words for its values.
 */
#include "harness/script/mad/pattern.h"

#include <string.h>

const char *term_name(const struct mad_term *term)
{
	return term->info ? term->info->name : term->field->name;
}

unsigned int term_width(const struct mad_term *term)
{
	if (!term->info)
		return term->field->width;
	if (term->info->where == TERM_BYTES)
		return (term->last - term->first + 1) * 8;
	return term->info->width;
}

static bool attribute_word(const struct mad_field *field, const char *text, uint64_t *ret)
{
	const struct mad_field_name *name = field->names;

	if (field->format == MAD_FIELD_BOOL &&
	    (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0)) {
		*ret = text[0] == 'y';
		return true;
	}
	for (; name && name->name != NULL; name++) {
		if (strcmp(name->name, text) == 0) {
			*ret = name->value;
			return true;
		}
	}
	return false;
}

bool term_word(const struct mad_term *term, const char *text, uint64_t *ret)
{
	if (!term->info)
		return attribute_word(term->field, text, ret);
	if (term_info_word(term->info, text, ret))
		return true;
	if (term->info->format != TERM_ERRNO || errno_by_name(text) == 0)
		return false;
	*ret = (uint64_t)errno_by_name(text);
	return true;
}
