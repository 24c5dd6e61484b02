/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Functions of libibumad that older ones do not have, and those of ours that no other has.
 *
 * umadrig must not be linked with them: on another libibumad the loader would end it, before main()
 * can say what is wrong.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_NEWER_UMAD_H
#define UMADRIG_HARNESS_SCRIPT_VERB_NEWER_UMAD_H

#include <infiniband/umad.h>
#include <infiniband/umad_str.h>

struct newer_umad {
	__typeof__(umad_open_smi_port) *open_smi_port;
	__typeof__(umad_get_smi_gsi_pairs) *get_smi_gsi_pairs;
	__typeof__(umad_get_smi_gsi_pair_by_ca_name) *get_smi_gsi_pair_by_ca_name;
	__typeof__(umad_host_enter) *host_enter;
	__typeof__(umad_mad_status_str) *mad_status_str;
	__typeof__(umad_set_grh_net) *set_grh_net;
};

/* All are there in our libibumad, on which main() insists. To be called by one thread. */
const struct newer_umad *newer_umad(void);

#endif
