#!/bin/sh
# stock-sweeps: the distribution's OpenSM, unmodified, on a fabric that changes: a cable that fails
# and returns, an adapter that goes and comes, a master that is killed while another stands by.
: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/stock-fabric.sh"
stock_needs opensm ibportstate sminfo saquery

# DESCRIPTION [PORT]: the LID that the SM gave it.
lid_of() {
	on "" "$walker" -R NR 2>/dev/null | "$AWK" -v what="$1" -v port="${2:-}" '
		index($0, what) && (port == "" || $5 == port) { print $2; exit }'
}

# The number before a word of what fabric-walk said.
walked() {
	sed -n "s/.*[^0-9]\([0-9]*\) $1.*/\1/p;s/^\([0-9]*\) $1.*/\1/p" "$work/walk"
}

# NAME LID PORT OPERATION: what ibportstate does to a port of a switch makes OpenSM sweep again.
sweeps_after() {
	sweeps_before=$(sm_ups a)
	on "" ibportstate "$2" "$3" "$4" >"$work/out" 2>&1
	tap_is "$1: the SM sweeps again" "$(sm_wait a $((sweeps_before + 1)))" ""
	in_order "$1"
}

fabric_serve "$data/tree.topo,state=cold"
sm_start a node1
tap_is "the subnet comes up" "$(sm_wait a 1)" ""
in_order "as it was made"
links=$(walked links) ends=$(walked ends)
leaf=$(lid_of "leaf 1") node2=$(lid_of "node2 mlx5_0")

sweeps_after "a cable between switches fails" "$leaf" 1 disable
tap_is "it is gone" "$(walked links)" $((links - 1))
sweeps_after "the second between the same" "$leaf" 2 disable
tap_is "it is gone as well" "$(walked links)" $((links - 2))
sweeps_after "one returns" "$leaf" 2 enable
sweeps_after "the other returns" "$leaf" 1 enable
tap_is "all are there again" "$(walked links)" "$links"
sweeps_after "an adapter's cable fails" "$leaf" 4 disable
tap_is "the adapter is gone" "$(walked ends)" $((ends - 1))
sweeps_after "it returns" "$leaf" 4 enable
tap_is "it is there again" "$(walked ends)" "$ends"
tap_is "with the LID that it had" "$(lid_of "node2 mlx5_0")" "$node2"
fabric_end

# ---- who is master ----

cat >"$work/conf" <<'TEXT'
sminfo_polling_timeout 200
polling_retry_number 3
TEXT
# NAME STATE: it is in the state, by its log.
sm_is() {
	[ "$(grep -o 'Entering [A-Z]* state' "$work/sm-$1/log" | tail -n 1)" = "Entering $2 state" ]
}
# "guid state" of the SM that everybody is told of.
master() {
	on "$1" sminfo 2>/dev/null |
		sed -n 's/.*sm lid \([0-9]*\) sm guid \(0x[0-9a-f]*\),.*state \([0-9]\).*/\1 \2 \3/p'
}

fabric_serve "$data/ring.net,state=cold"
sm_start a a1 -F "$work/conf" -p 5
tap_is "a master" "$(sm_wait a 1)" ""
sm_start b a3 -F "$work/conf" -p 3
tap_ok "another with less priority stands by" within 30 sm_is b STANDBY
sm_start c b4 -F "$work/conf" -p 1
tap_ok "and a third" within 30 sm_is c STANDBY
in_order "three SMs"
tap_is "sminfo tells of the master" "$(master a2)" "$(lid_of a1) 0x51001 3"
told=$(on a2 sminfo "$(lid_of a3)" 2>/dev/null)
tap_has "and of one that stands by" "$told" "priority 3 state 2"
tap_is "saquery knows all three" "$(on a2 saquery SMIR 2>/dev/null | grep -c "^SMInfoRecord")" 3

sm_kill a
tap_ok "the master is killed: who polled it takes over" within 30 sm_is b MASTER
tap_is "and brings the subnet up" "$(sm_wait b 1)" ""
in_order "under the next master"
tap_is "sminfo tells of the new one" "$(master a2)" "$(lid_of a3) 0x51005 3"
tap_is "whose SA answers" "$(on a2 saquery NR 2>/dev/null | grep -c "^NodeRecord")" "$(walked ends)"
tap_ok "the third stands by still" sm_is c STANDBY

sm_start d a1 -F "$work/conf" -p 5
tap_ok "one with more priority comes: it is master" within 30 sm_is d MASTER
tap_ok "and the other stands by" within 30 sm_is b STANDBY
tap_is "the subnet is up" "$(sm_wait d 1)" ""
in_order "after the handover"
tap_is "sminfo tells of it" "$(master a2)" "$(lid_of a1) 0x51001 3"
tap_done
