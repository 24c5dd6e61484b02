/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad_* calls of a script, through libibumad in both worlds.
 */
#include "harness/script/check/script-call-table.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "kmod-stub/event.h"

/* ---- arguments ---- */

uint64_t arg_number(struct run *run, const struct expr *expr, uint64_t otherwise)
{
	const struct mad_class_info *info;
	uint64_t number;

	if (expr == NULL)
		return otherwise;
	if (run_number(run, expr, &number))
		return number;
	info = expr->kind == EXPR_WORD ? mad_class_by_name(expr->text) : NULL;
	if (info != NULL)
		return info->mgmt_class;
	run_fail(run, expr->place, "this has no value here");
	return otherwise;
}

uint32_t arg_ms(struct run *run, const struct expr *expr)
{
	int64_t time_ns;

	if (expr == NULL)
		return 0;
	if (expr_constant_time(expr, &time_ns))
		return (uint32_t)(time_ns / NS_PER_MS);
	return (uint32_t)arg_number(run, expr, 0);
}

void arg_methods(const struct expr *expr, uint64_t ret_mask[2])
{
	const struct expr *bad;

	ret_mask[0] = ret_mask[1] = 0;
	if (expr != NULL)
		method_mask(expr, ret_mask, &bad);
}

static struct var *named_var(struct run *run, const struct expr *expr)
{
	if (expr->kind != EXPR_WORD && expr->kind != EXPR_USE)
		return NULL;
	return g_hash_table_lookup(run->vars, expr->text);
}

bool arg_port(struct run *run, const struct expr *expr, enum world_end *ret_end,
	      const char **ret_ca)
{
	const struct var *var = named_var(run, expr);

	*ret_end = WORLD_SELF;
	if (var != NULL && var->kind == VAR_TEXT) {
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
		run_fail(run, expr->place, "this is no port: say self, peer or $CA");
		return false;
	}
	*ret_ca = run->world->ca[*ret_end];
	return true;
}

struct run_handle *call_handle(struct run *run, const struct expr *expr)
{
	const struct var *var = named_var(run, expr);

	if (var != NULL && var->kind == VAR_HANDLE)
		return var->handle;
	run_fail(run, expr->place, "this is no handle of umad_open_port()");
	return NULL;
}

uint32_t arg_agent(struct run *run, const struct expr *expr, const struct run_agent **ret_agent)
{
	const struct var *var = named_var(run, expr);

	*ret_agent = NULL;
	if (var == NULL || var->kind != VAR_AGENT)
		return (uint32_t)arg_number(run, expr, 0);
	*ret_agent = &var->agent;
	return (uint32_t)var->agent.id;
}

/* ---- open and close ---- */

void call_umad_open_port(struct run *run, const struct call_expr *call,
			 const struct call_args *args, const struct mad_pattern *mad,
			 struct call_outcome *ret)
{
	enum world_end end;
	const char *ca;
	struct run_handle *handle;
	int port;

	(void)call;
	(void)mad;
	if (!arg_port(run, args->at[0], &end, &ca))
		return;
	port = run->world->port[end];
	run->world->kind->enter(run->world, end);
	/* "H3[1]": at another host. What is no port of the fabric is a device of A's. */
	if (args->at[0]->kind == EXPR_STRING && run->world->kind->enter_port != NULL)
		run->world->kind->enter_port(run->world, ca, &ca, &port);
	port = (int)arg_number(run, args->at[1], (uint64_t)port);
	errno = 0;
	ret->value = umad_open_port(ca, port);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	run->world->kind->enter(run->world, WORLD_SELF);
	if (ret->value < 0)
		return;
	handle = g_new0(struct run_handle, 1);
	handle->fd = (int)ret->value;
	handle->end = end;
	g_queue_init(&handle->inbox);
	g_ptr_array_add(run->handles, handle);
	ret->bind = (struct var) { .kind = VAR_HANDLE, .handle = handle };
}

void call_umad_close_port(struct run *run, const struct call_expr *call,
			  const struct call_args *args, const struct mad_pattern *mad,
			  struct call_outcome *ret)
{
	struct run_handle *handle = call_handle(run, args->at[0]);

	(void)call;
	(void)mad;
	if (handle == NULL)
		return;
	errno = 0;
	ret->value = umad_close_port(handle->fd);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	handle->closed = true;
	g_queue_clear_full(&handle->inbox, g_free);
}

