/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How programs reach the fabric: a library that is preloaded into them, which is the
 * quick way; and a filter that stops the system calls of all the others.
 */
#ifndef UMADRIG_HARNESS_EXEC_MEANS_H
#define UMADRIG_HARNESS_EXEC_MEANS_H

#include <glib.h>
#include <stdbool.h>

struct exec_job;

/* What was asked for. */
enum exec_how {
	EXEC_PRELOAD,
	EXEC_FILTER,
	EXEC_BOTH,	/* as far as they can be had */
};

/* What there is. */
struct exec_means {
	bool preload;
	bool filter;
	bool keeps_rights;	/* setuid programs gain rights below the filter */
	bool is_inner;		/* below another filter: what gets past us is on its fabric */
	bool in_time;		/* it is to be in virtual time */
	bool has_stand_in;	/* where another program stands for it, which loads the library */
	bool meets_verbs;	/* it loads libibverbs, as far as that is known */
	char *lack;		/* why there is no filter although it was asked for, or NULL */
};

/* "preload", "filter" or "both". False: it is none of them. */
bool exec_how_parse(const char *text, enum exec_how *ret);

/*
 * Finds out what can be had. Says so on stderr if that is less than was asked for; COMMAND_REFUSED
 * if it is nothing. 'ret' is to be cleared. To be called before any thread is made.
 */
bool exec_means_find(const struct exec_job *job, struct exec_means *ret, GError **error);
void exec_means_clear(struct exec_means *means);

#endif
