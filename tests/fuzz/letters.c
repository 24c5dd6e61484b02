/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: what a guest's driver and its first program send up (sim/guests/), of any type,
 * about HCAs, programs and files that are there or not. Nothing of it is believed.
 *
 * The input is messages, each behind its size in two bytes, little-endian.
 */
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/guests/guest-file.h"
#include "sim/guests/guest-letter.h"
#include "sim/guests/guest-programs.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/guest.h"
#include "sim/host/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int say(struct guest *guest, const uint8_t *bytes, size_t size)
{
	return guest->vhost.calls->up(guest, bytes, size);
}

/* Where the guest would answer a call on its newest file, it succeeds. */
static void await(struct guest *guest, bool (*is_over)(const void *ctx), const void *ctx)
{
	struct { struct umadrig_hca_header header; uint32_t revents; } done = {
		.header = {
			.length = GUINT32_TO_LE(sizeof(done)), .version = UMADRIG_HCA_VERSION,
			.type = UMADRIG_GUEST_FILE_DONE,
			.sequence = GUINT32_TO_LE(guest->last_file),
		},
	};

	if (is_over && !is_over(ctx))
		say(guest, (const uint8_t *)&done, sizeof(done));
	guest_letters_forget(guest);
}

/* As if it were up, with one program and one file; there is no process. */
static struct guest *bring_up(struct umadrig_fabric *fabric, int sink, struct guest_file **ret_file)
{
	struct guest *guest = guest_set_find(fabric_host(fabric, "H1"));
	static const char *const argv[] = { "true", NULL }, *const environment[] = { NULL };
	const struct guest_program_start start = {
		.argv = argv, .environment = environment, .directory = "/", .output = sink,
		.errors = sink,
	};
	struct guest_program *program;

	guest->state = GUEST_ON;
	guest->is_in_turn = guest->has_init = guest->driver.is_ready = true;
	guest->set->await = await;
	end_port_kmod(guest->host->nodes[0]->ports[1].end);
	guest->driver.hca[0].state = HCA_THERE;
	g_assert(guest_program_start(guest, &start, &program) == 0);
	g_assert(guest_file_open(guest->driver.hca[0].port[0], UMADRIG_GUEST_FILE_UMAD, NULL,
				 ret_file) == 0);
	return guest;
}

static void hear(struct guest *guest, const uint8_t *data, size_t size)
{
	while (size >= 2) {
		size_t length = MIN((size_t)(data[0] | data[1] << 8), size - 2);
		g_autofree uint8_t *message = g_memdup2(data + 2, length);

		/* (It is never called without a byte.) */
		if (length > 0)
			say(guest, message, length);
		guest_letters_forget(guest);
		data += 2 + length;
		size -= 2 + length;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char why[1024];
	struct umadrig_fabric *fabric;
	struct guest_file *file;
	struct guest *guest;
	int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);

	g_setenv("UMADRIG_GUEST_INIT", "/bin/sh", true);
	fabric = umadrig_fabric_open(",clock=virtual,kernel=H1:uml:/bin/sh", why, sizeof(why));
#if !defined(__x86_64__)
	/* User-mode Linux runs there alone. */
	close(sink);
	return 0;
#endif
	if (!fabric)
		g_error("%s", why);
	g_assert(fabric_enter(fabric) == 0);
	clock_remove_party(fabric->clock, &fabric->guests->party);
	guest = bring_up(fabric, sink, &file);
	hear(guest, data, size);
	fabric_leave(fabric);
	umadrig_step(fabric, 1000000);
	g_assert(fabric_enter(fabric) == 0);
	guest->is_in_turn = false;
	guest_file_close(file);
	fabric_leave(fabric);
	umadrig_fabric_close(fabric);
	close(sink);
	return 0;
}
