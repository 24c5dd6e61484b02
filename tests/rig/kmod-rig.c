/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A rig for kmod-stub's tests: two ports, a wire and a log.
 */
#include "tests/rig/kmod-rig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/invariant.h"
#include "sim/kernels/built-kernel.h"
#include "sim/kernels/found-faults.h"

const struct kmod_kernel *rig_kernel = &kmod_stub;
bool rig_is_silent;
unsigned int rig_send_queue_size, rig_recv_queue_size;
uint64_t rig_schedule;

/* A packet on its way. */
struct flight {
	struct event event;
	struct rig_port *to;
	struct packet *packet;
};

static void log_word(struct rig *rig, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void log_word(struct rig *rig, const char *format, ...)
{
	va_list args;

	if (rig->log->len)
		g_string_append_c(rig->log, ' ');
	g_string_append_printf(rig->log, "%" G_GINT64_FORMAT ":", rig_now_ms(rig));
	va_start(args, format);
	g_string_append_vprintf(rig->log, format, args);
	va_end(args);
}

/* Is the MAD that the log calls 'name' to be lost? */
static bool loses(struct rig *rig, const char *name)
{
	size_t length = strlen(name);

	for (char *at = rig->loses; at && (at = strstr(at, name)); at += length) {
		if (at[length] == '*')
			return true;
		if (at[length] == ' ' || at[length] == '\0') {
			*at = '-';	/* once */
			return true;
		}
	}
	return false;
}

void rig_lose(struct rig *rig, const char *words)
{
	g_free(rig->loses);
	rig->loses = g_strdup(words);
}

static bool is_rmpp(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE;
}

static void append_rmpp(GString *word, const uint8_t *mad)
{
	static const char types[] = "?DKSX";
	uint8_t type = mad[RMPP_TYPE] <= RMPP_TYPE_ABORT ? mad[RMPP_TYPE] : 0;

	g_string_append_c(word, types[type]);
	if (type == RMPP_TYPE_STOP || type == RMPP_TYPE_ABORT) {
		g_string_append_printf(word, "%u", mad[RMPP_STATUS]);
		return;
	}
	g_string_append_printf(word, "%u", get_be32(mad + RMPP_SEGMENT));
	if (type == RMPP_TYPE_DATA && mad[RMPP_FLAGS] & RMPP_FLAG_FIRST)
		g_string_append_c(word, 'F');
	if (type == RMPP_TYPE_DATA && mad[RMPP_FLAGS] & RMPP_FLAG_LAST)
		g_string_append_c(word, 'L');
	g_string_append_printf(word, "/%u", get_be32(mad + RMPP_PAYLEN_NEWWIN));
}

/* Logs what 'from' transmits. Returns whether it is lost. */
static bool log_transmitted(struct rig *rig, const struct rig_port *from, const uint8_t *mad)
{
	g_autoptr(GString) word = g_string_new(NULL);
	g_autofree char *name = NULL;
	bool lost;

	g_string_append_printf(word, "%c>", from->name);
	if (rig->tells_segments && is_rmpp(mad))
		append_rmpp(word, mad);
	else
		g_string_append_printf(word, "%x", get_be32(mad + MAD_TID + 4));
	name = g_strndup(word->str, strcspn(word->str, "/"));
	lost = loses(rig, name);
	log_word(rig, "%s%s", word->str, lost ? "~" : "");
	return lost;
}

/* ---- what kmod-stub needs from its creator ---- */

static int64_t op_now_ns(void *ctx)
{
	struct rig *rig = ctx;

	return rig->queue.now_ns;
}

static void op_arm(void *ctx, struct event *event, int64_t at_ns)
{
	struct rig *rig = ctx;

	rig->arms += event->kind == EVENT_TIMER;
	event_queue_arm(&rig->queue, event, at_ns);
}

static void op_disarm(void *ctx, struct event *event)
{
	struct rig *rig = ctx;

	event_queue_disarm(&rig->queue, event);
}

static void flight_land(struct event *event)
{
	struct flight *flight = container_of(event, struct flight, event);
	struct rig *rig = flight->to->rig;

	if (flight->to->deaf || !flight->to->port)
		packet_free(&rig->pool, flight->packet);
	else
		kmod_port_receive(flight->to->port, flight->packet);
	g_free(flight);
}

static void op_transmit(void *ctx, void *wire, struct packet *packet)
{
	struct rig *rig = ctx;
	struct rig_port *from = wire;
	struct flight *flight = g_new0(struct flight, 1);
	const uint8_t *mad = packet_mad(packet);
	bool lost = log_transmitted(rig, from, mad);

	rig->sent++;
	memcpy(rig->wire, packet->bytes, packet_size(packet));
	memcpy(rig->wire_mad, mad, MAD_SIZE);
	g_assert_true(packet_parse(packet, packet_size(packet), &rig->wire_addr));
	if (lost) {
		packet_free(&rig->pool, packet);
		g_free(flight);
		return;
	}
	flight->event.kind = EVENT_DELIVERY;
	flight->event.fire = flight_land;
	if (from->loops && packet_dlid(packet) == from->attr.lid)
		flight->to = from;
	else
		flight->to = from == &rig->a ? &rig->b : &rig->a;
	flight->packet = packet;
	event_queue_arm(&rig->queue, &flight->event,
			rig->queue.now_ns + RIG_LATENCY_MS * NS_PER_MS);
}

static unsigned int op_process_mad(void *ctx, void *wire, const struct kmod_source *source,
				   const uint8_t *in, uint8_t *out)
{
	struct rig_port *at = wire;

	struct rig *rig = ctx;

	rig->driver_source = *source;
	return at->driver ? at->driver(in, out) : KMOD_MAD_SUCCESS;
}

static int op_set_is_sm(void *ctx, void *wire, bool is_sm)
{
	struct rig_port *at = wire;

	(void)ctx;
	if (at->is_sm_error)
		return at->is_sm_error;
	at->is_sm = is_sm;
	return 0;
}

static void op_wake(void *ctx, void *owner)
{
	struct rig_file *file = owner;
	struct rig *rig = ctx;

	file->wakes++;
	if (rig->sent_at_wake < 0)
		rig->sent_at_wake = (int)rig->sent;
}

static void op_drop(void *ctx, void *wire, const struct packet *packet, const char *why)
{
	struct rig *rig = ctx;

	(void)wire;
	g_assert_cmpuint(packet->mad_size, ==, MAD_SIZE);
	g_string_append_printf(rig->dropped, "%s\n", why);
}

/* Traces are only formatted, so that the sanitizers check the formatter. */
static void op_trace(void *ctx, const char *who, const char *format, va_list args)
{
	g_autofree char *line = g_strdup_vprintf(format, args);

	(void)ctx;
	g_test_message("%s %s", who, line);
}

/* ---- the rig ---- */

static void port_init(struct rig *rig, struct rig_port *at, char name, uint8_t number,
		      uint32_t first_hi_tid, enum kmod_profile profile)
{
	char trace_name[] = { name, '[', '1', ']', 0 };

	at->rig = rig;
	at->name = name;
	at->pkeys[0] = PKEY_DEFAULT;
	at->pkeys[1] = 0x8001;
	at->pkeys[2] = 0x0001;
	at->pkeys[3] = 0x8002;
	put_be64(at->gids[0], UINT64_C(0xfe80000000000000));
	at->gids[0][15] = number;
	put_be64(at->gids[2], UINT64_C(0xfec0000000000000));
	at->gids[2][15] = number;
	at->attr = (struct kmod_port_attr){
		.has_smi = true,
		.port_num = 1,
		.port_count = 1,
		.lid = number,
		.pkeys = at->pkeys,
		.pkey_count = G_N_ELEMENTS(at->pkeys),
		.gids = (const uint8_t (*)[16])at->gids,
		.gid_count = G_N_ELEMENTS(at->gids),
	};
	at->host = kmod_host_new(rig_kernel, &rig->ops, rig, profile, first_hi_tid);
	kmod_host_vary(at->host, &(struct kmod_variant){ .schedule = rig_schedule });
	at->port = kmod_port_new(at->host, &at->attr, at, trace_name);
}

/* With --enable-checks: after each event. */
static size_t check_invariants(struct event_queue *queue)
{
	struct rig *rig = container_of(queue, struct rig, queue);
	const struct rig_port *ports[] = { &rig->a, &rig->b };
	size_t work = 0;

	invariant_hold(event_queue_check(queue), "rig");
	for (size_t i = 0; i < G_N_ELEMENTS(ports); i++) {
		invariant_hold(kmod_host_check(ports[i]->host, &work), "rig");
		if (ports[i]->port)
			invariant_hold(kmod_port_check(ports[i]->port, &work), "rig");
	}
	return work + queue->count;
}

/* That of UMADRIG_TEST_KERNEL, or NULL. */
static const struct built_kernel *built_kernel(void)
{
	const char *name = g_getenv("UMADRIG_TEST_KERNEL");
	const struct built_kernel *built;
	char message[300];

	if (!name)
		return NULL;
	built = built_kernel_find(name, message, sizeof(message));
	if (!built)
		g_error("%s", message);
	rig_kernel = built->kernel;
	return built;
}

void rig_needs_stub(const char *why)
{
	if (!built_kernel())
		return;
	printf("# a test of kmod-stub alone: %s\n", why);
	exit(77);
}

struct rig *rig_new(uint32_t first_hi_tid)
{
	const struct built_kernel *built = built_kernel();

	return rig_new_profile(first_hi_tid, built ? built->profile : KMOD_LINUX_6_1);
}

struct rig *rig_new_profile(uint32_t first_hi_tid, enum kmod_profile profile)
{
	const struct built_kernel *built = built_kernel();
	struct rig *rig = g_new0(struct rig, 1);

	if (built && built->profile != profile) {
		printf("# %s is as %s, the test is about %s\n", built->kernel->name,
		       kmod_profile_name(built->profile), kmod_profile_name(profile));
		exit(77);
	}
	event_queue_init(&rig->queue);
	rig->queue.check = check_invariants;
	rig->log = g_string_new(NULL);
	rig->dropped = g_string_new(NULL);
	rig->ops = (struct kmod_ops){
		.now_ns = op_now_ns,
		.arm = op_arm,
		.disarm = op_disarm,
		.transmit = op_transmit,
		.process_mad = op_process_mad,
		.set_is_sm = op_set_is_sm,
		.wake = op_wake,
		.send_queue_size = rig_send_queue_size,
		.recv_queue_size = rig_recv_queue_size,
		.pool = &rig->pool,
		.trace = rig_is_silent ? NULL : op_trace,
		.drop = op_drop,
	};
	port_init(rig, &rig->a, 'A', 1, first_hi_tid, profile);
	port_init(rig, &rig->b, 'B', 2, first_hi_tid, profile);
	return rig;
}

void rig_free(struct rig *rig)
{
	char *faults;

	for (unsigned int i = 0; i < RIG_FILES_MAX; i++)
		if (rig->files[i])
			rig_close(rig->files[i]);
	/* Packets still on the wire get no answer any more. */
	rig->a.deaf = true;
	rig->b.deaf = true;
	rig_run(rig, rig_now_ms(rig) + 1000);
	kmod_port_remove(rig->a.port);
	kmod_port_remove(rig->b.port);
	kmod_host_free(rig->a.host);
	kmod_host_free(rig->b.host);
	g_assert_cmpint(event_queue_next(&rig->queue), ==, TIME_NEVER);
	g_assert_cmpuint(rig->pool.used, ==, 0);
	packet_pool_clear(&rig->pool);
	event_queue_clear(&rig->queue);
	faults = found_faults_take();
	if (faults)
		g_error("the kernel: %s", faults);
	g_string_free(rig->log, true);
	g_string_free(rig->dropped, true);
	g_free(rig->loses);
	g_free(rig);
}

struct rig_file *rig_open(struct rig *rig, struct rig_port *at, char name)
{
	struct rig_file *file = g_new0(struct rig_file, 1);
	unsigned int i = 0;

	while (rig->files[i])
		i++;
	g_assert_cmpuint(i, <, RIG_FILES_MAX);
	file->at = at;
	file->name = name;
	file->reads = true;
	rig_make_room(file, 1024);
	g_assert_cmpint(kmod_file_open(at->port, file, &file->file), ==, 0);
	g_assert_cmpint(kmod_file_ioctl(file->file, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	rig->files[i] = file;
	return file;
}

void rig_close(struct rig_file *file)
{
	struct rig *rig = file->at->rig;

	for (unsigned int i = 0; i < RIG_FILES_MAX; i++)
		if (rig->files[i] == file)
			rig->files[i] = NULL;
	kmod_file_close(file->file);
	g_free(file->last);
	g_free(file);
}

void rig_make_room(struct rig_file *file, size_t size)
{
	file->last_room = RIG_HEADER_SIZE + size;
	file->last = g_realloc(file->last, file->last_room);
}

static int register_v1(struct rig_file *file, const struct rig_registration *words)
{
	struct ib_user_mad_reg_req req = {
		.method_mask = { words->methods },
		.qpn = words->qpn,
		.mgmt_class = words->mgmt_class,
		.mgmt_class_version = words->class_version,
		.rmpp_version = words->rmpp_version,
	};
	int err;

	put_be24(req.oui, words->oui);
	err = kmod_file_ioctl(file->file, UMAD_COMMAND_REGISTER_AGENT, &req);
	if (!err)
		file->agent_id = req.id;
	return err;
}

static int register_v2(struct rig_file *file, const struct rig_registration *words)
{
	struct ib_user_mad_reg_req2 req = {
		.qpn = words->qpn,
		.mgmt_class = words->mgmt_class,
		.mgmt_class_version = words->class_version,
		.flags = words->flags,
		.method_mask = { words->methods },
		.oui = words->oui,
		.rmpp_version = words->rmpp_version,
	};
	int err = kmod_file_ioctl(file->file, UMAD_COMMAND_REGISTER_AGENT2, &req);

	/* Flags that the kernel does not know are replaced by those that it knows. */
	g_assert_cmpuint(req.flags, ==, words->flags & ~1u ? 1 : words->flags);
	if (!err)
		file->agent_id = req.id;
	return err;
}

int rig_register(struct rig_file *file, const struct rig_registration *words)
{
	return words->version2 || words->flags ? register_v2(file, words) :
						 register_v1(file, words);
}

int rig_unregister(struct rig_file *file, uint32_t id)
{
	return kmod_file_ioctl(file->file, UMAD_COMMAND_UNREGISTER_AGENT, &id);
}

static void fill_segment(uint8_t mad[MAD_SIZE], uint32_t segment)
{
	unsigned int header_size = mad_class_header_size(mad[MAD_CLASS]);
	size_t first = (size_t)(segment - 1) * (MAD_SIZE - header_size);

	for (unsigned int i = header_size; i < MAD_SIZE; i++)
		mad[i] = rig_data_byte(first + i - header_size);
}

void rig_mad_bytes(const struct rig_mad *words, uint8_t mad[MAD_SIZE])
{
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = words->base_version ? words->base_version : 1;
	mad[MAD_CLASS] = words->mgmt_class ? words->mgmt_class : MAD_CLASS_PERF;
	mad[MAD_CLASS_VERSION] = words->class_version ? words->class_version : 1;
	mad[MAD_METHOD] = words->method ? words->method : MAD_METHOD_GET;
	put_be16(mad + MAD_STATUS, words->status);
	put_be64(mad + MAD_TID, words->tid);
	put_be16(mad + MAD_ATTR_ID, words->attr_id);
	if (words->rmpp_flags) {
		mad[RMPP_VERSION] = words->rmpp_version ? words->rmpp_version : 1;
		mad[RMPP_TYPE] = words->rmpp_type ? words->rmpp_type : RMPP_TYPE_DATA;
		mad[RMPP_FLAGS] = (uint8_t)(words->rmpp_flags |
					    (words->rmpp_first ? RMPP_FLAG_FIRST : 0) |
					    (words->rmpp_last ? RMPP_FLAG_LAST : 0));
		mad[RMPP_STATUS] = words->rmpp_status;
		put_be32(mad + RMPP_SEGMENT, words->segment);
		put_be32(mad + RMPP_PAYLEN_NEWWIN, words->length);
		if (mad[RMPP_TYPE] == RMPP_TYPE_DATA && words->segment)
			fill_segment(mad, words->segment);
	}
	if (words->oui)
		put_be24(mad + VENDOR2_OUI, words->oui);
}

static const struct rig_port *other_port(const struct rig_port *at)
{
	return at == &at->rig->a ? &at->rig->b : &at->rig->a;
}

static uint8_t route_qpn(const struct rig_route *route, uint8_t mgmt_class)
{
	return route->qpn_set ? route->qpn : mad_class_is_smp(mgmt_class) ? 0 : 1;
}

void rig_header_bytes(const struct rig_file *file, uint32_t id, const struct rig_route *route,
		      uint8_t mgmt_class, uint8_t header[RIG_HEADER_SIZE])
{
	const struct rig_port *other = other_port(file->at);

	memset(header, 0, RIG_HEADER_SIZE);
	memcpy(header, &id, 4);
	memcpy(header + 8, &route->timeout_ms, 4);
	memcpy(header + 12, &route->retries, 4);
	put_be32(header + 20, route_qpn(route, mgmt_class));
	put_be16(header + 28, route->lid ? route->lid : other->attr.lid);
	header[31] = route->path_bits;
	header[32] = route->grh;
	header[33] = route->gid_index;
	if (route->grh)
		memcpy(header + 36, other->gids[0], 16);
}

long rig_write_bytes(struct rig_file *file, uint32_t id, const struct rig_route *route,
		     const uint8_t *mad, size_t size)
{
	g_autofree uint8_t *buf = g_malloc0(RIG_HEADER_SIZE + size);

	rig_header_bytes(file, id, route, size > MAD_CLASS ? mad[MAD_CLASS] : 0, buf);
	memcpy(buf + RIG_HEADER_SIZE, mad, size);
	return kmod_file_write(file->file, buf, RIG_HEADER_SIZE + size);
}

long rig_write(struct rig_file *file, const struct rig_mad *words, const struct rig_route *route)
{
	uint8_t mad[MAD_SIZE];

	rig_mad_bytes(words, mad);
	return rig_write_bytes(file, file->agent_id, route, mad, MAD_SIZE);
}

long rig_write_message(struct rig_file *file, const struct rig_mad *words,
		       const struct rig_route *route, size_t size)
{
	uint8_t header[MAD_SIZE];
	unsigned int header_size;
	g_autofree uint8_t *mad = NULL;

	rig_mad_bytes(words, header);
	header[RMPP_FLAGS] |= RMPP_FLAG_ACTIVE;
	header_size = mad_class_header_size(header[MAD_CLASS]);
	mad = g_malloc(header_size + size);
	memcpy(mad, header, header_size);
	for (size_t i = 0; i < size; i++)
		mad[header_size + i] = rig_data_byte(i);
	return rig_write_bytes(file, file->agent_id, route, mad, header_size + size);
}

void rig_inject_bytes(struct rig_port *at, const uint8_t *mad, const struct rig_route *route)
{
	struct packet *packet = packet_new(&at->rig->pool);
	const struct rig_port *other = other_port(at);
	struct packet_addr addr = {
		.slid = route->lid ? route->lid : other->attr.lid,
		.dlid = at->attr.lid | route->path_bits,
		.pkey = route->pkey ? route->pkey : PKEY_DEFAULT,
		.src_qp = route->src_qp ? route->src_qp : route_qpn(route, mad[MAD_CLASS]),
		.dest_qp = route_qpn(route, mad[MAD_CLASS]),
		.qkey = QKEY_GSI,
		.has_grh = route->grh,
		.hop_limit = 3,
	};

	memcpy(addr.sgid, other->gids[0], 16);
	memcpy(addr.dgid, at->gids[route->gid_index], 16);
	packet_build(packet, &addr);
	memcpy(packet_mad(packet), mad, MAD_SIZE);
	kmod_port_receive(at->port, packet);
}

void rig_inject(struct rig_port *at, const struct rig_mad *words, const struct rig_route *route)
{
	uint8_t mad[MAD_SIZE];

	rig_mad_bytes(words, mad);
	rig_inject_bytes(at, mad, route);
}

static void log_read(struct rig *rig, const struct rig_file *file)
{
	const uint8_t *mad = file->last + RIG_HEADER_SIZE;
	size_t size = (size_t)file->last_size - RIG_HEADER_SIZE;
	size_t header_size = mad_class_header_size(mad[MAD_CLASS]);
	uint32_t status;

	memcpy(&status, file->last + 4, 4);
	if (!rig->tells_segments) {
		log_word(rig, "%c%c%x", file->name, status ? '!' : '<',
			 get_be32(mad + MAD_TID + 4));
		return;
	}
	log_word(rig, "%c%c%zu", file->name, status ? '!' : '<', size);
	if (status || !is_rmpp(mad) || mad[RMPP_TYPE] != RMPP_TYPE_DATA)
		return;
	for (size_t i = header_size; i < size; i++)
		g_assert_cmphex(mad[i], ==, rig_data_byte(i - header_size));
}

static void read_files(struct rig *rig)
{
	for (unsigned int i = 0; i < RIG_FILES_MAX; i++) {
		struct rig_file *file = rig->files[i];
		long size;

		while (file && file->reads &&
		       (size = kmod_file_read(file->file, file->last, file->last_room)) > 0) {
			file->last_size = size;
			log_read(rig, file);
		}
	}
}

void rig_run(struct rig *rig, int64_t until_ms)
{
	read_files(rig);
	while (event_queue_fire(&rig->queue, until_ms * NS_PER_MS))
		read_files(rig);
	rig->queue.now_ns = until_ms * NS_PER_MS;
}

int64_t rig_now_ms(const struct rig *rig)
{
	return rig->queue.now_ns / NS_PER_MS;
}

void rig_expect(struct rig *rig, const char *row, const char *expected)
{
	if (strcmp(rig->log->str, expected) != 0)
		g_error("%s:\n  expected: %s\n  actual:   %s", row, expected, rig->log->str);
	g_string_truncate(rig->log, 0);
}

void rig_expect_drop(struct rig *rig, const char *part)
{
	const char *last;

	if (rig->dropped->len)
		g_string_truncate(rig->dropped, rig->dropped->len - 1);
	last = strrchr(rig->dropped->str, '\n');
	last = last ? last + 1 : rig->dropped->str;
	if (!built_kernel() && !strstr(last, part))
		g_error("last drop: expected \"%s\", actual \"%s\"", part, last);
	g_string_truncate(rig->dropped, 0);
}
