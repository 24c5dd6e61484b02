/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * scrub-leaks FILE <VALUES: which of the values are in the file, in any byte order and as text.
 *
 * A value is a line: "number HEX" (16, 12 or 8 digits, looked for as so many bytes), "gid TEXT" (as
 * an IPv6 address is written; its lower half alone, too), "ip TEXT" or "name TEXT".
 * Prints a line for each that is found, and how; status 1 if there is one. It knows nothing of
 * captures: what it finds is there.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct file {
	char *bytes;
	gsize size;
	char *lower;	/* the same in lower case, for numbers written in capitals */
};

static unsigned int leaks;

static void look(const struct file *file, bool lower, const void *what, size_t size,
		 const char *line, const char *how)
{
	const char *found = memmem(lower ? file->lower : file->bytes, file->size, what, size);

	if (!found)
		return;
	printf("%s: %s at byte %zu\n", line, how,
	       (size_t)(found - (lower ? file->lower : file->bytes)));
	leaks++;
}

static void look_text(const struct file *file, const char *text, const char *line)
{
	look(file, true, text, strlen(text), line, text);
}

/* Groups of 'width' digits with a separator. */
static void look_groups(const struct file *file, const char *hex, size_t width, char separator,
			const char *line)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; hex[i]; i++) {
		if (i && i % width == 0)
			g_string_append_c(text, separator);
		g_string_append_c(text, hex[i]);
	}
	look_text(file, text->str, line);
}

/* The bytes as they are, turned round, with halves swapped, with halves turned round. */
static void look_bytes(const struct file *file, const char *hex, const char *line)
{
	static const char *const orders[] = { "big-endian", "little-endian", "halves swapped",
					      "halves little-endian" };
	size_t size = strlen(hex) / 2, half = size / 2;
	guint8 bytes[8];

	for (size_t order = 0; order < G_N_ELEMENTS(orders); order++) {
		for (size_t i = 0; i < size; i++) {
			size_t from = order == 0 ? i : order == 1 ? size - 1 - i :
				      order == 2 ? (i + half) % size :
				      i < half ? half - 1 - i : size + half - 1 - i;

			bytes[i] = (guint8)(g_ascii_xdigit_value(hex[2 * from]) << 4 |
					    g_ascii_xdigit_value(hex[2 * from + 1]));
		}
		look(file, false, bytes, size, line, orders[order]);
	}
}

static void look_number(const struct file *file, const char *hex, const char *line)
{
	const char *short_hex = hex + strspn(hex, "0");
	g_autofree char *prefixed = g_strdup_printf("0x%s", short_hex);
	g_autofree char *gid = g_strdup_printf("%x:%x:%x:%x",
		(unsigned int)(g_ascii_strtoull(hex, NULL, 16) >> 48),
		(unsigned int)(g_ascii_strtoull(hex, NULL, 16) >> 32 & 0xffff),
		(unsigned int)(g_ascii_strtoull(hex, NULL, 16) >> 16 & 0xffff),
		(unsigned int)(g_ascii_strtoull(hex, NULL, 16) & 0xffff));

	look_bytes(file, hex, line);
	look_text(file, hex, line);
	look_text(file, prefixed, line);
	look_groups(file, hex, 2, ':', line);
	look_groups(file, hex, 2, '-', line);
	if (strlen(hex) != 16)
		return;
	look_groups(file, hex, 4, ':', line);
	look_text(file, gid, line);
}

static void look_address(const struct file *file, int family, const char *text, const char *line)
{
	guint8 bytes[16], turned[16];
	size_t size = family == AF_INET6 ? 16 : 4;
	g_autoptr(GString) hex = g_string_new(NULL);

	if (inet_pton(family, text, bytes) != 1) {
		printf("%s: no address\n", line);
		leaks++;
		return;
	}
	for (size_t i = 0; i < size; i++)
		turned[i] = bytes[size - 1 - i];
	look(file, false, bytes, size, line, "big-endian");
	look(file, false, turned, size, line, "little-endian");
	look_text(file, text, line);
	for (size_t i = 8; i < size; i++)
		g_string_append_printf(hex, "%02x", bytes[i]);
	/* An IPv4 address in it leaves few bytes that could not be there by chance. */
	if (hex->len && !strchr(text, '.'))
		look_number(file, hex->str, line);
}

int main(int argc, char **argv)
{
	struct file file = { NULL, 0, NULL };
	char line[256];

	if (argc != 2 || !g_file_get_contents(argv[1], &file.bytes, &file.size, NULL)) {
		fprintf(stderr, "usage: scrub-leaks FILE <VALUES\n");
		return 2;
	}
	file.lower = g_memdup2(file.bytes, file.size + 1);
	for (gsize i = 0; i < file.size; i++)
		file.lower[i] = g_ascii_tolower(file.bytes[i]);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (g_str_has_prefix(line, "number "))
			look_number(&file, line + 7, line);
		else if (g_str_has_prefix(line, "gid "))
			look_address(&file, AF_INET6, line + 4, line);
		else if (g_str_has_prefix(line, "ip "))
			look_address(&file, AF_INET, line + 3, line);
		else if (g_str_has_prefix(line, "name "))
			look(&file, false, line + 5, strlen(line + 5), line, "as it is");
	}
	g_free(file.bytes);
	g_free(file.lower);
	return leaks ? 1 : 0;
}
