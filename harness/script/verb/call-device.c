/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad_* calls of a script that look at devices and ports, and those of the library itself.
 * What they fill in are facts (harness/script/verb/call-fact.h); what they allocate is freed at
 * once, by the library's own function.
 */
#include "harness/script/verb/call-run.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "harness/script/verb/newer-umad.h"
#include "lib/base/wire.h"

/* As many devices as a list may have here. */
#define DEVICES_MAX 128

const struct fact_kind call_facts_ca[] = {
	{ "ca_name", FACT_TEXT }, { "node_type", FACT_DECIMAL }, { "numports", FACT_DECIMAL },
	{ "ports", FACT_DECIMAL }, { "fw_ver", FACT_TEXT }, { "ca_type", FACT_TEXT },
	{ "hw_ver", FACT_TEXT }, { "node_guid", FACT_HEX }, { "system_guid", FACT_HEX },
	{ NULL, FACT_DECIMAL },
};

const struct fact_kind call_facts_port[] = {
	{ "ca_name", FACT_TEXT }, { "portnum", FACT_DECIMAL }, { "base_lid", FACT_DECIMAL },
	{ "lmc", FACT_DECIMAL }, { "sm_lid", FACT_DECIMAL }, { "sm_sl", FACT_DECIMAL },
	{ "state", FACT_DECIMAL }, { "phys_state", FACT_DECIMAL }, { "rate", FACT_DECIMAL },
	{ "capmask", FACT_HEX }, { "gid_prefix", FACT_HEX }, { "port_guid", FACT_HEX },
	{ "pkeys", FACT_HEX }, { "pkeys_size", FACT_DECIMAL }, { "link_layer", FACT_TEXT },
	{ NULL, FACT_DECIMAL },
};

const struct fact_kind call_facts_names[] = {
	{ "names", FACT_TEXT }, { NULL, FACT_DECIMAL },
};

const struct fact_kind call_facts_guids[] = {
	{ "guids", FACT_HEX }, { NULL, FACT_DECIMAL },
};

const struct fact_kind call_facts_path[] = {
	{ "path", FACT_TEXT }, { NULL, FACT_DECIMAL },
};

const struct fact_kind call_facts_pairs[] = {
	{ "smi", FACT_TEXT }, { "smi_port", FACT_DECIMAL }, { "gsi", FACT_TEXT },
	{ "gsi_port", FACT_DECIMAL },
	{ NULL, FACT_DECIMAL },
};

/* What a call returned, and errno. */
static void returned(struct call_outcome *ret, int64_t value)
{
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	ret->value = value;
	if (!ret->facts)
		ret->facts = facts_new();
}

/* ---- the library ---- */

void call_umad_init(const struct running_call *call, struct call_outcome *ret)
{
	(void)call;
	errno = 0;
	returned(ret, umad_init());
}

void call_umad_done(const struct running_call *call, struct call_outcome *ret)
{
	(void)call;
	errno = 0;
	returned(ret, umad_done());
}

void call_umad_debug(const struct running_call *call, struct call_outcome *ret)
{
	int64_t level = (int64_t)arg_number(call, 0, 0);

	/* The level is the process's: the next point begins with what it was. */
	if (!call->run->debug_changed)
		call->run->debug_before = umad_debug(-1);
	call->run->debug_changed = true;
	errno = 0;
	returned(ret, umad_debug((int)CLAMP(level, INT32_MIN, INT32_MAX)));
}

void call_umad_host_enter(const struct running_call *call, struct call_outcome *ret)
{
	errno = 0;
	returned(ret, newer_umad()->host_enter(call->args[0]->text));
	/* The calls of the next lines name their hosts themselves. */
	call->run->world->kind->enter(call->run->world, WORLD_SELF);
}

void call_umad_get_fd(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);

	if (!handle)
		return;
	errno = 0;
	returned(ret, umad_get_fd(handle->fd));
}

/* ---- lists of devices ---- */

