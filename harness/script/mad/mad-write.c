/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * MADs in the words of scenarios: see harness/script/mad/mad-write.h.
 *
 * Along with the text goes the MAD that it makes so far: a field is written if it differs from
 * that, and what still differs at the end is written as bytes.
 */
#include "harness/script/mad/mad-write.h"

#include <string.h>

#include "harness/script/mad/term-value.h"
#include "harness/script/mad/term-words.h"

enum {
	COLUMNS = 100,		/* lines of fields in braces end before this, if they can */
	NUMBER_BYTES = 8,	/* so many bytes are written as one number */
	RUN_GAP = 4,		/* so many equal bytes do not end a run of different ones */
	DEFAULT_OUI = 0x001405,	/* as in harness/script/run/run.h, which is above */
};

struct mad_writer {
	GString *out;
	const struct mad_writing *writing;
	size_t line_at;			/* where the current line begins in 'out' */
	struct mad_pattern pattern;	/* what has been written, as far as building asks for it */
	struct mad_instance actual;
	struct mad_instance made;	/* what the text makes */
};

/* The header fields, in the order in which they are written. */
static const char *const header_fields[] = {
	"base_version", "version", "status", "modifier", "rmpp", "rmpp.version", "flags",
	"resptime", "rmpp.status", "seg", "paylen", "newwin", "oui", "hop_ptr", "hop_cnt", "mkey",
	"drslid", "drdlid", "return_path", "smkey", "attr_offset", "comp_mask",
};

static uint8_t class_of(const struct mad_writer *writer)
{
	return writer->actual.mad[MAD_CLASS];
}

/* Is the header field one that MADs of this class have? */
static bool is_of_class(uint8_t mgmt_class, const char *name, unsigned int at)
{
	if (at < MAD_HDR_SIZE)
		return mgmt_class == MAD_CLASS_SUBN_DR || !g_str_has_prefix(name, "hop_");
	if (at < RMPP_END && mad_class_has_rmpp(mgmt_class))
		return strcmp(name, "mkey") != 0 && strcmp(name, "drslid") != 0 &&
		       strcmp(name, "drdlid") != 0;
	if (strcmp(name, "oui") == 0)
		return mad_class_is_vendor2(mgmt_class);
	if (mgmt_class == MAD_CLASS_SUBN_ADM)
		return at < SA_DATA;
	if (strcmp(name, "mkey") == 0)
		return mad_class_is_smp(mgmt_class);
	return mgmt_class == MAD_CLASS_SUBN_DR && (at < SMP_DATA || at >= SMP_INITIAL_PATH) &&
	       (g_str_has_prefix(name, "dr") || g_str_has_suffix(name, "path"));
}

/* ---- fields ---- */

/* Takes over what the term covers: the text now says so. */
static void make(struct mad_writer *writer, const struct mad_term *term)
{
	const uint8_t *from;
	uint8_t *to;

	if (term_width(term) <= 64) {
		term_set(&writer->pattern, term, &writer->made,
			 term_get(&writer->pattern, term, &writer->actual));
		return;
	}
	to = term_bytes(&writer->pattern, term, &writer->made);
	from = term_bytes(&writer->pattern, term, &writer->actual);
	memcpy(to, from, term_width(term) / 8);
}

static bool is_made(struct mad_writer *writer, const struct mad_term *term)
{
	if (term_width(term) <= 64)
		return term_get(&writer->pattern, term, &writer->made) ==
		       term_get(&writer->pattern, term, &writer->actual);
	return memcmp(term_bytes(&writer->pattern, term, &writer->made),
		      term_bytes(&writer->pattern, term, &writer->actual),
		      term_width(term) / 8) == 0;
}

/* Begins another field; in braces, on another line if this one is full. */
static void begin_field(struct mad_writer *writer, const char *text, bool in_braces)
{
	if (in_braces && writer->writing->indent &&
	    writer->out->len + strlen(text) - writer->line_at >= COLUMNS) {
		g_string_append_printf(writer->out, "\n%s", writer->writing->indent);
		writer->line_at = writer->out->len - strlen(writer->writing->indent);
	} else {
		g_string_append_c(writer->out, ' ');
	}
	g_string_append(writer->out, text);
}

/* NAME=VALUE, if the MAD so far has another value there. */
static void write_term(struct mad_writer *writer, const struct mad_term *term, const char *name)
{
	g_autoptr(GString) text = g_string_new(name);

	if (is_made(writer, term))
		return;
	g_string_append_c(text, '=');
	if (!term_write(text, &writer->pattern, term, &writer->actual))
		return;
	begin_field(writer, text->str, term->field != NULL);
	make(writer, term);
}

/* The text has the field: words such as 'rmpp' and 'path' imply others. */
static void note_term(struct mad_writer *writer, const struct mad_term *term)
{
	struct mad_term *copy = g_memdup2(term, sizeof(*term));

	g_ptr_array_add(writer->pattern.terms, copy);
}

