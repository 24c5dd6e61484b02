/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a guest's init is made of, without a guest: the messages between kernel and fabric have the
 * layout that is promised, RUN is put together of its pieces, and a program says on a socket, which
 * stands for /dev/umadrig_guest, what it does.
 */
#include <endian.h>
#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/guest/guest-channel.h"
#include "lib/guest/guest-order.h"
#include "lib/guest/guest-program.h"

/* ---- layout ---- */

static void test_layout(void)
{
	const struct { const char *what; size_t is, promised; } rows[] = {
		{ "header", sizeof(struct umadrig_hca_header), 48 },
		{ "header.version", offsetof(struct umadrig_hca_header, version), 4 },
		{ "header.type", offsetof(struct umadrig_hca_header, type), 5 },
		{ "header.sequence", offsetof(struct umadrig_hca_header, sequence), 8 },
		{ "header.qkey", offsetof(struct umadrig_hca_header, qkey), 24 },
		{ "header.slid", offsetof(struct umadrig_hca_header, slid), 28 },
		{ "header.flags", offsetof(struct umadrig_hca_header, flags), 35 },
		{ "description", sizeof(struct umadrig_hca_description), 224 },
		{ "description.ports", offsetof(struct umadrig_hca_description, ports), 43 },
		{ "description.name", offsetof(struct umadrig_hca_description, name), 64 },
		{ "port", sizeof(struct umadrig_hca_port), 32 },
		{ "port.state", offsetof(struct umadrig_hca_port, state), 14 },
		{ "port.speed", offsetof(struct umadrig_hca_port, speed), 22 },
		{ "counters", sizeof(struct umadrig_hca_counters), 72 },
		{ "config", sizeof(struct umadrig_hca_config), 16 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].is != rows[i].promised)
			g_error("%s is %zu, and not %zu", rows[i].what, rows[i].is,
				rows[i].promised);
	}
	/* All P_Keys, GUIDs, a GRH with its MAD, and a description have room in one message. */
	g_assert_cmpuint(GUEST_HEADER_SIZE + 2 * UMADRIG_HCA_PKEYS_MAX, <=, UMADRIG_HCA_DOWN_MAX);
	g_assert_cmpuint(GUEST_HEADER_SIZE + 8 * UMADRIG_HCA_GIDS_MAX, <=, UMADRIG_HCA_DOWN_MAX);
	g_assert_cmpuint(GUEST_HEADER_SIZE + UMADRIG_HCA_GRH_SIZE + UMADRIG_HCA_MAD_SIZE, <=,
			 UMADRIG_HCA_DOWN_MAX);
	g_assert_cmpint(UMADRIG_GUEST_READY, ==, UMADRIG_HCA_GUEST_FIRST);
}

/* ---- framing ---- */

static void test_framing(void)
{
	struct umadrig_hca_header header = {
		.length = htole32(sizeof(header) + 3), .version = UMADRIG_HCA_VERSION,
		.type = UMADRIG_GUEST_STDIN, .sequence = htole32(7), .value = htole32(9),
	};
	uint8_t bytes[UMADRIG_HCA_DOWN_MAX + 1] = { 0 };
	struct guest_message message;

	memcpy(bytes, &header, sizeof(header));
	g_assert_cmpint(guest_message_parse(&message, bytes, sizeof(header) + 3), ==, 0);
	g_assert_cmpuint(message.program, ==, 7);
	g_assert_cmpuint(message.value, ==, 9);
	g_assert_cmpuint(message.size, ==, 3);
	g_assert_true(message.content == bytes + sizeof(header));
	g_assert_cmpint(guest_message_parse(&message, bytes, sizeof(header) + 2), ==, -EBADMSG);
	g_assert_cmpint(guest_message_parse(&message, bytes, sizeof(header) + 4), ==, -EBADMSG);
	g_assert_cmpint(guest_message_parse(&message, bytes, sizeof(header) - 1), ==, -EBADMSG);
	g_assert_cmpint(guest_message_parse(&message, bytes, sizeof(bytes)), ==, -EBADMSG);
	bytes[offsetof(struct umadrig_hca_header, version)]++;
	g_assert_cmpint(guest_message_parse(&message, bytes, sizeof(header) + 3), ==, -EBADMSG);
	bytes[offsetof(struct umadrig_hca_header, version)]--;
	bytes[offsetof(struct umadrig_hca_header, type)] = UMADRIG_HCA_MAD;
	g_assert_cmpint(guest_message_parse(&message, bytes, sizeof(header) + 3), ==, -EBADMSG);
}

/* ---- RUN ---- */

