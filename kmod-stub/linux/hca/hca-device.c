/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: HCAs, made and removed as the fabric wants them.
 */
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>

#include "hca.h"

/* ---- what is asked of a device ---- */

static int query_device(struct ib_device *device, struct ib_device_attr *attributes,
			struct ib_udata *udata)
{
	const struct umadrig_hca_description *description = &hca_of(device)->description;

	/* From 7.2 on the kernel itself, when it registers a device, has none. */
	if (udata && (udata->inlen || udata->outlen))
		return -EINVAL;
	memset(attributes, 0, sizeof(*attributes));
	/* Without it each PD wants a region of all memory (get_dma_mr). */
	attributes->kernel_cap_flags = IBK_LOCAL_DMA_LKEY | IBK_BLOCK_MULTICAST_LOOPBACK;
	attributes->device_cap_flags = IB_DEVICE_SYS_IMAGE_GUID;
	attributes->sys_image_guid = description->system_guid;
	attributes->vendor_id = le32_to_cpu(description->vendor_id);
	attributes->vendor_part_id = le32_to_cpu(description->device_id);
	attributes->hw_ver = le32_to_cpu(description->hardware_revision);
	attributes->max_qp = 2 * description->ports + HCA_QPS_MAX;
	attributes->max_qp_wr = HCA_WORK_MAX;
	attributes->max_send_sge = HCA_SEND_PIECES_MAX;
	attributes->max_recv_sge = HCA_RECEIVE_PIECES_MAX;
	attributes->max_mr = 65536;
	attributes->max_mcast_grp = HCA_MEMBERS_MAX;
	attributes->max_mcast_qp_attach = HCA_MEMBERS_MAX;
	attributes->max_total_mcast_qp_attach = HCA_MEMBERS_MAX;
	attributes->max_cq = 64;
	attributes->max_cqe = 65536;
	attributes->max_pd = 64;
	attributes->max_ah = 65536;
	attributes->max_pkeys = le16_to_cpu(description->pkeys);
	return 0;
}

static int modify_device(struct ib_device *device, int mask, struct ib_device_modify *wish)
{
	struct hca *hca = hca_of(device);
	struct hca_message *message;

	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	if (!(mask & IB_DEVICE_MODIFY_NODE_DESC))
		return 0;
	message = hca_message_new(UMADRIG_HCA_NODE_DESCRIPTION, hca->number, 0,
				  UMADRIG_HCA_DESCRIPTION_SIZE);
	if (!message)
		return -ENOMEM;
	memcpy(device->node_desc, wish->node_desc, UMADRIG_HCA_DESCRIPTION_SIZE);
	memcpy(hca->description.node_description, wish->node_desc, UMADRIG_HCA_DESCRIPTION_SIZE);
	memcpy(message->payload, wish->node_desc, UMADRIG_HCA_DESCRIPTION_SIZE);
	hca_send(hca->fabric, message);
	return 0;
}

static void get_firmware(struct ib_device *device, char *text)
{
	snprintf(text, IB_FW_VERSION_NAME_MAX, "%s", hca_of(device)->description.firmware);
}

static struct hca *hca_of_class_device(struct device *device)
{
	return hca_of(rdma_device_to_ibdev(device));
}

static ssize_t hw_rev_show(struct device *device, struct device_attribute *attribute, char *text)
{
	struct hca *hca = hca_of_class_device(device);

	return sysfs_emit(text, "%x\n", le32_to_cpu(hca->description.hardware_revision));
}
static DEVICE_ATTR_RO(hw_rev);

static ssize_t hca_type_show(struct device *device, struct device_attribute *attribute, char *text)
{
	return sysfs_emit(text, "%s\n", hca_of_class_device(device)->description.type_name);
}
static DEVICE_ATTR_RO(hca_type);

static struct attribute *attributes[] = {
	&dev_attr_hw_rev.attr, &dev_attr_hca_type.attr, NULL
};

static const struct attribute_group attribute_group = { .attrs = attributes };

/* ---- process_mad ---- */

/*
 * What goes to programs of the host, and is no business of the node's own agents, which are in the
 * fabric: responses, SM information and traps.
 */
static bool is_for_programs(const struct ib_mad_hdr *mad)
{
	return mad->method & IB_MGMT_METHOD_RESP || mad->attr_id == IB_SMP_ATTR_SM_INFO ||
	       mad->method == IB_MGMT_METHOD_TRAP || mad->method == IB_MGMT_METHOD_TRAP_REPRESS;
}

/*
 * Called for what comes from the wire ('grh' is set), for directed routes without a hop that are
 * sent here ('work' alone), and for a counter of sysfs (neither). The fabric keeps what its own
 * agents answer: what came is always for programs.
 */
static int process_mad(struct ib_device *device, int flags, u32 port, const struct ib_wc *work,
		       const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_size, u16 *out_pkey_index)
{
	struct hca *hca = hca_of(device);

	if (grh || (work && is_for_programs(&in->mad_hdr)))
		return IB_MAD_RESULT_SUCCESS;
	return hca_fabric_ask(hca->fabric, hca->number, port,
			      work ? 0 : UMADRIG_HCA_FLAG_SYSFS, in, out);
}

static const struct ib_device_ops device_operations = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.device_group = &attribute_group,
	.query_device = query_device,
	.modify_device = modify_device,
	.get_dev_fw_str = get_firmware,
	.process_mad = process_mad,
};

/* ---- which there are ---- */

struct hca *hca_get(struct hca_fabric *fabric, u8 number)
{
	unsigned long flags;
	struct hca *hca;

