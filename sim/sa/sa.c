/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet administration of a warm fabric: see sim/sa/sa.h.
 *
 * Nothing is made before the first request arrives but a few words and the bit IsSM. A request is
 * answered at the instant at which it is there as a whole, after all else that happens then.
 */
#include "sim/sa/sa.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/kmod.h"
#include "lib/base/umad-command.h"
#include "lib/base/user-header.h"
#include "sim/fabric/drop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fabric-trace.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/sa/sa-answer.h"
#include "sim/sa/sa-inform.h"
#include "sim/sa/sa-store.h"
#include "sim/time/event-queue.h"

#define MEMORY_MAX ((size_t)256 << 20)	/* bytes of all answers under way; of all requests */

enum {
	CLASS_VERSION = 2,
	RETRIES = 3,			/* of a segment or report without an answer, as OpenSM's */
	REPORT_TIMEOUT_MS = 200,
	FIRST_HI_TID = 0xfff000,	/* no program of the host has such a TID */
	REQUEST_MAX = 64 << 10,		/* bytes; larger messages are no requests */
};

struct sa {
	struct fabric_sa part;		/* first: what the fabric knows */
	struct subnet *subnet;
	struct umadrig_fabric *fabric;	/* the subnet's */
	struct kmod_ops ops;
	struct kmod_usage usage;
	struct kmod_host *host;		/* NULL, as the next two: nobody has asked yet */
	struct kmod_port *port;
	struct kmod_file *file;
	struct sa_store store;
	struct event ready;		/* the file has something */
	uint32_t agent;			/* its number in user headers */
};

static struct sa *sa_of(const struct subnet *subnet)
{
	return container_of(subnet->sa, struct sa, part);
}

/* ---- what its kernel needs (struct kmod_ops) ---- */

static int64_t op_now_ns(void *ctx)
{
	const struct sa *sa = ctx;

	return sa->fabric->queue.now_ns;
}

static void op_arm(void *ctx, struct event *event, int64_t at_ns)
{
	struct sa *sa = ctx;

	event_queue_arm(&sa->fabric->queue, event, at_ns);
}

static void op_disarm(void *ctx, struct event *event)
{
	struct sa *sa = ctx;

	event_queue_disarm(&sa->fabric->queue, event);
}

static void op_transmit(void *ctx, void *wire, struct packet *packet)
{
	struct end_port *end = wire;

	(void)ctx;
	fabric_transmit(end->port, packet);
}

static int op_set_is_sm(void *ctx, void *wire, bool is_sm)
{
	(void)ctx;
	(void)wire;
	(void)is_sm;
	return -ENOSYS;			/* nobody opens an issm device of its port */
}

static void wake(struct subnet *subnet)
{
	struct sa *sa = sa_of(subnet);
	struct event_queue *queue = &subnet->fabric->queue;

	if (!event_is_armed(&sa->ready))
		event_queue_arm(queue, &sa->ready, queue->now_ns);
}

static void op_wake(void *ctx, void *owner)
{
	struct sa *sa = ctx;

	(void)owner;
	/* Its end closes the file, too. */
	if (sa->subnet->sa)
		wake(sa->subnet);
}

static void op_trace(void *ctx, const char *who, const char *format, va_list args)
{
	struct sa *sa = ctx;

	fabric_trace_va(sa->fabric, who, format, args);
}

static void op_drop(void *ctx, void *wire, const struct packet *packet, const char *why)
{
	(void)ctx;
	drop_note(((const struct end_port *)wire)->port, packet, why);
}

/* ---- its file ---- */

/* 'timeout_ms': of an answer that is expected; 0: none is. False: there is no memory for it. */
static bool write_file(struct sa *sa, uint8_t *header, const GByteArray *message,
		       uint32_t timeout_ms)
{
	GByteArray *bytes = g_byte_array_sized_new(USER_HEADER_SIZE + message->len);
	long ret;

	user_header_set(header, USER_ID, sa->agent);
	user_header_set(header, USER_STATUS, 0);
	user_header_set(header, USER_TIMEOUT_MS, timeout_ms);
	user_header_set(header, USER_RETRIES, RETRIES);
	g_byte_array_append(bytes, header, USER_HEADER_SIZE);
	g_byte_array_append(bytes, message->data, message->len);
	ret = kmod_file_write(sa->file, bytes->data, bytes->len);
	g_byte_array_unref(bytes);
	return ret != -ENOMEM;
}

