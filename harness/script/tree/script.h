/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A scenario script as a syntax tree.
 *
 * 	source text --parse/--> struct script --check/--> struct plan --run/--> verdicts
 *
 * doc/scenario-language.md is the manual. The tree lives as long as its struct script and is not
 * changed after parsing: the checker's results are in its plan (harness/script/check/plan.h).
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_SCRIPT_H
#define UMADRIG_HARNESS_SCRIPT_TREE_SCRIPT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/script/tree/arena.h"
#include "harness/script/tree/diagnostic.h"

enum expr_kind {
	EXPR_NUMBER,		/* 12, 0x32 */
	EXPR_TIME,		/* 100ms */
	EXPR_WORD,		/* ETIMEDOUT, peer, or a bound name */
	EXPR_USE,		/* $t */
	EXPR_CAPTURE,		/* ?t */
	EXPR_STRING,		/* "H1[1]" */
	EXPR_SET,		/* {Get, Set} */
	EXPR_NEGATIVE,		/* -EPERM, -(a + b) */
	EXPR_BINARY,		/* 12 + 3 */
	EXPR_MAD,		/* VendGet(0x0010) tid=?t */
	EXPR_PIECE,		/* paths[3]: the part of the data 'paths' in segment 3 */
};

struct mad_expr;

struct expr {
	enum expr_kind kind;
	struct place place;
	unsigned int weight;	/* number of nodes, this one included: limits the size of defines */
	uint64_t number;	/* NUMBER */
	int64_t time_ns;	/* TIME */
	/* WORD, USE, CAPTURE, STRING, PIECE: without quotes, $ and ?; NUMBER: 0x32 as written */
	const char *text;
	GPtrArray *items;	/* SET: of const struct expr * */
	char operation;		/* BINARY: + - * */
	const struct expr *left;	/* NEGATIVE, BINARY; PIECE: which */
	const struct expr *right;	/* BINARY */
	const struct mad_expr *mad;	/* MAD */
};

/*
 * NAME=value, NAME[first..last]=value, mut=NAME:value, or (inside the braces)
 * AttributeField=value.
 */
struct field_expr {
	struct place place;
	const char *name;
	bool in_attribute;
	bool is_mut;
	bool has_range;
	unsigned int first, last;
	const struct expr *value;
};

/*
 * NAME(ARGS) fields { attribute fields } exact. NAME is a method, a define or (is_use) what '$NAME'
 * is bound to; NULL: only fields.
 */
struct mad_expr {
	struct place place;
	const char *name;
	bool is_use;
	GPtrArray *args;	/* of const struct expr * */
	GPtrArray *fields;	/* of const struct field_expr * */
	bool exact;
};

struct call_arg {
	struct place place;
	const char *name;	/* NULL: by position */
	const struct expr *value;
};

/* umad_send(fd, a, timeout=100ms, VendGet(0x0010) to=peer) */
struct call_expr {
	struct place place;
	const char *name;
	GPtrArray *args;	/* of const struct call_arg * */
};

/* The expected result of a call or a program: = VALUE, fields of the umad header, a MAD. */
struct result_expr {
	const struct expr *value;	/* NULL: not given */
	const struct mad_expr *umad;	/* fields of the umad header, errno, ...; or NULL */
	const struct expr *mad;		/* or NULL */
};

enum step_time_kind {
	STEP_TIME_POINT,	/* 100ms, +1ms */
	STEP_TIME_WINDOW,	/* +0~+50ms: from, up to and not at, to */
	STEP_TIME_ANY,		/* *: whenever it happens */
};

struct step_time {
	enum step_time_kind kind;
	struct place place;
	bool from_relative, to_relative;
	const struct expr *from, *to;
};

struct script_verb;

/*
 * One event: a line of the script. Each verb (harness/script/tree/verb.h) has a struct of its own
 * that begins with this one and has as many bytes as the verb says.
 */
struct step {
	const struct script_verb *verb;
	struct place place;	/* of what follows the time */
	struct step_time time;
};

enum item_kind {
	ITEM_STEP,
	ITEM_EACH,
	ITEM_ON,
};

struct each_block {
	GPtrArray *params;	/* of const char * */
	GPtrArray *rows;	/* of struct each_row * */
	GPtrArray *items;	/* of struct item * */
};

struct each_row {
	struct place place;
	const char *label;	/* what the point is called: given, or the row's text */
	const GPtrArray *tags;	/* of const char *: of the 'tags' line above it; or NULL */
	GPtrArray *cells;	/* of const struct expr * */
};

struct item {
	enum item_kind kind;
	struct place place;
	const struct step *step;
	struct each_block *each;
	bool on_sim;		/* ON: which world */
	GPtrArray *items;	/* ON: of struct item * */
};

