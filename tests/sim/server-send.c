/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sends through a fabric server, with and without a reply: each returns what write(2) of a umad
 * file returns (compared with the same call on an in-process fabric), they keep their order, and
 * none is lost when its handle is closed or its process is killed.
 */
#include <errno.h>
#include <poll.h>

#include "lib/attach/attach-memory.h"
#include "lib/attach/ring.h"
#include "lib/base/handle-token.h"
#include "tests/rig/server-rig.h"

enum {
	CLASS_PING = 0x32,
	CLASS_CM = 0x07,
	METHODS = 1 << MAD_METHOD_GET | 1 << MAD_METHOD_SEND,
	METHODS_SEND = 1 << MAD_METHOD_SEND,
	LID_H2 = 2, LID_NOBODY = 77,
	USER_GRH_PRESENT = 32,
	WAIT_MS = 20000,	/* for what is certain to come: never reached */
};

/* ---- what sends return ---- */

/* The agents of each test, in the order of their registration. */
enum agent { AGENT_DR, AGENT_PING, AGENT_SA, AGENT_USER_RMPP, AGENT_COUNT };

struct send {
	const char *name;
	bool is_certain;	/* no reply is waited for */
	uint32_t agent;
	uint8_t mgmt_class;
	uint8_t method;		/* 0: Get */
	size_t size;		/* of the umad message; 0: a complete one */
	uint8_t grh_present, rmpp_flags;
	uint8_t hops, hop_ptr, out;	/* 'out': the first port, 0: port 1 */
	uint16_t dr_slid, dr_dlid;	/* 0: permissive */
	bool returns;		/* the D bit */
	uint16_t dlid;		/* 0: permissive, or a LID without a port */
	uint32_t repeats;	/* with the same TID */
};

