/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad file itself, driven by a script: file.*, issm.* and what happens to a port.
 *
 * The library always requests 64-byte headers and chooses the QP by class; here nothing is done on
 * the script's behalf.
 */
#include "harness/script/verb/call-run.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "harness/script/mad/payload.h"
#include "lib/registration-argument.h"
#include "lib/base/user-header.h"

/* The largest size that a script may write or read: more than any MAD. */
#define COUNT_MAX (USER_HEADER_SIZE + PAYLOAD_SIZE_MAX)

enum request_kind {
	REQUEST_REGISTER,
	REQUEST_UNREGISTER,
	REQUEST_ENABLE_PKEY,
	REQUEST_REGISTER2,
};

static const char *const requests[] = {
	[REQUEST_REGISTER] = "REGISTER_AGENT",
	[REQUEST_UNREGISTER] = "UNREGISTER_AGENT",
	[REQUEST_ENABLE_PKEY] = "ENABLE_PKEY",
	[REQUEST_REGISTER2] = "REGISTER_AGENT2",
};

/* False: 'text' names none. */
static bool find_request(const char *text, enum request_kind *ret_kind)
{
	for (size_t i = 0; i < G_N_ELEMENTS(requests); i++) {
		if (strcmp(requests[i], text) == 0) {
			*ret_kind = (enum request_kind)i;
			return true;
		}
	}
	return false;
}

bool call_request_known(const char *text)
{
	enum request_kind kind;

	return find_request(text, &kind);
}

const char *call_request_name(unsigned int at)
{
	return at < G_N_ELEMENTS(requests) ? requests[at] : NULL;
}

static struct run_file *arg_file(const struct running_call *call, unsigned int at)
{
	const struct var *var = run_var_of(call->run, call->args[at]);

	if (!var || var->kind != VAR_FILE) {
		arg_refuse(call, at, "expected a file of file.open()");
		return NULL;
	}
	if (!var->file->file) {
		arg_refuse(call, at, "this file is closed");
		return NULL;
	}
	call->run->header_size = var->file->header_size;
	return var->file;
}

static void set_status(struct call_outcome *ret, long status)
{
	ret->value = status;
	ret->instance.result[TERM_RESULT_ERRNO] = status < 0 ? (int)-status : 0;
}

void call_file_open(const struct running_call *call, struct call_outcome *ret)
{
	enum world_end end;
	const char *ca;
	struct run_file *file;
	void *opened;

	if (!arg_port(call, 0, &end, &ca))
		return;
	set_status(ret, call->run->world->kind->file_open(call->run->world, end, &opened));
	if (ret->value < 0)
		return;
	file = g_new0(struct run_file, 1);
	file->file = opened;
	file->header_size = USER_HEADER_SIZE_OLD;
	g_ptr_array_add(call->run->files, file);
	ret->bind = (struct var) { .kind = VAR_FILE, .file = file };
}

void call_file_close(const struct running_call *call, struct call_outcome *ret)
{
	struct run_file *file = arg_file(call, 0);

	if (!file)
		return;
	call->run->world->kind->file_close(file->file);
	file->file = NULL;
	set_status(ret, 0);
}

/* ---- ioctl ---- */

enum {
	IOCTL_AT_REQUEST = 1, IOCTL_AT_CLASS, IOCTL_AT_VERSION, IOCTL_AT_RMPP, IOCTL_AT_OUI,
	IOCTL_AT_QPN, IOCTL_AT_FLAGS, IOCTL_AT_METHODS, IOCTL_AT_AGENT,
};

static struct umad_backend_reg read_registration(const struct running_call *call,
						 enum umad_backend_request request)
{
	uint8_t mgmt_class = (uint8_t)arg_number(call, IOCTL_AT_CLASS, 0);
	const struct mad_class_info *info = mad_class_find(mgmt_class);
	struct umad_backend_reg reg = { .request = request, .mgmt_class = mgmt_class };

