/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig topology: reads a description of a fabric, or makes one, and writes it.
 *
 *	umadrig topology cluster.net --format dot | dot -Tsvg >cluster.svg
 *	umadrig topology --generate fat-tree:100,36 >tree.topo
 *	umadrig topology cluster.net --check
 *	umadrig topology --from-capture sweep.pcapng >cluster.topo
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/missing-file.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/topology-capture.h"
#include "lib/json/json-writer.h"
#include "sim/fabric/quirk-name.h"
#include "sim/run/open.h"
#include "sim/run/spec.h"
#include "sim/topology/load.h"
#include "sim/topology/topology-subnet.h"
#include "sim/topology/write.h"

struct format {
	const char *name;
	void (*write)(const struct topology *topology, GString *out);
};

static const struct format formats[] = {
	{ "ibnetdiscover", topology_write_ibnetdiscover },
	{ "dot", topology_write_dot },
	{ "json", topology_write_json },
};

static const char description[] =
	"FILE is what ibnetdiscover prints, a net file of ibsim, OpenSM's opensm-subnet.lst, a\n"
	".topo of ibdm, or a profile of mock-ib. Errors and warnings go to standard error, with\n"
	"line numbers and cures.\n"
	"The systems of a .topo are described by IBNL files, which are looked up beside it, in\n"
	"the directories of UMADRIG_IBNL (separated by colons), and where ibdm is installed.\n"
	"\n"
	"With --check only a summary is written. FILE and SPEC may have options of a fabric, as\n"
	"in exec --fabric: cluster.topo,quirk=hgx-b200 is written as it is then.\n"
	"\n"
	"With --from-capture the fabric is the one that the SMPs and answers of the SA in FILE\n"
	"show, for example a capture of ibnetdiscover or of an SM that sweeps: as it was at the\n"
	"end. What the capture does not say follows as comments; standard error gets a summary.\n"
	"\n"
	"Fabrics that --generate makes (everywhere else, name the file generate:SPEC, as in\n"
	"umadrig exec --fabric generate:fat-tree:100,state=cold -- opensm -o):\n"
	"  fat-tree:HCAS[,RADIX[,LEVELS]]\n"
	"      2 or 3 LEVELS of switches with RADIX ports (default 36), half of them upwards;\n"
	"      OpenSM's ftree recognizes those with whole pods (RADIX * RADIX / 4 HCAs)\n"
	"  torus:XxYxZ,HOSTS\n"
	"      a switch with HOSTS hosts at each place; 1, 2 or 3 dimensions\n"
	"  dragonfly+:GROUPS,LEAVES,SPINES,HOSTS[,CABLES]\n"
	"      in each group, a cable from each leaf, with HOSTS hosts, to each spine; CABLES\n"
	"      (default: SPINES) between any two groups\n"
	"  rail:NODES,RAILS,RADIX[,PODS]\n"
	"      rail-optimized fat tree: HCA R of each of NODES hosts is at the leaf of rail R in\n"
	"      its pod (scalable unit) of up to RADIX/2 hosts\n"
	"followed by options, as in rail:32,8,64,speed=XDR,aggregation=yes:\n"
	"  names=plain|vendor        leaf-0, \"host-7 HCA-1\"; or \"MF0;leaf-0:MQM9700/U1\",\n"
	"                            \"host-7 mlx5_0\" (the default of rail)\n"
	"  speed=EDR|HDR|NDR|XDR     (default: HDR; of rail: NDR); width=1x|2x|4x|8x|12x\n"
	"  aggregation=yes|no        a SHARP aggregation node at one more port of each switch\n"
	"  hcas=N, ports=1|2         HCAs of a host, and ports of each\n"
	"  planes=2|3|4              planarized HCAs, and the switches of each plane\n"
	"  subnets=N, routers=N      the shape so many times, and routers between them\n"
	"\n"
	"Exit status: 0; 1 if nothing could be read or written, or if --check found an error or a\n"
	"warning, or something that the capture does not say; 2 if the command line is wrong, or\n"
	"the capture cannot be read or shows no fabric.";

/* What there was to say of a file. */
struct reading {
	unsigned int told[TOPOLOGY_SEVERITY_COUNT];
	struct topology_loss loss;
};

static const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

static void print_diagnostics(const GArray *diagnostics)
{
	for (guint i = 0; i < diagnostics->len; i++) {
		g_autofree char *line = topology_diagnostic_format(
			&g_array_index(diagnostics, struct topology_diagnostic, i));

		fprintf(stderr, "%s\n", line);
	}
}

static const char *plural(unsigned int count, const char *ending)
{
	return count == 1 ? "" : ending;
}

