/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest: see sim/guests/guest.h.
 */
#include "sim/guests/guest.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/guests/guest-file.h"
#include "sim/guests/guest-kernel.h"
#include "sim/guests/guest-letter.h"
#include "sim/guests/guest-port.h"
#include "sim/guests/guest-process.h"
#include "sim/guests/guest-programs.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/hca-driver.h"
#include "sim/host/power.h"

/* The longest that it may take for a call, or for coming up, in its own time. */
#define AWAIT_MAX_NS INT64_C(100000000000)

enum {
	OF_MACHINE_MS = 1000,	/* one step of what it may compute: real time */
};

/* ---- messages ---- */

static int send_down(struct hca_driver *driver, const struct umadrig_hca_header *header,
		     const void *payload, size_t size)
{
	return guest_send(guest_of_driver(driver), header, payload, size);
}

static int up(void *ctx, const uint8_t *message, size_t size)
{
	struct guest *guest = ctx;
	struct umadrig_hca_header header = { 0 };
	int ret;

	if (size >= sizeof(header))
		memcpy(&header, message, sizeof(header));
	if (size < sizeof(header) || GUINT32_FROM_LE(header.length) != size ||
	    header.version != UMADRIG_HCA_VERSION) {
		g_snprintf(guest->vhost.why, sizeof(guest->vhost.why), "a message of %zu bytes of "
			   "its driver says another length, or another version", size);
		return -EPROTO;
	}
	message += sizeof(header);
	size -= sizeof(header);
	ret = header.type >= UMADRIG_GUEST_FILE_OPEN ?
	      guest_file_up(guest, &header, message, size) :
	      header.type >= UMADRIG_HCA_GUEST_FIRST ?
	      guest_program_up(guest, &header, message, size) :
	      hca_driver_up(&guest->driver, &header, message, size);
	/* Programs wait for its HCAs. */
	if (header.type == UMADRIG_HCA_READY || header.type == UMADRIG_HCA_HELLO)
		guest_programs_begin(guest);
	if (ret < 0)
		g_snprintf(guest->vhost.why, sizeof(guest->vhost.why), "a message of type %d and "
			   "%zu bytes of its driver makes no sense", header.type, size);
	return ret;
}

/* Where it is: at the fabric's now, or beyond it while that stands. */
static int64_t *now_of(struct guest *guest)
{
	return guest->is_held ? &guest->held_ns : &guest->host->fabric->queue.now_ns;
}

/*
 * How far it may go by itself. It asks for each step while the fabric stands; and where it has
 * files open out here, on which a call may come at any instant.
 */
static int64_t limit_of(struct guest *guest)
{
	return guest->is_held || guest->files->len > 0 ? *now_of(guest) :
	       guest->set->limit_ns(guest->set, guest);
}

/* What it has sent may come back earlier than it was free to go. */
static int kicked(void *ctx)
{
	struct guest *guest = ctx;

	return guest_time_limit(&guest->time, *now_of(guest), limit_of(guest));
}

/* ---- its turn ---- */

/*
 * Waits for one of its sockets and takes a message of it. 1: it has answered an interrupt; 0; or
 * -errno.
 */
static int serve_one(struct guest *guest)
{
	struct guest_vhost *vhost = &guest->vhost;
	struct pollfd fds[] = {
		{ .fd = vhost->fd, .events = POLLIN },
		{ .fd = vhost->listener, .events = POLLIN },
		{ .fd = guest->time.fd, .events = POLLIN },
		{ .fd = vhost->call_fd, .events = POLLIN },
	};
	int ret = 0;

	for (int waited_ms = 0; ret == 0; waited_ms += OF_MACHINE_MS) {
		if (waited_ms >= guest->set->patience_ms)
			return -ETIMEDOUT;
		if (guest_console_floods(&guest->console))
			return -EFBIG;
		ret = poll(fds, G_N_ELEMENTS(fds), OF_MACHINE_MS);
		if (ret < 0 && errno == EINTR)
			ret = 0;
	}
	if (ret < 0)
		return -errno;
	if (fds[0].revents) {
		ret = guest_vhost_take(vhost);
		/* The driver has gone, and its HCAs with it; the guest may live on. */
		if (ret == -EPIPE) {
			hca_driver_end(&guest->driver);
			guest->has_init = false;
			guest_letters_forget(guest);
			return 0;
		}
		return ret;
	}
	if (fds[1].revents)
		return guest_vhost_accept(vhost);
	if (fds[2].revents)
		return guest_time_take(&guest->time, now_of(guest));
	ret = guest_vhost_called(vhost);
	return ret < 0 ? ret : 1;
}

