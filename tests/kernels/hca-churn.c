/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * hca-churn: umadrig_hca comes and goes under load, and its fabric is killed, started again, and
 * hostile. The first program of the guest of check-hca-module, on a kernel that looks at everything
 * (tests/kernels/module.config). What the kernel says in the meantime is what is looked for.
 *
 * In the environment, which is the kernel's command line: churn_cycles (200), churn_seed (1). The
 * module is /umadrig_hca.ko. Prints lines of TAP on the console, "# kernel: TEXT" for what the
 * kernel has said, "# N of M" now and then, and at last the plan; then it switches the machine off.
 *
 * The same seed draws the same messages, but not the same order of threads.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <rdma/ib_user_mad.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "tests/kernels/module-machine.h"

enum {
	HCAS = 4,
	USERS = 3,			/* programs with umad files */
	SAY_CYCLES = 10,
	MAD_SIZE = UMADRIG_HCA_MAD_SIZE,
	HEADER = sizeof(struct umadrig_hca_header),
	UMAD = sizeof(struct ib_user_mad),
};

/* ---- chance: each process draws from its own ---- */

static uint64_t state;

/* xorshift64* (Vigna: "An experimental exploration of Marsaglia's xorshift generators"). */
static uint64_t draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL;
}

static uint64_t below(uint64_t limit)
{
	return (draw() >> 16) % limit;
}

static bool hits(uint64_t one_in)
{
	return below(one_in) == 0;
}

static void seed(uint64_t with, uint64_t who)
{
	state = (with * 1000003 + who + 1) * 0x9e3779b97f4a7c15ULL | 1;
}

static void fill(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(hits(3) ? draw() : 0);
}

/* ---- the fabric ---- */

struct message {
	struct umadrig_hca_header header;
	uint8_t payload[UMADRIG_HCA_UP_MAX - HEADER];
};

static struct message *new_message(struct message *message, uint8_t type, uint8_t hca,
				   uint8_t port, size_t payload)
{
	memset(message, 0, sizeof(*message));
	message->header.length = htole32((uint32_t)(HEADER + payload));
	message->header.version = UMADRIG_HCA_VERSION;
	message->header.type = type;
	message->header.hca = hca;
	message->header.port = port;
	return message;
}

/* One in 'hostility' is damaged; 0: none is. */
static void send_down(int fd, struct message *message, unsigned int hostility)
{
	size_t size = le32toh(message->header.length);

	if (hostility && hits(hostility)) {
		uint8_t *bytes = (uint8_t *)message;

		for (uint64_t i = 1 + below(4); i > 0; i--)
			bytes[below(hits(2) ? HEADER : size)] = (uint8_t)draw();
		if (hits(4))
			size = below(UMADRIG_HCA_DOWN_MAX + 64);
		if (hits(2))
			message->header.length = htole32((uint32_t)size);
	}
	if (write(fd, message, size) < 0)
		return;
}

static void add(int fd, uint8_t number, unsigned int hostility)
{
	struct message message;
	struct umadrig_hca_description *hca = (struct umadrig_hca_description *)message.payload;

	new_message(&message, UMADRIG_HCA_ADD, number, 0, sizeof(*hca));
	hca->node_guid = htobe64(0x100 + number);
	hca->system_guid = hca->node_guid;
	hca->ports = (uint8_t)(1 + below(UMADRIG_HCA_PORTS_MAX));
	for (int i = 0; i < hca->ports; i++)
		hca->port_guids[i] = htobe64(0x1000u + number * 16u + (unsigned int)i);
	hca->pkeys = htole16((uint16_t)(1 + below(UMADRIG_HCA_PKEYS_MAX)));
	hca->gids = (uint8_t)(1 + below(UMADRIG_HCA_GIDS_MAX));
	hca->node_type = 1;
	if (hits(3))
		snprintf(hca->name, sizeof(hca->name), "mine%u", number);
	send_down(fd, &message, hostility);
}

