/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The swarm's programs: what they do next is drawn from the seed; the oracle predicts the result
 * first.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/umad-command.h"
#include "sim/kernels/built-kernel.h"
#include "tests/swarm/swarm-play.h"
#include "tests/swarm/swarm-send.h"

const uint8_t swarm_methods[SWARM_METHODS] = { 0x01, 0x02, 0x03, 0x05, 0x06, 0x12, 0x14, 0x15 };

void swarm_play_check(struct swarm *swarm, const struct swarm_port *port, long got, long expected)
{
	swarm->operations++;
	if (got < 0 && swarm_bug_strikes(swarm, SWARM_BUG_ERRNO))
		got--;
	swarm_trace(swarm, "%s %s: %ld", port->name, swarm->doing, got);
	if (got != expected)
		swarm_fail(swarm, SWARM_ERRNO, "%s on %s returns %ld, not %ld", swarm->doing,
			   port->name, got, expected);
}

/*
 * A call that takes an agent away has returned. Linux's waits for sends that are in the QP, and
 * what else is due at the host may be over as well; kmod-stub's does not wait. At the end of the
 * instant both are where they would be.
 */
static void settle(struct swarm *swarm)
{
	if (swarm->kernel)
		swarm_world_run(swarm, swarm_now_ns(swarm));
}

/* ---- choices ---- */

static struct swarm_file *pick_file(struct swarm *swarm)
{
	unsigned int at = (unsigned int)below(swarm, SWARM_FILES_MAX);

	for (unsigned int i = 0; i < SWARM_FILES_MAX; i++)
		if (swarm->files[(at + i) % SWARM_FILES_MAX].file)
			return &swarm->files[(at + i) % SWARM_FILES_MAX];
	return NULL;
}

/* An agent of a file that has any. */
struct swarm_agent *swarm_pick_agent(struct swarm *swarm, bool kernel_rmpp)
{
	unsigned int skip = (unsigned int)below(swarm, 8);
	struct swarm_agent *agent = NULL;

	for (unsigned int f = 0; f < SWARM_FILES_MAX; f++) {
		for (unsigned int i = 0; swarm->files[f].file && i < SWARM_AGENTS; i++) {
			struct swarm_agent *candidate = swarm->files[f].agents[i];

			if (!candidate || (kernel_rmpp && !candidate->kernel_rmpp))
				continue;
			agent = candidate;
			if (skip-- == 0)
				return agent;
		}
	}
	return agent;
}

struct swarm_port *swarm_pick_port(struct swarm *swarm)
{
	return &swarm->ports[below(swarm, swarm->port_count)];
}

/* ---- files ---- */

static void play_open(struct swarm *swarm)
{
	struct swarm_port *port = swarm_pick_port(swarm);
	unsigned int i = 0;

	while (i < SWARM_FILES_MAX && swarm->files[i].file)
		i++;
	if (i == SWARM_FILES_MAX || !port->port)
		return;
	memset(&swarm->files[i], 0, sizeof(swarm->files[i]));
	swarm->files[i].port = port;
	swarm->files[i].expected_end = &swarm->files[i].expected;
	swarm_play_check(swarm, port,
			 kmod_file_open(port->port, &swarm->files[i], &swarm->files[i].file), 0);
}

static void close_file(struct swarm *swarm, struct swarm_file *file)
{
	struct kmod_file *closing = file->file;

	swarm->operations++;
	swarm_trace(swarm, "%s close", file->port->name);
	swarm_oracle_close(swarm, file, false);
	kmod_file_close(closing);
	settle(swarm);
	if (file->overs != file->accepted)
		swarm_fail(swarm, SWARM_ENDS, "file on %s: %u sends were accepted, %u are over",
			   file->port->name, file->accepted, file->overs);
}

static void play_close(struct swarm *swarm)
{
	struct swarm_file *file = pick_file(swarm);

	if (file)
		close_file(swarm, file);
}

static void play_enable_pkey(struct swarm *swarm)
{
	struct swarm_file *file = pick_file(swarm);

	if (!file)
		return;
	swarm_play_check(swarm, file->port,
			 kmod_file_ioctl(file->file, UMAD_COMMAND_ENABLE_PKEY, NULL),
			 file->registered ? -EINVAL : 0);
	if (!file->registered)
		file->wide = true;
}

