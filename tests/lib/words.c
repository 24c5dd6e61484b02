/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What people write, and what is none of it: lib/words.
 */
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "lib/words/decimal.h"
#include "lib/words/duration.h"
#include "lib/words/list.h"
#include "lib/words/node-place.h"
#include "lib/words/number.h"
#include "lib/words/percent.h"
#include "lib/words/rate.h"
#include "lib/words/schedule-switch.h"
#include "lib/words/schedule.h"
#include "lib/words/size.h"

/* Each reads a word, and writes what it is. */
typedef int read_fn(const char *text, GString *out);

static int show(GString *out, int err, const char *format, ...) G_GNUC_PRINTF(3, 4);

static int show(GString *out, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (err == 0)
		g_string_append_vprintf(out, format, args);
	va_end(args);
	return err;
}

static int any_number(const char *text, GString *out)
{
	uint64_t number = 7;
	int err = number_parse(text, 0, UINT64_MAX, &number);

	g_assert_true(err == 0 || number == 7);
	return show(out, err, "%" PRIu64, number);
}

/* From 3 to 100. */
static int some_number(const char *text, GString *out)
{
	uint64_t number = 7;
	int err = number_parse(text, 3, 100, &number);

	g_assert_true(err == 0 || number == 7);
	return show(out, err, "%" PRIu64, number);
}

static int decimal_number(const char *text, GString *out)
{
	uint64_t number = 7;
	int err = number_parse_decimal(text, 3, 100, &number);

	g_assert_true(err == 0 || number == 7);
	return show(out, err, "%" PRIu64, number);
}

static int hex_number(const char *text, GString *out)
{
	uint64_t number = 7;
	int err = number_parse_hex(text, 1, UINT64_MAX, &number);

	g_assert_true(err == 0 || number == 7);
	return show(out, err, "%" PRIx64, number);
}

static int range(const char *text, GString *out)
{
	uint64_t first = 7, last = 8;
	int err = number_parse_range(text, 100, &first, &last);

	g_assert_true(err == 0 || (first == 7 && last == 8));
	return show(out, err, "%" PRIu64 " to %" PRIu64, first, last);
}

static int after_pid(const char *text, GString *out)
{
	uint64_t number = 7;
	int err = number_after(text, "Pid:", 10, &number);

	g_assert_true(err == 0 || number == 7);
	return show(out, err, "%" PRIu64, number);
}

static int octal_taken(const char *text, GString *out)
{
	const char *at = text;
	uint64_t number = 7;
	int err = number_take(&at, 8, 511, &number);

	g_assert_true(err == 0 || (number == 7 && at == text));
	return show(out, err, "%" PRIu64 " and '%s'", number, at);
}

static int duration(const char *text, GString *out)
{
	int64_t ns = 7;
	int err = duration_parse(text, &ns);

	g_assert_true(err == 0 || ns == 7);
	return show(out, err, "%" PRId64, ns);
}

static int seconds(const char *text, GString *out)
{
	int64_t ns = 7;
	int err = duration_parse_seconds(text, &ns);

	g_assert_true(err == 0 || ns == 7);
	return show(out, err, "%" PRId64, ns);
}

static int rate(const char *text, GString *out)
{
	uint64_t rate = 7;
	int err = rate_parse(text, &rate);

	g_assert_true(err == 0 || rate == 7);
	return show(out, err, "%" PRIu64, rate);
}

static int size(const char *text, GString *out)
{
	uint64_t size = 7;
	int err = size_parse(text, &size);

	g_assert_true(err == 0 || size == 7);
	return show(out, err, "%" PRIu64, size);
}

static int percent(const char *text, GString *out)
{
	struct decimal percent = { 7, 7 };
	int err = percent_parse(text, &percent);

	g_assert_true(err == 0 || (percent.digits == 7 && percent.places == 7));
	return show(out, err, "%" PRIu64 " / 10^%u", percent.digits, percent.places);
}

static int ratio(const char *text, GString *out)
{
	uint32_t numerator = 7, denominator = 8;
	int err = ratio_parse(text, &numerator, &denominator);

	g_assert_true(err == 0 || (numerator == 7 && denominator == 8));
	return show(out, err, "%u of %u", numerator, denominator);
}

static int small(const char *text, GString *out)
{
	double number = 7;
	int err = decimal_parse_small(text, 0.001, &number);

	/* The very number that a compiler makes of the text. */
	g_assert_true(err == 0 ? number == g_ascii_strtod(text, NULL) : number > 6.9);
	return show(out, err, "%.15g", number);
}