static struct mad_term term_called(const char *name)
{
	const char *suggestion;

	return (struct mad_term) { .info = term_find(name, MAD_RECEIVED, &suggestion) };
}

static void write_header_field(struct mad_writer *writer, const char *name)
{
	const struct mad_term term = term_called(name);

	if (is_of_class(class_of(writer), name, term.info->bit / 8))
		write_term(writer, &term, name);
}

/* ---- the MAD ---- */

/* What the method's name alone makes: its class, or -1 if that has to be named. */
static int class_of_name(const struct mad_class_info *info, bool is_routed)
{
	if (mad_class_is_smp(info->mgmt_class))
		return is_routed ? MAD_CLASS_SUBN_DR : MAD_CLASS_SUBN_LID;
	return info->mgmt_class == info->last ? info->mgmt_class : -1;
}

/*
 * A method that has a name; its class is in the pattern then. Others are named by a number, behind
 * a method of the same class, or of a vendor's if the class is none.
 */
static bool write_method(struct mad_writer *writer)
{
	const uint8_t *mad = writer->actual.mad;
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	struct mad_pattern *pattern = &writer->pattern;
	char name[MAD_NAME_SIZE];

	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], name, sizeof(name));
	if (!info || !mad_method_parse(name, &pattern->class_info, &pattern->method, NULL)) {
		g_snprintf(name, sizeof(name), "%s%s", info ? info->prefix : "Vend",
			   info ? info->methods->name : "Get");
		if (!mad_method_parse(name, &pattern->class_info, &pattern->method, NULL))
			g_assert_not_reached();
	}
	g_string_append(writer->out, name);
	return info != NULL;
}

static void write_attribute(struct mad_writer *writer)
{
	uint16_t id = get_be16(writer->actual.mad + MAD_ATTR_ID);
	const struct mad_attribute *attribute =
		mad_attribute_find(writer->pattern.class_info->mgmt_class, id);

	writer->pattern.attr_id = id;
	if (attribute && (!is_script_word(attribute->name) ||
			  mad_attribute_by_name(writer->pattern.class_info, attribute->name,
						NULL) != attribute))
		attribute = NULL;
	writer->pattern.attribute = attribute;
	if (attribute)
		g_string_append_printf(writer->out, "(%s)", attribute->name);
	else
		g_string_append_printf(writer->out, "(0x%04x)", id);
}

/* path={1, 2}: as many hops as the MAD counts, where that is all of the path. */
static void write_path(struct mad_writer *writer)
{
	const uint8_t *mad = writer->actual.mad, *path = mad + SMP_INITIAL_PATH;
	unsigned int hops = MIN(mad[SMP_HOP_CNT], SMP_PATH_SIZE - 1);

	/* The first byte is not a hop: such a path has no other name than its bytes. */
	if (path[0] != 0) {
		g_string_append_printf(writer->out, " hop_cnt=%u", mad[SMP_HOP_CNT]);
		writer->made.mad[SMP_HOP_CNT] = mad[SMP_HOP_CNT];
		return;
	}
	for (unsigned int i = hops + 1; i < SMP_PATH_SIZE; i++) {
		if (path[i] != 0)
			hops = i;
	}
	g_string_append(writer->out, " path={");
	for (unsigned int i = 1; i <= hops; i++)
		g_string_append_printf(writer->out, "%s%u", i > 1 ? ", " : "", path[i]);
	g_string_append_c(writer->out, '}');
	writer->made.mad[SMP_HOP_CNT] = (uint8_t)hops;
	memcpy(writer->made.mad + SMP_INITIAL_PATH, path, SMP_PATH_SIZE);
}

static bool is_segment(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && mad[RMPP_VERSION] == 1 &&
	       (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE) && mad[RMPP_TYPE] >= RMPP_TYPE_DATA &&
	       mad[RMPP_TYPE] <= RMPP_TYPE_ABORT;
}

static void write_number_field(struct mad_writer *writer, const char *name, uint64_t value,
			       int digits)
{
	g_string_append_printf(writer->out, " %s=0x%0*" G_GINT64_MODIFIER "x", name, digits, value);
}

/* What identifies the MAD: class, method, TID; and what it is made of without further words. */
static void write_identity(struct mad_writer *writer, bool has_class)
{
	const uint8_t *mad = writer->actual.mad;
	const struct mad_defaults defaults = {
		.mgmt_class = -1, .class_version = -1, .oui = DEFAULT_OUI,
	};
	bool is_routed = mad[MAD_CLASS] == MAD_CLASS_SUBN_DR;
	const char *tid = writer->writing->tid;

	if (!has_class ||
	    class_of_name(writer->pattern.class_info, is_routed) != mad[MAD_CLASS])
		write_number_field(writer, "class", mad[MAD_CLASS], 2);
	if (writer->pattern.method != mad[MAD_METHOD])
		write_number_field(writer, "method", mad[MAD_METHOD], 2);
	writer->pattern.method = mad[MAD_METHOD];
	if (is_segment(mad)) {
		const struct mad_term rmpp = term_called("rmpp");

		note_term(writer, &rmpp);
	}
	mad_build_header(&writer->pattern, mad[MAD_CLASS], &defaults, writer->made.mad);
	if (!tid)
		write_number_field(writer, "tid", get_be64(mad + MAD_TID), 16);
	else if (*tid != '\0')
		g_string_append_printf(writer->out, " tid=%s", tid);
	memcpy(writer->made.mad + MAD_TID, mad + MAD_TID, 8);
	if (is_routed)
		write_path(writer);
}

