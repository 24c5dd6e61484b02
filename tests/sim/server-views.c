/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Views of /sys that a fabric server makes for its clients.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/rig/guarded-server.h"

static const struct rig_get to_nobody = {
	.mgmt_class = 0x32, .attr = 0x10, .dlid = 77, .timeout_ms = 3600000,
};

static void read_state(const char *root, const char *device, char *state, size_t size)
{
	g_autofree char *path = g_strdup_printf("%s/class/infiniband/%s/ports/1/state", root,
						device);
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, state, size - 1);

	g_assert_cmpint(n, >, 0);
	state[n] = '\0';
	close(fd);
}

/*
 * Their cost depends on what has changed; and they are removed with the last client of their host.
 */
static void test_views(void)
{
	enum { CALLS = 100 };
	struct guarded guarded = guarded_start();
	struct guarded_open first = guarded_open_on(&guarded, "H1", 0);
	struct guarded_open second = guarded_open_on(&guarded, "H2", 0);
	struct guarded_open last = guarded_open_on(&guarded, "H2", 0);
	char paths[2][1024], again[1024], text[1024];
	uint64_t before;

	g_assert_cmpint(guarded_ask(&guarded, first.socket, ATTACH_SYSFS, NULL, 0, paths[0],
				    sizeof(paths[0])), ==, 0);
	g_assert_cmpint(guarded_ask(&guarded, second.socket, ATTACH_SYSFS, NULL, 0, paths[1],
				    sizeof(paths[1])), ==, 0);
	/*
	 * The server watches the directory in which it has just made them: let it see that first.
	 */
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded.server, 0), ==, 0);
	before = server_sysfs_work(guarded.server);
	for (unsigned int i = 0; i < CALLS; i++)
		g_assert_cmpint(guarded_send_mad(&guarded, &first, &to_nobody), !=, 0);
	g_assert_cmpuint(server_sysfs_work(guarded.server), ==, before);

	read_state(paths[1], "H2", text, sizeof(text));
	g_assert_cmpstr(text, ==, "4: ACTIVE\n");
	g_assert_cmpint(guarded_console(&guarded, first.socket, "Unlink \"H2\"[1]", text,
					sizeof(text)), ==, 0);
	read_state(paths[1], "H2", text, sizeof(text));
	g_assert_cmpstr(text, ==, "1: DOWN\n");
	g_assert_cmpuint(server_sysfs_work(guarded.server), >, before);
	g_assert_cmpuint(server_sysfs_work(guarded.server), <=, before + 2);

	guarded_close(&second);
	while (server_client_count(guarded.server) == 3)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpint(access(paths[1], F_OK), ==, 0);
	guarded_close(&last);
	while (server_client_count(guarded.server) == 2)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpint(access(paths[1], F_OK), ==, -1);
	g_assert_cmpint(guarded_ask(&guarded, first.socket, ATTACH_SYSFS, NULL, 0, again,
				    sizeof(again)), ==, 0);
	g_assert_cmpstr(again, ==, paths[0]);
	guarded_close(&first);
	guarded_end(&guarded);
}

/* Waits for the reply of ATTACH_SYSFS_CHANGES: the number that it has, and what is in a memfd. */
static uint64_t next_changes(struct guarded *guarded, int socket, char *text, size_t size)
{
	struct { struct attach_reply reply; struct attach_changes head; char rest[4096]; } said;
	struct iovec part = { .iov_base = &said, .iov_len = sizeof(said) };
	long n = -EAGAIN;
	int fd, flags;

	memset(&said, 0, sizeof(said));
	while (n == -EAGAIN) {
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
		n = socket_message_receive(socket, &part, 1, MSG_DONTWAIT, &fd, &flags);
	}
	g_assert_cmpint(said.reply.result, ==, 0);
	if (fd >= 0) {
		g_assert_cmpint(n, ==, sizeof(said.reply));
		g_assert_cmpint(pread(fd, &said.head, sizeof(said.head), 0), ==, sizeof(said.head));
		close(fd);
	}
	memcpy(text, said.rest, MIN(size, sizeof(said.rest)));
	return said.head.last;
}

static unsigned int clients_in_the_end(struct guarded *guarded)
{
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded->server, 0), ==, 0);
	return server_client_count(guarded->server);
}

/* A program with a copy of a view waits for changes; one that has not the patience is ended. */
static void test_view_changes(void)
{
	struct guarded guarded = guarded_start();
	int socket = guarded_admit(&guarded), other = guarded_admit(&guarded);
	char text[4096], *record;
	uint64_t since = 0, last;
	size_t length = strlen("infiniband/H1/ports/1/state");

	guarded_hello(&guarded, socket);
	guarded_hello(&guarded, other);
	guarded_send(socket, ATTACH_SYSFS_CHANGES, &since, sizeof(since));
	since = next_changes(&guarded, socket, text, sizeof(text));
	g_assert_cmpuint(since, >, 0);
	/* Nothing has changed: others are served in the meantime. */
	guarded_send(socket, ATTACH_SYSFS_CHANGES, &since, sizeof(since));
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded.server, 0), ==, 0);
	g_assert_cmpint(recv(socket, text, sizeof(text), MSG_DONTWAIT), ==, -1);
	g_assert_cmpint(guarded_console(&guarded, other, "Unlink \"H1\"[1]", text, sizeof(text)),
			==, 0);
	last = next_changes(&guarded, socket, text, sizeof(text));
	g_assert_cmpuint(last, >, since);
	record = memmem(text, sizeof(text), "infiniband/H1/ports/1/state", length);
	g_assert_nonnull(record);
	g_assert_cmpint(memcmp(record + length, "1: DOWN\n", 8), ==, 0);
	last = UINT64_MAX;	/* counters may change at any time */
	/* It has gone while it waited; another sends a call before it has the reply to the last. */
	guarded_send(socket, ATTACH_SYSFS_CHANGES, &last, sizeof(last));
	guarded_send(other, ATTACH_SYSFS_CHANGES, &last, sizeof(last));
	g_assert_cmpuint(clients_in_the_end(&guarded), ==, 2);
	close(socket);
	g_assert_cmpuint(clients_in_the_end(&guarded), ==, 1);
	guarded_send(other, ATTACH_LIST_CAS, NULL, 0);
	g_assert_cmpuint(clients_in_the_end(&guarded), ==, 0);
	close(other);
	guarded_end(&guarded);
}

int main(int argc, char **argv)
{
	guarded_begin(&argc, &argv);
	g_test_add_func("/server-views/views", test_views);
	g_test_add_func("/server-views/changes", test_view_changes);
	return guarded_finish();
}