void call_umad_get_cas_names(const struct running_call *call, struct call_outcome *ret)
{
	uint64_t max = MIN(arg_number(call, 0, DEVICES_MAX), DEVICES_MAX);
	g_autofree char (*names)[UMAD_CA_NAME_LEN] = g_malloc0(DEVICES_MAX * sizeof(*names));

	errno = 0;
	returned(ret, umad_get_cas_names(names, (int)max));
	for (int64_t i = 0; i < MIN(ret->value, (int64_t)max); i++)
		facts_add_text(ret->facts, "names", names[i]);
}

/* The names of a list; its length. */
static int add_names(struct call_outcome *ret, const struct umad_device_node *list)
{
	int count = 0;

	for (; list; list = list->next, count++)
		facts_add_text(ret->facts, "names", list->ca_name);
	return count;
}

void call_umad_get_ca_device_list(const struct running_call *call, struct call_outcome *ret)
{
	struct umad_device_node *list;

	(void)call;
	errno = 0;
	list = umad_get_ca_device_list();
	returned(ret, 0);
	ret->value = add_names(ret, list);
	umad_free_ca_device_list(list);
}

void call_umad_sort_ca_device_list(const struct running_call *call, struct call_outcome *ret)
{
	uint64_t size = arg_number(call, 0, 0);
	struct umad_device_node *list = umad_get_ca_device_list();

	errno = 0;
	returned(ret, umad_sort_ca_device_list(&list, size));
	add_names(ret, list);
	umad_free_ca_device_list(list);
}

/* ---- one device, one port ---- */

/*
 * The device that the argument names, or NULL for the default one, as seen from its host. To be
 * followed by leave_device(). False: run_fail was called.
 */
static bool enter_device(const struct running_call *call, unsigned int at, const char **ret_ca,
			 int *ret_port)
{
	const struct expr *expr = call->args[at];
	struct run *run = call->run;
	enum world_end end;

	*ret_ca = NULL;
	if (!expr)
		return true;
	if (!arg_port(call, at, &end, ret_ca))
		return false;
	*ret_port = run->world->port[end];
	run->world->kind->enter(run->world, end);
	if (expr->kind == EXPR_STRING && run->world->kind->enter_port)
		run->world->kind->enter_port(run->world, *ret_ca, ret_ca, ret_port);
	return true;
}

static void leave_device(struct run *run)
{
	run->world->kind->enter(run->world, WORLD_SELF);
}

static void add_ca(struct facts *facts, const umad_ca_t *ca)
{
	facts_add_text(facts, "ca_name", ca->ca_name);
	facts_add_number(facts, "node_type", ca->node_type);
	facts_add_number(facts, "numports", (uint64_t)ca->numports);
	for (unsigned int i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		if (ca->ports[i])
			facts_add_number(facts, "ports", i);
	}
	facts_add_text(facts, "fw_ver", ca->fw_ver);
	facts_add_text(facts, "ca_type", ca->ca_type);
	facts_add_text(facts, "hw_ver", ca->hw_ver);
	facts_add_number(facts, "node_guid", be64toh(ca->node_guid));
	facts_add_number(facts, "system_guid", be64toh(ca->system_guid));
}

void call_umad_get_ca(const struct running_call *call, struct call_outcome *ret)
{
	umad_ca_t ca;
	const char *name;
	int port;

	if (!enter_device(call, 0, &name, &port))
		return;
	memset(&ca, 0, sizeof(ca));
	errno = 0;
	returned(ret, umad_get_ca(name, &ca));
	if (ret->value == 0) {
		add_ca(ret->facts, &ca);
		umad_release_ca(&ca);
	}
	leave_device(call->run);
}

/* The table without the empty entries at its end. */
static void add_pkeys(struct facts *facts, const umad_port_t *port)
{
	unsigned int size = port->pkeys_size;

	while (size > 0 && port->pkeys[size - 1] == 0)
		size--;
	for (unsigned int i = 0; i < size; i++)
		facts_add_number(facts, "pkeys", port->pkeys[i]);
}

