/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The calls of a script: their parameters, and a table of them. The calls themselves are in
 * harness/script/verb/call-umad.c and harness/script/verb/call-file.c.
 */
#include "harness/script/verb/call-table.h"

#include <string.h>

#include "harness/script/verb/call-run.h"

/* The timeline does umad_recv (harness/script/verb/call.c); the others run at one instant. */
static const struct call_kind calls[] = {
	{ "umad_open_port", {
		{ "ca", PARAM_PORT, true }, { "port", PARAM_NUMBER, false },
	  }, VAR_HANDLE, .run = call_umad_open_port },
	{ "umad_open_smi_port", {
		{ "ca", PARAM_PORT, true }, { "port", PARAM_NUMBER, false },
	  }, VAR_HANDLE, .run = call_umad_open_smi_port },
	{ "umad_close_port", { { "fd", PARAM_HANDLE, true } }, VAR_NONE,
	  .run = call_umad_close_port },
	{ "umad_register", {
		{ "fd", PARAM_HANDLE, true }, { "class", PARAM_NUMBER, true },
		{ "version", PARAM_NUMBER, false }, { "rmpp", PARAM_NUMBER, false },
		{ "methods", PARAM_METHODS, false },
	  }, VAR_AGENT, .run = call_umad_register },
	{ "umad_register_oui", {
		{ "fd", PARAM_HANDLE, true }, { "class", PARAM_NUMBER, true },
		{ "rmpp", PARAM_NUMBER, false }, { "oui", PARAM_NUMBER, true },
		{ "methods", PARAM_METHODS, false },
	  }, VAR_AGENT, .run = call_umad_register_oui },
	{ "umad_register2", {
		{ "fd", PARAM_HANDLE, true }, { "class", PARAM_NUMBER, true },
		{ "version", PARAM_NUMBER, false }, { "rmpp", PARAM_NUMBER, false },
		{ "oui", PARAM_NUMBER, false }, { "flags", PARAM_NUMBER, false },
		{ "methods", PARAM_METHODS, false },
	  }, VAR_AGENT, .run = call_umad_register2 },
	{ "umad_unregister", {
		{ "fd", PARAM_HANDLE, true }, { "agent", PARAM_AGENT, true },
	  }, VAR_NONE, .run = call_umad_unregister },
	{ "umad_send", {
		{ "fd", PARAM_HANDLE, true }, { "agent", PARAM_AGENT, true },
		{ "mad", PARAM_MAD, true }, { "timeout", PARAM_MS, false },
		{ "retries", PARAM_NUMBER, false }, { "length", PARAM_NUMBER, false },
		{ "data", PARAM_DATA, false },
	  }, VAR_NONE, .takes_buffer = true, .run = call_umad_send },
	{ "umad_recv", {
		{ "fd", PARAM_HANDLE, true }, { "timeout", PARAM_MS, false },
	  }, VAR_NONE, .is_recv = true, .waits = true },
	{ "umad_poll", {
		{ "fd", PARAM_HANDLE, true }, { "timeout", PARAM_MS, false },
	  }, VAR_NONE, .waits = true, .run = call_umad_poll },
	{ "umad_get_fd", { { "fd", PARAM_HANDLE, true } }, VAR_NONE, .gives = GIVES_HANDLE,
	  .run = call_umad_get_fd },

	{ "umad_init", { { NULL, PARAM_NUMBER, false } }, VAR_NONE, .run = call_umad_init },
	{ "umad_done", { { NULL, PARAM_NUMBER, false } }, VAR_NONE, .run = call_umad_done },
	{ "umad_debug", { { "level", PARAM_NUMBER, true } }, VAR_NONE, .run = call_umad_debug },
	{ "umad_host_enter", { { "host", PARAM_TEXT, true } }, VAR_NONE, .sim_only = true,
	  .run = call_umad_host_enter },
	{ "umad_get_cas_names", { { "max", PARAM_NUMBER, false } }, VAR_NONE,
	  .facts = call_facts_names, .run = call_umad_get_cas_names },
	{ "umad_get_ca_device_list", { { NULL, PARAM_NUMBER, false } }, VAR_NONE,
	  .facts = call_facts_names, .run = call_umad_get_ca_device_list },
	{ "umad_sort_ca_device_list", { { "size", PARAM_NUMBER, false } }, VAR_NONE,
	  .facts = call_facts_names, .run = call_umad_sort_ca_device_list },
	{ "umad_get_ca", { { "ca", PARAM_PORT, false } }, VAR_NONE,
	  .facts = call_facts_ca, .run = call_umad_get_ca },
	{ "umad_get_port", {
		{ "ca", PARAM_PORT, false }, { "port", PARAM_NUMBER, false },
	  }, VAR_NONE, .facts = call_facts_port, .run = call_umad_get_port },
	{ "umad_get_ca_portguids", {
		{ "ca", PARAM_PORT, false }, { "max", PARAM_NUMBER, false },
	  }, VAR_NONE, .facts = call_facts_guids, .run = call_umad_get_ca_portguids },
	{ "umad_get_issm_path", {
		{ "ca", PARAM_PORT, false }, { "port", PARAM_NUMBER, false },
	  }, VAR_NONE, .facts = call_facts_path, .run = call_umad_get_issm_path },
	{ "umad_get_smi_gsi_pairs", { { "max", PARAM_NUMBER, false } }, VAR_NONE,
	  .facts = call_facts_pairs, .run = call_umad_get_smi_gsi_pairs },
	{ "umad_get_smi_gsi_pair_by_ca_name", {
		{ "ca", PARAM_PORT, false }, { "port", PARAM_NUMBER, false },
		{ "enforce_smi", PARAM_NUMBER, false },
	  }, VAR_NONE, .facts = call_facts_pairs, .run = call_umad_get_smi_gsi_pair_by_ca_name },

	{ "umad_alloc", { { "mad", PARAM_MAD, false } }, VAR_BUFFER, .run = call_umad_alloc },
	{ "umad_size", { { NULL, PARAM_NUMBER, false } }, VAR_NONE, .run = call_umad_size },
	{ "umad_get_mad", { { "umad", PARAM_BUFFER, true } }, VAR_NONE,
	  .run = call_umad_get_mad },
	{ "umad_get_mad_addr", { { "umad", PARAM_BUFFER, true } }, VAR_NONE,
	  .facts = call_facts_address, .run = call_umad_get_mad_addr },
	{ "umad_status", { { "umad", PARAM_BUFFER, true } }, VAR_NONE, .run = call_umad_status },
	{ "umad_set_addr", {
		{ "umad", PARAM_BUFFER, true }, { "lid", PARAM_NUMBER, true },
		{ "qpn", PARAM_NUMBER, true }, { "sl", PARAM_NUMBER, true },
		{ "qkey", PARAM_NUMBER, true },
	  }, VAR_NONE, .facts = call_facts_address, .run = call_umad_set_addr },
	{ "umad_set_addr_net", {
		{ "umad", PARAM_BUFFER, true }, { "lid", PARAM_NUMBER, true },
		{ "qpn", PARAM_NUMBER, true }, { "sl", PARAM_NUMBER, true },
		{ "qkey", PARAM_NUMBER, true },
	  }, VAR_NONE, .facts = call_facts_address, .run = call_umad_set_addr_net },
	{ "umad_set_grh", {
		{ "umad", PARAM_BUFFER, true }, { "gid", PARAM_TEXT, false },
		{ "hop_limit", PARAM_NUMBER, false }, { "traffic_class", PARAM_NUMBER, false },
		{ "flow_label", PARAM_NUMBER, false },
	  }, VAR_NONE, .facts = call_facts_address, .run = call_umad_set_grh },
	{ "umad_set_grh_net", {
		{ "umad", PARAM_BUFFER, true }, { "gid", PARAM_TEXT, false },
		{ "hop_limit", PARAM_NUMBER, false }, { "traffic_class", PARAM_NUMBER, false },
		{ "flow_label", PARAM_NUMBER, false },
	  }, VAR_NONE, .facts = call_facts_address, .run = call_umad_set_grh_net },
	{ "umad_set_pkey", {
		{ "umad", PARAM_BUFFER, true }, { "pkey_index", PARAM_NUMBER, true },
	  }, VAR_NONE, .facts = call_facts_address, .run = call_umad_set_pkey },
	{ "umad_get_pkey", { { "umad", PARAM_BUFFER, true } }, VAR_NONE,
	  .run = call_umad_get_pkey },
	{ "umad_dump", { { "umad", PARAM_BUFFER, true } }, VAR_NONE, .gives = GIVES_PRINT,
	  .run = call_umad_dump },
	{ "umad_addr_dump", { { "umad", PARAM_BUFFER, true } }, VAR_NONE, .gives = GIVES_PRINT,
	  .run = call_umad_addr_dump },

	{ "umad_class_str", { { "class", PARAM_NUMBER, true } }, VAR_NONE, .gives = GIVES_TEXT,
	  .run = call_umad_class_str },
	{ "umad_method_str", {
		{ "class", PARAM_NUMBER, true }, { "method", PARAM_NUMBER, true },
	  }, VAR_NONE, .gives = GIVES_TEXT, .run = call_umad_method_str },
	{ "umad_attribute_str", {
		{ "class", PARAM_NUMBER, true }, { "attr", PARAM_NUMBER, true },
	  }, VAR_NONE, .gives = GIVES_TEXT, .run = call_umad_attribute_str },
	{ "umad_common_mad_status_str", { { "status", PARAM_NUMBER, true } }, VAR_NONE,
	  .gives = GIVES_TEXT, .run = call_umad_common_mad_status_str },
	{ "umad_mad_status_str", { { "status", PARAM_NUMBER, true } }, VAR_NONE,
	  .gives = GIVES_TEXT, .run = call_umad_mad_status_str },
	{ "umad_sa_mad_status_str", { { "status", PARAM_NUMBER, true } }, VAR_NONE,
	  .gives = GIVES_TEXT, .run = call_umad_sa_mad_status_str },

	{ "file.open", { { "port", PARAM_PORT, true } }, VAR_FILE, .run = call_file_open },
	{ "file.ioctl", {
		{ "file", PARAM_FILE, true }, { "request", PARAM_WORD, true },
		{ "class", PARAM_NUMBER, false }, { "version", PARAM_NUMBER, false },
		{ "rmpp", PARAM_NUMBER, false }, { "oui", PARAM_NUMBER, false },
		{ "qpn", PARAM_NUMBER, false }, { "flags", PARAM_NUMBER, false },
		{ "methods", PARAM_METHODS, false }, { "agent", PARAM_AGENT, false },
	  }, VAR_AGENT, .run = call_file_ioctl },
	{ "file.write", {
		{ "file", PARAM_FILE, true }, { "agent", PARAM_AGENT, true },
		{ "mad", PARAM_MAD, true }, { "timeout", PARAM_MS, false },
		{ "retries", PARAM_NUMBER, false }, { "count", PARAM_NUMBER, false },
		{ "data", PARAM_DATA, false },
	  }, VAR_NONE, .run = call_file_write },
	{ "file.read", { { "file", PARAM_FILE, true }, { "count", PARAM_NUMBER, false } }, VAR_NONE,
	  .run = call_file_read },
	{ "file.poll", { { "file", PARAM_FILE, true } }, VAR_NONE, .run = call_file_poll },
	{ "file.close", { { "file", PARAM_FILE, true } }, VAR_NONE, .run = call_file_close },
	{ "issm.open", { { "port", PARAM_PORT, true } }, VAR_NONE, .run = call_issm_open },
	{ "issm.close", { { "port", PARAM_PORT, true } }, VAR_NONE, .run = call_issm_close },
	{ "port.remove", { { "port", PARAM_PORT, true } }, VAR_NONE, .wire_only = true,
	  .run = call_port_remove },
	{ "port.set_lid", {
		{ "port", PARAM_PORT, true }, { "lid", PARAM_NUMBER, true },
		{ "lmc", PARAM_NUMBER, false },
	  }, VAR_NONE, .sim_only = true, .run = call_port_set_lid },
};

