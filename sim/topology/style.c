/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The options of generated fabrics. See sim/topology/style.h. */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/number.h"
#include "sim/topology/reader.h"
#include "sim/topology/style.h"

enum { ADAPTER_PORTS_MAX = 2, PLANES_MAX = 4 /* of XDR */, SUBNETS_MAX = 16, ROUTERS_MAX = 8 };

/* Switch-IB 2 and ConnectX-5, Quantum and ConnectX-6, Quantum-2 and -7, Quantum-3 and -8. */
static const struct generate_make makes[] = {
	{ "EDR", 2, "MSB7800", 0xcf08, 0x1017 },
	{ "HDR", 4, "MQM8700", 0xd2f0, 0x101b },
	{ "NDR", 8, "MQM9700", 0xd2f2, 0x1021 },
	{ "XDR", 32, "Q3400", 0xd2f4, 0x1023 },
};

enum { MAKE_USUAL = 1 };

void generate_style_init(struct generate_style *style)
{
	*style = (struct generate_style) {
		.make = &makes[MAKE_USUAL], .width = 2, .adapters = 1, .adapter_ports = 1,
		.planes = 1, .subnets = 1,
	};
}

/* ---- options ---- */

static int set_names(struct generate_style *style, const char *value)
{
	if (strcmp(value, "plain") != 0 && strcmp(value, "vendor") != 0)
		return -EINVAL;
	style->vendor_names = value[0] == 'v';
	return 0;
}

static int set_speed(struct generate_style *style, const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(makes); i++) {
		if (g_ascii_strcasecmp(value, makes[i].speed) == 0) {
			style->make = &makes[i];
			return 0;
		}
	}
	return -EINVAL;
}

static int set_width(struct generate_style *style, const char *value)
{
	struct topology_port port = { 0 };

	if (!topology_width_parse((struct span){ value, value + strlen(value) }, &port))
		return -EINVAL;
	style->width = port.width_active;
	return 0;
}

static int set_aggregation(struct generate_style *style, const char *value)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return -EINVAL;
	style->aggregation = value[0] == 'y';
	return 0;
}

static int set_number(unsigned int *ret, const char *value, unsigned int max)
{
	uint64_t number;

	if (number_parse(value, 1, max, &number) < 0)
		return -EINVAL;
	*ret = (unsigned int)number;
	return 0;
}

static int set_adapters(struct generate_style *style, const char *value)
{
	return set_number(&style->adapters, value, GENERATE_ADAPTERS_MAX);
}

static int set_adapter_ports(struct generate_style *style, const char *value)
{
	return set_number(&style->adapter_ports, value, ADAPTER_PORTS_MAX);
}

static int set_planes(struct generate_style *style, const char *value)
{
	return set_number(&style->planes, value, PLANES_MAX);
}

static int set_subnets(struct generate_style *style, const char *value)
{
	return set_number(&style->subnets, value, SUBNETS_MAX);
}

static int set_routers(struct generate_style *style, const char *value)
{
	return set_number(&style->routers, value, ROUTERS_MAX);
}

static const struct option {
	const char *name;
	const char *wanted;
	/* 0, or -EINVAL: the value is not one of those that 'wanted' describes. */
	int (*set)(struct generate_style *style, const char *value);
} options[] = {
	{ "names", "plain or vendor", set_names },
	{ "speed", "EDR, HDR, NDR or XDR", set_speed },
	{ "width", "1x, 2x, 4x, 8x or 12x", set_width },
	{ "aggregation", "yes or no", set_aggregation },
	{ "hcas", "a number from 1 to 16", set_adapters },
	{ "ports", "1 or 2", set_adapter_ports },
	{ "planes", "a number from 1 to 4", set_planes },
	{ "subnets", "a number from 1 to 16", set_subnets },
	{ "routers", "a number from 1 to 8", set_routers },
};

static const struct option *option_find(const char *word)
{
	size_t size = strcspn(word, "=");

	for (size_t i = 0; word[size] && i < G_N_ELEMENTS(options); i++) {
		if (strlen(options[i].name) == size && strncmp(options[i].name, word, size) == 0)
			return &options[i];
	}
	return NULL;
}

bool generate_style_knows(const char *word)
{
	return option_find(word);
}

static char *option_names(void)
{
	GString *names = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
		g_string_append_printf(names, "%s%s=", i ? " " : "", options[i].name);
	return g_string_free(names, false);
}

int generate_style_set(struct generate_style *style, const char *word, char **reterr)
{
	const struct option *option = option_find(word);
	g_autofree char *names = NULL;

	if (option && option->set(style, word + strlen(option->name) + 1) == 0)
		return 0;
	if (option) {
		*reterr = g_strdup_printf("%s: expected %s", word, option->wanted);
		return -EINVAL;
	}
	names = option_names();
	*reterr = g_strdup_printf("unknown option '%s' of a generated fabric: expected one of %s",
				  word, names);
	return -EINVAL;
}

/* LinkWidth's bits, with their lanes. */
static const struct {
	uint8_t width, lanes;
} widths[] = { { 1, 1 }, { 16, 2 }, { 2, 4 }, { 4, 8 }, { 8, 12 } };

static unsigned int lanes_of(uint8_t width)
{
	for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
		if (widths[i].width == width)
			return widths[i].lanes;
	}
	return 0;
}

/* The lanes of a port are dealt to its planes: of 4x with four planes each has 1x. */
int generate_style_finish(struct generate_style *style, char **reterr)
{
	unsigned int lanes = lanes_of(style->width);

	if (style->routers && style->subnets == 1) {
		*reterr = g_strdup("routers= is between subnets: write subnets=, 2 or more");
		return -EINVAL;
	}
	if (style->routers && style->planes > 1) {
		*reterr = g_strdup("planes= and routers=: a router is on no plane; leave one of "
				   "the two out");
		return -EINVAL;
	}
	if (style->planes == 1)
		return 0;
	if (style->adapter_ports > 1) {
		*reterr = g_strdup("planes= and ports=2: an HCA with planes has one port");
		return -EINVAL;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
		if (widths[i].lanes * style->planes == lanes) {
			style->width = widths[i].width;
			return 0;
		}
	}
	*reterr = g_strdup_printf("planes=%u: a port of %ux cannot be divided so; planes=4 divides "
				  "4x (width=) into 1x", style->planes, lanes);
	return -EINVAL;
}

const char *generate_style_option(unsigned int at, const char **ret_wanted)
{
	if (at >= G_N_ELEMENTS(options))
		return NULL;
	*ret_wanted = options[at].wanted;
	return options[at].name;
}