static void write_header(struct mad_writer *writer)
{
	const uint8_t *mad = writer->actual.mad;

	for (size_t i = 0; i < G_N_ELEMENTS(header_fields); i++) {
		const char *name = header_fields[i];
		/* Two names of one field. */
		bool is_ack = mad_class_has_rmpp(mad[MAD_CLASS]) &&
			      mad[RMPP_TYPE] == RMPP_TYPE_ACK;

		if (strcmp(name, "rmpp") == 0 && !is_segment(mad))
			continue;
		if (strcmp(name, is_ack ? "paylen" : "newwin") != 0)
			write_header_field(writer, name);
	}
	if (class_of(writer) != MAD_CLASS_SUBN_DR)
		write_header_field(writer, "specific");
}

/* The fields of the attribute, in braces. */
static void write_attribute_fields(struct mad_writer *writer)
{
	const struct mad_attribute *attribute = writer->pattern.attribute;
	unsigned int room = MAD_SIZE - writer->pattern.class_info->data_at;
	size_t before = writer->out->len;
	const char *open = " {";

	if (!attribute || !attribute->fields)
		return;
	g_string_append(writer->out, open);
	for (const struct mad_field *field = attribute->fields; field->name; field++) {
		const struct mad_term term = { .field = field };

		if (is_script_word(field->name) && field->bit + field->width <= room * 8 &&
		    mad_field_by_name(attribute, field->name, NULL) == field)
			write_term(writer, &term, field->name);
	}
	if (writer->out->len == before + strlen(open))
		g_string_truncate(writer->out, before);
	else
		g_string_append(writer->out, " }");
}

/* bytes[FIRST..LAST]=: a number, or a set of bytes. */
static void write_bytes(struct mad_writer *writer, unsigned int first, unsigned int last)
{
	const uint8_t *mad = writer->actual.mad;
	g_autoptr(GString) text = g_string_new(NULL);
	bool is_number = last - first < NUMBER_BYTES;

	g_string_append_printf(text, " bytes[%u..%u]=%s", first, last, is_number ? "0x" : "{");
	for (unsigned int i = first; i <= last; i++) {
		if (!is_number && i > first)
			g_string_append_c(text, ',');
		if (!is_number && writer->writing->indent && text->len > COLUMNS - 20) {
			g_string_append_printf(writer->out, "%s\n", text->str);
			g_string_assign(text, writer->writing->indent);
		} else if (!is_number && i > first) {
			g_string_append_c(text, ' ');
		}
		g_string_append_printf(text, is_number ? "%02x" : "0x%02x", mad[i]);
	}
	g_string_append(writer->out, text->str);
	if (!is_number)
		g_string_append_c(writer->out, '}');
}

/* What no name describes. */
static void write_rest(struct mad_writer *writer)
{
	const uint8_t *made = writer->made.mad, *actual = writer->actual.mad;

	for (unsigned int i = 0; i < MAD_SIZE; i++) {
		unsigned int last = i;

		if (made[i] == actual[i])
			continue;
		for (unsigned int at = i + 1; at < MAD_SIZE && at <= last + RUN_GAP; at++) {
			if (made[at] != actual[at])
				last = at;
		}
		write_bytes(writer, i, last);
		i = last;
	}
}

void mad_write(GString *out, const uint8_t mad[MAD_SIZE], const struct mad_writing *writing)
{
	const char *line = g_strrstr(out->str, "\n");
	struct mad_writer writer = {
		.out = out, .writing = writing,
		.line_at = line ? (size_t)(line + 1 - out->str) : 0,
		.pattern = { .use = MAD_RECEIVED },
	};
	unsigned int data_at = mad_class_header_size(mad[MAD_CLASS]);
	bool has_class;

	writer.pattern.terms = g_ptr_array_new_with_free_func(g_free);
	memcpy(writer.actual.mad, mad, MAD_SIZE);
	has_class = write_method(&writer);
	write_attribute(&writer);
	if (writing->address)
		g_string_append(out, writing->address);
	write_identity(&writer, has_class);
	write_header(&writer);
	if (writing->data) {
		g_string_append_printf(out, " data=%s", writing->data);
		memcpy(writer.made.mad + data_at, mad + data_at, MAD_SIZE - data_at);
	} else if (has_class) {
		write_attribute_fields(&writer);
	}
	write_rest(&writer);
	g_ptr_array_unref(writer.pattern.terms);
}