const struct call_kind *call_at(unsigned int at)
{
	return at < G_N_ELEMENTS(calls) ? &calls[at] : NULL;
}

const struct call_kind *call_find(const char *name, const char **ret_suggestion)
{
	const char *names[G_N_ELEMENTS(calls) + 1];
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(calls); i++) {
		if (strcmp(calls[i].name, name) == 0)
			return &calls[i];
		names[i] = calls[i].name;
	}
	names[i] = NULL;
	*ret_suggestion = mad_closest(name, names);
	return NULL;
}

static int param_index(const struct call_kind *kind, const char *name)
{
	for (int i = 0; i < CALL_PARAMS_MAX && kind->params[i].name != NULL; i++) {
		if (strcmp(kind->params[i].name, name) == 0)
			return i;
	}
	return -1;
}

/*
 * The parameter of an argument without a name: a MAD goes to the MAD, others to the first one free.
 */
static int free_index(const struct call_kind *kind, const struct call_args *args,
		      const struct expr *value)
{
	for (int i = 0; i < CALL_PARAMS_MAX && kind->params[i].name != NULL; i++) {
		bool is_mad = kind->params[i].kind == PARAM_MAD;

		if (args->at[i])
			continue;
		if (is_mad == (value->kind == EXPR_MAD))
			return i;
		/* The name of a buffer; those of handles and agents have their places before. */
		if (is_mad && kind->takes_buffer && value->kind == EXPR_WORD)
			return i;
	}
	return -1;
}

