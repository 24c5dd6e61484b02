#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-ibsim-lids: ibsim's switches have linear tables of 30 Ki LIDs, so that no subnet
# manager can use the others of 48 Ki. ibsim a27675a, in 0.12. umadrig's have all.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibsim smpquery
bug_is ibsim "$(ibsim_release)" 0.0 0.12
net_of_adapters 2 1 | sed 's/node1/a1/' >net
capacity() {
	sed -n 's/^LinearFdbCap:\.*//p'
}
tap_is "umadrig" "$(stock "" net smpquery SI -D 0,1 2>/dev/null | capacity)" 49152
bug_shows "ibsim" "$(ibsim_runs net H-0000000000001000 smpquery SI -D 0,1 | capacity)" 30720 49152

tap_done