static void play_read(struct swarm *swarm)
{
	static const size_t sizes[] = { 0, 63, 64, 87, 320, 320, 320, 576, 1000, 70000 };
	struct swarm_file *file = pick_file(swarm);
	size_t count = sizes[below(swarm, sizeof(sizes) / sizeof(sizes[0]))];
	long got;

	if (!file)
		return;
	if (hits(swarm, 1, 8))
		count = below(swarm, 700);
	swarm->operations++;
	got = swarm_oracle_read(swarm, file, count);
	swarm_trace(swarm, "%s read %zu: %ld", file->port->name, count, got);
}

static void play_drain(struct swarm *swarm)
{
	struct swarm_file *file = pick_file(swarm);

	while (file && swarm_oracle_read(swarm, file, 320) > 0)
		swarm->operations++;
}

/* ---- agents ---- */

static void draw_methods(struct swarm *swarm, uint64_t methods[2])
{
	methods[0] = methods[1] = 0;
	if (hits(swarm, 1, 6))
		return;
	for (unsigned int i = 0; i < SWARM_METHODS; i++)
		if (hits(swarm, 1, 2))
			methods[0] |= UINT64_C(1) << swarm_methods[i];
	if (hits(swarm, 1, 16))
		methods[1] = UINT64_C(1) << below(swarm, 64);
}

static struct swarm_agent draw_agent(struct swarm *swarm, struct swarm_file *file)
{
	static const uint8_t classes[] = {
		3, 3, 3, 3, 6, 0x30, 0x30, 0x31, 0x09, 0x04, 0x01, 0x81, 0x00, 0x07,
	};
	struct swarm_agent agent = {
		.file = file,
		.mgmt_class = classes[below(swarm, sizeof(classes))],
		.class_version = hits(swarm, 1, 6) ? 2 : 1,
		.rmpp_version = hits(swarm, 1, 2),
	};

	if (hits(swarm, 1, 40))
		agent.mgmt_class = (uint8_t)below(swarm, 256);
	if (hits(swarm, 1, 40))
		agent.class_version = (uint8_t)below(swarm, 256);
	agent.qpn = agent.mgmt_class != 0x01 && agent.mgmt_class != 0x81;
	if (hits(swarm, 1, 40))
		agent.qpn = (uint8_t)below(swarm, 3);
	if (hits(swarm, 1, 40))
		agent.rmpp_version = 2;
	if (agent.mgmt_class && !swarm_has_rmpp(agent.mgmt_class) && !hits(swarm, 1, 8))
		agent.rmpp_version = 0;
	if (agent.mgmt_class >= 0x30 && agent.mgmt_class <= 0x4f)
		agent.oui = (uint32_t)below(swarm, 12) ? 0x1405 : (uint32_t)below(swarm, 3);
	if (agent.mgmt_class)
		draw_methods(swarm, agent.methods);
	return agent;
}

static long register_v1(struct swarm_file *file, const struct swarm_agent *asked, uint32_t *ret_id)
{
	struct ib_user_mad_reg_req req = {
		.qpn = asked->qpn,
		.mgmt_class = asked->mgmt_class,
		.mgmt_class_version = asked->class_version,
		.rmpp_version = asked->rmpp_version,
	};
	long err;

	memcpy(req.method_mask, asked->methods, sizeof(req.method_mask));
	put_be24(req.oui, asked->oui);
	err = kmod_file_ioctl(file->file, UMAD_COMMAND_REGISTER_AGENT, &req);
	*ret_id = req.id;
	return err;
}

static long register_v2(struct swarm_file *file, const struct swarm_agent *asked, bool user_rmpp,
			uint32_t *ret_id)
{
	struct ib_user_mad_reg_req2 req = {
		.qpn = asked->qpn,
		.mgmt_class = asked->mgmt_class,
		.mgmt_class_version = asked->class_version,
		.flags = user_rmpp ? IB_USER_MAD_USER_RMPP : 0,
		.oui = asked->oui,
		.rmpp_version = asked->rmpp_version,
	};
	long err;

	memcpy(req.method_mask, asked->methods, sizeof(req.method_mask));
	err = kmod_file_ioctl(file->file, UMAD_COMMAND_REGISTER_AGENT2, &req);
	*ret_id = req.id;
	return err;
}

