/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What an HCA counts, as files: see sim/server/sysfs-hw-counters.h. */
#include "sim/server/sysfs-hw-counters.h"

#include <glib.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/host.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

/* Which ports and kernels have a counter. */
enum {
	OF_ROCE = 1,		/* RoCE ports alone */
	SINCE_6_12 = 2,		/* Linux 6.12 has it, 6.1 and 5.10 do not */
};

/*
 * In mlx5's order; which of them there are depends on the firmware's capabilities as well. Those
 * that Linux calls optional (cc_rx_ce_pkts, rdma_tx_packets) have no files.
 */
static const struct {
	const char *file;
	unsigned int which;
} counters[] = {
	{ SYSFS_HW_RX_WRITES, 0 },
	{ "rx_read_requests", 0 },
	{ "rx_atomic_requests", 0 },
	{ "rx_dct_connect", SINCE_6_12 },
	{ "out_of_buffer", 0 },
	{ "out_of_sequence", 0 },
	{ "duplicate_request", 0 },
	{ "rnr_nak_retry_err", 0 },
	{ "packet_seq_err", 0 },
	{ "implied_nak_seq_err", 0 },
	{ "local_ack_timeout_err", 0 },
	{ "resp_local_length_error", 0 },
	{ "resp_cqe_error", 0 },
	{ "req_cqe_error", 0 },
	{ "req_remote_invalid_request", 0 },
	{ "req_remote_access_errors", 0 },
	{ "resp_remote_access_errors", 0 },
	{ "resp_cqe_flush_error", 0 },
	{ "req_cqe_flush_error", 0 },
	{ "req_transport_retries_exceeded", SINCE_6_12 },
	{ "req_rnr_retries_exceeded", SINCE_6_12 },
	{ "roce_adp_retrans", OF_ROCE },
	{ "roce_adp_retrans_to", OF_ROCE },
	{ "roce_slow_restart", OF_ROCE },
	{ "roce_slow_restart_cnps", OF_ROCE },
	{ "roce_slow_restart_trans", OF_ROCE },
	{ "rp_cnp_ignored", OF_ROCE },
	{ "rp_cnp_handled", OF_ROCE },
	{ "np_ecn_marked_roce_packets", OF_ROCE },
	{ "np_cnp_sent", OF_ROCE },
	{ "rx_icrc_encapsulated", 0 },
};

/* What the port and its kernel lack, as bits of 'which'. */
static unsigned int lacking(const struct end_port *end)
{
	enum kmod_profile profile = end->host->profile;

	return (end->attr.link_is_ethernet ? 0 : OF_ROCE) |
	       (profile == KMOD_LINUX_6_1 || profile == KMOD_LINUX_5_10 ? SINCE_6_12 : 0);
}

const char *sysfs_hw_counter_file(const struct end_port *end, unsigned int i)
{
	const struct node *node = end->port->node;

	if (node->sw || (node->planes && !node_is_gsi(node)))
		return NULL;
	for (size_t at = 0; at < G_N_ELEMENTS(counters); at++) {
		if (!(counters[at].which & lacking(end)) && i-- == 0)
			return counters[at].file;
	}
	return NULL;
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
