/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * json-writer: every value and style, all of Unicode and what is not, texts longer than what the
 * writer holds; and each misuse aborts with its reason.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "lib/json/json-writer.h"
#include "sim/topology/json-string.h"

typedef void fill_fn(struct json_writer *json);

static char *written(enum json_style style, fill_fn *fill)
{
	GString *text = g_string_new(NULL);
	struct json_writer json;

	json_writer_to_string(&json, style, text);
	fill(&json);
	json_finish(&json);
	return g_string_free(text, false);
}

/* ---- values and styles ---- */

static void fill_nothing(struct json_writer *json)
{
	(void)json;
}

static void fill_empty(struct json_writer *json)
{
	json_open(json, '[');
	json_open(json, '{');
	json_close(json, '}');
	json_open(json, '[');
	json_close(json, ']');
	json_close(json, ']');
}

static void fill_values(struct json_writer *json)
{
	static const uint8_t bytes[] = { 0, 0x7f, 0xff };

	json_open(json, '{');
	json_string(json_name(json, "none"), NULL);
	json_open(json_name(json, "bools"), '[');
	json_bool(json, true);
	json_bool(json, false);
	json_close(json, ']');
	json_bytes(json_name(json, "bytes"), bytes, sizeof(bytes));
	json_bytes(json_name(json, "no bytes"), bytes, 0);
	json_verbatim(json_name(json, "verbatim"), "[ 1 ]");
	json_string(json_name(json, "a\"b"), "");
	json_close(json, '}');
}

static void fill_numbers(struct json_writer *json)
{
	json_open(json, '[');
	json_number(json, 0);
	json_number(json, -1);
	json_number(json, INT64_MIN);
	json_number(json, INT64_MAX);
	json_unsigned(json, 0);
	json_unsigned(json, UINT64_MAX);
	json_digits(json, UINT64_MAX);
	json_digits(json, 0);
	json_hex(json, UINT64_MAX, 16);
	json_hex(json, 0, 1);
	json_hex(json, 0xabc, 2);
	json_hex(json, 0xabc, 6);
	json_close(json, ']');
}

static void fill_lines(struct json_writer *json)
{
	json_open(json, '{');
	json_space(json, "\n\t");
	json_number(json_name(json, "a"), 1);
	json_number(json_name(json, "b"), 2);
	json_space(json, "\n\t");
	json_open(json_name(json, "c"), '[');
	json_space(json, "\n\t\t");
	json_number(json, 3);
	json_number(json, 4);
	json_space(json, "");
	json_number(json, 5);
	json_space(json, "\n\t");
	json_close(json, ']');
	json_space(json, "\n");
	json_close(json, '}');
	json_end_line(json);
	json_string(json, "next");
	json_end_line(json);
}

static const struct {
	const char *name;
	fill_fn *fill;
	enum json_style style;
	const char *expected;
} texts[] = {
	{ "nothing", fill_nothing, JSON_LINES, "" },
	{ "empty", fill_empty, JSON_COMPACT, "[{},[]]" },
	{ "empty-spaced", fill_empty, JSON_SPACED, "[{}, []]" },
	{ "values", fill_values, JSON_COMPACT,
	  "{\"none\":null,\"bools\":[true,false],\"bytes\":\"007fff\","
	  "\"no bytes\":\"\",\"verbatim\":[ 1 ],\"a\\\"b\":\"\"}" },
	{ "values-spaced", fill_values, JSON_SPACED,
	  "{\"none\": null, \"bools\": [true, false], \"bytes\": \"007fff\", "
	  "\"no bytes\": \"\", \"verbatim\": [ 1 ], \"a\\\"b\": \"\"}" },
	{ "numbers", fill_numbers, JSON_ASCII,
	  "[0,-1,-9223372036854775808,9223372036854775807,0,18446744073709551615,"
	  "\"18446744073709551615\",\"0\",\"0xffffffffffffffff\",\"0x0\",\"0xabc\",\"0x000abc\"]" },
	{ "lines", fill_lines, JSON_LINES,
	  "{\n\t\"a\": 1, \"b\": 2,\n\t\"c\": [\n\t\t3, 4,5\n\t]\n}\n\"next\"\n" },
	{ "lines-spaced", fill_lines, JSON_SPACED,
	  "{\"a\": 1, \"b\": 2, \"c\": [3, 4, 5]}\n\"next\"\n" },
	{ "lines-compact", fill_lines, JSON_COMPACT,
	  "{\"a\":1,\"b\":2,\"c\":[3,4,5]}\n\"next\"\n" },
};

static void test_text(const void *data)
{
	size_t i = GPOINTER_TO_SIZE(data);
	g_autofree char *text = written(texts[i].style, texts[i].fill);

	g_assert_cmpstr(text, ==, texts[i].expected);
}

/* ---- strings ---- */

#define NOT "\xef\xbf\xbd"

