/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Words of filters in rules: see sim/fabric/fault-filter-word.h. */
#include "sim/fabric/fault-filter-word.h"

#include <glib.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"

#define OPERATORS "=<>!"

enum { ALONE = 1, WITH_VALUE = 2, NOWHERE = 4 };

static const struct filter_word {
	const char *word;
	unsigned int forms;
	const char *reason;
} filter_words[] = {
	/* what becomes of a MAD, which nobody knows yet */
	{ "dropped", NOWHERE | ALONE, "whether a MAD is lost is not known while it is on its way; "
	  "'umadrig show CAPTURE dropped' finds those that were" },
	{ "unanswered", NOWHERE | ALONE, "whether an answer comes is not known while a MAD is on "
	  "its way; 'always every-request-ends' of the console watches it, and 'umadrig show "
	  "CAPTURE unanswered' finds what had none" },
	{ "trip", NOWHERE | WITH_VALUE, "how long an answer takes is not known while a MAD is on "
	  "its way; 'umadrig show CAPTURE \"trip>1ms\"' finds those that took longer" },
	/* what was before it, which a rule does not keep */
	{ "retry", NOWHERE | WITH_VALUE, "a rule does not keep what was sent before; 'after N' "
	  "lets the first N packets pass, and 'umadrig show CAPTURE \"retry>0\"' finds what was "
	  "sent again" },
	{ "changed", NOWHERE | ALONE, "a rule does not keep what was said before; 'umadrig show "
	  "CAPTURE changed' finds changes, and conditions such as all-active wait for a state" },
	{ "frame", NOWHERE | WITH_VALUE, "a MAD on its way is no frame of a file yet; 'after N' "
	  "lets the first N packets pass, and 'umadrig show CAPTURE frame=7' prints a frame" },
	{ "~", NOWHERE, "a rule is in force from when it is given: 'after 1s fault add ...', and "
	  "'after 2s fault remove ...', do that later" },
	/* what comes after "where" */
	{ "trap", WITH_VALUE, "the number of a trap comes after 'where': where trap=128" },
	{ "{", ALONE, "the fields of an attribute come after 'where': where LinkState=Down" },
	{ "not", ALONE, "what is not meant comes after 'where': where not status=0" },
	{ "or", ALONE, "alternatives come after 'where': where SubnGet or SubnSet" },
	{ "and", ALONE, "the words of a rule have to fit all together: leave 'and' out; after "
	  "'where' it may stand" },
	/* what a rule says in another way */
	{ "from", WITH_VALUE, "of a cable a rule says 'from S1[3]'; who sent the MAD comes after "
	  "'where': where from=H1" },
	{ "to", WITH_VALUE, "of a cable a rule says 'to S1[3]'; for whom the MAD is comes after "
	  "'where': where to=H1" },
	{ "port", WITH_VALUE, "of a cable a rule says 'on S1[3]'; between whom the MAD goes stands "
	  "after 'where': where port=H1" },
};

const char *fault_where_refuses(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(filter_words); i++) {
		if ((filter_words[i].forms & NOWHERE) && strcmp(filter_words[i].word, word) == 0)
			return filter_words[i].reason;
	}
	return NULL;
}

const char *fault_filter_word_reason(const char *word, bool has_value)
{
	unsigned int form = has_value ? WITH_VALUE : ALONE;

	for (size_t i = 0; i < G_N_ELEMENTS(filter_words); i++) {
		if ((filter_words[i].forms & form) && strcmp(filter_words[i].word, word) == 0)
			return filter_words[i].reason;
	}
	return NULL;
}

/* SubnGet, SA: filters have them without brackets. NULL: it is no such word. */
static char *name_reason(const char *name)
{
	const struct mad_class_info *info;
	uint8_t method;

	if (mad_method_parse(name, &info, &method, NULL))
		return g_strdup_printf("a rule has a method with brackets: write %s()", name);
	return mad_class_by_name(name) ?
	       g_strdup_printf("a rule has a class as 'class=%s'", name) : NULL;
}

char *fault_filter_item_reason(const char *item)
{
	size_t size = strcspn(item, OPERATORS);
	g_autofree char *name = g_strndup(item, size);
	const char *reason = fault_filter_word_reason(name, item[size]);

	if (reason)
		return g_strdup(reason);
	if (!item[size] && strchr(item, '~'))
		return g_strdup(fault_where_refuses("~"));
	if (!item[size])
		return name_reason(item);
	return item[size] == '=' && item[size + 1] != '=' ? NULL :
	       g_strdup_printf("a rule compares with one '=' only, and after 'where' in all ways: "
			       "where %s", item);
}
