/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * uverbs-ioctl.c: ioctl(2) of a verbs device: a method of an object with attributes, as
 * <rdma/rdma_user_ioctl_cmds.h> has them. Of the object DEVICE those are answered that ask; the
 * other objects are what would move data.
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stddef.h>
#include <string.h>

#include "harness/filter/memory.h"
#include "harness/filter/uverbs-call.h"
#include "harness/filter/uverbs-command.h"
#include "harness/filter/uverbs-context.h"
#include "harness/filter/uverbs-query.h"
#include "harness/filter/verbs-values-read.h"

enum {
	LENGTH_MAX = 4096,	/* Linux: a page, the smallest that there is */
	ATTRIBUTES_MAX = (LENGTH_MAX - sizeof(struct ib_uverbs_ioctl_hdr)) /
			 sizeof(struct ib_uverbs_attr),
	INLINE_MAX = 8,		/* a request of no more bytes is in the attribute itself */
	CORE_SUPPORT = 1,	/* access flags that may be left out */
};

/* struct ib_uverbs_ioctl_hdr without the attributes, which would have to be its end. */
struct head {
	uint16_t length, object_id, method_id, num_attrs;
	uint64_t reserved1;
	uint32_t driver_id, reserved2;
};
_Static_assert(sizeof(struct head) == sizeof(struct ib_uverbs_ioctl_hdr), "the kernel's layout");

struct asked {
	struct uverbs_command command;	/* its parts: of INVOKE_WRITE, and the driver's */
	uint64_t at;			/* of the header */
	struct head head;
	struct ib_uverbs_attr attributes[ATTRIBUTES_MAX];
};

/* ---- methods ---- */

struct attribute {
	uint16_t id;
	bool is_mandatory, is_request;
	uint16_t size;			/* at least */
};

typedef long method_fn(const struct asked *asked);

struct method {
	uint16_t object, id;
	method_fn *handle;
	struct attribute attributes[6];
	size_t count;
};

/* Linux: a part that drivers may have; a number of 64 bits. */
#define DRIVER_IN { UVERBS_ATTR_UHW_IN, false, true, 0 }
#define DRIVER_OUT { UVERBS_ATTR_UHW_OUT, false, false, 0 }
#define NUMBER(id) { id, true, true, sizeof(uint64_t) }
#define FLAGS(id) { id, false, true, sizeof(uint32_t) }

static method_fn get_context, query_context, alloc_events, query_port, query_gid_table,
	query_gid_entry, invoke_write, info_handles;

static const struct method methods[] = {
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, invoke_write, {
		NUMBER(UVERBS_ATTR_WRITE_CMD), { UVERBS_ATTR_CORE_IN, false, true, 0 },
		{ UVERBS_ATTR_CORE_OUT, false, false, 0 }, DRIVER_IN, DRIVER_OUT }, 5 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INFO_HANDLES, info_handles, {
		NUMBER(UVERBS_ATTR_INFO_OBJECT_ID),
		{ UVERBS_ATTR_INFO_TOTAL_HANDLES, false, false, sizeof(uint32_t) },
		{ UVERBS_ATTR_INFO_HANDLES_LIST, false, false, sizeof(uint32_t) } }, 3 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, query_port, {
		NUMBER(UVERBS_ATTR_QUERY_PORT_PORT_NUM),
		{ UVERBS_ATTR_QUERY_PORT_RESP, true, false,
		  sizeof(struct ib_uverbs_query_port_resp_ex) } }, 2 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, get_context, {
		{ UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, false, false, sizeof(uint32_t) },
		{ UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, false, false, sizeof(uint64_t) },
		DRIVER_IN, DRIVER_OUT }, 4 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT, query_context, {
		{ UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, false, false, sizeof(uint32_t) },
		{ UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, false, false, sizeof(uint64_t) },
		DRIVER_OUT }, 3 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, query_gid_table, {
		NUMBER(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE),
		FLAGS(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS),
		{ UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, true, false, 0 },
		{ UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, true, false,
		  sizeof(uint64_t) } }, 4 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY, query_gid_entry, {
		NUMBER(UVERBS_ATTR_QUERY_GID_ENTRY_PORT),
		NUMBER(UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX),
		FLAGS(UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS),
		{ UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, true, false,
		  sizeof(struct ib_uverbs_gid_entry) } }, 4 },
	{ UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, alloc_events, {
		{ UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, true, false, 0 } }, 1 },
};

