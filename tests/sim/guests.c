/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hosts that are guests, with a small program in the place of a kernel (tests/tools/fake-guest.c):
 * their time, their device, their programs, and guests that are not to be trusted.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kmod-stub/wire-crc.h"
#include "lib/base/wire.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/guest.h"
#include "sim/system/private-directory.h"
#include "tests/rig/leak.h"
#include "tests/rig/trees.h"

static const int64_t second_ns = INT64_C(1000000000);

static char *fake;
static char *work;	/* a directory */
static char *out;	/* a file there */

/* A kernel's file that is the small program in this mode; to be freed. */
static char *image_of(const char *mode)
{
	g_autofree char *text = g_strdup_printf("#!/bin/sh\nexec %s %s \"$@\"\n", fake, mode);
	g_autofree char *name = g_strconcat("guest-", mode, NULL);
	char *path = g_build_filename(work, name, NULL);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	g_assert_cmpint(g_chmod(path, 0700), ==, 0);
	return path;
}

static struct umadrig_fabric *open_fabric(const char *mode1, const char *mode2, const char *more)
{
	g_autofree char *one = image_of(mode1), *two = image_of(mode2);
	g_autofree char *spec = g_strdup_printf(",clock=virtual,kernel=H1:uml:%s,kernel=H2:uml:%s"
						"%s", one, two, more);
	char message[1024] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	return fabric;
}

