/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A received message that is too large for a socket, on its way into a memfd: slice by slice, so
 * that other programs are served meanwhile.
 */
#ifndef UMADRIG_SIM_SERVER_LARGE_LETTER_H
#define UMADRIG_SIM_SERVER_LARGE_LETTER_H

#include "kmod-stub/kmod.h"
#include "lib/attach/protocol.h"

struct large_letter {
	struct kmod_message *message;	/* what is not in the memfd */
	int memfd;			/* -1: none */
};

/*
 * Begins with the file's first message, after nothing was there. 0, or -errno: there is no
 * descriptor or memory, and the message is lost.
 */
int large_letter_begin(struct large_letter *letter, struct kmod_file *file);
/*
 * The next slice. 1: there is more; 0: it is complete, and its memfd the caller's; or -errno: the
 * message is lost.
 */
int large_letter_go_on(struct large_letter *letter, int *ret_memfd);
/* Drops it. */
void large_letter_clear(struct large_letter *letter);

static inline bool large_letter_is_there(const struct large_letter *letter)
{
	return letter->message;
}

#endif
