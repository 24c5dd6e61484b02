/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Text: see sim/scrub/scrub-text.h.
 */
#include "sim/scrub/scrub-text.h"

#include <arpa/inet.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/wire.h"
#include "lib/words/node-place.h"
#include "lib/words/number.h"

enum {
	WORD_MAX = 45,			/* an IPv6 address with an IPv4 address in it */
	DIGITS_MIN = 3,			/* of a number that is looked up */
};

/* ---- words that are numbers ---- */

/* A word that may be a value, and how it is written. */
struct word {
	uint8_t bytes[16];
	unsigned int size;	/* 16 and 4: an IP address; 8: a number; 6: a MAC address */
	unsigned int group;	/* bytes between separators; 0: it has none */
	char separator;
	bool prefixed;		/* with 0x */
	unsigned int digits;	/* of a number without groups */
};

/* 0x and up to 16 digits, or 16 digits. */
static bool read_number(const char *text, struct word *word)
{
	const char *digits = text;
	uint64_t number;

	word->prefixed = text[0] == '0' && g_ascii_tolower(text[1]) == 'x';
	digits += word->prefixed ? 2 : 0;
	word->digits = (unsigned int)strspn(digits, "0123456789abcdefABCDEF");
	if (digits[word->digits] || word->digits > 16 || word->digits < DIGITS_MIN ||
	    (!word->prefixed && word->digits != 16) ||
	    number_parse_hex(text, 0, UINT64_MAX, &number) < 0)
		return false;
	put_be64(word->bytes, number);
	word->size = 8;
	word->group = 0;
	return true;
}

/* Groups of 'group' bytes, all digits written, with one separator: 6 or 8 bytes. */
static bool read_groups(const char *text, unsigned int group, struct word *word)
{
	unsigned int digits = 0;

	word->separator = text[MIN(strlen(text), group * 2)];
	if (word->separator != ':' && word->separator != '-')
		return false;
	for (; *text; text++) {
		int value = g_ascii_xdigit_value(*text);
		uint8_t *byte = &word->bytes[digits / 2];

		if (digits && digits % (group * 2) == 0 && *text == word->separator &&
		    g_ascii_isxdigit(text[1]) && text[-1] != word->separator)
			continue;
		if (value < 0 || digits == 16 ||
		    (digits && digits % (group * 2) == 0 && text[-1] != word->separator))
			return false;
		*byte = (uint8_t)(digits % 2 ? *byte | value : value << 4);
		digits++;
	}
	word->prefixed = false;
	word->group = group;
	word->size = digits / 2;
	return digits == 16 || (digits == 12 && group == 1);
}

static bool read_word(const char *text, struct word *word)
{
	*word = (struct word){ .prefixed = false };
	if (read_number(text, word) || read_groups(text, 1, word) || read_groups(text, 2, word))
		return true;
	word->group = 0;
	word->size = inet_pton(AF_INET6, text, word->bytes) == 1 ? 16 :
		     inet_pton(AF_INET, text, word->bytes) == 1 ? 4 : 0;
	return word->size;
}

static void write_word(const struct word *word, GString *to)
{
	char text[INET6_ADDRSTRLEN];

	if (word->size == 16 || word->size == 4) {
		g_string_append(to, inet_ntop(word->size == 16 ? AF_INET6 : AF_INET, word->bytes,
					      text, sizeof(text)));
	} else if (word->group) {
		for (unsigned int i = 0; i < word->size; i++) {
			if (i && i % word->group == 0)
				g_string_append_c(to, word->separator);
			g_string_append_printf(to, "%02x", word->bytes[i]);
		}
	} else {
		g_string_append_printf(to, "%s%0*" G_GINT64_MODIFIER "x",
				       word->prefixed ? "0x" : "", (int)word->digits,
				       get_be64(word->bytes));
	}
}

/* ---- values ---- */

/* A number may be anything that the packets have; else, of 16 digits, it is taken for a GUID. */
static bool number_of_word(const struct value_book *book, struct word *word)
{
	static const enum alias_kind kinds[] = {
		ALIAS_KEY, ALIAS_PREFIX, ALIAS_GROUP, ALIAS_GUID, ALIAS_Q_KEY,
	};
	uint64_t v = get_be64(word->bytes);
	bool whole = word->group || word->digits == 16;

	for (size_t i = 0; book->replace && i < G_N_ELEMENTS(kinds); i++)
		if (alias_is_learned(book->aliases, kinds[i], v)) {
			put_be64(word->bytes, alias_of(book->aliases, kinds[i], v));
			return true;
		}
	if (whole)
		value_guid(book, word->bytes);
	return whole;
}