	if (number >= UMADRIG_HCA_HCAS_MAX)
		return NULL;
	spin_lock_irqsave(&fabric->lock, flags);
	hca = fabric->hcas[number];
	if (hca && (!hca->is_ready || !refcount_inc_not_zero(&hca->users)))
		hca = NULL;
	spin_unlock_irqrestore(&fabric->lock, flags);
	return hca;
}

void hca_put(struct hca *hca)
{
	if (refcount_dec_and_test(&hca->users))
		complete(&hca->unused);
}

/* Nobody delivers into it from here on. NULL: there is none. */
static struct hca *take_out(struct hca_fabric *fabric, u8 number)
{
	unsigned long flags;
	struct hca *hca;

	spin_lock_irqsave(&fabric->lock, flags);
	hca = fabric->hcas[number];
	fabric->hcas[number] = NULL;
	spin_unlock_irqrestore(&fabric->lock, flags);
	if (!hca)
		return NULL;
	hca_put(hca);
	wait_for_completion(&hca->unused);
	return hca;
}

/* ---- a new one ---- */

/* A name in sysfs: ib_core would take a '%' for a number, and sysfs a '/' for a directory. */
static bool is_text(const char *text, bool is_name)
{
	const char *end = memchr(text, '\0', UMADRIG_HCA_NAME_SIZE);

	if (!end)
		return false;
	for (; text < end; text++) {
		if (!isascii(*text) || !isprint(*text) ||
		    (is_name && !isalnum(*text) && *text != '_' && *text != '-'))
			return false;
	}
	return true;
}

int hca_description_check(const struct umadrig_hca_description *description)
{
	u16 pkeys = le16_to_cpu(description->pkeys);

	/* ib_cm, which is in every kernel with ib_core, counts ports from 1 on: no switches. */
	if (description->node_type != RDMA_NODE_IB_CA)
		return -EOPNOTSUPP;
	if (description->ports == 0 || description->ports > UMADRIG_HCA_PORTS_MAX)
		return -EINVAL;
	if (pkeys == 0 || pkeys > UMADRIG_HCA_PKEYS_MAX || description->gids == 0 ||
	    description->gids > UMADRIG_HCA_GIDS_MAX || !description->node_guid)
		return -EINVAL;
	if (!is_text(description->name, true) || !is_text(description->type_name, false) ||
	    !is_text(description->firmware, false))
		return -EINVAL;
	return 0;
}

static void fill(struct hca *hca, struct hca_fabric *fabric, u8 number,
		 const struct umadrig_hca_description *description)
{
	u32 i;

	hca->fabric = fabric;
	hca->number = number;
	hca->description = *description;
	spin_lock_init(&hca->lock);
	refcount_set(&hca->users, 1);
	init_completion(&hca->unused);
	for (i = 0; i < description->ports; i++)
		hca_port_init(hca, i + 1);
	hca->ib.node_type = description->node_type;
	hca->ib.phys_port_cnt = description->ports;
	hca->ib.num_comp_vectors = 1;
	hca->ib.node_guid = description->node_guid;
	memcpy(hca->ib.node_desc, description->node_description, UMADRIG_HCA_DESCRIPTION_SIZE);
	ib_set_device_ops(&hca->ib, &device_operations);
	ib_set_device_ops(&hca->ib, &hca_port_operations);
	ib_set_device_ops(&hca->ib, &hca_queue_operations);
	ib_set_device_ops(&hca->ib, &hca_packet_operations);
	ib_set_device_ops(&hca->ib, &hca_datagram_operations);
	INIT_LIST_HEAD(&hca->members);
	xa_init_flags(&hca->qps, XA_FLAGS_ALLOC);
}

/* Nobody knows it any more. */
static void dealloc(struct hca *hca)
{
	u32 i;

	for (i = 0; i < hca->description.ports; i++)
		kfree(hca->ports[i].datagram);
	xa_destroy(&hca->qps);
	ib_dealloc_device(&hca->ib);
}

/* Its number is free: the fabric's changes are made one at a time. */
static void put_in(struct hca_fabric *fabric, u8 number, struct hca *hca)
{
	unsigned long flags;

	spin_lock_irqsave(&fabric->lock, flags);
	fabric->hcas[number] = hca;
	spin_unlock_irqrestore(&fabric->lock, flags);
}

static void set_ready(struct hca_fabric *fabric, struct hca *hca)
{
	unsigned long flags;

	spin_lock_irqsave(&fabric->lock, flags);
	hca->is_ready = true;
	spin_unlock_irqrestore(&fabric->lock, flags);
}

int hca_add(struct hca_fabric *fabric, u8 number,
	    const struct umadrig_hca_description *description)
{
	struct hca *hca;
	int ret = hca_description_check(description);

	if (ret < 0)
		return ret;
	if (fabric->hcas[number])
		return -EEXIST;
	hca = ib_alloc_device(hca, ib);
	if (!hca)
		return -ENOMEM;
	fill(hca, fabric, number, description);
	put_in(fabric, number, hca);
	ret = ib_register_device(&hca->ib, *description->name ? description->name : "umadrig%d",
				 NULL);
	if (ret < 0) {
		take_out(fabric, number);
		dealloc(hca);
		return ret;
	}
	strscpy(hca->description.name, dev_name(&hca->ib.dev), sizeof(hca->description.name));
	set_ready(fabric, hca);
	hca_say_hello(fabric, number, &hca->description, 0);
	return 0;
}

int hca_remove(struct hca_fabric *fabric, u8 number)
{
	struct hca *hca = take_out(fabric, number);

	if (!hca)
		return -ENODEV;
	ib_unregister_device(&hca->ib);
	dealloc(hca);
	return 0;
}
