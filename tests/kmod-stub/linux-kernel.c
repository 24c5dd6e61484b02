/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A kernel in a shared object (kmod-stub/linux): five files of ours, in tests/kmod-stub/fake-tree,
 * are compiled with the shim as those of a kernel are, loaded, and run on the rig's two hosts. They
 * use the shim's interfaces; what is tested is those.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kmod-stub/linux/kernel-layout.h"
#include "tests/rig/kmod-rig.h"
#include "tests/rig/trees.h"

enum { HI_TID = 9, MESSAGE_SIZE = RIG_HEADER_SIZE + MAD_SIZE };

static const struct kernel_file *kernel;
static GString *lines;			/* the log, one line each */

static void take_line(int level, const char *host, const char *text)
{
	g_string_append_printf(lines, "<%d> %s%s%s\n", level, host ? host : "", host ? ": " : "",
			       text);
}

static void stop(const char *text)
{
	g_error("the kernel stops: %s", text);
}

static const struct kernel_services services = {
	.packet_make = packet_make,
	.packet_build = packet_build,
	.log = take_line,
	.abort = stop,
};

/* Builds the fake tree and loads it. */
static void load(void)
{
	const char *cc = g_getenv("CC") ? g_getenv("CC") : "cc";
	char *build = source_path("kmod-stub/linux/build");
	char *tree = source_path("tests/kmod-stub/fake-tree");
	char *folder = g_dir_make_tmp("umadrig-kernel.XXXXXX", NULL);
	char *file = g_build_filename(folder, "fake.so", NULL);
	const char *argv[] = { "/bin/sh", build, "--tree", tree, "--output", file, "--release",
			       "0.1.2-fake", "--identity", "0af1", "--cc", cc, NULL };
	int status = -1;
	void *handle;

	g_assert_true(g_spawn_sync(NULL, (char **)(uintptr_t)argv, NULL, 0, NULL, NULL, NULL, NULL,
				   &status, NULL));
	g_assert_cmpint(status, ==, 0);
	handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		g_error("%s", dlerror());
	kernel = dlsym(handle, KERNEL_FILE_SYMBOL);
	g_assert_nonnull(kernel);
	unlink(file);
	rmdir(folder);
	g_free(file);
	g_free(folder);
	g_free(tree);
	g_free(build);
}

static void expect_log(const char *expected)
{
	g_assert_cmpstr(lines->str, ==, expected);
	g_string_truncate(lines, 0);
}

static struct rig_file *open_agent(struct rig *rig, struct rig_port *at, char name)
{
	const struct rig_registration words = { .qpn = 1, .mgmt_class = MAD_CLASS_PERF,
						.class_version = 1, .methods = RIG_GET };
	struct rig_file *file = rig_open(rig, at, name);

	g_assert_cmpint(rig_register(file, &words), ==, 0);
	return file;
}

/* ---- tests ---- */

static void test_identity(void)
{
	g_assert_cmpuint(kernel->abi, ==, KERNEL_FILE_ABI);
	g_assert_cmpuint(kernel->layout, ==, KERNEL_FILE_LAYOUT);
	g_assert_cmpstr(kernel->release, ==, "0.1.2-fake");
	g_assert_cmpstr(kernel->identity, ==, "0af1");
	g_assert_cmpstr(kernel->options, ==, "");
	g_assert_cmpstr(kernel->kernel->name, ==, "linux-0.1.2-fake");
	g_assert_cmpint(kernel->begin(&services), ==, 0);
	rig_kernel = kernel->kernel;
}

/* A request gets to the other host's agent, its answer back; each host counts for itself. */
static void test_round_trip(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *a = open_agent(rig, &rig->a, 'a'), *b = open_agent(rig, &rig->b, 'b');
	const struct rig_mad ask = { .tid = 1 };
	const struct rig_mad answer = { .method = MAD_METHOD_GET_RESP,
					.tid = UINT64_C(9) << 32 | 1 };

	g_assert_cmpint(rig_write(a, &ask, &(struct rig_route){ .timeout_ms = 100 }), ==,
			MESSAGE_SIZE);
	rig_run(rig, 5);
	g_assert_cmpuint(get_be32(rig->wire_mad + MAD_TID), ==, HI_TID);
	g_assert_cmpint(b->last_size, ==, MESSAGE_SIZE);
	g_assert_cmpint(rig_write(b, &answer, &(struct rig_route){ 0 }), ==, MESSAGE_SIZE);
	rig_run(rig, 200);
	rig_expect(rig, "round trip", "0:A>1 1:b<1 5:B>1 6:a<1");
	rig_free(rig);
	expect_log("");
}

