/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pairs.c: which device carries the SMPs of a port, and which its GMPs.
 *
 * Usually one device does both. On a "planarized" HCA several devices share a port GUID: one with
 * the GSI, whose port says IsSMDisabled, and one or more with the SMI.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/backend-list.h"
#include "lib/umad-port.h"
#include "lib/ca-list.h"
#include "lib/select.h"

/* All devices and their InfiniBand ports, read once. */
struct survey_ca {
	char name[UMAD_BACKEND_NAME_SIZE];
	bool is_switch;
	struct umad_backend_port *ports;
	size_t port_count;
};

struct survey {
	struct survey_ca *cas;
	size_t count;
};

static void survey_free(struct survey *survey)
{
	for (size_t i = 0; i < survey->count; i++)
		free(survey->cas[i].ports);
	free(survey->cas);
}

static int survey_read_ca(const struct umad_backend *backend, const char *name,
			  struct survey_ca *ret)
{
	struct survey_ca found = { .is_switch = false };
	struct umad_backend_ca ca;
	int r;

	r = backend->get_ca(name, &ca);
	if (r < 0)
		return r;
	strcpy(found.name, name);
	found.is_switch = ca.node_type == UMAD_NODE_SWITCH;
	found.ports = calloc(ca.port_count + 1, sizeof(*found.ports));
	for (size_t i = 0; found.ports && i < ca.port_count; i++) {
		struct umad_backend_port *port = &found.ports[found.port_count];

		if (backend->get_port(name, ca.port_nums[i], UMAD_BACKEND_PORT_STATE, port) < 0)
			continue;
		umad_backend_port_release(port);
		/* A RoCE port has no SMI, and a GUID of zero is no port's. */
		if (umad_port_is_ib(port) && port->attr.port_guid != 0)
			found.port_count++;
	}
	umad_backend_ca_release(&ca);
	if (!found.ports)
		return -ENOMEM;
	*ret = found;
	return 0;
}

static int survey_read(const struct umad_backend *backend, struct survey *ret)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	struct survey survey = { .count = 0 };
	size_t count;
	int r;

	r = umad_list_cas(backend, &names, &count);
	if (r < 0)
		return r;
	survey.cas = calloc(count + 1, sizeof(*survey.cas));
	r = survey.cas ? 0 : -ENOMEM;
	for (size_t i = 0; i < count && r != -ENOMEM; i++) {
		/* A name that does not fit into the public struct cannot be in a pair. */
		if (strlen(names[i]) >= UMAD_CA_NAME_LEN)
			continue;
		r = survey_read_ca(backend, names[i], &survey.cas[survey.count]);
		if (r == 0)
			survey.count++;
	}
	free(names);
	if (r == -ENOMEM) {
		survey_free(&survey);
		return r;
	}
	*ret = survey;
	return 0;
}

/* Do several ports, of any devices, have this GUID? */
static bool guid_is_shared(const struct survey *survey, uint64_t guid)
{
	unsigned int seen = 0;

	for (size_t i = 0; i < survey->count; i++)
		for (size_t j = 0; j < survey->cas[i].port_count; j++)
			seen += survey->cas[i].ports[j].attr.port_guid == guid;
	return seen > 1;
}

/* The number of a CA's first active port, else of its first one that is not down, else 0. */
static unsigned int preferred_port(const struct survey_ca *ca)
{
	unsigned int portnum = 0;

	for (size_t i = 0; i < ca->port_count; i++) {
		if (ca->ports[i].attr.state == UMAD_PORT_ACTIVE)
			return ca->ports[i].attr.portnum;
		if (portnum == 0 && ca->ports[i].attr.state > UMAD_PORT_DOWN)
			portnum = ca->ports[i].attr.portnum;
	}
	return portnum;
}

static void set_smi(struct umad_ca_pair *pair, const struct survey_ca *ca)
{
	umad_copy_name(pair->smi_name, sizeof(pair->smi_name), ca->name);
	pair->smi_preferred_port = preferred_port(ca);
}

static void set_gsi(struct umad_ca_pair *pair, const struct survey_ca *ca)
{
	umad_copy_name(pair->gsi_name, sizeof(pair->gsi_name), ca->name);
	pair->gsi_preferred_port = preferred_port(ca);
}

/* Makes up to 'max' pairs out of a survey: one for each GUID of a CA's first port. */
static size_t make_pairs(const struct survey *survey, struct umad_ca_pair *pairs, uint64_t *guids,
			 size_t max)
{
	size_t count = 0, at;

	for (size_t i = 0; i < survey->count; i++) {
		const struct survey_ca *ca = &survey->cas[i];
		bool shared;

		if (ca->port_count == 0)
			continue;
		for (at = 0; at < count && guids[at] != ca->ports[0].attr.port_guid; at++)
			;
		if (at == max)
			continue;
		if (at == count)
			guids[count++] = ca->ports[0].attr.port_guid;
		shared = guid_is_shared(survey, guids[at]);
		if (umad_port_has_smi(&ca->ports[0]))
			set_smi(&pairs[at], ca);
		if (!shared || !umad_port_has_smi(&ca->ports[0]))
			set_gsi(&pairs[at], ca);
	}
	return count;
}

