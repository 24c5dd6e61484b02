/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A scenario script: what the lexer, the parser, the checker and the runner share.
 *
 *	source text --script-lex--> tokens --script-parse--> struct script
 *	            --script-expand--> points --script-check--> --script-run--> verdicts
 *
 * doc/scenario-language.md is the manual. Everything parsed lives as long as its struct script and
 * is not changed after parsing: expansion shares it.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_SCRIPT_H
#define UMADRIG_HARNESS_SCRIPT_TREE_SCRIPT_H

#include <glib.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/script/tree/diagnostic.h"

enum expr_kind {
	EXPR_NUMBER,		/* 12, 0x32 */
	EXPR_TIME,		/* 100ms */
	EXPR_WORD,		/* ETIMEDOUT, peer, or the name of something bound */
	EXPR_USE,		/* $t */
	EXPR_CAPTURE,		/* ?t */
	EXPR_STRING,		/* "H1[1]" */
	EXPR_SET,		/* {Get, Set} */
	EXPR_NEGATIVE,		/* -EPERM */
	EXPR_BINARY,		/* 12 + 3 */
	EXPR_MAD,		/* VendGet(0x0010) tid=?t */
	EXPR_PIECE,		/* paths[3]: what segment 3 carries of the data 'paths' */
};

struct mad_expr;
struct mad_pattern;

struct expr {
	enum expr_kind kind;
	struct place place;
	unsigned int weight;	/* nodes below and with this one: bounds what defines may grow to */
	uint64_t number;	/* NUMBER */
	int64_t time_ns;	/* TIME */
	const char *text;	/* WORD, USE, CAPTURE, STRING, PIECE: without quotes, $ and ?; 0x32 as it is */
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
 * stands for; NULL: fields alone.
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
	int64_t from_ns, to_ns;	/* filled in when the step is expanded */
};

/* > MAD or < MAD, one of what has crossed the cable. */
struct wire_item {
	struct place place;
	bool leaves;
	const struct expr *mad;
	const struct mad_pattern *pattern;	/* by script_check() */
};

/* What stands behind wire ==: a capture, or a list. */
struct wire_expr {
	const char *capture;	/* path, or NULL */
	GPtrArray *items;	/* of struct wire_item * */
	struct mad_expr *where;	/* which MADs are compared; NULL: all */
	GPtrArray *ignoring;	/* of struct field_expr *, without values */
	bool any_order;
	struct place order_place;
	bool ignores_time;			/* by script_check() */
	const struct mad_pattern *where_pattern;	/* the same */
};

enum step_verb {
	STEP_ARRIVES,		/* < MAD */
	STEP_LEAVES,		/* > MAD */
	STEP_SAME,		/* > same */
	STEP_SILENCE,		/* > nothing */
	STEP_CALL,
	STEP_PEER_LISTENS,
	STEP_PEER_ANSWERS,
	STEP_FAULT,		/* fault drop 1 MAD from peer */
	STEP_START,		/* start NAME = call(...): it waits while other lines go on */
	STEP_RUN,		/* [start NAME =] run PROGRAM ARGUMENTS = status */
	STEP_STOP,		/* stop NAME: a program that was started */
	STEP_LINK,		/* link down|up PORT */
	STEP_POWER,		/* power off|on NODE */
	STEP_DO,		/* do COMMAND WORDS, as umadrig ctl does */
	STEP_CHECK,		/* check counter(PORT, NAME) == value */
	STEP_WIRE,		/* wire == ... */
	STEP_END,		/* end NAME [or NAME] = result: it has come back */
};