/* Interrupts it for what is in its queue. */
static int deliver(struct guest *guest)
{
	int ret = guest_letters_put(guest);

	if (ret > 0)
		ret = guest_vhost_call(&guest->vhost);
	else
		return ret;
	while (ret == 0)
		ret = serve_one(guest);
	return ret < 0 ? ret : 0;
}

static int run(struct guest *guest)
{
	int64_t now_ns = *now_of(guest);
	int ret;

	if (guest->time.state == GUEST_TIME_STARTING)
		ret = guest_time_begin(&guest->time, now_ns);
	else if (guest->time.request_ns <= now_ns)
		ret = guest_time_run(&guest->time, now_ns, limit_of(guest));
	else
		return 0;	/* an interrupt that wants nothing */
	while (ret == 0 && guest->time.state == GUEST_TIME_RUNNING)
		ret = serve_one(guest);
	return ret < 0 ? ret : 0;
}

/*
 * It has told nobody how far it has gone by itself. What comes from inside of virtual time comes no
 * earlier than that; but a signal, or input, from outside may.
 */
static bool can_be_here(struct guest *guest)
{
	return guest->time.ahead_ns <= *now_of(guest);
}

static void start(struct guest *guest)
{
	char why[1024];

	guest->state = GUEST_ON;
	hca_driver_show(guest->host);
	if (guest_process_start(guest, why, sizeof(why)) < 0)
		guest_cut(guest, why);
}

static void say_end(struct guest *guest, int err)
{
	g_autofree char *words = guest_console_last_words(&guest->console, "\n  ");
	g_autofree char *reason = NULL, *text = NULL;

	if (err == -EPIPE && guest->is_leaving) {
		guest_cut(guest, NULL);
		return;
	}
	reason = err == -EPIPE ? g_strdup("has ended by itself") :
		 err == -ETIMEDOUT ? g_strdup_printf("computes for more than %d s without a wait, "
						     "in real time, and is ended",
						     guest->set->patience_ms / 1000) :
		 err == -EFBIG ? g_strdup_printf("writes more than %d MiB to its console without "
						 "a wait, and is ended",
						 GUEST_CONSOLE_TURN_MAX >> 20) :
		 err == -EDEADLK ? g_strdup("waits for ever where it was to do something, and is "
					    "ended") :
		 err == -ETIME ? g_strdup("takes more than 100 s for one thing, in its own time, "
					  "and is ended") :
		 err == -EPROTO || err == -EFAULT ?
		 g_strdup_printf("is ended: %s", *guest->time.why ? guest->time.why :
				 guest->vhost.why) :
		 g_strdup_printf("is ended: %s", g_strerror(-err));
	text = g_strdup_printf("the guest of %s %s%s%s", guest->host->name, reason,
			       *words ? "; it says:" : "", words);
	guest_cut(guest, text);
}

/* What it has caused may have cut its power. */
static void leave(struct guest *guest)
{
	guest_console_look(&guest->console, guest->host->name);
	guest->is_in_turn = false;
	if (guest->is_to_be_cut)
		guest_cut(guest, NULL);
}

static void take_turn(struct guest *guest)
{
	int ret = 0;

	if (guest->turn_ns != *now_of(guest))
		guest->turns = 0;
	guest->turn_ns = *now_of(guest);
	if (guest->state == GUEST_TO_START) {
		guest_await(guest, NULL, NULL);
		return;
	}
	if (++guest->turns > guest->set->turns_max) {
		guest_cut(guest, "a guest lets no time pass, and is ended");
		return;
	}
	if (guest->time.state == GUEST_TIME_WAITING && can_be_here(guest) &&
	    guest_letters_can_go(guest))
		ret = deliver(guest);
	if (ret == 0)
		ret = run(guest);
	if (ret < 0)
		say_end(guest, ret);
	else
		guest_programs_pass(guest, can_be_here(guest));
}

/* ---- while the fabric stands ---- */

/* One step of its own time: what is to be done at this instant, or the next one that it wants. */
static int step(struct guest *guest)
{
	struct guest_time *time = &guest->time;

	if (guest->state == GUEST_TO_START) {
		start(guest);
		return 0;
	}
	if (time->state == GUEST_TIME_WAITING && guest_letters_can_go(guest))
		return deliver(guest);
	if (time->state == GUEST_TIME_WAITING && time->request_ns == TIME_NEVER)
		return -EDEADLK;
	if (time->state == GUEST_TIME_WAITING)
		guest->held_ns = MAX(guest->held_ns, time->request_ns);
	return run(guest);
}

/* One that looks at the clock asks for a step of some hundred ns, and is not done. */
static bool is_quiet(struct guest *guest)
{
	enum { STEP_NS = 10000 };

	return guest->time.state == GUEST_TIME_WAITING && !guest_letters_can_go(guest) &&
	       guest->time.request_ns > guest->held_ns + STEP_NS;
}

