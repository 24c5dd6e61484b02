/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Topologies: what does not fit in rows of text in and text out. Files and their includes, binary
 * data, more errors than anyone reads, LIDs, look-ups.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "sim/topology/topology-subnet.h"
#include "tests/rig/topology-dump.h"

#define HEAD "#\n# Topology file: generated on Sat Nov 21 09:00:00 2026\n#\n"
#define S1 "S-0000000000000a01"
#define H1 "H-0000000000000c01"
#define H2 "H-0000000000000c05"
#define H3 "H-0000000000000c09"
#define S2 "S-0000000000000a02"
#define R1 "R-0000000000000d01"

static void test_zero_bytes(void)
{
	static const char binary[] = "Switch 4 \"S\"\n\0\0\0";
	GArray *diagnostics;

	g_assert_null(topology_parse(binary, sizeof(binary), "given", &diagnostics));
	g_assert_cmpuint(diagnostics->len, ==, 1);
	g_assert_true(topology_says("0 fatal it is binary",
				    &g_array_index(diagnostics, struct topology_diagnostic, 0)));
	topology_diagnostics_free(diagnostics);
}

/* A zero byte beyond the part that is checked for binary data. */
static void test_late_zero_byte(void)
{
	GString *text = g_string_new("Hca 1 \"A\"\nHca 1 \"");

	while (text->len < 5000)
		g_string_append_c(text, 'x');
	g_string_append_len(text, "\0\"\n", 3);
	GArray *diagnostics;
	struct topology *topology = topology_parse(text->str, text->len, "given", &diagnostics);
	char *got = topology_dump(topology);

	g_assert_cmpstr(got, ==, "ca A/1 100000:\n");
	/* The long line is reported too, before that. */
	g_assert_cmpuint(diagnostics->len, ==, 2);
	g_assert_true(topology_says("2 warning ibsim would cut it after 254",
			   &g_array_index(diagnostics, struct topology_diagnostic, 0)));
	g_assert_true(topology_says("2 error header '1",
				    &g_array_index(diagnostics, struct topology_diagnostic, 1)));
	g_free(got);
	topology_free(topology);
	topology_diagnostics_free(diagnostics);
	g_string_free(text, true);
}

static void test_no_file(void)
{
	GArray *diagnostics;

	g_assert_null(topology_load("/no/such/file", &diagnostics));
	g_assert_cmpuint(diagnostics->len, ==, 1);
	char *text = topology_diagnostic_format(
		&g_array_index(diagnostics, struct topology_diagnostic, 0));
	g_assert_true(g_str_has_prefix(text, "/no/such/file: fatal: "));
	g_free(text);
	topology_diagnostics_free(diagnostics);
	topology_free(NULL);
	topology_diagnostics_free(NULL);
	g_assert_null(topology_load("/no/such/file", NULL));
}

/* A file with a hundred times more errors than anyone reads. */
static void test_many_diagnostics(void)
{
	GString *text = g_string_new("Hca 1 \"A\"\n");
	GArray *diagnostics;

	for (unsigned int i = 0; i < 3 * TOPOLOGY_DIAGNOSTICS_MAX; i++)
		g_string_append(text, "noise\n");
	struct topology *topology = topology_parse(text->str, text->len, "given", &diagnostics);

	g_assert_nonnull(topology);
	g_assert_cmpuint(diagnostics->len, ==, TOPOLOGY_DIAGNOSTICS_MAX + 1);
	g_assert_true(topology_says("0 warning 2000 more are not shown",
			   &g_array_index(diagnostics, struct topology_diagnostic,
					  TOPOLOGY_DIAGNOSTICS_MAX)));
	g_assert_cmpuint(topology->told[TOPOLOGY_WARNING], ==, 3 * TOPOLOGY_DIAGNOSTICS_MAX);
	g_assert_cmpuint(topology->told[TOPOLOGY_ERROR], ==, 0);
	topology_free(topology);
	topology_diagnostics_free(diagnostics);
	g_string_free(text, true);
}