static struct guest_message piece(uint32_t program, const char *bytes, size_t size, bool is_last)
{
	return (struct guest_message){
		.type = UMADRIG_GUEST_RUN, .program = program,
		.flags = is_last ? 0 : UMADRIG_HCA_FLAG_MORE,
		.content = (const uint8_t *)bytes, .size = size,
	};
}

#define WHOLE "/tmp\0" "2\0" "echo\0" "a b\0" "A=1\0" "B=\0"

static void check_order(const struct guest_order *order)
{
	g_assert_true(order->is_whole);
	g_assert_cmpstr(order->directory, ==, "/tmp");
	g_assert_cmpstr(order->arguments[0], ==, "echo");
	g_assert_cmpstr(order->arguments[1], ==, "a b");
	g_assert_null(order->arguments[2]);
	g_assert_cmpstr(order->environment[0], ==, "A=1");
	g_assert_cmpstr(order->environment[1], ==, "B=");
	g_assert_null(order->environment[2]);
}

/* Wherever the text is cut; and what was begun for another program is forgotten. */
static void test_pieces(void)
{
	const size_t size = sizeof(WHOLE) - 1;

	for (size_t at = 0; at <= size; at++) {
		struct guest_message first = piece(4, WHOLE, at, false);
		struct guest_message last = piece(4, &WHOLE[at], size - at, true);
		struct guest_message other = piece(3, "/x", 2, false);
		struct guest_order order = { .bytes = NULL };

		g_assert_cmpint(guest_order_add(&order, &other), ==, 0);
		g_assert_cmpint(guest_order_add(&order, &first), ==, 0);
		g_assert_false(order.is_whole);
		g_assert_cmpint(guest_order_add(&order, &last), ==, 0);
		check_order(&order);
		guest_order_clear(&order);
		g_assert_null(order.bytes);
	}
}

static void test_malformed(void)
{
	static const struct { const char *bytes; size_t size; } rows[] = {
		{ "", 0 }, { "/", 1 }, { "/\0", 2 }, { "/\0" "1\0", 4 }, { "/\0" "0\0" "a\0", 6 },
		{ "/\0" "2\0" "a\0", 6 }, { "/\0" "x\0" "a\0", 6 }, { "/\0" "1\0" "a", 5 },
		{ "/\0" "18446744073709551615\0" "a\0", 25 }, { "/\0" "-1\0" "a\0", 7 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct guest_message whole = piece(1, rows[i].bytes, rows[i].size, true);
		struct guest_order order = { .bytes = NULL };

		g_assert_cmpint(guest_order_add(&order, &whole), ==, -EBADMSG);
		guest_order_clear(&order);
	}
}

static void test_too_long(void)
{
	g_autofree char *text = g_strnfill(900, 'x');
	struct guest_order order = { .bytes = NULL };
	struct guest_message more = piece(1, text, 900, false), last = piece(1, WHOLE, 20, true);

	for (size_t size = 0; size <= UMADRIG_GUEST_RUN_MAX; size += 900)
		g_assert_cmpint(guest_order_add(&order, &more), ==, 0);
	g_assert_cmpuint(order.size, <=, UMADRIG_GUEST_RUN_MAX);
	g_assert_cmpint(guest_order_add(&order, &last), ==, -E2BIG);
	guest_order_clear(&order);
}

/* ---- a program ---- */

struct heard {
	uint8_t type;
	uint32_t value;
	GString *content;
};

/* The next message on the socket. */
static void hear(int fd, struct heard *heard)
{
	uint8_t bytes[UMADRIG_HCA_UP_MAX];
	struct umadrig_hca_header header;
	ssize_t size = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	g_assert_cmpint(size, >=, (ssize_t)sizeof(header));
	memcpy(&header, bytes, sizeof(header));
	g_assert_cmpuint(le32toh(header.length), ==, (size_t)size);
	g_assert_cmpuint(le32toh(header.sequence), ==, 5);
	heard->type = header.type;
	heard->value = le32toh(header.value);
	g_string_truncate(heard->content, 0);
	g_string_append_len(heard->content, (const char *)bytes + sizeof(header),
			    size - (ssize_t)sizeof(header));
}

static void expect(int fd, struct heard *heard, uint8_t type, uint32_t value, const char *content)
{
	hear(fd, heard);
	g_assert_cmpuint(heard->type, ==, type);
	g_assert_cmpuint(heard->value, ==, value);
	g_assert_cmpstr(heard->content->str, ==, content);
}

static struct guest_program *start(const char *script, int channel, bool has_input)
{
	char *arguments[] = { (char *)(uintptr_t)"sh", (char *)(uintptr_t)"-c",
			      (char *)(uintptr_t)script, NULL };
	char *environment[] = { (char *)(uintptr_t)"PATH=/bin:/usr/bin",
				(char *)(uintptr_t)"WORD=word", NULL };
	struct guest_order order = {
		.program = 5, .directory = (char *)(uintptr_t)"/", .arguments = arguments,
		.environment = environment, .has_input = has_input,
	};

	return guest_program_start(&order, channel);
}

static int wait_for(struct guest_program *program)
{
	int status;

	g_assert_cmpint(waitpid(program->pid, &status, 0), ==, program->pid);
	return status;
}

static void test_program(void)
{
	struct heard heard = { .content = g_string_new(NULL) };
	struct guest_program *program;
	int sockets[2];

	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), ==, 0);
	program = start("read line; echo \"$line $WORD $PWD\"; echo oops >&2; exit 3", sockets[0],
			true);
	g_assert_nonnull(program);
	expect(sockets[1], &heard, UMADRIG_GUEST_STARTED, 0, "");
	guest_program_input(program, (const uint8_t *)"hello\n", 6, sockets[0]);
	expect(sockets[1], &heard, UMADRIG_GUEST_TAKEN, 6, "");
	guest_program_end(program, wait_for(program), sockets[0]);
	expect(sockets[1], &heard, UMADRIG_GUEST_STDOUT, 0, "hello word /\n");
	expect(sockets[1], &heard, UMADRIG_GUEST_STDOUT, 0, "");
	expect(sockets[1], &heard, UMADRIG_GUEST_STDERR, 0, "oops\n");
	expect(sockets[1], &heard, UMADRIG_GUEST_STDERR, 0, "");
	expect(sockets[1], &heard, UMADRIG_GUEST_EXITED, 3 << 8, "");
	g_assert_true(guest_program_is_over(program));
	guest_program_free(program);
	close(sockets[0]);
	close(sockets[1]);
	g_string_free(heard.content, true);
}

