/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad_* calls of a script, through libibumad in both worlds.
 */
#include "harness/script/verb/call-run.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "harness/script/mad/payload.h"
#include "harness/script/run/timeline.h"
#include "harness/script/verb/newer-umad.h"

/* ---- open and close ---- */

/*
 * Which ports the host that this thread is on has, if "ca[port]" is none of them; NULL: it is. To
 * be freed.
 */
static char *ports_there_are(const char *wanted, int wanted_port)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int count = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	GString *text = g_string_new(NULL);

	for (int i = 0; i < count; i++) {
		umad_ca_t ca;

		if (umad_get_ca(names[i], &ca) < 0)
			continue;
		for (int port = 0; port < UMAD_CA_MAX_PORTS; port++) {
			if (!ca.ports[port])
				continue;
			if (wanted && strcmp(names[i], wanted) == 0 && port == wanted_port)
				wanted_port = -1;
			g_string_append_printf(text, "%s\"%s\", %d", text->len ? "; " : "",
					       names[i], port);
		}
		umad_release_ca(&ca);
	}
	if (wanted_port < 0 || text->len == 0)
		g_string_truncate(text, 0);
	else
		g_string_prepend(text, "there is no such port on this host; there are: ");
	return g_string_free(text, text->len == 0);
}

static void open_port(const struct running_call *call, int (*open)(const char *ca, int port),
		      struct call_outcome *ret)
{
	struct world *world = call->run->world;
	enum world_end end;
	const char *ca;
	struct run_handle *handle;
	int port;

	if (!arg_port(call, 0, &end, &ca))
		return;
	port = world->port[end];
	world->kind->enter(world, end);
	/*
	 * "H3[1]" is on another host. A name that is not a port of the fabric is a device of A's
	 * host.
	 */
	if (call->args[0]->kind == EXPR_STRING && world->kind->enter_port)
		world->kind->enter_port(world, ca, &ca, &port);
	port = (int)arg_number(call, 1, (uint64_t)port);
	errno = 0;
	ret->value = open(ca, port);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	if (ret->value < 0)
		ret->hint = ports_there_are(ca, port);
	world->kind->enter(world, WORLD_SELF);
	if (ret->value < 0)
		return;
	handle = g_new0(struct run_handle, 1);
	handle->fd = (int)ret->value;
	handle->end = end;
	g_queue_init(&handle->inbox);
	g_ptr_array_add(call->run->handles, handle);
	ret->bind = (struct var) { .kind = VAR_HANDLE, .handle = handle };
}

void call_umad_open_port(const struct running_call *call, struct call_outcome *ret)
{
	open_port(call, umad_open_port, ret);
}

void call_umad_open_smi_port(const struct running_call *call, struct call_outcome *ret)
{
	open_port(call, newer_umad()->open_smi_port, ret);
}

void call_umad_close_port(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);

	if (!handle)
		return;
	run_check_close(call->run, handle);
	errno = 0;
	ret->value = umad_close_port(handle->fd);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	handle->closed = true;
	g_queue_clear_full(&handle->inbox, g_free);
}

/* ---- register ---- */

/* The result of a registration: the agent, which is bound if there is one. */
static void registered(struct call_outcome *ret, int64_t value, uint32_t id, int mgmt_class,
		       int class_version, uint32_t oui)
{
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
	ret->instance.result[TERM_RESULT_ID] = (int)id;
	ret->value = value;
	if (value < 0)
		return;
	ret->bind = (struct var) {
		.kind = VAR_AGENT, .agent = { NULL, (int)id, mgmt_class, class_version, oui },
	};
}

/* The version of a class if the script names none. */
static uint64_t default_version(uint64_t mgmt_class)
{
	const struct mad_class_info *info = mad_class_find((uint8_t)mgmt_class);

	return info ? info->class_version : 1;
}

void call_umad_register(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);
	uint64_t mgmt_class = arg_number(call, 1, 0);
	uint64_t version = arg_number(call, 2, default_version(mgmt_class));
	uint8_t rmpp = (uint8_t)arg_number(call, 3, 0);
	long words[16 / sizeof(long)];
	uint64_t mask[2];
	int id;

	arg_methods(call, 4, mask);
	if (!handle || run_failed(call->run))
		return;
	memcpy(words, mask, sizeof(words));
	errno = 0;
	id = umad_register(handle->fd, (int)mgmt_class, (int)version, rmpp, words);
	registered(ret, id, (uint32_t)id, (int)mgmt_class, (int)version, DEFAULT_OUI);
}

