/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs have registered with the SA: all that it keeps. A client that registers more and
 * more of it gets ERR_NO_RESOURCES.
 */
#ifndef UMADRIG_SIM_SA_SA_STORE_H
#define UMADRIG_SIM_SA_SA_STORE_H

struct sa_groups;
struct sa_services;
struct sa_subscribers;

struct sa_store {
	struct sa_services *services;	/* NULL: none was ever registered */
	struct sa_groups *groups;	/* NULL: nobody has asked for any */
	struct sa_subscribers *subscribers;	/* NULL: there were never any */
	uint32_t guids_assigned;	/* alias GUIDs of the SA's choice so far */
};

/* Frees what is there; NULL is allowed. */
void sa_services_free(struct sa_services *services);	/* sim/sa/sa-service.c */
void sa_groups_free(struct sa_groups *groups);		/* sim/sa/sa-group.c */
void sa_subscribers_free(struct sa_subscribers *subscribers);	/* sim/sa/sa-inform.c */

#endif
