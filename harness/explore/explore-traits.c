/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-traits.h. */
#include "harness/explore/explore-traits.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/directory-names.h"
#include "harness/explore/explore-run.h"
#include "harness/show/mad-text.h"
#include "lib/base/mix64.h"
#include "lib/base/wire.h"
#include "sim/agents/sma.h"
#include "sim/dictionary/mad-dictionary.h"

enum {
	LINES_MAX = 4096,
	LINE_MAX_SIZE = 160,
	EDGES_MAX = 1 << 18,
	FILES_MAX = 256,
	FILE_MAX_SIZE = 1 << 24,
	BINARY_SIZE = 512,	/* a NUL in so many bytes: it is no text */
};

/* ---- MADs ---- */

void explore_traffic_begin(struct explore_traffic *traffic, GHashTable *set)
{
	*traffic = (struct explore_traffic){ .set = set };
	if (!set)
		return;
	traffic->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	traffic->last = g_hash_table_new(NULL, NULL);
	traffic->pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	traffic->sent = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

void explore_traffic_end(struct explore_traffic *traffic)
{
	g_clear_pointer(&traffic->names, g_hash_table_unref);
	g_clear_pointer(&traffic->last, g_hash_table_unref);
	g_clear_pointer(&traffic->pairs, g_hash_table_unref);
	g_clear_pointer(&traffic->sent, g_hash_table_unref);
}

/* True: it was not in the set before. */
static bool add_number(GHashTable *numbers, uint64_t number)
{
	return g_hash_table_add(numbers, g_memdup2(&number, sizeof(number)));
}

/* A number from 1 on for each name. */
static unsigned int number_of(struct explore_traffic *traffic, const char *name)
{
	gpointer known = g_hash_table_lookup(traffic->names, name);

	if (!known) {
		known = GUINT_TO_POINTER(g_hash_table_size(traffic->names) + 1);
		g_hash_table_insert(traffic->names, g_strdup(name), known);
	}
	return GPOINTER_TO_UINT(known);
}

/* Has the same request left this port before? */
static bool is_again(struct explore_traffic *traffic, const struct capture_mad *mad)
{
	const uint8_t *bytes = mad->mad;
	uint64_t hash = mix64(get_be64(bytes + MAD_TID) + MIX64_STEP * (mad->interface + 1));

	if (mad->direction != CAPTURE_OUTBOUND || mad_is_response(bytes))
		return false;
	hash = mix64(hash ^ ((uint64_t)bytes[MAD_CLASS] << 56 | (uint64_t)bytes[MAD_METHOD] << 48 |
			     (uint64_t)get_be16(bytes + MAD_ATTR_ID) << 32 |
			     get_be32(bytes + MAD_ATTR_MOD)));
	return !add_number(traffic->sent, hash ^ mad->addr.dlid);
}

static void append_state(GString *kind, const uint8_t *mad, uint16_t attr, const char *name)
{
	const struct mad_field *field = mad_field_must(MAD_CLASS_SUBN_LID, attr, name);
	char value[MAD_NAME_SIZE];

	mad_field_format_value(field, mad + SMP_DATA, value, sizeof(value));
	g_string_append_printf(kind, " %s=%s", name, value);
}

static unsigned int kind_of(struct explore_traffic *traffic, const struct capture_mad *mad,
			    const char *name)
{
	static const char signs[] = { '=', '<', '>' };
	const uint8_t *bytes = mad->mad;
	bool has_data = mad_class_is_smp(bytes[MAD_CLASS]) && bytes[MAD_METHOD] != MAD_METHOD_GET;
	uint16_t status = mad_plain_status(bytes), attr = get_be16(bytes + MAD_ATTR_ID);
	g_autoptr(GString) kind = g_string_new(NULL);

	g_string_append_printf(kind, "%c%s", signs[mad->direction], name);
	if (status)
		g_string_append_printf(kind, " status=0x%04x", status);
	if (is_again(traffic, mad))
		g_string_append(kind, " again");
	if (has_data && attr == ATTR_SM_INFO)
		append_state(kind, bytes, attr, "SMState");
	if (has_data && attr == ATTR_PORT_INFO)
		append_state(kind, bytes, attr, "LinkState");
	return number_of(traffic, kind->str);
}

static const char *name_of(const struct explore_traffic *traffic, unsigned int number)
{
	GHashTableIter iter;
	gpointer name, known;

	g_hash_table_iter_init(&iter, traffic->names);
	while (g_hash_table_iter_next(&iter, &name, &known)) {
		if (GPOINTER_TO_UINT(known) == number)
			return name;
	}
	return "nothing";
}

void explore_traffic_take(struct explore_traffic *traffic, const struct capture_mad *mad,
			  const char *name)
{
	gpointer port = GUINT_TO_POINTER(mad->interface);
	unsigned int before, kind;

	if (!traffic->set)
		return;
	before = GPOINTER_TO_UINT(g_hash_table_lookup(traffic->last, port));
	kind = kind_of(traffic, mad, name);
	g_hash_table_insert(traffic->last, port, GUINT_TO_POINTER(kind));
	if (add_number(traffic->pairs, (uint64_t)before << 32 | kind))
		g_hash_table_add(traffic->set, g_strdup_printf(
			"mad %s %s", name_of(traffic, before), name_of(traffic, kind)));
}

/* ---- lines ---- */

char *explore_line_without_numbers(const char *line, gsize size)
{
	GString *text = g_string_new(NULL);
	bool was_number = false;

	for (gsize at = 0, end; at < size && text->len < LINE_MAX_SIZE; at = end) {
		bool is_number = false;

		for (end = at; end < size &&
		     (g_ascii_isalnum(line[end]) || line[end] == '_'); end++)
			is_number |= g_ascii_isdigit(line[end]);
		if (end == at) {
			/* "12:30:01.5" is one number; what is no text is none. */
			gsize next = at + 1;
			bool is_between = was_number && strchr(":.,-/", line[at]) && next < size &&
					  g_ascii_isalnum(line[next]);

			end = next;
			if (is_between)
				continue;
			was_number = false;
			g_string_append_c(text, g_ascii_isgraph(line[at]) ? line[at] : ' ');
		} else if (!is_number) {
			g_string_append_len(text, line + at, (gssize)(end - at));
			was_number = false;
		} else {
			if (!was_number)
				g_string_append_c(text, '#');
			was_number = true;
		}
	}
	return g_strstrip(g_string_free(text, false));
}

static void take_lines(GHashTable *set, const char *text, gsize size, unsigned int *count)
{
	const char *end = text + size;

	while (text < end && *count < LINES_MAX) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		gsize length = (gsize)((newline ? newline : end) - text);
		g_autofree char *line = explore_line_without_numbers(text, length);

		if (*line)
			*count += g_hash_table_add(set, g_strconcat("line ", line, NULL));
		text += length + 1;
	}
}

