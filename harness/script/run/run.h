/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs one point of a scenario: the timeline, what was seen on it, and the verdict.
 *
 * On the simulator a line's time is exact: all that the fabric does up to and at that instant
 * happens first, then the script's lines of that instant in their order. On real devices times have
 * tolerances (struct tolerance).
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_RUN_H
#define UMADRIG_HARNESS_SCRIPT_RUN_RUN_H

#include "harness/script/check/plan.h"
#include "harness/world/world.h"
#include "lib/base/user-header.h"

enum verdict {
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_TIMED_OUT,	/* it took more real time than it may */
	VERDICT_SKIP,		/* what it needs is not available */
	VERDICT_BROKEN,		/* the rig broke: no verdict */
};

/* The outcome of a point; strings are g_malloc'd, or NULL if there is nothing to say. */
struct outcome {
	enum verdict verdict;
	struct place place;	/* FAIL, TIMED_OUT: the line that failed */
	char *message;		/* all but PASS: why, in one line */
	char *expected;		/* FAIL */
	char *actual;		/* FAIL */
	GString *details;	/* FAIL, TIMED_OUT: further lines (differences, suggestions) */
	GString *ladder;	/* what happened, one line per event */
	int64_t end_ns;		/* the time at its end */
};

/*
 * How long the point may take by default, in real time: a minute more than its lines say, or what
 * its scenario's timeout is; 0, for ever, if neither programs nor real ports make it wait.
 */
int64_t point_limit_ns(const struct point *point, bool on_sim);

struct amendments;

/*
 * Runs the point in 'world', which is fresh and stays the caller's; for 'limit_ns' of real time at
 * most (0: for ever), and what ends its programs then. 'ret' is zeroed first. With 'amendments' (or
 * NULL), lines that differ are noted there and do not fail (harness/script/run/amend.h).
 */
void point_run(const struct point *point, struct world *world, int64_t limit_ns,
	       struct amendments *amendments, struct outcome *ret);

void outcome_clear(struct outcome *outcome);

/* ---- for functions that run lines ---- */

/* One umad_open_port. What becomes readable is read into the inbox at once, with its time. */
struct run_handle {
	int fd;
	const char *name;	/* that the script gave it; NULL: none */
	enum world_end end;
	bool closed;
	unsigned int waiting;	/* started calls that wait for it and get what comes */
	GQueue inbox;		/* of struct run_item * */
};

/* Something that was read. */
struct run_item {
	int64_t at_ns;
	uint64_t sequence;	/* the world's */
	bool is_noted;		/* in the ladder */
	int result;		/* umad_recv's value: the agent */
	int length;
	uint8_t umad[64];
	uint8_t mad[MAD_SIZE];
	uint8_t message[];	/* 'length' bytes, including the MAD's first ones */
};

struct run_file {
	void *file;		/* from the world; NULL: closed */
	unsigned int header_size;	/* 56, or 64 */
	bool registered;
};

struct run_agent {
	const void *owner;	/* its struct run_handle or run_file */
	int id;
	int mgmt_class, class_version;
	uint32_t oui;
};

struct var {
	enum var_kind kind;
	uint64_t number;	/* NUMBER */
	uint64_t known;		/* NUMBER: which bits are known */
	const char *text;	/* TEXT */
	struct run_handle *handle;
	struct run_file *file;
	struct run_agent agent;
	void *buffer;		/* BUFFER */
};

/* Is it a send that failed? */
static inline bool item_failed(const struct run_item *item)
{
	return get_be32(item->umad + USER_STATUS) != 0;
}

struct peer;
struct overlap;
struct run_ladder;

/* The OUI if a script names none: the one that umad_register() fills in. */
#define DEFAULT_OUI 0x001405

/* The room for data that umad_recv() gets. */
#define RECV_BUFFER_SIZE (64 + (1 << 20))

