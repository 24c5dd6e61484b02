#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-sweeps: the distribution's OpenSM, unmodified, on a fabric that changes: a cable that fails
# and recovers, an adapter that goes and comes back, a master that is killed while another is on
# standby.
# $OPENSM_ALL: on every shared topology, not only the smallest.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibportstate sminfo saquery
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm ibportstate saquery sminfo

# DESCRIPTION [PORT]: the LID that the SM gave it.
lid_of() {
	on "" "$walker" -R NR 2>/dev/null | "$AWK" -v what="$1" -v port="${2:-}" '
		index($0, what) && (port == "" || $5 == port) { print $2; exit }'
}

# The number before a word in fabric-walk's output.
walked() {
	sed -n "s/.*[^0-9]\([0-9]*\) $1.*/\1/p;s/^\([0-9]*\) $1.*/\1/p" "$work/walk"
}

# NAME LID PORT OPERATION: a change to a switch port by ibportstate makes OpenSM sweep again.
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

# ---- which SM is master ----

cat >"$work/conf" <<'TEXT'
sminfo_polling_timeout 200
polling_retry_number 3
TEXT
# NAME STATE: it is in this state, according to its log.
sm_is() {
	[ "$(grep -o 'Entering [A-Z]* state' "$work/sm-$1/log" | tail -n 1)" = "Entering $2 state" ]
}
# "guid state" of the SM that all ports name.
master() {
	on "$1" sminfo 2>/dev/null |
		sed -n 's/.*sm lid \([0-9]*\) sm guid \(0x[0-9a-f]*\),.*state \([0-9]\).*/\1 \2 \3/p'
}

fabric_serve "$data/ring.net,state=cold"
sm_start a a1 -F "$work/conf" -p 5
tap_is "a master" "$(sm_wait a 1)" ""
sm_start b a3 -F "$work/conf" -p 3
tap_ok "another with less priority is on standby" within 30 sm_is b STANDBY
sm_start c b4 -F "$work/conf" -p 1
tap_ok "and a third" within 30 sm_is c STANDBY
in_order "three SMs"
tap_is "sminfo tells of the master" "$(master a2)" "$(lid_of a1) 0x51001 3"
told=$(on a2 sminfo "$(lid_of a3)" 2>/dev/null)
tap_has "and of one on standby" "$told" "priority 3 state 2"
# The master learns of the third one by a trap, and then asks it.
knows_three() {
	[ "$(on a2 saquery SMIR 2>/dev/null | grep -c "^SMInfoRecord")" = 3 ]
}
tap_ok "saquery knows all three" within 30 knows_three

sm_kill a
tap_ok "the master is killed: who polled it takes over" within 30 sm_is b MASTER
tap_is "and brings the subnet up" "$(sm_wait b 1)" ""
in_order "under the next master"
tap_is "sminfo tells of the new one" "$(master a2)" "$(lid_of a3) 0x51005 3"
tap_is "whose SA answers" "$(on a2 saquery NR 2>/dev/null | grep -c "^NodeRecord")" "$(walked ends)"
tap_ok "the third is still on standby" sm_is c STANDBY

sm_start d a1 -F "$work/conf" -p 5
tap_ok "one with more priority comes: it is master" within 30 sm_is d MASTER
tap_ok "and the other is on standby" within 30 sm_is b STANDBY
tap_is "the subnet is up" "$(sm_wait d 1)" ""
in_order "after the handover"
tap_is "sminfo tells of it" "$(master a2)" "$(lid_of a1) 0x51001 3"
fabric_end

# ---- all of this, on any fabric ----

ctl() {
	"$umadrig" ctl --socket "$work/socket" "$@" 2>&1
}

# "PORT": of a link between switches if there is one, otherwise of one to an adapter without an SM.
# "NODE": an adapter other than the first. Both as in a report before the first sweep.
choose() {
	ctl report >"$work/report"
	"$AWK" '
		/^end / { name = $0; sub(/^end /, "", name); sub(/ guid .*/, "", name)
			node = name; sub(/\[[0-9]*\]$/, "", node)
			if (name ~ /\[0\]$/)
				is_switch[node] = 1
			else if (first == "")
				first = node
			else if (node != first)
				other = node }
		/^link / { split($0, ends, ", "); sub(/^link /, "", ends[1])
			for (i = 1; i <= 2; i++) {
				sub(/ [A-Z][a-z]*$/, "", ends[i])
				node = ends[i]; sub(/\[[0-9]*\]$/, "", node)
				at[i] = node }
			if (is_switch[at[1]] && is_switch[at[2]])
				between = ends[1]
			else if (at[1] != first && at[2] != first)
				beside = ends[1] }
		END { print between != "" ? between : beside; print other }' "$work/report" \
			>"$work/choice"
	port=$(sed -n 1p "$work/choice")
	standby=$(sed -n 2p "$work/choice")
}

# NAME COMMAND...: after this command of ctl the SM sweeps until the fabric is in order.
changes() {
	change_name=$1
	change_before=$(sm_ups a)
	shift
	ctl "$@" >"$work/out" || tap_fail "$change_name" "$(cat "$work/out")"
	if change_said=$(sm_wait a $((change_before + 1))); then
		in_order "$change_name"
	else
		tap_fail "$change_name" "$change_said"
	fi
}

# NAME FABRIC
lives() {
	if ! fabric_serve "$2,state=cold" 2>"$work/err"; then
		tap_fail "$1" "$(cat "$work/err")"
		return
	fi
	choose
	sm_start a "" -F "$work/conf" -p 5
	tap_is "$1 comes up" "$(sm_wait a 1)" ""
	if [ -n "$port" ]; then
		changes "$1: a link falls" link down "$port"
		changes "$1: and returns" link up "$port"
		tap_is "$1: all links are there" \
			"$(ctl report | sed -n 's/^links \([0-9]*\) active //p')" \
			"$(sed -n 's/^links \([0-9]*\) .*/\1/p' "$work/report")"
	fi
	if [ -n "$standby" ]; then
		sm_start b "$standby" -F "$work/conf" -p 3
		tap_ok "$1: another is on standby" within "$sm_limit" sm_is b STANDBY
		sm_kill a
		tap_ok "$1: it takes over" within "$sm_limit" sm_is b MASTER
		tap_is "$1: it is up again" "$(sm_wait b 1)" ""
		in_order "$1 under the next SM"
	fi
	fabric_end
}

sm_limit=${OPENSM_ALL:+600}
sm_limit=${sm_limit:-60}
lives "a fat tree" generate:fat-tree:16,8,2
if [ -d "$shared" ]; then
	for file in "$shared"/ibsim/* "$shared"/ibnetdiscover/* "$shared"/ibdm/*.topo \
		"$shared"/opensm/*.lst; do
		case ${OPENSM_ALL:-}$(basename "$file") in
		ibsim-net | jumanji* | 1*) lives "$(basename "$file")" "$file" ;;
		esac
	done
else
	for kind in ibsim ibnetdiscover; do
		lives "$kind" "$top_srcdir/tests/fuzz/corpus-topology/$kind"
	done
fi

tool_rows subnet <<'END'
opensm -d LEVEL, -f FILE (a link goes down and up) | sweeps again | sweeps again, every route arrives, on every topology | a cable between switches fails
opensm -p PRIORITY, -F FILE (three of them; the master is killed) | - | one takes over (on every topology), and hands over to one of higher priority | the master is killed
sminfo | right | right, of masters and standbys | sminfo tells
saquery SMIR | first MAD of the answer | all three | saquery knows
END
tap_done
