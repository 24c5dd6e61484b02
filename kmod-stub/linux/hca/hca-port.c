/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: ports. The fabric says what they are like; what is asked of them is answered from
 * the copy that is kept here, and what differs makes events.
 */
#include <linux/slab.h>

#include "hca.h"

#define DEFAULT_PREFIX		0xfe80000000000000ULL
#define DEFAULT_PKEY		0xffff
#define MESSAGE_SIZE_MAX	(1u << 30)

/* ---- questions ---- */

static int query_port(struct ib_device *device, u32 number, struct ib_port_attr *attributes)
{
	struct hca *hca = hca_of(device);
	const struct hca_port *port = hca_port_of(hca, number);
	const struct umadrig_hca_port *from = &port->attributes;
	unsigned long flags;

	spin_lock_irqsave(&hca->lock, flags);
	attributes->state = from->state;
	attributes->phys_state = from->physical_state;
	attributes->max_mtu = from->mtu_max;
	attributes->active_mtu = from->mtu;
	attributes->port_cap_flags = port->capability;
	attributes->max_msg_sz = le32_to_cpu(from->max_message_size);
	attributes->bad_pkey_cntr = (u16)port->bad_pkey;
	attributes->qkey_viol_cntr = (u16)port->bad_qkey;
	attributes->lid = le16_to_cpu(from->lid);
	attributes->lmc = from->lmc;
	attributes->sm_lid = le16_to_cpu(from->sm_lid);
	attributes->sm_sl = from->sm_sl;
	attributes->max_vl_num = from->vls;
	attributes->subnet_timeout = from->subnet_timeout;
	attributes->init_type_reply = from->init_type_reply;
	attributes->active_width = from->width;
	attributes->active_speed = le16_to_cpu(from->speed);
	spin_unlock_irqrestore(&hca->lock, flags);
	attributes->gid_tbl_len = hca->description.gids;
	attributes->pkey_tbl_len = le16_to_cpu(hca->description.pkeys);
	return 0;
}

static int get_port_immutable(struct ib_device *device, u32 number,
			      struct ib_port_immutable *immutable)
{
	const struct hca *hca = hca_of(device);

	immutable->pkey_tbl_len = le16_to_cpu(hca->description.pkeys);
	immutable->gid_tbl_len = hca->description.gids;
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static int query_gid(struct ib_device *device, u32 number, int index, union ib_gid *gid)
{
	struct hca *hca = hca_of(device);
	const struct hca_port *port = hca_port_of(hca, number);
	unsigned long flags;

	if (index < 0 || index >= hca->description.gids)
		return -EINVAL;
	spin_lock_irqsave(&hca->lock, flags);
	gid->global.subnet_prefix = port->attributes.prefix;
	gid->global.interface_id = port->guids[index];
	spin_unlock_irqrestore(&hca->lock, flags);
	return 0;
}

static int query_pkey(struct ib_device *device, u32 number, u16 index, u16 *pkey)
{
	struct hca *hca = hca_of(device);
	unsigned long flags;

	if (index >= le16_to_cpu(hca->description.pkeys))
		return -EINVAL;
	spin_lock_irqsave(&hca->lock, flags);
	*pkey = hca_port_of(hca, number)->pkeys[index];
	spin_unlock_irqrestore(&hca->lock, flags);
	return 0;
}

/* 'mask' is 0 where only the CapabilityMask changes: an issm file is opened, the CM has come. */
static int modify_port(struct ib_device *device, u32 number, int mask,
		       struct ib_port_modify *wish)
{
	struct hca *hca = hca_of(device);
	struct hca_port *port = hca_port_of(hca, number);
	struct hca_message *message;
	unsigned long flags;

