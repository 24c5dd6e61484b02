/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an HCA counts, as files: see sim/server/sysfs-hw-counters.h. */
#include "sim/server/sysfs-hw-counters.h"

#include <glib.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

/* In mlx5's order; which of them there are depends on the firmware's capabilities. */
static const char *const counters[] = {
	SYSFS_HW_RX_WRITES, "rx_read_requests", "rx_atomic_requests", "rx_dct_connect",
	"out_of_buffer", "out_of_sequence", "duplicate_request", "rnr_nak_retry_err",
	"packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err",
	"resp_local_length_error", "resp_cqe_error", "req_cqe_error",
	"req_remote_invalid_request", "req_remote_access_errors", "resp_remote_access_errors",
	"resp_cqe_flush_error", "req_cqe_flush_error", "rx_icrc_encapsulated",
};

static const char *const roce_counters[] = {
	"roce_adp_retrans", "roce_adp_retrans_to", "roce_slow_restart", "roce_slow_restart_cnps",
	"roce_slow_restart_trans", "rp_cnp_ignored", "rp_cnp_handled",
	"np_ecn_marked_roce_packets", "np_cnp_sent",
};

const char *sysfs_hw_counter_file(const struct end_port *end, unsigned int i)
{
	const struct node *node = end->port->node;

	if (node->sw || (node->planes && !node_is_gsi(node)))
		return NULL;
	if (i < G_N_ELEMENTS(counters))
		return counters[i];
	i -= G_N_ELEMENTS(counters);
	return end->attr.link_is_ethernet && i < G_N_ELEMENTS(roce_counters) ? roce_counters[i] :
									       NULL;
}

static uint64_t load_packets(const struct port *port)
{
	const struct motion *motion = port->counters.motion;

	return motion ? motion->rcv_pkts + motion_moved(motion, MOTION_RCV_PKTS) : 0;
}

/* The registers have 32 bits, and begin again. */
uint32_t sysfs_hw_rx_writes(const struct port *port)
{
	const struct node *node = port->node;
	uint64_t sum = 0;

	if (!node_is_gsi(node))
		return (uint32_t)load_packets(port);
	for (unsigned int num = 1; num <= node->planes->hca->port_count; num++)
		sum += load_packets(&node->planes->hca->ports[num]);
	return (uint32_t)sum;
}