	reg.mgmt_class_version = (uint8_t)arg_number(call, IOCTL_AT_VERSION,
						     info ? info->class_version : 1);
	reg.rmpp_version = (uint8_t)arg_number(call, IOCTL_AT_RMPP, 0);
	reg.oui = (uint32_t)arg_number(call, IOCTL_AT_OUI,
				       mad_class_is_vendor2(mgmt_class) ? DEFAULT_OUI : 0);
	reg.qpn = (unsigned int)arg_number(call, IOCTL_AT_QPN,
					   mad_class_is_smp(mgmt_class) ? 0 : 1);
	reg.flags = (uint32_t)arg_number(call, IOCTL_AT_FLAGS, 0);
	arg_methods(call, IOCTL_AT_METHODS, reg.method_mask);
	return reg;
}

static void ioctl_register(struct run *run, struct run_file *file, struct umad_backend_reg *reg,
			   struct call_outcome *ret)
{
	union registration_argument argument;
	unsigned long command = registration_argument_pack(reg, &argument);
	int status = run->world->kind->file_ioctl(file->file, command, &argument);

	registration_argument_answered(&argument, status, reg);
	set_status(ret, status);
	ret->instance.result[TERM_RESULT_FLAGS] = (int)reg->flags;
	ret->instance.result[TERM_RESULT_ID] = (int)reg->id;
	if (status < 0)
		return;
	if (reg->request == UMAD_BACKEND_REGISTER_AGENT2 && !file->registered)
		file->header_size = USER_HEADER_SIZE;
	file->registered = true;
	ret->value = reg->id;
	ret->bind = (struct var) {
		.kind = VAR_AGENT,
		.agent = { NULL, (int)reg->id, reg->mgmt_class, reg->mgmt_class_version,
			   reg->oui },
	};
}

/* What a script names; the call's other arguments go with it. */
static void ioctl_named(const struct running_call *call, struct run_file *file,
			enum request_kind kind, struct call_outcome *ret)
{
	const struct world_kind *world = call->run->world->kind;
	struct umad_backend_reg reg = read_registration(call,
							kind == REQUEST_REGISTER ?
							UMAD_BACKEND_REGISTER_AGENT :
							UMAD_BACKEND_REGISTER_AGENT2);
	const struct run_agent *agent;
	uint32_t id = 0;

	if (run_failed(call->run))
		return;
	switch (kind) {
	case REQUEST_REGISTER:
	case REQUEST_REGISTER2:
		ioctl_register(call->run, file, &reg, ret);
		break;
	case REQUEST_ENABLE_PKEY:
		set_status(ret, world->file_ioctl(file->file, UMAD_COMMAND_ENABLE_PKEY, NULL));
		if (ret->value == 0)
			file->header_size = USER_HEADER_SIZE;
		break;
	case REQUEST_UNREGISTER:
		if (call->args[IOCTL_AT_AGENT])
			id = arg_agent(call, IOCTL_AT_AGENT, &agent);
		set_status(ret, world->file_ioctl(file->file, UMAD_COMMAND_UNREGISTER_AGENT,
						  &id));
		break;
	}
}

void call_file_ioctl(const struct running_call *call, struct call_outcome *ret)
{
	struct run_file *file = arg_file(call, 0);
	const struct expr *request = call->args[IOCTL_AT_REQUEST];
	enum request_kind kind;

	if (!file)
		return;
	if (request->kind != EXPR_WORD) {
		const struct world_kind *world = call->run->world->kind;
		uint64_t number = arg_number(call, IOCTL_AT_REQUEST, 0);
		uint8_t nothing[64] = { 0 };

		set_status(ret, world->file_ioctl(file->file, number, nothing));
	} else {
		bool is_known = find_request(request->text, &kind);

		g_assert(is_known);	/* call_request_known() */
		ioctl_named(call, file, kind, ret);
	}
}

/* ---- write, read, poll ---- */

