/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Selects parts of the MAD dictionary by the names of attributes, headers and classes, or all of
 * it.
 */
#ifndef UMADRIG_HARNESS_FIELDS_SELECTION_H
#define UMADRIG_HARNESS_FIELDS_SELECTION_H

#include <glib.h>
#include <stdbool.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/dictionary/mad-header.h"

struct fields_selection {
	GPtrArray *words;	/* as typed; empty: everything */
};

/*
 * 'words' (NULL-terminated, which must stay valid until the selection is freed; NULL: none) must be
 * attributes, headers or classes. Returns NULL if one is none of these; 'error' then names it and
 * suggests another. To be freed with fields_selection_free().
 */
struct fields_selection *fields_selection_new(char *const *words, GError **error);
void fields_selection_free(struct fields_selection *selection);

/* Is nothing named, so that everything is selected? */
bool fields_selection_is_all(const struct fields_selection *selection);

/* Is the class named itself ("SUBN_ADM", "SA", "SubnAdm"), the header, the attribute of a class? */
bool fields_selection_has_class(const struct fields_selection *selection,
				const struct mad_class_info *info);
bool fields_selection_has_header(const struct fields_selection *selection,
				 const struct mad_header *header);
bool fields_selection_has_attribute(const struct fields_selection *selection,
				    const struct mad_class_info *info,
				    const struct mad_attribute *attribute);

#endif
