/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fields of nodes and ports in scripts: see harness/script/verb/attribute-line.h.
 */
#include "harness/script/verb/attribute-line.h"

#include <errno.h>
#include <string.h>

#include "harness/script/check/script-fabric.h"
#include "harness/script/mad/term-words.h"

/* The attributes that a port has, and a node: by their numbers, 0 ends each list. */
static const uint16_t of_ports[] = { 0x0015, 0x0033, 0 };
static const uint16_t of_nodes[] = { 0x0011, 0x0012, 0x0010, 0 };

/* What sysfs says of real ports and nodes (harness/world/hw-attribute.c). */
static const char *const known_on_hw[] = {
	"LinkState", "PhysLinkState", "Lid", "LMC", "SMLid", "SMSL", "CapMask", "GidPrefix",
	"NodeType", "NumPorts", "Guid", "SystemGuid", "PortGuid", "NodeDesc", NULL,
};

static const char names_of_ports[] = "PortInfo PortInfoExtended";
static const char names_of_nodes[] = "NodeInfo SwitchInfo NodeDescription";

static bool is_role(const struct expr *whose)
{
	return expr_is_word(whose, "self") || expr_is_word(whose, "peer");
}

/* ---- checking ---- */

static void check_whose(struct checker *checker, const struct expr *whose, bool of_node)
{
	if (!of_node)
		check_cable(checker, whose);
	else if (whose->kind == EXPR_STRING)
		check_node_name(checker, whose);
	else if (!is_role(whose))
		check_expected(checker, whose, "a node: self, peer or a name in quotes");
}

/* Finds "LinkState" in any of the attributes, or "PortInfo.LinkState" in that one. */
static bool find_field(const char *name, struct attribute_line *ret)
{
	const char *dot = strchr(name, '.');
	const uint16_t *id = ret->of_node ? of_nodes : of_ports;

	for (; *id != 0; id++) {
		const struct mad_attribute *attribute = mad_attribute_find(MAD_CLASS_SUBN_LID, *id);

		if (dot && (strlen(attribute->name) != (size_t)(dot - name) ||
			    strncmp(attribute->name, name, (size_t)(dot - name)) != 0))
			continue;
		ret->field = mad_field_by_name(attribute, dot ? dot + 1 : name, NULL);
		ret->attribute = attribute;
		if (ret->field)
			return true;
	}
	return false;
}

/* The closest of all their fields, or NULL. */
static const char *closest_field(const char *name, bool of_node)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *dot = strchr(name, '.');

	for (const uint16_t *id = of_node ? of_nodes : of_ports; *id != 0; id++) {
		const struct mad_field *field = mad_attribute_find(MAD_CLASS_SUBN_LID, *id)->fields;

		for (; field->name; field++)
			g_ptr_array_add(names, (void *)field->name);
	}
	g_ptr_array_add(names, NULL);
	return mad_closest(dot ? dot + 1 : name, (const char *const *)names->pdata);
}

static bool check_field(struct checker *checker, const struct expr *field,
			struct attribute_line *ret)
{
	const char *what = ret->of_node ? "node" : "port", *other = ret->of_node ? "port" : "node";
	struct attribute_line elsewhere = { .of_node = !ret->of_node };
	const char *guess;

	if (field->kind != EXPR_WORD) {
		check_expected(checker, field, ret->of_node ? "the name of a field, such as "
			       "NodeType" : "the name of a field, such as LinkState");
		return false;
	}
	if (find_field(field->text, ret))
		return true;
	if (find_field(field->text, &elsewhere)) {
		check_error(checker, field->place, "%s is a field of a %s, not of a %s: %s(..., "
			    "%s)", field->text, other, what, other, field->text);
		return false;
	}
	guess = closest_field(field->text, ret->of_node);
	check_error(checker, field->place, "no %s has a field %s%s%s%s 'umadrig fields %s' lists "
		    "them", what, field->text, guess ? ": did you mean " : "", guess ? guess : "",
		    guess ? "?" : ":", ret->of_node ? names_of_nodes : names_of_ports);
	return false;
}

static bool check_text(struct checker *checker, const struct expr *value, bool ordered,
		       const struct attribute_line *line)
{
	if (value->kind != EXPR_STRING) {
		check_expected(checker, value, "a text in quotes");
		return false;
	}
	if (ordered)
		check_error(checker, value->place, "a text is compared by '==' only");
	else if (strlen(value->text) > line->field->width / 8)
		check_error(checker, value->place, "this is longer than the field");
	else
		return true;
	return false;
}

/* A number, or one of the field's words. */
static bool check_number_or_word(struct checker *checker, const struct expr *value,
				 struct attribute_line *line)
{
	const struct mad_term term = { .field = line->field, .value = value };
	const struct mad_pattern pattern = { .attribute = line->attribute };
	g_autofree char *why = NULL;

