/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Attributes made of counters (IBA vol 1, 16.1.3 and 16.1.4): which counter is in which field, and
 * what a Set does to it. See sim/agents/pma.h.
 *
 * Ports count up for ever (sim/fabric/port-counters.h). A Set notes the amount to subtract:
 * separately for each attribute, because the counters of one attribute are not those of another.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/agents/pma.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"

enum {
	NAME_SIZE = 48,			/* of a counter */
	COUNTERS_MAX = 48,		/* in one attribute */
	GROUPS_MAX = 4,
	OPCODE_ANY = 0,			/* as perfquery requests */
};

/* ---- tables of counters ---- */

/* Counters that follow one another: "PortVLOpPackets0" to 15 if there are several. */
struct row {
	const char *name;
	unsigned int what;		/* enum counter, of the first */
	unsigned int count;		/* 0: one, without a number after its name */
};

/* In the order of the bits of CounterSelect and CounterSelect2. Two attributes have these. */
static const struct row errors[] = {
	{ "SymbolErrorCounter", COUNTER_SYMBOL_ERRORS, 0 },
	{ "LinkErrorRecoveryCounter", COUNTER_LINK_ERROR_RECOVERY, 0 },
	{ "LinkDownedCounter", COUNTER_LINK_DOWNED, 0 },
	{ "PortRcvErrors", COUNTER_RCV_ERRORS, 0 },
	{ "PortRcvRemotePhysicalErrors", COUNTER_RCV_REMOTE_PHYSICAL_ERRORS, 0 },
	{ "PortRcvSwitchRelayErrors", COUNTER_RCV_SWITCH_RELAY_ERRORS, 0 },
	{ "PortXmitDiscards", COUNTER_XMIT_DISCARDS, 0 },
	{ "PortXmitConstraintErrors", COUNTER_XMIT_CONSTRAINT_ERRORS, 0 },
	{ "PortRcvConstraintErrors", COUNTER_RCV_CONSTRAINT_ERRORS, 0 },
	{ "LocalLinkIntegrityErrors", COUNTER_LINK_INTEGRITY_ERRORS, 0 },
	{ "ExcessiveBufferOverrunErrors", COUNTER_EXCESSIVE_OVERRUN_ERRORS, 0 },
	{ "VL15Dropped", COUNTER_VL15_DROPPED, 0 },
};
static const struct row traffic[] = {
	{ "PortXmitData", COUNTER_XMIT_DATA, 0 },
	{ "PortRcvData", COUNTER_RCV_DATA, 0 },
	{ "PortXmitPkts", COUNTER_XMIT_PKTS, 0 },
	{ "PortRcvPkts", COUNTER_RCV_PKTS, 0 },
};
static const struct row casts[] = {
	{ "PortUnicastXmitPkts", COUNTER_UNICAST_XMIT_PKTS, 0 },
	{ "PortUnicastRcvPkts", COUNTER_UNICAST_RCV_PKTS, 0 },
	{ "PortMulticastXmitPkts", COUNTER_MULTICAST_XMIT_PKTS, 0 },
	{ "PortMulticastRcvPkts", COUNTER_MULTICAST_RCV_PKTS, 0 },
};
static const struct row wait_and_dropped[] = {
	{ "PortXmitWait", COUNTER_XMIT_WAIT, 0 },
	{ "QP1Dropped", COUNTER_QP1_DROPPED, 0 },
};

static const struct row rcv_error_details[] = {
	{ "PortLocalPhysicalErrors", COUNTER_LOCAL_PHYSICAL_ERRORS, 0 },
	{ "PortMalformedPktErrors", COUNTER_MALFORMED_PKT_ERRORS, 0 },
	{ "PortBufferOverrunErrors", COUNTER_BUFFER_OVERRUN_ERRORS, 0 },
	{ "PortDLIDMappingErrors", COUNTER_DLID_MAPPING_ERRORS, 0 },
	{ "PortVLMappingErrors", COUNTER_VL_MAPPING_ERRORS, 0 },
	{ "PortLoopingErrors", COUNTER_LOOPING_ERRORS, 0 },
};

static const struct row xmit_discard_details[] = {
	{ "PortInactiveDiscards", COUNTER_INACTIVE_DISCARDS, 0 },
	{ "PortNeighborMTUDiscards", COUNTER_NEIGHBOR_MTU_DISCARDS, 0 },
	{ "PortSwLifetimeLimitDiscards", COUNTER_SW_LIFETIME_DISCARDS, 0 },
	{ "PortSwHOQLifetimeLimitDiscards", COUNTER_SW_HOQ_DISCARDS, 0 },
};