static struct umadrig_program *start(struct umadrig_fabric *fabric, const char *host,
				     const char *command, int input)
{
	g_auto(GStrv) argv = g_strsplit(command, " ", -1);
	int output = open(out, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	const struct umadrig_program_setup setup = {
		.argv = (const char *const *)argv, .host = host, .directory = work,
		.input = input, .output = output, .errors = output,
	};
	struct umadrig_program *program = NULL;
	char message[512] = "";

	umadrig_program_start(fabric, &setup, &program, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	close(output);
	return program;
}

static int status_of(struct umadrig_program *program)
{
	int status = -1;

	g_assert_cmpint(umadrig_program_wait(program, 7200 * second_ns, &status), ==, 0);
	return status;
}

static int run(struct umadrig_fabric *fabric, const char *host, const char *command)
{
	return status_of(start(fabric, host, command, 0));
}

static void assert_printed(const char *expected)
{
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents(out, &text, NULL, NULL));
	g_assert_cmpstr(text, ==, expected);
	g_unlink(out);
}

/* ---- guests of good will ---- */

static void test_programs(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct umadrig_program *sleeper = start(fabric, "H1", "sleep 3600", 0);
	struct umadrig_program *shorter = start(fabric, "H1", "sleep 10", 0);

	g_assert_cmpint(run(fabric, "H1", "echo one"), ==, 0);
	g_assert_cmpint(run(fabric, "H2", "echo two"), ==, 0);
	g_assert_cmpint(WEXITSTATUS(run(fabric, "H2", "exit 7")), ==, 7);
	g_assert_cmpint(umadrig_now(fabric), <, second_ns);
	g_assert_cmpint(status_of(shorter), ==, 0);
	g_assert_cmpint(umadrig_now(fabric) / second_ns, ==, 10);
	g_assert_cmpint(umadrig_program_signal(sleeper, SIGTERM), ==, 0);
	g_assert_cmpint(status_of(sleeper), ==, SIGTERM);
	g_assert_cmpint(umadrig_program_signal(sleeper, SIGTERM), ==, -ESRCH);
	g_assert_cmpint(umadrig_now(fabric) / second_ns, ==, 10);
	assert_printed("one\ntwo\n");
	umadrig_fabric_close(fabric);
}

/* A signal that comes before the guest is up ends what has not begun. */
static void test_early_signal(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct umadrig_program *program = start(fabric, "H1", "sleep 3600", 0);

	g_assert_cmpint(umadrig_program_signal(program, SIGCHLD), ==, 0);
	g_assert_cmpint(umadrig_program_signal(program, SIGTERM), ==, 0);
	g_assert_cmpint(status_of(program), ==, SIGTERM);
	g_assert_cmpint(run(fabric, "H1", "echo on"), ==, 0);
	g_assert_cmpint(umadrig_now(fabric), <, second_ns);
	assert_printed("on\n");
	umadrig_fabric_close(fabric);
}

static void assert_faults(const char *expected)
{
	g_autofree char *faults = umadrig_kernel_faults();

	g_assert_cmpstr(faults, ==, expected);
}

static void assert_fault_count(unsigned int count, const char *last)
{
	g_autofree char *faults = umadrig_kernel_faults();
	g_auto(GStrv) lines = g_strsplit(faults, "\n", -1);

	g_assert_cmpuint(g_strv_length(lines) - 1, ==, count + 1);
	g_assert_true(g_str_has_suffix(faults, last));
}

/* What a kernel complains of is a fault of it; what it only says is none. */
static void test_complaints(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct guest *guest = guest_set_find(fabric_host(fabric, "H1"));
	struct stat status;

	g_assert_cmpint(run(fabric, "H1", "log <6>a_device:_WARNING:_none"), ==, 0);
	assert_faults(NULL);
	g_assert_cmpint(run(fabric, "H1", "log <4>WARNING:_CPU:_0_at_one"), ==, 0);
	assert_faults("the guest's console: WARNING: CPU: 0 at one, at H1\n");
	g_assert_cmpint(run(fabric, "H2", "part [____0.010000]_BUG:_KA"), ==, 0);
	assert_faults(NULL);
	g_assert_cmpint(run(fabric, "H2", "log SAN:_two"), ==, 0);
	g_assert_cmpint(run(fabric, "H1", "log <6>RIP:_0033:act+0x2c/0x90"), ==, 0);
	g_assert_cmpint(run(fabric, "H1", "part Kernel_panic_-_not_syncing:_three"), ==, 0);
	assert_faults("the guest's console: BUG: KASAN: two, at H2\n");
	/* A guest that says much fills no disk. */
	g_assert_cmpint(run(fabric, "H1", "log "), ==, 0);
	assert_faults("the guest's console: Kernel panic - not syncing: three, in act+0x2c/0x90, "
		      "at H1\n");
	g_assert_cmpint(run(fabric, "H1", "fill 100000"), ==, 0);
	g_assert_cmpint(fstat(guest->console.fd, &status), ==, 0);
	g_assert_cmpint(status.st_size, <, GUEST_CONSOLE_MAX);
	g_assert_cmpint(run(fabric, "H1", "log UBSAN:_behind"), ==, 0);
	assert_faults("the guest's console: UBSAN: behind, at H1\n");
	/* Nor does one that complains much leave no room for others. */
	g_assert_cmpint(run(fabric, "H1", "fill 100000 WARNING:_again"), ==, 0);
	g_assert_cmpint(run(fabric, "H2", "log BUG:_other"), ==, 0);
	umadrig_fabric_close(fabric);
	assert_fault_count(GUEST_COMPLAINTS_MAX - 3, "BUG: other, at H2\n");
}

/* Another goes on where one writes to its console for ever. */
static void test_flood(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");

	g_assert_cmpint(run(fabric, "H1", "fill 100000000"), ==, SIGKILL);
	g_assert_cmpint(WEXITSTATUS(run(fabric, "H2", "exit 3")), ==, 3);
	umadrig_fabric_close(fabric);
}

static void test_input(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	g_autofree char *path = g_build_filename(work, "in", NULL);
	g_autofree char *text = g_strnfill(200000, 'x');
	g_autofree char *got = NULL;
	int input;

	for (size_t i = 99; i < 200000; i += 100)
		text[i] = '\n';
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	input = open(path, O_RDONLY | O_CLOEXEC);
	g_assert_cmpint(status_of(start(fabric, "H1", "cat", input)), ==, 0);
	close(input);
	g_assert_true(g_file_get_contents(out, &got, NULL, NULL));
	g_assert_true(strcmp(got, text) == 0);
	g_unlink(out);
	umadrig_fabric_close(fabric);
}

static struct umadrig_program *start_piped(struct umadrig_fabric *fabric, const char *command,
					   int output)
{
	g_auto(GStrv) argv = g_strsplit(command, " ", -1);
	const struct umadrig_program_setup setup = {
		.argv = (const char *const *)argv, .host = "H1", .directory = work,
		.output = output, .errors = output,
	};
	struct umadrig_program *program = NULL;
	char message[512] = "";

	umadrig_program_start(fabric, &setup, &program, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	return program;
}

static size_t read_all(int fd)
{
	char bytes[65536];
	size_t size = 0;
	ssize_t got;

	g_assert_cmpint(fcntl(fd, F_SETFL, O_NONBLOCK), ==, 0);
	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		size += (size_t)got;
	g_assert_cmpint(got, ==, got < 0 ? -1 : 0);
	return size;
}

/* Nobody waits for a reader; what has no room comes later; one that has gone is as with a pipe. */
static void test_output(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	size_t size = 0;
	int ends[2];

	g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
	g_assert_cmpint(status_of(start_piped(fabric, "spill 300000", ends[1])), ==, 0);
	close(ends[1]);
	for (int i = 0; i < 20 && size < 300000; i++) {
		size += read_all(ends[0]);
		umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	}
	g_assert_cmpint(size, ==, 300000);
	g_assert_cmpint(read(ends[0], &size, 1), ==, 0);	/* its end came, too */
	close(ends[0]);

	g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
	close(ends[0]);
	g_assert_cmpint(status_of(start_piped(fabric, "spill 300000", ends[1])), ==, SIGPIPE);
	close(ends[1]);
	umadrig_fabric_close(fabric);
}

/* Input that comes while the guest is free to go on by itself comes when that is over. */
static void test_late_input(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct umadrig_program *reader, *sleeper = start(fabric, "H1", "sleep 5", 0);
	int ends[2];

	g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
	reader = start(fabric, "H1", "cat", ends[0]);
	close(ends[0]);
	umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	g_assert_cmpint(write(ends[1], "later\n", 6), ==, 6);
	umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	assert_printed("later\n");
	close(ends[1]);
	g_assert_cmpint(status_of(reader), ==, 0);
	g_assert_cmpint(status_of(sleeper), ==, 0);
	g_assert_cmpint(umadrig_now(fabric) / second_ns, ==, 5);
	umadrig_fabric_close(fabric);
}

/* The HCA's own agents, and one guest and another. */
static void test_packets(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");

	g_assert_cmpint(run(fabric, "H1", "state"), ==, 0);
	g_assert_cmpint(run(fabric, "H1", "ask 2"), ==, 0);
	g_assert_cmpint(run(fabric, "H1", "call 2"), ==, 0);
	g_assert_cmpint(run(fabric, "H2", "call 2"), ==, 0);
	assert_printed("state 4 lid 1 sm_lid 2\n"
		       "class 0x04 method 0x81 from 2 at 1000000\n"
		       "class 0x32 method 0x82 from 2 at 1000000\n"
		       "class 0x32 method 0x82 from 2 at 1000000\n");
	umadrig_fabric_close(fabric);
}

/* What a tap has seen of datagrams that are no MADs. */
struct seen {
	size_t packets;
	size_t size;		/* of the last one */
	bool is_sound;
};

static void look_at(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct seen *seen = ctx;
	size_t icrc_at = size - ICRC_SIZE - VCRC_SIZE;
	uint32_t icrc = wire_icrc(bytes, icrc_at);
	uint16_t vcrc = wire_crc16(bytes, size - VCRC_SIZE);

	(void)at_ns;
	if (outbound || get_be24(bytes + LRH_SIZE + BTH_DESTQP) < 2)
		return;
	seen->packets++;
	seen->size = size;
	seen->is_sound = get_be16(bytes + LRH_PKTLEN) * 4U + VCRC_SIZE == size &&
			 memcmp(bytes + icrc_at, &(uint32_t){ GUINT32_TO_LE(icrc) }, 4) == 0 &&
			 memcmp(bytes + size - 2, &(uint16_t){ GUINT16_TO_LE(vcrc) }, 2) == 0;
}

/* Packets that are no MADs, of all lengths, between QPs of guests. */
static void test_datagrams(void)
{
	static const size_t sizes[] = { 0, 1, 255, 256, 257, 293, 294, 300, 975, 976, 977, 2048,
					4095, 4096 };
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct seen seen = { 0 };

	umadrig_tap(umadrig_port(fabric, "H2", 1), look_at, &seen);
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		struct umadrig_program *hears = start(fabric, "H2", "hear", 0);
		g_autofree char *send = g_strdup_printf("send 2 80 %zu", sizes[i]);
		g_autofree char *expected = g_strdup_printf(
			"%zu bytes, 0 wrong, from 1 QP70 to QP80, qkey 0x1234, pkey 0xffff, "
			"psn 9\n", sizes[i]);

		umadrig_step(fabric, umadrig_now(fabric) + second_ns);
		g_assert_cmpint(run(fabric, "H1", send), ==, 0);
		g_assert_cmpint(status_of(hears), ==, 0);
		assert_printed(expected);
		g_assert_cmpuint(seen.packets, ==, i + 1);
		g_assert_cmpuint(seen.size, ==, LRH_SIZE + BTH_SIZE + DETH_SIZE +
				 ((sizes[i] + 3) & ~(size_t)3) + ICRC_SIZE + VCRC_SIZE);
		g_assert_true(seen.is_sound);
	}
	umadrig_tap(umadrig_port(fabric, "H2", 1), NULL, NULL);
	umadrig_fabric_close(fabric);
}

/* On their way the same happens to them as to all packets: each of these does not arrive. */
static void test_lost_datagrams(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct umadrig_program *hears = start(fabric, "H2", "hear", 0);
	struct port *port;

	umadrig_step(fabric, second_ns);
	g_assert_cmpint(umadrig_console(fabric, "fault add drop all", NULL), ==, 0);
	g_assert_cmpint(run(fabric, "H1", "send 2 80 2000"), ==, 0);
	umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	g_assert_cmpint(umadrig_console(fabric, "fault remove all", NULL), ==, 0);
	/* Bits that flip anywhere are found by the CRCs. */
	g_assert_cmpint(umadrig_console(fabric, "fault add corrupt all", NULL), ==, 0);
	g_assert_cmpint(run(fabric, "H1", "send 2 80 2000"), ==, 0);
	umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	g_assert_cmpint(umadrig_counter(fabric, "H2", 1, "PortRcvErrors"), >, 0);
	g_assert_cmpint(umadrig_console(fabric, "fault remove all", NULL), ==, 0);
	/* The MTU of the link. */
	g_assert_cmpint(fabric_enter(fabric), ==, 0);
	port = &fabric_host(fabric, "H1")->nodes[0]->ports[1];
	port->neighbor_mtu = 1;
	fabric_leave(fabric);
	g_assert_cmpint(run(fabric, "H1", "send 2 80 257"), ==, 0);
	umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	g_assert_cmpint(umadrig_counter(fabric, "H1", 1, "PortNeighborMTUDiscards"), ==, 1);
	/* Two for one: both come, and the first is what is heard. */
	g_assert_cmpint(umadrig_console(fabric, "fault add duplicate all", NULL), ==, 0);
	g_assert_cmpint(run(fabric, "H1", "send 2 81 256"), ==, 0);
	g_assert_cmpint(status_of(hears), ==, 0);
	assert_printed("256 bytes, 0 wrong, from 1 QP70 to QP81, qkey 0x1234, pkey 0xffff, "
		       "psn 9\n");
	umadrig_fabric_close(fabric);
}

static char *capture_of(const char *name, const char *more)
{
	g_autofree char *path = g_build_filename(work, name, NULL);
	g_autofree char *option = g_strdup_printf("%s,capture=%s", more, path);
	struct umadrig_fabric *fabric = open_fabric("good", "good", option);
	struct umadrig_program *one, *two;
	g_autofree char *bytes = NULL;
	gsize size = 0;

	umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	one = start(fabric, "H1", "call 2", 0);
	two = start(fabric, "H2", "call 1", 0);
	g_assert_cmpint(status_of(one), ==, 0);
	g_assert_cmpint(status_of(two), ==, 0);
	umadrig_fabric_close(fabric);
	g_unlink(out);
	g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
	g_unlink(path);
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, size);
}