/* What libibverbs makes, by <rdma/ib_user_ioctl_cmds.h>. */
static const char *const objects[] = {
	[UVERBS_OBJECT_PD] = "a PD", [UVERBS_OBJECT_COMP_CHANNEL] = "a completion channel",
	[UVERBS_OBJECT_CQ] = "a CQ", [UVERBS_OBJECT_QP] = "a QP", [UVERBS_OBJECT_SRQ] = "an SRQ",
	[UVERBS_OBJECT_AH] = "an AH", [UVERBS_OBJECT_MR] = "an MR", [UVERBS_OBJECT_MW] = "an MW",
	[UVERBS_OBJECT_FLOW] = "a flow", [UVERBS_OBJECT_XRCD] = "an XRCD",
	[UVERBS_OBJECT_RWQ_IND_TBL] = "a table of WQs", [UVERBS_OBJECT_WQ] = "a WQ",
	[UVERBS_OBJECT_FLOW_ACTION] = "a flow action", [UVERBS_OBJECT_DM] = "device memory",
	[UVERBS_OBJECT_COUNTERS] = "counters",
};

/* ---- attributes ---- */

/* NULL: the program has not given it. */
static const struct ib_uverbs_attr *find(const struct asked *asked, uint16_t id)
{
	for (unsigned int i = 0; i < asked->head.num_attrs; i++)
		if (asked->attributes[i].attr_id == id)
			return &asked->attributes[i];
	return NULL;
}

static uint64_t address_of(const struct asked *asked, const struct ib_uverbs_attr *attribute)
{
	return asked->at + sizeof(asked->head) +
	       (uint64_t)(attribute - asked->attributes) * sizeof(*attribute);
}

static struct uverbs_part part_of(const struct asked *asked, uint16_t id, bool is_request)
{
	const struct ib_uverbs_attr *attribute = find(asked, id);

	if (!attribute)
		return (struct uverbs_part){ 0, 0 };
	if (is_request && attribute->len <= INLINE_MAX)
		return (struct uverbs_part){
			address_of(asked, attribute) + offsetof(struct ib_uverbs_attr, data),
			attribute->len,
		};
	return (struct uverbs_part){ attribute->data, attribute->len };
}

/* A number, which is in the attribute; 0 if there is none. */
static uint64_t number_of(const struct asked *asked, uint16_t id)
{
	const struct ib_uverbs_attr *attribute = find(asked, id);

	return attribute ? attribute->data : 0;
}

/* Writes an answer, if the program wants it: zeros follow where there is more room. */
static int give(const struct asked *asked, uint16_t id, const void *from, size_t size)
{
	const struct ib_uverbs_attr *attribute = find(asked, id);
	struct uverbs_part room;
	uint16_t flags;
	int r;

	if (!attribute)
		return 0;
	room = (struct uverbs_part){ attribute->data, attribute->len };
	r = uverbs_give_to(&asked->command, &room, from, size);
	if (r < 0)
		return r;
	flags = (uint16_t)(attribute->flags | UVERBS_ATTR_F_VALID_OUTPUT);
	return memory_write((pid_t)asked->command.call->pid, address_of(asked, attribute) +
			    offsetof(struct ib_uverbs_attr, flags), &flags, sizeof(flags));
}

/* ---- what is asked ---- */

static long get_context(const struct asked *asked)
{
	const uint32_t vectors = 1;
	const uint64_t support = CORE_SUPPORT;
	int r = uverbs_begin_context(&asked->command);

	if (r == 0)
		r = give(asked, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &vectors,
			 sizeof(vectors));
	if (r == 0)
		r = give(asked, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &support, sizeof(support));
	return r < 0 ? r : uverbs_end_context(&asked->command);
}

static long query_context(const struct asked *asked)
{
	const uint32_t vectors = 1;
	const uint64_t support = CORE_SUPPORT;
	int r = MIN(uverbs_values_of(asked->command.file), 0);

	if (r == 0)
		r = give(asked, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, &vectors,
			 sizeof(vectors));
	if (r == 0)
		r = give(asked, UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, &support,
			 sizeof(support));
	return r < 0 ? r : uverbs_give_driver_context(&asked->command);
}

static long alloc_events(const struct asked *asked)
{
	const struct ib_uverbs_attr *handle =
		find(asked, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);
	int shown = uverbs_values_of(asked->command.file);

	return shown < 0 ? shown :
	       uverbs_place_events(&asked->command, address_of(asked, handle) +
				   offsetof(struct ib_uverbs_attr, data_s64));
}