	if (value->kind == EXPR_WORD && term_word(&term, value->text, &line->number))
		return true;
	if (expr_constant_number(value, &line->number)) {
		if (line->number <= mad_field_max(line->field))
			return true;
		check_error(checker, value->place, "0x%" G_GINT64_MODIFIER "x does not fit into "
			    "%s, which has %u bits", line->number, line->field->name,
			    line->field->width);
		return false;
	}
	why = value->kind == EXPR_WORD ? term_no_such_word(&pattern, &term, value->text) : NULL;
	if (why)
		check_error(checker, value->place, "%s", why);
	else
		check_expected(checker, value, "a number");
	return false;
}

/* Only switches have SwitchInfo, and which nodes are switches is known. */
static bool check_switch(struct checker *checker, const struct expr *whose,
			 const struct attribute_line *line)
{
	g_autofree char *why = NULL;

	if (strcmp(line->attribute->name, "SwitchInfo") != 0 || whose->kind != EXPR_STRING)
		return true;
	why = script_fabric_no_switch(checker->fabric, whose->text);
	if (why)
		check_error(checker, whose->place, "%s", why);
	return !why;
}

bool attribute_check(struct checker *checker, const struct expr *whose, const struct expr *field,
		     const struct expr *value, bool ordered, struct attribute_line *ret)
{
	check_whose(checker, whose, ret->of_node);
	if (!check_field(checker, field, ret))
		return false;
	if (!check_switch(checker, whose, ret))
		return false;
	return ret->field->format == MAD_FIELD_STRING ?
	       check_text(checker, value, ordered, ret) :
	       check_number_or_word(checker, value, ret);
}

char *attribute_unmet(const struct attribute_line *line, const struct expr *whose,
		      const struct rig *rig)
{
	const struct need peer = { .kind = NEED_PEER };

	if (rig->on_sim)
		return NULL;
	if (!is_role(whose))
		return sim_only_unmet(rig, "of real ports, only those under test are known");
	if (!g_strv_contains(known_on_hw, line->field->name))
		return sim_only_unmet(rig, "of real ports and nodes this field is not known");
	return expr_is_word(whose, "peer") ? need_unmet(&peer, rig) : NULL;
}

/* ---- running ---- */

bool attribute_read(struct run *run, const struct attribute_line *line, const struct expr *whose,
		    uint8_t ret[64])
{
	const char *name = world_end_name(run->world, whose);
	g_autofree char *node = NULL;
	int port = 0, status;

	if (!world_port_parse(name, &node, &port))
		node = g_strdup(name);
	status = run->world->kind->attribute(run->world, node, line->of_node && !is_role(whose) ?
					     0 : port, line->attribute->id, ret);
	if (status == -ENOENT)
		run_fail(run, whose->place, "there is no %s %s", line->of_node ? "node" : "port",
			 name);
	else if (status < 0)
		run_fail(run, whose->place, "%s has no %s", name, line->attribute->name);
	return status == 0;
}

bool attribute_is(const struct attribute_line *line, const uint8_t data[64], const char *text)
{
	const char *found = (const char *)data + line->field->bit / 8;
	size_t most = line->field->width / 8;

	return strnlen(found, most) == strlen(text) && memcmp(found, text, strlen(text)) == 0;
}

/* The word for the value that it has there, or NULL: it has none. To be freed. */
static char *word_of(const struct attribute_line *line, const uint8_t data[64])
{
	const struct mad_term term = { .field = line->field };
	GString *word = g_string_new(NULL);
	bool has_word = mad_field_is_number(line->field) &&
			term_append_word(word, &term, mad_field_get(line->field, data));

	return g_string_free(word, !has_word);
}

static char *format_value(const struct mad_field *field, const uint8_t data[64])
{
	char text[300];

	mad_field_format_value(field, data, text, sizeof(text));
	return field->format == MAD_FIELD_STRING ? g_strdup_printf("\"%s\"", text) :
						    g_strdup(text);
}

char *attribute_said(const struct attribute_line *line, const uint8_t data[64])
{
	g_autofree char *word = word_of(line, data);

	if (!word)
		return format_value(line->field, data);
	return g_strdup_printf("%s (%" G_GUINT64_FORMAT ")", word,
			       mad_field_get(line->field, data));
}

char *attribute_written(const struct attribute_line *line, const uint8_t data[64])
{
	char *word = word_of(line, data);

	if (word && is_script_word(word))
		return word;
	g_free(word);
	switch (line->field->format) {
	case MAD_FIELD_ENUM:
	case MAD_FIELD_FLAGS:
	case MAD_FIELD_BOOL:
		return g_strdup_printf("%" G_GUINT64_FORMAT, mad_field_get(line->field, data));
	case MAD_FIELD_DEC:
	case MAD_FIELD_HEX:
	case MAD_FIELD_GUID:
	case MAD_FIELD_GID:
	case MAD_FIELD_IPV4:
	case MAD_FIELD_LID:
	case MAD_FIELD_STRING:
	case MAD_FIELD_BYTES:
		break;
	}
	return format_value(line->field, data);
}

char *attribute_wanted(const struct attribute_line *line)
{
	uint8_t data[64] = { 0 };
	char *word;

	mad_field_set(line->field, data, line->number);
	word = word_of(line, data);
	return word ? word : format_value(line->field, data);
}