/* A guest that comes up does so in no time: its clock begins so much earlier. */
static void set_back(struct guest *guest, int64_t by_ns)
{
	struct guest_time *time = &guest->time;

	time->start_ns -= by_ns;
	if (time->request_ns != TIME_NEVER)
		time->request_ns -= by_ns;
	guest->held_ns -= by_ns;
}

void guest_await(struct guest *guest, bool (*is_over)(const void *ctx), const void *ctx)
{
	int64_t now_ns = *now_of(guest);
	bool comes_up = !guest_is_up(guest);
	unsigned int steps = 0;
	int ret = 0;

	if (guest->state == GUEST_OFF || (!is_over && !comes_up))
		return;
	guest->is_in_turn = true;
	guest->is_held = true;
	guest->held_ns = MAX(now_ns, guest->time.ahead_ns);
	while (ret == 0 && guest->state != GUEST_OFF &&
	       !((is_over ? is_over(ctx) : guest_is_up(guest)) && is_quiet(guest))) {
		ret = step(guest);
		if (ret == 0 && (guest->held_ns - now_ns > AWAIT_MAX_NS ||
				 ++steps > guest->set->turns_max))
			ret = -ETIME;
	}
	if (comes_up && guest_is_up(guest))
		set_back(guest, guest->held_ns - now_ns);
	guest->is_held = false;
	guest->time.ahead_ns = guest->held_ns;
	if (ret < 0 && guest->state != GUEST_OFF)
		say_end(guest, ret);
	leave(guest);
}

void guest_turn(struct guest *guest)
{
	guest->is_in_turn = true;
	take_turn(guest);
	leave(guest);
}

int64_t guest_due_ns(struct guest *guest)
{
	if (guest->state == GUEST_OFF)
		return TIME_NEVER;
	if (guest->state == GUEST_TO_START || guest->time.state != GUEST_TIME_WAITING)
		return *now_of(guest);
	guest_ports_look(&guest->driver);
	if (guest_programs_can_write(guest))
		return *now_of(guest);
	if (guest_letters_can_go(guest) || guest_programs_have_input(guest))
		return MIN(MAX(*now_of(guest), guest->time.ahead_ns), guest->time.request_ns);
	return guest->time.request_ns;
}

/* ---- its life ---- */

struct guest *guest_new(struct guest_set *set, struct umadrig_host *host, const char *image,
			unsigned int number)
{
	static const struct guest_vhost_calls calls = { up, kicked };
	struct guest *guest = g_new0(struct guest, 1);

	guest->kernel = guest_kernel;
	guest->set = set;
	guest->host = host;
	guest->number = number;
	guest->image = g_strdup(image);
	guest->state = GUEST_TO_START;
	guest->directory.lock = -1;
	guest->console.fd = -1;
	guest->time_listener = guest->time.fd = -1;
	guest->vhost = (struct guest_vhost) {
		.listener = -1, .fd = -1, .call_fd = -1, .calls = &calls, .ctx = guest,
	};
	g_queue_init(&guest->down);
	guest->driver.fabric = host->fabric;
	guest->driver.send = send_down;
	hca_driver_take(&guest->driver, host);
	guest->programs = g_ptr_array_new();
	guest->files = g_ptr_array_new();
	host->kernel = &guest->kernel;
	return guest;
}

void guest_stop(struct guest *guest)
{
	guest->state = GUEST_OFF;
	guest->driver.own_agents = 0;
	guest_process_end(guest);
	hca_driver_end(&guest->driver);
	guest_programs_end(guest);
	guest_files_end(guest);
	guest_letters_forget(guest);
}

void guest_free(struct guest *guest)
{
	guest_programs_free(guest);
	g_ptr_array_free(guest->files, true);
	g_free(guest->image);
	g_free(guest);
}

void guest_cut(struct guest *guest, const char *why)
{
	guest->is_to_be_cut = false;
	if (guest->state == GUEST_OFF)
		return;
	if (why)
		fprintf(stderr, "umadrig: %s\n", why);
	guest_stop(guest);
	guest->has_init = guest->is_leaving = false;
	for (unsigned int i = 0; i < guest->host->node_count; i++)
		node_remove(guest->host->nodes[i]);
}

void guest_restore(struct guest *guest)
{
	for (unsigned int i = 0; i < guest->host->node_count; i++)
		node_return(guest->host->nodes[i]);
	if (guest->state == GUEST_OFF)
		guest->state = GUEST_TO_START;
	else if (guest->state == GUEST_ON)
		hca_driver_show(guest->host);
}