static long query_port(const struct asked *asked)
{
	struct ib_uverbs_query_port_resp_ex told;
	uint64_t portnum = number_of(asked, UVERBS_ATTR_QUERY_PORT_PORT_NUM);
	struct verbs_port port;
	int r = -EINVAL;

	memset(&told, 0, sizeof(told));
	if (portnum <= UINT8_MAX)
		r = uverbs_describe_port(asked->command.file, (unsigned int)portnum, &port,
					 &told.legacy_resp);
	if (r < 0)
		return r;
	told.port_cap_flags2 = (uint16_t)port.cap_mask2;
	return give(asked, UVERBS_ATTR_QUERY_PORT_RESP, &told, sizeof(told));
}

/* ---- GIDs ---- */

/* -ENODATA: it is not in use. */
static int describe_gid(const struct uverbs_file *file, unsigned int portnum, unsigned int index,
			struct ib_uverbs_gid_entry *ret)
{
	static const uint8_t unused[16];
	struct ib_uverbs_query_port_resp resp;
	struct verbs_port port;
	uint8_t gid[sizeof(unused)];
	int r = uverbs_describe_port(file, portnum, &port, &resp);

	if (r == 0)
		r = verbs_values_read_gid(uverbs_values_of(file), file->device, portnum, index,
					  gid);
	if (r < 0)
		return r;
	if (memcmp(gid, unused, sizeof(gid)) == 0)
		return -ENODATA;
	*ret = (struct ib_uverbs_gid_entry){
		.gid_index = index, .port_num = portnum,
		.gid_type = port.is_ethernet ? IB_UVERBS_GID_TYPE_ROCE_V1 : IB_UVERBS_GID_TYPE_IB,
	};
	memcpy(ret->gid, gid, sizeof(gid));
	return 0;
}

/* Linux: flags, of which there are none yet. */
static int check_flags(const struct asked *asked, uint16_t id)
{
	return number_of(asked, id) ? -EINVAL : 0;
}

static long query_gid_entry(const struct asked *asked)
{
	uint64_t portnum = number_of(asked, UVERBS_ATTR_QUERY_GID_ENTRY_PORT);
	uint64_t index = number_of(asked, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX);
	struct ib_uverbs_gid_entry told;
	int r = check_flags(asked, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS);

	if (r == 0 && (portnum > UINT8_MAX || index > UINT16_MAX))
		r = -EINVAL;
	if (r == 0)
		r = describe_gid(asked->command.file, (unsigned int)portnum, (unsigned int)index,
				 &told);
	return r < 0 ? r : give(asked, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, &told,
				sizeof(told));
}

/* An array of entries of the program's size, each with as much of 'told' as goes in. */
static int give_entry(const struct asked *asked, uint64_t at, size_t size,
		      const struct ib_uverbs_gid_entry *told)
{
	const struct uverbs_part room = { at, size };

	return uverbs_give_to(&asked->command, &room, told, sizeof(*told));
}

/* Those of all ports; how many they are, or -errno: -EINVAL, there are more than 'most'. */
static long give_entries(const struct asked *asked, uint64_t at, size_t size, size_t most)
{
	const struct uverbs_file *file = asked->command.file;
	struct ib_uverbs_query_port_resp resp;
	struct ib_uverbs_gid_entry told;
	struct verbs_port port;
	size_t count = 0;

	for (unsigned int num = 1; uverbs_describe_port(file, num, &port, &resp) == 0; num++)
		for (unsigned int i = 0; i < port.gid_count; i++) {
			int r = describe_gid(file, num, i, &told);

			if (r == -ENODATA)
				continue;
			if (r == 0 && count == most)
				r = -EINVAL;
			if (r == 0)
				r = give_entry(asked, at + count * size, size, &told);
			if (r < 0)
				return r;
			count++;
		}
	return (long)count;
}

static long query_gid_table(const struct asked *asked)
{
	struct uverbs_part room = part_of(asked, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, false);
	uint64_t size = number_of(asked, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE), count;
	int r = check_flags(asked, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS);
	int shown = uverbs_values_of(asked->command.file);
	long n;

	if (r < 0)
		return r;
	if (size == 0 || room.size == 0 || room.size % size)
		return -EINVAL;
	if (shown < 0)
		return shown;
	n = give_entries(asked, room.at, size, room.size / size);
	if (n < 0)
		return n;
	count = (uint64_t)n;
	return give(asked, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &count, sizeof(count));
}

/* ---- others ---- */

