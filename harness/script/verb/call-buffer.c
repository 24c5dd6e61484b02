/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad_* calls of a script that work on a buffer, which is a header and a MAD:
 *
 *	+0       u = umad_alloc(VendGet(0x0010) to=peer)
 *	+0       umad_set_grh(u, gid="fe80::1", hop_limit=64) = 0, grh=1
 *	+0       umad_send(fd, a, u, timeout=100ms) = 0
 */
#include "config.h"

#include "harness/script/verb/call-run.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/script/verb/newer-umad.h"

const struct fact_kind call_facts_address[] = {
	{ "qpn", FACT_DECIMAL }, { "qkey", FACT_HEX }, { "lid", FACT_DECIMAL },
	{ "sl", FACT_DECIMAL }, { "path_bits", FACT_DECIMAL }, { "grh", FACT_DECIMAL },
	{ "gid_index", FACT_DECIMAL }, { "hop_limit", FACT_DECIMAL },
	{ "traffic_class", FACT_DECIMAL }, { "gid", FACT_GID }, { "flow_label", FACT_HEX },
	{ "pkey_index", FACT_DECIMAL },
	{ NULL, FACT_DECIMAL },
};

void *arg_buffer(const struct running_call *call, unsigned int at)
{
	const struct var *var = run_var_of(call->run, call->args[at]);

	if (var && var->kind == VAR_BUFFER)
		return var->buffer;
	arg_refuse(call, at, "expected a buffer of umad_alloc()");
	return NULL;
}

static void add_address(struct call_outcome *ret, void *buffer)
{
	const ib_mad_addr_t *addr = umad_get_mad_addr(buffer);
	char gid[INET6_ADDRSTRLEN];

	ret->facts = facts_new();
	facts_add_number(ret->facts, "qpn", be32toh(addr->qpn));
	facts_add_number(ret->facts, "qkey", be32toh(addr->qkey));
	facts_add_number(ret->facts, "lid", be16toh(addr->lid));
	facts_add_number(ret->facts, "sl", addr->sl);
	facts_add_number(ret->facts, "path_bits", addr->path_bits);
	facts_add_number(ret->facts, "grh", addr->grh_present);
	facts_add_number(ret->facts, "gid_index", addr->gid_index);
	facts_add_number(ret->facts, "hop_limit", addr->hop_limit);
	facts_add_number(ret->facts, "traffic_class", addr->traffic_class);
	facts_add_text(ret->facts, "gid", inet_ntop(AF_INET6, addr->gid, gid, sizeof(gid)));
	facts_add_number(ret->facts, "flow_label", be32toh(addr->flow_label));
	facts_add_number(ret->facts, "pkey_index", addr->pkey_index);
}

/* ---- a buffer and its parts ---- */

void call_umad_alloc(const struct running_call *call, struct call_outcome *ret)
{
	struct mad_instance instance;
	uint8_t *buffer;

	if (call->mad && !send_build(call, NULL, &instance))
		return;
	buffer = umad_alloc(1, CALL_BUFFER_SIZE);
	if (!buffer) {
		run_fail(call->run, call->expr->place, "no memory");
		return;
	}
	if (call->mad) {
		memcpy(buffer, instance.umad, sizeof(instance.umad));
		memcpy(buffer + umad_size(), instance.mad, MAD_SIZE);
	}
	g_ptr_array_add(call->run->buffers, buffer);
	ret->bind = (struct var) { .kind = VAR_BUFFER, .buffer = buffer };
}

void call_umad_size(const struct running_call *call, struct call_outcome *ret)
{
	(void)call;
	ret->value = (int64_t)umad_size();
}

void call_umad_get_mad(const struct running_call *call, struct call_outcome *ret)
{
	char *buffer = arg_buffer(call, 0);

	/* A pointer: where it points to within the buffer. */
	if (buffer)
		ret->value = (char *)umad_get_mad(buffer) - buffer;
}

void call_umad_get_mad_addr(const struct running_call *call, struct call_outcome *ret)
{
	char *buffer = arg_buffer(call, 0);

	if (!buffer)
		return;
	ret->value = (char *)umad_get_mad_addr(buffer) - buffer;
	add_address(ret, buffer);
}

void call_umad_status(const struct running_call *call, struct call_outcome *ret)
{
	void *buffer = arg_buffer(call, 0);

	if (buffer)
		ret->value = umad_status(buffer);
}

/* ---- addresses ---- */

enum { SET_AT_LID = 1, SET_AT_QPN, SET_AT_SL, SET_AT_QKEY };