/* How many subnets have a cable: ports without one have nobody to talk to. */
static unsigned int count_subnets(struct topology *topology)
{
	struct topology_subnets subnets;
	unsigned int count = 0;

	topology_subnets_find(topology, &subnets);
	for (unsigned int i = 0; i < subnets.count; i++) {
		const struct topology_end *first = &subnets.ends[subnets.first[i]];

		count += subnets.first[i + 1] - subnets.first[i] > 1 ||
			 topology_end_port(first)->peer_node >= 0;
	}
	topology_subnets_clear(&subnets);
	return count;
}

/* "tree.topo: 3 switches, 5 CAs, 0 routers, 9 links"; and ", 2 subnets" if there are several */
static char *format_summary(struct topology *topology)
{
	unsigned int by_kind[TOPOLOGY_KIND_COUNT] = { 0 }, ends = 0;
	unsigned int subnets = count_subnets(topology);
	g_autofree char *several = subnets > 1 ? g_strdup_printf(", %u subnets", subnets) : NULL;

	for (guint i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology->nodes->pdata[i];

		by_kind[node->kind]++;
		for (unsigned int num = 1; num <= node->port_count; num++)
			ends += node->ports[num].peer_node >= 0;
	}
	return g_strdup_printf("%s: %u switch%s, %u CA%s, %u router%s, %u link%s%s", topology->file,
			       by_kind[TOPOLOGY_SWITCH], plural(by_kind[TOPOLOGY_SWITCH], "es"),
			       by_kind[TOPOLOGY_CA], plural(by_kind[TOPOLOGY_CA], "s"),
			       by_kind[TOPOLOGY_ROUTER], plural(by_kind[TOPOLOGY_ROUTER], "s"),
			       ends / 2, plural(ends / 2, "s"), several ? several : "");
}

/* "...; 0 errors, 1 warning" */
static void print_summary(struct topology *topology, const struct reading *reading)
{
	unsigned int errors = reading->told[TOPOLOGY_ERROR];
	unsigned int warnings = reading->told[TOPOLOGY_WARNING];
	g_autofree char *summary = format_summary(topology);

	printf("%s; %u error%s, %u warning%s\n", summary, errors, plural(errors, "s"), warnings,
	       plural(warnings, "s"));
}

static void take_reading(const struct topology *topology, struct reading *ret)
{
	memcpy(ret->told, topology->told, sizeof(ret->told));
	ret->loss = topology->loss;
}

/* With "do" lines: the topology after they have been executed. Frees 'topology'. */
static struct topology *carry_out(const char *name, struct topology *topology,
				  struct reading *ret_reading)
{
	struct topology *now = topology;
	char why[512];

	if (!topology)
		return NULL;
	if (topology->commands->len)
		now = topology_carry_out(topology, why, sizeof(why));
	take_reading(topology, ret_reading);
	if (now == topology)
		return topology;
	topology_free(topology);
	if (!now)
		command_error(name, COMMAND_FAILED, "%s", why);
	return now;
}

/* What exec would say. */
static void print_loss(const char *file, const struct topology_loss *loss)
{
	g_autofree char *lost = NULL;

	if (!topology_loss_is_great(loss))
		return;
	lost = topology_loss_format(loss);
	fprintf(stderr, "%s: too much of the file is lost: %s; exec, serve and run refuse it "
		"without the option partial=yes\n", file, lost);
}

static int write_topology(const char *name, const struct topology *topology,
			  const struct format *format, const GPtrArray *gaps)
{
	g_autoptr(GString) out = g_string_new(NULL);

	format->write(topology, out);
	if (gaps)
		topology_append_gaps(gaps, out);
	fwrite(out->str, 1, out->len, stdout);
	return command_finish_output(name, COMMAND_OK);
}

/* Is the file of a fabric not there? Then that is said, and what file comes close. */
static bool says_missing(const char *file)
{
	g_autofree char *missing = NULL;

	if (access(file, F_OK) == 0 || errno != ENOENT || strchr(file, ':'))
		return false;
	missing = file_missing(file, ENOENT);
	fprintf(stderr, "%s\n", missing);
	return true;
}

/* 'format' NULL: only checks it. */
static int show(const char *name, const char *file, const struct format *format)
{
	GArray *diagnostics;
	struct reading reading = { 0 };
	struct topology *topology = carry_out(name, topology_load(file, &diagnostics), &reading);
	int status = COMMAND_FAILED;

	if (topology || !says_missing(file))
		print_diagnostics(diagnostics);
	print_loss(file, &reading.loss);
	if (topology && format) {
		status = write_topology(name, topology, format, NULL);
	} else if (topology) {
		print_summary(topology, &reading);
		status = command_finish_output(name,
					       diagnostics->len ? COMMAND_FAILED : COMMAND_OK);
	}
	topology_diagnostics_free(diagnostics);
	topology_free(topology);
	return status;
}

/* Is there anything behind the file's name that says, or should, how a fabric is made of it? */
static bool has_options(const char *file)
{
	struct spec spec;
	char why[512];
	bool has;

	if (!strchr(file, ','))
		return false;
	if (spec_parse(file, NULL, &spec, why, sizeof(why)) < 0)
		return true;
	has = strcmp(spec.file, file) != 0;
	spec_clear(&spec);
	return has;
}

