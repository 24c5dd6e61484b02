#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-subnets: two subnets in one cold fabric, each with an OpenSM of its own. Both give the same
# LIDs; a router's ports are in both, and no SM looks through it.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibping ibnetdiscover saquery sminfo smpquery

cat >"$work/two.net" <<'EOF'
Switch 4 "S1"
[1] "a1"[1]
[2] "a2"[1]
[3] "R1"[1]

Hca 1 "a1"
[1] "S1"[1]

Hca 1 "a2"
[1] "S1"[2]

Switch 4 "S2"
[1] "b1"[1]
[2] "b2"[1]
[3] "R1"[2]

Hca 1 "b1"
[1] "S2"[1]

Hca 1 "b2"
[1] "S2"[2]

Rt 2 "R1"
[1] "S1"[3]
[2] "S2"[3]
EOF

# HOST: the descriptions of the nodes that its SA knows, sorted, on one line.
nodes_of() {
	on "$1" saquery NR 2>/dev/null | sed -n 's/.*NodeDescription\.*//p' |
		sort | paste -s -d ' ' -
}

# HOST: the LIDs of its subnet's end ports, sorted, on one line.
lids_of() {
	on "$1" saquery NR 2>/dev/null | sed -n 's/.*\tlid\.*//p' | sort -n | paste -s -d ' ' -
}

# HOST: its own LID.
lid_of() {
	on "$1" smpquery -D portinfo 0 2>/dev/null | sed -n 's/^Lid:\.*//p'
}

fabric_serve "$work/two.net,state=cold"
sm_start a a1
sm_start b b1
tap_is "the first subnet is up" "$(sm_wait a 1)" ""
tap_is "the second subnet is up" "$(sm_wait b 1)" ""
tap_has "its OpenSM is master" "$(on a2 sminfo 2>/dev/null)" "SMINFO_MASTER"
tap_has "and so is the other" "$(on b2 sminfo 2>/dev/null)" "SMINFO_MASTER"
tap_is "the first has its nodes alone" "$(nodes_of a2)" "R1 S1 a1 a2"
tap_is "the second has its nodes alone" "$(nodes_of b2)" "R1 S2 b1 b2"
tap_is "both have the same LIDs" "$(lids_of a2)" "$(lids_of b2)"

# HOST FROM: a responder on HOST, which FROM reaches.
responds() {
	on "$1" ibping -S 2>/dev/null &
	lid=$(lid_of "$1")
	tap_ok "$2 pings $1" within 20 on "$2" \
		sh -c "ibping -c 1 $lid | grep -q ' 0% packet loss'"
}

# The same LID in the other subnet has no responder yet.
responds b1 b2
tap_has "a2 does not reach it by its LID" \
	"$(on a2 ibping -c 1 "$lid" 2>/dev/null)" " 100% packet loss"
responds a1 a2
fabric_end
tap_done