/* Learns or replaces; false: leave it. */
static bool value_of_word(const struct value_book *book, struct word *word)
{
	switch (word->size) {
	case 16:
		value_gid(book, word->bytes);
		return true;
	case 8:
		return number_of_word(book, word);
	case 6:
		value_mac(book, word->bytes);
		return true;
	case 4:
		value_ipv4(book, word->bytes);
		return true;
	default:	/* sizes, not an enum of ours */
		return false;
	}
}

static bool is_word_byte(char c)
{
	return g_ascii_isalnum(c) || c == ':' || c == '.' || c == '-';
}

/*
 * The value that begins at 'text': how many bytes it takes, or 0; what takes its place goes to
 * 'to'. Of "fe80::1:2.", "0x1234-" and the like the longest piece that is a value counts.
 */
static size_t value_at(const struct value_book *book, const char *text, GString *to)
{
	char piece[WORD_MAX + 1];
	struct word word;
	size_t size = 0;

	while (size < WORD_MAX && is_word_byte(text[size]))
		size++;
	for (; size >= DIGITS_MIN; size--) {
		if (g_ascii_isalnum(text[size]) && g_ascii_isalnum(text[size - 1]))
			continue;
		memcpy(piece, text, size);
		piece[size] = '\0';
		if (read_word(piece, &word) && value_of_word(book, &word)) {
			write_word(&word, to);
			return size;
		}
	}
	return 0;
}

/* A name that is short counts as one where a port follows it: "H1[1]". */
static size_t short_name_at(const struct value_book *book, const char *text, const char **ret)
{
	size_t size = strcspn(text, "[ \t\n,;:");
	g_autofree char *name = g_strndup(text, size);

	if (!size || text[size] != '[' || !g_ascii_isdigit(text[size + 1]))
		return 0;
	*ret = alias_of_exact_name(book->aliases, name);
	return *ret ? size : 0;
}

/* An absolute path, which tells of users and of their projects: how long it is, or 0. */
static size_t path_at(const char *text)
{
	size_t root = text[0] == '~' ? 1 : 0;

	if (text[root] != '/' || !(g_ascii_isalnum(text[root + 1]) ||
				   strchr("._-", text[root + 1])) || !text[root + 1])
		return 0;
	return strcspn(text, " \t\n,;\"'()[]<>");
}

char *scrub_text(const struct value_book *book, const char *text)
{
	GString *to = g_string_new(NULL);
	const char *end = text + strlen(text);

	for (const char *p = text; p < end; ) {
		bool begins = p == text || !g_ascii_isalnum(p[-1]);
		const char *alias = NULL;
		size_t size = 0;

		if (book->replace)
			size = alias_name_at(book->aliases, p, (size_t)(end - p), &alias);
		if (book->replace && !size && begins)
			size = short_name_at(book, p, &alias);
		if (!size && begins) {
			size = path_at(p);
			alias = "(path)";
		}
		if (size)
			g_string_append(to, alias);
		else if (begins)
			size = value_at(book, p, to);
		if (!size)
			g_string_append_c(to, p[size++]);
		p += size;
	}
	return g_string_free(to, false);
}

/* ---- interfaces ---- */

/* Is it what systems call devices? Names with a MAC address in them are not. */
static bool is_usual_device(const char *name)
{
	static const char *const prefixes[] = {
		"any", "lo", "ib", "eth", "ens", "eno", "enp", "em", "wlan", "wlo", "wlp",
		"mlx4_", "mlx5_", "rxe", "siw", "hfi1_", "rocep", "roceo", "roces", "bond", "umad",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		const char *rest = name + strlen(prefixes[i]);

		if (g_str_has_prefix(name, prefixes[i]) &&
		    strspn(rest, "0123456789spfndv.") == strlen(rest) && strlen(name) <= 15)
			return true;
	}
	return false;
}

/* Where "[1]" begins, the number of a port at the end of a name; else the end. */
static const char *port_of(const char *name)
{
	struct node_place place;

	return node_place_parse(name, &place) == 0 && place.has_port ?
	       place.name + place.name_size : name + strlen(name);
}

/* "S-0002c90200000001", as ibnetdiscover names a switch. */
static bool is_guid_name(const char *name)
{
	return g_ascii_isupper(name[0]) && name[1] == '-' && strlen(name) == 18 &&
	       strspn(name + 2, "0123456789abcdef") == 16;
}

char *scrub_text_interface(const struct value_book *book, const char *name)
{
	const char *port = port_of(name);
	g_autofree char *node = g_strndup(name, (size_t)(port - name)), *alias = NULL;

	if (!*node || is_usual_device(node))
		return g_strdup(name);
	if (is_guid_name(node))
		return scrub_text(book, name);
	if (!book->replace) {
		alias_learn_name(book->aliases, node, strlen(node));
		return g_strdup(name);
	}
	alias = alias_of_name(book->aliases, node, strlen(node));
	return g_strconcat(alias, port, NULL);
}
