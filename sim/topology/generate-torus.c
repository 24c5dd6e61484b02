/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tori of up to three dimensions: a switch at each place, cabled to its neighbours, with
 * wraparound.
 *
 * Ports: 1 and 2 up and down in X, 3 and 4 in Y, 5 and 6 in Z (only dimensions longer than 1 have
 * ports), then the hosts'. A dimension of length 2 has two cables between its two switches, one of
 * them the wrap, as a real torus has.
 */
#include "config.h"

#include <errno.h>

#include "sim/topology/shape.h"

enum { DIMENSIONS = 3 };

struct torus {
	unsigned int size[DIMENSIONS];
	unsigned int hosts;		/* at each switch */
	unsigned int link_ports;	/* before the hosts' */
};

static int place_index(const struct torus *torus, const unsigned int at[DIMENSIONS])
{
	return (int)((at[2] * torus->size[1] + at[1]) * torus->size[0] + at[0]);
}

static void place_of(const struct torus *torus, unsigned int index, unsigned int at[DIMENSIONS])
{
	at[0] = index % torus->size[0];
	at[1] = index / torus->size[0] % torus->size[1];
	at[2] = index / torus->size[0] / torus->size[1];
}

/* Cables this switch to the next one in each dimension. */
static void cable_upwards(struct generate *generate, const struct torus *torus, unsigned int index)
{
	unsigned int at[DIMENSIONS], port = 1;

	place_of(torus, index, at);
	for (unsigned int d = 0; d < DIMENSIONS; d++) {
		unsigned int next[DIMENSIONS] = { at[0], at[1], at[2] };

		if (torus->size[d] == 1)
			continue;
		next[d] = (at[d] + 1) % torus->size[d];
		generate_cable(generate, (int)index, port, place_index(torus, next), port + 1);
		port += 2;
	}
}

static void make_hosts(struct generate *generate, const struct torus *torus, unsigned int index)
{
	unsigned int at[DIMENSIONS], adapters = generate->style.adapters;
	unsigned int port = torus->link_ports + 1;

	place_of(torus, index, at);
	for (unsigned int h = 0; h < torus->hosts; h++) {
		int host = generate_host(generate, adapters, "host-%u-%u-%u-%u", at[0], at[1],
					 at[2], h);

		port = generate_plug_host(generate, host, adapters, (int)index, port);
	}
}

int topology_generate_torus(struct generate *generate, char **reterr)
{
	struct torus torus = { .hosts = generate->at[DIMENSIONS] };
	unsigned int host_ports = torus.hosts * generate_host_ports(generate);
	uint64_t places = 1;
	unsigned int at[DIMENSIONS];

	for (unsigned int d = 0; d < DIMENSIONS; d++) {
		torus.size[d] = generate->at[d];
		places *= torus.size[d];
		torus.link_ports += torus.size[d] > 1 ? 2 : 0;
	}
	if (places == 0 || torus.link_ports + torus.hosts == 0) {
		*reterr = g_strdup("a torus has no dimension of 0, and a torus of one switch needs "
				   "hosts");
		return -EINVAL;
	}

	int ret = generate_check_size(generate, places,
				      MIN(places, UINT32_MAX) * torus.hosts *
				      generate->style.adapters,
				      (uint64_t)torus.link_ports + host_ports, reterr);

	if (ret < 0)
		return ret;
	for (unsigned int i = 0; i < places; i++) {
		place_of(&torus, i, at);
		generate_switch(generate, torus.link_ports + host_ports, "torus-%u-%u-%u", at[0],
				at[1], at[2]);
	}
	for (unsigned int i = 0; i < places; i++)
		cable_upwards(generate, &torus, i);
	for (unsigned int i = 0; i < places; i++)
		make_hosts(generate, &torus, i);
	return 0;
}
