#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-cache-lost-portinfo: ibnetdiscover writes a cache that refers to a port whose PortInfo
# was lost, and that has no record there; of such a file it loads nothing at all. rdma-core
# de83d1c20, in 64.0.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibnetdiscover ibstat
bug_is rdma-core "$(rdma_core_release)" 0.0 64.0
nodes() { grep -c -e '^Switch' -e '^Ca'; }
stock a1 "$data/ring.net,fault=drop 4 attr=0x15 to ring3" \
	ibnetdiscover --cache cache -t 50 >found 2>err
tap_is "a PortInfo and its retries are lost: most of the fabric is found" "$?:$(nodes <found)" 0:10
bug_shows "and is in the cache" "$(ibnetdiscover --load-cache cache 2>err | nodes)" 0 10

tap_done
