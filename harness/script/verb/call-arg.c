/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The arguments of calls, and their values.
 */
#include "harness/script/verb/call-run.h"

#include <string.h>

#include "harness/script/mad/payload.h"
#include "kmod-stub/event.h"
#include "lib/base/user-header.h"

static uint64_t number_of(struct run *run, const struct expr *expr, uint64_t otherwise)
{
	const struct mad_class_info *info;
	uint64_t number;

	if (!expr)
		return otherwise;
	if (run_number(run, expr, &number))
		return number;
	info = expr->kind == EXPR_WORD ? mad_class_by_name(expr->text) : NULL;
	if (info)
		return info->mgmt_class;
	run_fail(run, expr->place, "this has no value here");
	return otherwise;
}

uint32_t call_ms(struct run *run, const struct expr *expr)
{
	int64_t time_ns;

	if (!expr)
		return 0;
	if (expr_constant_time(expr, &time_ns))
		return (uint32_t)(time_ns / NS_PER_MS);
	return (uint32_t)number_of(run, expr, 0);
}

struct run_handle *call_handle(struct run *run, const struct expr *expr)
{
	const struct var *var = run_var_of(run, expr);

	if (var && var->kind == VAR_HANDLE)
		return var->handle;
	run_fail(run, expr->place, "expected a handle of umad_open_port()");
	return NULL;
}

/* ---- the arguments of a call that runs ---- */

uint64_t arg_number(const struct running_call *call, unsigned int at, uint64_t otherwise)
{
	return number_of(call->run, call->args[at], otherwise);
}

uint32_t arg_ms(const struct running_call *call, unsigned int at)
{
	return call_ms(call->run, call->args[at]);
}

struct run_handle *arg_handle(const struct running_call *call, unsigned int at)
{
	return call_handle(call->run, call->args[at]);
}

void arg_methods(const struct running_call *call, unsigned int at, uint64_t ret_mask[2])
{
	const struct expr *expr = call->args[at];
	const struct expr *bad;

	ret_mask[0] = ret_mask[1] = 0;
	if (expr)
		method_mask(expr, ret_mask, &bad);
}

bool arg_port(const struct running_call *call, unsigned int at, enum world_end *ret_end,
	      const char **ret_ca)
{
	const struct expr *expr = call->args[at];
	struct run *run = call->run;
	const struct var *var = run_var_of(run, expr);

	*ret_end = WORLD_SELF;
	if (var && var->kind == VAR_TEXT) {
		*ret_ca = var->text;
		if (var->text == run->world->ca[WORLD_PEER])
			*ret_end = WORLD_PEER;
		return true;
	}
	if (expr->kind == EXPR_STRING) {
		*ret_ca = expr->text;
		return true;
	}
	if (expr->kind == EXPR_WORD && strcmp(expr->text, "peer") == 0)
		*ret_end = WORLD_PEER;
	else if (expr->kind != EXPR_WORD || strcmp(expr->text, "self") != 0) {
		run_fail(run, expr->place, "expected a port: self, peer or $CA");
		return false;
	}
	*ret_ca = run->world->ca[*ret_end];
	return true;
}

uint32_t arg_agent(const struct running_call *call, unsigned int at,
		   const struct run_agent **ret_agent)
{
	const struct var *var = run_var_of(call->run, call->args[at]);

	*ret_agent = NULL;
	if (!var || var->kind != VAR_AGENT)
		return (uint32_t)arg_number(call, at, 0);
	*ret_agent = &var->agent;
	return (uint32_t)var->agent.id;
}

void arg_refuse(const struct running_call *call, unsigned int at, const char *format, ...)
{
	va_list list;
	char *text;

	va_start(list, format);
	text = g_strdup_vprintf(format, list);
	va_end(list);
	run_fail(call->run, call->args[at]->place, "%s", text);
	g_free(text);
}

/* ---- what is sent ---- */

bool send_build(const struct running_call *call, const struct run_agent *agent,
		struct mad_instance *ret)
{
	const struct mad_pattern *mad = call->mad;
	struct run *run = call->run;
	struct mad_defaults defaults = { -1, -1, DEFAULT_OUI, run->next_tid++ };
	g_autoptr(GString) error = g_string_new(NULL);
	struct world_address peer;
	bool smp = mad->class_info && mad_class_is_smp(mad->class_info->mgmt_class);

	if (agent) {
		defaults.mgmt_class = agent->mgmt_class;
		defaults.class_version = agent->class_version;
		if (agent->oui != 0)
			defaults.oui = agent->oui;
	}
	memset(ret, 0, sizeof(*ret));
	put_be32(ret->umad + USER_QPN_BE, smp ? 0 : 1);
	put_be32(ret->umad + USER_QKEY_BE, smp ? 0 : QKEY_GSI);
	if (smp && !mad_pattern_term(mad, "to")) {
		put_be16(ret->umad + USER_LID_BE, LID_PERMISSIVE);
	} else if (run->world->kind->address(run->world, "peer", &peer) == 0) {
		put_be16(ret->umad + USER_LID_BE, peer.lid);
		if (peer.needs_grh) {
			ret->umad[USER_GRH_PRESENT] = 1;
			ret->umad[USER_HOP_LIMIT] = 64;
			memcpy(ret->umad + USER_GID, peer.gid, 16);
		}
	}
	if (mad_build(mad, &run->env, &defaults, ret, error))
		return true;
	run_fail(run, call->expr->place, "%s", error->str);
	return false;
}

uint8_t *send_message(struct run *run, const struct mad_instance *instance,
		      unsigned int header_size, const struct expr *data, size_t most,
		      size_t *ret_size)
{
	size_t at = mad_class_header_size(instance->mad[MAD_CLASS]);
	size_t data_size = 0;
	const uint8_t *bytes = data ? run_data(run, data->text, &data_size) : NULL;
	uint8_t *buf;

	*ret_size = bytes ? at + data_size : MAD_SIZE;
	buf = g_malloc0(header_size + MAX(MAX(*ret_size, MAD_SIZE), most));
	memcpy(buf, instance->umad, header_size);
	memcpy(buf + header_size, instance->mad, MAD_SIZE);
	if (bytes)
		memcpy(buf + header_size + at, bytes, data_size);
	return buf;
}