static void set_port(int fd, uint8_t number, uint8_t port, unsigned int hostility)
{
	struct message message;
	struct umadrig_hca_port *attributes = (struct umadrig_hca_port *)message.payload;

	new_message(&message, UMADRIG_HCA_PORT, number, port, sizeof(*attributes));
	message.header.flags = hits(2) ? UMADRIG_HCA_FLAG_REREGISTER : 0;
	attributes->prefix = htobe64(0xfe80000000000000ULL + below(2));
	attributes->lid = htole16((uint16_t)(1 + number * 2 + port + 16 * below(2)));
	attributes->sm_lid = htole16((uint16_t)(1 + below(4)));
	attributes->lmc = (uint8_t)below(3);
	attributes->state = (uint8_t)(hits(4) ? 1 + below(4) : 4);
	attributes->physical_state = attributes->state > 1 ? 5 : 2;
	attributes->width = 2;
	attributes->mtu = attributes->mtu_max = 5;
	attributes->vls = 4;
	attributes->speed = htole16(32);
	attributes->max_message_size = htole32(1u << 30);
	send_down(fd, &message, hostility);
}

static void set_tables(int fd, uint8_t number, uint8_t port, unsigned int hostility)
{
	struct message message;
	uint16_t pkeys[] = { htole16(0xffff), htole16((uint16_t)draw()) };
	uint64_t guids[] = { htobe64(below(4)), htobe64(below(4)) };

	new_message(&message, UMADRIG_HCA_PKEYS, number, port, sizeof(pkeys));
	memcpy(message.payload, pkeys, sizeof(pkeys));
	send_down(fd, &message, hostility);
	new_message(&message, UMADRIG_HCA_GIDS, number, port, sizeof(guids));
	memcpy(message.payload, guids, sizeof(guids));
	send_down(fd, &message, hostility);
	send_down(fd, new_message(&message, UMADRIG_HCA_COUNTERS, number, port, 0), hostility);
}

static void draw_mad(uint8_t mad[MAD_SIZE])
{
	static const uint8_t classes[] = { 0x01, 0x81, 0x03, 0x04, 0x06, 0x07, 0x09, 0x30 };
	static const uint8_t methods[] = { 0x01, 0x02, 0x12, 0x81, 0x92, 0x05 };

	fill(mad, MAD_SIZE);
	mad[0] = 1;
	mad[1] = classes[below(sizeof(classes))];
	mad[2] = mad[1] == 0x03 ? 2 : 1;
	mad[3] = methods[below(sizeof(methods))];
	/* RMPP: version, DATA, ACK, STOP or ABORT, flags; the segment's number. */
	if (hits(2)) {
		mad[24] = 1;
		mad[25] = (uint8_t)(1 + below(4));
		mad[26] = (uint8_t)(1 + below(8));
		mad[27] = 0;
		memset(mad + 28, 0, 8);
		mad[31] = (uint8_t)below(6);
		mad[35] = (uint8_t)below(80);
	}
	/* A response to oneself with the number of ib_sa's agent ends Linux (upstream-bugs.md). */
	if (mad[3] & 0x80 && mad[11] < 8)
		mad[10] = 1;
}

static void inject(int fd, uint8_t number, uint8_t port, unsigned int hostility)
{
	struct message message;
	bool has_grh = hits(8);
	uint8_t *mad = message.payload + (has_grh ? UMADRIG_HCA_GRH_SIZE : 0);

	new_message(&message, UMADRIG_HCA_MAD, number, port,
		    MAD_SIZE + (has_grh ? UMADRIG_HCA_GRH_SIZE : 0));
	draw_mad(mad);
	message.header.flags = has_grh ? UMADRIG_HCA_FLAG_GRH : 0;
	message.header.destination_qp = htole32(mad[1] == 0x01 || mad[1] == 0x81 ? 0 : 1);
	message.header.source_qp = message.header.destination_qp;
	message.header.qkey = htole32(message.header.destination_qp ? 0x80010000 : 0);
	message.header.slid = htole16((uint16_t)(1 + below(16)));
	message.header.dlid = htole16((uint16_t)(1 + below(16)));
	message.header.pkey = htole16(0xffff);
	send_down(fd, &message, hostility);
}

/* What came up: a question has an answer, mostly; a packet arrives at some port. */
static void take_up(int fd, const struct message *up, unsigned int hostility)
{
	struct message down = *up;

	if (up->header.type == UMADRIG_HCA_QUERY && !hits(16)) {
		down.header.type = UMADRIG_HCA_REPLY;
		down.header.value = htole32(UMADRIG_HCA_RESULT_SUCCESS | UMADRIG_HCA_RESULT_REPLY);
		down.payload[3] |= 0x80;
		send_down(fd, &down, hostility);
	} else if (up->header.type == UMADRIG_HCA_MAD) {
		down.header.hca = (uint8_t)below(HCAS);
		down.header.port = (uint8_t)(1 + below(2));
		if (hits(2))
			down.payload[3] ^= 0x80;
		send_down(fd, &down, hostility);
	}
}

