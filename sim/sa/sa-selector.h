/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Selectors: how MTU, Rate and PacketLifeTime of a request restrict those of a path or a group
 * (IBA vol 1, 15.2.5.16). Of rates, values are ranks (sim/sa/path-walk.h).
 */
#ifndef UMADRIG_SIM_SA_SA_SELECTOR_H
#define UMADRIG_SIM_SA_SA_SELECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct sa_request;

enum selector {
	SELECT_GREATER = 0,
	SELECT_LESS = 1,
	SELECT_EXACTLY = 2,
	SELECT_BEST = 3,
};

enum {
	SELECTOR_SHIFT = 6,		/* in the byte that has selector and value */
	SELECTOR_VALUE = 0x3f,
	SELECTED_EXACTLY = SELECT_EXACTLY << SELECTOR_SHIFT,
};

/* A value that the request restricts; not 'is_given': it does not. */
struct wish {
	bool is_given;
	enum selector selector;
	unsigned int value;
};

/*
 * Components 'component' and the next one: a selector and a value, in 'byte'. One of them alone
 * restricts nothing.
 */
struct wish wish_read(const struct sa_request *request, unsigned int component, uint8_t byte);

/* Are the codes of MTU and Rate known? '*rate' then has a rank. */
bool wish_is_valid(const struct wish *mtu, struct wish *rate);

/*
 * Does a path that allows '*value' satisfy the wish, if it is used with less ('is_lowered': also to
 * be exactly what is wanted)? '*value' becomes what to use.
 */
bool wish_grant(const struct wish *wish, bool is_lowered, unsigned int *value);

/* Does the value of something that exists satisfy the wish? */
bool wish_fits(const struct wish *wish, unsigned int value);

#endif