/* ---- register ---- */

/* What a registration gives: the agent, which is bound where there is one. */
static void registered(struct call_outcome *ret, int64_t value, uint32_t id, int mgmt_class,
		       int class_version, uint32_t oui)
{
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	ret->instance.result[TERM_RESULT_ID] = (int)id;
	ret->value = value;
	if (value < 0)
		return;
	ret->bind = (struct var) {
		.kind = VAR_AGENT, .agent = { (int)id, mgmt_class, class_version, oui },
	};
}

/* The version that a class has where the script says none. */
static uint64_t default_version(uint64_t mgmt_class)
{
	const struct mad_class_info *info = mad_class_find((uint8_t)mgmt_class);

	return info != NULL ? info->class_version : 1;
}

void call_umad_register(struct run *run, const struct call_expr *call, const struct call_args *args,
			const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_handle *handle = call_handle(run, args->at[0]);
	uint64_t mgmt_class = arg_number(run, args->at[1], 0);
	uint64_t version = arg_number(run, args->at[2], default_version(mgmt_class));
	uint8_t rmpp = (uint8_t)arg_number(run, args->at[3], 0);
	long words[16 / sizeof(long)];
	uint64_t mask[2];
	int id;

	(void)call;
	(void)mad;
	arg_methods(args->at[4], mask);
	if (handle == NULL || run_failed(run))
		return;
	memcpy(words, mask, sizeof(words));
	errno = 0;
	id = umad_register(handle->fd, (int)mgmt_class, (int)version, rmpp, words);
	registered(ret, id, (uint32_t)id, (int)mgmt_class, (int)version, DEFAULT_OUI);
}

void call_umad_register_oui(struct run *run, const struct call_expr *call,
			    const struct call_args *args, const struct mad_pattern *mad,
			    struct call_outcome *ret)
{
	struct run_handle *handle = call_handle(run, args->at[0]);
	uint64_t mgmt_class = arg_number(run, args->at[1], 0);
	uint8_t rmpp = (uint8_t)arg_number(run, args->at[2], 0);
	uint32_t oui = (uint32_t)arg_number(run, args->at[3], 0);
	long words[16 / sizeof(long)];
	uint64_t mask[2];
	uint8_t oui_be[3];
	int id;

	(void)call;
	(void)mad;
	arg_methods(args->at[4], mask);
	if (handle == NULL || run_failed(run))
		return;
	memcpy(words, mask, sizeof(words));
	put_be24(oui_be, oui);
	errno = 0;
	id = umad_register_oui(handle->fd, (int)mgmt_class, rmpp, oui_be, words);
	registered(ret, id, (uint32_t)id, (int)mgmt_class, 1, oui);
}

void call_umad_register2(struct run *run, const struct call_expr *call,
			 const struct call_args *args, const struct mad_pattern *mad,
			 struct call_outcome *ret)
{
	struct run_handle *handle = call_handle(run, args->at[0]);
	uint64_t mgmt_class = arg_number(run, args->at[1], 0);
	struct umad_reg_attr attr = {
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version =
			(uint8_t)arg_number(run, args->at[2], default_version(mgmt_class)),
		.rmpp_version = (uint8_t)arg_number(run, args->at[3], 0),
		.oui = (uint32_t)arg_number(
			run, args->at[4],
			mad_class_is_vendor2((unsigned int)mgmt_class) ? DEFAULT_OUI : 0),
		.flags = (uint32_t)arg_number(run, args->at[5], 0),
	};
	uint64_t mask[2];
	uint32_t id = 0;
	int value;

	(void)call;
	(void)mad;
	arg_methods(args->at[6], mask);
	if (handle == NULL || run_failed(run))
		return;
	memcpy(attr.method_mask, mask, sizeof(mask));
	errno = 0;
	value = umad_register2(handle->fd, &attr, &id);
	/* A failure is a positive errno: no agent. */
	registered(ret, value > 0 ? -1 : 0, id, (int)mgmt_class, attr.mgmt_class_version, attr.oui);
	ret->value = value;
	ret->instance.result[TERM_RESULT_FLAGS] = (int)attr.flags;
}

void call_umad_unregister(struct run *run, const struct call_expr *call,
			  const struct call_args *args, const struct mad_pattern *mad,
			  struct call_outcome *ret)
{
	struct run_handle *handle = call_handle(run, args->at[0]);
	const struct run_agent *agent;
	uint32_t id = arg_agent(run, args->at[1], &agent);