/* A MAD that came in, with its user header before it. */
static void handle(struct sa *sa, uint8_t *bytes, size_t size)
{
	struct sa_request request = {
		.subnet = sa->subnet,
		.header = bytes,
		.from = sa_end_by_lid(sa->subnet, get_be16(bytes + USER_LID_BE)),
	};
	GByteArray *answer;

	/* Something that was sent is over; or an asker that has no port to answer to. */
	if (user_header_get(bytes, USER_STATUS) || size < USER_HEADER_SIZE + MAD_SIZE ||
	    !request.from || mad_is_response(bytes + USER_HEADER_SIZE))
		return;
	answer = sa_answer(&request, bytes + USER_HEADER_SIZE, size - USER_HEADER_SIZE);
	if (!answer)
		return;
	/* -EINVAL: an answer to the same request is under way already, as on Linux. */
	if (!write_file(sa, bytes, answer, 0)) {
		sa_answer_refuse(answer);
		write_file(sa, bytes, answer, 0);
	}
	g_byte_array_unref(answer);
}

/* Reads one message, of whatever size. A program cannot have it keep a large one. */
static void read_file(struct sa *sa)
{
	uint8_t small[USER_HEADER_SIZE + MAD_SIZE];
	long size = kmod_file_read(sa->file, small, sizeof(small));
	g_autofree uint8_t *large = NULL;

	if (size >= 0) {
		handle(sa, small, (size_t)size);
		return;
	}
	if (size != -ENOSPC)
		return;
	large = g_malloc(user_header_get(small, USER_LENGTH));
	size = kmod_file_read(sa->file, large, user_header_get(small, USER_LENGTH));
	if (size >= 0 && size <= REQUEST_MAX)
		handle(sa, large, (size_t)size);
}

/* A report is repeated until its receiver has answered. */
static void send_reports(struct sa *sa)
{
	GByteArray *mad = g_byte_array_new();
	uint8_t header[USER_HEADER_SIZE];

	g_byte_array_set_size(mad, MAD_SIZE);
	while (sa_next_report(sa->store.subscribers, header, mad->data))
		write_file(sa, header, mad, REPORT_TIMEOUT_MS);
	g_byte_array_unref(mad);
}

static int register_agent(struct sa *sa)
{
	static const uint8_t methods[] = { SA_GET, SA_SET, SA_GET_TABLE, SA_GET_MULTI, SA_DELETE };
	struct ib_user_mad_reg_req request = {
		.qpn = 1,
		.mgmt_class = MAD_CLASS_SUBN_ADM,
		.mgmt_class_version = CLASS_VERSION,
		.rmpp_version = 1,
	};
	int ret;

	for (size_t i = 0; i < G_N_ELEMENTS(methods); i++)
		request.method_mask[methods[i] / 32] |= UINT32_C(1) << methods[i] % 32;
	ret = kmod_file_ioctl(sa->file, UMAD_COMMAND_REGISTER_AGENT, &request);
	sa->agent = request.id;
	return ret;
}

static void open_file(struct sa *sa)
{
	enum kmod_profile profile = (enum kmod_profile)sa->fabric->options.profile;
	char name[PORT_NAME_SIZE];
	int ret;

	sa->host = kmod_host_new(&kmod_stub, &sa->ops, sa, profile, FIRST_HI_TID);
	sa->port = kmod_port_new(sa->host, &end_port_gsi(sa->part.end)->attr, sa->part.end,
				 port_format(sa->part.end->port, name));
	ret = kmod_file_open(sa->port, sa, &sa->file);
	g_assert(ret == 0);
	kmod_file_set_usage(sa->file, &sa->usage);
	kmod_file_ioctl(sa->file, UMAD_COMMAND_ENABLE_PKEY, NULL);
	ret = register_agent(sa);
	g_assert(ret == 0);
}

static void fire_ready(struct event *event)
{
	struct sa *sa = container_of(event, struct sa, ready);

	/* Reports may come before the first request of the wire. */
	if (!sa->file)
		open_file(sa);
	while (kmod_file_readable(sa->file))
		read_file(sa);
	send_reports(sa);
}

/*
 * Its requests, ACKs of its answers (whose method is that of the request), and answers to what it
 * has sent.
 */
