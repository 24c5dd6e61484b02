/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The copy of a view: what a server says is in it, and nothing that it says leads out of it. The
 * server is the other end of a socket pair.
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/view-copy.h"
#include "lib/attach/protocol.h"
#include "lib/base/socket-message.h"

struct served {
	char *parent, *directory;
	int server, program;	/* ends of the pair */
};

static struct served begin(void)
{
	struct served served = { .parent = g_dir_make_tmp("umadrig-test-XXXXXX", NULL) };
	int ends[2];

	served.directory = g_build_filename(served.parent, "copy", NULL);
	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), ==, 0);
	served.server = ends[0];
	served.program = ends[1];
	return served;
}

static void end(struct served *served)
{
	if (served->server >= 0)
		close(served->server);
	/* The copy has removed itself, and nothing is beside it. */
	g_assert_cmpint(g_rmdir(served->parent), ==, 0);
	g_free(served->parent);
	g_free(served->directory);
}

/* "NAME=TEXT" is a file, "NAME>TARGET" a link, "NAME" alone one that is removed. */
static GByteArray *reply(uint64_t last, const char *const *changes)
{
	struct attach_changes head = { .last = last };
	GByteArray *bytes = g_byte_array_new();

	g_byte_array_append(bytes, (const guint8 *)&head, sizeof(head));
	for (; *changes; changes++) {
		size_t name_size = strcspn(*changes, "=>");
		const char *text = *changes + name_size;
		enum attach_change_kind kind = *text == '=' ? ATTACH_CHANGE_FILE :
					       *text == '>' ? ATTACH_CHANGE_LINK :
							      ATTACH_CHANGE_REMOVED;
		struct attach_change change = {
			.kind = kind,
			.name_size = (uint32_t)name_size,
			.text_size = *text ? (uint32_t)strlen(text + 1) : 0,
		};

		g_byte_array_append(bytes, (const guint8 *)&change, sizeof(change));
		g_byte_array_append(bytes, (const guint8 *)*changes, change.name_size);
		if (*text)
			g_byte_array_append(bytes, (const guint8 *)text + 1, change.text_size);
	}
	return bytes;
}

static void send_bytes(struct served *served, int64_t result, const GByteArray *bytes, bool aside)
{
	struct attach_reply head = { .result = result };
	const struct iovec parts[] = {
		{ .iov_base = &head, .iov_len = sizeof(head) },
		{ .iov_base = bytes->data, .iov_len = bytes->len },
	};
	int fd = -1;

	if (aside) {
		fd = memfd_create("test", MFD_CLOEXEC);
		g_assert_cmpint(write(fd, bytes->data, bytes->len), ==, bytes->len);
	}
	g_assert_cmpint(socket_message_send(served->server, parts, aside ? 1 : 2, fd, 0), ==, 0);
	if (fd >= 0)
		close(fd);
}

static void send_changes(struct served *served, uint64_t last, const char *const *changes,
			 bool aside)
{
	g_autoptr(GByteArray) bytes = reply(last, changes);

	send_bytes(served, 0, bytes, aside);
}

/* The number in the next call; the copy must not have sent another. */
static uint64_t asked_since(const struct served *served)
{
	struct { struct attach_call call; uint64_t since; } asked;
	char more;

	g_assert_cmpint(recv(served->server, &asked, sizeof(asked), MSG_DONTWAIT), ==,
			sizeof(asked));
	g_assert_cmpuint(asked.call.op, ==, ATTACH_SYSFS_CHANGES);
	g_assert_cmpint(recv(served->server, &more, 1, MSG_DONTWAIT | MSG_PEEK), ==, -1);
	return asked.since;
}

/* The text of a file in the copy, or NULL. */
static char *text_of(const struct view_copy *copy, const char *name)
{
	g_autofree char *path = g_build_filename(view_copy_path(copy), name, NULL);
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	return text;
}

static void check(const struct view_copy *copy, const char *name, const char *expected)
{
	g_autofree char *text = text_of(copy, name);

	g_assert_cmpstr(text, ==, expected);
}