/* Handles of an object: no program has any. */
static long info_handles(const struct asked *asked)
{
	const uint32_t none = 0;
	int shown = uverbs_values_of(asked->command.file);

	if (shown < 0)
		return shown;
	return give(asked, UVERBS_ATTR_INFO_TOTAL_HANDLES, &none, sizeof(none));
}

static long invoke_write(const struct asked *asked)
{
	uint64_t number = number_of(asked, UVERBS_ATTR_WRITE_CMD);
	const struct uverbs_command_kind *kind;
	int err = -EINVAL;

	if (number > UINT32_MAX)
		return -EINVAL;
	kind = uverbs_command_find((uint32_t)number, &err);
	if (!kind)
		return err;
	if (asked->command.in.size < kind->in_size || asked->command.out.size < kind->out_size)
		return -ENOSPC;
	return uverbs_command_do(&asked->command, kind);
}

/* ---- all ---- */

static const struct attribute *known(const struct method *method, uint16_t id)
{
	for (size_t i = 0; i < method->count; i++)
		if (method->attributes[i].id == id)
			return &method->attributes[i];
	return NULL;
}

static int check_given(const struct asked *asked, const struct method *method)
{
	for (unsigned int i = 0; i < asked->head.num_attrs; i++) {
		const struct ib_uverbs_attr *given = &asked->attributes[i];
		const struct attribute *attribute = known(method, given->attr_id);

		if (!attribute && (given->flags & UVERBS_ATTR_F_MANDATORY))
			return -EPROTONOSUPPORT;
		if (!attribute)
			continue;
		if (find(asked, given->attr_id) != given || given->len < attribute->size ||
		    given->attr_data.reserved ||
		    given->flags & ~(UVERBS_ATTR_F_MANDATORY | UVERBS_ATTR_F_VALID_OUTPUT))
			return -EINVAL;
	}
	return 0;
}

static int check(const struct asked *asked, const struct method *method)
{
	int r = check_given(asked, method);

	for (size_t i = 0; r == 0 && i < method->count; i++)
		if (method->attributes[i].is_mandatory && !find(asked, method->attributes[i].id))
			r = -EINVAL;
	return r;
}

static const struct method *find_method(const struct asked *asked)
{
	for (size_t i = 0; i < G_N_ELEMENTS(methods); i++)
		if (methods[i].object == asked->head.object_id &&
		    methods[i].id == asked->head.method_id)
			return &methods[i];
	return NULL;
}

static int refuse(const struct asked *asked)
{
	uint16_t object = asked->head.object_id;
	int shown = uverbs_values_of(asked->command.file);

	if (object >= G_N_ELEMENTS(objects) || !objects[object])
		return -EPROTONOSUPPORT;
	if (shown < 0)
		return shown;
	uverbs_file_refuse(asked->command.file, (pid_t)asked->command.call->pid, objects[object]);
	return -EOPNOTSUPP;
}

static int take(struct asked *asked)
{
	struct head *head = &asked->head;
	pid_t tid = (pid_t)asked->command.call->pid;
	int r = memory_read(tid, asked->at, head, sizeof(*head));
	size_t size = head->num_attrs * sizeof(*asked->attributes);

	if (r < 0)
		return r;
	if (head->length > LENGTH_MAX || head->length != sizeof(*head) + size)
		return -EINVAL;
	if (head->reserved1 || head->reserved2)
		return -EPROTONOSUPPORT;
	if (head->driver_id != RDMA_DRIVER_MLX5)
		return -EINVAL;
	return memory_read(tid, asked->at + sizeof(*head), asked->attributes, size);
}

long uverbs_ioctl(struct uverbs_file *file, const struct seccomp_notif *call)
{
	struct asked asked = {
		.command = { .file = file, .call = call }, .at = call->data.args[2],
	};
	const struct method *method;
	int r;

	if ((uint32_t)call->data.args[1] != RDMA_VERBS_IOCTL)
		return -ENOTTY;
	r = take(&asked);
	if (r < 0)
		return r;
	method = find_method(&asked);
	if (!method)
		return refuse(&asked);
	r = check(&asked, method);
	if (r < 0)
		return r;
	asked.command.driver_in = part_of(&asked, UVERBS_ATTR_UHW_IN, true);
	asked.command.driver_out = part_of(&asked, UVERBS_ATTR_UHW_OUT, false);
	if (method->handle == invoke_write) {
		asked.command.in = part_of(&asked, UVERBS_ATTR_CORE_IN, true);
		asked.command.out = part_of(&asked, UVERBS_ATTR_CORE_OUT, false);
	}
	return method->handle(&asked);
}
