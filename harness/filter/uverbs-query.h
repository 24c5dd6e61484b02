/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * QUERY_DEVICE and QUERY_PORT of a verbs device.
 */
#ifndef UMADRIG_HARNESS_FILTER_UVERBS_QUERY_H
#define UMADRIG_HARNESS_FILTER_UVERBS_QUERY_H

#include "harness/filter/uverbs-answer.h"

uverbs_command_fn uverbs_query_device, uverbs_query_port;
/* The extended one, with what only that has. */
uverbs_command_fn uverbs_query_device_ex;

struct ib_uverbs_query_port_resp;
/* 0, -EINVAL: there is no such port; or as uverbs_values_of(). 'ret_port': all that is known. */
int uverbs_describe_port(const struct uverbs_file *file, unsigned int portnum,
			 struct verbs_port *ret_port, struct ib_uverbs_query_port_resp *ret);

#endif
