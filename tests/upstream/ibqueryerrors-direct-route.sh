#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-ibqueryerrors-direct-route: with -D ibqueryerrors sends an SMP from the handle that it
# has opened for GMPs; no agent for SMPs is registered there, and the kernel refuses to send it.
# It came with the pairs of SMI and GSI devices, aaf9f699c in 56.0; rdma-core 26480ca93, in 60.0.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibqueryerrors ibstat
bug_is rdma-core "$(rdma_core_release)" 56.0 60.0
fabric_serve "$data/ring.net"
on a1 ibqueryerrors --skip-sl -D 0,1 >out 2>err
said=$(cat out err | sed -n -e 's/^\(Failed to query local Node Info\).*/\1/p' \
	-e 's/^## Summary: \(1 nodes checked\).*/\1/p')
bug_shows "ibqueryerrors -D 0,1" "$said" "Failed to query local Node Info" "1 nodes checked"

tap_done