struct run {
	const struct point *point;
	struct world *world;
	struct mad_env env;
	struct value_names names;	/* the current values of words and $names */
	GHashTable *data;	/* char * -> GBytes *: payloads made so far: look-up only */
	GHashTable *vars;	/* char * -> struct var * : look-up only */
	GPtrArray *agents;	/* of char *: names of agents, as they were bound */
	GPtrArray *handles;	/* of struct run_handle * */
	GPtrArray *files;	/* of struct run_file * */
	GPtrArray *buffers;	/* of umad_alloc() */
	bool debug_changed;	/* umad_debug() was called; before that the level was: */
	int debug_before;
	struct peer *peer;
	struct overlap *overlap;	/* calls that were started */
	bool runs_programs;		/* programs run: what leaves A may be theirs */
	GPtrArray *programs;		/* of struct run_program *: of lines so far */
	char *directory;		/* where programs run; NULL: none has run */
	GQueue outbox;		/* of struct world_packet *: left A, not yet accounted for */
	struct world_packet *last_left;	/* what 'same' means */
	unsigned int same_count;
	GArray *silences;	/* of struct silence */
	struct run_ladder *ladder;
	uint64_t act_sequence;	/* the world's, of what the current line does */
	GArray *ignored;	/* of size_t: packets, by the pattern of the plan's 'ignores' */
	GQueue ignored_last;	/* of struct world_packet *: the last of them */
	size_t programs_left;	/* packets that have left A where programs run */
	unsigned int wires_left;	/* number of lines wire == still to come */
	int64_t base_ns;	/* what '+' counts from: when the last line was met */
	int64_t nominal_ns;	/* the same, as the script has it */
	int64_t zero_ns;	/* what absolute times count from; on hw calls move it */
	int64_t acted_ns;	/* hw: how long the last call took */
	int64_t end_ns;		/* the end of the latest window */
	int64_t limit_ns;	/* the scenario's timeout */
	int64_t real_limit_ns;	/* how much real time it may take; 0: any */
	int64_t real_end_us;	/* of g_get_monotonic_time(): when that is over; 0: never */
	struct world_program *awaited;	/* the program that is waited for; NULL: none is */
	const char *awaited_name;
	uint64_t next_tid;
	unsigned int header_size;	/* what 'hdr' means in the current call */
	const struct plan_step *step;	/* the current line */
	uint64_t capture_known;		/* which bits are known of what it captures */
	uint8_t *buffer;	/* for umad_recv */
	struct amendments *amendments;	/* harness/script/run/amend.h; NULL: what differs fails */
	struct outcome *outcome;
};

static inline bool run_failed(const struct run *run)
{
	return run->outcome->verdict != VERDICT_PASS;
}

/* Ends the run with a failure at 'place'; the first failure counts. */
void run_fail(struct run *run, struct place place, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Notes what the current line does now. 'arrow' is "<", ">" or "" for a call. */
void run_note(struct run *run, int64_t at_ns, const char *arrow, const char *text,
	      const char *note);

/* ---- harness/script/run/names.c ---- */

/* Fills in env and names, and binds the runner's own names. */
void run_names_init(struct run *run);
void run_names_clear(struct run *run);

/* What 'name' is bound to, or NULL; and binds it. */
struct var *run_var(struct run *run, const char *name);
void run_bind(struct run *run, const char *name, const struct var *value);

/* The name of the agent with this number of a handle or file; NULL: it has none. */
const char *run_agent_name(struct run *run, const void *owner, int64_t id);

/* What a word or $name is bound to; NULL: it is neither, or is not bound. */
struct var *run_var_of(struct run *run, const struct expr *expr);

bool run_number(struct run *run, const struct expr *expr, uint64_t *ret);

/* The bytes of the point's data with this name; NULL: there is none. */
const uint8_t *run_data(struct run *run, const char *name, size_t *ret_size);

/* The port that self, peer or "S1[3]" refers to, as "S1[3]". */
const char *world_end_name(const struct world *world, const struct expr *port);

#endif