static void test_timeout(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *a = open_agent(rig, &rig->a, 'a');
	const struct rig_route late = { .timeout_ms = 100 }, soon = { .timeout_ms = 50 };

	g_assert_cmpint(rig_write(a, &(struct rig_mad){ .tid = 1 }, &soon), >, 0);
	g_assert_cmpint(rig_write(a, &(struct rig_mad){ .tid = 2 }, &late), >, 0);
	rig_run(rig, 60);
	g_assert_cmpuint(kmod_port_expire(rig->a.port, UINT64_C(9) << 32 | 2, MAD_CLASS_PERF), ==,
			 1);
	g_assert_cmpuint(kmod_port_expire(rig->a.port, UINT64_C(9) << 32 | 2, MAD_CLASS_PERF), ==,
			 0);
	rig_run(rig, 200);
	rig_expect(rig, "timeout", "0:A>1 0:A>2 50:a!1 60:a!2");
	rig_free(rig);
	expect_log("");
}

static void test_errors(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *a = open_agent(rig, &rig->a, 'a');
	struct kmod_port_attr *attr = &rig->a.attr;
	uint32_t id = 0;

	g_assert_cmpint(kmod_file_ioctl(a->file, 0x1234, &id), ==, -ENOTTY);
	g_assert_cmpint(kmod_file_ioctl(a->file, UMAD_COMMAND_REGISTER_AGENT, NULL), ==, -EFAULT);
	g_assert_cmpint(kmod_file_write(a->file, NULL, MESSAGE_SIZE), ==, -EFAULT);
	g_assert_cmpint(kmod_file_write(a->file, a, 1), ==, -EINVAL);
	g_assert_cmpint(kmod_file_read(a->file, &id, sizeof(id)), ==, -EAGAIN);
	attr->link_is_ethernet = true;
	g_assert_cmpint(rig_write(a, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){ 0 }), ==,
			-EINVAL);
	rig_free(rig);
	expect_log("");
}

/* A file's memory: sends and messages beyond the limits are refused, and all of it comes back. */
static void test_usage(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *a = open_agent(rig, &rig->a, 'a');
	struct kmod_usage usage = { .sending_max = 1000, .received_max = 1 };
	const struct rig_route waits = { .timeout_ms = 10 };
	uint8_t buf[MESSAGE_SIZE];

	a->reads = false;
	kmod_file_set_usage(a->file, &usage);
	g_assert_cmpint(rig_write(a, &(struct rig_mad){ .tid = 1 }, &waits), >, 0);
	g_assert_cmpint(rig_write(a, &(struct rig_mad){ .tid = 2 }, &waits), ==, -ENOMEM);
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 3 }, &(struct rig_route){ 0 });
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 4 }, &(struct rig_route){ 0 });
	rig_expect_drop(rig, "the program has too much that it does not read");
	g_assert_cmpuint(usage.sending, >, 0);
	g_assert_cmpuint(usage.received, >, 0);
	rig_run(rig, 100);
	g_assert_cmpuint(usage.sending, ==, 0);
	g_assert_cmpint(kmod_file_read(a->file, buf, sizeof(buf)), ==, MESSAGE_SIZE);
	g_assert_cmpint(kmod_file_read(a->file, buf, sizeof(buf)), ==, RIG_HEADER_SIZE + 24);
	g_assert_cmpuint(usage.received, ==, 0);
	rig_free(rig);
	expect_log("");
}

/* A message that is taken is read in pieces; the report of a send is not. */
static void test_take(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *a = open_agent(rig, &rig->a, 'a');
	struct kmod_message *message;
	uint8_t buf[MESSAGE_SIZE];

	a->reads = false;
	g_assert_null(kmod_file_take(a->file));
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 3 }, &(struct rig_route){ 0 });
	g_assert_cmpint(rig_write(a, &(struct rig_mad){ .tid = 1 },
				  &(struct rig_route){ .timeout_ms = 1 }), >, 0);
	rig_run(rig, 100);
	message = kmod_file_take(a->file);
	g_assert_nonnull(message);
	g_assert_cmpuint(kmod_message_read(message, buf, 100), ==, 100);
	g_assert_cmpuint(kmod_message_read(message, buf + 100, 1000), ==, MESSAGE_SIZE - 100);
	g_assert_cmpuint(get_be64(buf + RIG_HEADER_SIZE + MAD_TID), ==, 3);
	kmod_message_free(message);
	g_assert_null(kmod_file_take(a->file));
	rig_free(rig);
	expect_log("");
}

static void test_issm(void)
{
	struct rig *rig = rig_new(HI_TID);

	g_assert_cmpint(kmod_issm_open(rig->a.port), ==, 0);
	g_assert_cmpint(kmod_issm_open(rig->a.port), ==, -EAGAIN);
	g_assert_true(rig->a.is_sm);
	kmod_issm_close(rig->a.port);
	g_assert_false(rig->a.is_sm);
	g_assert_cmpint(kmod_issm_open(rig->a.port), ==, 0);
	kmod_issm_close(rig->a.port);
	rig_free(rig);
	expect_log("");
}

/* Module parameters are those of the fabric's hosts alone, whoever comes next. */
static void test_parameters(void)
{
	rig_send_queue_size = 64;
	rig_recv_queue_size = 8192;
	rig_free(rig_new(HI_TID));
	expect_log("<5> fake: 64 sends, 8192 receives\n<5> fake: 64 sends, 8192 receives\n");
	rig_send_queue_size = rig_recv_queue_size = 0;
	rig_free(rig_new(HI_TID));
	expect_log("");
}

