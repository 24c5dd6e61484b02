/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Addresses: see linux-addresses.h.
 */
#include "kmod-stub/linux/linux-addresses.h"

#include <string.h>

#include "kmod-stub/linux/linux-drop.h"
#include "kmod-stub/linux/linux-port.h"

/* Interface ID of the SA's well-known GID (Linux: any entry of the table will do). */
static const u8 sa_well_known_guid[8] = { 0x02, 0, 0, 0, 0, 0, 0, 0x02 };

static const struct kmod_port_attr *attr_of(const struct ib_device *device)
{
	return device->port->attr;
}

static bool is_none(const uint8_t *gid)
{
	static const uint8_t none[16];

	return memcmp(gid, none, 16) == 0;
}

/* The index of 'gid' in the port's table, or -1. */
static int gid_index(const struct kmod_port_attr *attr, const uint8_t *gid)
{
	for (size_t i = 0; i < attr->gid_count; i++)
		if (!is_none(gid) && memcmp(attr->gids[i], gid, 16) == 0)
			return (int)i;
	return -1;
}

enum rdma_ah_attr_type rdma_ah_find_type(const struct ib_device *device, u32 port)
{
	(void)port;
	return attr_of(device)->link_is_ethernet ? RDMA_AH_ATTR_TYPE_ROCE : RDMA_AH_ATTR_TYPE_IB;
}

static struct ib_ah *ah_new(struct ib_pd *pd, const struct rdma_ah_attr *attr,
			    struct linux_place place)
{
	struct ib_ah *ah = linux_alloc(sizeof(*ah), true, GFP_KERNEL, "an address handle",
				       place);

	if (!ah)
		return ERR_PTR(-ENOMEM);
	ah->device = pd->device;
	ah->attr = *attr;
	return ah;
}

struct ib_ah *linux_user_ah_new(struct ib_pd *pd, const struct rdma_ah_attr *attr,
				struct linux_place place)
{
	const struct kmod_port_attr *port = attr_of(pd->device);

	if (!(attr->ah_flags & IB_AH_GRH) && port->link_is_ethernet)
		return ERR_PTR(-EINVAL);
	if (attr->ah_flags & IB_AH_GRH) {
		if (attr->grh.sgid_index >= port->gid_count)
			return ERR_PTR(-EINVAL);
		if (is_none(port->gids[attr->grh.sgid_index]))
			return ERR_PTR(-ENODATA);
	}
	return ah_new(pd, attr, place);
}

int ib_init_ah_attr_from_wc(struct ib_device *device, u32 port, const struct ib_wc *wc,
			    const struct ib_grh *grh, struct rdma_ah_attr *attr)
{
	u32 word;
	int index = 0;

	memset(attr, 0, sizeof(*attr));
	attr->type = rdma_ah_find_type(device, port);
	attr->dlid = wc->slid;
	attr->path_bits = wc->dlid_path_bits;
	attr->sl = wc->sl;
	attr->port_num = port;
	if (!(wc->wc_flags & IB_WC_GRH))
		return 0;
	if (memcmp(grh->dgid.raw + 8, sa_well_known_guid, 8) != 0) {
		index = gid_index(attr_of(device), grh->dgid.raw);
		if (index < 0) {
			linux_drop_because("GRH to a GID that is not this port's");
			return -ENOENT;
		}
	}
	word = be32_to_cpu(grh->version_tclass_flow);
	rdma_ah_set_grh(attr, &grh->sgid, word & 0xfffff, (u8)index, 0xff, (u8)(word >> 20));
	return 0;
}

struct ib_ah *linux_reply_ah_new(struct ib_pd *pd, const struct ib_wc *wc,
				 const struct ib_grh *grh, u32 port, struct linux_place place)
{
	struct rdma_ah_attr attr;
	int err = ib_init_ah_attr_from_wc(pd->device, port, wc, grh, &attr);

	return err ? ERR_PTR(err) : ah_new(pd, &attr, place);
}

int rdma_query_ah(struct ib_ah *ah, struct rdma_ah_attr *attr)
{
	*attr = ah->attr;
	return 0;
}

int rdma_query_gid(struct ib_device *device, u32 port, int index, union ib_gid *gid)
{
	const struct kmod_port_attr *attr = attr_of(device);

	(void)port;
	if (index < 0 || (size_t)index >= attr->gid_count || is_none(attr->gids[index]))
		return -EINVAL;
	memcpy(gid->raw, attr->gids[index], 16);
	return 0;
}

int ib_get_cached_lmc(struct ib_device *device, u32 port, u8 *lmc)
{
	(void)port;
	*lmc = attr_of(device)->lmc;
	return 0;
}

/* Linux: the default P_Key is at 0, and mad.c asks for no other. */
int ib_find_pkey(struct ib_device *device, u32 port, u16 pkey, u16 *ret_index)
{
	const struct kmod_port_attr *attr = attr_of(device);

	(void)port;
	for (size_t i = 0; i < attr->pkey_count; i++) {
		if (((attr->pkeys[i] ^ pkey) & 0x7fff) == 0) {
			*ret_index = (u16)i;
			return 0;
		}
	}
	return -ENOENT;
}
