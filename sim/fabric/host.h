/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hosts: the CAs that one kernel drives, and their names for programs.
 */
#ifndef UMADRIG_SIM_FABRIC_HOST_H
#define UMADRIG_SIM_FABRIC_HOST_H

#include <glib.h>
#include <stdbool.h>

#include "kmod-stub/kmod-profile.h"

struct kernel_log;
struct kmod_kernel;
struct node;
struct umadrig_fabric;

/* One running kernel and the CAs that it drives. */
struct umadrig_host {
	struct umadrig_fabric *fabric;
	char *name;
	struct node **nodes;		/* in file order */
	GHashTable *devices;		/* device name -> struct node *: look-up only; NULL: few */
	unsigned int node_count;
	/* As bits: a host takes 16 bytes less of malloc()'s memory with them. */
	unsigned int unnamed : 24;	/* how many devices have no name in the topology */
	enum kmod_profile profile : 8;	/* the fabric's, or that of its kernel's release */
	const struct kmod_kernel *kernel;	/* kmod_stub, until another is given */
	struct kmod_host *kmod;		/* runs on it; NULL until it is needed */
	struct kernel_log *log;		/* what it has printed; NULL: nothing yet */
	/* Cuts the power of the whole machine, or gives it back; NULL: each node has its own. */
	void (*power)(struct umadrig_host *host, bool on);
};

/* The host called 'name' (its own name, or a node's id or description), or NULL. */
struct umadrig_host *fabric_host(struct umadrig_fabric *fabric, const char *name);

/*
 * A line for people, whom a file's names may not reach with more than text: control characters
 * become '?'.
 */
void host_one_line(char *text);

/* Says that there is no host 'name', and what there is; 'buf' holds 'size' bytes. */
void fabric_no_host(const struct umadrig_fabric *fabric, const char *name, char *buf, size_t size);

/* The host whose kernel drives the node; a switch becomes a host by this. */
struct umadrig_host *node_host(struct node *node);

/* The node that is device 'name' of the host, or NULL. */
struct node *host_device(const struct umadrig_host *host, const char *name);

/*
 * Makes two devices of a planarized HCA, which the host has as one: its place and name become the
 * GSI device's, and the HCA itself comes last, as "smi" and the number that the name ends with, or
 * the next one that is free.
 */
void host_split_device(struct node *hca);

/*
 * Makes a virtual function a device of the host, behind those that it has: with its HCA's name and
 * the next number that is free, '*next' or above, if a driver has given that name (mlx5_1).
 */
void host_add_function(struct umadrig_host *host, struct node *function, unsigned int *next);

/*
 * Linux: since 6.12 ports without QP0 have no issm device; the older releases of ours have one.
 */
bool host_has_issm_without_qp0(const struct umadrig_host *host);

/*
 * The node that fabric_find() finds, else by the device name that it has on the usual host, else
 * the only one of the host of that name.
 */
struct node *fabric_node(struct umadrig_fabric *fabric, const char *name);

/*
 * Which kernels its hosts have, if not kmod-stub alone: "kernel linux-6.12.117", "kernels
 * linux-6.12.117 at H1, kmod-stub at H2 and 3 more". To be freed; NULL: kmod-stub alone.
 */
char *fabric_kernels_text(const struct umadrig_fabric *fabric);

/* Makes the hosts of a fabric: CAs with one text before " HCA-", " mlx" or " hfi" are one host. */
void fabric_make_hosts(struct umadrig_fabric *fabric);

/* Frees the hosts, which have no kernels any more. */
void fabric_free_hosts(struct umadrig_fabric *fabric);

#endif
