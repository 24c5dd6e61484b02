#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-port-guid-0: a port of the host has GUID 0, as a broken adapter's, and no program can
# open any adapter, even by name: libibumad gives up as it pairs SMI and GSI devices, unless that
# port is the last. It came with the pairs, be54b52e9 in 56.0; rdma-core 01650abb7, in 58.0. The
# program has its own libibumad here, and umadrig's filter below it.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs smpquery ibstat
. "$top_srcdir/tests/rig/any.sh"
any_needs_filter
bug_is rdma-core "$(rdma_core_release)" 56.0 58.0
# QUIRK: what the second adapter says of itself.
ask() {
	"$umadrig" exec --how filter --fabric "generate:rail:1,2,4$1" -- \
		smpquery -C mlx5_1 ND -D 0 2>err | sed -n 's/^Node Description:\.*//p'
}
tap_is "both adapters are well" "$(ask "")" "host-0 mlx5_1"
bug_shows "the other one's port GUID is 0" "$(ask ",quirk=port-guid-0:host-0 mlx5_0")" \
	"" "host-0 mlx5_1"
sed 's/^/# /' err

tap_done
