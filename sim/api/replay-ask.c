/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_replay_ask(): the questions of a capture (sim/ask/ask.h), through a umad file of a port
 * of this process's fabric. No lock is held between its calls, so time can pass.
 */
#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "lib/base/user-header.h"
#include "lib/base/umad-command.h"
#include "sim/api/inside.h"
#include "sim/ask/ask.h"
#include "sim/capture/shown.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/entry.h"

enum {
	REAL_POLL_US = 200,	/* with a real clock, how often to look */
	TIMEOUT_MS = 1000,
};

struct file_device {
	struct ask_device device;
	struct umadrig_port *port;
	struct umadrig_file *file;
	uint8_t *buf;		/* the header and a message */
	size_t size;		/* of it */
};

static struct file_device *device_of(struct ask_device *device)
{
	return (struct file_device *)(void *)device;
}

/* ---- the device ---- */

static int add_agent(struct ask_device *device, const struct ask_agent *agent)
{
	struct ib_user_mad_reg_req request = {
		.method_mask = { agent->takes_sends ? 1U << MAD_METHOD_SEND : 0 },
		.qpn = !mad_class_is_smp(agent->mgmt_class),
		.mgmt_class = agent->mgmt_class,
		.mgmt_class_version = agent->version,
		.rmpp_version = agent->rmpp_version,
	};
	int ret;

	put_be24(request.oui, agent->oui);
	ret = umadrig_file_ioctl(device_of(device)->file, UMAD_COMMAND_REGISTER_AGENT, &request);
	return ret < 0 ? ret : (int)request.id;
}

static uint16_t pkey_index(struct umadrig_port *port, uint16_t pkey)
{
	const struct end_port *end = inside(port);
	uint16_t index = 0;

	if (fabric_enter(fabric_of(port)) < 0)
		return 0;
	for (unsigned int i = 0; i < end->attr.pkey_count; i++) {
		if ((end->pkeys[i] & 0x7fff) == (pkey & 0x7fff)) {
			index = (uint16_t)i;
			break;
		}
	}
	fabric_leave(fabric_of(port));
	return index;
}

static void make_room(struct file_device *file, size_t size)
{
	if (size <= file->size)
		return;
	file->buf = g_realloc(file->buf, size);
	file->size = size;
}

static int send_mad(struct ask_device *device, int agent, const struct packet_addr *addr,
		    const uint8_t *mad, size_t size, int timeout_ms)
{
	struct file_device *file = device_of(device);
	const struct mad_address to = {
		.qpn = addr->dest_qp, .lid = addr->dlid, .sl = addr->sl, .has_grh = addr->has_grh,
		.pkey_index = pkey_index(file->port, addr->pkey),
		.traffic_class = addr->traffic_class, .flow_label = addr->flow_label,
	};
	long ret;

	make_room(file, USER_HEADER_SIZE + size);
	user_header_received(file->buf, (uint32_t)agent, &to, USER_HEADER_SIZE, (uint32_t)size);
	user_header_set(file->buf, USER_TIMEOUT_MS, (uint32_t)timeout_ms);
	put_be32(file->buf + USER_QKEY_BE, addr->qkey);
	if (addr->has_grh) {
		file->buf[USER_HOP_LIMIT] = addr->hop_limit;
		memcpy(file->buf + USER_GID, addr->dgid, 16);
	}
	memcpy(file->buf + USER_HEADER_SIZE, mad, size);
	ret = umadrig_file_write(file->file, file->buf, USER_HEADER_SIZE + size);
	return ret < 0 ? (int)ret : 0;
}

/* What is read now: bytes with the header, or -errno. */
static long fetch(struct file_device *file)
{
	for (;;) {
		long ret = umadrig_file_read(file->file, file->buf, file->size);
		size_t size = user_header_get(file->buf, USER_LENGTH);

		if (ret != -ENOSPC)
			return ret;
		if (size <= file->size)
			return -EIO;
		make_room(file, size);
	}
}

static int receive(struct ask_device *device, int timeout_ms, struct ask_received *ret)
{
	struct file_device *file = device_of(device);
	struct umadrig_fabric *fabric = fabric_of(file->port);
	int64_t until_ns = umadrig_now(fabric) + timeout_ms * NS_PER_MS;
	struct mad_address from;
	long size;

	while ((size = fetch(file)) == -EAGAIN) {
		if (umadrig_step_once(fabric, until_ns))
			continue;
		if (umadrig_now(fabric) >= until_ns)
			return -ETIMEDOUT;
		umadrig_step(fabric, until_ns);
		if (umadrig_now(fabric) < until_ns)
			g_usleep(REAL_POLL_US);
	}
	if (size < 0)
		return (int)size;
	if (size < USER_HEADER_SIZE + MAD_SIZE)
		memset(file->buf + size, 0, (size_t)(USER_HEADER_SIZE + MAD_SIZE - size));
	user_header_get_address(file->buf, &from);
	*ret = (struct ask_received){
		.status = (int)user_header_get(file->buf, USER_STATUS),
		.mad = file->buf + USER_HEADER_SIZE, .size = (size_t)size - USER_HEADER_SIZE,
		.slid = from.lid, .sl = from.sl, .src_qp = from.qpn, .has_grh = from.has_grh,
	};
	if (from.has_grh)
		memcpy(ret->sgid, from.gid, sizeof(ret->sgid));
	return 0;
}

