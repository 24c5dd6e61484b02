/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is no script: see harness/script/parse/text-check.h.
 */
#include "harness/script/parse/text-check.h"

#include <string.h>

#define CAPTURE "this is a capture, not a script: 'umadrig show' prints it"
#define COMPRESSED "this is compressed, not a script: expand it first"
#define UTF_16 "this is text in UTF-16: save it as UTF-8"

static const struct {
	const char *bytes;
	size_t size;
	const char *message;
} beginnings[] = {
	{ "\x0a\x0d\x0d\x0a", 4, CAPTURE },
	{ "\xd4\xc3\xb2\xa1", 4, CAPTURE },
	{ "\xa1\xb2\xc3\xd4", 4, CAPTURE },
	{ "\x4d\x3c\xb2\xa1", 4, CAPTURE },
	{ "\xa1\xb2\x3c\x4d", 4, CAPTURE },
	{ "\x1f\x8b", 2, COMPRESSED },
	{ "\x28\xb5\x2f\xfd", 4, COMPRESSED },
	{ "\x7f" "ELF", 4, "this is a program, not a script" },
	{ "\xff\xfe", 2, UTF_16 },
	{ "\xfe\xff", 2, UTF_16 },
	{ "\xef\xbb\xbf", 3, "this begins with a byte order mark: save it as UTF-8 without one" },
};

/* By their names: a line of a fabric could be one of a script. */
static const char *known_end(const struct source *source)
{
	static const char *const ends[] = { ".net", ".topo", ".lst" };

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		if (g_str_has_suffix(source->name, ends[i]))
			return "this is a fabric, not a script: 'umadrig exec --fabric' runs "
			       "programs on it, and scripts name it, topology \"FILE\"";
	}
	return NULL;
}

static const char *known_beginning(const struct source *source)
{
	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
		if (source->size >= beginnings[i].size &&
		    memcmp(source->text, beginnings[i].bytes, beginnings[i].size) == 0)
			return beginnings[i].message;
	}
	return NULL;
}

/* What is wrong with a line, which begins at 'from' and ends before 'end'; and where in it. */
static const char *line_objection(const struct source *source, size_t from, size_t end,
				  size_t *ret_at)
{
	const char *line = source->text + from;
	size_t size = end - from;
	const char *bad = memchr(line, '\0', size);

	if (bad) {
		*ret_at = (size_t)(bad - source->text);
		return "there is a NUL byte: this is no text, so it is no script";
	}
	/* The one of CR LF is before the line's end. */
	bad = memchr(line, '\r', size);
	if (bad && bad + 1 != line + size) {
		*ret_at = (size_t)(bad - source->text);
		return "there is a carriage return within the line: end lines with LF or CR LF";
	}
	*ret_at = from;
	return size > SCRIPT_LINE_MAX ? "this line has more than 64 KiB: is this a script?" : NULL;
}

static struct place place_in(const struct source *source, unsigned int line, size_t from,
			     size_t at)
{
	struct place place = { .source = source, .offset = at, .line = line, .column = 1,
			       .width = 1 };

	for (size_t i = from; i < at; i++)
		place.column += ((unsigned char)source->text[i] & 0xc0) != 0x80;
	return place;
}

bool script_text_check(const struct source *source, struct diagnostics *diagnostics)
{
	const char *why = known_beginning(source);
	unsigned int line = 1;
	size_t end, at;

	if (!why)
		why = known_end(source);
	if (why) {
		diagnose_error(diagnostics, (struct place) { .source = source }, "%s", why);
		return false;
	}
	for (size_t from = 0; from < source->size; from = end + 1, line++) {
		const char *newline = memchr(source->text + from, '\n', source->size - from);

		end = newline ? (size_t)(newline - source->text) : source->size;
		why = line_objection(source, from, end, &at);
		if (!why)
			continue;
		diagnose_error(diagnostics, place_in(source, line, from, at), "%s", why);
		return false;
	}
	return true;
}
