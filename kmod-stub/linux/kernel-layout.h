/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a file of a kernel and who loads it lay out in the same way: a number, made of the sizes of
 * all structs that both know, and of where packets have what functions in headers look at. A struct
 * that has changed changes it, so that nobody need remember; KERNEL_FILE_ABI is for what a struct
 * does not show, such as what a member means.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_KERNEL_LAYOUT_H
#define UMADRIG_KMOD_STUB_LINUX_KERNEL_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/kmod.h"
#include "kmod-stub/linux/kernel-file.h"

/* FNV-1a (Fowler, Noll, Vo), of numbers in place of bytes. */
#define KERNEL_LAYOUT_ADD(hash, number) (((hash) ^ (uint32_t)(number)) * 0x01000193u)
#define KERNEL_LAYOUT_TWO(hash, one, two) KERNEL_LAYOUT_ADD(KERNEL_LAYOUT_ADD(hash, one), two)
#define KERNEL_LAYOUT_FOUR(hash, one, two, three, four) \
	KERNEL_LAYOUT_TWO(KERNEL_LAYOUT_TWO(hash, one, two), three, four)

#define KERNEL_LAYOUT_FILES \
	KERNEL_LAYOUT_FOUR(0x811c9dc5u, sizeof(struct kernel_services), \
			   sizeof(struct kernel_call), sizeof(struct kernel_file), \
			   sizeof(struct kmod_kernel))
#define KERNEL_LAYOUT_HOSTS \
	KERNEL_LAYOUT_FOUR(KERNEL_LAYOUT_FILES, sizeof(struct kmod_ops), \
			   sizeof(struct kmod_variant), sizeof(struct kmod_port_attr), \
			   sizeof(struct kmod_source))
#define KERNEL_LAYOUT_CALLS \
	KERNEL_LAYOUT_FOUR(KERNEL_LAYOUT_HOSTS, sizeof(struct kmod_usage), \
			   sizeof(struct kmod_loan), sizeof(struct event), \
			   sizeof(struct packet_addr))
#define KERNEL_LAYOUT_PACKETS \
	KERNEL_LAYOUT_FOUR(KERNEL_LAYOUT_CALLS, sizeof(struct packet), \
			   sizeof(struct packet_pool), offsetof(struct packet, mad_at), \
			   offsetof(struct packet, mad_size))
#define KERNEL_FILE_LAYOUT \
	KERNEL_LAYOUT_FOUR(KERNEL_LAYOUT_PACKETS, offsetof(struct packet, bytes), \
			   offsetof(struct packet, rest), offsetof(struct packet, sealed), \
			   offsetof(struct packet, raw))

#endif
