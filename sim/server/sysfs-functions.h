/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Virtual functions as files of their HCA's PCI device: those that Linux has for SR-IOV
 * (sriov_numvfs and its kin, virtfnN), and the directory sriov that NVIDIA's driver adds, with
 * node, port and policy of each. They are PCI devices of their own (sim/server/sysfs-card.h).
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_FUNCTIONS_H
#define UMADRIG_SIM_SERVER_SYSFS_FUNCTIONS_H

#include "sim/server/sysfs-tree.h"

struct node;
struct function_shown;

/*
 * Writes the files of HCA 'pf', which has virtual functions and is the adapter 'card'; its
 * functions are 'first' and those behind it. Returns what is shown, to be freed with g_free().
 */
struct function_shown *sysfs_functions_put(struct sysfs_tree *tree, const struct node *pf,
					   unsigned int card, unsigned int first);
/* Writes those that are not as shown. */
void sysfs_functions_refresh(struct sysfs_tree *tree, const struct node *pf, unsigned int card,
			     struct function_shown *shown);

/* The word for a policy (enum function_policy); NULL: there are no more. */
const char *sysfs_functions_policy(unsigned int policy);

/* The link of function 'number', which is the adapter 'card', to its HCA's adapter 'pf_card'. */
void sysfs_functions_link(struct sysfs_tree *tree, unsigned int number, unsigned int card,
			  unsigned int pf_card);

void sysfs_functions_unlink(struct sysfs_tree *tree, unsigned int number, unsigned int pf_card);

#endif