void call_umad_register_oui(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);
	uint64_t mgmt_class = arg_number(call, 1, 0);
	uint8_t rmpp = (uint8_t)arg_number(call, 2, 0);
	uint32_t oui = (uint32_t)arg_number(call, 3, 0);
	long words[16 / sizeof(long)];
	uint64_t mask[2];
	uint8_t oui_be[3];
	int id;

	arg_methods(call, 4, mask);
	if (!handle || run_failed(call->run))
		return;
	memcpy(words, mask, sizeof(words));
	put_be24(oui_be, oui);
	errno = 0;
	id = umad_register_oui(handle->fd, (int)mgmt_class, rmpp, oui_be, words);
	registered(ret, id, (uint32_t)id, (int)mgmt_class, 1, oui);
}

void call_umad_register2(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);
	uint64_t mgmt_class = arg_number(call, 1, 0);
	struct umad_reg_attr attr = {
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version =
			(uint8_t)arg_number(call, 2, default_version(mgmt_class)),
		.rmpp_version = (uint8_t)arg_number(call, 3, 0),
		.oui = (uint32_t)arg_number(
			call, 4, mad_class_is_vendor2((unsigned int)mgmt_class) ? DEFAULT_OUI : 0),
		.flags = (uint32_t)arg_number(call, 5, 0),
	};
	uint64_t mask[2];
	uint32_t id = 0;
	int value;

	arg_methods(call, 6, mask);
	if (!handle || run_failed(call->run))
		return;
	memcpy(attr.method_mask, mask, sizeof(mask));
	errno = 0;
	value = umad_register2(handle->fd, &attr, &id);
	/* A failure is a positive errno: no agent. */
	registered(ret, value > 0 ? -1 : 0, id, (int)mgmt_class, attr.mgmt_class_version, attr.oui);
	ret->value = value;
	ret->instance.result[TERM_RESULT_FLAGS] = (int)attr.flags;
}

void call_umad_unregister(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);
	const struct run_agent *agent;
	uint32_t id = arg_agent(call, 1, &agent);

	if (!handle || run_failed(call->run))
		return;
	errno = 0;
	ret->value = umad_unregister(handle->fd, (int)id);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
}

/* ---- send and poll ---- */

/* The message that the arguments describe, of '*ret_size' bytes behind the header; to be freed. */
static uint8_t *build_message(const struct running_call *call, const struct run_agent *agent,
			      size_t *ret_size)
{
	struct mad_instance instance;

	if (!send_build(call, agent, &instance))
		return NULL;
	return send_message(call->run, &instance, 64, call->args[SEND_AT_DATA],
			    arg_number(call, SEND_AT_SIZE, 0), ret_size);
}

void call_umad_send(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);
	const struct run_agent *agent;
	uint32_t id = arg_agent(call, SEND_AT_AGENT, &agent);
	uint32_t timeout_ms = arg_ms(call, SEND_AT_TIMEOUT);
	uint64_t retries = arg_number(call, SEND_AT_RETRIES, 0);
	uint64_t length = arg_number(call, SEND_AT_SIZE, 0);
	uint64_t most = call->mad ? PAYLOAD_SIZE_MAX : CALL_BUFFER_SIZE - 64;
	g_autofree uint8_t *message = NULL;
	size_t size = MAD_SIZE;
	uint8_t *umad;

	if (!handle || run_failed(call->run))
		return;
	if (length > most) {
		arg_refuse(call, SEND_AT_SIZE, call->mad ?
			 "this is more than any message" : "this is more than a buffer has");
		return;
	}
	umad = call->mad ? NULL : arg_buffer(call, SEND_AT_MAD);
	if (call->mad)
		umad = message = build_message(call, agent, &size);
	if (!umad)
		return;
	if (!call->args[SEND_AT_SIZE])
		length = size;
	errno = 0;
	ret->value =
		umad_send(handle->fd, (int)id, umad, (int)length, (int)timeout_ms, (int)retries);
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
}

void call_umad_poll(const struct running_call *call, struct call_outcome *ret)
{
	struct run_handle *handle = arg_handle(call, 0);

	if (!handle)
		return;
	errno = 0;
	/* What is in the inbox would still be in the file if the harness had not read it. */
	ret->value = g_queue_is_empty(&handle->inbox) ? umad_poll(handle->fd, 0) : 0;
	ret->instance.result[TERM_RESULT_ERRNO] = errno;
}
