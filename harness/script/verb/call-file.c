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
#include "lib/base/umad-command.h"

#define HEADER_OLD 56
#define HEADER_NEW 64

/* The largest size that a script may write or read: more than any MAD. */
#define COUNT_MAX (64 + PAYLOAD_SIZE_MAX)

enum request_kind {
	REQUEST_REGISTER,
	REQUEST_UNREGISTER,
	REQUEST_ENABLE_PKEY,
	REQUEST_REGISTER2,
};

struct request {
	const char *name;
	unsigned long number;
};

static const struct request requests[] = {
	[REQUEST_REGISTER] = { "REGISTER_AGENT", UMAD_COMMAND_REGISTER_AGENT },
	[REQUEST_UNREGISTER] = { "UNREGISTER_AGENT", UMAD_COMMAND_UNREGISTER_AGENT },
	[REQUEST_ENABLE_PKEY] = { "ENABLE_PKEY", UMAD_COMMAND_ENABLE_PKEY },
	[REQUEST_REGISTER2] = { "REGISTER_AGENT2", UMAD_COMMAND_REGISTER_AGENT2 },
};

bool call_request_known(const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(requests); i++) {
		if (strcmp(requests[i].name, text) == 0)
			return true;
	}
	return false;
}

const char *call_request_name(unsigned int at)
{
	return at < G_N_ELEMENTS(requests) ? requests[at].name : NULL;
}

static struct run_file *arg_file(struct run *run, const struct expr *expr)
{
	const struct var *var = run_var_of(run, expr);

	if (!var || var->kind != VAR_FILE) {
		run_fail(run, expr->place, "expected a file of file.open()");
		return NULL;
	}
	if (!var->file->file) {
		run_fail(run, expr->place, "this file is closed");
		return NULL;
	}
	run->header_size = var->file->header_size;
	return var->file;
}

static void set_status(struct call_outcome *ret, long status)
{
	ret->value = status;
	ret->instance.result[TERM_RESULT_ERRNO] = status < 0 ? (int)-status : 0;
}

void call_file_open(struct run *run, const struct call_expr *call, const struct call_args *args,
		    const struct mad_pattern *mad, struct call_outcome *ret)
{
	enum world_end end;
	const char *ca;
	struct run_file *file;
	void *opened;

	(void)call;
	(void)mad;
	if (!arg_port(run, args->at[0], &end, &ca))
		return;
	set_status(ret, run->world->kind->file_open(run->world, end, &opened));
	if (ret->value < 0)
		return;
	file = g_new0(struct run_file, 1);
	file->file = opened;
	file->header_size = HEADER_OLD;
	g_ptr_array_add(run->files, file);
	ret->bind = (struct var) { .kind = VAR_FILE, .file = file };
}

void call_file_close(struct run *run, const struct call_expr *call, const struct call_args *args,
		     const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_file *file = arg_file(run, args->at[0]);

	(void)call;
	(void)mad;
	if (!file)
		return;
	run->world->kind->file_close(file->file);
	file->file = NULL;
	set_status(ret, 0);
}

/* ---- ioctl ---- */

enum {
	IOCTL_AT_REQUEST = 1, IOCTL_AT_CLASS, IOCTL_AT_VERSION, IOCTL_AT_RMPP, IOCTL_AT_OUI,
	IOCTL_AT_QPN, IOCTL_AT_FLAGS, IOCTL_AT_METHODS, IOCTL_AT_AGENT,
};

struct registration {
	uint32_t id, qpn, mgmt_class, class_version, rmpp, oui, flags;
	uint64_t mask[2];
};

static void put_host32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void read_registration(struct run *run, const struct call_args *args,
			      struct registration *ret)
{
	const struct mad_class_info *info;