/* What is lost of a file, and whether it is too much. */
static const struct loss_row {
	const char *name;
	const char *given;
	const char *lost;
	bool is_great;
} loss_rows[] = {
	{ "nothing", HEAD "Ca\t1 \"" H1 "\"\n[1]\t\"" H2 "\"[1]\n\nCa\t1 \"" H2 "\"\n"
	  "[1]\t\"" H1 "\"[1]\n", "", false },
	{ "a node of two", HEAD "Ca\t1 \"" H1 "\"\n[1]\t\"" H2 "\"[1]\n\nCa\t0 \"" H2 "\"\n"
	  "[1]\t\"" H1 "\"[1]\n", "1 of 2 nodes, 2 of 2 ends of links, 3 of 4 lines", true },
	{ "a tenth of the lines", "Hca 1 \"A\"\nseed=1\ndevid=1\ndevid=1\ndevid=1\ndevid=1\n"
	  "devid=1\ndevid=1\ndevid=1\ndevid=1\n", "1 of 10 lines", true },
	{ "less than a tenth", "Hca 1 \"A\"\nseed=1\ndevid=1\ndevid=1\ndevid=1\ndevid=1\n"
	  "devid=1\ndevid=1\ndevid=1\ndevid=1\ndevid=1\n", "1 of 11 lines", false },
	{ "ends that contradict each other", "Hca 2 \"A\"\n[1] \"B\"[1]\n[2] \"B\"[1]\n"
	  "[2] \"B\"[2]\n\nHca 2 \"B\"\n[1] \"A\"[1]\n",
	  "2 of 4 ends of links, 2 of 6 lines", true },
	{ "one line twice", "Hca 1 \"A\"\n[1] \"B\"[1]\n[1] \"B\"[1]\n\nHca 1 \"B\"\n"
	  "[1] \"A\"[1]\n", "", false },
	{ "port lines of no node", "[1] \"A\"[1]\nHca 1 \"A\"\n",
	  "1 of 1 ends of links, 1 of 2 lines", true },
};

static void test_loss(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(loss_rows); i++) {
		const struct loss_row *row = &loss_rows[i];
		struct topology *topology = topology_parse(row->given, strlen(row->given), "given",
							   NULL);
		char *lost = topology_loss_format(&topology->loss);

		g_test_message("%s", row->name);
		g_assert_cmpstr(lost, ==, row->lost);
		g_assert_cmpint(topology_loss_is_great(&topology->loss), ==, row->is_great);
		g_free(lost);
		topology_free(topology);
	}
}