static int show_place(GString *out, int err, const struct node_place *place)
{
	g_assert_true(err == 0 || !place->name);
	return err < 0 || place->has_port ?
	       show(out, err, "%.*s port %u", (int)place->name_size, place->name, place->port) :
	       show(out, err, "%.*s", (int)place->name_size, place->name);
}

static int place(const char *text, GString *out)
{
	struct node_place place = { .name = NULL };
	int err = node_place_parse(text, &place);

	return show_place(out, err, &place);
}

static int port(const char *text, GString *out)
{
	struct node_place place = { .name = NULL };
	int err = node_place_parse_port(text, &place);

	return show_place(out, err, &place);
}

static int list(const char *text, GString *out)
{
	for (;; text++) {
		size_t word = list_word_size(text, ":,");

		g_string_append_printf(out, "<%.*s>", (int)word, text);
		text += word;
		if (!*text)
			return 0;
	}
}

static int a_schedule(const char *text, GString *out)
{
	struct schedule schedule = { .depth = 77 };
	char again[SCHEDULE_TEXT_SIZE];
	int err = schedule_parse(text, &schedule);

	g_assert_true(err == 0 || schedule.depth == 77);
	return err < 0 ? err :
	       show(out, 0, "%s", schedule_text(&schedule, again));
}

static int a_switch(const char *text, GString *out)
{
	struct schedule_switch one = { .pid = 77 };
	char again[SCHEDULE_SWITCH_SIZE];
	const char *at = text;
	int err = schedule_switch_take(&at, &one);

	g_assert_true(err == 0 || (one.pid == 77 && at == text));
	return err < 0 ? err : show(out, 0, "%s|%s", schedule_switch_text(&one, again), at);
}