	memset(ret, 0, sizeof(*ret));
	ret->mgmt_class = (uint32_t)arg_number(run, args->at[IOCTL_AT_CLASS], 0);
	info = mad_class_find((uint8_t)ret->mgmt_class);
	ret->class_version = (uint32_t)arg_number(run, args->at[IOCTL_AT_VERSION],
						  info ? info->class_version : 1);
	ret->rmpp = (uint32_t)arg_number(run, args->at[IOCTL_AT_RMPP], 0);
	ret->oui = (uint32_t)arg_number(run, args->at[IOCTL_AT_OUI],
					mad_class_is_vendor2(ret->mgmt_class) ? DEFAULT_OUI : 0);
	ret->qpn = (uint32_t)arg_number(run, args->at[IOCTL_AT_QPN],
					mad_class_is_smp(ret->mgmt_class) ? 0 : 1);
	ret->flags = (uint32_t)arg_number(run, args->at[IOCTL_AT_FLAGS], 0);
	arg_methods(args->at[IOCTL_AT_METHODS], ret->mask);
}

static int ioctl_register(struct run *run, struct run_file *file, struct registration *what)
{
	struct ib_user_mad_reg_req request = {
		.qpn = (uint8_t)what->qpn,
		.mgmt_class = (uint8_t)what->mgmt_class,
		.mgmt_class_version = (uint8_t)what->class_version,
		.rmpp_version = (uint8_t)what->rmpp,
	};
	int status;

	memcpy(request.method_mask, what->mask, sizeof(request.method_mask));
	put_be24(request.oui, what->oui);
	status = run->world->kind->file_ioctl(file->file, requests[REQUEST_REGISTER].number,
					      &request);
	what->id = request.id;
	return status;
}

static int ioctl_register2(struct run *run, struct run_file *file, struct registration *what)
{
	struct ib_user_mad_reg_req2 request = {
		.qpn = what->qpn,
		.mgmt_class = (uint8_t)what->mgmt_class,
		.mgmt_class_version = (uint8_t)what->class_version,
		.flags = what->flags,
		.method_mask = { what->mask[0], what->mask[1] },
		.oui = what->oui,
		.rmpp_version = (uint8_t)what->rmpp,
	};
	int status;

	status = run->world->kind->file_ioctl(file->file, requests[REQUEST_REGISTER2].number,
					      &request);
	what->id = request.id;
	what->flags = request.flags;
	if (status == 0 && !file->registered)
		file->header_size = HEADER_NEW;
	return status;
}

static void finish_register(struct run_file *file, const struct registration *what, int status,
			    struct call_outcome *ret)
{
	set_status(ret, status);
	ret->instance.result[TERM_RESULT_FLAGS] = (int)what->flags;
	ret->instance.result[TERM_RESULT_ID] = (int)what->id;
	if (status < 0)
		return;
	file->registered = true;
	ret->value = what->id;
	ret->bind = (struct var) {
		.kind = VAR_AGENT,
		.agent = { NULL, (int)what->id, (int)what->mgmt_class,
			   (int)what->class_version, what->oui },
	};
}

void call_file_ioctl(struct run *run, const struct call_expr *call, const struct call_args *args,
		     const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_file *file = arg_file(run, args->at[0]);
	const struct expr *request = args->at[IOCTL_AT_REQUEST];
	struct registration what;
	const struct run_agent *agent;
	uint32_t id;

	(void)call;
	(void)mad;
	if (!file)
		return;
	if (request->kind != EXPR_WORD) {
		uint8_t nothing[64] = { 0 };

		set_status(ret, run->world->kind->file_ioctl(file->file,
							     arg_number(run, request, 0), nothing));
		return;
	}
	read_registration(run, args, &what);
	if (run_failed(run))
		return;
	if (strcmp(request->text, requests[REQUEST_REGISTER].name) == 0) {
		finish_register(file, &what, ioctl_register(run, file, &what), ret);
	} else if (strcmp(request->text, requests[REQUEST_REGISTER2].name) == 0) {
		finish_register(file, &what, ioctl_register2(run, file, &what), ret);
	} else if (strcmp(request->text, requests[REQUEST_ENABLE_PKEY].name) == 0) {
		set_status(ret, run->world->kind->file_ioctl(
					file->file, requests[REQUEST_ENABLE_PKEY].number, NULL));
		if (ret->value == 0)
			file->header_size = HEADER_NEW;
	} else {
		id = args->at[IOCTL_AT_AGENT] ?
		     arg_agent(run, args->at[IOCTL_AT_AGENT], &agent) : 0;
		set_status(ret, run->world->kind->file_ioctl(
					file->file, requests[REQUEST_UNREGISTER].number, &id));
	}
}