static const struct {
	const char *string, *utf8, *ascii;
} strings[] = {
	{ "", "", "" },
	{ "plain ~", "plain ~", "plain ~" },
	{ "\"\\/", "\\\"\\\\/", "\\\"\\\\/" },
	{ "\x01\b\t\n\r\x1f", "\\u0001\\u0008\\u0009\\u000a\\u000d\\u001f",
	  "\\u0001\\u0008\\u0009\\u000a\\u000d\\u001f" },
	{ "\x7f", "\x7f", "\\u007f" },
	{ "\xc3\xa9", "\xc3\xa9", "\\u00e9" },
	{ "\xe2\x82\xac.", "\xe2\x82\xac.", "\\u20ac." },
	{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\\ud83d\\ude00" },
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf", "\\udbff\\udfff" },
	{ "\xef\xbf\xbd", NOT, "\\ufffd" },
	/* a byte that begins nothing; cut short; too long; a surrogate; too large */
	{ "a\x80" "b", "a" NOT "b", "a\\ufffdb" },
	{ "\xff", NOT, "\\ufffd" },
	{ "\xe2\x82", NOT NOT, "\\ufffd\\ufffd" },
	{ "\xe2\x82" "A", NOT NOT "A", "\\ufffd\\ufffdA" },
	{ "\xc0\xaf", NOT NOT, "\\ufffd\\ufffd" },
	{ "\xed\xa0\x80", NOT NOT NOT, "\\ufffd\\ufffd\\ufffd" },
	{ "\xf4\x90\x80\x80", NOT NOT NOT NOT, "\\ufffd\\ufffd\\ufffd\\ufffd" },
};

static const char *string_at_hand;

static void fill_string(struct json_writer *json)
{
	json_string(json, string_at_hand);
}

static void check_string(const char *string, const char *expected, enum json_style style)
{
	g_autofree char *quoted = g_strdup_printf("\"%s\"", expected);
	g_autofree char *text = NULL;

	string_at_hand = string;
	text = written(style, fill_string);
	g_assert_cmpstr(text, ==, quoted);
}

static void test_strings(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++) {
		check_string(strings[i].string, strings[i].utf8, JSON_COMPACT);
		check_string(strings[i].string, strings[i].utf8, JSON_LINES);
		check_string(strings[i].string, strings[i].ascii, JSON_ASCII);
	}
}

/* What is no UTF-8 is what GLib says it is: all of two bytes, and many of four. */
static void test_replaced(void)
{
	static const unsigned char parts[] = {
		'A', 0x7f, 0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xa0, 0x9f, 0xed, 0xef, 0xf0, 0x8f,
		0x90, 0xf4, 0xf5, 0xff,
	};
	unsigned int n = sizeof(parts);

	for (unsigned int i = 0; i < n * n * n * n; i++) {
		const char string[] = { (char)parts[i % n], (char)parts[i / n % n],
					(char)parts[i / n / n % n], (char)parts[i / n / n / n], 0 };
		g_autofree char *valid = g_utf8_make_valid(string, -1);

		check_string(string, valid, JSON_SPACED);
	}
}

/* ---- pieces ---- */

struct pieces {
	GString *text;
	unsigned int count;
};

static void take(void *ctx, const char *bytes, size_t size)
{
	struct pieces *pieces = ctx;

	g_assert_cmpuint(size, >, 0);
	g_string_append_len(pieces->text, bytes, (gssize)size);
	pieces->count++;
}

/* Strings around the size of what is held, after each number of bytes that are held already. */
static void test_pieces(void)
{
	struct pieces pieces = { g_string_new(NULL), 0 };
	GString *expected = g_string_new("[");
	struct json_writer json;

	json_writer_init(&json, JSON_COMPACT, take, &pieces);
	json_open(&json, '[');
	for (unsigned int size = 0; size < 3 * sizeof(json.bytes); size += 5) {
		g_autofree char *string = g_strnfill(size, 'x');

		json_string(&json, string);
		g_string_append_printf(expected, "%s\"%s\"", size ? "," : "", string);
	}
	json_flush(&json);
	g_assert_cmpstr(pieces.text->str, ==, expected->str);
	g_assert_cmpuint(pieces.count, >, 300);
	pieces.count = 0;
	json_flush(&json);
	g_assert_cmpuint(pieces.count, ==, 0);
	json_close(&json, ']');
	json_finish(&json);
	g_string_append_c(expected, ']');
	g_assert_cmpstr(pieces.text->str, ==, expected->str);
	g_string_free(pieces.text, true);
	g_string_free(expected, true);
}

static void test_file(void)
{
	char text[32] = "";
	FILE *file = tmpfile();
	struct json_writer json;

	g_assert_nonnull(file);
	json_writer_init(&json, JSON_SPACED, json_to_file, file);
	g_assert_false(json_has_begun(&json));
	fill_empty(&json);
	g_assert_true(json_has_begun(&json));
	json_end_line(&json);
	json_finish(&json);
	rewind(file);
	g_assert_nonnull(fgets(text, sizeof(text), file));
	g_assert_cmpstr(text, ==, "[{}, []]\n");
	fclose(file);
}