/* By opcode: all packets here have the same one, that of MADs. */
static const struct row op_rcv_counters[] = {
	{ "PortOpRcvPkts", COUNTER_RCV_PKTS, 0 },
	{ "PortOpRcvData", COUNTER_RCV_DATA, 0 },
};

static const struct row vl_op_packets[] = {
	{ "PortVLOpPackets", COUNTER_RCV_PKTS_VL, COUNTER_LANES },
};
static const struct row vl_op_data[] = {
	{ "PortVLOpData", COUNTER_RCV_DATA_VL, COUNTER_LANES },
};
static const struct row xmit_data_sl[] = {
	{ "XmtDataSL", COUNTER_XMIT_DATA_SL, COUNTER_LANES },
};
static const struct row rcv_data_sl[] = {
	{ "RcvDataSL", COUNTER_RCV_DATA_SL, COUNTER_LANES },
};

/*
 * Links here have enough credits and no congestion, except those of a load: but for watchdogs and
 * PortVLXmitWait these change only by Sets.
 */
static const struct row flow_ctl_counters[] = {
	{ "PortXmitFlowPkts", COUNTER_NEVER, 0 },
	{ "PortRcvFlowPkts", COUNTER_NEVER, 0 },
};
static const struct row vl_flow_ctl_errors[] = {
	{ "PortVLXmitFlowCtlUpdateErrors", COUNTER_FLOW_CTL_UPDATE_ERRORS, COUNTER_LANES },
};
static const struct row vl_xmit_wait[] = {
	{ "PortVLXmitWait", COUNTER_XMIT_WAIT_VL, COUNTER_LANES },
};
static const struct row sw_vl_congestion[] = {
	{ "SWPortVLCongestion", COUNTER_NEVER, COUNTER_LANES },
};
static const struct row rcv_con_ctrl[] = {
	{ "PortPktRcvFECN", COUNTER_NEVER, 0 },
	{ "PortPktRcvBECN", COUNTER_NEVER, 0 },
};
static const struct row sl_rcv_fecn[] = {
	{ "PortSLRcvFECN", COUNTER_NEVER, COUNTER_LANES },
};
static const struct row sl_rcv_becn[] = {
	{ "PortSLRcvBECN", COUNTER_NEVER, COUNTER_LANES },
};
static const struct row xmit_con_ctrl[] = {
	{ "PortXmitTimeCong", COUNTER_NEVER, 0 },
};
static const struct row vl_xmit_time_cong[] = {
	{ "PortVLXmitTimeCong", COUNTER_NEVER, COUNTER_LANES - 1 },
};
static const struct row extended_speeds[] = {
	{ "SyncHeaderErrorCounter", COUNTER_NEVER, 0 },
	{ "UnknownBlockCounter", COUNTER_NEVER, 0 },
	{ "ErrorDetectionCounterLane", COUNTER_NEVER, 12 },
	{ "FECCorrectableBlockCtrLane", COUNTER_NEVER, 12 },
	{ "FECUncorrectableBlockCtrLane", COUNTER_NEVER, 12 },
	{ "PortFECCorrectableBlockCtr", COUNTER_NEVER, 0 },
	{ "PortFECUncorrectableBlockCtr", COUNTER_NEVER, 0 },
	{ "PortFECCorrectedSymbolCtr", COUNTER_NEVER, 0 },
};

/* ---- the attributes ---- */

struct pma_counter {
	const struct mad_field *field;
	unsigned int what;
};

struct pma_counters {
	uint16_t id;
	struct {
		const struct row *at;
		size_t count;
	} rows[GROUPS_MAX];		/* one group after the other */
	uint8_t select2_from;		/* first counter in CounterSelect2, 0: there is none */
	bool switch_only;
	bool by_opcode;			/* its first byte says which packets are counted */
	/* Looked up once: */
	const struct mad_attribute *attribute;
	const struct mad_field *select, *select2;
	unsigned int count;
	struct pma_counter counters[COUNTERS_MAX];
};

