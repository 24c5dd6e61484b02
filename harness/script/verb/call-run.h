/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the calls of a script do: the functions of the table in harness/script/verb/call-table.c.
 *
 * Each is a struct call_kind's 'run'.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_CALL_RUN_H
#define UMADRIG_HARNESS_SCRIPT_VERB_CALL_RUN_H

#include "harness/script/verb/call-table.h"

typedef void call_fn(const struct running_call *call, struct call_outcome *ret);

/* ---- harness/script/verb/call-umad.c ---- */

call_fn call_umad_open_port, call_umad_open_smi_port, call_umad_close_port, call_umad_register,
	call_umad_register_oui, call_umad_register2, call_umad_unregister, call_umad_send,
	call_umad_poll;

/* ---- harness/script/verb/call-device.c ---- */

extern const struct fact_kind call_facts_ca[], call_facts_port[], call_facts_names[],
	call_facts_guids[], call_facts_path[], call_facts_pairs[];

call_fn call_umad_init, call_umad_done, call_umad_debug, call_umad_host_enter, call_umad_get_fd,
	call_umad_get_cas_names, call_umad_get_ca_device_list, call_umad_sort_ca_device_list,
	call_umad_get_ca, call_umad_get_port, call_umad_get_ca_portguids, call_umad_get_issm_path,
	call_umad_get_smi_gsi_pairs, call_umad_get_smi_gsi_pair_by_ca_name;

/* ---- harness/script/verb/call-buffer.c ---- */

/* A buffer of umad_alloc() in scripts: a header and a MAD, and room for a longer one. */
#define CALL_BUFFER_SIZE (64 + 4096)

extern const struct fact_kind call_facts_address[];

/* The buffer that the argument names; NULL: run_fail was called. */
void *arg_buffer(const struct running_call *call, unsigned int at);

call_fn call_umad_alloc, call_umad_size, call_umad_get_mad, call_umad_get_mad_addr,
	call_umad_status, call_umad_set_addr, call_umad_set_addr_net, call_umad_set_grh,
	call_umad_set_grh_net, call_umad_set_pkey, call_umad_get_pkey, call_umad_dump,
	call_umad_addr_dump;

/* ---- harness/script/verb/call-string.c ---- */

call_fn call_umad_class_str, call_umad_method_str, call_umad_attribute_str,
	call_umad_common_mad_status_str, call_umad_mad_status_str, call_umad_sa_mad_status_str;

/* ---- harness/script/verb/call-file.c ---- */

call_fn call_file_open, call_file_ioctl, call_file_write, call_file_read, call_file_poll,
	call_file_close, call_issm_open, call_issm_close, call_port_remove, call_port_set_lid;

/* Is 'text' a request of file.ioctl? */
bool call_request_known(const char *text);
/* The requests, in the order of the table; NULL after the last. */
const char *call_request_name(unsigned int at);

/* ---- harness/script/verb/call-arg.c ---- */

/* The indices of the parameters that umad_send() and file.write() share. */
enum {
	SEND_AT_AGENT = 1,
	SEND_AT_MAD = 2,
	SEND_AT_TIMEOUT = 3,
	SEND_AT_RETRIES = 4,
	SEND_AT_SIZE = 5,
	SEND_AT_DATA = 6,
};

/* A time in milliseconds; a bare number is returned as it is; 0 without one. */
uint32_t call_ms(struct run *run, const struct expr *expr);
/* The handle that 'expr' names; NULL: run_fail was called. */
struct run_handle *call_handle(struct run *run, const struct expr *expr);

/* The argument 'at' of a call. Those two of it: */
uint32_t arg_ms(const struct running_call *call, unsigned int at);
struct run_handle *arg_handle(const struct running_call *call, unsigned int at);
/* A number, or 'otherwise' if it is not given. */
uint64_t arg_number(const struct running_call *call, unsigned int at, uint64_t otherwise);
/* Methods as a mask; empty if not given. */
void arg_methods(const struct running_call *call, unsigned int at, uint64_t ret_mask[2]);
/* A port: its end, and its device's name as given. False: run_fail was called. */
bool arg_port(const struct running_call *call, unsigned int at, enum world_end *ret_end,
	      const char **ret_ca);
/* The agent: its id, and what is known of it (NULL: a bare number). */
uint32_t arg_agent(const struct running_call *call, unsigned int at,
		   const struct run_agent **ret_agent);
/* Fails the run: the argument has a wrong value. */
__attribute__((format(printf, 3, 4)))
void arg_refuse(const struct running_call *call, unsigned int at, const char *format, ...);

/*
 * The bytes to be written: 'header_size' bytes of the umad header, then the MAD, with the whole
 * data of 'data' (an argument, may be NULL) after its class's header. 'ret_size' is the size from
 * the MAD on, at least MAD_SIZE without data; the buffer has room for that, or for 'most' if that
 * is more. To be freed.
 */
uint8_t *send_message(struct run *run, const struct mad_instance *instance,
		      unsigned int header_size, const struct expr *data, size_t most,
		      size_t *ret_size);

/*
 * The umad header (64 bytes) and MAD to be sent through 'agent' (may be NULL). If the script names
 * no destination it is the peer, or, for a directed route, the permissive LID.
 */
bool send_build(const struct running_call *call, const struct run_agent *agent,
		struct mad_instance *ret);

#endif
