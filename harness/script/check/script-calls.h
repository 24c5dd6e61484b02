/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The calls of a script: umad_*, file.*, issm.*, port.*: their parameters and what they do.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_CALLS_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_CALLS_H

#include "harness/script/run/script-run.h"

enum param_kind {
	PARAM_HANDLE,
	PARAM_FILE,
	PARAM_AGENT,
	PARAM_NUMBER,
	PARAM_MS,		/* 100ms; a bare number is the field as it is */
	PARAM_METHODS,		/* {Get, Set} */
	PARAM_PORT,		/* self, peer, or a device's name */
	PARAM_MAD,
	PARAM_DATA,		/* the name of data */
	PARAM_WORD,		/* one of a few words */
};

struct param {
	const char *name;
	enum param_kind kind;
	bool required;
};

#define CALL_PARAMS_MAX 12

/* Where the parameters of a call that waits are. */
enum {
	WAIT_AT_HANDLE,
	WAIT_AT_TIMEOUT,
};

/* A call's arguments in the order of its parameters; NULL: not given. */
struct call_args {
	const struct expr *at[CALL_PARAMS_MAX];
};

struct call_kind {
	const char *name;
	struct param params[CALL_PARAMS_MAX];	/* ends with a NULL name */
	enum var_kind binds;	/* what NAME = call() makes */
	bool is_recv;		/* umad_recv: the timeline does it */
	bool waits;		/* it may be started, and then waits up to its 'timeout' */
	bool sim_only;
	bool wire_only;		/* hw: for soft RoCE devices with a wire of ours */
	/* 0, or the run has failed (run_fail). NULL: is_recv. */
	void (*run)(struct run *run, const struct call_expr *call, const struct call_args *args,
		    const struct mad_pattern *mad, struct call_outcome *ret);
};

/* The call named 'name', or NULL and the closest name known, or NULL. */
const struct call_kind *call_find(const char *name, const char **ret_suggestion);

/* Brings arguments in order. False: diagnosed. */
bool call_bind_args(struct diagnostics *diagnostics, const struct call_kind *kind,
		    const struct call_expr *call, struct call_args *ret);

/* Does the word 'text' name something of the parameter? (PARAM_WORD: a request of file.ioctl.) */
bool call_word_known(const struct param *param, const char *text);

/* A time as milliseconds; a bare number as it is. */
uint32_t arg_ms(struct run *run, const struct expr *expr);

/* The handle that 'expr' names; NULL: run_fail was called. */
struct run_handle *call_handle(struct run *run, const struct expr *expr);

/* Fills 'instance' with what was read: umad header (64 bytes), MAD, and result fields. */
void call_item_instance(const struct run_item *item, struct mad_instance *instance);

#endif