enum need_kind {
	NEED_SIM,
	NEED_HW,
	NEED_PEER,
	NEED_IB,		/* LIDs: an InfiniBand port, not RoCE */
	NEED_WIRE,		/* the wire between the ports is simulated */
	NEED_IB_UMAD,
	NEED_ROOT,
	NEED_PORTS,		/* number */
	NEED_PROGRAM,		/* text */
	NEED_MODULE,		/* text */
	NEED_KERNEL,		/* text: at least this */
};

struct need {
	enum need_kind kind;
	struct place place;
	uint64_t number;
	const char *text;
};

/* Tolerances of times on whole kernels: real ones, and guests. */
struct tolerance {
	int64_t early_ns;	/* -1: one tick of the kernel */
	int64_t late_ns;
	uint64_t late_millipercent;
	int64_t per_try_ns;	/* -1: two ticks of the kernel */
};

struct define {
	struct place place;
	const char *name;
	GPtrArray *params;	/* of const char * */
	const struct mad_expr *mad;
};

enum payload_kind {
	PAYLOAD_BYTES,		/* {1, 2} or "text" */
	PAYLOAD_HEX,		/* hex("00 1f"): its value is only the digits */
	PAYLOAD_PATTERN,	/* pattern(SIZE) */
	PAYLOAD_FLIPPED,	/* flipped(OTHER, AT): OTHER with one byte changed */
	PAYLOAD_SEALED,		/* sealed(OTHER): a packet, followed by its CRCs */
};

/* data NAME = ...: named bytes, the data of a message or a whole packet. */
struct payload {
	struct place place;
	const char *name;
	enum payload_kind kind;
	const char *other;		/* FLIPPED, SEALED */
	const struct expr *value;	/* PATTERN: its size, FLIPPED: which byte; SEALED: NULL */
};

/*
 * One choice of 'vary': a value for each name, or (with one name) all numbers from it up to 'to'.
 */
struct vary_choice {
	GPtrArray *values;	/* of const struct expr * */
	const struct expr *to;	/* NULL: no range */
};

/* vary NAME in v, v, A..B; vary (NAME, NAME) in (v, w), (v, w) */
struct vary {
	struct place place;
	GPtrArray *names;	/* of const char * */
	GPtrArray *choices;	/* of struct vary_choice * */
};

/* replay "x.pcap" answer|timed ... */
struct replay_expr {
	struct place place;	/* of its name */
	const char *capture;	/* path */
	bool timed;
	bool own_tids;
	unsigned int speed_milli;	/* timed: in thousandths; 0: none is given */
	bool any_order;
	const char *as_of;	/* "first", "last" or a time; NULL: one answer after the other */
	const char *unmatched;	/* "drop", "timeout", "status=N"; NULL: they are failures */
	struct mad_expr *where;	/* selects MADs in it; NULL: all */
};

/*
 * The settings that directives make, for the whole file (before the first scenario) or for one
 * scenario.
 */
struct settings {
	GPtrArray *tags;	/* of const char * */
	GPtrArray *needs;	/* of struct need * */
	GPtrArray *ignores;	/* of const struct mad_expr *: "ignore >" */
	GPtrArray *payloads;	/* of const struct payload * */
	GPtrArray *varies;	/* of const struct vary *, the outermost first */
	const char *topology;	/* path, NULL: the default fabric */
	struct place topology_place;
	const struct expr *self, *peer;	/* ports "NODE[N]": STRING; NULL: chosen */
	bool cold;			/* as after power-up: no LIDs, no routes */
	bool partial;			/* even if much of the topology is lost */
	/*
	 * The kernels that the scenario is about, as bits by enum kmod_profile (0: all); and the
	 * first of them.
	 */
	unsigned int profiles;
	unsigned int profile;
	struct replay_expr *replay;	/* NULL: no capture is replayed */
	int64_t latency_ns;
	int64_t timeout_ns;	/* 0: the default */
	bool real_clock, virtual_clock;	/* for programs: which of them was asked for */
	bool seed_set;
	uint64_t seed;
	const struct expr *schedule;	/* which program runs next; NULL: in order */
	struct tolerance tolerance;
};

struct scenario {
	struct place place;
	const char *title;
	struct settings settings;
	GPtrArray *defines;	/* of struct define *: the file's first */
	GPtrArray *items;	/* of struct item * */
	GPtrArray *lost;	/* of const char *: names not to be reported again */
};

struct script {
	const struct script_verb *const *verbs;	/* all verbs, ended by NULL */
	struct source *source;	/* NULL: the file could not be read */
	char *label;		/* what the names of its points call the file */
	GPtrArray *sources;	/* of struct source *: this file and the included ones */
	GPtrArray *scenarios;	/* of struct scenario * */
	struct diagnostics *diagnostics;
	struct arena *arena;	/* everything else that script_free() frees */
};

#endif