static const struct send sends[] = {
	{ .name = "plain", .is_certain = true, .agent = AGENT_PING, .mgmt_class = CLASS_PING },
	{ .name = "to its own agent's class or not", .is_certain = true, .agent = AGENT_PING,
	  .mgmt_class = CLASS_CM },
	{ .name = "subnet management by LID", .is_certain = true, .agent = AGENT_DR,
	  .mgmt_class = MAD_CLASS_SUBN_LID },
	{ .name = "a response", .is_certain = true, .agent = AGENT_PING, .mgmt_class = CLASS_PING,
	  .method = MAD_METHOD_GET_RESP },
	{ .name = "the shortest", .is_certain = true, .agent = AGENT_PING, .mgmt_class = CLASS_CM,
	  .size = RIG_HEADER + 36 },
	{ .name = "too short", .agent = AGENT_PING, .mgmt_class = CLASS_CM,
	  .size = RIG_HEADER + 35 },
	{ .name = "no header", .agent = AGENT_PING, .mgmt_class = CLASS_CM, .size = 20 },
	{ .name = "nothing", .agent = AGENT_PING, .mgmt_class = CLASS_CM, .size = 1 },
	{ .name = "less than a class header", .agent = AGENT_PING, .mgmt_class = CLASS_PING,
	  .size = RIG_HEADER + 39 },
	{ .name = "just a class header", .is_certain = true, .agent = AGENT_PING,
	  .mgmt_class = CLASS_PING, .size = RIG_HEADER + 40 },
	{ .name = "too long", .agent = AGENT_PING, .mgmt_class = CLASS_PING, .size = RIG_UMAD + 1 },
	{ .name = "an agent that is not there", .agent = 9, .mgmt_class = CLASS_PING },
	{ .name = "the last agent", .agent = 31, .mgmt_class = CLASS_PING },
	{ .name = "an agent beyond", .agent = 32, .mgmt_class = CLASS_PING },
	{ .name = "no agent at all", .agent = UINT32_MAX, .mgmt_class = CLASS_PING },
	{ .name = "RMPP agent, class without", .agent = AGENT_SA, .mgmt_class = CLASS_CM },
	{ .name = "RMPP agent, single", .is_certain = true, .agent = AGENT_SA,
	  .mgmt_class = MAD_CLASS_SUBN_ADM },
	{ .name = "RMPP agent, segments", .agent = AGENT_SA, .mgmt_class = MAD_CLASS_SUBN_ADM,
	  .rmpp_flags = RMPP_FLAG_ACTIVE, .size = RIG_HEADER + 1000 },
	{ .name = "RMPP agent, single and long", .agent = AGENT_SA,
	  .mgmt_class = MAD_CLASS_SUBN_ADM, .size = RIG_HEADER + 1000 },
	{ .name = "a user's segment", .agent = AGENT_USER_RMPP, .mgmt_class = MAD_CLASS_SUBN_ADM,
	  .rmpp_flags = RMPP_FLAG_ACTIVE },
	{ .name = "a user's segments, one TID", .agent = AGENT_USER_RMPP,
	  .mgmt_class = MAD_CLASS_SUBN_ADM, .rmpp_flags = RMPP_FLAG_ACTIVE, .repeats = 3 },
	{ .name = "a GRH", .agent = AGENT_PING, .mgmt_class = CLASS_PING, .grh_present = 1 },
	{ .name = "twice", .is_certain = true, .agent = AGENT_PING, .mgmt_class = CLASS_PING,
	  .dlid = LID_NOBODY, .repeats = 3 },
	{ .name = "a response twice", .is_certain = true, .agent = AGENT_PING,
	  .mgmt_class = CLASS_PING, .method = MAD_METHOD_GET_RESP, .dlid = LID_NOBODY,
	  .repeats = 2 },
	{ .name = "directed to the node itself", .is_certain = true, .agent = AGENT_DR,
	  .mgmt_class = MAD_CLASS_SUBN_DR },
	{ .name = "directed, a hop", .is_certain = true, .agent = AGENT_DR,
	  .mgmt_class = MAD_CLASS_SUBN_DR, .hops = 1 },
	{ .name = "directed, 63 hops", .is_certain = true, .agent = AGENT_DR,
	  .mgmt_class = MAD_CLASS_SUBN_DR, .hops = 63 },
	{ .name = "directed, 64 hops", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .hops = 64 },
	{ .name = "directed by another port", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .hops = 1, .out = 2 },
	{ .name = "directed, on its way", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .hops = 3, .hop_ptr = 1 },
	{ .name = "directed, on its way back", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .hops = 1, .returns = true },
	{ .name = "directed, arrived", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .hop_ptr = 1 },
	{ .name = "directed behind a LID", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .hops = 1, .dr_slid = 1, .dlid = LID_H2 },
	{ .name = "directed to nowhere", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .dr_dlid = 1 },
	{ .name = "directed and short", .agent = AGENT_DR, .mgmt_class = MAD_CLASS_SUBN_DR,
	  .size = RIG_HEADER + 64 },
};

static size_t fill(uint8_t *umad, const struct send *row, uint32_t agent, uint32_t tid)
{
	const struct rig_get get = {
		.mgmt_class = row->mgmt_class, .method = row->method, .attr = 0x11,
		.dlid = row->dlid, .dr_slid = row->dr_slid, .dr_dlid = row->dr_dlid, .tid = tid,
		.timeout_ms = 60000,
	};
	uint8_t *mad = umad + RIG_HEADER;

	rig_fill(umad, agent, &get);
	umad[USER_GRH_PRESENT] = row->grh_present;
	if (mad_class_has_rmpp(row->mgmt_class)) {
		mad[RMPP_VERSION] = row->rmpp_flags ? 1 : 0;
		mad[RMPP_TYPE] = row->rmpp_flags ? 1 : 0;
		mad[RMPP_FLAGS] = row->rmpp_flags;
	}
	if (row->mgmt_class == MAD_CLASS_SUBN_DR) {
		mad[SMP_HOP_CNT] = row->hops;
		mad[SMP_HOP_PTR] = row->hop_ptr;
		mad[SMP_INITIAL_PATH + 1] = row->out ? row->out : 1;
		if (row->returns)
			put_be16(mad + MAD_STATUS, SMP_DIRECTION);
	}
	return row->size ? row->size : RIG_UMAD;
}

