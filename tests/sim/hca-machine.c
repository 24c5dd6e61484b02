/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server whose hosts have their HCAs from a kernel's driver, with this test in the place of the
 * kernel, at the other end of a socket: the session, what it is told, packets, its end, and drivers
 * that are not to be trusted.
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "lib/base/wire.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/guests/hca-machine.h"
#include "sim/server/server.h"
#include "tests/rig/leak.h"

enum {
	HEADER = sizeof(struct umadrig_hca_header),
	STEPS = 500,		/* of at most 10 ms, for what is to come */
	QUIET_STEPS = 3,
};

static char *work;

struct message {
	struct umadrig_hca_header header;
	uint8_t payload[UMADRIG_HCA_UP_MAX - HEADER];
};

struct rig {
	struct server *server;
	char *path;		/* of the device, which is a socket */
	int listener;
	int fd;			/* the driver's end; -1 */
	struct message came;	/* the last message */
};

/* ---- the driver ---- */

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	g_unlink(path);
	g_strlcpy(address.sun_path, path, sizeof(address.sun_path));
	g_assert_cmpint(bind(fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	g_assert_cmpint(listen(fd, 1), ==, 0);
	return fd;
}

/* Its length is given apart, as it may be a lie. */
static void say_raw(struct rig *rig, const struct message *message, size_t size)
{
	g_assert_cmpint(send(rig->fd, message, size, MSG_NOSIGNAL), ==, (ssize_t)size);
}

static void say(struct rig *rig, struct message *message, size_t payload)
{
	message->header.version = UMADRIG_HCA_VERSION;
	message->header.length = GUINT32_TO_LE((uint32_t)(HEADER + payload));
	say_raw(rig, message, HEADER + payload);
}

static void say_ready(struct rig *rig)
{
	struct message message = { .header.type = UMADRIG_HCA_READY };

	say(rig, &message, 0);
}

static void say_hello(struct rig *rig, uint8_t number,
		      const struct umadrig_hca_description *description, const char *name, int err)
{
	struct umadrig_hca_description hca = *description;
	struct message message = {
		.header = { .type = UMADRIG_HCA_HELLO, .hca = number,
			    .value = GUINT32_TO_LE((uint32_t)err) },
	};

	if (name)
		g_strlcpy(hca.name, name, sizeof(hca.name));
	memcpy(message.payload, &hca, sizeof(hca));
	say(rig, &message, sizeof(hca));
}

/* The next message, or 0: none comes. */
static uint8_t next(struct rig *rig, unsigned int steps)
{
	for (unsigned int i = 0; i < steps; i++) {
		ssize_t size = recv(rig->fd, &rig->came, sizeof(rig->came), MSG_DONTWAIT);

		if (size > 0) {
			g_assert_cmpint(size, >=, HEADER);
			g_assert_cmpint(size, <=, UMADRIG_HCA_DOWN_MAX);
			g_assert_cmpint(GUINT32_FROM_LE(rig->came.header.length), ==, size);
			g_assert_cmpint(rig->came.header.version, ==, UMADRIG_HCA_VERSION);
			return rig->came.header.type;
		}
		if (size == 0)
			return 0;
		g_assert_cmpint(server_step(rig->server, 10), ==, 0);
	}
	return 0;
}

static void expect(struct rig *rig, enum umadrig_hca_type type)
{
	g_assert_cmpint(next(rig, STEPS), ==, type);
}

/* Others may come before it: the port's state when a link trains, for one. */
static void expect_among(struct rig *rig, enum umadrig_hca_type type)
{
	uint8_t came;

	do {
		came = next(rig, STEPS);
		g_assert_cmpint(came, !=, 0);
	} while (came != type);
}

static void expect_nothing(struct rig *rig)
{
	g_assert_cmpint(next(rig, QUIET_STEPS), ==, 0);
}

static struct umadrig_hca_description description_of(const struct rig *rig)
{
	struct umadrig_hca_description description;

	memcpy(&description, rig->came.payload, sizeof(description));
	return description;
}

static struct umadrig_hca_port port_of(const struct rig *rig)
{
	struct umadrig_hca_port port;

	memcpy(&port, rig->came.payload, sizeof(port));
	return port;
}

/* GIDs, P_Keys and port, in this order: what each port is told first. */
static void expect_port(struct rig *rig, uint8_t hca)
{
	expect(rig, UMADRIG_HCA_GIDS);
	g_assert_cmpint(rig->came.header.hca, ==, hca);
	expect(rig, UMADRIG_HCA_PKEYS);
	g_assert_cmphex(rig->came.payload[0] | rig->came.payload[1] << 8, ==, 0xffff);
	expect(rig, UMADRIG_HCA_PORT);
	g_assert_cmpint(rig->came.header.port, ==, 1);
}

/* ---- the server ---- */

static void start(struct rig *rig, const char *spec, const char *hosts)
{
	g_autofree char *socket = g_build_filename(work, "socket", NULL);
	char message[512] = "";

	*rig = (struct rig){ .path = g_build_filename(work, "driver", NULL), .fd = -1 };
	rig->listener = listen_at(rig->path);
	rig->server = server_new(spec, socket, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	server_take_hosts(rig->server, hosts, rig->path, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	rig->fd = accept(rig->listener, NULL, NULL);
	g_assert_cmpint(rig->fd, >=, 0);
}

/* The kernel makes the HCA that it is asked for. */
static void add(struct rig *rig)
{
	struct umadrig_hca_description description;

	expect(rig, UMADRIG_HCA_ADD);
	description = description_of(rig);
	say_hello(rig, 0, &description, NULL, 0);
	expect_port(rig, 0);
}

/* It has had none. */
static void bring_up(struct rig *rig)
{
	say_ready(rig);
	add(rig);
}

/* The one that it was to remove, which has just been said, has gone. */
static void say_gone(struct rig *rig)
{
	rig->came.header.type = UMADRIG_HCA_GONE;
	say(rig, &rig->came, 0);
}

static void stop(struct rig *rig)
{
	if (rig->server)
		server_free(rig->server);
	if (rig->fd >= 0)
		close(rig->fd);
	close(rig->listener);
	g_unlink(rig->path);
	g_free(rig->path);
}

static void assert_described(struct rig *rig, int ret, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_assert_cmpint(server_await_hosts(rig->server, 2000, text), ==, ret);
	g_assert_cmpstr(text->str, ==, expected);
}

/* ---- sessions ---- */

static void test_session(void)
{
	struct umadrig_hca_description description;
	struct umadrig_hca_port port;
	struct rig rig;

	start(&rig, "", "H1");
	expect_nothing(&rig);
	say_ready(&rig);
	expect(&rig, UMADRIG_HCA_ADD);
	g_assert_cmpint(rig.came.header.hca, ==, 0);
	description = description_of(&rig);
	g_assert_cmphex(GUINT64_FROM_BE(description.node_guid), ==, 0x0002c90300000000);
	g_assert_cmphex(GUINT64_FROM_BE(description.port_guids[0]), ==, 0x0002c90300000001);
	g_assert_cmpint(description.ports, ==, 1);
	g_assert_cmpstr(description.name, ==, "H1");
	expect_nothing(&rig);
	say_hello(&rig, 0, &description, NULL, 0);
	expect_port(&rig, 0);
	port = port_of(&rig);
	g_assert_cmpint(port.state, ==, 4);
	g_assert_cmpint(GUINT16_FROM_LE(port.lid), ==, 1);
	g_assert_cmpint(GUINT16_FROM_LE(port.sm_lid), ==, 2);
	assert_described(&rig, 0, "H1 of H1 is H1 here\n");
	expect_nothing(&rig);
	server_free(rig.server);
	rig.server = NULL;
	/* The cable out: nothing is removed. */
	g_assert_cmpint(recv(rig.fd, &rig.came, sizeof(rig.came), 0), ==, 0);
	stop(&rig);
}

/* HCAs of a session before: the same one is kept, with its name; others go. */
static void test_next_session(void)
{
	struct umadrig_hca_description description, other;
	const struct node *node;
	struct rig rig;

	start(&rig, "", "H1");
	say_ready(&rig);
	expect(&rig, UMADRIG_HCA_ADD);
	description = other = description_of(&rig);
	stop(&rig);

	other.node_guid = GUINT64_TO_BE(99);
	memset(description.node_description, 'x', sizeof(description.node_description));
	/* IsSM: an SM has gone on meanwhile. */
	description.capabilities[0] |= GUINT32_TO_LE(2);
	start(&rig, "", "H1");
	say_hello(&rig, 0, &description, "ours", 0);
	say_hello(&rig, 7, &other, "theirs", 0);
	say_ready(&rig);
	expect_port(&rig, 0);
	expect(&rig, UMADRIG_HCA_REMOVE);
	g_assert_cmpint(rig.came.header.hca, ==, 7);
	say_gone(&rig);
	expect_nothing(&rig);
	assert_described(&rig, 0, "H1 of H1 is ours here\n");
	node = fabric_find(server_fabric(rig.server), "H1");
	g_assert_true(g_str_has_prefix(node_description(node), "xxxxxxxx"));
	g_assert_true(node->ports[1].end->cap_mask & 2);
	stop(&rig);

	/* One that stands in the way goes first. */
	start(&rig, "", "H1");
	say_hello(&rig, 0, &other, "theirs", 0);
	say_ready(&rig);
	expect(&rig, UMADRIG_HCA_REMOVE);
	expect_nothing(&rig);
	say_gone(&rig);
	add(&rig);
	stop(&rig);
}

/* A name that the kernel has already: it chooses one. */
static void test_names(void)
{
	struct umadrig_hca_description description;
	struct rig rig;

	start(&rig, "", "H2,H1");
	say_ready(&rig);
	expect(&rig, UMADRIG_HCA_ADD);
	description = description_of(&rig);
	g_assert_cmpstr(description.name, ==, "H2");
	say_hello(&rig, 0, &description, NULL, ENFILE);
	expect(&rig, UMADRIG_HCA_ADD);
	g_assert_cmpint(rig.came.header.hca, ==, 1);
	expect(&rig, UMADRIG_HCA_ADD);
	g_assert_cmpint(rig.came.header.hca, ==, 0);
	description = description_of(&rig);
	g_assert_cmpstr(description.name, ==, "");
	say_hello(&rig, 0, &description, "umadrig0", 0);
	expect_port(&rig, 0);
	say_hello(&rig, 1, &description, NULL, EINVAL);
	assert_described(&rig, -ENODEV, "H2 of H2 is umadrig0 here\n"
			 "H1 of H1 has not come: Invalid argument\n");
	stop(&rig);
}

/* ---- packets, and what changes ---- */

/* A question by a directed route of so many hops; the kernel has done the first step. */
static struct message ask(uint8_t hops)
{
	struct message message = {
		.header = {
			.type = UMADRIG_HCA_MAD, .port = 1,
			.slid = GUINT16_TO_LE(0xffff), .dlid = GUINT16_TO_LE(0xffff),
			.pkey = GUINT16_TO_LE(0xffff),
		},
	};
	uint8_t *mad = message.payload;

	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_DR;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	mad[SMP_HOP_PTR] = 1;
	mad[SMP_HOP_CNT] = hops;
	mad[MAD_TID + 7] = 0x42;
	mad[MAD_ATTR_ID + 1] = 0x11;
	memset(mad + SMP_DR_SLID, 0xff, 4);
	mad[SMP_INITIAL_PATH + 1] = 1;
	return message;
}

static void assert_node(const struct rig *rig, uint64_t guid)
{
	const uint8_t *mad = rig->came.payload;

	g_assert_cmphex(mad[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	g_assert_cmphex(mad[MAD_TID + 7], ==, 0x42);
	g_assert_cmphex(get_be64(mad + SMP_DATA + 12), ==, guid);
}

static void test_packets(void)
{
	struct message question = ask(1);
	struct rig rig;

	start(&rig, "", "H1");
	bring_up(&rig);
	say(&rig, &question, MAD_SIZE);
	expect(&rig, UMADRIG_HCA_MAD);
	g_assert_cmpint(rig.came.header.destination_qp, ==, 0);
	assert_node(&rig, 0x0002c90300000010);

	question = ask(0);
	question.header.type = UMADRIG_HCA_QUERY;
	question.header.sequence = GUINT32_TO_LE(77);
	say(&rig, &question, MAD_SIZE);
	expect(&rig, UMADRIG_HCA_REPLY);
	g_assert_cmpint(GUINT32_FROM_LE(rig.came.header.sequence), ==, 77);
	g_assert_cmpint(GUINT32_FROM_LE(rig.came.header.value), ==,
			UMADRIG_HCA_RESULT_SUCCESS | UMADRIG_HCA_RESULT_REPLY);
	assert_node(&rig, 0x0002c90300000000);

	/* To its own LID: there is a program for it, or not, and the kernel knows. */
	memset(&question, 0, sizeof(question));
	question.header = (struct umadrig_hca_header) {
		.type = UMADRIG_HCA_MAD, .port = 1, .source_qp = GUINT32_TO_LE(1),
		.destination_qp = GUINT32_TO_LE(1), .qkey = GUINT32_TO_LE(0x80010000),
		.slid = GUINT16_TO_LE(1), .dlid = GUINT16_TO_LE(1), .pkey = GUINT16_TO_LE(0xffff),
	};
	question.payload[MAD_BASE_VERSION] = question.payload[MAD_CLASS_VERSION] = 1;
	question.payload[MAD_CLASS] = 0x09;
	question.payload[MAD_METHOD] = MAD_METHOD_SEND;
	say(&rig, &question, MAD_SIZE);
	expect(&rig, UMADRIG_HCA_MAD);
	g_assert_cmpmem(rig.came.payload, MAD_SIZE, question.payload, MAD_SIZE);
	g_assert_cmpint(GUINT16_FROM_LE(rig.came.header.slid), ==, 1);
	stop(&rig);
}

static void test_changes(void)
{
	struct message message = { .header = { .type = UMADRIG_HCA_CAPABILITY, .port = 1 } };
	struct umadrig_fabric *fabric;
	struct rig rig;

	start(&rig, "", "H1");
	fabric = server_fabric(rig.server);
	bring_up(&rig);
	g_assert_cmpint(umadrig_link_set(fabric, "H1", 1, false), ==, 0);
	expect(&rig, UMADRIG_HCA_PORT);
	g_assert_cmpint(port_of(&rig).state, ==, 1);
	g_assert_cmpint(umadrig_link_set(fabric, "H1", 1, true), ==, 0);
	expect_among(&rig, UMADRIG_HCA_PORT);
	while (port_of(&rig).state == 1)
		expect_among(&rig, UMADRIG_HCA_PORT);

	/* IsSM, by issmN. */
	message.header.value = GUINT32_TO_LE(2);
	say(&rig, &message, 0);
	memset(&message, 0, sizeof(message));
	message.header.type = UMADRIG_HCA_NODE_DESCRIPTION;
	g_strlcpy((char *)message.payload, "a machine", sizeof(message.payload));
	say(&rig, &message, UMADRIG_HCA_DESCRIPTION_SIZE);
	for (int i = 0; i < STEPS && strcmp(node_description(fabric_find(fabric, "H1")),
					    "a machine") != 0; i++)
		server_step(rig.server, 10);
	g_assert_cmpstr(node_description(fabric_find(fabric, "H1")), ==, "a machine");
	g_assert_true(fabric_find(fabric, "H1")->ports[1].end->cap_mask & 2);

	g_assert_cmpint(umadrig_node_set(fabric, "H1", false), ==, 0);
	expect_among(&rig, UMADRIG_HCA_REMOVE);
	g_assert_cmpint(umadrig_node_set(fabric, "H1", true), ==, 0);
	say_gone(&rig);
	add(&rig);
	stop(&rig);
}

/* A driver that reads nothing loses packets; the server does not wait for it. */
static void test_deaf(void)
{
	struct message question = ask(1);
	struct rig rig;

	start(&rig, "", "H1");
	bring_up(&rig);
	for (int i = 0; i < 2000; i++) {
		say(&rig, &question, MAD_SIZE);
		g_assert_cmpint(server_step(rig.server, 0), ==, 0);
	}
	g_assert_cmpint(server_fabric(rig.server)->dropped, >, 0);
	expect(&rig, UMADRIG_HCA_MAD);
	assert_node(&rig, 0x0002c90300000010);
	stop(&rig);
}

/* ---- drivers that end, and wrong ones ---- */

static bool is_over(const struct rig *rig)
{
	return hca_machine_fd(server_fabric(rig->server)->machine) < 0;
}

/* Waits until the server has given it up. */
static void end_by(struct rig *rig)
{
	for (int i = 0; i < STEPS && !is_over(rig); i++)
		g_assert_cmpint(server_step(rig->server, 10), ==, 0);
	g_assert_true(is_over(rig));
	/* The hosts have no power; the others go on. */
	g_assert_true(fabric_find(server_fabric(rig->server), "H1")->removed);
	g_assert_cmpint(umadrig_port_state(server_fabric(rig->server), "H2", 1), ==, 1);
	g_assert_cmpint(server_step(rig->server, 1), ==, 0);
}

static void test_end(void)
{
	struct rig rig;

	start(&rig, "", "H1");
	bring_up(&rig);
	close(rig.fd);
	rig.fd = -1;
	end_by(&rig);
	g_assert_cmpint(umadrig_node_set(server_fabric(rig.server), "H1", true), ==, 0);
	g_assert_cmpint(server_step(rig.server, 1), ==, 0);
	stop(&rig);
}

struct lie {
	const char *name;
	struct umadrig_hca_header header;	/* after it has come up */
	size_t size;				/* with what is sent; 0: as the header says */
	bool is_early;				/* instead of READY */
};

static const struct lie lies[] = {
	{ "version", { .type = UMADRIG_HCA_READY, .version = 99, .length = HEADER }, HEADER, true },
	{ "short", { .type = UMADRIG_HCA_READY }, HEADER - 1, true },
	{ "length", { .type = UMADRIG_HCA_READY, .length = HEADER + 1 }, HEADER, false },
	{ "less", { .type = UMADRIG_HCA_READY, .length = HEADER - 1 }, HEADER, false },
	{ "rest", { .type = UMADRIG_HCA_READY, .length = HEADER }, HEADER + 1, false },
	{ "type", { .type = 63, .length = HEADER }, HEADER, false },
	{ "guest", { .type = UMADRIG_GUEST_READY, .length = HEADER }, HEADER, false },
	{ "number", { .type = UMADRIG_HCA_GONE, .hca = 64, .length = HEADER }, HEADER, false },
	{ "hello", { .type = UMADRIG_HCA_HELLO, .length = HEADER }, HEADER, false },
	{ "mad", { .type = UMADRIG_HCA_MAD, .port = 1, .length = HEADER + 24 }, HEADER + 24,
	  false },
	{ "query", { .type = UMADRIG_HCA_QUERY, .port = 1, .length = HEADER }, HEADER, false },
	{ "description", { .type = UMADRIG_HCA_NODE_DESCRIPTION, .length = HEADER + 3 },
	  HEADER + 3, false },
};

static void test_lie(gconstpointer data)
{
	const struct lie *lie = data;
	struct message message = { .header = lie->header };
	struct rig rig;

	start(&rig, "", "H1");
	if (!lie->is_early)
		bring_up(&rig);
	if (message.header.version == 0)
		message.header.version = UMADRIG_HCA_VERSION;
	message.header.length = GUINT32_TO_LE(message.header.length);
	say_raw(&rig, &message, lie->size);
	end_by(&rig);
	stop(&rig);
}

/* What is of no port, or of none of its HCAs, ends nothing. */
static void test_strays(void)
{
	static const struct umadrig_hca_header strays[] = {
		{ .type = UMADRIG_HCA_MAD, .hca = 0, .port = 2 },
		{ .type = UMADRIG_HCA_MAD, .hca = 0, .port = 200 },
		{ .type = UMADRIG_HCA_QUERY, .hca = 5, .port = 1 },
		{ .type = UMADRIG_HCA_GONE, .hca = 0 },
		{ .type = UMADRIG_HCA_GONE, .hca = 63 },
		{ .type = UMADRIG_HCA_VIOLATION, .hca = 0, .port = 1 },
		{ .type = UMADRIG_HCA_COUNTERS, .hca = 0, .port = 1 },
	};
	struct umadrig_hca_description none = { .ports = 200 };
	struct message question = ask(1);
	struct rig rig;

	start(&rig, "", "H1");
	bring_up(&rig);
	for (size_t i = 0; i < G_N_ELEMENTS(strays); i++) {
		struct message message = { .header = strays[i] };

		say(&rig, &message, 0);
	}
	memset(none.name, 'x', sizeof(none.name));
	say_hello(&rig, 0, &none, NULL, 0);
	say_hello(&rig, 63, &none, NULL, 0);
	say_hello(&rig, 63, &none, NULL, EINVAL);
	say(&rig, &question, MAD_SIZE);
	expect(&rig, UMADRIG_HCA_MAD);
	g_assert_false(is_over(&rig));
	stop(&rig);
}

/* ---- refusals ---- */

static void assert_refused(const char *spec, const char *hosts, const char *device, int ret,
			   const char *part)
{
	g_autofree char *socket = g_build_filename(work, "socket", NULL);
	char message[512] = "";
	struct server *server = server_new(spec, socket, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_cmpint(server_take_hosts(server, hosts, device, message, sizeof(message)), ==,
			ret);
	if (!strstr(message, part))
		g_error("'%s' lacks '%s'", message, part);
	server_free(server);
}

static void test_refusals(void)
{
	g_autofree char *none = g_build_filename(work, "none", NULL);
	g_autofree char *file = g_build_filename(work, "file", NULL);
	g_autofree char *deaf = g_build_filename(work, "deaf", NULL);
	int listener = listen_at(deaf);

	close(listener);
	g_assert_true(g_file_set_contents(file, "", 0, NULL));
	assert_refused("", "H1", none, -ENOENT, "'modprobe umadrig_hca' as root; umadrig-hca(4)");
	assert_refused("", "H1", file, -ENOTTY, "is neither a character device nor a socket");
	assert_refused("", "H1", deaf, -ECONNREFUSED, "nobody listens there");
	assert_refused("", "H1", "/dev/null", -EPERM, "is not the device of the driver");
	assert_refused("", "H3", none, -ENOENT, "there is no host 'H3'");
	assert_refused("", "H1,", none, -ENOENT, "there is no host ''");
	assert_refused("", "H1,H2,H1", none, -EINVAL, "it is named twice");
	assert_refused("generate:fat-tree:4", "leaf-0", none, -EINVAL,
		       "a switch has no driver there");
	g_unlink(file);
	g_unlink(deaf);
}

int main(int argc, char **argv)
{
	int status;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	work = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	g_assert_nonnull(work);
	g_test_add_func("/hca-machine/session", test_session);
	g_test_add_func("/hca-machine/next-session", test_next_session);
	g_test_add_func("/hca-machine/names", test_names);
	g_test_add_func("/hca-machine/packets", test_packets);
	g_test_add_func("/hca-machine/changes", test_changes);
	g_test_add_func("/hca-machine/deaf", test_deaf);
	g_test_add_func("/hca-machine/end", test_end);
	g_test_add_func("/hca-machine/strays", test_strays);
	g_test_add_func("/hca-machine/refusals", test_refusals);
	for (size_t i = 0; i < G_N_ELEMENTS(lies); i++) {
		g_autofree char *name = g_strconcat("/hca-machine/lies/", lies[i].name, NULL);

		g_test_add_data_func(name, &lies[i], test_lie);
	}
	status = g_test_run();
	g_rmdir(work);
	g_free(work);
	return leak_end(status);
}