#define GROUP(rows_) { rows_, G_N_ELEMENTS(rows_) }
#define ROWS(rows_) .rows = { GROUP(rows_) }
static struct pma_counters attributes[] = {
	/* A counter's name means the first attribute that has such a counter. */
	{ 0x001d, .select2_from = 8,
	  .rows = { GROUP(traffic), GROUP(casts), GROUP(errors), GROUP(wait_and_dropped) } },
	{ 0x0012, .select2_from = 16,
	  .rows = { GROUP(errors), GROUP(traffic), GROUP(wait_and_dropped) } },
	{ 0x0015, ROWS(rcv_error_details) },
	{ 0x0016, ROWS(xmit_discard_details) },
	{ 0x0017, ROWS(op_rcv_counters), .by_opcode = true },
	{ 0x0018, ROWS(flow_ctl_counters) },
	{ 0x0019, ROWS(vl_op_packets), .by_opcode = true },
	{ 0x001a, ROWS(vl_op_data), .by_opcode = true },
	{ 0x001b, ROWS(vl_flow_ctl_errors) },
	{ 0x001c, ROWS(vl_xmit_wait) },
	{ 0x001f, ROWS(extended_speeds) },
	{ 0x0030, ROWS(sw_vl_congestion), .switch_only = true },
	{ 0x0031, ROWS(rcv_con_ctrl) },
	{ 0x0032, ROWS(sl_rcv_fecn) },
	{ 0x0033, ROWS(sl_rcv_becn) },
	{ 0x0034, ROWS(xmit_con_ctrl) },
	{ 0x0035, ROWS(vl_xmit_time_cong) },
	{ 0x0036, ROWS(xmit_data_sl) },
	{ 0x0037, ROWS(rcv_data_sl) },
};

/* A counter that hardware here never counts has a number all the same: it may be told to move. */
static void add_counter(struct pma_counters *to, const char *name, unsigned int what)
{
	static unsigned int uncounted = COUNTER_UNCOUNTED;

	g_assert(to->count < COUNTERS_MAX);
	to->counters[to->count++] = (struct pma_counter) {
		.field = mad_field_must(MAD_CLASS_PERF, to->id, name),
		.what = what == COUNTER_NEVER ? uncounted++ : what,
	};
}

static void add_row(struct pma_counters *to, const struct row *row)
{
	char name[NAME_SIZE];

	if (!row->count)
		add_counter(to, row->name, row->what);
	for (unsigned int i = 0; i < row->count; i++) {
		g_snprintf(name, sizeof(name), "%s%u", row->name, i);
		add_counter(to, name, row->what == COUNTER_NEVER ? COUNTER_NEVER : row->what + i);
	}
}

/* Runs before anything else, as in the SMA's parts. */
__attribute__((constructor)) static void look_up_fields(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		struct pma_counters *to = &attributes[i];

		to->attribute = mad_attribute_find(MAD_CLASS_PERF, to->id);
		to->select = mad_field_must(MAD_CLASS_PERF, to->id, "CounterSelect");
		if (to->select2_from)
			to->select2 = mad_field_must(MAD_CLASS_PERF, to->id, "CounterSelect2");
		for (size_t group = 0; group < GROUPS_MAX; group++) {
			for (size_t row = 0; row < to->rows[group].count; row++)
				add_row(to, &to->rows[group].at[row]);
		}
	}
}

const struct pma_counters *pma_counters_find(const struct node *node, uint16_t attr_id)
{
	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		if (attributes[i].id == attr_id)
			return attributes[i].switch_only && !node->sw ? NULL : &attributes[i];
	}
	return NULL;
}

/* ---- values ---- */

static struct counter_base *find_base(const struct port_counters *counters,
				      const struct pma_counters *of)
{
	struct counter_base *base = counters->bases;

	while (base && base->of != of)
		base = base->next;
	return base;
}

static uint64_t value_at(const struct port *port, const struct pma_counters *of, unsigned int i)
{
	const struct counter_base *base = find_base(&port->counters, of);
	uint64_t total = pma_total(port, of->counters[i].what);

	if (base && base->added >> i & 1)
		total = total > UINT64_MAX - base->off[i] ? UINT64_MAX : total + base->off[i];
	else if (base)
		total -= base->off[i];
	return MIN(total, mad_field_max(of->counters[i].field));
}

static void set_at(struct port *port, const struct pma_counters *of, unsigned int i,
		   uint64_t value)
{
	uint64_t total = pma_total(port, of->counters[i].what);
	struct counter_base *base = find_base(&port->counters, of);

	if (!base) {
		base = g_malloc0(sizeof(*base) + of->count * sizeof(base->off[0]));
		base->of = of;
		base->next = port->counters.bases;
		port->counters.bases = base;
	}
	if (value > total) {
		base->added |= UINT64_C(1) << i;
		base->off[i] = value - total;
	} else {
		base->added &= ~(UINT64_C(1) << i);
		base->off[i] = total - value;
	}
}