/* Given a word, when it is read, then what it is, or the errno. */
static const struct row {
	read_fn *read;
	const char *name, *text, *what;
	int err;
} rows[] = {
#define GOOD(read, text, what) { read, #read, text, what, 0 }
#define BAD(read, text, err) { read, #read, text, "", -(err) }
	GOOD(any_number, "0", "0"),
	GOOD(any_number, "12", "12"),
	GOOD(any_number, "010", "10"),
	GOOD(any_number, "08", "8"),
	GOOD(any_number, "0x10", "16"),
	GOOD(any_number, "0X1f", "31"),
	GOOD(any_number, "0x010", "16"),
	GOOD(any_number, "18446744073709551615", "18446744073709551615"),
	GOOD(any_number, "0xffffffffffffffff", "18446744073709551615"),
	GOOD(any_number, "0000000000000000000000000000001", "1"),
	BAD(any_number, "18446744073709551616", ERANGE),
	BAD(any_number, "0x10000000000000000", ERANGE),
	BAD(any_number, "99999999999999999999999999", ERANGE),
	BAD(any_number, "", EINVAL),
	BAD(any_number, "+1", EINVAL),
	BAD(any_number, "-1", EINVAL),
	BAD(any_number, " 1", EINVAL),
	BAD(any_number, "1 ", EINVAL),
	BAD(any_number, "1\n", EINVAL),
	BAD(any_number, "1x", EINVAL),
	BAD(any_number, "1.0", EINVAL),
	BAD(any_number, "1e3", EINVAL),
	BAD(any_number, "0x", EINVAL),
	BAD(any_number, "0x-1", EINVAL),
	BAD(any_number, "0x0x1", EINVAL),
	BAD(any_number, "ff", EINVAL),
	BAD(any_number, "1,000", EINVAL),
	GOOD(some_number, "3", "3"),
	GOOD(some_number, "0x64", "100"),
	BAD(some_number, "2", ERANGE),
	BAD(some_number, "101", ERANGE),
	GOOD(decimal_number, "010", "10"),
	BAD(decimal_number, "0x10", EINVAL),
	BAD(decimal_number, "101", ERANGE),
	GOOD(hex_number, "10", "10"),
	GOOD(hex_number, "0x10", "10"),
	GOOD(hex_number, "DEADBEEFdeadbeef", "deadbeefdeadbeef"),
	BAD(hex_number, "-1", EINVAL),
	BAD(hex_number, "1g", EINVAL),
	BAD(hex_number, "0", ERANGE),
	BAD(hex_number, "12345678901234567", ERANGE),
	GOOD(range, "8-15", "8 to 15"),
	GOOD(range, "0x8-0xf", "8 to 15"),
	GOOD(range, "12", "12 to 12"),
	BAD(range, "15-8", ERANGE),
	BAD(range, "8-101", ERANGE),
	BAD(range, "8-", EINVAL),
	BAD(range, "8--9", EINVAL),
	BAD(range, "-8", EINVAL),
	BAD(range, "8-9-10", EINVAL),
	BAD(range, "8..9", EINVAL),
	GOOD(after_pid, "Name:\tx\nPid:\t12\nPPid:\t3\n", "12"),
	GOOD(after_pid, "Pid:12", "12"),
	BAD(after_pid, "Pid:\t-1\n", EINVAL),
	BAD(after_pid, "Name:\tx\n", ENOENT),
	GOOD(octal_taken, "0100 and", "64 and ' and'"),
	GOOD(octal_taken, "189", "1 and '89'"),
	BAD(octal_taken, "8", EINVAL),
	BAD(octal_taken, "1000", ERANGE),

	GOOD(duration, "1ns", "1"),
	GOOD(duration, "1.5us", "1500"),
	GOOD(duration, "010ms", "10000000"),
	GOOD(duration, "1.000000001s", "1000000001"),
	GOOD(duration, "1.00000000000000000000000s", "1000000000"),
	GOOD(duration, "0", "0"),
	GOOD(duration, "0.0", "0"),
	GOOD(duration, "9223372036.854775807s", "9223372036854775807"),
	BAD(duration, "9223372036.854775808s", ERANGE),
	BAD(duration, "18446744073709551616ns", ERANGE),
	BAD(duration, "1.0000000001s", EDOM),
	BAD(duration, "1.00000000000000000000001s", EDOM),
	BAD(duration, "1.5ns", EDOM),
	BAD(duration, "0.0000000001s", EDOM),
	BAD(duration, "", EINVAL),
	BAD(duration, "1", EINVAL),
	BAD(duration, "ms", EINVAL),
	BAD(duration, "-1s", EINVAL),
	BAD(duration, "+1s", EINVAL),
	BAD(duration, "1.s", EINVAL),
	BAD(duration, ".5s", EINVAL),
	BAD(duration, "1 s", EINVAL),
	BAD(duration, "1S", EINVAL),
	BAD(duration, "1m", EINVAL),
	BAD(duration, "1e3s", EINVAL),
	BAD(duration, "0x1s", EINVAL),
	GOOD(seconds, "2", "2000000000"),
	GOOD(seconds, "0.25", "250000000"),
	GOOD(seconds, "010", "10000000000"),
	GOOD(seconds, "5ms", "5000000"),
	BAD(seconds, "1.0000000001", EDOM),
	BAD(seconds, "1e400", EINVAL),
	BAD(seconds, "inf", EINVAL),
	BAD(seconds, "9999999999", ERANGE),

	GOOD(rate, "100G", "100000000000"),
	GOOD(rate, "2.5G", "2500000000"),
	GOOD(rate, "1.5kb/s", "1500"),
	GOOD(rate, "9b/s", "9"),
	GOOD(rate, "9007199254740992", "9007199254740992"),
	BAD(rate, "9007199254740993", ERANGE),
	BAD(rate, "0", ERANGE),
	BAD(rate, "99999T", ERANGE),
	BAD(rate, "1.5", EDOM),
	BAD(rate, "1.0000000001G", EDOM),
	BAD(rate, "1g", EINVAL),
	BAD(rate, "1GB", EINVAL),
	BAD(rate, "-1G", EINVAL),
	BAD(rate, "G", EINVAL),
	BAD(rate, "", EINVAL),
	GOOD(size, "100", "100"),
	GOOD(size, "64M", "67108864"),
	GOOD(size, "010K", "10240"),
	BAD(size, "0", ERANGE),
	BAD(size, "99999999999G", ERANGE),
	BAD(size, "64m", EINVAL),
	BAD(size, "64MB", EINVAL),
	BAD(size, "1.5M", EINVAL),
	BAD(size, "-1", EINVAL),
	BAD(size, "M", EINVAL),

	GOOD(percent, "5%", "5 / 10^0"),
	GOOD(percent, "5.0%", "5 / 10^0"),
	GOOD(percent, "12.5%", "125 / 10^1"),
	GOOD(percent, "0%", "0 / 10^0"),
	GOOD(percent, "0.000001%", "1 / 10^6"),
	GOOD(percent, "100000%", "100000 / 10^0"),
	BAD(percent, "0.0000001%", EDOM),
	BAD(percent, "100000.1%", ERANGE),
	BAD(percent, "5", EINVAL),
	BAD(percent, "%", EINVAL),
	BAD(percent, "5.%", EINVAL),
	BAD(percent, "5%%", EINVAL),
	BAD(percent, "-5%", EINVAL),
	GOOD(ratio, "1/20", "1 of 20"),
	GOOD(ratio, "20/010", "20 of 10"),
	BAD(ratio, "0/20", ERANGE),
	BAD(ratio, "1/0", ERANGE),
	BAD(ratio, "1/4294967296", ERANGE),
	BAD(ratio, "1", EINVAL),
	BAD(ratio, "1/", EINVAL),
	BAD(ratio, "1/-2", EINVAL),
	BAD(ratio, "1/2/3", EINVAL),
	GOOD(small, "1e-12", "1e-12"),
	GOOD(small, "1.5E-7", "1.5e-07"),
	GOOD(small, "0.001", "0.001"),
	BAD(small, "0.002", ERANGE),
	BAD(small, "0", ERANGE),
	BAD(small, "1e-23", ERANGE),
	BAD(small, "1.5e-22", EDOM),
	BAD(small, "0.0001234567890123456", EDOM),
	BAD(small, "1e3", EINVAL),
	BAD(small, "1e-", EINVAL),
	BAD(small, "nan", EINVAL),
	BAD(small, "-1e-12", EINVAL),
	BAD(small, "0x1p-12", EINVAL),

	GOOD(place, "S1", "S1"),
	GOOD(place, "S1[3]", "S1 port 3"),
	GOOD(place, "S1[0]", "S1 port 0"),
	GOOD(place, "S1[003]", "S1 port 3"),
	GOOD(place, "\"node 1\"", "node 1"),
	GOOD(place, "\"node 1\"[3]", "node 1 port 3"),
	GOOD(place, "\"node 1[3]\"", "node 1 port 3"),
	GOOD(place, "\"rack[a]\"", "rack[a]"),
	GOOD(place, "\"rack[a]\"[3]", "rack[a] port 3"),
	GOOD(place, "rack[a][3]", "rack[a] port 3"),
	GOOD(place, "S1[3]x", "S1[3]x"),
	GOOD(place, "S1]", "S1]"),
	BAD(place, "S1[1x]", EINVAL),
	BAD(place, "S1[+1]", EINVAL),
	BAD(place, "S1[-1]", EINVAL),
	BAD(place, "S1[ 1]", EINVAL),
	BAD(place, "S1[]", EINVAL),
	BAD(place, "S1[0x1]", EINVAL),
	BAD(place, "S1[256]", ERANGE),
	BAD(place, "S1[4294967297]", ERANGE),
	BAD(place, "\"S1\"[4294967297]", ERANGE),
	BAD(place, "\"S1[4294967297]\"", ERANGE),
	BAD(place, "\"S1\"[1x]", EINVAL),
	BAD(place, "\"S1\"[1", EINVAL),
	BAD(place, "\"S1\"x", EINVAL),
	BAD(place, "", EINVAL),
	BAD(place, "\"\"", EINVAL),
	BAD(place, "[3]", EINVAL),
	GOOD(port, "S1[3]", "S1 port 3"),
	GOOD(port, "mlx5_0/1", "mlx5_0 port 1"),
	GOOD(port, "a/b[1]", "a/b port 1"),
	BAD(port, "S1", EINVAL),
	BAD(port, "\"rack[a]\"", EINVAL),
	BAD(port, "mlx5_0/", EINVAL),
	BAD(port, "mlx5_0/1x", EINVAL),
	BAD(port, "mlx5_0/+1", EINVAL),
	BAD(port, "mlx5_0/256", ERANGE),
	BAD(port, "mlx5_0/4294967297", ERANGE),
	BAD(port, "/1", EINVAL),

	GOOD(a_schedule, "0", "0"),
	GOOD(a_schedule, "0x10", "16"),
	GOOD(a_schedule, "walk:7", "7"),
	GOOD(a_schedule, "18446744073709551615", "18446744073709551615"),
	GOOD(a_schedule, "pct:0", "pct:0:3"),
	GOOD(a_schedule, "pct:7:1", "pct:7:1"),
	GOOD(a_schedule, "pct:7:16:4294967295", "pct:7:16:4294967295"),
	GOOD(a_schedule, "pct:18446744073709551615:16:4294967295",
	     "pct:18446744073709551615:16:4294967295"),
	GOOD(a_schedule, "pos:0", "pos:0"),
	GOOD(a_schedule, "pos:7", "pos:7"),
	GOOD(a_switch, "1001.0@17:1001.3", "1001.0@17:1001.3|"),
	GOOD(a_switch, "1001.0@17:1002.3+1001.0@18:1.1", "1001.0@17:1002.3|1001.0@18:1.1"),
	GOOD(a_switch, "4294967295.0@18446744073709551615:0.0",
	     "4294967295.0@18446744073709551615:0.0|"),
	BAD(a_switch, "", EINVAL),
	BAD(a_switch, "1001.0@17:1001.3+", EINVAL),
	BAD(a_switch, "+1001.0@17:1001.3", EINVAL),
	BAD(a_switch, "1001@17:1001.3", EINVAL),
	BAD(a_switch, "1001.0:1001.3", EINVAL),
	BAD(a_switch, "1001.0@17", EINVAL),
	BAD(a_switch, "1001.0@0x7:1001.3", EINVAL),
	BAD(a_switch, "1001.0@17:1001.3 ", EINVAL),
	BAD(a_switch, "4294967296.0@17:1001.3", ERANGE),
	BAD(a_switch, "1001.0@18446744073709551616:1001.3", ERANGE),
	BAD(a_schedule, "", EINVAL),
	BAD(a_schedule, "-1", EINVAL),
	BAD(a_schedule, "18446744073709551616", ERANGE),
	BAD(a_schedule, "walk:0", ERANGE),
	BAD(a_schedule, "walk:", EINVAL),
	BAD(a_schedule, "pct:", EINVAL),
	BAD(a_schedule, "pct:7:", EINVAL),
	BAD(a_schedule, "pct:7:0", ERANGE),
	BAD(a_schedule, "pct:7:17", ERANGE),
	BAD(a_schedule, "pct:7:3:0", ERANGE),
	BAD(a_schedule, "pct:7:3:4294967296", ERANGE),
	BAD(a_schedule, "pct:7:3:9:1", EINVAL),
	BAD(a_schedule, "pct:7x", EINVAL),
	BAD(a_schedule, "pos:", EINVAL),
	BAD(a_schedule, "pos:1:2", EINVAL),
	BAD(a_schedule, "POS:1", EINVAL),
	BAD(a_schedule, "random:1", EINVAL),

	GOOD(list, "", "<>"),
	GOOD(list, "a", "<a>"),
	GOOD(list, "a:b,c", "<a><b><c>"),
	GOOD(list, "a::", "<a><><>"),
	GOOD(list, "\"a:b\"[1]:c", "<\"a:b\"[1]><c>"),
	GOOD(list, "Get(a,b),c", "<Get(a,b)><c>"),
	GOOD(list, "a),b", "<a)><b>"),
	GOOD(list, "\"(\":b", "<\"(\"><b>"),
#undef GOOD
#undef BAD
};

