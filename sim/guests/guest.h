/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest: a whole Linux kernel (User-mode Linux) that is a host of the fabric. It is a process of
 * its own, whose time (guest-time.h) and whose HCAs (guest-vhost.h, guest-port.h) are ours.
 *
 * To the fabric it is one more kernel: the host has its table of operations, which hands the
 * packets that arrive to the guest, and has none of the files that programs open, because the
 * guest's programs have their own in there.
 *
 * A guest runs only at its turn (guest-set.h), and whoever calls functions of this header finds it
 * waiting, but for those that messages of its own lead to. Lock held in all of them.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_H
#define UMADRIG_SIM_GUESTS_GUEST_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kmod-stub/kmod.h"
#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "sim/guests/guest-console.h"
#include "sim/guests/guest-time.h"
#include "sim/guests/guest-vhost.h"
#include "sim/guests/hca-driver.h"
#include "sim/system/private-directory.h"

struct guest_program;
struct guest_set;
struct umadrig_host;

enum guest_state {
	GUEST_OFF,		/* no power, until it is given some */
	GUEST_TO_START,		/* its process begins at its next turn */
	GUEST_ON,
};

struct guest {
	struct kmod_kernel kernel;	/* the host's: guest_of_kernel() */
	struct guest_set *set;
	struct umadrig_host *host;
	unsigned int number;		/* in the set */
	char *image;			/* the kernel's file */
	enum guest_state state;
	pid_t pid;			/* 0: there is no process */
	struct private_directory directory;
	struct guest_console console;
	int time_listener;
	struct guest_time time;
	struct guest_vhost vhost;
	GQueue down;			/* struct guest_letter, to be put into its queue */
	size_t mads_down;		/* of these, packets */
	struct hca_driver driver;
	bool has_init;			/* it takes commands */
	bool is_leaving;		/* it has said that it powers off */
	bool is_in_turn;		/* it runs, or is being called */
	bool is_to_be_cut;		/* when that is over */
	int64_t turn_ns;		/* the instant of its last turn, */
	unsigned int turns;		/* and how many it had at it */
	GPtrArray *programs;		/* struct guest_program, in the order of their start */
	size_t waiting;			/* bytes of their output, at most GUEST_WAITING_MAX */
	GPtrArray *files;		/* struct guest_file, open out here */
	uint32_t last_file;		/* the number of the newest one */
	/* Its time goes on while the fabric's stands (guest_await()): where it is. */
	bool is_held;
	int64_t held_ns;
};

/* Made for 'host', whose kernel it becomes; its power comes with the first turn. */
struct guest *guest_new(struct guest_set *set, struct umadrig_host *host, const char *image,
			unsigned int number);
/* Ends its process. Its host still has a kernel. */
void guest_stop(struct guest *guest);
/* Its host has no kernel any more. */
void guest_free(struct guest *guest);

/* The first moment at which it goes on; TIME_NEVER: none. */
int64_t guest_due_ns(struct guest *guest);
/* Its turn: it runs until it waits. If it dies, or is not to be trusted, it is ended. */
void guest_turn(struct guest *guest);

/*
 * Lets it run until 'is_over' says so (NULL: until it is up), or it has no power any more, and it
 * waits: all at this instant of the fabric. Not while it runs.
 */
void guest_await(struct guest *guest, bool (*is_over)(const void *ctx), const void *ctx);

/*
 * Cuts its power: the process is killed, its programs with it, and its HCAs are as pulled out. What
 * 'why' says, if it is not NULL, goes to stderr.
 */
void guest_cut(struct guest *guest, const char *why);
/*
 * Power again, as after guest_cut(): it boots at its next turn. One that has power gets back the
 * adapters that were pulled out.
 */
void guest_restore(struct guest *guest);

/* Of its driver, and of its table of operations. */
static inline struct guest *guest_of_driver(const struct hca_driver *driver)
{
	return container_of((struct hca_driver *)(uintptr_t)driver, struct guest, driver);
}

static inline struct guest *guest_of_kernel(const struct kmod_kernel *kernel)
{
	return container_of((struct kmod_kernel *)(uintptr_t)kernel, struct guest, kernel);
}

#endif
