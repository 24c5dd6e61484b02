/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Errands: commands that a fabric wants to have started among its programs, in virtual time.
 *
 * A server cannot start them: its programs' processes are children of one another, and what comes
 * from outside comes at a real moment. So a session that needs it has an attendant, a program that
 * is there from the beginning (harness/exec/attendant.h). It waits for a signal, as programs in
 * virtual time do; then it asks for the next errand (ATTACH_ERRAND), starts it, and says how it has
 * ended where somebody wants to know (ATTACH_ERRAND_END).
 *
 * Lock held.
 */
#ifndef UMADRIG_SIM_SERVER_ERRANDS_H
#define UMADRIG_SIM_SERVER_ERRANDS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sim/fabric/fabric-programs.h"

/* That wait to be taken, or whose end is to be told: a program could hold the attendant up. */
enum { ERRANDS_MAX = 1024 };

struct server_errands;
struct server_lockstep;

struct server_errands *errands_new(struct server_lockstep *lockstep);
/* NULL is allowed. */
void errands_free(struct server_errands *errands);

/* As the functions of struct fabric_programs. -EAGAIN: there are ERRANDS_MAX. */
int errands_expect(struct server_errands *errands, GString *why);
int64_t errands_add(struct server_errands *errands, const char *command, fabric_told_fn *told,
		    void *told_ctx, GString *why);
void errands_forget(struct server_errands *errands, int64_t number);

/* The session begins: is it to have an attendant? */
bool errands_begin(struct server_errands *errands);

/*
 * The attendant, which is process 'pid', asks for the next one: its number, or -EAGAIN. '*ret_text'
 * is to be freed, '*ret_is_asked': its end is to be told.
 */
int64_t errands_take(struct server_errands *errands, pid_t pid, char **ret_text,
		     bool *ret_is_asked);
/* One has ended. -ENOENT: none of that number runs. */
int errands_end(struct server_errands *errands, int64_t number, int status, const char *said);

#endif