static void test_changes(void)
{
	struct served served = begin();
	g_autofree char *large = g_strnfill(100000, 'x');
	g_autofree char *large_file = g_strconcat("infiniband/H1/large=", large, NULL);
	struct view_copy *copy;
	uint64_t since;

	send_changes(&served, 7, (const char *const[]){ "infiniband/H1/node_guid=1\n",
		     "infiniband_mad/abi_version=5\n", NULL }, false);
	copy = view_copy_new(served.program, served.directory);
	g_assert_nonnull(copy);
	g_assert_cmpint(recv(served.server, &since, sizeof(since), MSG_DONTWAIT), >, 0);
	g_assert_cmpuint(asked_since(&served), ==, 7);
	check(copy, "infiniband/H1/node_guid", "1\n");
	check(copy, "infiniband_mad/abi_version", "5\n");
	/* Nothing is there: it does not wait. */
	view_copy_update(copy);
	send_changes(&served, 8, (const char *const[]){ "infiniband/H1/node_guid=2\n", NULL },
		     false);
	view_copy_update(copy);
	g_assert_cmpuint(asked_since(&served), ==, 8);
	check(copy, "infiniband/H1/node_guid", "2\n");
	/* A device goes, and another one comes; the order counts. */
	send_changes(&served, 9, (const char *const[]){ "infiniband/H1", "infiniband/H2/lid=3\n",
		     large_file, NULL }, true);
	view_copy_update(copy);
	g_assert_cmpuint(asked_since(&served), ==, 9);
	check(copy, "infiniband/H1/node_guid", NULL);
	check(copy, "infiniband/H1/large", large);
	check(copy, "infiniband/H2/lid", "3\n");
	/* The server ends: the devices are gone. */
	close(served.server);
	served.server = -1;
	view_copy_update(copy);
	g_assert_cmpint(view_copy_fd(copy), ==, -1);
	check(copy, "infiniband/H2/lid", NULL);
	view_copy_update(copy);
	view_copy_free(copy);
	end(&served);
}

/* A link replaces a file and goes again; what it leads to is found by it, and stays. */
static void test_links(void)
{
	struct served served = begin();
	struct view_copy *copy;

	send_changes(&served, 1, (const char *const[]){ "class/H1=old\n", "devices/1/H1/lid=3\n",
		     "class/H1>../devices/1/H1", "devices/1/H1/device>../../1", NULL }, false);
	copy = view_copy_new(served.program, served.directory);
	g_assert_nonnull(copy);
	check(copy, "class/H1/lid", "3\n");
	check(copy, "class/H1/device/H1/lid", "3\n");
	send_changes(&served, 2, (const char *const[]){ "class/H1", NULL }, false);
	view_copy_update(copy);
	check(copy, "class/H1/lid", NULL);
	check(copy, "devices/1/H1/lid", "3\n");
	view_copy_free(copy);
	end(&served);
}

static void test_refused(void)
{
	struct served served = begin();
	g_autoptr(GByteArray) nothing = g_byte_array_new();

	send_bytes(&served, -EMFILE, nothing, false);
	g_assert_null(view_copy_new(served.program, served.directory));
	g_assert_cmpint(errno, ==, EMFILE);
	end(&served);
}

/* What a server that means harm could say. */
static void test_names(void)
{
	static const char *const names[] = {
		"../out=x", "infiniband/../../out=x", "..=x", "=x", "/tmp/out=x", "a//b=x", "./a=x",
		"infiniband/.=x", "..", "infiniband/../..", "", "a>/tmp/out", "a>../out",
		"a/b>../../out", "a>b/../../out", "a>..", "a>", "a/b>../..", "a>b/.", "a>b/",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		struct served served = begin();

		send_changes(&served, 1, (const char *const[]){ names[i], NULL }, false);
		g_assert_null(view_copy_new(served.program, served.directory));
		g_assert_cmpint(errno, ==, EPROTO);
		end(&served);
	}
}

