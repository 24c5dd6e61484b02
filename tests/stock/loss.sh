#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-loss: the distribution's OpenSM, unmodified, brings up fabrics whose cables lose MADs, each
# with the same probability: at once, or with the sweeps that it reports it needs.
# $OPENSM_ALL: every shared topology, not only the smallest.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm
sm_limit=${OPENSM_ALL:+600}
sm_limit=${sm_limit:-120}

# Timeouts for an SM that expects lost MADs are shorter.
cat >"$work/conf" <<'TEXT'
transaction_timeout 50
TEXT

# NAME FABRIC RATE: the fabric is up, and everything that was written is correct.
comes_up() {
	if ! fabric_serve "$2,state=cold,fault=drop $3" 2>"$work/err"; then
		tap_fail "$1 losing $3" "$(cat "$work/err")"
		return
	fi
	sm_start a "" -F "$work/conf"
	up=$(sm_wait a 1)
	if [ -n "$up" ]; then
		tap_fail "$1 losing $3" "$up"
	else
		again=$(grep -c "Errors during initialization" "$work/sm-a/log")
		in_order "$1 losing $3, $again more sweeps" -t 50 -r 20
	fi
	fabric_end
}

# FILE: the number of its nodes.
nodes() {
	"$umadrig" topology --check "$1" 2>/dev/null | "$AWK" -F '[:,] ' '
		{ for (i = 2; i <= 4; i++) sum += $i + 0; print sum }'
}

tap_is "what is counted" "$(nodes "$data/tree.topo")" 10
comes_up tree.topo "$data/tree.topo,capture=$work/capture.pcapng" 5%
# SMPs that crossed a cable, and those that were lost.
seen=$("$umadrig" show "$work/capture.pcapng" | grep -c "")
lost=$("$umadrig" show "$work/capture.pcapng" | grep -c "dropped: fault")
tap_ok "some MADs were lost, of $seen: $lost" [ "$lost" -gt 10 ]
comes_up "a fat tree" generate:fat-tree:40,8,3 0.1%

if [ -d "$shared" ]; then
	for file in "$shared"/ibsim/* "$shared"/ibnetdiscover/* "$shared"/ibdm/*.topo \
		"$shared"/opensm/*.lst; do
		case ${OPENSM_ALL:-}$(basename "$file") in
		ibsim-net* | jabl-[24]* | 1*) ;;
		*) continue ;;
		esac
		if [ "$(nodes "$file")" -le 32 ]; then rate=5%; else rate=0.1%; fi
		comes_up "$(basename "$file")" "$file" "$rate"
	done
else
	for kind in ibsim ibnetdiscover; do
		comes_up "$kind" "$top_srcdir/tests/fuzz/corpus-topology/$kind" 5%
	done
fi

tool_rows subnet <<'END'
opensm (on cables that lose 5 %) | comes up | comes up, after the sweeps that it announces | tree.topo losing
END
tap_done
