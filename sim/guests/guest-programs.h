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

/* Where a guest may write, whatever it is given: its first program makes it. For TMPDIR. */
#define GUEST_TEMPORARY "/run/tmp"

/* What becomes of a program, for its starter. Each may be NULL. */
struct guest_program_calls {
	void (*over)(void *ctx);	/* it has ended: 'status' and 'err' are there */
	void (*freed)(void *ctx);	/* struct guest_program is not there any more */
};

/* Programs that run in a guest at once: its first program has no room for more. */
enum { GUEST_PROGRAMS_MAX = 256 };

/* What to start. Nothing of it is kept but 'calls' and 'ctx'. */
struct guest_program_start {
	const char *const *argv;	/* found by the guest in its PATH; NULL-terminated */
	const char *const *environment;	/* all of it; the same */
	const char *directory;		/* absolute */
	/*
	 * Ours, which are duplicated. 0: no input; our own output. An input that is no file is
	 * read as it comes; whether that is at a certain time depends on who writes it.
	 */
	int input, output, errors;
	const struct guest_program_calls *calls;
	void *ctx;
};

/* What it has written, and its descriptor has had no room for yet. */
struct guest_program_stream {
	int fd;				/* -1: none, or over */
	uint8_t *waiting;
	size_t size;
	bool ends;			/* after that */
};

/*
 * A reader that does not read holds up nobody else: what all programs of a guest have waiting
 * beyond this is lost, and said.
 */
enum { GUEST_WAITING_MAX = 64 << 20 };

struct guest_program {
	struct guest *guest;
	uint32_t number;
	char *name;
	const struct guest_program_calls *calls;
	void *ctx;
	char *words;			/* RUN's payload, until it is sent; NULL: it has been */
	size_t words_size;
	int input;			/* -1: none, or over */
	struct guest_program_stream output, errors;
	size_t window;			/* bytes of input that the guest still has room for */
	bool has_started, is_over;
	int status;			/* when it is over, as of waitpid(2) */
	int err;			/* it could not be started: a positive errno; 0 */
};

/*
 * It begins when the guest can, at this instant or later. The struct belongs to the guest. -E2BIG:
 * arguments and environment are too long; -EHOSTDOWN: the guest has no power; -EAGAIN:
 * GUEST_PROGRAMS_MAX run; or another -errno.
 */
int guest_program_start(struct guest *guest, const struct guest_program_start *start,
			struct guest_program **ret);
/* Why guest_program_start() has failed, after the host's name. */
const char *guest_program_reason(int err);
/* Sends it a signal, to its process group. Nothing, if it is over. */
void guest_program_signal(struct guest_program *program, int sig);
/* Nobody wants to know any more what becomes of it. */
void guest_program_forget(struct guest_program *program);

/* A message of a program, or of init, has come up. 0, or -EPROTO. */
int guest_program_up(struct guest *guest, const struct umadrig_hca_header *header,
		     const uint8_t *payload, size_t size);
/* Is it up: its HCAs are there, and init is? Programs and files wait for that. */
bool guest_is_up(const struct guest *guest);
/* Begins those that have not begun, if the guest is up: its HCAs are there, and init is. */
void guest_programs_begin(struct guest *guest);
/* Is there something of their inputs? */
bool guest_programs_have_input(const struct guest *guest);
/* Is there room for what they have written, and could not be passed on so far? */
bool guest_programs_can_write(const struct guest *guest);
/* Passes that on; of input nothing, unless 'with_input'. */
void guest_programs_pass(struct guest *guest, bool with_input);
/* The guest has no power any more: they are over, as killed. */
void guest_programs_end(struct guest *guest);
void guest_programs_free(struct guest *guest);

#endif
