/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The conditions of properties: a table of those that are built in, and answers of the console that
 * have a pattern ("report = active 20").
 */
#ifndef UMADRIG_SIM_PROPERTY_PROPERTY_CONDITION_H
#define UMADRIG_SIM_PROPERTY_PROPERTY_CONDITION_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/property/property.h"

struct file_event;
struct packet;
struct port;
struct condition;

struct condition_kind {
	const char *name;
	const char *arguments;		/* for help; "": it takes none */
	const char *summary;
	int64_t within_ns;		/* how long it may be otherwise, if the user does not say */
	/* Takes the words behind the name. False, and '*reterr' says why, to be freed. Or NULL. */
	bool (*begin)(struct condition *condition, const char *words, char **reterr);
	/* Is it true? If not, the first reason is appended. */
	bool (*holds)(struct condition *condition, GString *why);
	/* A packet leaves 'port'; or NULL. */
	void (*see)(struct condition *condition, struct port *port, const struct packet *packet);
	/* A program and its kernel: has the condition changed by it? Or NULL. */
	bool (*see_file)(struct condition *condition, const struct file_event *event);
	/* It is not true: since when not? NULL: since it was first seen so. */
	int64_t (*since_ns)(const struct condition *condition);
	void (*end)(struct condition *condition);	/* or NULL */
	bool looks_outside;		/* at files, which no change of the fabric announces */
	int64_t gap_ns;			/* it is looked at once in that time at most */
	/*
	 * It is asked again, and says 'changed' when 'is_asked' is false again. NULL: what
	 * 'holds' says is of this instant.
	 */
	void (*ask)(struct condition *condition);
	bool is_long;			/* it takes long to look: that is not done at each change */
};

/* The built-in ones, ended by one without a name. */
extern const struct condition_kind condition_kinds[];
/* The one whose words are a command's: "program"; its quotes are left as they are. */
extern const char condition_program_name[];

struct condition {
	const struct condition_kind *kind;
	struct umadrig_fabric *fabric;
	property_ask_fn *ask;
	char *line;		/* the console's, or a file's name */
	GRegex *pattern;
	bool is_unknown;	/* nobody can say so far whether it is true */
	bool is_asked;		/* see condition_kind.ask */
	bool is_over;		/* what becomes of it makes no difference any more */
	/* For the kind: it has changed by itself. NULL: nobody looks at it yet. */
	void (*changed)(struct umadrig_fabric *fabric);
	void *data;		/* the kind's own */
};

/* -EINVAL and '*reterr', to be freed; otherwise to be freed with condition_free(). */
int condition_parse(struct umadrig_fabric *fabric, const char *text, property_ask_fn *ask,
		    struct condition **ret_condition, char **reterr);
void condition_free(struct condition *condition);

/* ---- of single kinds ---- */

/* sim/property/property-ports.c */
bool condition_all_active(struct condition *condition, GString *why);
bool condition_unique_lids(struct condition *condition, GString *why);
bool condition_every_way_leads(struct condition *condition, GString *why);

/* sim/property/property-masters.c */
bool condition_masters_begin(struct condition *condition, const char *words, char **reterr);
bool condition_one_master(struct condition *condition, GString *why);
void condition_masters_see(struct condition *condition, struct port *port,
			   const struct packet *packet);
void condition_masters_end(struct condition *condition);

/* sim/property/property-requests.c */
bool condition_requests_begin(struct condition *condition, const char *words, char **reterr);
bool condition_every_request_ends(struct condition *condition, GString *why);
bool condition_requests_see(struct condition *condition, const struct file_event *event);
int64_t condition_requests_since_ns(const struct condition *condition);
void condition_requests_end(struct condition *condition);

/* sim/property/property-alive.c */
bool condition_alive_begin(struct condition *condition, const char *words, char **reterr);
bool condition_alive(struct condition *condition, GString *why);
void condition_alive_see(struct condition *condition, struct port *port,
			 const struct packet *packet);
int64_t condition_alive_since_ns(const struct condition *condition);
void condition_alive_end(struct condition *condition);

/* sim/property/property-credits.c */
bool condition_credits_begin(struct condition *condition, const char *words, char **reterr);
bool condition_no_credit_loop(struct condition *condition, GString *why);
bool condition_credits_see(struct condition *condition, const struct file_event *event);
void condition_credits_end(struct condition *condition);

/* sim/property/property-memory.c */
bool condition_memory_begin(struct condition *condition, const char *words, char **reterr);
bool condition_memory_bounded(struct condition *condition, GString *why);
void condition_memory_end(struct condition *condition);

/* sim/property/property-program.c */
bool condition_program_begin(struct condition *condition, const char *words, char **reterr);
bool condition_program(struct condition *condition, GString *why);
void condition_program_ask(struct condition *condition);
void condition_program_end(struct condition *condition);

/* sim/property/property-log.c */
bool condition_log_begin(struct condition *condition, const char *words, char **reterr);
bool condition_log_has(struct condition *condition, GString *why);
void condition_log_end(struct condition *condition);

#endif