/* Links that are right each by itself, and lead out of the copy together. */
static void test_links_together(void)
{
	static const char *const changes[] = {
		/* From its name "l" leads to "top", so that two steps up are one too many. */
		"p/q/l>../../top", "top/x=1", "p/q/l/up>../../../out", "p/q/l/file=x", NULL,
	};
	struct served served = begin();
	g_autofree char *out = g_build_filename(served.parent, "out", NULL);

	send_changes(&served, 1, changes, false);
	g_assert_null(view_copy_new(served.program, served.directory));
	g_assert_cmpint(errno, ==, EIO);
	g_assert_false(g_file_test(out, G_FILE_TEST_EXISTS));
	end(&served);
}

/* A reply that is cut anywhere, or whose sizes lie. */
static void test_cut(void)
{
	const char *const changes[] = { "infiniband/H1/lid=3\n", NULL };
	g_autoptr(GByteArray) whole = reply(1, changes);
	const uint32_t sizes[] = { 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff };

	for (guint size = 0; size < whole->len; size++) {
		g_autoptr(GByteArray) part = g_byte_array_new();
		struct served served = begin();
		struct view_copy *copy;

		g_byte_array_append(part, whole->data, size);
		send_bytes(&served, 0, part, false);
		copy = view_copy_new(served.program, served.directory);
		/* With the head alone it is whole: nothing has changed. */
		g_assert_true(!copy == (size != sizeof(struct attach_changes)));
		view_copy_free(copy);
		end(&served);
	}
	for (size_t i = 0; i < 3 * G_N_ELEMENTS(sizes); i++) {
		g_autoptr(GByteArray) lie = reply(1, changes);
		struct served served = begin();

		memcpy(lie->data + sizeof(struct attach_changes) + i % 3 * 4, &sizes[i / 3], 4);
		send_bytes(&served, 0, lie, false);
		g_assert_null(view_copy_new(served.program, served.directory));
		end(&served);
	}
}

/* Says the next two changes, each when the copy has asked for it. */
static void *say_two(void *data)
{
	struct served *served = data;
	struct { struct attach_call call; uint64_t since; } asked;
	const char *const texts[] = { "class/H1/lid=8\n", "class/H1/lid=9\n" };

	for (uint64_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_assert_cmpint(recv(served->server, &asked, sizeof(asked), 0), ==, sizeof(asked));
		send_changes(served, 8 + i, (const char *const[]){ texts[i], NULL }, false);
	}
	return NULL;
}

/* What the server has done, and has not said yet. */
static void test_awaited(void)
{
	struct served served = begin();
	struct view_copy *copy;
	uint8_t first[64];
	GThread *thread;

	send_changes(&served, 7, (const char *const[]){ "class/H1/lid=7\n", NULL }, false);
	copy = view_copy_new(served.program, served.directory);
	g_assert_nonnull(copy);
	g_assert_cmpint(recv(served.server, first, sizeof(first), MSG_DONTWAIT), >, 0);
	view_copy_await(copy, 7);
	check(copy, "class/H1/lid", "7\n");
	thread = g_thread_new("server", say_two, &served);
	view_copy_await(copy, 9);
	check(copy, "class/H1/lid", "9\n");
	g_thread_join(thread);
	close(served.server);
	served.server = -1;
	view_copy_await(copy, 10);
	g_assert_cmpint(view_copy_fd(copy), ==, -1);
	view_copy_await(copy, 10);
	view_copy_free(copy);
	end(&served);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/view-copy/changes", test_changes);
	g_test_add_func("/view-copy/awaited", test_awaited);
	g_test_add_func("/view-copy/refused", test_refused);
	g_test_add_func("/view-copy/links", test_links);
	g_test_add_func("/view-copy/names", test_names);
	g_test_add_func("/view-copy/links-together", test_links_together);
	g_test_add_func("/view-copy/cut", test_cut);
	return g_test_run();
}
