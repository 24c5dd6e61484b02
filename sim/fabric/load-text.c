/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Loads as text: see sim/fabric/fabric-load.h.
 */
#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "sim/fabric/fabric-load.h"

enum {
	PACKET_MIN = 24,			/* LRH, BTH and ICRC */
	PACKET_MAX = 4224,		/* an MTU of 4096, and the headers of a GMP */
	WORDS_MAX = 4,
	DIGITS_MAX = 9,			/* behind the point */
};

static const char wanted[] = "expected FROM, TO and a rate, such as H1:H2:100G:size=2048";

/* "2.5G": bits per second. False: it is none, or 0, or more than 2^53. */
static bool parse_rate(const char *text, uint64_t *ret)
{
	static const struct { char name; uint64_t scale; } units[] = {
		{ 'k', 1000 }, { 'M', 1000000 }, { 'G', 1000000000 },
		{ 'T', UINT64_C(1000000000000) },
	};
	const uint64_t max = UINT64_C(1) << 53;
	uint64_t scale = 1, part = 0, whole, divisor = 1;
	char *rest;

	if (!g_ascii_isdigit(*text))
		return false;
	whole = g_ascii_strtoull(text, &rest, 10);
	if (*rest == '.' && g_ascii_isdigit(rest[1])) {
		unsigned int digits = 0;

		while (g_ascii_isdigit(*++rest)) {
			if (digits++ < DIGITS_MAX) {
				part = part * 10 + (uint64_t)(*rest - '0');
				divisor *= 10;
			}
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (*rest == units[i].name) {
			scale = units[i].scale;
			rest++;
			break;
		}
	}
	if ((*rest && strcmp(rest, "b/s") != 0) || whole > max / scale)
		return false;
	*ret = whole * scale + (uint64_t)((double)part * (double)scale / (double)divisor + 0.5);
	return *ret > 0 && *ret <= max;
}

static bool parse_size(const char *text, uint32_t *ret)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(text, 10, PACKET_MIN, PACKET_MAX, &number, NULL) ||
	    number % 4)
		return false;
	*ret = (uint32_t)number;
	return true;
}

/* A name, without the quotes that names with blanks or colons are in. */
static char *unquoted(const char *word)
{
	g_auto(GStrv) parts = g_strsplit(word, "\"", -1);

	return g_strjoinv("", parts);
}

/* The words between colons, which do not separate in quotes. */
static char **split(const char *text)
{
	GPtrArray *words = g_ptr_array_new();
	const char *start = text;
	bool quoted = false;

	for (const char *p = text;; p++) {
		quoted ^= *p == '"';
		if (*p && (quoted || *p != ':'))
			continue;
		g_ptr_array_add(words, g_strndup(start, (gsize)(p - start)));
		start = p + 1;
		if (!*p)
			break;
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, false);
}

int load_order_parse(const char *text, struct load_order *ret_order, char *reterr,
		     size_t reterr_size)
{
	g_auto(GStrv) words = split(text);
	guint count = g_strv_length(words);
	struct load_order order = { .packet_size = FLOW_PACKET_SIZE };

	if (count < WORDS_MAX - 1 || count > WORDS_MAX || !*words[0] || !*words[1]) {
		g_snprintf(reterr, reterr_size, "load '%s': %s", text, wanted);
		return -EINVAL;
	}
	if (!parse_rate(words[2], &order.bits_per_s)) {
		g_snprintf(reterr, reterr_size, "load '%s': '%s': expected a rate in bits per "
			   "second, such as 100G (k M G T)", text, words[2]);
		return -EINVAL;
	}
	if (words[3] && (!g_str_has_prefix(words[3], "size=") ||
			 !parse_size(words[3] + strlen("size="), &order.packet_size))) {
		g_snprintf(reterr, reterr_size, "load '%s': '%s': expected size=OCTETS of a "
			   "packet, a multiple of 4 from %d to %d", text, words[3], PACKET_MIN,
			   PACKET_MAX);
		return -EINVAL;
	}
	order.from = unquoted(words[0]);
	order.to = unquoted(words[1]);
	*ret_order = order;
	return 0;
}

void load_order_clear(struct load_order *order)
{
	g_clear_pointer(&order->from, g_free);
	g_clear_pointer(&order->to, g_free);
}
