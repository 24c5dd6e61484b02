/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever the other end of a bridge sends, an end accepts it or closes, and frees
 * everything.
 *
 * The first byte selects the end: bit 0 the far one, else the near one. With bit 1 the rest is the
 * raw stream, else frames: kind, number, a quarter of the size, and as much of the payload as there
 * is, followed by zeros.
 */
#include "config.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/bridge/bridge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

enum { STREAM_MAX = 65536, KINDS = BRIDGE_END + 1 };

static char *directory;
static char *server_path;
static int listener = -1;

static void finish(void)
{
	close(listener);
	g_unlink(server_path);
	g_rmdir(directory);
	g_free(server_path);
	g_free(directory);
	fclose(stderr);
}

static struct sockaddr_un address_of(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	g_strlcpy(address.sun_path, path, sizeof(address.sun_path));
	return address;
}

/*
 * A silent server. The messages of the ends are discarded; descriptor 2 stays open for the
 * sanitizer's reports.
 */
static void begin(void)
{
	struct sockaddr_un address;

	if (directory)
		return;
	directory = g_dir_make_tmp("umadrig-fuzz-XXXXXX", NULL);
	server_path = g_build_filename(directory, "server", NULL);
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	address = address_of(server_path);
	CHECK(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0);
	CHECK(listen(listener, 64) == 0);
	stderr = fopen("/dev/null", "we");
	CHECK(stderr);
	atexit(finish);
}

static void add_frames(GByteArray *stream, const uint8_t *data, size_t size)
{
	while (size >= 3 && stream->len < STREAM_MAX) {
		struct bridge_header header = {
			.kind = data[0] % KINDS, .id = data[1], .size = data[2] * 4U,
		};
		guint start = stream->len + (guint)sizeof(header);
		size_t there = MIN(header.size, size - 3);

		/* Kinds with other sizes. */
		if (header.kind == BRIDGE_ISSM)
			header.size = (uint32_t)(there = MIN(1U, there));
		g_byte_array_append(stream, (const guint8 *)&header, sizeof(header));
		g_byte_array_append(stream, data + 3, (guint)there);
		g_byte_array_set_size(stream, start + header.size);
		memset(stream->data + start + there, 0, header.size - there);
		data += 3 + there;
		size -= 3 + there;
	}
}

/* All bytes of the other end, beginning with a greeting. */
static int make_link(const uint8_t *data, size_t size, int *ret_end)
{
	struct bridge_stream greeting;
	GByteArray *stream;
	int ends[2], room = 4 * STREAM_MAX;

	bridge_stream_init(&greeting, dup(listener), dup(listener), BRIDGE_NEAR);
	bridge_stream_greet(&greeting);
	stream = g_byte_array_ref(greeting.unsent);
	bridge_stream_clear(&greeting);
	if (size > 0 && data[0] & 2)
		g_byte_array_append(stream, data + 1, (guint)MIN(size - 1, STREAM_MAX));
	else if (size > 0)
		add_frames(stream, data + 1, size - 1);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	if (write(ends[0], stream->data, stream->len) < 0)
		abort();
	shutdown(ends[0], SHUT_WR);
	g_byte_array_unref(stream);
	*ret_end = ends[1];
	return ends[0];
}

/* With one program, which has connected and requests a port. */
static void run_near(int link)
{
	static const struct attach_call open_call = { .op = ATTACH_OPEN };
	struct bridge_near *near = bridge_near_new(link, NULL);
	struct sockaddr_un address;
	int program, control[2];

	CHECK(near);
	address = address_of(bridge_near_socket(near));
	program = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	CHECK(connect(program, (struct sockaddr *)&address, sizeof(address)) == 0);
	CHECK(send(program, &open_call, sizeof(open_call), 0) == sizeof(open_call));
	CHECK(pipe2(control, O_CLOEXEC) == 0);
	CHECK(bridge_near_run(near, control[0]) < 0);
	bridge_near_free(near, true);
	close(control[0]);
	close(control[1]);
	close(program);
}

static void forget_clients(void)
{
	int fd;

	while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int end, peer;

	begin();
	peer = make_link(data, size, &end);
	if (size > 0 && data[0] & 1)
		bridge_far_run("bridge", server_path, end, end);
	else
		run_near(end);
	forget_clients();
	close(peer);
	return 0;
}