static void read_up(int fd, unsigned int hostility)
{
	static uint8_t buf[8 * UMADRIG_HCA_UP_MAX];
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	struct message up;
	ssize_t size;

	if (poll(&ready, 1, 1) <= 0)
		return;
	size = read(fd, buf, hits(32) ? below(100) : sizeof(buf));
	for (ssize_t at = 0; at + HEADER <= size; at += (ssize_t)le32toh(up.header.length)) {
		memset(&up, 0, sizeof(up));
		memcpy(&up, buf + at, (size_t)(size - at) < sizeof(up) ? (size_t)(size - at) :
									 sizeof(up));
		take_up(fd, &up, hostility);
	}
}

static void change(int fd, unsigned int hostility)
{
	uint8_t number = (uint8_t)below(HCAS), port = (uint8_t)(1 + below(2));
	struct message message;

	switch (below(16)) {
	case 0:
		send_down(fd, new_message(&message, UMADRIG_HCA_REMOVE, number, 0, 0), hostility);
		break;
	case 1:
	case 2:
		add(fd, number, hostility);
		break;
	case 3:
	case 4:
	case 5:
		set_port(fd, number, port, hostility);
		break;
	case 6:
	case 7:
		set_tables(fd, number, port, hostility);
		break;
	default:
		inject(fd, number, port, hostility);
	}
}

/* Until it is killed. Two at once have the file. */
static void be_fabric(uint64_t with)
{
	unsigned int hostility = 0;
	int fd;

	seed(with, 100);
	hostility = hits(2) ? 0 : (unsigned int)(1 + below(8));
	fd = open("/dev/umadrig_hca", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		_exit(1);
	for (uint8_t number = 0; number < HCAS; number++)
		add(fd, number, 0);
	if (fork() == 0)
		seed(with, 101);
	for (uint8_t number = 0; number < HCAS; number++) {
		set_port(fd, number, 1, 0);
		set_port(fd, number, 2, 0);
	}
	for (;;) {
		read_up(fd, hostility);
		for (uint64_t i = below(8); i > 0; i--)
			change(fd, hostility);
	}
}

/* ---- load: programs of the machine ---- */

/* No issmN: to open one while its adapter goes ends Linux (doc/upstream-bugs.md). */
static int open_some(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/infiniband/umad%u", (unsigned int)below(2 * HCAS));
	return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

static void write_some(int fd)
{
	static uint8_t buf[UMAD + 4000];
	struct ib_user_mad *umad = (struct ib_user_mad *)(void *)buf;
	size_t size = UMAD + (hits(4) ? below(4000) : MAD_SIZE);

	memset(buf, 0, sizeof(buf));
	umad->hdr.id = (uint32_t)below(3);
	umad->hdr.timeout_ms = (uint32_t)below(20);
	umad->hdr.retries = (uint32_t)below(3);
	umad->hdr.qkey = htobe32(0x80010000);
	umad->hdr.lid = htobe16((uint16_t)(1 + below(16)));
	draw_mad(buf + UMAD);
	umad->hdr.qpn = htobe32(buf[UMAD + 1] == 0x01 || buf[UMAD + 1] == 0x81 ? 0 : 1);
	if (write(fd, buf, size) < 0)
		return;
}

static void use_file(int fd)
{
	static const uint8_t classes[] = { 0x01, 0x81, 0x03, 0x04, 0x06, 0x09 };
	uint8_t buf[UMAD + MAD_SIZE];
	struct ib_user_mad_reg_req2 wish;

	for (uint64_t i = below(40); i > 0; i--) {
		if (hits(6)) {
			memset(&wish, 0, sizeof(wish));
			wish.mgmt_class = classes[below(sizeof(classes))];
			wish.qpn = wish.mgmt_class == 0x01 || wish.mgmt_class == 0x81 ? 0 : 1;
			wish.mgmt_class_version = wish.mgmt_class == 0x03 ? 2 : 1;
			wish.rmpp_version = wish.mgmt_class == 0x03 || wish.mgmt_class == 0x09;
			wish.method_mask[0] = hits(2) ? 0x6 : 0;
			ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &wish);
		}
		write_some(fd);
		if (read(fd, buf, sizeof(buf)) < 0 && errno == EIO)
			return;
	}
}

static void be_user(uint64_t number)
{
	seed(state, number);
	for (;;) {
		int fd = open_some();

		if (fd < 0) {
			nap(500);
			continue;
		}
		use_file(fd);
		if (hits(3))
			nap(below(3000));
		close(fd);
	}
}

static void read_file(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (read(fd, text, sizeof(text)) < 0)
		text[0] = '\0';
	close(fd);
}

static void be_reader(void)
{
	static const char *const what[] = {
		"/sys/class/infiniband/*/ports/*/*", "/sys/class/infiniband/*/ports/*/gids/0",
		"/sys/class/infiniband/*/ports/*/pkeys/0", "/sys/class/infiniband/*/*",
		"/sys/class/infiniband/*/ports/*/counters/port_xmit_data",
		"/sys/class/infiniband_mad/*/*",
	};

	for (;;) {
		glob_t found;

		for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
			if (glob(what[i], 0, NULL, &found) != 0)
				continue;
			for (size_t k = 0; k < found.gl_pathc; k++)
				read_file(found.gl_pathv[k]);
			globfree(&found);
		}
		if (glob("/sys/class/infiniband/*/node_desc", 0, NULL, &found) == 0) {
			for (size_t k = 0; k < found.gl_pathc; k++)
				put_text(found.gl_pathv[k], "another description");
			globfree(&found);
		}
		nap(1000);
	}
}

