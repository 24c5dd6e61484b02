/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Words that rules have not: see sim/fabric/fault-filter-word.h. */
#include "sim/fabric/fault-filter-word.h"

#include <glib.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"

#define OPERATORS "=<>!"

enum { ALONE = 1, WITH_VALUE = 2 };

static const struct filter_word {
	const char *word;
	unsigned int forms;
	const char *reason;
} filter_words[] = {
	/* what becomes of a MAD, which nobody knows yet */
	{ "dropped", ALONE, "whether a MAD is lost is not known while it is on its way; "
	  "'umadrig show CAPTURE dropped' finds those that were" },
	{ "unanswered", ALONE, "whether an answer comes is not known while a MAD is on its way; "
	  "'always every-request-ends' of the console watches it, and 'umadrig show CAPTURE "
	  "unanswered' finds what had none" },
	{ "trip", WITH_VALUE, "how long an answer takes is not known while a MAD is on its way; "
	  "'umadrig show CAPTURE \"trip>1ms\"' finds those that took longer" },
	/* what was before it, which a rule does not keep */
	{ "retry", WITH_VALUE, "a rule does not keep what was sent before; 'after N' lets the "
	  "first N packets pass, and 'umadrig show CAPTURE \"retry>0\"' finds what was sent "
	  "again" },
	{ "changed", ALONE, "a rule does not keep what was said before; 'umadrig show CAPTURE "
	  "changed' finds changes, and conditions such as all-active wait for a state" },
	{ "frame", WITH_VALUE, "a MAD on its way is no frame of a file yet; 'after N' lets the "
	  "first N packets pass, and 'umadrig show CAPTURE frame=7' prints a frame" },
	/* what a rule does not look at */
	{ "trap", WITH_VALUE, "a rule does not look at the number of a trap: write "
	  "SubnTrap(Notice); 'umadrig show CAPTURE trap=128' does" },
	{ "{", ALONE, "a rule does not look at the fields of an attribute, but at class, method, "
	  "attribute, modifier, tid, rmpp and seg; 'umadrig show CAPTURE' does" },
	/* what a rule says in another way */
	{ "from", WITH_VALUE, "a rule has no '=' here: write 'from S1[3]'" },
	{ "to", WITH_VALUE, "a rule has no '=' here: write 'to S1[3]'" },
	{ "port", WITH_VALUE, "a rule says it as 'on S1[3]', or from, or to" },
	{ "not", ALONE, "a rule says what it is about, not what it is not about" },
	{ "or", ALONE, "a rule has one kind of MAD: write another rule for the other kind" },
	{ "and", ALONE, "the words of a rule have to fit all together: leave 'and' out" },
};

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
		return g_strdup("a rule is in force from when it is given: 'after 1s fault add "
				"...', and 'after 2s fault remove ...', do that later");
	if (!item[size])
		return name_reason(item);
	return item[size] == '=' && item[size + 1] != '=' ? NULL :
	       g_strdup("a rule compares with one '=' only; 'umadrig show CAPTURE' has the "
			"others");
}
