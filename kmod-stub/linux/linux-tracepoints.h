/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tracepoints: what stands for <trace/events/ib_mad.h> and <trace/events/ib_umad.h>. Each is a line
 * of the port's traces: its name, and what it is about. What their arguments are is known where
 * they are used, in mad.c and user_mad.c.
 *
 * Left out: those of OPA, and fields beyond the MAD's own, the agent's number and the status of a
 * completion. The build makes tracepoints that are not here of no effect.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_TRACEPOINTS_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_TRACEPOINTS_H

struct kmod_file;
struct kmod_port;

void linux_trace_agent(const struct kmod_port *port, const char *event, unsigned int number,
		       unsigned int rmpp_version);
void linux_trace_mad(const struct kmod_port *port, const char *event, const void *mad, int status);
/* Of the host that runs; nobody says at which port. */
void linux_trace_smp(const char *event, const void *smp);
void linux_trace_file(const struct kmod_file *file, const char *event, const void *mad);

#define LINUX_TRACE_AGENT(event, agent_) \
	linux_trace_agent((agent_)->agent.device->port, event, (agent_)->agent.hi_tid, \
			  (agent_)->agent.rmpp_version)
#define LINUX_TRACE_SEND(event, send, info) \
	linux_trace_mad((info)->port_priv->device->port, event, (send)->send_buf.mad, 0)

#define trace_ib_mad_create_agent(agent) LINUX_TRACE_AGENT("ib_mad_create_agent", agent)
#define trace_ib_mad_unregister_agent(agent) LINUX_TRACE_AGENT("ib_mad_unregister_agent", agent)
#define trace_ib_mad_recv_done_agent(agent) LINUX_TRACE_AGENT("ib_mad_recv_done_agent", agent)
#define trace_ib_mad_send_done_agent(agent) LINUX_TRACE_AGENT("ib_mad_send_done_agent", agent)
#define trace_ib_mad_handle_out_ib_smi(smp) linux_trace_smp("ib_mad_handle_out_ib_smi", smp)
#define trace_ib_mad_handle_ib_smi(smp) linux_trace_smp("ib_mad_handle_ib_smi", smp)
#define trace_ib_mad_handle_out_opa_smi(smp) do { } while (0)
#define trace_ib_mad_handle_opa_smi(smp) do { } while (0)
#define trace_ib_mad_ib_send_mad(send, info) LINUX_TRACE_SEND("ib_mad_ib_send_mad", send, info)
#define trace_ib_mad_send_done_resend(send, info) \
	LINUX_TRACE_SEND("ib_mad_send_done_resend", send, info)
#define trace_ib_mad_error_handler(send, info) \
	LINUX_TRACE_SEND("ib_mad_error_handler", send, info)
#define trace_ib_mad_send_done_handler(send, wc) \
	linux_trace_mad((send)->mad_agent_priv->agent.device->port, "ib_mad_send_done_handler", \
			(send)->send_buf.mad, (wc)->status)
#define trace_ib_mad_recv_done_handler(info, wc, mad) \
	linux_trace_mad((info)->port_priv->device->port, "ib_mad_recv_done_handler", mad, \
			(wc)->status)
#define trace_ib_umad_read_recv(umad, hdr, mad) \
	linux_trace_file((umad)->recv_wait.file, "ib_umad_read_recv", mad)
#define trace_ib_umad_read_send(umad, hdr, mad) \
	linux_trace_file((umad)->recv_wait.file, "ib_umad_read_send", mad)
#define trace_ib_umad_write(umad, hdr, mad) \
	linux_trace_file((umad)->recv_wait.file, "ib_umad_write", mad)

#endif
