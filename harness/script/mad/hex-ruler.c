/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bytes that differ, under a ruler: see harness/script/mad/hex-ruler.h.
 */
#include "harness/script/mad/hex-ruler.h"

enum {
	ROW = 16,
	ROWS_MAX = 4,
};

struct bytes {
	const uint8_t *expected, *actual;
	size_t expected_size, actual_size, size;	/* 'size': the larger one */
	const bool *fields;
	int width;		/* of a byte, in characters: two, or as many as its number has */
};

static bool byte_differs(const struct bytes *bytes, size_t at)
{
	if (bytes->fields)
		return bytes->fields[at];
	return at < bytes->expected_size && at < bytes->actual_size &&
	       bytes->expected[at] != bytes->actual[at];
}

static bool row_differs(const struct bytes *bytes, size_t from)
{
	for (size_t at = from; at < MIN(from + ROW, bytes->size); at++) {
		if (byte_differs(bytes, at))
			return true;
	}
	return false;
}

/* As wide as the last number that is shown. */
static int cell_width(const struct bytes *bytes)
{
	size_t rows = 0, last = 0;
	char number[32];

	for (size_t from = 0; from < bytes->size && rows < ROWS_MAX; from += ROW) {
		if (!row_differs(bytes, from))
			continue;
		last = MIN(from + ROW, bytes->size) - 1;
		rows++;
	}
	return MAX(2, g_snprintf(number, sizeof(number), "%zu", last));
}

static void append_cell(GString *out, int width, bool is_there, uint8_t byte)
{
	if (is_there)
		g_string_append_printf(out, " %*s%02x", width - 2, "", byte);
	else
		g_string_append_printf(out, " %*s", width, "");
}

static void end_row(GString *out)
{
	while (out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

static void append_row(GString *out, const struct bytes *bytes, size_t from)
{
	size_t to = MIN(from + ROW, bytes->size);
	int width = bytes->width;

	g_string_append(out, "byte    ");
	for (size_t at = from; at < to; at++)
		g_string_append_printf(out, " %*zu", width, at);
	g_string_append(out, "\nexpected");
	for (size_t at = from; at < to; at++) {
		bool shown = byte_differs(bytes, at) && at < bytes->expected_size;

		append_cell(out, width, shown, shown ? bytes->expected[at] : 0);
	}
	end_row(out);
	g_string_append(out, "actual  ");
	for (size_t at = from; at < to; at++) {
		bool shown = at < bytes->actual_size;

		append_cell(out, width, shown, shown ? bytes->actual[at] : 0);
	}
	end_row(out);
}

void hex_ruler(GString *out, const uint8_t *expected, size_t expected_size, const uint8_t *actual,
	       size_t actual_size, const bool *fields)
{
	struct bytes bytes = {
		expected, actual, expected_size, actual_size, MAX(expected_size, actual_size),
		fields, 0,
	};
	size_t rows = 0, more = 0;

	bytes.width = cell_width(&bytes);
	for (size_t from = 0; from < bytes.size; from += ROW) {
		if (!row_differs(&bytes, from))
			continue;
		if (rows++ < ROWS_MAX) {
			append_row(out, &bytes, from);
			continue;
		}
		for (size_t at = from; at < MIN(from + ROW, bytes.size); at++)
			more += byte_differs(&bytes, at);
	}
	if (more > 0)
		g_string_append_printf(out, "... and %zu more bytes\n", more);
}