static void register_agent(struct swarm *swarm, const struct swarm_agent *asked, bool version2,
			   bool user_rmpp)
{
	struct swarm_file *file = asked->file;
	struct swarm_agent *agent = NULL;
	uint32_t id = 0;
	long expected, got;

	expected = swarm_oracle_register(swarm, file, asked, user_rmpp, version2, &agent);
	got = version2 ? register_v2(file, asked, user_rmpp, &id) : register_v1(file, asked, &id);
	swarm_play_check(swarm, file->port, got, expected);
	if (agent && id != agent->id)
		swarm_fail(swarm, SWARM_ERRNO, "registration gives id %u, not %u", id, agent->id);
	if (agent)
		swarm_trace(swarm, "  id %u class=0x%02x version=%u methods=0x%" PRIx64
			    " rmpp=%u%s hi_tid=%u", id, agent->mgmt_class, agent->class_version,
			    agent->methods[0], agent->rmpp_version,
			    agent->kernel_rmpp ? " by kernel" : "", agent->hi_tid);
}

static void play_register(struct swarm *swarm)
{
	struct swarm_file *file = pick_file(swarm);
	bool version2 = hits(swarm, 2, 3), user_rmpp = version2 && hits(swarm, 1, 4);
	struct swarm_agent asked;

	if (!file)
		return;
	asked = draw_agent(swarm, file);
	register_agent(swarm, &asked, version2, user_rmpp);
}

/* Many vendors of one class, most of which get a slot; a file may also fill up with them. */
static void play_vendors(struct swarm *swarm)
{
	struct swarm_file *file = pick_file(swarm);
	struct swarm_agent asked;
	unsigned int count = 4 + (unsigned int)below(swarm, 12);

	if (!file)
		return;
	asked = draw_agent(swarm, file);
	asked.mgmt_class = 0x30;
	asked.qpn = 1;
	while (count--) {
		asked.oui = 1 + (uint32_t)below(swarm, 12);
		draw_methods(swarm, asked.methods);
		register_agent(swarm, &asked, true, false);
	}
}

static void play_unregister(struct swarm *swarm)
{
	struct swarm_file *file = pick_file(swarm);
	struct swarm_agent *agent = swarm_pick_agent(swarm, false);
	uint32_t id = (uint32_t)below(swarm, 40);
	long expected = 0;

	if (agent && hits(swarm, 3, 4)) {
		file = agent->file;
		id = agent->id;
	}
	if (!file)
		return;
	if (id >= SWARM_AGENTS || file->dead || !file->agents[id])
		expected = -EINVAL;
	else
		swarm_oracle_unregister(swarm, file->agents[id]);
	swarm_play_check(swarm, file->port,
			 kmod_file_ioctl(file->file, UMAD_COMMAND_UNREGISTER_AGENT, &id), expected);
	settle(swarm);
}

/* ---- devices and time ---- */

static void forget_port(struct swarm *swarm, struct swarm_port *port)
{
	swarm_send_flush_port(swarm, port);
	port->replies = NULL;
}

static void play_device(struct swarm *swarm)
{
	struct swarm_port *port = swarm_pick_port(swarm);
	struct kmod_port *going = port->port;

	if (!going) {
		swarm->operations++;
		swarm_trace(swarm, "%s comes back", port->name);
		swarm_world_plug(swarm, port);
		return;
	}
	if (!hits(swarm, 1, 3))
		return;
	swarm->operations++;
	swarm_trace(swarm, "%s is removed", port->name);
	for (unsigned int i = 0; i < SWARM_FILES_MAX; i++)
		if (swarm->files[i].file && swarm->files[i].port == port && !swarm->files[i].dead)
			swarm_oracle_close(swarm, &swarm->files[i], true);
	/* Linux lets its agents go one by one: what waits for room in the QP may still go out. */
	if (!swarm->kernel)
		forget_port(swarm, port);
	port->port = NULL;
	kmod_port_remove(going);
	forget_port(swarm, port);
	settle(swarm);
}

/* Linux 6.12 and later: a port without QP0 has no such device (kmod-stub's has: fidelity.md). */
static bool has_issm(const struct swarm *swarm, const struct swarm_port *port)
{
	return !swarm->kernel || port->attr.has_smi ||
	       strverscmp(swarm->kernel->release, "6.12") < 0;
}

static void play_issm(struct swarm *swarm)
{
	struct swarm_port *port = swarm_pick_port(swarm);

	if (port->issm && hits(swarm, 1, 2)) {
		swarm->operations++;
		kmod_issm_close(port->issm);
		port->issm = NULL;
		if (port->port && port->is_sm)
			swarm_fail(swarm, SWARM_ERRNO, "%s is still an SM", port->name);
	} else if (port->port && (!port->issm || port->issm == port->port)) {
		int expected = !has_issm(swarm, port) ? -ENXIO : port->issm ? -EAGAIN :
			       port->refuses_sm ? -EIO : 0;

		swarm_play_check(swarm, port, kmod_issm_open(port->port), expected);
		if (!expected)
			port->issm = port->port;
		if (port->is_sm != !!port->issm)
			swarm_fail(swarm, SWARM_ERRNO, "%s: IsSM is %d", port->name, port->is_sm);
	}
}

