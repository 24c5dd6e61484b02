/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hosts of one fabric on different kernels: each object's calls go to the table of its own host,
 * and MADs go between them.
 */
#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <string.h>

#include "lib/base/umad-command.h"
#include "lib/base/user-header.h"
#include "sim/api/inside.h"
#include "sim/fabric/host.h"
#include "sim/host/device.h"
#include "sim/host/kernel.h"
#include "tests/rig/echo-kernel.h"
#include "tests/rig/leak.h"

enum {
	BYTES = USER_HEADER_SIZE + MAD_SIZE,
	LID_A = 1, LID_B = 2,
	VENDOR = 0x0b,			/* a class of vendors that no hardware answers */
	GET = 0x01, GET_RESP = 0x81,
	TIMEOUT_MS = 1000,
};

static const char net[] =
	"Hca 1 \"A\"\n[1] \"S\"[1]\n\nHca 1 \"B\"\n[1] \"S\"[2]\n\n"
	"Switch 2 \"S\"\n[1] \"A\"[1]\n[2] \"B\"[1]\n";

/* A on kmod-stub, B on the other kernel. */
static struct umadrig_fabric *mixed(void)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_parse(net, "clock=virtual", message,
							     sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_cmpuint(umadrig_port_lid(umadrig_port(fabric, "A", 1)), ==, LID_A);
	g_assert_cmpuint(umadrig_port_lid(umadrig_port(fabric, "B", 1)), ==, LID_B);
	fabric_host(fabric, "B")->kernel = &echo_kernel;
	echo_kernel_calls();
	return fabric;
}

static void fill(uint8_t bytes[BYTES], uint16_t dlid, uint8_t method, uint64_t tid)
{
	uint8_t *mad = bytes + USER_HEADER_SIZE;

	memset(bytes, 0, BYTES);
	user_header_set(bytes, USER_TIMEOUT_MS, method == GET ? TIMEOUT_MS : 0);
	put_be32(bytes + USER_QPN_BE, 1);
	put_be32(bytes + USER_QKEY_BE, QKEY_GSI);
	put_be16(bytes + USER_LID_BE, dlid);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = VENDOR;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = method;
	put_be64(mad + MAD_TID, tid);
}

static void release(struct kmod_loan *loan)
{
	loan->release = NULL;
}

