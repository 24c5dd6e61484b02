/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A handle is named by its token alone. What anybody can find out or guess names none: the number
 * by which the kernel knows its socket, those beside it, the number in its name. So no program gets
 * at a handle whose descriptor it has not.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "tests/rig/guarded-server.h"

enum { NEIGHBOURS = 64, FORGED_SIZE = 320 };

static uint64_t cookie_of(int fd)
{
	uint64_t cookie;
	socklen_t size = sizeof(cookie);

	g_assert_cmpint(getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size), ==, 0);
	return cookie;
}

/* The number in the socket's name, which /proc/net/unix shows to everybody. */
static uint64_t number_of(int fd)
{
	struct sockaddr_un address = { .sun_family = 0 };
	socklen_t size = sizeof(address);
	const char *at;

	g_assert_cmpint(getsockname(fd, (struct sockaddr *)&address, &size), ==, 0);
	at = strrchr(address.sun_path + 1, '-');
	g_assert_nonnull(at);
	return g_ascii_strtoull(at + 1, NULL, 16);
}

/* Calls of 'attacker' that name a handle by 'name'; 'want': the result of all. */
static void call_all(struct guarded *guarded, const struct guarded_open *attacker, uint64_t name,
		     int64_t want)
{
	static const uint8_t forged[FORGED_SIZE];
	const struct attach_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1, .oui = 0x001405,
		.mgmt_class = 0x33, .mgmt_class_version = 1,
	};
	const struct { uint32_t op; const void *data; size_t size; } calls[] = {
		{ ATTACH_REGISTER, &reg, sizeof(reg) },
		{ ATTACH_UNREGISTER, NULL, 0 },
		{ ATTACH_SEND, forged, sizeof(forged) },
		{ ATTACH_PUT_BACK, forged, sizeof(forged) },
		{ ATTACH_PAGE, NULL, 0 },
	};
	struct guarded_open as = *attacker;

	as.token = name;
	for (unsigned int i = 0; i < G_N_ELEMENTS(calls); i++)
		g_assert_cmpint(guarded_ask_of(guarded, &as, calls[i].op, calls[i].data,
					       calls[i].size, NULL, 0), ==, want);
}

static bool has_mad(const struct guarded_open *opened)
{
	struct attach_record record;

	return recv(opened->handle, &record, sizeof(record), MSG_DONTWAIT) > 0;
}

static void test_calls(void)
{
	struct guarded guarded = guarded_start();
	struct guarded_open victim = guarded_open_on(&guarded, "H1", 0);
	struct guarded_open attacker = guarded_open_on(&guarded, "H1", 0);
	const uint64_t known[] = {
		0, cookie_of(victim.handle), number_of(victim.handle), attacker.token + 1,
		attacker.token - 1,
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(known); i++)
		call_all(&guarded, &attacker, known[i], -EBADF);
	for (uint64_t i = 1; i <= NEIGHBOURS; i++) {
		call_all(&guarded, &attacker, known[1] + i, -EBADF);
		call_all(&guarded, &attacker, known[1] - i, -EBADF);
	}
	g_assert_false(has_mad(&victim));
	/* Its token does name it, to whoever has been told. */
	g_assert_cmpuint(handle_token(victim.handle), ==, victim.token);
	attacker.token = victim.token;
	g_assert_cmpint(guarded_ask_of(&guarded, &attacker, ATTACH_PUT_BACK,
				       (uint8_t[FORGED_SIZE]){ 0 }, FORGED_SIZE, NULL, 0), ==, 0);
	g_assert_true(has_mad(&victim));
	guarded_close(&attacker);
	guarded_close(&victim);
	guarded_end(&guarded);
}

/* The tokens of many handles: no two are near each other. */
static void test_unlike(void)
{
	enum { COUNT = 50, NEAR = 1000000 };
	struct guarded guarded = guarded_start();
	struct guarded_open opened[COUNT];

	for (unsigned int i = 0; i < COUNT; i++) {
		uint64_t token;

		opened[i] = guarded_open_on(&guarded, "H1", 0);
		token = opened[i].token;
		g_assert_cmpuint(token, >, NEAR);
		for (unsigned int j = 0; j < i; j++)
			g_assert_cmpuint(MAX(token, opened[j].token) -
					 MIN(token, opened[j].token), >, NEAR);
	}
	for (unsigned int i = 0; i < COUNT; i++)
		guarded_close(&opened[i]);
	guarded_end(&guarded);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server-token/calls", test_calls);
	g_test_add_func("/server-token/unlike", test_unlike);
	return g_test_run();
}
