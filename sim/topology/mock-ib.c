/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Profiles of mock-ib, which is part of NVIDIA's k8s-test-infra: YAML, whose block "infiniband:"
 * says what adapters a node of a cluster has. Its keys and what they are without it:
 * pkg/network/mockib/config/types.go there, of August 2026.
 *
 * A profile describes a node and no cables. The fabric is as many such nodes as the key "nodes"
 * says (mock-ib does not read it, and passes over it), whose adapters of one number are at one
 * leaf: generate:rail. All else in the file is of GPUs, and is skipped.
 *
 * Of YAML this reads what such blocks are written in: a key, a colon and a plain or quoted value in
 * a line. A line of another kind is an error.
 */
#include "config.h"

#include <string.h>

#include "lib/words/number.h"
#include "sim/topology/format.h"
#include "sim/topology/generate.h"
#include "sim/topology/host-name.h"

enum {
	NODES_USUAL = 2, GPUS_USUAL = 8,	/* gpu.count of the chart */
	ADAPTERS_MAX = 16,		/* of a host: sim/topology/style.h */
	RADIX = 64,
};

static const char block_key[] = "infiniband:";

struct profile {
	struct topology_reader *reader;
	unsigned int line;		/* of the block */
	bool bad;
	uint64_t nodes, adapters_per_gpu, adapters, rate, device, revision;
	uint32_t guid_prefix;
	char *description;		/* with {node_name} and {idx} */
	unsigned int unused_line;	/* of a key whose value nothing here shows; 0: none */
};

static void refuse(struct profile *profile, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* About the line that is being read: nothing is made of the file. */
static void refuse(struct profile *profile, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	topology_tell_va(profile->reader->topology, TOPOLOGY_ERROR, profile->reader->file_number,
			 profile->reader->line, format, args);
	va_end(args);
	topology_lose_line(profile->reader);
	profile->bad = true;
}

/* ---- keys ---- */

static void take_number(struct profile *profile, const char *key, const char *value, uint64_t min,
			uint64_t max, uint64_t *ret)
{
	if (number_parse(value, min, max, ret) < 0)
		refuse(profile, "%s: expected a number from %" G_GUINT64_FORMAT " to %"
		       G_GUINT64_FORMAT ", not '%.80s'", key, min, max, value);
}

static void set_enabled(struct profile *profile, const char *value)
{
	if (strcmp(value, "true") != 0)
		refuse(profile, "enabled: '%.80s': such nodes have no adapter; write true", value);
}

static void set_type(struct profile *profile, const char *value)
{
	if (!g_str_has_prefix(value, "MT") ||
	    number_parse_decimal(value + 2, 1, UINT16_MAX, &profile->device) < 0)
		refuse(profile, "hca_type: expected MT and the PCI device number, as in MT4129, "
		       "not '%.80s'", value);
}

static void set_revision(struct profile *profile, const char *value)
{
	take_number(profile, "hw_rev", value, 0, UINT32_MAX, &profile->revision);
}

/* The simulator's firmware says its own version and board. */
static void set_unused(struct profile *profile, const char *value)
{
	(void)value;
	if (!profile->unused_line)
		profile->unused_line = profile->reader->line;
}

static void set_description(struct profile *profile, const char *value)
{
	if (!g_str_has_prefix(value, "{node_name} ") || !strstr(value, "{idx}") ||
	    host_name_length(value) != strlen("{node_name}")) {
		refuse(profile, "node_desc_template: '%.80s': expected {node_name}, a blank and a "
		       "device with {idx}, as in {node_name} mlx5_{idx}, which says whose adapter "
		       "it is", value);
		return;
	}
	g_free(profile->description);
	profile->description = g_strdup(value);
}

static void set_link_layer(struct profile *profile, const char *value)
{
	if (strcmp(value, "InfiniBand") != 0)
		refuse(profile, "link_layer: '%.80s': write InfiniBand; quirk=roce makes ports of "
		       "Ethernet", value);
}

static const struct {
	unsigned int gbps;
	const char *speed;
} rates[] = { { 100, "EDR" }, { 200, "HDR" }, { 400, "NDR" }, { 800, "XDR" } };

static const char *speed_of(uint64_t gbps)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rates); i++) {
		if (rates[i].gbps == gbps)
			return rates[i].speed;
	}
	return NULL;
}

static void set_rate(struct profile *profile, const char *value)
{
	take_number(profile, "rate_gbps", value, 1, UINT16_MAX, &profile->rate);
	if (!profile->bad && !speed_of(profile->rate))
		refuse(profile, "rate_gbps: '%.80s': four lanes have 100, 200, 400 or 800", value);
}

