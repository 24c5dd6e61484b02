/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The agent table: version, class (and OUI), method, as arrays of pointers that are allocated when
 * first needed.
 *
 * An agent with an empty mask enters its class too, as in Linux: it occupies an OUI's place until
 * an agent leaves that OUI without methods.
 */
#include "kmod-stub/agent-table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/agent.h"
#include "lib/base/wire.h"

enum { VENDOR2_COUNT = MAD_CLASS_VENDOR2_LAST - MAD_CLASS_VENDOR2_FIRST + 1 };

struct method_table {
	unsigned int used;
	struct agent *agents[METHOD_LIMIT];
};

struct vendor_table {
	unsigned int used;
	struct {
		uint8_t oui[3];
		struct method_table *methods;	/* NULL: the place is free */
	} places[VENDOR_OUI_LIMIT];
};

struct version_table {
	unsigned int used;
	struct method_table *classes[CLASS_LIMIT];
	struct vendor_table *vendors[VENDOR2_COUNT];
};

struct agent_table {
	unsigned int used;
	struct version_table *versions[CLASS_VERSION_LIMIT];
};

/* The place of a class in a version's table; CLASS_LIMIT: it has none. */
static unsigned int class_place(uint8_t mgmt_class)
{
	if (mgmt_class == MAD_CLASS_SUBN_DR)
		return 0;
	return mgmt_class < CLASS_LIMIT ? mgmt_class : CLASS_LIMIT;
}

/*
 * The pointer at '*place'; if it is NULL, allocates 'size' zeroed bytes for it, which '*used'
 * counts. NULL: no memory.
 */
static void *make(void *place, size_t size, unsigned int *used)
{
	void **pointer = place;

	if (!*pointer) {
		*pointer = calloc(1, size);
		if (*pointer)
			++*used;
	}
	return *pointer;
}

/* Frees '*place' if nothing in it is used, and subtracts it from 'parent_used'. */
static void reap(void *place, unsigned int used, unsigned int *parent_used)
{
	void **pointer = place;

	if (used == 0) {
		free(*pointer);
		*pointer = NULL;
		--*parent_used;
	}
}

static bool oui_equal(const uint8_t *a, const uint8_t *b)
{
	return memcmp(a, b, 3) == 0;
}

/* The place of 'oui', else the first free one, else VENDOR_OUI_LIMIT. */
static unsigned int oui_place(const struct vendor_table *vendor, const uint8_t oui[3])
{
	unsigned int unused = VENDOR_OUI_LIMIT;

	for (unsigned int i = 0; i < VENDOR_OUI_LIMIT; i++) {
		if (!vendor->places[i].methods) {
			if (unused == VENDOR_OUI_LIMIT)
				unused = i;
		} else if (oui_equal(vendor->places[i].oui, oui)) {
			return i;
		}
	}
	return unused;
}

static bool mask_has(const struct agent *agent, unsigned int method)
{
	return agent->methods[method / 64] >> (method % 64) & 1;
}

/* The method table of 'agent', allocated if there is none; NULL: no room. */
static struct method_table *make_methods(struct agent_table **table, const struct agent *agent)
{
	struct version_table *version;
	struct vendor_table *vendor;
	unsigned int tables = 0;
	unsigned int i;

	if (!make(table, sizeof(**table), &tables))
		return NULL;
	version = make(&(*table)->versions[agent->class_version], sizeof(*version),
		       &(*table)->used);
	if (!version)
		return NULL;
	if (!mad_class_is_vendor2(agent->mgmt_class))
		return make(&version->classes[class_place(agent->mgmt_class)],
			    sizeof(struct method_table), &version->used);

	vendor = make(&version->vendors[agent->mgmt_class - MAD_CLASS_VENDOR2_FIRST],
		      sizeof(*vendor), &version->used);
	if (!vendor)
		return NULL;
	i = oui_place(vendor, agent->oui);
	if (i == VENDOR_OUI_LIMIT)
		return NULL;
	memcpy(vendor->places[i].oui, agent->oui, 3);
	return make(&vendor->places[i].methods, sizeof(struct method_table), &vendor->used);
}

int agent_table_add(struct agent_table **table, struct agent *agent)
{
	struct method_table *methods = make_methods(table, agent);
	int err = methods ? 0 : -ENOMEM;

	for (unsigned int m = 0; !err && m < METHOD_LIMIT; m++)
		if (mask_has(agent, m) && methods->agents[m])
			err = -EINVAL;
	if (err) {
		/* Free what was allocated and stayed empty. */
		agent_table_remove(table, agent);
		return err;
	}
	for (unsigned int m = 0; m < METHOD_LIMIT; m++) {
		if (mask_has(agent, m)) {
			methods->agents[m] = agent;
			methods->used++;
		}
	}
	return 0;
}

static void remove_methods(struct method_table *methods, const struct agent *agent)
{
	for (unsigned int m = 0; m < METHOD_LIMIT; m++) {
		if (methods->agents[m] == agent) {
			methods->agents[m] = NULL;
			methods->used--;
		}
	}
}

static void remove_vendor(struct version_table *version, const struct agent *agent)
{
	struct vendor_table **vendor =
		&version->vendors[agent->mgmt_class - MAD_CLASS_VENDOR2_FIRST];
	unsigned int i;

	if (!*vendor)
		return;
	i = oui_place(*vendor, agent->oui);
	if (i < VENDOR_OUI_LIMIT && (*vendor)->places[i].methods) {
		remove_methods((*vendor)->places[i].methods, agent);
		reap(&(*vendor)->places[i].methods, (*vendor)->places[i].methods->used,
		     &(*vendor)->used);
	}
	reap(vendor, (*vendor)->used, &version->used);
}

void agent_table_remove(struct agent_table **table, struct agent *agent)
{
	struct version_table **version;
	unsigned int tables = 1;

	if (!*table)
		return;
	version = &(*table)->versions[agent->class_version];
	if (*version) {
		if (mad_class_is_vendor2(agent->mgmt_class)) {
			remove_vendor(*version, agent);
		} else {
			struct method_table **methods =
				&(*version)->classes[class_place(agent->mgmt_class)];

			if (*methods) {
				remove_methods(*methods, agent);
				reap(methods, (*methods)->used, &(*version)->used);
			}
		}
		reap(version, (*version)->used, &(*table)->used);
	}
	reap(table, (*table)->used, &tables);
}

struct agent *agent_table_find(const struct agent_table *table, const uint8_t *mad)
{
	uint8_t mgmt_class = mad[MAD_CLASS];
	unsigned int method = mad[MAD_METHOD] % METHOD_LIMIT;
	const struct version_table *version;
	const struct method_table *methods = NULL;

	if (!table || mad[MAD_CLASS_VERSION] >= CLASS_VERSION_LIMIT)
		return NULL;
	version = table->versions[mad[MAD_CLASS_VERSION]];
	if (!version || class_place(mgmt_class) == CLASS_LIMIT)
		return NULL;
	if (mad_class_is_vendor2(mgmt_class)) {
		const struct vendor_table *vendor =
			version->vendors[mgmt_class - MAD_CLASS_VENDOR2_FIRST];
		unsigned int i = VENDOR_OUI_LIMIT;

		if (vendor)
			i = oui_place(vendor, mad + VENDOR2_OUI);
		if (i < VENDOR_OUI_LIMIT)
			methods = vendor->places[i].methods;
	} else {
		/* Linux: a MAD of class 0x00 finds the place of class 0x81. */
		methods = version->classes[class_place(mgmt_class)];
	}
	return methods ? methods->agents[method] : NULL;
}
