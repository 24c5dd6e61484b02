/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a machine lacks of what umadrig uses: found out by trying it, before a program runs.
 */
#ifndef UMADRIG_HARNESS_DOCTOR_DOCTOR_H
#define UMADRIG_HARNESS_DOCTOR_DOCTOR_H

#include <glib.h>
#include <stdbool.h>

enum doctor_state {
	DOCTOR_FINE,
	DOCTOR_NOTE,	/* nothing is lacking, but a user may want to know */
	DOCTOR_LACK,
};

/* What a check has found. All three are one line without a full stop, and belong to the finding. */
struct doctor_finding {
	enum doctor_state state;
	char *found;	/* never NULL */
	char *cost;	/* what does not work then, or differs; NULL where nothing is lacking */
	char *cure;	/* NULL where there is none, or none is needed */
};

struct doctor_check {
	const char *name;	/* one word */
	void (*look)(struct doctor_finding *ret);
};

/* doctor-calls.c: what the kernel, a container's profile or a security module allows. */
void doctor_look_seccomp(struct doctor_finding *ret);
void doctor_look_signals(struct doctor_finding *ret);
void doctor_look_namespaces(struct doctor_finding *ret);
void doctor_look_addresses(struct doctor_finding *ret);
void doctor_look_yama(struct doctor_finding *ret);

/* doctor-limits.c: how much there is. */
void doctor_look_inotify(struct doctor_finding *ret);
void doctor_look_descriptors(struct doctor_finding *ret);
void doctor_look_processes(struct doctor_finding *ret);
void doctor_look_directory(struct doctor_finding *ret);

/* doctor-machine.c: what it is. */
void doctor_look_kernel(struct doctor_finding *ret);
void doctor_look_devices(struct doctor_finding *ret);

/*
 * Makes all checks, in a fixed order, and appends the result to 'out': as lines for people, or as a
 * JSON object (umadrig-doctor(1)). Returns how many of them found a lack. To be called before any
 * thread is made; forks children, and waits for them.
 */
unsigned int doctor_examine(GString *out, bool is_json);

#endif