/* Its input is more than a pipe takes; then it is killed, and what is left is nobody's. */
static void test_input(void)
{
	struct heard heard = { .content = g_string_new(NULL) };
	g_autofree char *text = g_strnfill(UMADRIG_GUEST_WINDOW, 'x');
	struct guest_program *program;
	size_t taken;
	int sockets[2];

	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), ==, 0);
	program = start("exec sleep 60", sockets[0], true);
	expect(sockets[1], &heard, UMADRIG_GUEST_STARTED, 0, "");
	guest_program_input(program, (const uint8_t *)text, UMADRIG_GUEST_WINDOW, sockets[0]);
	hear(sockets[1], &heard);
	taken = heard.value;
	guest_program_input(program, (const uint8_t *)text, taken, sockets[0]);
	g_assert_cmpuint(program->waiting_size, ==, UMADRIG_GUEST_WINDOW);
	g_assert_cmpint(kill(-program->pid, SIGKILL), ==, 0);
	guest_program_end(program, wait_for(program), sockets[0]);
	g_assert_cmpint(program->input, ==, -1);
	expect(sockets[1], &heard, UMADRIG_GUEST_STDOUT, 0, "");
	expect(sockets[1], &heard, UMADRIG_GUEST_STDERR, 0, "");
	expect(sockets[1], &heard, UMADRIG_GUEST_EXITED, SIGKILL, "");
	guest_program_free(program);
	close(sockets[0]);
	close(sockets[1]);
	g_string_free(heard.content, true);
}

static void test_not_there(void)
{
	char *arguments[] = { (char *)(uintptr_t)"/no/such/program", NULL }, *none[] = { NULL };
	struct guest_order order = {
		.program = 5, .directory = (char *)(uintptr_t)"/", .arguments = arguments,
		.environment = none,
	};
	struct heard heard = { .content = g_string_new(NULL) };
	int sockets[2];

	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), ==, 0);
	g_assert_null(guest_program_start(&order, sockets[0]));
	expect(sockets[1], &heard, UMADRIG_GUEST_STARTED, ENOENT, "");
	order.directory = (char *)(uintptr_t)"/no/such/directory";
	g_assert_null(guest_program_start(&order, sockets[0]));
	expect(sockets[1], &heard, UMADRIG_GUEST_STARTED, ENOENT, "");
	while (waitpid(-1, NULL, 0) > 0)
		;
	close(sockets[0]);
	close(sockets[1]);
	g_string_free(heard.content, true);
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/guest/layout", test_layout);
	g_test_add_func("/guest/framing", test_framing);
	g_test_add_func("/guest/order/pieces", test_pieces);
	g_test_add_func("/guest/order/malformed", test_malformed);
	g_test_add_func("/guest/order/too-long", test_too_long);
	g_test_add_func("/guest/program/run", test_program);
	g_test_add_func("/guest/program/input", test_input);
	g_test_add_func("/guest/program/not-there", test_not_there);
	return g_test_run();
}