/* Each function of kmod.h, and nothing else, calls the operation of its name. */
static void test_each_call(void)
{
	struct umadrig_fabric *fabric = mixed();
	struct end_port *end = inside(umadrig_port(fabric, "B", 1));
	struct kmod_loan loan = { .release = release };
	struct kmod_port *port = end_port_kmod(end);
	struct kmod_usage usage = { 0 };
	struct kmod_message *message;
	struct kmod_file *file;
	uint8_t bytes[BYTES];

	g_assert_cmpstr(echo_kernel_calls(), ==, "host_new port_new ");
	g_assert_cmpint(kmod_file_open(port, NULL, &file), ==, 0);
	kmod_file_set_usage(file, &usage);
	g_assert_cmpint(kmod_file_ioctl(file, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	g_assert_false(kmod_file_readable(file));
	g_assert_cmpuint(kmod_file_poll(file), ==, 0);
	g_assert_cmpint(kmod_file_read(file, bytes, sizeof(bytes)), ==, -EAGAIN);
	g_assert_cmpstr(echo_kernel_calls(), ==, "file_open file_set_usage file_ioctl "
			"file_readable file_poll file_read ");

	/* To itself, over the wire: the switch brings it back. */
	fill(bytes, LID_B, GET, 5);
	g_assert_cmpint(kmod_file_write(file, bytes, sizeof(bytes)), ==, BYTES);
	g_assert_cmpint(kmod_file_write_lent(file, bytes, sizeof(bytes), &loan), ==, BYTES);
	g_assert_null(loan.release);
	umadrig_step(fabric, umadrig_now(fabric) + NS_PER_MS);
	g_assert_cmpstr(echo_kernel_calls(), ==,
			"file_write file_write_lent port_receive port_receive ");
	g_assert_true(kmod_port_takes(port, bytes + USER_HEADER_SIZE));
	g_assert_cmpuint(kmod_port_expire(port, 5, VENDOR), ==, ECHO_EXPIRED);
	message = kmod_file_take(file);
	g_assert_nonnull(message);
	g_assert_cmpuint(kmod_message_read(message, bytes, BYTES), ==, BYTES);
	g_assert_cmphex(bytes[USER_HEADER_SIZE + ECHO_MARK_AT], ==, ECHO_MARK);
	kmod_message_free(message);
	g_assert_cmpstr(echo_kernel_calls(), ==,
			"port_takes port_expire file_take message_read message_free ");

	g_assert_cmpint(kmod_issm_open(port), ==, 0);
	g_assert_true(end->issm_open);
	kmod_issm_close(port);
	kmod_host_trim(fabric_host(fabric, "B")->kmod);
	kmod_file_close(file);
	g_assert_cmpstr(echo_kernel_calls(), ==, "issm_open issm_close host_trim file_close ");
	umadrig_fabric_close(fabric);
	g_assert_cmpstr(echo_kernel_calls(), ==, "port_remove host_free ");
}

/* NULL, where it is allowed, is nobody's. */
static void test_null(void)
{
	echo_kernel_calls();
	kmod_host_free(NULL);
	kmod_port_remove(NULL);
	kmod_file_close(NULL);
	kmod_message_free(NULL);
	g_assert_cmpstr(echo_kernel_calls(), ==, "");
}

static struct umadrig_file *open_at(struct umadrig_fabric *fabric, const char *node)
{
	struct umadrig_file *file;

	g_assert_cmpint(umadrig_file_open(umadrig_port(fabric, node, 1), &file), ==, 0);
	g_assert_cmpint(umadrig_file_ioctl(file, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	return file;
}

/* A request from one kernel to the other, and its answer, beside one that gets none. */
static void test_mixed(void)
{
	struct ib_user_mad_reg_req request = { .qpn = 1, .mgmt_class = VENDOR,
					       .mgmt_class_version = 1 };
	struct umadrig_fabric *fabric = mixed();
	struct umadrig_file *a = open_at(fabric, "A"), *b = open_at(fabric, "B");
	uint8_t bytes[BYTES], *mad = bytes + USER_HEADER_SIZE;
	struct umadrig_file *second;
	uint64_t tid;

	g_assert_cmpint(umadrig_file_ioctl(a, UMAD_COMMAND_REGISTER_AGENT, &request), ==, 0);
	fill(bytes, LID_B, GET, 0x77);
	user_header_set(bytes, USER_ID, request.id);
	g_assert_cmpint(umadrig_file_write(a, bytes, sizeof(bytes)), ==, BYTES);
	/* A second open is kmod-stub's to allow, and this kernel's to refuse. */
	umadrig_file_close(open_at(fabric, "A"));
	g_assert_cmpint(umadrig_file_open(umadrig_port(fabric, "B", 1), &second), ==, -EBUSY);

	umadrig_step(fabric, umadrig_now(fabric) + NS_PER_MS);
	g_assert_cmpuint(umadrig_file_poll(b), ==, POLLIN);
	g_assert_cmpint(umadrig_file_read(b, bytes, sizeof(bytes)), ==, BYTES);
	g_assert_cmpuint(get_be16(bytes + USER_LID_BE), ==, LID_A);
	tid = get_be64(mad + MAD_TID);
	g_assert_cmphex((uint32_t)tid, ==, 0x77);
	g_assert_cmphex(tid >> 32, >, 0);	/* kmod-stub's number of the agent */

	mad[MAD_METHOD] = GET_RESP;
	g_assert_cmpint(umadrig_file_write(b, bytes, sizeof(bytes)), ==, BYTES);
	umadrig_step(fabric, umadrig_now(fabric) + NS_PER_MS);
	g_assert_cmpint(umadrig_file_read(a, bytes, sizeof(bytes)), ==, BYTES);
	g_assert_cmpuint(user_header_get(bytes, USER_STATUS), ==, 0);
	g_assert_cmphex(get_be64(mad + MAD_TID), ==, tid);
	g_assert_cmphex(mad[ECHO_MARK_AT], ==, ECHO_MARK);

	/* What B does not answer ends at A as kmod-stub ends it. */
	fill(bytes, LID_B, GET, 0x78);
	user_header_set(bytes, USER_ID, request.id);
	g_assert_cmpint(umadrig_file_write(a, bytes, sizeof(bytes)), ==, BYTES);
	umadrig_step(fabric, umadrig_now(fabric) + (TIMEOUT_MS + 100) * NS_PER_MS);
	g_assert_cmpint(umadrig_file_read(a, bytes, sizeof(bytes)), >, 0);
	g_assert_cmpuint(user_header_get(bytes, USER_STATUS), ==, ETIMEDOUT);

	umadrig_file_close(a);
	umadrig_file_close(b);
	umadrig_fabric_close(fabric);
	g_assert_cmpstr(echo_kernel_calls(), ==,
			"host_new port_new file_open file_ioctl file_open port_receive file_poll "
			"file_read file_write port_receive file_close port_remove host_free ");
}

/* A device that is removed takes its port along when its file is closed. */
static void test_removed(void)
{
	struct umadrig_fabric *fabric = mixed();
	struct umadrig_file *b = open_at(fabric, "B");

	echo_kernel_calls();
	g_assert_cmpint(umadrig_port_remove(umadrig_port(fabric, "B", 1)), ==, 0);
	g_assert_cmpstr(echo_kernel_calls(), ==, "port_remove ");
	umadrig_file_close(b);
	umadrig_fabric_close(fabric);
	g_assert_cmpstr(echo_kernel_calls(), ==, "file_close host_free ");
}

/* A program reads which kernel its host has. */
static void test_banner(void)
{
	struct umadrig_fabric *fabric = mixed();
	char text[256];

	device_banner(fabric_host(fabric, "A"), text, sizeof(text));
	g_assert_cmpstr(strchr(text, '('), ==, "(3 nodes, virtual clock), host A");
	device_banner(fabric_host(fabric, "B"), text, sizeof(text));
	g_assert_cmpstr(strchr(text, '('), ==, "(3 nodes, virtual clock, kernel echo), host B");
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kernel/each-call", test_each_call);
	g_test_add_func("/kernel/null", test_null);
	g_test_add_func("/kernel/mixed", test_mixed);
	g_test_add_func("/kernel/removed", test_removed);
	g_test_add_func("/kernel/banner", test_banner);
	return leak_end(g_test_run());
}
