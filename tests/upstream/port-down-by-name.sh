#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-port-down-by-name: libibumad refuses a port that is down although its adapter and its
# number were given, so that nobody can ask the port why it is down. It came with the pairs of SMI
# and GSI devices, be54b52e9 in 56.0; rdma-core 862aede44, in 61.0. The program has its own
# libibumad here, and umadrig's filter below it.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs smpquery ibstat
. "$top_srcdir/tests/rig/any.sh"
any_needs_filter
bug_is rdma-core "$(rdma_core_release)" 56.0 61.0
net_of_adapters 1 2 >net
ask() {
	"$umadrig" exec --how filter --fabric net -- smpquery -C mlx5_0 -P "$1" ND -D 0 2>&1 |
		sed -n -e 's/^Node Description:\.*//p' -e 's/.*iberror: failed: //p'
}
tap_is "port 1, which is up" "$(ask 1)" "node1 mlx5_0"
bug_shows "port 2, which is down" "$(ask 2)" "Failed to open 'mlx5_0' port '2'" "node1 mlx5_0"

tap_done