	if (mask & ~IB_PORT_RESET_QKEY_CNTR)
		return -EOPNOTSUPP;
	message = hca_message_new(UMADRIG_HCA_CAPABILITY, hca->number, number, 0);
	if (!message)
		return -ENOMEM;
	spin_lock_irqsave(&hca->lock, flags);
	if (mask & IB_PORT_RESET_QKEY_CNTR)
		port->bad_qkey = 0;
	port->capability = (port->capability | wish->set_port_cap_mask) &
			   ~wish->clr_port_cap_mask;
	message->header.value = cpu_to_le32(port->capability);
	/* Who becomes the fabric after this one hears of it by HELLO. */
	hca->description.capabilities[number - 1] = message->header.value;
	spin_unlock_irqrestore(&hca->lock, flags);
	hca_send(hca->fabric, message);
	return 0;
}

const struct ib_device_ops hca_port_operations = {
	.query_port = query_port,
	.get_port_immutable = get_port_immutable,
	.query_gid = query_gid,
	.query_pkey = query_pkey,
	.modify_port = modify_port,
};

int hca_port_find_pkey(const struct hca *hca, const struct hca_port *port, u16 pkey)
{
	int i, count = le16_to_cpu(hca->description.pkeys);

	for (i = 0; i < count; i++) {
		if (hca_pkeys_match(port->pkeys[i], pkey))
			return i;
	}
	return -1;
}

/* ---- what the fabric says ---- */

static void tell(struct hca *hca, u32 number, enum ib_event_type type)
{
	struct ib_event event = {
		.device = &hca->ib, .event = type, .element.port_num = number,
	};

	ib_dispatch_event(&event);
}

void hca_port_init(struct hca *hca, u32 number)
{
	struct hca_port *port = hca_port_of(hca, number);

	port->attributes.prefix = cpu_to_be64(DEFAULT_PREFIX);
	port->attributes.state = IB_PORT_DOWN;
	port->attributes.physical_state = IB_PORT_PHYS_STATE_POLLING;
	port->attributes.width = IB_WIDTH_4X;
	port->attributes.speed = cpu_to_le16(IB_SPEED_SDR);
	port->attributes.mtu = IB_MTU_4096;
	port->attributes.mtu_max = IB_MTU_4096;
	port->attributes.vls = 1;
	port->attributes.max_message_size = cpu_to_le32(MESSAGE_SIZE_MAX);
	port->capability = le32_to_cpu(hca->description.capabilities[number - 1]);
	port->guids[0] = hca->description.port_guids[number - 1];
	port->pkeys[0] = DEFAULT_PKEY;
}

/* A width that is none lets sysfs' rate fail. */
static bool is_valid(const struct umadrig_hca_port *port)
{
	return port->lmc <= 7 && port->state >= IB_PORT_DOWN && port->state <= IB_PORT_ACTIVE &&
	       port->physical_state >= 1 && port->physical_state <= 7 &&
	       ib_width_enum_to_int(port->width) > 0 && port->speed &&
	       port->mtu >= IB_MTU_256 && port->mtu <= IB_MTU_4096 &&
	       port->mtu_max >= IB_MTU_256 && port->mtu_max <= IB_MTU_4096 && port->sm_sl <= 15;
}

static void replace(struct hca *hca, u32 number, const struct umadrig_hca_port *to, bool again)
{
	struct hca_port *port = hca_port_of(hca, number);
	struct umadrig_hca_port from;
	unsigned long flags;

	spin_lock_irqsave(&hca->lock, flags);
	from = port->attributes;
	port->attributes = *to;
	spin_unlock_irqrestore(&hca->lock, flags);
	if (from.prefix != to->prefix)
		tell(hca, number, IB_EVENT_GID_CHANGE);
	if (from.lid != to->lid || from.lmc != to->lmc)
		tell(hca, number, IB_EVENT_LID_CHANGE);
	if (from.sm_lid != to->sm_lid || from.sm_sl != to->sm_sl)
		tell(hca, number, IB_EVENT_SM_CHANGE);
	if (from.state != IB_PORT_ACTIVE && to->state == IB_PORT_ACTIVE)
		tell(hca, number, IB_EVENT_PORT_ACTIVE);
	if (from.state == IB_PORT_ACTIVE && to->state != IB_PORT_ACTIVE)
		tell(hca, number, IB_EVENT_PORT_ERR);
	if (again)
		tell(hca, number, IB_EVENT_CLIENT_REREGISTER);
}

int hca_port_set(struct hca *hca, const struct umadrig_hca_header *header, size_t size)
{
	struct umadrig_hca_port to;

	if (size != sizeof(to))
		return -EINVAL;
	memcpy(&to, hca_payload(header), sizeof(to));
	if (!is_valid(&to))
		return -EINVAL;
	replace(hca, header->port, &to, header->flags & UMADRIG_HCA_FLAG_REREGISTER);
	return 0;
}

void hca_port_down(struct hca *hca, u32 number)
{
	struct umadrig_hca_port to;
	unsigned long flags;

	spin_lock_irqsave(&hca->lock, flags);
	to = hca_port_of(hca, number)->attributes;
	spin_unlock_irqrestore(&hca->lock, flags);
	to.state = IB_PORT_DOWN;
	to.physical_state = IB_PORT_PHYS_STATE_POLLING;
	replace(hca, number, &to, false);
}

int hca_port_set_pkeys(struct hca *hca, const struct umadrig_hca_header *header, size_t size)
{
	struct hca_port *port = hca_port_of(hca, header->port);
	const __le16 *pkeys = hca_payload(header);
	size_t i, count = le16_to_cpu(hca->description.pkeys);
	unsigned long flags;

	if (size % sizeof(*pkeys) || size / sizeof(*pkeys) > count)
		return -EINVAL;
	spin_lock_irqsave(&hca->lock, flags);
	for (i = 0; i < count; i++)
		port->pkeys[i] = i < size / sizeof(*pkeys) ? le16_to_cpu(pkeys[i]) : 0;
	spin_unlock_irqrestore(&hca->lock, flags);
	tell(hca, header->port, IB_EVENT_PKEY_CHANGE);
	return 0;
}

int hca_port_set_gids(struct hca *hca, const struct umadrig_hca_header *header, size_t size)
{
	struct hca_port *port = hca_port_of(hca, header->port);
	unsigned long flags;

	if (size % sizeof(port->guids[0]) || size / sizeof(port->guids[0]) > hca->description.gids)
		return -EINVAL;
	spin_lock_irqsave(&hca->lock, flags);
	memset(port->guids, 0, sizeof(port->guids));
	memcpy(port->guids, hca_payload(header), size);
	spin_unlock_irqrestore(&hca->lock, flags);
	tell(hca, header->port, IB_EVENT_GID_CHANGE);
	return 0;
}

int hca_port_count(struct hca *hca, const struct umadrig_hca_header *header)
{
	const struct hca_port *port = hca_port_of(hca, header->port);
	struct umadrig_hca_counters counters = {};
	struct hca_message *message;
	unsigned long flags;

	message = hca_message_new(UMADRIG_HCA_COUNTERS, hca->number, header->port,
				  sizeof(counters));
	if (!message)
		return -ENOMEM;
	spin_lock_irqsave(&hca->lock, flags);
	counters.sent = cpu_to_le64(port->sent);
	counters.received = cpu_to_le64(port->received);
	counters.no_buffer = cpu_to_le64(port->no_buffer);
	counters.no_qp = cpu_to_le64(port->no_qp);
	counters.bad_pkey = cpu_to_le64(port->bad_pkey);
	counters.bad_qkey = cpu_to_le64(port->bad_qkey);
	counters.too_long = cpu_to_le64(port->too_long);
	spin_unlock_irqrestore(&hca->lock, flags);
	counters.up_dropped = cpu_to_le64(atomic64_read(&hca->fabric->up_dropped));
	counters.down_dropped = cpu_to_le64(atomic64_read(&hca->fabric->down_dropped));
	memcpy(message->payload, &counters, sizeof(counters));
	return hca_send(hca->fabric, message);
}