/* One event: a line of the script. */
struct step {
	enum step_verb verb;
	struct place place;	/* of what follows the time */
	struct step_time time;
	const struct expr *mad;		/* ARRIVES, LEAVES, PEER_ANSWERS: what is asked; FAULT, or NULL */
	const char *bind;		/* CALL, START, RUN: name that the result gets, or NULL */
	struct place bind_place;
	/*
	 * CALL, START; of PEER_LISTENS and FAULT the arguments; of END the call that was started,
	 * by script_check().
	 */
	struct call_expr *call;
	GPtrArray *ends;		/* END: of const char *, the names of started calls */
	const struct expr *result;	/* CALL, END: what must come back, or NULL */
	struct mad_expr *result_umad;	/* CALL, END: fields of the umad header, errno; or NULL */
	const struct expr *result_mad;	/* CALL, END: the MAD that must come, or NULL */
	const struct expr *after;	/* PEER_ANSWERS: time to think, or NULL */
	struct mad_expr *answer;	/* PEER_ANSWERS: fields of the answer, or NULL */
	struct wire_expr *wire;		/* WIRE */
	/* The same resolved (harness/script/mad/script-mad.h), by script_check(). */
	struct {
		const struct mad_pattern *mad, *umad, *result, *answer;
	} patterns;
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
	struct step *step;
	struct each_block *each;
	bool on_sim;		/* ON: which world */
	GPtrArray *items;	/* ON: of struct item * */
};

enum need_kind {
	NEED_SIM,
	NEED_HW,
	NEED_PEER,
	NEED_IB,		/* LIDs: an InfiniBand port, not RoCE */
	NEED_WIRE,		/* what is between the ports is in our hands */
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

/* What real clocks are allowed: times on hw. */
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
	PAYLOAD_HEX,		/* hex("00 1f"): the digits alone are its value */
	PAYLOAD_PATTERN,	/* pattern(SIZE) */
	PAYLOAD_FLIPPED,	/* flipped(OTHER, AT): OTHER, but for a byte */
	PAYLOAD_SEALED,		/* sealed(OTHER): a packet, its CRCs behind it */
};

/* data NAME = ...: bytes with a name, the data of a message or a whole packet. */
struct payload {
	struct place place;
	const char *name;
	enum payload_kind kind;
	const char *other;		/* FLIPPED, SEALED */
	const struct expr *value;	/* PATTERN: its size, FLIPPED: which byte; SEALED: NULL */
};

/* One choice of 'vary': a value for each name, or (of one name) all numbers from it up to 'to'. */
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
	const char *capture;	/* path */
	bool timed;
	bool own_tids;
	struct mad_expr *where;	/* which MADs of it; NULL: all */
	const struct mad_pattern *where_pattern;	/* by script_check() */
};

/* What directives set, for the whole file (before the first scenario) or for one scenario. */
struct settings {
	GPtrArray *tags;	/* of const char * */
	GPtrArray *needs;	/* of struct need * */
	GPtrArray *ignores;	/* of const struct mad_expr *: "ignore >" */
	GPtrArray *payloads;	/* of const struct payload * */
	GPtrArray *varies;	/* of const struct vary *, the outermost first */
	const char *topology;	/* path, NULL: the default fabric */
	const char *self, *peer;	/* ports "NODE[N]", NULL: chosen */
	bool cold;			/* as after power-up: no LIDs, no routes */
	/* The kernels that it is about, bits by enum kmod_profile, 0: all; and the first. */
	unsigned int profiles;
	unsigned int profile;
	struct replay_expr *replay;	/* NULL: no capture is replayed */
	int64_t latency_ns;
	int64_t timeout_ns;	/* 0: the default */
	bool seed_set;
	uint64_t seed;
	struct tolerance tolerance;
};

struct scenario {
	struct place place;
	const char *title;
	struct settings settings;
	GPtrArray *defines;	/* of struct define *: the file's first */
	GPtrArray *items;	/* of struct item * */
	GPtrArray *lost;	/* of const char *: names of which nothing more is to be said */
	GPtrArray *points[2];	/* of struct point *: on hw, on sim; made by script_check() */
};

struct script {
	struct source *source;
	GPtrArray *sources;	/* of struct source *: with those included */
	GPtrArray *scenarios;	/* of struct scenario * */
	struct diagnostics *diagnostics;
	GPtrArray *memory;	/* everything else that script_free() frees */
	GPtrArray *arrays;
};