static void fill_deep(struct json_writer *json)
{
	for (unsigned int i = 0; i < JSON_DEPTH_MAX; i++) {
		if (i % 2)
			json_name(json, "a");
		json_open(json, i % 2 ? '[' : '{');
	}
	for (unsigned int i = JSON_DEPTH_MAX; i-- > 0;)
		json_close(json, i % 2 ? ']' : '}');
}

static void test_deep(void)
{
	g_autofree char *text = written(JSON_COMPACT, fill_deep);

	g_assert_cmpuint(strlen(text), ==, JSON_DEPTH_MAX * 2 + JSON_DEPTH_MAX / 2 * 4);
	g_assert_true(g_str_has_prefix(text, "{\"a\":[{\"a\":["));
}

/* ---- misuse ---- */

static void no_name(struct json_writer *json)
{
	json_open(json, '{');
	json_number(json, 1);
}

static void name_at_top(struct json_writer *json)
{
	json_name(json, "a");
}

static void name_in_array(struct json_writer *json)
{
	json_open(json, '[');
	json_name(json, "a");
}

static void name_after_name(struct json_writer *json)
{
	json_open(json, '{');
	json_name(json_name(json, "a"), "b");
}

static void name_alone(struct json_writer *json)
{
	json_open(json, '{');
	json_name(json, "a");
	json_close(json, '}');
}

static void other_bracket(struct json_writer *json)
{
	json_open(json, '[');
	json_close(json, '}');
}

static void close_nothing(struct json_writer *json)
{
	json_close(json, ']');
}

static void no_bracket(struct json_writer *json)
{
	json_open(json, '(');
}

static void second_value(struct json_writer *json)
{
	json_bool(json, true);
	json_bool(json, true);
}

static void line_of_nothing(struct json_writer *json)
{
	json_end_line(json);
}

static void line_within(struct json_writer *json)
{
	json_open(json, '[');
	json_end_line(json);
}

static void still_open(struct json_writer *json)
{
	json_open(json, '[');
}

static void words_for_space(struct json_writer *json)
{
	json_space(json, "\nx");
}

static void space_after_name(struct json_writer *json)
{
	json_open(json, '{');
	json_space(json_name(json, "a"), " ");
}

static void too_deep(struct json_writer *json)
{
	for (unsigned int i = 0; i <= JSON_DEPTH_MAX; i++)
		json_open(json, '[');
}

static const struct {
	const char *name;
	fill_fn *fill;
	const char *why;
} mistakes[] = {
	{ "no-name", no_name, "a value in an object has no name" },
	{ "name-at-top", name_at_top, "a name where no member can be" },
	{ "name-in-array", name_in_array, "a name where no member can be" },
	{ "name-after-name", name_after_name, "a name where no member can be" },
	{ "name-alone", name_alone, "a name has no value" },
	{ "other-bracket", other_bracket, "no such bracket is open" },
	{ "close-nothing", close_nothing, "no such bracket is open" },
	{ "no-bracket", no_bracket, "no such bracket is opened" },
	{ "second-value", second_value, "a second value at the top" },
	{ "line-of-nothing", line_of_nothing, "a line ends that is no value" },
	{ "line-within", line_within, "a line ends that is no value" },
	{ "still-open", still_open, "a bracket is open at the end" },
	{ "words-for-space", words_for_space, "a space is blanks, before an item" },
	{ "space-after-name", space_after_name, "a space is blanks, before an item" },
	{ "too-deep", too_deep, "too many brackets are open" },
};

static void test_mistake(const void *data)
{
	size_t i = GPOINTER_TO_SIZE(data);
	g_autofree char *why = g_strdup_printf("*JSON writer: %s*", mistakes[i].why);

	if (g_test_subprocess()) {
		g_free(written(JSON_LINES, mistakes[i].fill));
		return;
	}
	g_test_trap_subprocess(NULL, 0, (GTestSubprocessFlags)0);
	g_test_trap_assert_failed();
	g_test_trap_assert_stderr(why);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *path = g_strconcat("/json-writer/text/", texts[i].name, NULL);

		g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_text);
	}
	g_test_add_func("/json-writer/strings", test_strings);
	g_test_add_func("/json-writer/replaced", test_replaced);
	g_test_add_func("/json-writer/pieces", test_pieces);
	g_test_add_func("/json-writer/file", test_file);
	g_test_add_func("/json-writer/deep", test_deep);
	for (size_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		g_autofree char *path = g_strconcat("/json-writer/misuse/", mistakes[i].name, NULL);

		g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_mistake);
	}
	return g_test_run();
}
