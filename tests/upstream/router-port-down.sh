#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-router-port-down: libibnetdisc crashes where a Voltaire router (vendor 0x8f1, device
# 0x5a00) has a port without a cable: it looks for a spine behind each of them. rdma-core
# 66fcb26ca, in 64.0.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibnetdiscover ibstat
bug_is rdma-core "$(rdma_core_release)" 0.0 64.0
net_of_adapters 1 1 | sed -e '1s/.*/vendid=0x8f1/' -e '2s/.*/devid=0x5a00/' >router.net
net_of_adapters 1 1 >other.net
found() {
	stock "" "$1" ibnetdiscover -g >out 2>err
	echo "$? $(grep -c -e '^Switch' -e '^Ca' out)"
}
tap_is "another vendor's" "$(found other.net)" "0 2"
bug_shows "ibnetdiscover -g of the router's fabric: status, nodes" "$(found router.net)" \
	"139 0" "0 2"

tap_done