static bool take(struct subnet *subnet, struct packet *packet)
{
	struct sa *sa = sa_of(subnet);
	const uint8_t *mad = packet_mad_const(packet);

	if (mad[MAD_CLASS_VERSION] != CLASS_VERSION)
		return false;
	switch (mad[MAD_METHOD]) {
	case SA_GET:
	case SA_SET:
	case SA_GET_TABLE:
	case SA_GET_MULTI:
	case SA_DELETE:
		break;
	case SA_REPORT_RESP:
		if (get_be32(mad + MAD_TID) < FIRST_HI_TID)
			return false;
		break;
	default:	/* numbers from the wire */
		return false;
	}
	if (!sa->file)
		open_file(sa);
	sa->ops.trace = sa->fabric->trace ? op_trace : NULL;
	kmod_port_receive(sa->port, packet);
	return true;
}

static void notify_of(const struct end_port *end, enum sa_trap trap)
{
	uint8_t gid[16];

	put_be64(gid, end->gid_prefix);
	put_be64(gid + 8, end->guid);
	sa_notify(end->subnet, trap, gid);
}

static void lost(const struct end_port *end)
{
	notify_of(end, SA_TRAP_GID_OUT_OF_SERVICE);
}

static void gained(const struct end_port *end)
{
	notify_of(end, SA_TRAP_GID_IN_SERVICE);
}

static bool heard(struct subnet *subnet, uint16_t slid, const uint8_t *notice, uint64_t *ret_m_key)
{
	const struct end_port *issuer = sa_end_by_lid(subnet, slid);

	if (!issuer || !sa_has_subscribers(subnet))
		return false;
	sa_forward(subnet, issuer, notice);
	*ret_m_key = issuer->m_key;
	return true;
}

/* ---- its life ---- */

int sa_start(struct subnet *subnet)
{
	struct umadrig_fabric *fabric = subnet->fabric;
	struct end_port *end = NULL;
	struct sa_ends at = { 0 };
	struct sa *sa;

	if (subnet->sa)
		return -EEXIST;
	while (!end && (end = sa_ends_next(subnet, &at)))
		end = sa_end_by_lid(subnet, end->sm_lid);
	if (!end)
		return -ENOENT;
	sa = g_new0(struct sa, 1);
	*sa = (struct sa){
		.part = { .end = end, .take = take, .finish = sa_end, .wake = wake,
			  .lost = lost, .gained = gained, .heard = heard },
		.subnet = subnet,
		.fabric = fabric,
		.ready = { .kind = EVENT_USER, .fire = fire_ready },
		.usage = { .sending_max = MEMORY_MAX, .received_max = MEMORY_MAX },
		.ops = {
			.now_ns = op_now_ns,
			.arm = op_arm,
			.disarm = op_disarm,
			.transmit = op_transmit,
			.set_is_sm = op_set_is_sm,
			.wake = op_wake,
			.pool = &fabric->pool,
			.drop = op_drop,
		},
	};
	sa->part.store = &sa->store;
	subnet->sa = &sa->part;
	/* No trap: nobody is there who would like to know. */
	end->cap_mask |= CAP_IS_SM;
	node_changed(end->port->node);
	return 0;
}

void sa_end(struct subnet *subnet)
{
	struct sa *sa = subnet->sa ? sa_of(subnet) : NULL;

	if (!sa)
		return;
	subnet->sa = NULL;
	sa->part.end->cap_mask &= ~CAP_IS_SM;
	node_changed(sa->part.end->port->node);
	kmod_file_close(sa->file);
	kmod_port_remove(sa->port);
	kmod_host_free(sa->host);
	event_queue_disarm(&subnet->fabric->queue, &sa->ready);
	sa_services_free(sa->store.services);
	sa_groups_free(sa->store.groups);
	sa_subscribers_free(sa->store.subscribers);
	g_free(sa);
}

int sa_start_all(struct umadrig_fabric *fabric)
{
	int ret = -ENOENT;

	for (unsigned int i = 0; i < fabric->subnets->len; i++) {
		if (sa_start(fabric_subnet(fabric, i)) == 0)
			ret = 0;
	}
	return ret;
}

void sa_end_all(struct umadrig_fabric *fabric)
{
	for (unsigned int i = 0; i < fabric->subnets->len; i++)
		sa_end(fabric_subnet(fabric, i));
}
