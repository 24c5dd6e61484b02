/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Directed routes of a capture: to which node the route of an SMP leads.
 *
 * A route begins at the port that asked, and an answer does not tell which that was: it is paired
 * with its request, by transaction ID, attribute and route. A request that arrives at the port of
 * the capture, rather than leaving it, comes along a route of somebody else's, and asks the
 * captured node itself.
 */
#ifndef UMADRIG_SIM_SURVEY_SURVEY_ROUTE_H
#define UMADRIG_SIM_SURVEY_SURVEY_ROUTE_H

#include <stdint.h>

#include "sim/capture/capture.h"
#include "sim/survey/survey-map.h"

/* The end of a route. */
struct survey_place {
	int node;		/* index, not resolved */
	struct survey_place *before;	/* one hop less; NULL: the route has no hops */
	uint8_t exit_port;	/* by which the last hop leaves there */
};

struct survey_routes;

struct survey_routes *survey_routes_new(struct survey_map *map);
/* NULL is allowed. */
void survey_routes_free(struct survey_routes *routes);

/*
 * A directed-route request. 'description': of the node at the port where it was captured, as
 * umadrig's own captures have it; NULL: not known.
 */
void survey_route_request(struct survey_routes *routes, const struct capture_mad *mad,
			  const char *description);

/*
 * The node whose port sent the MAD, by the name of the interface where that was captured, and the
 * port's number; -1: not known to have asked for anything before.
 */
int survey_route_asker(const struct survey_routes *routes, const struct capture_mad *mad,
		       uint8_t *ret_port);

/*
 * The node of the only port that has asked along directed routes, where it also sets ports: that of
 * the subnet manager. -1: there is none, or there are several.
 */
int survey_route_manager(const struct survey_routes *routes);

/*
 * Where the directed-route answer comes from; the routes', good until the next call. NULL: no
 * request is known that it belongs to, or its route is only partly directed.
 */
struct survey_place *survey_route_answer(struct survey_routes *routes,
					 const struct capture_mad *mad);

#endif