/* ---- harness/script/parse/script-parse.c ---- */

/*
 * Reads and parses 'path', shown as 'name' in messages (NULL: 'path' itself). Never NULL: what is
 * wrong is in script->diagnostics, a file that cannot be read too.
 */
struct script *script_load(const char *path, const char *name);

/* The same from memory; includes are looked for beside 'name'. */
struct script *script_parse(const char *text, size_t size, const char *name);

/* NULL is allowed. */
void script_free(struct script *script);

/* Zeroed memory, an array, a copy of text: freed with the script. */
void *script_alloc(struct script *script, size_t size);
GPtrArray *script_array(struct script *script);
const char *script_text(struct script *script, const char *text, size_t size);

/* ---- harness/script/check/script-expand.c ---- */

/* One test point: a scenario with one choice of all that varies, or one row of it, as flat steps with all defines written out. */
struct point {
	const struct scenario *scenario;
	char *name;		/* "file.mad: title [row]" */
	unsigned int line;	/* where it stands: of the scenario, or of its row */
	const GPtrArray *tags;	/* of const char *: its row's, beside its scenario's; or NULL */
	GPtrArray *steps;	/* of struct step *: owned by the script */
	GPtrArray *payloads;	/* of struct payload *: the same */
};

/* Does it run programs? Then its clock is the real one. */
bool point_runs_programs(const struct point *point);

/*
 * The points of a scenario in the world 'on_sim' says: GPtrArray of struct point *, to be freed
 * with g_ptr_array_unref(). What cannot be expanded is diagnosed.
 */
GPtrArray *scenario_expand(struct script *script, const struct scenario *scenario, bool on_sim);

/* Has it 'on' blocks? Else its points are the same in both worlds. */
bool scenario_worlds_differ(const struct scenario *scenario);

/* The seed of a scenario that sets none: made of the file's base name and the title, stable. */
uint64_t scenario_seed(const struct scenario *scenario);

/* ---- script-check.c ---- */

/*
 * Expands every scenario for both worlds and checks names, types, bindings, values, times. All of
 * it goes to script->diagnostics; true when there is no error, from parsing either. The
 * scenarios' points are then ready to run.
 */
bool script_check(struct script *script);

/* ---- harness/script/tree/script-value.c and harness/script/mad/script-payload.c ---- */

/* Folds numbers and times. False: not constant (a name bound while running), or wrong. */
bool expr_constant_number(const struct expr *expr, uint64_t *ret);
bool expr_constant_time(const struct expr *expr, int64_t *ret);

/* The errno called 'name' ("EPERM"), or 0. And its name, or NULL. */
int errno_by_name(const char *name);
const char *errno_name(int number);

/* What a message of data may have at most: 64 MiB and its header. */
#define PAYLOAD_SIZE_MAX ((64u << 20) + 4096)

/* The payload called 'name' of the point, or NULL. */
const struct payload *payload_find(const struct point *point, const char *name);

/*
 * The size of a payload of 'point'; false: it is not known before the script runs, or too large, or
 * no payload. And why not, in words.
 */
bool payload_size(const struct point *point, const struct payload *payload, size_t *ret);
const char *payload_objection(const struct payload *payload);

/*
 * Fills 'ret' (of its size). A pattern's every 4 bytes are like no other 4 of it, so that data in the
 * wrong place is seen.
 */
void payload_fill(const struct point *point, const struct payload *payload, uint8_t *ret);

/* Methods by name ("Get") or number as a mask of 128 bits. False: '*ret_bad' is none. */
bool method_mask(const struct expr *set, uint64_t ret_mask[2], const struct expr **ret_bad);

/* "12.5ms": as short as it can be said exactly. 'buf' of at least 32 bytes is returned. */
const char *time_format(int64_t ns, char *buf, size_t size);

#endif
