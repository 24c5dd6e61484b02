/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Running one point of a scenario: the timeline, what was seen on it, and the verdict.
 *
 * On the simulator a line's time is exact: all that the fabric does up to and at that instant
 * happens first, then the script's lines of that instant in their order. On real devices times have
 * tolerances (struct tolerance).
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_RUN_H
#define UMADRIG_HARNESS_SCRIPT_RUN_RUN_H

#include "harness/script/check/plan.h"
#include "harness/world/world.h"

enum verdict {
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_SKIP,		/* what it needs is not here */
	VERDICT_BROKEN,		/* the rig broke: no verdict */
};

/* What became of a point; strings are g_malloc'd, NULL where there is nothing to say. */
struct outcome {
	enum verdict verdict;
	struct place place;	/* FAIL: the line that was not kept */
	char *message;		/* FAIL, SKIP, BROKEN: why, in a line */
	char *expected;		/* FAIL */
	char *actual;		/* FAIL */
	GString *details;	/* FAIL: further lines (differences, what might be meant) */
	GString *ladder;	/* what happened, a line each */
	int64_t end_ns;		/* the time at the end */
};

/* Runs the point in 'world', which is fresh and stays the caller's. 'ret' is zeroed first. */
void point_run(const struct point *point, struct world *world, struct outcome *ret);

void outcome_clear(struct outcome *outcome);

/* ---- for what runs lines ---- */

/* One umad_open_port. What becomes readable is read at once, with its time, into the inbox. */
struct run_handle {
	int fd;
	enum world_end end;
	bool closed;
	unsigned int waiting;	/* started calls that wait for it: what comes is theirs */
	GQueue inbox;		/* of struct run_item * */
};

/* Something that was read. */
struct run_item {
	int64_t at_ns;
	int result;		/* of umad_recv: the agent */
	int length;
	uint8_t umad[64];
	uint8_t mad[MAD_SIZE];
	uint8_t message[];	/* 'length' bytes, the MAD's first ones among them */
};

struct run_file {
	void *file;		/* the world's; NULL: closed */
	unsigned int header_size;	/* 56, or 64 */
	bool registered;
};

struct run_agent {
	int id;
	int mgmt_class, class_version;
	uint32_t oui;
};

struct var {
	enum var_kind kind;
	uint64_t number;	/* NUMBER */
	uint64_t known;		/* NUMBER: which bits */
	const char *text;	/* TEXT */
	struct run_handle *handle;
	struct run_file *file;
	struct run_agent agent;
};

struct peer;
struct overlap;

/* The OUI where a script says none: the one that umad_register() puts in. */
#define DEFAULT_OUI 0x001405

/* What umad_recv() is given room for. */
#define RECV_BUFFER_SIZE (64 + (1 << 20))

struct run {
	const struct point *point;
	struct world *world;
	struct mad_env env;
	struct value_names names;	/* what words and $names are worth now */
	GHashTable *data;	/* char * -> GBytes *: payloads made so far, look-up only */
	GHashTable *vars;	/* char * -> struct var * : look-up only */
	GPtrArray *handles;	/* of struct run_handle * */
	GPtrArray *files;	/* of struct run_file * */
	struct peer *peer;
	struct overlap *overlap;	/* calls that were started */
	bool runs_programs;		/* what leaves A is theirs */
	GPtrArray *programs;		/* of struct run_program *: that were started */
	char *directory;		/* where programs run, NULL: none has */
	GQueue outbox;		/* of struct world_packet *: left A, not yet accounted for */
	struct world_packet *last_left;	/* what 'same' means */
	unsigned int same_count;
	GArray *silences;	/* of struct silence */
	size_t ignored;
	unsigned int wires_left;	/* lines wire == that are still to come */
	int64_t base_ns;	/* what '+' counts from: when the last line was kept */
	int64_t nominal_ns;	/* the same as the script has it */
	int64_t zero_ns;	/* what absolute times count from; on hw calls move it */
	int64_t acted_ns;	/* hw: how long the last call took */
	int64_t end_ns;		/* the latest window's end */
	int64_t limit_ns;	/* the scenario's timeout */
	uint64_t next_tid;
	unsigned int header_size;	/* what 'hdr' means in the call at hand */
	const struct plan_step *step;	/* the line at hand */
	uint64_t capture_known;		/* which bits are known of what it captures */
	uint8_t *buffer;	/* for umad_recv */
	struct outcome *outcome;
};

bool run_failed(const struct run *run);

/* Ends the run with a failure at 'place'; the first one counts. */
void run_fail(struct run *run, struct place place, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* A line of the ladder. 'arrow' is "<", ">" or "" for a call. */
void run_note(struct run *run, int64_t at_ns, const char *arrow, const char *text,
	      const char *note);

/* ---- harness/script/run/names.c ---- */

/* Fills in env and names, and binds the runner's own names. */
void run_names_init(struct run *run);
void run_names_clear(struct run *run);

/* What 'name' is bound to, or NULL; binding it. */
struct var *run_var(struct run *run, const char *name);
void run_bind(struct run *run, const char *name, const struct var *value);

/* What a word or $name is bound to; NULL: it is neither, or not bound. */
struct var *run_var_of(struct run *run, const struct expr *expr);

bool run_number(struct run *run, const struct expr *expr, uint64_t *ret);

/* The bytes of data of the point by name; NULL: there is none. */
const uint8_t *run_data(struct run *run, const char *name, size_t *ret_size);

/* The port that self, peer or "S1[3]" names, as "S1[3]". */
const char *world_end_name(const struct world *world, const struct expr *port);

#endif