/* ---- write, read, poll ---- */

void call_file_write(struct run *run, const struct call_expr *call, const struct call_args *args,
		     const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_file *file = arg_file(run, args->at[0]);
	const struct run_agent *agent;
	uint32_t id = arg_agent(run, args->at[SEND_AT_AGENT], &agent);
	uint64_t count = arg_number(run, args->at[SEND_AT_SIZE], 0);
	struct mad_instance instance;
	uint8_t *buf;
	size_t size;

	if (!file || run_failed(run) || !send_build(run, call, mad, agent, &instance))
		return;
	if (count > COUNT_MAX) {
		run_fail(run, args->at[SEND_AT_SIZE]->place, "this is more than any message");
		return;
	}
	if (!mad_pattern_term(mad, "id"))
		put_host32(instance.umad, id);
	put_host32(instance.umad + 8, arg_ms(run, args->at[SEND_AT_TIMEOUT]));
	put_host32(instance.umad + 12, (uint32_t)arg_number(run, args->at[SEND_AT_RETRIES], 0));
	buf = send_message(run, &instance, file->header_size, args->at[SEND_AT_DATA], count, &size);
	if (!args->at[SEND_AT_SIZE])
		count = file->header_size + size;
	set_status(ret, run->world->kind->file_write(file->file, buf, count));
	g_free(buf);
}

void call_file_read(struct run *run, const struct call_expr *call, const struct call_args *args,
		    const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_file *file = arg_file(run, args->at[0]);
	uint64_t count = arg_number(run, args->at[1], run->header_size + MAD_SIZE);
	unsigned int header = run->header_size;
	uint8_t *buf;

	(void)call;
	(void)mad;
	if (!file || run_failed(run))
		return;
	if (count > COUNT_MAX) {
		run_fail(run, args->at[1]->place, "this is more than any message");
		return;
	}
	buf = g_malloc0(MAX(count, HEADER_NEW + MAD_SIZE));
	set_status(ret, run->world->kind->file_read(file->file, buf, count));
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

void call_file_poll(struct run *run, const struct call_expr *call, const struct call_args *args,
		    const struct mad_pattern *mad, struct call_outcome *ret)
{
	struct run_file *file = arg_file(run, args->at[0]);

	(void)call;
	(void)mad;
	if (file)
		ret->value = run->world->kind->file_poll(file->file) &
			     (POLLIN | POLLOUT | POLLERR | POLLHUP);
}

/* ---- issm and the port ---- */

/* A call whose only argument is a port. */
static void call_port(struct run *run, const struct call_args *args,
		      int (*act)(struct world *world, enum world_end end), struct call_outcome *ret)
{
	enum world_end end;
	const char *ca;

	if (arg_port(run, args->at[0], &end, &ca))
		set_status(ret, act(run->world, end));
}

void call_issm_open(struct run *run, const struct call_expr *call, const struct call_args *args,
		    const struct mad_pattern *mad, struct call_outcome *ret)
{
	(void)call;
	(void)mad;
	call_port(run, args, run->world->kind->issm_open, ret);
}

void call_issm_close(struct run *run, const struct call_expr *call, const struct call_args *args,
		     const struct mad_pattern *mad, struct call_outcome *ret)
{
	(void)call;
	(void)mad;
	call_port(run, args, run->world->kind->issm_close, ret);
}

void call_port_remove(struct run *run, const struct call_expr *call, const struct call_args *args,
		      const struct mad_pattern *mad, struct call_outcome *ret)
{
	(void)call;
	(void)mad;
	call_port(run, args, run->world->kind->port_remove, ret);
}

void call_port_set_lid(struct run *run, const struct call_expr *call, const struct call_args *args,
		       const struct mad_pattern *mad, struct call_outcome *ret)
{
	enum world_end end;
	const char *ca;
	uint16_t lid = (uint16_t)arg_number(run, args->at[1], 0);
	uint8_t lmc = (uint8_t)arg_number(run, args->at[2], 0);

	(void)call;
	(void)mad;
	if (arg_port(run, args->at[0], &end, &ca) && !run_failed(run))
		set_status(ret, run->world->kind->port_set_lid(run->world, end, lid, lmc));
}
