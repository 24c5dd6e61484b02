/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: virtual HCAs with InfiniBand link layer, whose packets go to a program and come from
 * it. For tests: see umadrig-hca(4).
 */
#include <linux/module.h>

#include "hca.h"

static int __init hca_init(void)
{
	int ret;

	BUILD_BUG_ON(sizeof(struct umadrig_hca_header) != 48);
	BUILD_BUG_ON(sizeof(struct umadrig_hca_description) != 224);
	BUILD_BUG_ON(sizeof(struct umadrig_hca_port) != 32);
	BUILD_BUG_ON(sizeof(struct umadrig_hca_counters) != 72);
	ret = hca_file_init();
	if (ret < 0)
		return ret;
	ret = hca_virtio_init();
	if (ret < 0)
		hca_file_exit();
	return ret;
}

static void __exit hca_exit(void)
{
	hca_virtio_exit();
	hca_file_exit();
}

module_init(hca_init);
module_exit(hca_exit);
MODULE_DESCRIPTION("virtual InfiniBand HCAs for tests, by umadrig");
MODULE_LICENSE("Dual BSD/GPL");