static char *write_file(const char *directory, const char *name, const char *text)
{
	char *path = g_build_filename(directory, name, NULL);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

/* Included files are relative to the file; errors in them name the included file and the line. / */
static void test_include(void)
{
	char *directory = g_dir_make_tmp("topology-XXXXXX", NULL);
	char *main_path = write_file(directory, "main.net",
				     "Hca 1 \"A\"\n[1] \"B\"[1]\n\ninclude \"b.net\"\nnoise\n");
	char *b_path = write_file(directory, "b.net", "Hca 1 \"B\"\n[1] \"A\"[1]\n[7] \"A\"[1]\n");
	char *loop_path = write_file(directory, "loop.net", "Hca 1 \"A\"\ninclude \"loop.net\"\n");
	GArray *diagnostics;
	struct topology *topology = topology_load(main_path, &diagnostics);
	char *got = topology_dump(topology);

	g_assert_cmpstr(got, ==, "ca A/1 100000: 1>B.1\nca B/1 100002: 1>A.1\n");
	g_free(got);
	g_assert_cmpuint(topology_node(topology, 1)->file_number, ==, 1);
	g_assert_cmpuint(diagnostics->len, ==, 2);
	g_assert_true(topology_says("5 warning 'noise'",
			   &g_array_index(diagnostics, struct topology_diagnostic, 0)));
	g_assert_cmpstr(g_array_index(diagnostics, struct topology_diagnostic, 0).file, ==,
			main_path);
	g_assert_true(topology_says("3 error port 7",
			   &g_array_index(diagnostics, struct topology_diagnostic, 1)));
	g_assert_cmpstr(g_array_index(diagnostics, struct topology_diagnostic, 1).file, ==, b_path);
	topology_free(topology);
	topology_diagnostics_free(diagnostics);

	/* A file that includes itself ends at ibsim's limit of levels. */
	topology = topology_load(loop_path, &diagnostics);
	g_assert_cmpuint(topology->nodes->len, ==, 1);
	g_assert_true(topology_says("2 error nested more than 8 deep",
			   &g_array_index(diagnostics, struct topology_diagnostic,
					  diagnostics->len - 1)));
	topology_free(topology);
	topology_diagnostics_free(diagnostics);

	g_unlink(main_path);
	g_unlink(b_path);
	g_unlink(loop_path);
	g_rmdir(directory);
	g_free(main_path);
	g_free(b_path);
	g_free(loop_path);
	g_free(directory);
}

/* LIDs: the lowest free one, in the order of the file; none for ports without a link; LMC ranges
 * are aligned. / */
static void test_assign_lids(void)
{
	static const char text[] = HEAD
		"Switch\t8 \"" S1 "\"\t# \"s\" base port 0\n[1]\t\"" H1 "\"[1]\n"
		"[2]\t\"" H1 "\"[2]\n"
		"[3]\t\"" H2 "\"[1]\n\nCa\t3 \"" H1 "\"\t# \"h\"\n"
		"[1]\t\"" S1 "\"[1]\t# lid 2 lmc 0 \"s\"\n"
		"[2]\t\"" S1 "\"[2]\t# lid  lmc 2 \"s\"\n\nCa\t1 \"" H2 "\"\t# \"g\"\n"
		"[1]\t\"" S1 "\"[3]\n";
	struct topology *topology = topology_parse(text, strlen(text), "given", NULL);

	topology_assign_lids(topology);
	char *got = topology_dump(topology);
	g_assert_cmpstr(got, ==,
			"switch " S1 "/8 a01 's' lid 1: 1>" H1 ".1 2>" H1 ".2 3>" H2 ".1\n"
			"ca " H1 "/3 c01 'h': 1>" S1 ".1=2 2>" S1 ".2=4+2\n"
			"ca " H2 "/1 c05 'g': 1>" S1 ".3=3\n");
	g_free(got);
	topology_free(topology);
}

/*
 * Each subnet has LIDs of its own: a router's ports, and an HCA's that nothing joins, are in two.
 * In one subnet a LID that is given twice is a mistake.
 */
static void test_subnets(void)
{
	static const char text[] = HEAD
		"Switch\t4 \"" S1 "\"\t# \"s\" base port 0\n"
		"[1]\t\"" H1 "\"[1]\n[2]\t\"" R1 "\"[1]\n[3]\t\"" H2 "\"[1]\n\n"
		"Switch\t4 \"" S2 "\"\t# \"s\" base port 0\n"
		"[1]\t\"" H3 "\"[1]\n[2]\t\"" R1 "\"[2]\n[3]\t\"" H2 "\"[2]\n\n"
		"Ca\t1 \"" H1 "\"\t# \"a\"\n[1]\t\"" S1 "\"[1]\t# lid 7 lmc 0 \"s\"\n\n"
		"Ca\t2 \"" H2 "\"\t# \"b\"\n[1]\t\"" S1 "\"[3]\n"
		"[2]\t\"" S2 "\"[3]\t# lid 7 lmc 0 \"s\"\n\n"
		"Ca\t1 \"" H3 "\"\t# \"c\"\n[1]\t\"" S2 "\"[1]\t# lid 7 lmc 0 \"s\"\n\n"
		"Rt\t2 \"" R1 "\"\t# \"r\"\n[1]\t\"" S1 "\"[2]\n[2]\t\"" S2 "\"[2]\n";
	struct topology *topology = topology_parse(text, strlen(text), "given", NULL);
	struct topology_subnets subnets;

	g_assert_cmpuint(topology->diagnostics->len, ==, 1);
	g_assert_true(topology_says("22 warning LID 7 of '" H3 "' is already used by '" H2 "'[2]",
			&g_array_index(topology->diagnostics, struct topology_diagnostic, 0)));
	topology_assign_lids(topology);
	char *got = topology_dump(topology);
	g_assert_cmpstr(got, ==,
			"switch " S1 "/4 a01 's' lid 1: 1>" H1 ".1 2>" R1 ".1 3>" H2 ".1\n"
			"switch " S2 "/4 a02 's' lid 1: 1>" H3 ".1 2>" R1 ".2 3>" H2 ".2\n"
			"ca " H1 "/1 c01 'a': 1>" S1 ".1=7\n"
			"ca " H2 "/2 c05 'b': 1>" S1 ".3=2 2>" S2 ".3=7\n"
			"ca " H3 "/1 c09 'c': 1>" S2 ".1=2\n"
			"router " R1 "/2 d01 'r': 1>" S1 ".2=3 2>" S2 ".2=3\n");
	g_free(got);

	topology_subnets_find(topology, &subnets);
	g_assert_cmpuint(subnets.count, ==, 2);
	g_assert_cmpuint(subnets.first[1], ==, 4);
	g_assert_cmpuint(subnets.first[2], ==, 8);
	g_assert_true(subnets.ends[2].node == topology_node(topology, 3));
	g_assert_cmpuint(subnets.ends[2].num, ==, 1);
	g_assert_cmpint(topology_node(topology, 3)->ports[2].subnet, ==, 1);
	topology_subnets_clear(&subnets);
	topology_free(topology);
}

/* 400 switches in a row, each with 252 adapters' ports, would need more LIDs than a subnet has. */
static void test_lids_run_out(void)
{
	GString *text = g_string_new(NULL);
	unsigned int count = 400, left = 0, ports = 252;

	for (unsigned int i = 0; i < count; i++) {
		g_string_append_printf(text, "Switch 254 \"S%u\"\n", i);
		for (unsigned int port = 1; port <= ports; port++)
			g_string_append_printf(text, "[%u] \"H%u\"[%u]\n", port, i, port);
		if (i > 0)
			g_string_append_printf(text, "[253] \"S%u\"[254]\n", i - 1);
		if (i + 1 < count)
			g_string_append_printf(text, "[254] \"S%u\"[253]\n", i + 1);
		g_string_append_printf(text, "\nHca %u \"H%u\"\n", ports, i);
		for (unsigned int port = 1; port <= ports; port++)
			g_string_append_printf(text, "[%u] \"S%u\"[%u]\n", port, i, port);
		g_string_append(text, "\n");
	}
	struct topology *topology = topology_parse(text->str, text->len, "given", NULL);

	g_assert_cmpuint(topology->diagnostics->len, ==, 0);
	topology_assign_lids(topology);
	for (unsigned int i = 0; i < 2 * count; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		left += node->kind == TOPOLOGY_SWITCH && !node->ports[0].lid;
		for (unsigned int port = 1; node->kind == TOPOLOGY_CA && port <= ports; port++)
			left += !node->ports[port].lid;
	}
	g_assert_cmpuint(left, ==, count * (ports + 1) - TOPOLOGY_LID_MAX);
	g_assert_cmpuint(topology->diagnostics->len, ==, 1);
	g_assert_true(topology_says("0 error no free LID for 52049 end ports",
			   &g_array_index(topology->diagnostics, struct topology_diagnostic, 0)));
	topology_free(topology);
	g_string_free(text, true);
}

static void test_find(void)
{
	static const char text[] = "Hca 1 \"A\" # \"one\"\nHca 1 \"B\" # \"two\"\n"
	  "Hca 1 \"C\" # \"two\"\nHca 1 \"one\" # \"A\"\n";
	struct topology *topology = topology_parse(text, strlen(text), "given", NULL);
	static const struct {
		const char *name;
		int found;
	} rows[] = { { "A", 0 }, { "one", 3 }, { "B", 1 }, { "two", -1 }, { "", -1 }, { "none",
	  -1 } };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		g_assert_cmpint(topology_find(topology, rows[i].name), ==, rows[i].found);
	topology_free(topology);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/topology/load/binary", test_zero_bytes);
	g_test_add_func("/topology/load/late zero byte", test_late_zero_byte);
	g_test_add_func("/topology/load/no file", test_no_file);
	g_test_add_func("/topology/load/many diagnostics", test_many_diagnostics);
	g_test_add_func("/topology/load/loss", test_loss);
	g_test_add_func("/topology/load/include", test_include);
	g_test_add_func("/topology/load/assign lids", test_assign_lids);
	g_test_add_func("/topology/load/subnets", test_subnets);
	g_test_add_func("/topology/load/lids run out", test_lids_run_out);
	g_test_add_func("/topology/load/find", test_find);
	return g_test_run();
}