static void play_time(struct swarm *swarm)
{
	static const int64_t steps_ns[] = {
		0, 1000, 100000, NS_PER_MS, 5 * NS_PER_MS, 50 * NS_PER_MS, 400 * NS_PER_MS,
		NS_PER_S, 3 * NS_PER_S, 12 * NS_PER_S,
	};
	unsigned int longest = hits(swarm, 1, 20) ? 10 : 8;
	int64_t step_ns = steps_ns[below(swarm, longest)];

	swarm->operations++;
	step_ns = swarm_ticks_ns(swarm, step_ns + (int64_t)below(swarm, (uint64_t)step_ns + 1));
	swarm_trace(swarm, "%.6f ms pass", (double)step_ns / NS_PER_MS);
	swarm_world_run(swarm, swarm_now_ns(swarm) + step_ns);
}

/* ---- the next operation ---- */

static const struct {
	void (*play)(struct swarm *swarm);
	const char *name;
	unsigned int weight;
} operations[] = {
	{ play_open, "open", 6 },
	{ play_close, "close", 2 },
	{ play_enable_pkey, "ENABLE_PKEY", 3 },
	{ play_register, "register", 12 },
	{ play_unregister, "unregister", 2 },
	{ swarm_play_send, "send", 24 },
	{ swarm_play_answer, "answer", 16 },
	{ swarm_play_message, "send a message", 12 },
	{ swarm_play_local_smp, "send to itself", 3 },
	{ swarm_play_burst, "burst", 1 },
	{ play_read, "read", 12 },
	{ play_drain, "read all", 4 },
	{ play_vendors, "vendors", 1 },
	{ play_device, "device", 2 },
	{ play_issm, "issm", 2 },
	{ play_time, "time", 24 },
};

static unsigned int draw_operation(struct swarm *swarm)
{
	unsigned int total = 0, i = 0;
	uint64_t draw;

	for (i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		total += operations[i].weight;
	draw = below(swarm, total);
	for (i = 0; draw >= operations[i].weight; i++)
		draw -= operations[i].weight;
	return i;
}

void swarm_play_step(struct swarm *swarm)
{
	unsigned long before = swarm->operations;
	unsigned int i;

	/* An operation without anything to do it on does not count. */
	while (swarm->operations == before) {
		/* A world begins with files and agents. */
		i = swarm->step < 4 ? 0 : swarm->step < 10 ? 3 : draw_operation(swarm);
		swarm->doing = operations[i].name;
		operations[i].play(swarm);
	}
	swarm_oracle_poll(swarm);
}

void swarm_play_finish(struct swarm *swarm)
{
	swarm->doing = "wait";
	swarm_world_run(swarm, swarm_now_ns(swarm) + 200 * NS_PER_S);
	swarm_rmpp_finish(swarm);
	if (swarm->flights)
		swarm_fail(swarm, SWARM_RETURNS, "%u packets never end", swarm->flights);
	swarm->doing = "close all";
	for (unsigned int left = SWARM_FILES_MAX; left; left--) {
		struct swarm_file *file = pick_file(swarm);

		if (!file)
			break;
		if (hits(swarm, 1, 2))
			play_drain(swarm);
		close_file(swarm, file);
		swarm_oracle_poll(swarm);
	}
}

bool swarm_play_has_rmpp(struct swarm *swarm)
{
	struct swarm_file *file = &swarm->files[0];
	struct swarm_agent agent = { .qpn = 1, .mgmt_class = 3, .class_version = 2,
				     .rmpp_version = 1 };
	uint8_t *mad;
	uint32_t id;
	long got = -1;

	file->port = &swarm->ports[0];
	if (kmod_file_open(file->port->port, file, &file->file) < 0)
		return false;
	if (register_v2(file, &agent, false, &id) == 0) {
		memset(swarm->buffer, 0, 2 * SWARM_HEADER + MAD_SIZE);
		mad = swarm->buffer + SWARM_HEADER;
		mad[MAD_BASE_VERSION] = 1;
		mad[MAD_CLASS] = 3;
		mad[MAD_METHOD] = 0x92;
		mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
		swarm->probing = true;
		got = kmod_file_write(file->file, swarm->buffer, SWARM_HEADER + MAD_SIZE);
	}
	kmod_file_close(file->file);
	file->file = NULL;
	return got > 0;
}
