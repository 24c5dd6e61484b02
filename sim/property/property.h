/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Properties: what must hold of a fabric while programs use it.
 *
 *	always   all-active within 60s		the condition is never false for longer than that
 *	never    log-has osm.log ERR		it is never true (for longer than a time)
 *	sometimes report = active 20		it was true at one time or another
 *	finally  every-way-leads within 30s	it is true that long after heal, or at the end
 *
 * Conditions are looked at after each change of the fabric, at the end of its instant: what is true
 * between two packets of an instant is not seen. property.c keeps the properties and judges them;
 * sim/property/property-condition.c has the table of conditions.
 *
 * In a fabric without properties 'properties' is NULL, and its 'observer' as well.
 */
#ifndef UMADRIG_SIM_PROPERTY_PROPERTY_H
#define UMADRIG_SIM_PROPERTY_PROPERTY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/fabric.h"

enum property_kind {
	PROPERTY_ALWAYS,
	PROPERTY_NEVER,
	PROPERTY_SOMETIMES,
	PROPERTY_FINALLY,
};

enum property_state {
	PROPERTY_OPEN,		/* nothing speaks against it so far */
	PROPERTY_MET,		/* sometimes, finally: it was true */
	PROPERTY_BROKEN,	/* it did not hold: this is so for good */
};

/* What is known of one. The strings are valid while it exists. */
struct property_report {
	int id;
	enum property_kind kind;
	enum property_state state;
	const char *condition;
	int64_t within_ns;
	int64_t at_ns;		/* when it was met or broken */
	const char *why;	/* of a broken one; or NULL */
};

/*
 * Asks the console, for conditions that are one of its lines: false, and the error, or the answer,
 * in 'answer'. Lock held.
 */
typedef bool property_ask_fn(struct umadrig_fabric *fabric, const char *line, GString *answer);

/* What is asked for. Nothing of it is kept. */
struct property_order {
	enum property_kind kind;
	const char *condition;		/* in words */
	int64_t within_ns;		/* -1: the condition's own */
	property_ask_fn *ask;
	/* Of "sometimes": called once, when it is true; it is not listed then. NULL: nothing is. */
	void (*met)(void *ctx);
	void *ctx;
};

/* "always" */
const char *property_kind_word(enum property_kind kind);
/* "holds", "met", "broken" */
const char *property_state_word(enum property_state state);

/*
 * Its number, from 1; or -EINVAL, and '*reterr' says what is wrong, to be freed. Lock held in all
 * of these.
 */
int property_add(struct umadrig_fabric *fabric, const struct property_order *order, char **reterr);
/* 0 or -ENOENT. */
int property_remove(struct umadrig_fabric *fabric, int id);

/* Property 'at' of those listed, from 0, in the order of adding; false: there are no more. */
bool property_at(const struct umadrig_fabric *fabric, unsigned int at,
		 struct property_report *ret_report);

/* What goes wrong has been ended: "finally" counts from now. */
void property_healed(struct umadrig_fabric *fabric);
/* It is the end of what is looked at: what had to be true by then is judged. */
void property_end(struct umadrig_fabric *fabric);

/* How many are broken. */
unsigned int property_broken(const struct umadrig_fabric *fabric);

/* Frees them all. */
void property_clear(struct umadrig_fabric *fabric);

#endif
