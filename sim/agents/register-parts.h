/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The registers of a device by what they are about, a file for each; sim/agents/device-register.c
 * has the table of all.
 */
#ifndef UMADRIG_SIM_AGENTS_REGISTER_PARTS_H
#define UMADRIG_SIM_AGENTS_REGISTER_PARTS_H

#include "sim/agents/register-field.h"

/* Each fills in the register at 'data', which is all zero, or says why not. */
typedef enum register_status register_get_fn(const struct register_query *query, uint8_t *data);

/* ---- register-identity.c ---- */

register_get_fn register_get_mgir, register_get_msgi, register_get_msci, register_get_spzr;

/* The three parts of the firmware's version. */
void register_firmware_version(uint32_t ret_parts[3]);

/* ---- register-firmware.c ---- */

register_get_fn register_get_mcam, register_get_pcam, register_get_mcqs, register_get_mcqi,
	register_get_mcc, register_get_mcda, register_get_mqis;

/* ---- register-port.c ---- */

register_get_fn register_get_ptys, register_get_paos, register_get_pmlp, register_get_plib,
	register_get_pplm, register_get_pmtu, register_get_sltp;

/* ---- register-diagnosis.c ---- */

register_get_fn register_get_pddr;

/* ---- register-counters.c ---- */

register_get_fn register_get_ppcnt;

/* ---- register-module.c ---- */

register_get_fn register_get_mcia, register_get_pmaos, register_get_mgpir;

/* The module page of PDDR (248 bytes, all zero) for the cable's end at 'port'. */
void register_put_module_page(const struct port *port, uint8_t *page);

/* ---- register-sensor.c ---- */

register_get_fn register_get_mtcap, register_get_mtmp, register_get_mfcr, register_get_mfsm,
	register_get_mvcr, register_get_fore, register_get_msps;

#endif