static void unknown_arg(struct diagnostics *diagnostics, const struct call_kind *kind,
			const struct call_arg *arg)
{
	const char *names[CALL_PARAMS_MAX + 1];
	g_autofree char *known = NULL;
	const char *closest;
	int count = 0;

	while (count < CALL_PARAMS_MAX && kind->params[count].name) {
		names[count] = kind->params[count].name;
		count++;
	}
	names[count] = NULL;
	closest = mad_closest(arg->name, names);
	known = g_strjoinv(", ", (char **)(uintptr_t)names);
	if (closest)
		diagnose_error(diagnostics, arg->place, "%s() has no argument %s: did you mean %s?",
			       kind->name, arg->name, closest);
	else
		diagnose_error(diagnostics, arg->place, "%s() has no argument %s: it takes %s",
			       kind->name, arg->name, known);
}

bool call_bind_args(struct diagnostics *diagnostics, const struct call_kind *kind,
		    const struct call_expr *call, struct call_args *ret)
{
	bool ok = true;

	memset(ret, 0, sizeof(*ret));
	for (guint i = 0; i < call->args->len; i++) {
		const struct call_arg *arg = call->args->pdata[i];
		int at = arg->name ? param_index(kind, arg->name) :
			 free_index(kind, ret, arg->value);

		if (at < 0 && arg->name) {
			unknown_arg(diagnostics, kind, arg);
			ok = false;
		} else if (at < 0) {
			diagnose_error(diagnostics, arg->place,
				       "%s() takes no more arguments", kind->name);
			ok = false;
		} else if (ret->at[at]) {
			diagnose_error(diagnostics, arg->place, "%s is given twice",
				       kind->params[at].name);
			ok = false;
		} else {
			ret->at[at] = arg->value;
		}
	}
	for (int i = 0; ok && i < CALL_PARAMS_MAX && kind->params[i].name != NULL; i++) {
		if (!kind->params[i].required || ret->at[i])
			continue;
		diagnose_error(diagnostics, call->place, "%s() needs %s", kind->name,
			       kind->params[i].name);
		ok = false;
	}
	return ok;
}