static uint64_t sum_at(const struct node *node, unsigned int num, const struct pma_counters *of,
		       unsigned int i)
{
	uint64_t max = mad_field_max(of->counters[i].field), sum = 0;

	for (unsigned int n = 0; n <= node->port_count; n++) {
		uint64_t value = pma_is_among(node, num, n) ? value_at(&node->ports[n], of, i) : 0;

		sum = value > max - sum ? max : sum + value;
	}
	return sum;
}

static void set_all(struct node *node, unsigned int num, const struct pma_counters *of,
		    unsigned int i, uint64_t value)
{
	for (unsigned int n = 0; n <= node->port_count; n++) {
		if (pma_is_among(node, num, n))
			set_at(&node->ports[n], of, i, value);
	}
}

/* ---- Get and Set ---- */

void pma_counters_get(const struct pma_counters *counters, const struct node *node,
		      unsigned int num, uint8_t *data)
{
	bool other = counters->by_opcode && data[0] != OPCODE_ANY &&
		     data[0] != BTH_UD_SEND_ONLY;

	for (unsigned int i = 0; i < counters->count; i++)
		mad_field_set(counters->counters[i].field, data,
			      other ? 0 : sum_at(node, num, counters, i));
}

static bool is_selected(const struct pma_counters *counters, unsigned int i, const uint8_t *data)
{
	if (!counters->select2 || i < counters->select2_from)
		return mad_field_get(counters->select, data) >> i & 1;
	return mad_field_get(counters->select2, data) >> (i - counters->select2_from) & 1;
}

void pma_counters_set(const struct pma_counters *counters, struct node *node, unsigned int num,
		      const uint8_t *data)
{
	for (unsigned int i = 0; i < counters->count; i++) {
		if (is_selected(counters, i, data))
			set_all(node, num, counters, i,
				mad_field_get(counters->counters[i].field, data));
	}
}

/* ---- by name ---- */

/* The number of the counter whose field is 'name', or -1. */
static int find_counter(const struct pma_counters *in, const char *name)
{
	const struct mad_field *field = mad_field_by_name(in->attribute, name, NULL);

	for (unsigned int i = 0; field && i < in->count; i++) {
		if (in->counters[i].field == field)
			return (int)i;
	}
	return -1;
}

static const struct pma_counters *find_by_name(const char *name, unsigned int *ret_i)
{
	const struct mad_class_info *info = mad_class_find(MAD_CLASS_PERF);
	const char *dot = strchr(name, '.');
	const struct mad_attribute *attribute = NULL;

	if (dot) {
		g_autofree char *prefix = g_strndup(name, (size_t)(dot - name));

		attribute = mad_attribute_by_name(info, prefix, NULL);
		if (!attribute)
			return NULL;
		name = dot + 1;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		int at = attribute && attribute != attributes[i].attribute ? -1 :
			 find_counter(&attributes[i], name);

		if (at >= 0) {
			*ret_i = (unsigned int)at;
			return &attributes[i];
		}
	}
	return NULL;
}

int pma_counter_get(const struct node *node, unsigned int num, const char *name,
		    uint64_t *ret_value)
{
	unsigned int i;
	const struct pma_counters *of = find_by_name(name, &i);

	if (!of)
		return -EINVAL;
	*ret_value = sum_at(node, num, of, i);
	return 0;
}

int pma_counter_set(struct node *node, unsigned int num, const char *name, uint64_t value)
{
	unsigned int i;
	const struct pma_counters *of = find_by_name(name, &i);

	if (!of)
		return -EINVAL;
	if (value > mad_field_max(of->counters[i].field))
		return -ERANGE;
	set_all(node, num, of, i, value);
	return 0;
}

int pma_counter_drift(struct node *node, unsigned int num, const char *name, uint64_t numerator,
		      uint64_t per_ns, int64_t for_ns)
{
	unsigned int i;
	const struct pma_counters *of = find_by_name(name, &i);

	if (!of)
		return -EINVAL;
	for (unsigned int n = 0; n <= node->port_count; n++) {
		if (pma_is_among(node, num, n))
			drift_add(&node->ports[n], of->counters[i].what, numerator, per_ns, for_ns);
	}
	return 0;
}

int pma_counter_stop(struct node *node, unsigned int num, const char *name)
{
	unsigned int i, count = 0;
	const struct pma_counters *of = find_by_name(name, &i);

	if (!of)
		return -EINVAL;
	for (unsigned int n = 0; n <= node->port_count; n++) {
		if (pma_is_among(node, num, n))
			count += drift_stop(&node->ports[n], of->counters[i].what);
	}
	return (int)count;
}
