/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Generated fabrics: their names, and the numbers after them. See sim/topology/generate.h. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "lib/words/number.h"
#include "sim/topology/generate.h"
#include "sim/topology/lid.h"
#include "sim/topology/shape.h"

struct shape {
	const char *name;
	const char *wanted;
	unsigned int min, max;		/* how many numbers */
	bool sizes;			/* the first is one to three numbers: 4x4x2 */
	const char *usual;		/* options that it has unless others are given */
	const char *without;		/* an option that it does not take: a number says it */
	generate_fn *generate;
};

static const struct shape shapes[] = {
	{ "fat-tree", "HCAS[,RADIX[,LEVELS]]", 1, 3, false, "", NULL,
	  topology_generate_fat_tree },
	{ "torus", "XxYxZ,HOSTS", 4, 4, true, "", NULL, topology_generate_torus },
	{ "dragonfly+", "GROUPS,LEAVES,SPINES,HOSTS[,CABLES]", 4, 5, false, "", NULL,
	  topology_generate_dragonfly },
	{ "rail", "NODES,RAILS,RADIX[,PODS]", 3, 4, false, "names=vendor,speed=NDR", "hcas=",
	  topology_generate_rail },
};

/* Numbers above this exceed any subnet; products of those below fit in 64 bits. */
static bool parse_number(const char *text, struct generate *generate)
{
	uint64_t number;

	/* "4x4x2" has no hexadecimal numbers. */
	if (generate->count == GENERATE_NUMBERS_MAX ||
	    number_parse_decimal(text, 0, UINT16_MAX, &number) < 0)
		return false;
	generate->at[generate->count++] = (unsigned int)number;
	return true;
}

/* "4x4x2": always gives three numbers, 1 for those that are missing. */
static bool parse_sizes(const char *text, struct generate *generate)
{
	char **words = g_strsplit(text, "x", -1);
	bool good = g_strv_length(words) >= 1 && g_strv_length(words) <= 3;

	for (char **word = words; good && *word; word++)
		good = parse_number(*word, generate);
	while (good && generate->count < 3)
		generate->at[generate->count++] = 1;
	g_strfreev(words);
	return good;
}

/* The words before the first option; '*ret_options' begins with that. */
static bool parse_numbers(const struct shape *shape, char **words, struct generate *generate,
			  char ***ret_options)
{
	char **word = words;
	bool good = true;

	for (; good && *word && !strchr(*word, '='); word++)
		good = shape->sizes && word == words ? parse_sizes(*word, generate)
						     : parse_number(*word, generate);
	*ret_options = word;
	return good && generate->count >= shape->min && generate->count <= shape->max;
}

/* Why an option cannot stand there, to be freed with g_free(); NULL: it can. */
static char *option_objection(const struct shape *shape, char **options, char **word)
{
	size_t size = strcspn(*word, "=") + 1;

	if (shape->without && strncmp(*word, shape->without, size) == 0)
		return g_strdup_printf("%s: leave it out; %s:%s says it", *word, shape->name,
				       shape->wanted);
	for (char **before = options; before < word; before++) {
		if (strncmp(*word, *before, size) == 0)
			return g_strdup_printf("option '%s' comes after '%s': give it once",
					       *word, *before);
	}
	return NULL;
}

/* 0, or -EINVAL with a message. */
static int parse_options(const struct shape *shape, char **options, struct generate *generate,
			 char **reterr)
{
	g_auto(GStrv) usual = g_strsplit(shape->usual, ",", -1);
	int ret = 0;

	generate_style_init(&generate->style);
	for (char **word = usual; ret == 0 && *word; word++)
		ret = generate_style_set(&generate->style, *word, reterr);
	for (char **word = options; ret == 0 && *word; word++) {
		char *objection = option_objection(shape, options, word);

		if (objection) {
			*reterr = objection;
			return -EINVAL;
		}
		ret = generate_style_set(&generate->style, *word, reterr);
	}
	return ret < 0 ? ret : generate_style_finish(&generate->style, reterr);
}

static char *wanted(void)
{
	GString *text = g_string_new("write");

	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++)
		g_string_append_printf(text, "%s %s:%s", i ? " or" : "", shapes[i].name,
				       shapes[i].wanted);
	return g_string_free(text, false);
}

/* The numbers and options after "SHAPE:". */
static int generate_shape(const struct shape *shape, const char *text, struct topology *topology,
			  char **reterr)
{
	struct generate generate = { .topology = topology };
	g_auto(GStrv) words = g_strsplit(text, ",", -1);
	char **options;
	int ret;

	if (!parse_numbers(shape, words, &generate, &options)) {
		*reterr = g_strdup_printf("write %s:%s, all of them numbers up to %u", shape->name,
					  shape->wanted, UINT16_MAX);
		return -EINVAL;
	}
	ret = parse_options(shape, options, &generate, reterr);
	if (ret == 0)
		ret = shape->generate(&generate, reterr);
	if (ret < 0)
		return ret;
	generate_planes(&generate);
	generate_aggregation_nodes(&generate);
	ret = generate_subnets(&generate, reterr);
	if (ret == 0)
		topology_assign_lids(topology);
	return ret;
}

bool topology_begins_with_shape(const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
		if (g_str_has_prefix(text, shapes[i].name) && text[strlen(shapes[i].name)] == ':')
			return true;
	}
	return false;
}

int topology_generate(struct topology *topology, const char *spec, char **reterr)
{
	size_t size = strcspn(spec, ":");
	g_autofree char *text = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
		if (strlen(shapes[i].name) == size && strncmp(shapes[i].name, spec, size) == 0)
			return generate_shape(&shapes[i], spec[size] ? spec + size + 1 : "",
					      topology, reterr);
	}
	text = wanted();
	*reterr = g_strdup_printf("no such shape '%.*s'; %s", (int)MIN(size, 80), spec, text);
	return -EINVAL;
}