static void close_device(struct ask_device *device)
{
	struct file_device *file = device_of(device);

	umadrig_file_close(file->file);
	g_free(file->buf);
	g_free(device->name);
	g_free(file);
}

static const struct ask_device_ops ops = {
	.add_agent = add_agent, .send = send_mad, .receive = receive, .close = close_device,
};

/* NULL with a message. */
static struct ask_port *open_port(struct umadrig_port *port, char *reterr, size_t reterr_size)
{
	const struct port *where = inside(port)->port;
	struct file_device *file = g_new0(struct file_device, 1);
	char label[PORT_NAME_SIZE];
	int ret = umadrig_file_open(port, &file->file);

	file->device.ops = &ops;
	file->device.port_num = (uint8_t)where->num;
	file->device.name = g_strdup(port_format(where, label));
	file->port = port;
	make_room(file, USER_HEADER_SIZE + MAD_SIZE);
	if (ret == 0)
		ret = umadrig_file_ioctl(file->file, UMAD_COMMAND_ENABLE_PKEY, NULL);
	if (ret == 0)
		return ask_port_new(&file->device);
	g_snprintf(reterr, reterr_size, "%s cannot be opened: %s", label, g_strerror(-ret));
	close_device(&file->device);
	return NULL;
}

/* ---- the questions ---- */

static bool is_kept(void *ctx, const struct capture_mad *mad)
{
	const struct umadrig_replay_ask *ask = ctx;
	const struct umadrig_mad shown = capture_mad_shown(mad);

	return ask->keep(ask->ctx, &shown);
}

struct telling {
	const struct umadrig_replay_ask *ask;
	struct umadrig_difference difference;
};

/* diff_field_fn */
static void tell_field(void *ctx, enum diff_part part, const char *name, const char *a,
		       const char *b)
{
	struct telling *telling = ctx;

	(void)part;
	telling->difference.field = name;
	telling->difference.captured = a;
	telling->difference.actual = b;
	telling->ask->differs(telling->ask->ctx, &telling->difference);
}

/* diff_event_fn */
static void tell(void *ctx, const struct diff_event *event)
{
	const uint8_t *mad = event->a->head;
	char method[MAD_NAME_SIZE], attribute[MAD_NAME_SIZE], request[2 * MAD_NAME_SIZE + 2];
	struct telling telling = {
		.ask = ctx, .difference = { .frame = event->a->frames[DIFF_REQUEST] },
	};

	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], method, sizeof(method));
	mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), attribute,
			     sizeof(attribute));
	g_snprintf(request, sizeof(request), "%s(%s)", method, attribute);
	telling.difference.request = request;
	if (telling.ask->differs)
		diff_item_differences(event->a, event->b, tell_field, &telling);
}

/* The names of fields, with commas between them. False with a message. */
static bool take_ignored(const char *names, struct ignored_fields *ret, char *reterr,
			 size_t reterr_size)
{
	g_auto(GStrv) fields = names ? g_strsplit(names, ",", -1) : NULL;

	for (char **field = fields; field && *field; field++) {
		const char *suggestion;

		if (ignored_fields_add(ret, g_strstrip(*field), &suggestion))
			continue;
		g_snprintf(reterr, reterr_size, "ignoring: there is no field '%s'%s%s%s", *field,
			   suggestion ? ": did you mean '" : "", suggestion ? suggestion : "",
			   suggestion ? "'?" : "");
		return false;
	}
	return true;
}

static struct umadrig_ask_counts counts_of(const struct ask_counts *counts)
{
	return (struct umadrig_ask_counts){
		.asked = counts->diff.a, .same = counts->diff.same,
		.changed = counts->diff.changed - counts->unanswered,
		.unanswered = counts->unanswered, .skipped = counts->skipped,
		.others = counts->others, .failed = counts->failed,
	};
}

static int ask_capture(const struct umadrig_replay_ask *ask, struct ask_options *options,
		       const struct capture *capture, struct umadrig_ask_counts *ret,
		       char *reterr, size_t reterr_size)
{
	struct ask_port *port = open_port(ask->port, reterr, reterr_size);
	struct ask_counts counts;

	if (!port)
		return -EINVAL;
	counts = ask_run(options, capture, port, tell, (void *)(uintptr_t)ask, "", NULL);
	ask_port_close(port);
	*ret = counts_of(&counts);
	return 0;
}

int umadrig_replay_ask(const struct umadrig_replay_ask *ask, struct umadrig_ask_counts *ret,
		       char *reterr, size_t reterr_size)
{
	struct ask_options options = {
		.keep = ask->keep ? is_kept : NULL, .keep_ctx = (void *)(uintptr_t)ask,
		.allow_writes = ask->allow_writes,
		.timeout_ms = ask->timeout_ms ? (int)MIN(ask->timeout_ms, (unsigned int)INT_MAX) :
						TIMEOUT_MS,
		.details_max = SIZE_MAX,
	};
	struct capture *capture = NULL;
	int status = -EINVAL;

	if (take_ignored(ask->ignoring, &options.ignored, reterr, reterr_size))
		capture = capture_read(ask->capture, reterr, reterr_size);
	for (char **warning = capture ? capture->warnings : NULL; warning && *warning; warning++)
		fprintf(stderr, "%s\n", *warning);
	if (capture && capture_put_in_order(capture, ask->any_order, reterr, reterr_size) == 0)
		status = ask_capture(ask, &options, capture, ret, reterr, reterr_size);
	capture_free(capture);
	ignored_fields_clear(&options.ignored);
	return status;
}
