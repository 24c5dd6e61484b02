/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is an SMP.
 */
#include <rdma/ib_mad.h>

bool fake_is_smp(const struct ib_mad_hdr *hdr)
{
	return hdr->mgmt_class == 0x01 || hdr->mgmt_class == 0x81;
}