void call_file_write(const struct running_call *call, struct call_outcome *ret)
{
	struct run_file *file = arg_file(call, 0);
	const struct run_agent *agent;
	uint32_t id = arg_agent(call, SEND_AT_AGENT, &agent);
	uint64_t count = arg_number(call, SEND_AT_SIZE, 0);
	struct mad_instance instance;
	uint8_t *buf;
	size_t size;

	if (!file || run_failed(call->run) || !send_build(call, agent, &instance))
		return;
	if (count > COUNT_MAX) {
		arg_refuse(call, SEND_AT_SIZE, "this is more than any message");
		return;
	}
	if (!mad_pattern_term(call->mad, "id"))
		user_header_set(instance.umad, USER_ID, id);
	user_header_set(instance.umad, USER_TIMEOUT_MS, arg_ms(call, SEND_AT_TIMEOUT));
	user_header_set(instance.umad, USER_RETRIES,
			(uint32_t)arg_number(call, SEND_AT_RETRIES, 0));
	buf = send_message(call->run, &instance, file->header_size, call->args[SEND_AT_DATA],
			   count, &size);
	if (!call->args[SEND_AT_SIZE])
		count = file->header_size + size;
	set_status(ret, call->run->world->kind->file_write(file->file, buf, count));
	g_free(buf);
}

void call_file_read(const struct running_call *call, struct call_outcome *ret)
{
	struct run_file *file = arg_file(call, 0);
	uint64_t count = arg_number(call, 1, call->run->header_size + MAD_SIZE);
	unsigned int header = call->run->header_size;
	uint8_t *buf;

	if (!file || run_failed(call->run))
		return;
	if (count > COUNT_MAX) {
		arg_refuse(call, 1, "this is more than any message");
		return;
	}
	buf = g_malloc0(MAX(count, USER_HEADER_SIZE + MAD_SIZE));
	set_status(ret, call->run->world->kind->file_read(file->file, buf, count));
	/* With ENOSPC the header and the first 256 bytes have been copied nevertheless. */
	ret->has_item = ret->value > 0 || ret->value == -ENOSPC;
	memcpy(ret->instance.umad, buf, header);
	memcpy(ret->instance.mad, buf + header, MAD_SIZE);
	ret->instance.result[TERM_RESULT_LENGTH] =
		ret->value > 0 ? (int)ret->value - (int)header : 0;
	ret->instance.message_size = ret->value > 0 ? (size_t)ret->value - header : 0;
	ret->message = g_memdup2(buf + header, ret->instance.message_size);
	ret->instance.message = ret->message;
	g_free(buf);
}

void call_file_poll(const struct running_call *call, struct call_outcome *ret)
{
	struct run_file *file = arg_file(call, 0);

	if (file)
		ret->value = call->run->world->kind->file_poll(file->file) &
			     (POLLIN | POLLOUT | POLLERR | POLLHUP);
}

/* ---- issm and the port ---- */

/* A call whose only argument is a port. */
static void call_port(const struct running_call *call,
		      int (*act)(struct world *world, enum world_end end), struct call_outcome *ret)
{
	enum world_end end;
	const char *ca;

	if (arg_port(call, 0, &end, &ca))
		set_status(ret, act(call->run->world, end));
}

void call_issm_open(const struct running_call *call, struct call_outcome *ret)
{
	call_port(call, call->run->world->kind->issm_open, ret);
}

void call_issm_close(const struct running_call *call, struct call_outcome *ret)
{
	call_port(call, call->run->world->kind->issm_close, ret);
}

void call_port_remove(const struct running_call *call, struct call_outcome *ret)
{
	call_port(call, call->run->world->kind->port_remove, ret);
}

void call_port_set_lid(const struct running_call *call, struct call_outcome *ret)
{
	struct world *world = call->run->world;
	enum world_end end;
	const char *ca;
	uint16_t lid = (uint16_t)arg_number(call, 1, 0);
	uint8_t lmc = (uint8_t)arg_number(call, 2, 0);

	if (arg_port(call, 0, &end, &ca) && !run_failed(call->run))
		set_status(ret, world->kind->port_set_lid(world, end, lid, lmc));
}
