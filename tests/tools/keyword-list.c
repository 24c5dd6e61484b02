/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Prints every word that a line of a script may begin with, one per line: directives, verbs as
 * "WORD" or "WORD SECOND", and calls as "call NAME"; for tests/harness/keywords.sh. A verb that
 * shares its word with a directive has the plain one.
 */
#include <stdio.h>
#include <string.h>

#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"
#include "harness/script/verb/call-table.h"

static bool is_verb(const char *word)
{
	for (const struct script_verb *const *verb = script_verbs; *verb; verb++) {
		if ((*verb)->word && strcmp((*verb)->word, word) == 0)
			return true;
	}
	return false;
}

int main(void)
{
	for (const char *const *word = script_directives(); *word; word++)
		printf("%s%s\n", *word, is_verb(*word) ? " (directive)" : "");
	for (const struct script_verb *const *verb = script_verbs; *verb; verb++)
		printf("%s%s%s\n", (*verb)->word ? (*verb)->word : "a call",
		       (*verb)->second ? " " : "", (*verb)->second ? (*verb)->second : "");
	for (unsigned int i = 0; call_at(i); i++)
		printf("call %s\n", call_at(i)->name);
	return 0;
}