static void set_addr(const struct running_call *call, bool net, struct call_outcome *ret)
{
	uint16_t lid = (uint16_t)arg_number(call, SET_AT_LID, 0);
	uint32_t qpn = (uint32_t)arg_number(call, SET_AT_QPN, 0);
	int sl = (int)arg_number(call, SET_AT_SL, 0);
	uint32_t qkey = (uint32_t)arg_number(call, SET_AT_QKEY, 0);
	void *buffer = arg_buffer(call, 0);

	if (!buffer || run_failed(call->run))
		return;
	if (net)
		ret->value = umad_set_addr_net(buffer, htobe16(lid), htobe32(qpn), sl,
					       htobe32(qkey));
	else
		ret->value = umad_set_addr(buffer, lid, (int)qpn, sl, (int)qkey);
	add_address(ret, buffer);
}

void call_umad_set_addr(const struct running_call *call, struct call_outcome *ret)
{
	set_addr(call, false, ret);
}

void call_umad_set_addr_net(const struct running_call *call, struct call_outcome *ret)
{
	set_addr(call, true, ret);
}

enum { GRH_AT_GID = 1, GRH_AT_HOP_LIMIT, GRH_AT_TRAFFIC_CLASS, GRH_AT_FLOW_LABEL, GRH_AT_END };

/* Without arguments the address is NULL: no GRH. */
static void set_grh(const struct running_call *call, bool net, struct call_outcome *ret)
{
	ib_mad_addr_t addr = {
		.hop_limit = (uint8_t)arg_number(call, GRH_AT_HOP_LIMIT, 0),
		.traffic_class = (uint8_t)arg_number(call, GRH_AT_TRAFFIC_CLASS, 0),
	};
	uint32_t flow_label = (uint32_t)arg_number(call, GRH_AT_FLOW_LABEL, 0);
	void *buffer = arg_buffer(call, 0);
	bool given = false;

	if (!buffer || run_failed(call->run))
		return;
	for (int i = GRH_AT_GID; i < GRH_AT_END; i++)
		given |= call->args[i] != NULL;
	if (call->args[GRH_AT_GID] &&
	    inet_pton(AF_INET6, call->args[GRH_AT_GID]->text, addr.gid) != 1) {
		arg_refuse(call, GRH_AT_GID, "expected a GID, such as \"fe80::1\"");
		return;
	}
	addr.flow_label = net ? htobe32(flow_label) : flow_label;
	ret->value = net ? newer_umad()->set_grh_net(buffer, given ? &addr : NULL) :
		     umad_set_grh(buffer, given ? &addr : NULL);
	add_address(ret, buffer);
}

void call_umad_set_grh(const struct running_call *call, struct call_outcome *ret)
{
	set_grh(call, false, ret);
}

void call_umad_set_grh_net(const struct running_call *call, struct call_outcome *ret)
{
	set_grh(call, true, ret);
}

void call_umad_set_pkey(const struct running_call *call, struct call_outcome *ret)
{
	int index = (int)arg_number(call, 1, 0);
	void *buffer = arg_buffer(call, 0);

	if (!buffer || run_failed(call->run))
		return;
	ret->value = umad_set_pkey(buffer, index);
	add_address(ret, buffer);
}

void call_umad_get_pkey(const struct running_call *call, struct call_outcome *ret)
{
	void *buffer = arg_buffer(call, 0);

	if (buffer)
		ret->value = umad_get_pkey(buffer);
}

/* ---- dumps ---- */

static void dump_address(void *buffer)
{
	umad_addr_dump(umad_get_mad_addr(buffer));
}

/* What 'dump' writes to standard error, to be freed; NULL: that cannot be redirected. */
static char *take_errors(void (*dump)(void *buffer), void *buffer)
{
	int before, file = memfd_create("umadrig-dump", MFD_CLOEXEC);
	char *text = NULL;
	off_t size;

	if (file < 0)
		return NULL;
	fflush(stderr);
	before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (before >= 0 && dup2(file, STDERR_FILENO) >= 0) {
		dump(buffer);
		fflush(stderr);
		dup2(before, STDERR_FILENO);
		size = lseek(file, 0, SEEK_END);
		text = g_malloc0((size_t)size + 1);
		if (pread(file, text, (size_t)size, 0) != size)
			g_clear_pointer(&text, g_free);
	}
	if (before >= 0)
		close(before);
	close(file);
	return text;
}

static void run_dump(const struct running_call *call, void (*dump)(void *buffer),
		     struct call_outcome *ret)
{
	void *buffer = arg_buffer(call, 0);

	if (!buffer)
		return;
	ret->printed = take_errors(dump, buffer);
	if (!ret->printed)
		arg_refuse(call, 0, "standard error cannot be redirected: %s",
			 g_strerror(errno));
}

void call_umad_dump(const struct running_call *call, struct call_outcome *ret)
{
	run_dump(call, umad_dump, ret);
}

void call_umad_addr_dump(const struct running_call *call, struct call_outcome *ret)
{
	run_dump(call, dump_address, ret);
}