int umad_get_smi_gsi_pairs(struct umad_ca_pair cas[], size_t max)
{
	const struct umad_backend *backend = umad_backend_get();
	struct survey survey;
	uint64_t *guids;
	size_t count;
	int r;

	if (!backend)
		return -1;
	if (!cas && max > 0) {
		errno = EINVAL;
		return -1;
	}
	if (max > 0)
		memset(cas, 0, max * sizeof(*cas));
	r = survey_read(backend, &survey);
	if (r < 0) {
		errno = -r;
		return -1;
	}
	if (max > survey.count)
		max = survey.count;
	guids = calloc(max + 1, sizeof(*guids));
	if (!guids) {
		survey_free(&survey);
		errno = ENOMEM;
		return -1;
	}
	count = make_pairs(&survey, cas, guids, max);
	free(guids);
	survey_free(&survey);
	return (int)count;
}

static const struct survey_ca *survey_find(const struct survey *survey, const char *name)
{
	for (size_t i = 0; i < survey->count; i++)
		if (strcmp(survey->cas[i].name, name) == 0)
			return &survey->cas[i];
	return NULL;
}

static const struct umad_backend_port *find_port(const struct survey_ca *ca, unsigned int portnum)
{
	for (size_t i = 0; i < ca->port_count; i++)
		if (ca->ports[i].attr.portnum == portnum)
			return &ca->ports[i];
	return NULL;
}

/*
 * Does the pair serve this request? If so, sets its preferred ports. A port requested by number and
 * by name is accepted even if it is down: an SM that runs alone needs that.
 */
static bool pair_serves(const struct survey *survey, const char *devname, unsigned int portnum,
			bool enforce_smi, struct umad_ca_pair *pair)
{
	const struct umad_backend_port *port;
	const struct survey_ca *ca;
	bool by_gsi;

	if (pair->gsi_name[0] == '\0' || (enforce_smi && pair->smi_name[0] == '\0'))
		return false;
	if (devname && strcmp(devname, pair->gsi_name) != 0 && strcmp(devname, pair->smi_name) != 0)
		return false;
	by_gsi = pair->smi_name[0] == '\0' || (devname && strcmp(devname, pair->gsi_name) == 0);
	ca = survey_find(survey, by_gsi ? pair->gsi_name : pair->smi_name);
	if (portnum == 0 && !ca->is_switch && ca->port_count == 1)
		portnum = ca->ports[0].attr.portnum;
	if (portnum == 0 && !ca->is_switch)
		return (by_gsi ? pair->gsi_preferred_port : pair->smi_preferred_port) != 0;
	port = find_port(ca, portnum);
	if (!port || (!devname && port->attr.state <= UMAD_PORT_DOWN))
		return false;
	/* The number belongs to the requested device; the other one keeps its own choice. */
	if (by_gsi || strcmp(pair->gsi_name, pair->smi_name) == 0)
		pair->gsi_preferred_port = portnum;
	if (!by_gsi || strcmp(pair->gsi_name, pair->smi_name) == 0)
		pair->smi_preferred_port = portnum;
	return true;
}

int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum,
				     struct umad_ca_pair *ca_pair, unsigned enforce_smi)
{
	const struct umad_backend *backend = umad_backend_get();
	struct umad_ca_pair *pairs;
	struct survey survey;
	uint64_t *guids;
	size_t count = 0, i;
	int r;

	if (!ca_pair) {
		errno = EINVAL;
		return -1;
	}
	if (!backend)
		return -1;
	memset(ca_pair, 0, sizeof(*ca_pair));
	r = survey_read(backend, &survey);
	if (r < 0) {
		errno = -r;
		return -1;
	}
	pairs = calloc(survey.count + 1, sizeof(*pairs));
	guids = calloc(survey.count + 1, sizeof(*guids));
	if (pairs && guids)
		count = make_pairs(&survey, pairs, guids, survey.count);
	r = pairs && guids ? 1 : -1;
	errno = r < 0 ? ENOMEM : ENODEV;
	for (i = 0; i < count && r > 0; i++) {
		if (!pair_serves(&survey, devname, portnum, enforce_smi != 0, &pairs[i]))
			continue;
		*ca_pair = pairs[i];
		r = 0;
	}
	free(pairs);
	free(guids);
	survey_free(&survey);
	return r;
}
