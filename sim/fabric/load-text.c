/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Loads as text: see sim/fabric/fabric-load.h.
 */
#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "lib/words/list.h"
#include "lib/words/number.h"
#include "lib/words/rate.h"
#include "sim/fabric/fabric-load.h"

enum {
	PACKET_MIN = 24,			/* LRH, BTH and ICRC */
	PACKET_MAX = 4224,		/* an MTU of 4096, and the headers of a GMP */
	WORDS_MAX = 4,
};

static const char wanted[] = "expected FROM, TO and a rate, such as H1:H2:100G:size=2048";

static bool parse_size(const char *text, uint32_t *ret)
{
	uint64_t number;

	if (number_parse(text, PACKET_MIN, PACKET_MAX, &number) < 0 || number % 4)
		return false;
	*ret = (uint32_t)number;
	return true;
}

/* The words between colons, which do not separate in quotes. */
static char **split(const char *text)
{
	GPtrArray *words = g_ptr_array_new();

	for (;; text++) {
		size_t size = list_word_size(text, ":");

		g_ptr_array_add(words, g_strndup(text, size));
		text += size;
		if (!*text)
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
	if (rate_parse(words[2], &order.bits_per_s) < 0) {
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
	order.from = g_strdup(words[0]);
	order.to = g_strdup(words[1]);
	*ret_order = order;
	return 0;
}

void load_order_clear(struct load_order *order)
{
	g_clear_pointer(&order->from, g_free);
	g_clear_pointer(&order->to, g_free);
}