/* ---- cycles ---- */

/* Its process group is killed, at any moment of it. */
static void kill_fabric(pid_t fabric)
{
	kill(-fabric, SIGKILL);
	while (waitpid(-fabric, NULL, 0) > 0)
		continue;
}

static pid_t start_fabric(uint64_t with)
{
	pid_t fabric = fork();

	if (fabric == 0) {
		setpgid(0, 0);
		be_fabric(with);
	}
	setpgid(fabric, fabric);
	return fabric;
}

static bool has_hca(void)
{
	glob_t found;
	bool ret = glob("/sys/class/infiniband/*", 0, NULL, &found) == 0;

	if (ret)
		globfree(&found);
	return ret;
}

static void await_hca(void)
{
	for (int i = 0; i < 1000 && !has_hca(); i++)
		nap(1000);
}

/* Whether one HCA was there at least. Beside its fabric the module cannot be taken away. */
static bool run_sessions(uint64_t with, unsigned int *busy)
{
	bool ret = false;

	for (uint64_t i = 1 + below(3); i > 0; i--) {
		pid_t fabric = start_fabric(with * 8 + i);

		if (!hits(4))
			await_hca();
		nap(below(60000));
		/* Before it has opened the file, the module can go. */
		if (rmmod() == 0)
			insmod();
		else
			*busy += errno == EWOULDBLOCK || errno == EBUSY;
		ret |= has_hca();
		kill_fabric(fabric);
		if (hits(2))
			nap(below(5000));
	}
	return ret;
}

static void churn(uint64_t cycles, uint64_t with)
{
	unsigned int in = 0, out = 0, seen = 0, busy = 0;

	for (uint64_t i = 0; i < cycles; i++) {
		in += insmod() == 0;
		seen += run_sessions(with + i, &busy);
		out += take_away();
		hear_kernel();
		if ((i + 1) % SAY_CYCLES == 0)
			printf("# %u of %u\n", (unsigned int)(i + 1), (unsigned int)cycles);
	}
	check(in == cycles && out == cycles, "%u times in, %u times out, of %u", in, out,
	      (unsigned int)cycles);
	check(seen > cycles / 2, "with HCAs %u times", seen);
	check(busy > cycles / 2, "and not out under its fabric, %u times", busy);
}

/* ---- the machine ---- */

static pid_t start(void (*run)(uint64_t), uint64_t number)
{
	pid_t child = fork();

	if (child == 0)
		run(number);
	return child;
}

static void read_until_killed(uint64_t number)
{
	(void)number;
	be_reader();
}

int main(void)
{
	uint64_t cycles, with;
	pid_t load[USERS + 1];

	if (getpid() != 1) {
		fputs("hca-churn: the first program of a machine, by make check-hca-module\n",
		      stderr);
		return 2;
	}
	mount_all();
	cycles = number_of("churn_cycles", 200);
	with = number_of("churn_seed", 1);
	seed(with, 0);
	listen_to_kernel();
	for (uint64_t i = 0; i < USERS; i++)
		load[i] = start(be_user, i + 1);
	load[USERS] = start(read_until_killed, 0);
	churn(cycles, with);
	for (int i = 0; i <= USERS; i++) {
		kill(load[i], SIGKILL);
		waitpid(load[i], NULL, 0);
	}
	look_for_leaks();
	judge_kernel();
	machine_off();
	return 0;
}