/* ---- edges ---- */

/*
 * A .sancov file, PROGRAM.PID.sancov: a magic number that says how wide addresses are, then those
 * that were come by (LLVM's SanitizerCoverage.rst, "Sancov").
 */
static void take_edges(GHashTable *set, const char *name, const char *bytes, gsize size,
		       unsigned int *count)
{
	static const uint64_t magic = UINT64_C(0xC0BFFFFFFFFFFF64);
	uint64_t number = 0;
	g_autofree char *program = g_strndup(name, strlen(name) - strlen(".sancov"));
	char *pid = strrchr(program, '.');

	if (pid)
		*pid = '\0';
	if (size >= sizeof(number))
		memcpy(&number, bytes, sizeof(number));
	if (number != magic)
		return;
	for (gsize at = sizeof(number); size - at >= sizeof(number) && *count < EDGES_MAX;
	     at += sizeof(number)) {
		memcpy(&number, bytes + at, sizeof(number));
		*count += g_hash_table_add(set, g_strdup_printf(
			"edge %s %" G_GINT64_MODIFIER "x", program, number));
	}
}

/* ---- files ---- */

static GBytes *read_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat info;
	GByteArray *bytes = NULL;
	ssize_t got = 0;

	if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
		bytes = g_byte_array_new();
		g_byte_array_set_size(bytes, (guint)CLAMP(info.st_size, 0, FILE_MAX_SIZE));
		got = read(fd, bytes->data, bytes->len);
		g_byte_array_set_size(bytes, (guint)MAX(got, 0));
	}
	if (fd >= 0)
		close(fd);
	return bytes ? g_byte_array_free_to_bytes(bytes) : NULL;
}

/* What explore itself has put there. */
static bool is_own(const char *name)
{
	static const char *const own[] = {
		EXPLORE_CAPTURE, EXPLORE_TRIGGERS, EXPLORE_PROPERTIES, EXPLORE_SWITCHES,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
		if (strcmp(name, own[i]) == 0)
			return true;
	}
	return g_str_has_prefix(name, EXPLORE_CONSOLE "-");
}

void explore_traits_of_files(GHashTable *set, const char *directory)
{
	g_auto(GStrv) names = directory_names(directory);
	unsigned int lines = 0, edges = 0;

	for (char **name = names; name && *name && name - names < FILES_MAX; name++) {
		g_autofree char *path = g_build_filename(directory, *name, NULL);
		g_autoptr(GBytes) bytes = is_own(*name) ? NULL : read_regular(path);
		gsize size = 0;
		const char *text = bytes ? g_bytes_get_data(bytes, &size) : NULL;

		if (size == 0)
			continue;
		if (g_str_has_suffix(*name, ".sancov"))
			take_edges(set, *name, text, size, &edges);
		else if (!memchr(text, '\0', MIN(size, BINARY_SIZE)))
			take_lines(set, text, size, &lines);
	}
}