static void set_state(struct profile *profile, const char *value)
{
	if (g_ascii_strcasecmp(value, "ACTIVE") != 0)
		refuse(profile, "port_state: '%.80s': write ACTIVE; state=cold has all ports in "
		       "Init, quirk=port-down those of a host down", value);
}

static void set_physical(struct profile *profile, const char *value)
{
	if (g_ascii_strcasecmp(value, "LinkUp") != 0)
		refuse(profile, "phys_state: '%.80s': write LinkUp; quirk=port-down has the ports "
		       "of a host down", value);
}

static void set_per_gpu(struct profile *profile, const char *value)
{
	take_number(profile, "hcas_per_gpu", value, 1, ADAPTERS_MAX / GPUS_USUAL,
		    &profile->adapters_per_gpu);
}

static void set_adapters(struct profile *profile, const char *value)
{
	take_number(profile, "hca_count", value, 0, ADAPTERS_MAX, &profile->adapters);
}

/* Eight digits or more, with colons among them: mock-ib takes the first eight. */
static void set_guid_prefix(struct profile *profile, const char *value)
{
	g_autofree char *digits = g_strdup(value);
	char *to = digits;
	uint64_t number;

	for (const char *at = value; *at; at++) {
		if (*at != ':')
			*to++ = *at;
	}
	*to = '\0';
	if (strlen(digits) < 8 || strspn(digits, "0123456789abcdefABCDEF") != strlen(digits)) {
		refuse(profile, "guid_prefix: expected eight hexadecimal digits or more, as in "
		       "a088c2:03, not '%.80s'", value);
		return;
	}
	digits[8] = '\0';
	if (number_parse_hex(digits, 1, UINT32_MAX, &number) < 0)
		refuse(profile, "guid_prefix: '%.80s': 0 is the GUID of nothing", value);
	else
		profile->guid_prefix = (uint32_t)number;
}

static void set_nodes(struct profile *profile, const char *value)
{
	take_number(profile, "nodes", value, 1, TOPOLOGY_LID_MAX, &profile->nodes);
}

static const struct {
	const char *name;
	void (*set)(struct profile *profile, const char *value);
} keys[] = {
	{ "enabled", set_enabled }, { "hca_type", set_type }, { "fw_version", set_unused },
	{ "hw_rev", set_revision }, { "board_id", set_unused },
	{ "node_desc_template", set_description }, { "link_layer", set_link_layer },
	{ "rate_gbps", set_rate }, { "port_state", set_state }, { "phys_state", set_physical },
	{ "hcas_per_gpu", set_per_gpu }, { "hca_count", set_adapters },
	{ "guid_prefix", set_guid_prefix }, { "nodes", set_nodes },
};

static void set_key(struct profile *profile, const char *name, const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (strcmp(keys[i].name, name) == 0) {
			keys[i].set(profile, value);
			return;
		}
	}
	refuse(profile, "'%.80s' is no key of infiniband: correct it, or leave it out", name);
}

/* ---- lines ---- */

/* Without a comment: '#' at the begin or behind a blank, and not in quotes. */
static struct span without_comment(struct span line)
{
	char quote = '\0';

	for (const char *at = line.at; at < line.end; at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? '\0' : *at;
		else if (!quote && *at == '#' &&
			 (at == line.at || at[-1] == ' ' || at[-1] == '\t'))
			return (struct span){ line.at, at };
	}
	return line;
}

/* A value as it is, or between its quotes; false: it has one quote alone, or is no word. */
static bool unquote(struct span *value)
{
	if (value->at == value->end || strchr("[{&*!|>%@`", *value->at))
		return value->at < value->end && span_starts(*value, "{node_name}");
	if (*value->at != '"' && *value->at != '\'')
		return !span_find(*value, '"');
	if (span_size(*value) < 2 || value->end[-1] != *value->at)
		return false;
	value->at++;
	value->end--;
	return !span_find(*value, '\\') && !span_find(*value, '"');
}

/* "KEY: VALUE" */
static void read_key(struct profile *profile, struct span line)
{
	const char *colon = span_find(line, ':');
	struct span value;

	if (!colon || colon == line.at || (colon + 1 < line.end && colon[1] != ' ')) {
		refuse(profile, "'%.*s' is not understood: write KEY: VALUE", SHOWN(line));
		return;
	}
	value = span_trim((struct span){ colon + 1, line.end });
	if (!unquote(&value)) {
		refuse(profile, "'%.*s' is not understood: write the value behind the colon, plain "
		       "or in quotes", SHOWN(line));
		return;
	}

	g_autofree char *name = g_strndup(line.at, (size_t)(colon - line.at));
	g_autofree char *text = g_strndup(value.at, span_size(value));

	set_key(profile, name, text);
}