	(void)call;
	(void)mad;
	if (handle == NULL || run_failed(run))
		return;
	errno = 0;
	ret->value = umad_unregister(handle->fd, (int)id);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
}

/* ---- send and poll ---- */

bool send_build(struct run *run, const struct call_expr *call, const struct mad_pattern *mad,
		const struct run_agent *agent, struct mad_instance *ret)
{
	struct mad_defaults defaults = { -1, -1, DEFAULT_OUI, run->next_tid++ };
	g_autoptr(GString) error = g_string_new(NULL);
	struct world_address peer;
	bool smp = mad->class_info != NULL && mad_class_is_smp(mad->class_info->mgmt_class);

	if (agent != NULL) {
		defaults.mgmt_class = agent->mgmt_class;
		defaults.class_version = agent->class_version;
		if (agent->oui != 0)
			defaults.oui = agent->oui;
	}
	memset(ret, 0, sizeof(*ret));
	put_be32(ret->umad + 20, smp ? 0 : 1);
	put_be32(ret->umad + 24, smp ? 0 : QKEY_GSI);
	if (smp && mad_pattern_term(mad, "to") == NULL) {
		put_be16(ret->umad + 28, LID_PERMISSIVE);
	} else if (run->world->kind->address(run->world, "peer", &peer) == 0) {
		put_be16(ret->umad + 28, peer.lid);
		if (peer.needs_grh) {
			ret->umad[32] = 1;
			ret->umad[34] = 64;
			memcpy(ret->umad + 36, peer.gid, 16);
		}
	}
	if (mad_build(mad, &run->env, &defaults, ret, error))
		return true;
	run_fail(run, call->place, "%s", error->str);
	return false;
}

uint8_t *send_message(struct run *run, const struct mad_instance *instance,
		      unsigned int header_size, const struct expr *data, size_t most,
		      size_t *ret_size)
{
	size_t at = mad_class_header_size(instance->mad[MAD_CLASS]);
	size_t data_size = 0;
	const uint8_t *bytes = data != NULL ? run_data(run, data->text, &data_size) : NULL;
	uint8_t *buf;

	*ret_size = bytes != NULL ? at + data_size : MAD_SIZE;
	buf = g_malloc0(header_size + MAX(MAX(*ret_size, MAD_SIZE), most));
	memcpy(buf, instance->umad, header_size);
	memcpy(buf + header_size, instance->mad, MAD_SIZE);
	if (bytes != NULL)
		memcpy(buf + header_size + at, bytes, data_size);
	return buf;
}

void call_umad_send(struct run *run, const struct call_expr *call, const struct call_args *args,
		    const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_handle *handle = call_handle(run, args->at[0]);
	const struct run_agent *agent;
	uint32_t id = arg_agent(run, args->at[SEND_AT_AGENT], &agent);
	uint32_t timeout_ms = arg_ms(run, args->at[SEND_AT_TIMEOUT]);
	uint64_t retries = arg_number(run, args->at[SEND_AT_RETRIES], 0);
	uint64_t length = arg_number(run, args->at[SEND_AT_SIZE], 0);
	struct mad_instance instance;
	uint8_t *umad;
	size_t size;

	if (handle == NULL || run_failed(run) || !send_build(run, call, mad, agent, &instance))
		return;
	if (length > PAYLOAD_SIZE_MAX) {
		run_fail(run, args->at[SEND_AT_SIZE]->place, "no MAD is that long");
		return;
	}
	umad = send_message(run, &instance, 64, args->at[SEND_AT_DATA], length, &size);
	if (args->at[SEND_AT_SIZE] == NULL)
		length = size;
	errno = 0;
	ret->value =
		umad_send(handle->fd, (int)id, umad, (int)length, (int)timeout_ms, (int)retries);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	g_free(umad);
}

void call_umad_poll(struct run *run, const struct call_expr *call, const struct call_args *args,
		    const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_handle *handle = call_handle(run, args->at[0]);

	(void)call;
	(void)mad;
	if (handle == NULL)
		return;
	errno = 0;
	/* What is in the inbox would still be in the file if the harness had not read it. */
	ret->value = g_queue_is_empty(&handle->inbox) ? umad_poll(handle->fd, 0) : 0;
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
}