static void test_same_twice(void)
{
	g_autofree char *one = capture_of("same.pcapng", "");
	g_autofree char *again = capture_of("same.pcapng", "");

	g_assert_cmpstr(one, ==, again);
	for (int seed = 1; seed < 9; seed++) {
		g_autofree char *more = g_strdup_printf(",schedule=%d", seed);
		g_autofree char *seeded = capture_of("same.pcapng", more);
		g_autofree char *twice = capture_of("same.pcapng", more);

		g_assert_cmpstr(seeded, ==, twice);
	}
}

static void power(struct umadrig_fabric *fabric, const char *host, bool on)
{
	struct guest *guest;

	g_assert_cmpint(fabric_enter(fabric), ==, 0);
	guest = guest_set_find(fabric_host(fabric, host));
	if (on)
		guest_restore(guest);
	else
		guest_cut(guest, NULL);
	fabric_leave(fabric);
}

/* Files of a guest, open out here: each call is one in there, at one instant. */
static void test_files(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct umadrig_port *port = umadrig_port(fabric, "H1", 1);
	struct umadrig_file *file, *others[7], *none;
	uint8_t request[28] = { 0 };
	uint8_t umad[320] = { [29] = 2, [64] = 1, [65] = 4, [66] = 1, [67] = 1 };
	uint8_t answer[320];

	g_assert_cmpint(umadrig_file_open(port, &file), ==, 0);
	g_assert_cmpint(umadrig_file_ioctl(file, 0xC01C1B01, request), ==, 0);
	g_assert_cmpint(request[0], ==, 5);
	g_assert_cmpint(umadrig_file_ioctl(file, 0xC01C1B01, NULL), ==, -EFAULT);
	g_assert_cmpint(umadrig_file_ioctl(file, 0x1234, request), ==, -ENOTTY);
	g_assert_cmpint(umadrig_file_read(file, answer, sizeof(answer)), ==, -EAGAIN);
	g_assert_cmpint(umadrig_file_write(file, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(umadrig_now(fabric), ==, 0);
	umadrig_step(fabric, second_ns);
	g_assert_cmpint(umadrig_file_poll(file) & POLLIN, ==, POLLIN);
	g_assert_cmpint(umadrig_file_read(file, answer, 100), ==, -ENOSPC);
	g_assert_cmpint(answer[64 + 1], ==, 4);
	g_assert_cmpint(umadrig_file_read(file, answer, sizeof(answer)), ==, sizeof(answer));
	g_assert_cmpint(answer[64 + 3], ==, 0x81);
	g_assert_cmpint(umadrig_file_poll(file) & POLLIN, ==, 0);
	for (size_t i = 0; i < 7; i++)
		g_assert_cmpint(umadrig_file_open(port, &others[i]), ==, 0);
	g_assert_cmpint(umadrig_file_open(port, &none), ==, -EMFILE);
	for (size_t i = 0; i < 7; i++)
		umadrig_file_close(others[i]);
	/* Of a host without power they are as of a device that was removed. */
	power(fabric, "H1", false);
	g_assert_cmpint(umadrig_file_poll(file), ==, POLLERR);
	g_assert_cmpint(umadrig_file_read(file, answer, sizeof(answer)), ==, -EIO);
	umadrig_file_close(file);
	umadrig_fabric_close(fabric);
}

static void test_power(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct umadrig_program *program = start(fabric, "H1", "sleep 3600", 0);
	struct umadrig_program_setup setup = {
		.argv = (const char *const[]){ "echo", NULL }, .host = "H1",
	};
	char message[512];

	umadrig_step(fabric, umadrig_now(fabric) + second_ns);
	g_assert_cmpint(umadrig_node_set(fabric, "H1", false), ==, 0);
	g_assert_cmpint(status_of(program), ==, SIGKILL);
	g_assert_cmpint(umadrig_program_start(fabric, &setup, &program, message, sizeof(message)),
			==, -EHOSTDOWN);
	g_assert_cmpint(run(fabric, "H2", "state"), ==, 0);
	g_assert_cmpint(umadrig_node_set(fabric, "H1", true), ==, 0);
	umadrig_step(fabric, 10 * second_ns);
	g_assert_cmpint(run(fabric, "H1", "state"), ==, 0);
	assert_printed("state 1 lid 2 sm_lid 2\nstate 2 lid 0 sm_lid 0\n");
	umadrig_fabric_close(fabric);
}

/* An adapter is pulled out of a guest, before it is up and while it runs, and put back. */
static void test_adapter(void)
{
	struct umadrig_fabric *fabric = open_fabric("good", "good", "");
	struct umadrig_port *port = umadrig_port(fabric, "H1", 1);
	struct umadrig_file *file = NULL;

	for (int i = 0; i < 3; i++) {
		g_assert_cmpint(umadrig_console(fabric, "device remove H1", NULL), ==, 0);
		if (i > 0)
			umadrig_step(fabric, umadrig_now(fabric) + second_ns);
		g_assert_cmpint(umadrig_file_open(port, &file), ==, -ENXIO);
		g_assert_cmpint(umadrig_console(fabric, "node on H1", NULL), ==, 0);
		umadrig_step(fabric, umadrig_now(fabric) + second_ns);
		g_assert_cmpint(umadrig_file_open(port, &file), ==, 0);
		if (i < 2)
			umadrig_file_close(file);
	}
	g_assert_cmpint(run(fabric, "H1", "state"), ==, 0);
	assert_printed("state 2 lid 0 sm_lid 0\n");
	umadrig_file_close(file);
	umadrig_fabric_close(fabric);
}

static void test_refusals(void)
{
	g_autofree char *image = image_of("good");
	struct {
		const char *options, *message;
	} rows[] = {
		{ ",kernel=H1:uml:%s", "has to be virtual" },
		{ ",clock=virtual,kernel=H7:uml:%s", "has no host 'H7'" },
		{ ",clock=virtual,kernel=uml:%s,kernel=H1:uml:/bin/true", "has a kernel already" },
		{ ",clock=virtual,kernel=H1:uml:%s.not", "is no kernel that runs as a program" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_auto(GStrv) parts = g_strsplit(rows[i].options, "%s", -1);
		g_autofree char *spec = g_strjoinv(image, parts);
		char message[1024] = "";

		g_assert_null(umadrig_fabric_open(spec, message, sizeof(message)));
		if (!strstr(message, rows[i].message))
			g_error("%s: %s", spec, message);
	}
}

/* ---- others ---- */

/* One goes wrong, in whatever way, and is ended; the other one does not notice. */
static void try_wrong(const char *mode)
{
	struct umadrig_fabric *fabric = open_fabric(mode, "good", "");
	static const char input_text[] = "some\n";
	g_autofree char *path = g_build_filename(work, "in", NULL);
	struct guest *guest;
	int input;

	g_assert_true(g_file_set_contents(path, input_text, -1, NULL));
	input = open(path, O_RDONLY | O_CLOEXEC);
	fabric->guests->patience_ms = 1000;
	fabric->guests->turns_max = 1000;
	start(fabric, "H1", "call 2", 0);
	start(fabric, "H1", "cat", input);
	close(input);
	umadrig_step(fabric, 20 * second_ns);
	g_assert_cmpint(run(fabric, "H2", "echo alive"), ==, 0);
	guest = guest_set_find(fabric_host(fabric, "H1"));
	if (guest->state != GUEST_OFF)
		g_error("%s: the guest lives on", mode);
	g_unlink(out);
	umadrig_fabric_close(fabric);
}

static void test_wrong(gconstpointer mode)
{
	try_wrong(mode);
}

static void test_death(void)
{
	for (int i = 1; i < 60; i++) {
		g_autofree char *mode = g_strdup_printf("die:%d", i);

		try_wrong(mode);
	}
}

static void add_wrongs(void)
{
	static const char *const modes[] = {
		"silent", "busy", "request-past", "update-back", "update-beyond", "time-op",
		"wait-twice", "not-start", "vhost-size", "vhost-request", "table-count",
		"table-fds", "region-outside", "ring-size", "ring-outside", "index-far", "head-far",
		"chain-circle", "chain-far", "indirect", "buffer-outside", "shrink", "length-says",
		"version", "type", "hca", "grh-short", "query-short", "taken-more", "program-none",
		"features", "config-long", "same-instant", "down-outside", "down-direction",
		"call-fds", "datagram-grh", "datagram-long", "datagram-far", "datagram-qp",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autofree char *name = g_strconcat("/guests/wrong/", modes[i], NULL);

		g_test_add_data_func(name, modes[i], test_wrong);
	}
}

int main(int argc, char **argv)
{
	int ret;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	fake = build_path("tests/tools/fake-guest");
	work = g_dir_make_tmp("guests-XXXXXX", NULL);
	out = g_build_filename(work, "out", NULL);
	g_setenv("UMADRIG_GUEST_INIT", fake, true);
	g_test_add_func("/guests/programs", test_programs);
	g_test_add_func("/guests/early-signal", test_early_signal);
	g_test_add_func("/guests/complaints", test_complaints);
	g_test_add_func("/guests/flood", test_flood);
	g_test_add_func("/guests/input", test_input);
	g_test_add_func("/guests/output", test_output);
	g_test_add_func("/guests/late-input", test_late_input);
	g_test_add_func("/guests/files", test_files);
	g_test_add_func("/guests/packets", test_packets);
	g_test_add_func("/guests/datagrams", test_datagrams);
	g_test_add_func("/guests/lost-datagrams", test_lost_datagrams);
	g_test_add_func("/guests/same-twice", test_same_twice);
	g_test_add_func("/guests/power", test_power);
	g_test_add_func("/guests/adapter", test_adapter);
	g_test_add_func("/guests/refusals", test_refusals);
	add_wrongs();
	g_test_add_func("/guests/death", test_death);
	ret = g_test_run();
	remove_tree(work);
	g_free(fake);
	g_free(work);
	g_free(out);
	return leak_end(ret);
}