/* The key of the block begins the line; '*ret_rest' is what follows it. */
static bool is_block(struct span line, struct span *ret_rest)
{
	line = without_comment(line);
	if (!cursor_skip(&line, block_key))
		return false;
	*ret_rest = span_trim(line);
	return true;
}

/* Reads the lines that are indented below the block's key. */
static void read_lines(struct profile *profile, struct span text)
{
	struct line_reader lines = { .rest = text };
	bool inside = false;
	struct span line, rest;

	while (reader_next_line(profile->reader, &lines, &line)) {
		struct span said = span_trim(without_comment(line));

		if (said.at == said.end)
			continue;
		if (*line.at == ' ' || *line.at == '\t') {
			if (!inside)
				continue;
			topology_count_line(profile->reader);
			read_key(profile, said);
			continue;
		}
		inside = is_block(line, &rest);
		if (inside && span_size(rest) > 0)
			refuse(profile, "'%.*s' is not understood: write each key of infiniband in "
			       "a line of its own, behind blanks", SHOWN(rest));
		else if (inside && profile->line)
			refuse(profile, "infiniband comes again after line %u: leave one of the "
			       "two", profile->line);
		else if (inside)
			profile->line = profile->reader->line;
	}
}

/* ---- the fabric ---- */

/* What the file says of the adapter 'number' of the node 'host'. */
static void take_over(const struct profile *profile, struct topology_node *node, unsigned int host,
		      unsigned int number)
{
	GStringChunk *strings = profile->reader->topology->strings;
	const char *device = profile->description + strlen("{node_name}");
	const char *index = strstr(device, "{idx}");
	g_autofree char *description =
		g_strdup_printf("host-%u%.*s%u%s", host, (int)(index - device), device, number,
				index + strlen("{idx}"));
	g_autofree char *id = NULL;

	if (strlen(description) > TOPOLOGY_DESCRIPTION_MAX)
		description[TOPOLOGY_DESCRIPTION_MAX] = '\0';
	node->description = g_string_chunk_insert(strings, description);
	node->device_id = (uint16_t)profile->device;
	node->revision = (uint32_t)profile->revision;
	/* As mock-ib numbers them, but for its node's number, a hash of the name. */
	node->node_guid = node->sys_image_guid =
		(uint64_t)profile->guid_prefix << 32 | (uint32_t)host << 9 | number << 1;
	node->ports[1].guid = node->node_guid | 1;
	id = g_strdup_printf("H-%016" G_GINT64_MODIFIER "x", node->node_guid);
	node->id = g_string_chunk_insert(strings, id);
	node->line = profile->line;
}

static void make(struct profile *profile)
{
	struct topology *topology = profile->reader->topology;
	unsigned int adapters = (unsigned int)(profile->adapters ? profile->adapters :
					       GPUS_USUAL * profile->adapters_per_gpu);
	g_autofree char *spec = g_strdup_printf("rail:%u,%u,%d,speed=%s",
						(unsigned int)profile->nodes, adapters, RADIX,
						speed_of(profile->rate));
	char *message;
	unsigned int number = 0;

	if (topology_generate(topology, spec, &message) < 0) {
		topology_diagnose(profile->reader, TOPOLOGY_ERROR, profile->line,
				  "%u nodes with %u adapters: %s", (unsigned int)profile->nodes,
				  adapters, message);
		g_free(message);
		return;
	}
	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		struct topology_node *node = topology_node(topology, (int)i);

		if (node->kind != TOPOLOGY_CA)
			continue;
		take_over(profile, node, number / adapters, number % adapters);
		number++;
	}
}

static void read_profile(struct topology_reader *reader, struct span text)
{
	struct profile profile = {
		.reader = reader, .nodes = NODES_USUAL, .adapters_per_gpu = 1, .rate = 400,
		.device = 4129, .guid_prefix = 0xa088c203,
		.description = g_strdup("{node_name} mlx5_{idx}"),
	};

	read_lines(&profile, text);
	if (profile.unused_line)
		topology_diagnose(reader, TOPOLOGY_WARNING, profile.unused_line,
				  "fw_version and board_id are not taken over: simulated adapters "
				  "say their own");
	if (!profile.bad)
		make(&profile);
	g_free(profile.description);
}

static bool detect(struct span text)
{
	struct line_reader lines = { .rest = text };
	struct span line, rest;

	while (line_next(&lines, &line)) {
		if (is_block(line, &rest))
			return true;
	}
	return false;
}

const struct topology_format topology_format_mock_ib = {
	.name = "profiles of mock-ib",
	.detect = detect,
	.read = read_profile,
	.clean = "save the file as plain text",
};
