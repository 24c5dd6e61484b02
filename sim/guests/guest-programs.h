/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that run in a guest: its first program starts them at our word, and what they read and
 * write goes through the guest's device, in order with time.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_PROGRAMS_H
#define UMADRIG_SIM_GUESTS_GUEST_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

struct guest;

/* What to start. Nothing of it is kept. */
struct guest_program_start {
	const char *const *argv;	/* found by the guest in its PATH; NULL-terminated */
	const char *const *environment;	/* all of it; the same */
	const char *directory;		/* absolute */
	/*
	 * Ours, which are duplicated. 0: no input; our own output. An input that is no file is
	 * read as it comes, which is at no certain time.
	 */
	int input, output, errors;
};

struct guest_program {
	struct guest *guest;
	uint32_t number;
	char *name;
	void *handle;			/* woken at its end (clock_wake()), and g_free()d with it */
	char *words;			/* RUN's payload, until it is sent; NULL: it has been */
	size_t words_size;
	int fd[3];			/* -1: none, or over */
	size_t window;			/* bytes of input that the guest still has room for */
	bool has_started, is_over;
	int status;			/* when it is over, as of waitpid(2) */
	int err;			/* it could not be started: a positive errno; 0 */
};

/*
 * It begins when the guest can, at this instant or later. The struct belongs to the guest. -E2BIG:
 * arguments and environment are too long; -EHOSTDOWN: the guest has no power; or another -errno.
 */
int guest_program_start(struct guest *guest, const struct guest_program_start *start,
			struct guest_program **ret);
/* Sends it a signal, to its process group. Nothing, if it is over. */
void guest_program_signal(struct guest_program *program, int sig);

/* A message of a program, or of init, has come up. 0, or -EPROTO. */
int guest_program_up(struct guest *guest, const struct umadrig_hca_header *header,
		     const uint8_t *payload, size_t size);
/* Begins those that have not begun, if the guest is up: its HCAs are there, and init is. */
void guest_programs_begin(struct guest *guest);
/* Passes on what there is of their inputs. */
void guest_programs_feed(struct guest *guest);
/* The guest has no power any more: they are over, as killed. */
void guest_programs_end(struct guest *guest);
void guest_programs_free(struct guest *guest);

#endif
