#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-lies: what OpenSM 3.3.23 makes of nodes that lie. One wrong modifier freezes it for ever,
# and a LocalPortNum of 0 ends it in two places; umadrig explore finds both from rates.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs opensm
opensm --version 2>/dev/null | grep -q 'OpenSM 3\.3\.23' ||
	tap_skip_all "opensm is not 3.3.23, whose failures these are"
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm
TMPDIR=$work
export TMPDIR
fabric=generate:fat-tree:4,4,state=cold
# OpenSM for SECONDS of virtual time, with its log in DIR, or where explore keeps a run.
manage='cd "${2:-$UMADRIG_RUN}" &&
	{ opensm -f log >out 2>&1 & sm=$!; sleep "$1"; kill $sm; wait $sm; }'

# SECONDS RULES: in $work/run is the log; its exit status is in $status.
run() {
	rm -rf "$work/run"
	mkdir "$work/run"
	timeout -s KILL 120 "$umadrig" exec \
		--fabric "$fabric,clock=virtual$2,capture=$work/run/c.pcapng" -- \
		sh -c "$manage" manage "$1" "$work/run" >"$work/said" 2>&1
	status=$?
	log=$(cat "$work/run/log")
}
# What nodes have said in that run.
lies() {
	"$umadrig" show "$work/run/c.pcapng" 2>/dev/null | sed -n 's/.*: \(lie .*\)/\1/p'
}
up() {
	printf '%s\n' "$log" | grep -c 'SUBNET UP'
}

run 600 ""
tap_is "the subnet comes up if all are honest" "$status:$(up)" 0:1

# ---- a modifier ----
# umad_receiver() drops the answer with ERR 541A after get_madw() has taken the request out of the
# table of those that are awaited: nothing of it is left that could time out, and the count of MADs
# on the wire never goes back to 0, for which each sweep waits.
run 86400 ",fault=lie modifier 1 SubnGetResp(NodeInfo)"
tap_is "one wrong modifier: it is not up after a day" "$status:$(up)" 0:0
tap_is "after one answer that it has dropped" "$(printf '%s\n' "$log" | grep -c 'ERR 541A')" 1
tap_has "which was that one" "$(lies)" "lie MAD.AttributeModifier 0x00000000 -> 0x"
tap_is "it has asked for nothing since" "$("$umadrig" show --json "$work/run/c.pcapng" 2>/dev/null |
	grep -c '"method": *"SubnGet"')" 1

# ---- ports ----
# osm_lid_mgr_process_subnet() uses the physical port 0 of an adapter, which has none.
run 40 ',fault=lie NodeInfo.LocalPortNum=0 1 from "host-3 HCA-1"'
tap_is "an adapter with port 0, new: it dies" "$status:$(lies)" "139:lie NodeInfo.LocalPort 1 -> 0"
# osm_ni_rcv_process() finds no physical port of a node that it knows, says so (ERR 0D1C), and goes
# on to osm_node_link_exists() with port 0. The first lie has it sweep again.
again=',fault=lie NodeInfo.LocalPortNum=2 1 from "host-3 HCA-1"'
run 40 "$again"',fault=lie NodeInfo.LocalPortNum=0 1 after 1 from "host-1 HCA-1"'
tap_is "an adapter with port 0, known: it dies" "$status" 139
tap_has "behind its own warning" "$log" "ERR 0D1C"

# ---- congestion control ----
# The manager of congestion control counts in the same way, and osm_congestion_control_shutdown()
# waits for its count: OpenSM does not end by SIGTERM.
echo "congestion_control TRUE" >"$work/cc.conf"
manage_cc='cd "$0" && { opensm -F "$1" -f log >out 2>&1 & sm=$!; sleep 40; kill $sm; wait $sm; }'
# RULES: the exit status; 123 where nothing can happen any more.
run_cc() {
	rm -rf "$work/run"
	mkdir "$work/run"
	timeout -s KILL 120 "$umadrig" exec --fabric "$fabric,clock=virtual$1" -- \
		sh -c "$manage_cc" "$work/run" "$work/cc.conf" >"$work/said" 2>&1
	echo $?
}
tap_is "with congestion control it ends by SIGTERM" "$(run_cc "")" 0
tap_is "after one wrong modifier of that class it does not" "$(run_cc ",fault=lie modifier 1 class=0x21")" 123
tap_has "it waits for itself" "$(cat "$work/said" "$work/run/out")" "nothing can happen any more"

# ---- found ----
# RULE COMMAND OPTION...: explores, with what follows OpenSM; what it prints is in $out.
explore() {
	rm -rf "$work/found"
	rule=$1 command=$2
	shift 2
	out=$(timeout -s KILL 200 "$umadrig" explore --runs 100 -j 2 "$@" --output "$work/found" \
		--fabric "$fabric,$rule" -- sh -c "$manage$command" manage 40 2>&1)
}
explore "fault=lie modifier 5% SubnGetResp(NodeInfo)" ' && grep -q "SUBNET UP" log'
tap_has "explore finds the modifier" "$out" "exit status 1"
tap_has "which one lie is enough for" "$out" "fault=lie modifier 5% SubnGetResp(NodeInfo) 1"
tap_has "and names it" "$out" "  lies:    lie MAD.AttributeModifier 0x"
explore "fault=lie NodeInfo.LocalPort=random 20%" "" --keep-going --no-shrink
tap_is "explore finds both places where a port ends it" "$(printf '%s\n' "$out" |
	grep ' failed: exit status 139, opensm: signal 11 (' |
	grep -oE 'osm_(lid_mgr_process_subnet|node_link_exists)' | sort)" "osm_lid_mgr_process_subnet
osm_node_link_exists"
tap_has "and names what was said" "$out" "lie NodeInfo.LocalPort 1 -> "

tool_rows subnet <<'END'
opensm (a node lies once: a modifier or LocalPortNum in NodeInfo) | - | waits for ever, or ends with SIGSEGV, as the causes in OpenSM 3.3.23 have it; comes up without the lie | one wrong modifier
opensm -F FILE (with congestion control, a wrong modifier of its class) | - | does not end by SIGTERM | after one wrong modifier
END
tap_done