static uint32_t register_user_rmpp(const struct umad_backend *backend, int fd)
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT2,
		.qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2,
		.rmpp_version = 1, .flags = 1,
	};

	g_assert_cmpint(backend->register_agent(fd, &reg), ==, 0);
	return reg.id;
}

static uint32_t register_sa(const struct umad_backend *backend, int fd)
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2,
		.rmpp_version = 1,
	};

	g_assert_cmpint(backend->register_agent(fd, &reg), ==, 0);
	return reg.id;
}

static void register_all(struct rig *rig, int fd)
{
	g_assert_cmpint(rig_register(rig, fd, MAD_CLASS_SUBN_DR, 0), ==, AGENT_DR);
	g_assert_cmpint(rig_register(rig, fd, CLASS_PING, METHODS), ==, AGENT_PING);
	g_assert_cmpint(register_sa(rig->backend, fd), ==, AGENT_SA);
	g_assert_cmpint(register_user_rmpp(rig->backend, fd), ==, AGENT_USER_RMPP);
}

static void test_returns(gconstpointer data)
{
	const struct send *row = data;
	struct server_rig server = server_rig_start("", "H1");
	struct rig rig = rig_open(",clock=virtual");
	int fd = server_rig_open_on(&server, "H1"), other = rig_open_port(&rig, "H1", "H1", 1);
	uint8_t umad[RIG_HEADER + 1000] = { 0 }, same[sizeof(umad)] = { 0 };

	register_all(&server.rig, fd);
	register_all(&rig, other);
	for (uint32_t i = 0; i <= row->repeats; i++) {
		size_t size = fill(umad, row, row->agent, 5);
		long want, got = attach_ring_send(handle_token(fd), umad, size);

		/* For a duplicate the result is not known in advance. */
		g_assert_cmpint(got, ==, row->is_certain && i == 0 ? size : 0);
		if (got == 0)
			got = umad_backend_attach.send(fd, umad, size);
		fill(same, row, row->agent, 5);
		want = rig.backend->send(other, same, size);
		g_assert_cmpint(got, ==, want);
	}
	/* One with another TID is like the first. */
	g_assert_cmpint(umad_backend_attach.send(fd, umad, fill(umad, row, row->agent, 6)), ==,
			rig.backend->send(other, same, fill(same, row, row->agent, 6)));
	close(fd);
	rig.backend->close(other);
	rig_close(&rig);
	server_rig_end(&server);
}

