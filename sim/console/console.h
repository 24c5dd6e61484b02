/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console: commands that change or show a fabric while it runs, as lines of words. There is one
 * table of verbs: ibsim's in their spelling, and more. Lines come from umadrig ctl over a server's
 * socket, from "do" lines of net files, and from C programs (umadrig_console()).
 *
 *	Unlink "S1"[3]          fault add drop 5% on H1[1]          node off S1
 *
 * console-line.c takes lines apart and finds their verbs, console-words.c reads what follows them;
 * sim/console/link.c has the verbs about cables and power, sim/console/set.c those that change
 * faults, addresses and counters, sim/console/show.c those that show something.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/json/json-writer.h"
#include "sim/console/console-line.h"

struct node;
struct port;
struct topology;
struct umadrig_fabric;

/* What only a server can do. Lock held. */
struct console_server {
	/*
	 * The attached clients, one per line, without the client that asks; or as JSON, unless
	 * 'json' is NULL.
	 */
	void (*list)(void *ctx, GString *out, struct json_writer *json);
	/* Ends all connections and handles of the process of client 'number'. 0 or -ENOENT. */
	int (*disconnect)(void *ctx, uint64_t number);
	/* Ends the server once the reply has been sent. */
	void (*quit)(void *ctx);
};

struct console;
/* As console_run(). */
typedef int console_run_fn(struct console *console, const char *line);
/*
 * A line that only shows something: its answer in 'answer'; or false, and the error there. Lock
 * held.
 */
typedef bool console_ask_fn(struct umadrig_fabric *fabric, const char *line, GString *answer);

struct console {
	struct umadrig_fabric *fabric;
	console_run_fn *run;		/* for verbs that do others; console_run() fills it in */
	console_ask_fn *ask;		/* likewise, for later */
	GString *out;			/* the output of verbs, in whole lines */
	struct json_writer *json;	/* the answer as JSON; NULL: lines are wanted */
	const char *file;		/* the file that the lines come from, or NULL */
	const struct console_server *server;	/* NULL: there is none */
	void *server_ctx;
	bool is_guest;			/* another user asks: the server writes it no files */
	bool is_loading;		/* lines of a net file: nothing runs yet */
	unsigned int depth;		/* of files that run files */
	char *error;			/* why the last line failed: console_run() */
};

/*
 * Carries out a line; lock held. 0; or a negative errno, and 'console->error' says what is wrong
 * and how to mend it: -EINVAL for the line, -ENOENT for what it names, or another. Empty lines and
 * those that begin with '#' are ignored.
 */
int console_run(struct console *console, const char *line);

/* Frees the error; the rest is the caller's. */
void console_clear(struct console *console);

/*
 * Carries out the "do" lines of the fabric's net file. A line that fails becomes a diagnostic of
 * the topology, with file and line.
 */
void console_run_commands(struct umadrig_fabric *fabric, struct topology *topology);

/* ---- for the verbs: sim/console/console-words.c ---- */

/* Sets the error; returns 'error', a negative errno. */
int console_fail(struct console *console, int err, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The error that 'word' is not 'what' ("a number"); returns -EINVAL. */
int console_expected(struct console *console, const char *word, const char *what);

/* The answer of a command that has made something with a number: 1, or {"id": 1}. Returns 0. */
int console_answer_id(struct console *console, int id);

/* A node, and a port of it if the word has one. */
struct console_place {
	struct node *node;
	struct port *port;		/* NULL: the word names the node alone */
};

/*
 * "S1"[3], S1[3], "S1", S1: by id, description or device name. Quotes are for names with blanks or
 * brackets. 0 or -errno with an error that says how to find the right name.
 */
int console_place(struct console *console, const char *word, struct console_place *ret_place);
/* The same where the word has to name a port. */
int console_port(struct console *console, const char *word, struct port **ret_port);
/* The same where it has to name a node, without a port. */
int console_node(struct console *console, const char *word, struct node **ret_node);

/* A number (0x for hexadecimal) of at most 'max'; 'what' names it in the error. */
int console_number(struct console *console, const char *word, const char *what, uint64_t max,
		   uint64_t *ret);

/*
 * What "remove" names of a list of 'what' ("a load"): a number of one, or "all" (*ret_all, and 0).
 * 0 or -errno with an error.
 */
int console_entry(struct console *console, const char *word, const char *what, bool *ret_all,
		  uint64_t *ret_id);
/* The error that there is no 'what' ("load") 'word', which 'list' has; returns -ENOENT. */
int console_no_entry(struct console *console, const char *what, const char *word,
		     const char *list);

typedef int console_fn(struct console *console, const struct console_words *words);

console_fn console_sa;		/* sim/console/console-sa.c */
/* sim/console/console-schedule.c */
console_fn console_after, console_every, console_link_flap, console_schedule_list,
	console_schedule_remove;
/* sim/console/console-property.c */
console_fn console_always, console_finally, console_heal, console_never, console_property_end,
	console_property_list, console_property_remove, console_sometimes;
console_fn console_start;	/* sim/console/console-start.c */
/* sim/console/console-device.c */
console_fn console_device_fatal, console_device_remove, console_node_temperature;
/* sim/console/console-vf.c */
console_fn console_vf_count, console_vf_list, console_vf_node, console_vf_policy, console_vf_port;
/* sim/console/console-when.c */
console_fn console_signal, console_when, console_when_list, console_when_remove;
/* sim/console/link.c */
console_fn console_clear_port, console_link, console_link_degrade, console_link_down,
	console_link_error, console_link_restore, console_link_up, console_node_off,
	console_node_on, console_relink, console_sm_off, console_unlink;
/* sim/console/console-motion.c */
console_fn console_counter, console_load_add, console_load_list, console_load_remove;
/* sim/console/set.c */
console_fn console_baselid, console_capability_clear, console_capability_set,
	console_capture_start, console_capture_stop, console_error, console_fault_add,
	console_fault_remove, console_guid, console_performance_set, console_verbose, console_wait;
/* sim/console/show.c */
console_fn console_counters, console_dump, console_fault_list, console_multicast, console_report,
	console_route, console_topology;
console_fn console_tables;	/* sim/console/tables.c */

/* ---- sim/console/topology.c ---- */

/*
 * The fabric as it is now, as a topology: nodes that have power, links that are up, LIDs and rates.
 * To be freed with topology_free().
 */
struct topology *fabric_topology(struct umadrig_fabric *fabric);

#endif
