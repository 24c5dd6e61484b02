/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The calls of a script (umad_*, file.*, issm.*, port.*): their parameters and what they do.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_CALL_TABLE_H
#define UMADRIG_HARNESS_SCRIPT_VERB_CALL_TABLE_H

#include "harness/script/run/run.h"
#include "harness/script/verb/call-fact.h"

enum param_kind {
	PARAM_HANDLE,
	PARAM_FILE,
	PARAM_AGENT,
	PARAM_NUMBER,
	PARAM_MS,		/* 100ms; a bare number is the value of the field */
	PARAM_METHODS,		/* {Get, Set} */
	PARAM_PORT,		/* self, peer, or a device's name */
	PARAM_MAD,		/* for calls that take one: or a buffer */
	PARAM_BUFFER,		/* of umad_alloc */
	PARAM_TEXT,		/* "text" */
	PARAM_DATA,		/* the name of data */
	PARAM_WORD,		/* one of a few words */
};

struct param {
	const char *name;
	enum param_kind kind;
	bool required;
};

#define CALL_PARAMS_MAX 12

/* The indices of the parameters of a call that waits. */
enum {
	WAIT_AT_HANDLE,
	WAIT_AT_TIMEOUT,
};

/* A call's arguments in the order of its parameters; NULL: not given. */
struct call_args {
	const struct expr *at[CALL_PARAMS_MAX];
};

/* A call that runs. */
struct running_call {
	struct run *run;
	const struct call_expr *expr;		/* as it is written */
	const struct expr *const *args;		/* struct call_args */
	const struct mad_pattern *mad;		/* what it is to send, or NULL */
};

/* What a call returned. */
struct call_outcome {
	int64_t value;
	struct var bind;	/* what NAME is bound to; VAR_NONE: the value */
	bool has_item;		/* something was read */
	struct mad_instance instance;
	uint8_t *message;	/* what instance.message points to; freed by the caller */
	struct facts *facts;	/* what the call told besides; NULL: nothing; freed by the caller */
	const char *text;	/* GIVES_TEXT: what it returned, a constant */
	char *printed;		/* GIVES_PRINT; freed by the caller */
	char *hint;		/* what people do about a failure, or NULL; freed by the caller */
};

/* What a call returns. */
enum call_gives {
	GIVES_NUMBER,
	GIVES_HANDLE,		/* a number, which is a handle's: "= fd" */
	GIVES_TEXT,		/* "= "Subn"" */
	GIVES_PRINT,		/* nothing, but it prints: prints="..." */
};

struct call_kind {
	const char *name;
	struct param params[CALL_PARAMS_MAX];	/* ends with a NULL name */
	enum var_kind binds;	/* what NAME = call() binds */
	bool is_recv;		/* umad_recv: the timeline does it */
	bool waits;		/* can be started, and then waits up to its 'timeout' */
	enum call_gives gives;
	const struct fact_kind *facts;	/* what it tells besides; NULL: a MAD, or nothing */
	bool takes_buffer;	/* in place of its MAD */
	bool sim_only;
	bool wire_only;		/* hw: for soft RoCE devices with a simulated wire */
	/* Fills in 'ret', or fails the run (run_fail). NULL: is_recv. */
	void (*run)(const struct running_call *call, struct call_outcome *ret);
};

/* The call named 'name'; otherwise NULL, and the closest known name or NULL. */
const struct call_kind *call_find(const char *name, const char **ret_suggestion);

/* In the order of the table; NULL after the last. */
const struct call_kind *call_at(unsigned int at);

/* Sorts the arguments by parameter. False: diagnosed. */
bool call_bind_args(struct diagnostics *diagnostics, const struct call_kind *kind,
		    const struct call_expr *call, struct call_args *ret);

#endif
