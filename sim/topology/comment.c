/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The comments of headers and port lines, which are not mere comments: they hold LIDs, LMCs and
 * descriptions.
 *
 * Descriptions may contain anything, '#' and quotes too: they extend from the first quote after the
 * '#' to the last one of the line.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/reader.h"

/* ibsim reads this many bytes of a line and takes the rest for another line. */
#define LINE_MAX_ELSEWHERE 254

bool topology_comment_split(struct span text, struct topology_comment *ret)
{
	const char *hash = span_find(text, '#');

	if (!hash)
		return false;
	struct span comment = span_trim((struct span){ hash + 1, text.end });
	const char *open = span_find(comment, '"'), *close = span_find_last(comment, '"');

	ret->quoted = open && close > open;
	if (ret->quoted) {
		ret->before = (struct span){ comment.at, open };
		ret->description = (struct span){ open + 1, close };
		ret->after = (struct span){ close + 1, comment.end };
	} else {
		ret->before = comment;
		ret->description = ret->after = (struct span){ comment.end, comment.end };
	}
	return true;
}

void topology_comment_unquoted(struct topology_comment *comment)
{
	static const char *const ends[] = { "enhanced port ", "base port ", "lid ", "lmc " };
	struct span text = comment->before;
	const char *end = text.end;

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		const char *found = span_find_text(text, ends[i]);

		if (found && found < end &&
		    (found == text.at || found[-1] == ' ' || found[-1] == '\t'))
			end = found;
	}
	comment->description = span_trim((struct span){ text.at, end });
	comment->after = (struct span){ end, text.end };
}

long topology_word_number(struct span *cursor, bool *ret_bad)
{
	struct span at = *cursor, word;
	long number;

	*ret_bad = true;
	if (!cursor_word(&at, &word))
		return 0;
	struct span end = word;
	if (!cursor_number(&end, &number) || end.at != end.end)
		return 0;
	*cursor = at;
	*ret_bad = false;
	return number;
}

static uint16_t own_lid(struct topology_reader *reader, long lid, bool missing)
{
	if (!missing && lid > 0 && lid <= TOPOLOGY_LID_MAX)
		return (uint16_t)lid;
	if (!missing && lid == 0) {
		/* The SM has not reached the port yet: too common for a diagnostic each. */
		if (!reader->zero_lid_count++)
			reader->zero_lid_line = reader->line;
		return 0;
	}
	if (missing)
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "expected a number after 'lid'; the port gets a free LID; write "
				  "1 to %u",
				  TOPOLOGY_LID_MAX);
	else
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "LID %ld is not a unicast LID; the port gets a free one; write 1 "
				  "to %u",
				  lid, TOPOLOGY_LID_MAX);
	return 0;
}

static uint8_t own_lmc(struct topology_reader *reader, long lmc, bool missing)
{
	if (!missing && lmc >= 0 && lmc <= TOPOLOGY_LMC_MAX)
		return (uint8_t)lmc;
	topology_diagnose(reader, TOPOLOGY_WARNING, reader->line, "%s; read as 0; write 0 to %d",
			  missing ? "expected a number after 'lmc'" : "LMC out of range",
			  TOPOLOGY_LMC_MAX);
	return 0;
}

void topology_comment_lids(struct topology_reader *reader, struct span text,
			   struct topology_port *port)
{
	struct span word;
	bool missing, lid_done = false, lmc_done = false;

	while (cursor_word(&text, &word)) {
		if (!lid_done && span_equals(word, "lid")) {
			long lid = topology_word_number(&text, &missing);

			port->lid = own_lid(reader, lid, missing);
			lid_done = true;
		} else if (!lmc_done && span_equals(word, "lmc")) {
			long lmc = topology_word_number(&text, &missing);

			port->lmc = own_lmc(reader, lmc, missing);
			lmc_done = true;
		}
	}
}

bool topology_is_prompt(struct span line)
{
	const char *at = span_find(line, '@');

	if (!at)
		return false;
	/* "[root@host dir]# command", "user@host:~$ command" */
	for (const char *c = at; c < line.end; c++)
		if (*c == '"' || *c == '(')
			return false;
		else if ((*c == '#' || *c == '$' || *c == '>') &&
			 (c + 1 == line.end || c[1] == ' '))
			return true;
	return false;
}

void topology_check_length(struct topology_reader *reader, struct span line)
{
	if (span_size(line) > LINE_MAX_ELSEWHERE)
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "line of %zu bytes, read whole; ibsim would cut it after %d "
				  "bytes: shorten the description if ibsim is to read it too",
				  span_size(line), LINE_MAX_ELSEWHERE);
}