static void test_rows(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GString) out = g_string_new(NULL);
		int err = rows[i].read(rows[i].text, out);

		if (err != rows[i].err || strcmp(out->str, rows[i].what) != 0)
			g_error("%s '%s': %d '%s', expected %d '%s'", rows[i].name, rows[i].text,
				err, out->str, rows[i].err, rows[i].what);
	}
}

static void test_expected(void)
{
	static const struct { const char *text, *expected; } times[] = {
		{ "1m", "a time, such as 1s" },
		{ "1.0000000001s", "a time that is no finer than a nanosecond" },
		{ "300000000000s", "a time of at most 292 years" },
	};
	static const struct { const char *text, *expected; } places[] = {
		{ "S1[1x]", "a node, such as S1, or a port, such as S1[3]" },
		{ "S1[4294967297]", "a port from 0 to 255 in the brackets" },
	};
	struct node_place place;
	int64_t ns;

	for (size_t i = 0; i < G_N_ELEMENTS(times); i++)
		g_assert_cmpstr(duration_expected(duration_parse(times[i].text, &ns),
						  "a time, such as 1s"), ==, times[i].expected);
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
		g_assert_cmpstr(node_place_expected(node_place_parse(places[i].text, &place)), ==,
				places[i].expected);
	g_assert_true(node_place_is_of("H1[1]", "H1"));
	g_assert_true(node_place_is_of("H1", "H1"));
	g_assert_false(node_place_is_of("H11[1]", "H1"));
	g_assert_false(node_place_is_of("H1[1]", "H11"));
	g_assert_cmpstr(duration_unit(0), ==, "ns");
	g_assert_cmpstr(duration_unit(3), ==, "s");
	g_assert_null(duration_unit(4));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/words/rows", test_rows);
	g_test_add_func("/words/expected", test_expected);
	return g_test_run();
}