/* An agent that has gone, a TID that is free again. */
static void test_changes(void)
{
	static const struct send node_info = { .mgmt_class = MAD_CLASS_SUBN_DR };
	struct server_rig server = server_rig_start("", "H1");
	int fd = server_rig_open_on(&server, "H1");
	uint32_t agent = rig_register(&server.rig, fd, MAD_CLASS_SUBN_DR, 0);
	uint8_t umad[RIG_UMAD];
	uint64_t token = handle_token(fd);

	for (unsigned int i = 0; i < 3; i++) {
		fill(umad, &node_info, agent, 5);
		g_assert_cmpint(attach_ring_send(token, umad, RIG_UMAD), ==, RIG_UMAD);
		g_assert_cmpint(rig_recv(&server.rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	}
	g_assert_cmpint(umad_backend_attach.unregister_agent(fd, agent), ==, 0);
	fill(umad, &node_info, agent, 6);
	g_assert_cmpint(attach_ring_send(token, umad, RIG_UMAD), ==, 0);
	g_assert_cmpint(umad_backend_attach.send(fd, umad, RIG_UMAD), ==, -EIO);
	g_assert_cmpint(rig_register(&server.rig, fd, MAD_CLASS_SUBN_DR, 0), ==, agent);
	g_assert_cmpint(attach_ring_send(token, umad, RIG_UMAD), ==, RIG_UMAD);
	close(fd);
	server_rig_end(&server);
}

enum { PORT_INFO = 0x15, PORT_INFO_STATES = 32, PORT_INFO_PROTECT = 34 };

/* With an M_Key the node may refuse an SMP to itself, and Linux returns the error at once. */
static void test_m_key(void)
{
	static const struct send local = { .mgmt_class = MAD_CLASS_SUBN_DR };
	struct server_rig server = server_rig_start("", "H1");
	int fd = server_rig_open_on(&server, "H1");
	uint32_t agent = rig_register(&server.rig, fd, MAD_CLASS_SUBN_DR, 0);
	uint8_t umad[RIG_UMAD], *mad = umad + RIG_HEADER;

	fill(umad, &local, agent, 1);
	put_be16(mad + MAD_ATTR_ID, PORT_INFO);
	put_be32(mad + MAD_ATTR_MOD, 1);
	g_assert_cmpint(umad_backend_attach.send(fd, umad, RIG_UMAD), ==, RIG_UMAD);
	g_assert_cmpint(rig_recv(&server.rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	/* The same again, with a key and protection, and no change of states. */
	put_be64(mad + SMP_DATA, 0x1234);
	mad[SMP_DATA + PORT_INFO_STATES] = mad[SMP_DATA + PORT_INFO_STATES + 1] = 0;
	mad[SMP_DATA + PORT_INFO_PROTECT] |= 3 << 6;
	mad[MAD_METHOD] = MAD_METHOD_SET;
	put_be16(mad + MAD_STATUS, 0);
	mad[SMP_HOP_PTR] = 0;
	rig_put_u32(umad, RIG_TIMEOUT, 60000);
	g_assert_cmpint(attach_ring_send(handle_token(fd), umad, RIG_UMAD), ==, RIG_UMAD);
	g_assert_cmpint(rig_recv(&server.rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	g_assert_cmpuint(get_be16(mad + MAD_STATUS) & 0x7fff, ==, 0);

	fill(umad, &local, agent, 2);
	g_assert_cmpint(attach_ring_send(handle_token(fd), umad, RIG_UMAD), ==, 0);
	g_assert_cmpint(umad_backend_attach.send(fd, umad, RIG_UMAD), ==, -EINVAL);
	put_be64(mad + SMP_MKEY, 0x1234);
	g_assert_cmpint(umad_backend_attach.send(fd, umad, RIG_UMAD), ==, RIG_UMAD);
	close(fd);
	server_rig_end(&server);
}

/* A killed server looks like a device that is pulled out; its ring does not hide that. */
static void test_server_killed(void)
{
	static const struct send local = { .mgmt_class = MAD_CLASS_SUBN_DR };
	struct server_rig server = server_rig_start("", "H1");
	int fd = server_rig_open_on(&server, "H1");
	uint32_t agent = rig_register(&server.rig, fd, MAD_CLASS_SUBN_DR, 0);
	uint8_t umad[RIG_UMAD];

	g_assert_cmpint(attach_ring_send(handle_token(fd), umad, fill(umad, &local, agent, 1)), ==,
			RIG_UMAD);
	g_assert_cmpint(rig_recv(&server.rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	kill(server.pid, SIGKILL);
	g_assert_cmpint(waitpid(server.pid, NULL, 0), ==, server.pid);
	/* A program that never receives gets an error when there is no room. */
	for (uint32_t i = 2; i < 2 + ATTACH_RING_ENTRIES; i++)
		g_assert_cmpint(umad_backend_attach.send(fd, umad, fill(umad, &local, agent, i)),
				==, RIG_UMAD);
	g_assert_cmpint(umad_backend_attach.send(fd, umad, fill(umad, &local, agent, 1)), ==, -EIO);
	g_assert_cmpint(rig_recv(&server.rig, fd, umad, WAIT_MS), ==, -EIO);
	g_assert_cmpint(umad_backend_attach.send(fd, umad, fill(umad, &local, agent, 2)), ==, -EIO);
	umad_backend_attach.close(fd);
	g_assert_cmpint(unlink(server.socket), ==, 0);
	g_assert_cmpint(rmdir(server.directory), ==, 0);
	g_free(server.socket);
	g_free(server.directory);
}

/* ---- order ---- */

enum { BURST = 700 };

static void burst(struct rig *rig, int fd, uint32_t agent, uint32_t first)
{
	struct rig_get get = {
		.mgmt_class = CLASS_PING, .method = MAD_METHOD_SEND, .attr = 0x10, .dlid = LID_H2,
	};

	for (uint32_t i = 0; i < BURST; i++) {
		get.tid = first + i;
		rig_send(rig, fd, agent, &get);
	}
}

static void expect(struct rig *rig, int fd, uint32_t first)
{
	uint8_t umad[RIG_UMAD];

	for (uint32_t i = 0; i < BURST; i++) {
		g_assert_cmpint(rig_recv(rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
		g_assert_cmpuint(get_be32(umad + RIG_HEADER + MAD_TID + 4), ==, first + i);
	}
}

/* What ends the sender, after its last send. */
enum ending { ENDING_NONE, ENDING_UNREGISTER, ENDING_CLOSE, ENDING_KILL, ENDING_COUNT };

static const char *const ending_names[ENDING_COUNT] = {
	"and goes on", "unregisters", "closes", "is killed",
};

static void end_sender(int fd, uint32_t agent, enum ending ending)
{
	switch (ending) {
	case ENDING_NONE:
		break;
	case ENDING_UNREGISTER:
		g_assert_cmpint(umad_backend_attach.unregister_agent(fd, agent), ==, 0);
		break;
	case ENDING_CLOSE:
		umad_backend_attach.close(fd);
		break;
	case ENDING_KILL:
		kill(getpid(), SIGKILL);
		break;
	case ENDING_COUNT:
		g_assert_not_reached();
	}
}

static void test_order(gconstpointer data)
{
	enum ending ending = GPOINTER_TO_UINT(data);
	struct server_rig server = server_rig_start("", "H1");
	int to = server_rig_open_on(&server, "H2"), status;
	pid_t pid;

	rig_register(&server.rig, to, CLASS_PING, METHODS_SEND);
	for (unsigned int round = 0; round < 5; round++) {
		pid = fork();
		g_assert_cmpint(pid, >=, 0);
		if (pid == 0) {
			int fd = server_rig_open_on(&server, "H1");
			uint32_t agent = rig_register(&server.rig, fd, CLASS_PING, 0);

			burst(&server.rig, fd, agent, 1000 * round);
			end_sender(fd, agent, ending);
			_exit(0);
		}
		expect(&server.rig, to, 1000 * round);
		g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
		g_assert_cmpint(status, ==, ending == ENDING_KILL ? SIGKILL : 0);
	}
	close(to);
	server_rig_end(&server);
}

/* A program that waits only in poll(2) is served too. */
static void test_own_poll(void)
{
	struct server_rig server = server_rig_start("", "H1");
	int from = server_rig_open_on(&server, "H1"), to = server_rig_open_on(&server, "H2");
	uint32_t agent = rig_register(&server.rig, from, CLASS_PING, 0);
	uint8_t umad[RIG_UMAD];

	rig_register(&server.rig, to, CLASS_PING, METHODS_SEND);
	for (unsigned int round = 0; round < 20; round++) {
		burst(&server.rig, from, agent, 1000 * round);
		for (uint32_t i = 0; i < BURST; i++) {
			struct pollfd pollfd = { .fd = to, .events = POLLIN };

			g_assert_cmpint(poll(&pollfd, 1, WAIT_MS), ==, 1);
			g_assert_cmpint(umad_backend_attach.recv(to, umad, sizeof(umad)), ==,
					RIG_UMAD);
			g_assert_cmpuint(get_be32(umad + RIG_HEADER + MAD_TID + 4), ==,
					 1000 * round + i);
		}
	}
	close(from);
	close(to);
	server_rig_end(&server);
}

/* ---- a program that closes descriptors it does not know ---- */

enum { UNKNOWN_FROM = 3, UNKNOWN_TO = 1024 };

/* All except standard input, output and error, and its handle. */
static void close_unknown(int handle)
{
	for (int fd = UNKNOWN_FROM; fd < UNKNOWN_TO; fd++) {
		if (fd != handle)
			close(fd);
	}
}

/*
 * The program's own descriptors with the numbers that are free now; nothing may be written to them.
 */
static void open_own(int ends[][2], unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends[i]), ==,
				0);
}

static void expect_nothing(int ends[][2], unsigned int count)
{
	char byte;

	for (unsigned int i = 0; i < 2 * count; i++) {
		g_assert_cmpint(recv(ends[i / 2][i % 2], &byte, 1, 0), ==, -1);
		g_assert_cmpint(errno, ==, EAGAIN);
	}
}

/*
 * Bursts follow each other without a pause, so that the server ends the ring of one while the next
 * is put into it.
 */
static void send_and_close(struct server_rig *server, unsigned int rounds)
{
	static const struct send local = { .mgmt_class = MAD_CLASS_SUBN_DR };
	int fd = server_rig_open_on(server, "H1"), ends[8][2];
	uint32_t agent = rig_register(&server->rig, fd, CLASS_PING, 0), own;
	uint8_t umad[RIG_UMAD];

	for (unsigned int round = 0; round < rounds; round++) {
		burst(&server->rig, fd, agent, 1000 * round);
		close_unknown(fd);
	}
	open_own(ends, G_N_ELEMENTS(ends));
	own = rig_register(&server->rig, fd, MAD_CLASS_SUBN_DR, 0);
	/* The server sees what was closed before it was called, and there is a new ring. */
	g_assert_cmpint(attach_ring_send(handle_token(fd), umad, fill(umad, &local, own, 1)), ==,
			RIG_UMAD);
	g_assert_cmpint(rig_recv(&server->rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	expect_nothing(ends, G_N_ELEMENTS(ends));
}

static void test_closes_unknown(void)
{
	enum { ROUNDS = 20 };
	struct server_rig server = server_rig_start("", "H1");
	int to = server_rig_open_on(&server, "H2"), status;
	uint8_t umad[RIG_UMAD];
	pid_t pid;

	rig_register(&server.rig, to, CLASS_PING, METHODS_SEND);
	pid = fork();
	g_assert_cmpint(pid, >=, 0);
	if (pid == 0) {
		send_and_close(&server, ROUNDS);
		_exit(0);
	}
	for (unsigned int round = 0; round < ROUNDS; round++)
		expect(&server.rig, to, 1000 * round);
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	g_assert_cmpint(umad_backend_attach.recv(to, umad, sizeof(umad)), ==, -EAGAIN);
	close(to);
	server_rig_end(&server);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(sends); i++) {
		g_autofree char *path = g_strconcat("/server-send/returns/", sends[i].name, NULL);

		g_test_add_data_func(path, &sends[i], test_returns);
	}
	g_test_add_func("/server-send/changes", test_changes);
	g_test_add_func("/server-send/m-key", test_m_key);
	g_test_add_func("/server-send/server-killed", test_server_killed);
	for (enum ending i = 0; i < ENDING_COUNT; i++) {
		g_autofree char *path = g_strconcat("/server-send/order/", ending_names[i], NULL);

		g_test_add_data_func(path, GUINT_TO_POINTER(i), test_order);
	}
	g_test_add_func("/server-send/own-poll", test_own_poll);
	g_test_add_func("/server-send/closes-unknown", test_closes_unknown);
	/* The calling thread's connection belongs to the library, and ends with the process. */
	return g_test_run();
}
