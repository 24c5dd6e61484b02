/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Selects parts of the dictionary. See harness/fields/selection.h.
 */
#include "harness/fields/selection.h"

#include <string.h>

#include "harness/base/command.h"

/* A class by its own name or its methods' prefix: "Subn" is both classes of subnet management. */
static bool is_class(const char *word, const struct mad_class_info *info)
{
	return g_ascii_strcasecmp(word, info->name) == 0 ||
	       g_ascii_strcasecmp(word, info->prefix) == 0 ||
	       (strcmp(word, "SA") == 0 && strcmp(info->name, "SUBN_ADM") == 0);
}

static bool is_header(const char *word, const struct mad_header *header)
{
	return g_ascii_strcasecmp(word, header->name) == 0;
}

/* As in scripts, case and underscores do not matter. */
static bool is_attribute(const char *word, const struct mad_class_info *info,
			 const struct mad_attribute *attribute)
{
	return mad_attribute_by_name(info, word, NULL) == attribute;
}

static bool is_known(const char *word)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++)
		if (is_header(word, header))
			return true;
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		if (is_class(word, info) || mad_attribute_by_name(info, word, NULL))
			return true;
	return false;
}

/* Every name, for "did you mean". */
static const char *suggest(const char *word)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		g_ptr_array_add(names, (char *)info->name);
		for (const struct mad_attribute *a = info->attributes; a->name; a++)
			g_ptr_array_add(names, (char *)a->name);
	}
	for (const struct mad_header *header = mad_headers(); header->name; header++)
		g_ptr_array_add(names, (char *)header->name);
	g_ptr_array_add(names, NULL);
	return mad_closest(word, (const char *const *)names->pdata);
}

struct fields_selection *fields_selection_new(char *const *words, GError **error)
{
	struct fields_selection *selection = g_new0(struct fields_selection, 1);

	selection->words = g_ptr_array_new();
	for (; words && *words; words++) {
		const struct mad_attribute *attribute;
		const char *closest;

		g_ptr_array_add(selection->words, *words);
		if (is_known(*words))
			continue;
		closest = suggest(*words);
		attribute = closest ? NULL : mad_attribute_with_field(*words);
		if (attribute)
			g_set_error(error, COMMAND_ERROR, COMMAND_USAGE, "'%s' is a field of %s: "
				    "'umadrig fields %s' has it", *words, attribute->name,
				    attribute->name);
		else
			g_set_error(error, COMMAND_ERROR, COMMAND_USAGE,
				    "no attribute, header or class is called '%s'%s%s%s", *words,
				    closest ? ": did you mean '" : "; without a name all are "
				    "listed", closest ? closest : "", closest ? "'?" : "");
		fields_selection_free(selection);
		return NULL;
	}
	return selection;
}

void fields_selection_free(struct fields_selection *selection)
{
	g_ptr_array_free(selection->words, true);
	g_free(selection);
}

bool fields_selection_is_all(const struct fields_selection *selection)
{
	return selection->words->len == 0;
}

bool fields_selection_has_class(const struct fields_selection *selection,
				const struct mad_class_info *info)
{
	for (guint i = 0; i < selection->words->len; i++)
		if (is_class(selection->words->pdata[i], info))
			return true;
	return fields_selection_is_all(selection);
}

bool fields_selection_has_header(const struct fields_selection *selection,
				 const struct mad_header *header)
{
	for (guint i = 0; i < selection->words->len; i++)
		if (is_header(selection->words->pdata[i], header))
			return true;
	return fields_selection_is_all(selection);
}

bool fields_selection_has_attribute(const struct fields_selection *selection,
				    const struct mad_class_info *info,
				    const struct mad_attribute *attribute)
{
	for (guint i = 0; i < selection->words->len; i++)
		if (is_attribute(selection->words->pdata[i], info, attribute))
			return true;
	return fields_selection_has_class(selection, info);
}