/* The fabric as exec would make it, with its quirks. */
static int show_opened(const char *name, const char *spec, const struct format *format)
{
	char why[1024];
	struct topology *topology;
	int status;

	if (!format)
		return command_usage(name, "--check is for a file alone: leave out the options "
				     "of the fabric in '%s'", spec);
	topology = topology_open(spec, why, sizeof(why));
	if (!topology)
		return command_error(name, COMMAND_FAILED, "%s", why);
	status = write_topology(name, topology, format, NULL);
	topology_free(topology);
	return status;
}

/* What the capture does not say: in the output if that can have comments, else on stderr. */
static int show_captured(const char *name, const char *file, const struct format *format)
{
	g_autoptr(GPtrArray) gaps = NULL;
	g_autofree char *used = NULL, *summary = NULL;
	struct topology *topology = topology_from_capture(name, file, &gaps, &used);
	bool has_comments = format == &formats[0];
	int status;

	if (!topology)
		return COMMAND_USAGE;
	for (guint i = 0; i < gaps->len && !has_comments; i++)
		fprintf(stderr, "%s: not in the capture: %s\n", file, (char *)gaps->pdata[i]);
	summary = format_summary(topology);
	fprintf(format ? stderr : stdout, "%s; from %s; %u gap%s\n",
		summary, used, gaps->len, plural(gaps->len, "s"));
	status = format ? write_topology(name, topology, format, has_comments ? gaps : NULL) :
		 command_finish_output(name, gaps->len ? COMMAND_FAILED : COMMAND_OK);
	topology_free(topology);
	return status;
}

/* ---- quirks ---- */

static int list_quirks(const char *name, bool is_json)
{
	struct json_writer json;

	json_writer_init(&json, JSON_LINES, json_to_file, stdout);
	if (is_json)
		json_open(&json, '[');
	for (unsigned int i = 0; i < QUIRK_COUNT; i++) {
		const struct quirk_info *info = quirk_info((enum quirk_kind)i);

		if (!is_json) {
			printf("%-18s %-5s %s\n", info->name, info->where, info->help);
			continue;
		}
		json_space(&json, i ? "\n" : "");
		json_open(&json, '{');
		json_string(json_name(&json, "name"), info->name);
		json_string(json_name(&json, "of"), info->where);
		json_string(json_name(&json, "meaning"), info->help);
		json_close(&json, '}');
	}
	if (is_json) {
		json_close(&json, ']');
		json_end_line(&json);
	}
	json_finish(&json);
	return command_finish_output(name, COMMAND_OK);
}

int cmd_topology(int argc, char **argv)
{
	g_autofree char *format_name = NULL, *generate = NULL, *captured = NULL, *file = NULL;
	gboolean check = false, quirks = false;
	const GOptionEntry entries[] = {
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &format_name,
		  "Write ibnetdiscover (default), dot (for Graphviz) or json", "FORMAT" },
		{ "generate", 'g', 0, G_OPTION_ARG_STRING, &generate,
		  "Generate a fabric instead of reading FILE", "SPEC" },
		{ "from-capture", 0, 0, G_OPTION_ARG_FILENAME, &captured,
		  "Write the fabric that the capture FILE shows", "FILE" },
		{ "check", 'c', 0, G_OPTION_ARG_NONE, &check,
		  "Only check it; exit 1 if there is an error or a warning", NULL },
		{ "quirks", 0, 0, G_OPTION_ARG_NONE, &quirks,
		  "List the quirks that nodes may have (quirk=NAME)", NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context =
		g_option_context_new("FILE|--generate SPEC|--from-capture FILE|--quirks");
	g_autoptr(GError) error = NULL;
	const struct format *format;
	const char *name = argv[0];

	g_option_context_set_summary(context, "Reads the description of a fabric and writes it.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (quirks && (argc > 1 || generate || captured || check ||
		       (format_name && strcmp(format_name, "json") != 0)))
		return command_usage(name, "--quirks goes alone, or with --format json");
	if (quirks)
		return list_quirks(name, format_name);
	if (argc > 2 || (argc == 2) + !!generate + !!captured != 1)
		return command_usage(name, "expected one FILE, --generate SPEC or "
				     "--from-capture FILE");
	if (check && format_name)
		return command_usage(name, "--check and --format exclude each other");
	format = format_find(format_name ? format_name : "ibnetdiscover");
	if (!format)
		return command_usage(name, "unknown format '%s': expected ibnetdiscover, dot or "
				     "json", format_name);
	if (captured)
		return show_captured(name, captured, check ? NULL : format);
	file = generate ? g_strconcat(TOPOLOGY_GENERATE, generate, NULL) : g_strdup(argv[1]);
	return (has_options(file) ? show_opened : show)(name, file, check ? NULL : format);
}