static void add_port(struct facts *facts, const umad_port_t *port)
{
	facts_add_text(facts, "ca_name", port->ca_name);
	facts_add_number(facts, "portnum", (uint64_t)port->portnum);
	facts_add_number(facts, "base_lid", port->base_lid);
	facts_add_number(facts, "lmc", port->lmc);
	facts_add_number(facts, "sm_lid", port->sm_lid);
	facts_add_number(facts, "sm_sl", port->sm_sl);
	facts_add_number(facts, "state", port->state);
	facts_add_number(facts, "phys_state", port->phys_state);
	facts_add_number(facts, "rate", port->rate);
	facts_add_number(facts, "capmask", be32toh(port->capmask));
	facts_add_number(facts, "gid_prefix", be64toh(port->gid_prefix));
	facts_add_number(facts, "port_guid", be64toh(port->port_guid));
	facts_add_number(facts, "pkeys_size", port->pkeys_size);
	add_pkeys(facts, port);
	facts_add_text(facts, "link_layer", port->link_layer);
}

void call_umad_get_port(const struct running_call *call, struct call_outcome *ret)
{
	umad_port_t port;
	const char *name;
	int number = 0;

	if (!enter_device(call, 0, &name, &number))
		return;
	number = (int)arg_number(call, 1, (uint64_t)number);
	memset(&port, 0, sizeof(port));
	errno = 0;
	returned(ret, umad_get_port(name, number, &port));
	if (ret->value == 0) {
		add_port(ret->facts, &port);
		umad_release_port(&port);
	}
	leave_device(call->run);
}

void call_umad_get_ca_portguids(const struct running_call *call, struct call_outcome *ret)
{
	uint64_t max = MIN(arg_number(call, 1, DEVICES_MAX), DEVICES_MAX);
	__be64 guids[DEVICES_MAX];
	const char *name;
	int port;

	if (!enter_device(call, 0, &name, &port))
		return;
	errno = 0;
	returned(ret, umad_get_ca_portguids(name, guids, (int)max));
	for (int64_t i = 0; i < ret->value; i++)
		facts_add_number(ret->facts, "guids", be64toh(guids[i]));
	leave_device(call->run);
}

void call_umad_get_issm_path(const struct running_call *call, struct call_outcome *ret)
{
	char path[256] = "";
	const char *name;
	int number = 0;

	if (!enter_device(call, 0, &name, &number))
		return;
	number = (int)arg_number(call, 1, (uint64_t)number);
	errno = 0;
	returned(ret, umad_get_issm_path(name, number, path, sizeof(path)));
	if (ret->value == 0)
		facts_add_text(ret->facts, "path", path);
	leave_device(call->run);
}

/* ---- pairs of SMI and GSI ---- */

static void add_pair(struct facts *facts, const struct umad_ca_pair *pair)
{
	facts_add_text(facts, "smi", pair->smi_name);
	facts_add_number(facts, "smi_port", pair->smi_preferred_port);
	facts_add_text(facts, "gsi", pair->gsi_name);
	facts_add_number(facts, "gsi_port", pair->gsi_preferred_port);
}

void call_umad_get_smi_gsi_pairs(const struct running_call *call, struct call_outcome *ret)
{
	uint64_t max = MIN(arg_number(call, 0, DEVICES_MAX), DEVICES_MAX);
	g_autofree struct umad_ca_pair *pairs = g_new0(struct umad_ca_pair, DEVICES_MAX);

	errno = 0;
	returned(ret, newer_umad()->get_smi_gsi_pairs(pairs, max));
	for (int64_t i = 0; i < ret->value; i++)
		add_pair(ret->facts, &pairs[i]);
}

void call_umad_get_smi_gsi_pair_by_ca_name(const struct running_call *call,
					   struct call_outcome *ret)
{
	uint64_t enforce = arg_number(call, 2, 0);
	struct umad_ca_pair pair;
	const char *name;
	int number = 0;

	if (!enter_device(call, 0, &name, &number))
		return;
	memset(&pair, 0, sizeof(pair));
	number = (int)arg_number(call, 1, 0);
	errno = 0;
	returned(ret, newer_umad()->get_smi_gsi_pair_by_ca_name(name, (uint8_t)number, &pair,
								(unsigned int)enforce));
	if (ret->value == 0)
		add_pair(ret->facts, &pair);
	leave_device(call->run);
}