static const char *name_of(void *ctx)
{
	(void)ctx;
	return "node7";
}

static void test_attributes(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *a = open_agent(rig, &rig->a, 'a');
	char text[32];

	g_assert_cmpint(kernel->attribute(NULL, "abi_version", text, sizeof(text)), ==, 2);
	g_assert_cmpstr(text, ==, "5\n");
	g_assert_cmpint(kernel->attribute(rig->b.port, "umad/ibdev", text, sizeof(text)), ==, 5);
	g_assert_cmpstr(text, ==, "B[1]\n");
	g_assert_cmpint(kernel->attribute(rig->b.port, "umad/ibdev", text, 3), ==, 2);
	g_assert_cmpstr(text, ==, "B[");
	g_assert_cmpint(kernel->attribute(rig->b.port, "uverbs/ibdev", text, 3), ==, -ENOENT);
	g_assert_cmpint(kernel->attribute(rig->b.port, "umad/size", text, 3), ==, -ENOENT);
	g_assert_cmpint(kernel->attribute(rig->b.port, "umad", text, 3), ==, -ENOENT);
	g_assert_cmpint(kernel->attribute(rig->b.port, "/ibdev", text, 3), ==, -ENOENT);
	/* A line of the kernel's log, by its device, and by its host if that has a name. */
	g_assert_cmpint(rig_register(a, &(struct rig_registration){ .qpn = 1 }), ==, -ENOMEM);
	expect_log("<5> umad0: one agent is all\n");
	rig->ops.host_name = name_of;
	g_assert_cmpint(rig_register(a, &(struct rig_registration){ .qpn = 1 }), ==, -ENOMEM);
	rig_free(rig);
	expect_log("<5> node7: umad0: one agent is all\n");
}

/* The files of a removed device fail, and leave nothing behind when they are closed. */
static void test_removal(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *a = open_agent(rig, &rig->a, 'a');
	struct kmod_port *port = rig->a.port;
	uint8_t buf[MESSAGE_SIZE];
	struct kmod_file *other;

	a->reads = false;
	g_assert_cmpint(rig_write(a, &(struct rig_mad){ .tid = 1 },
				  &(struct rig_route){ .timeout_ms = 100 }), >, 0);
	rig->a.port = NULL;
	kmod_port_remove(port);
	g_assert_cmpuint(kmod_file_poll(a->file), ==, POLLERR);
	g_assert_cmpint(kmod_file_read(a->file, buf, sizeof(buf)), ==, -EIO);
	g_assert_cmpint(kmod_file_open(port, NULL, &other), ==, -ENXIO);
	g_assert_cmpint(kmod_issm_open(port), ==, -ENXIO);
	rig_free(rig);
	expect_log("");
}

static void test_drops(void)
{
	struct rig *rig = rig_new(HI_TID);
	struct rig_mad mad = { .tid = 1 };

	rig_inject(&rig->a, &mad, &(struct rig_route){ 0 });
	rig_expect_drop(rig, "no agent for class 0x04 method 0x01");
	mad.method = MAD_METHOD_GET_RESP;
	mad.tid = UINT64_C(9) << 32;
	open_agent(rig, &rig->a, 'a');
	rig_inject(&rig->a, &mad, &(struct rig_route){ 0 });
	rig_expect_drop(rig, "no request of its agent waits for this response");
	rig_free(rig);
	expect_log("");
}

/* What the kernel forgets to free is reported, with its place, when the last host has gone. */
static void test_leak(void)
{
	struct rig *rig = rig_new(HI_TID);

	rig->ops.host_name = name_of;	/* not that of the host that happens to go last */
	rig_inject(&rig->a, &(struct rig_mad){ .attr_id = 0xdead }, &(struct rig_route){ 0 });
	expect_log("");
	rig_free(rig);
	g_assert_true(g_str_has_prefix(lines->str, "<2> leak: memory of "));
	g_assert_nonnull(strstr(lines->str, ", allocated at mad.c:"));
	g_assert_cmpuint(strcspn(lines->str, "\n"), ==, lines->len - 1);
	g_string_truncate(lines, 0);
}

int main(int argc, char **argv)
{
	int result;

	g_test_init(&argc, &argv, NULL);
	lines = g_string_new(NULL);
	load();
	test_identity();
	g_test_add_func("/kmod/linux/round-trip", test_round_trip);
	g_test_add_func("/kmod/linux/timeout", test_timeout);
	g_test_add_func("/kmod/linux/errors", test_errors);
	g_test_add_func("/kmod/linux/usage", test_usage);
	g_test_add_func("/kmod/linux/take", test_take);
	g_test_add_func("/kmod/linux/issm", test_issm);
	g_test_add_func("/kmod/linux/parameters", test_parameters);
	g_test_add_func("/kmod/linux/attributes", test_attributes);
	g_test_add_func("/kmod/linux/removal", test_removal);
	g_test_add_func("/kmod/linux/drops", test_drops);
	g_test_add_func("/kmod/linux/leak", test_leak);
	result = g_test_run();
	g_string_free(lines, true);
	return result;
}
