/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Generated fabrics: their names, and the numbers after them. See sim/topology/generate.h. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "sim/topology/generate.h"
#include "sim/topology/lid.h"
#include "sim/topology/shape.h"

struct shape {
	const char *name;
	const char *wanted;
	unsigned int min, max;		/* how many numbers */
	bool sizes;			/* the first is one to three numbers: 4x4x2 */
	int (*generate)(struct topology *topology, const struct generate_numbers *numbers,
			char **reterr);
};

static const struct shape shapes[] = {
	{ "fat-tree", "HCAS[,RADIX[,LEVELS]]", 1, 3, false, topology_generate_fat_tree },
	{ "torus", "XxYxZ,HOSTS", 4, 4, true, topology_generate_torus },
	{ "dragonfly+", "GROUPS,LEAVES,SPINES,HOSTS[,CABLES]", 4, 5, false,
	  topology_generate_dragonfly },
};

/* Numbers above this exceed any subnet; products of those below fit in 64 bits. */
static bool parse_number(const char *text, struct generate_numbers *numbers)
{
	guint64 number;

	if (numbers->count == GENERATE_NUMBERS_MAX ||
	    !g_ascii_string_to_unsigned(text, 10, 0, UINT16_MAX, &number, NULL))
		return false;
	numbers->at[numbers->count++] = (unsigned int)number;
	return true;
}

/* "4x4x2": always gives three numbers, 1 for those that are missing. */
static bool parse_sizes(const char *text, struct generate_numbers *numbers)
{
	char **words = g_strsplit(text, "x", -1);
	bool good = g_strv_length(words) >= 1 && g_strv_length(words) <= 3;

	for (char **word = words; good && *word; word++)
		good = parse_number(*word, numbers);
	while (good && numbers->count < 3)
		numbers->at[numbers->count++] = 1;
	g_strfreev(words);
	return good;
}

static bool parse_numbers(const struct shape *shape, const char *text,
			  struct generate_numbers *numbers)
{
	char **words = g_strsplit(text, ",", -1);
	bool good = true;

	for (char **word = words; good && *word; word++)
		good = shape->sizes && word == words ? parse_sizes(*word, numbers)
						     : parse_number(*word, numbers);
	g_strfreev(words);
	return good && numbers->count >= shape->min && numbers->count <= shape->max;
}

static char *wanted(void)
{
	GString *text = g_string_new("write");

	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++)
		g_string_append_printf(text, "%s %s:%s", i ? " or" : "", shapes[i].name,
				       shapes[i].wanted);
	return g_string_free(text, false);
}

int topology_generate(struct topology *topology, const char *spec, char **reterr)
{
	size_t size = strcspn(spec, ":");

	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
		const struct shape *shape = &shapes[i];
		struct generate_numbers numbers = { 0 };

		if (strlen(shape->name) != size || strncmp(shape->name, spec, size) != 0)
			continue;
		if (!spec[size] || !parse_numbers(shape, spec + size + 1, &numbers)) {
			*reterr = g_strdup_printf("write %s:%s, all of them numbers up to %u",
						  shape->name, shape->wanted, UINT16_MAX);
			return -EINVAL;
		}

		int ret = shape->generate(topology, &numbers, reterr);

		if (ret == 0)
			topology_assign_lids(topology);
		return ret;
	}

	char *text = wanted();

	*reterr = g_strdup_printf("no such shape '%.*s'; %s", (int)MIN(size, 80), spec, text);
	g_free(text);
	return -EINVAL;
}
