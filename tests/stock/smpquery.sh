#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-smpquery: the distribution's smpquery and ibstat, unmodified, print every node and port as
# described, by LID and by directed route.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs smpquery ibstat
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch smpquery ibstat

# HOST FABRIC "ARGUMENTS|Field=value|...": smpquery prints each field with this value.
query() {
	query_expected=$3
	query_arguments=${query_expected%%|*}
	# shellcheck disable=SC2086 # the arguments are words
	if ! stock "$1" "$2" smpquery $query_arguments >"$work/out" 2>"$work/err"; then
		tap_fail "smpquery $query_arguments" "$(cat "$work/err")"
		return
	fi
	query_wrong=$(printf '%s\n' "$query_expected" | tr '|' '\n' | sed 1d |
		fields_wrong "$work/out")
	if [ -z "$query_wrong" ]; then
		tap_pass "smpquery $query_arguments"
	else
		tap_fail "smpquery $query_arguments" "$query_wrong"
	fi
}

graph graph-queries.awk "$data/tree.topo" >"$work/queries"
while read -r expected; do
	query node1 "$data/tree.topo" "$expected" </dev/null
done <"$work/queries"
tap_is "there were queries for 3 switches and 6 adapters and routers" \
	"$(grep -c '^nodeinfo' "$work/queries")" 9

# As after power-up, no port has a LID, links are up and in Init, and directed routes lead
# everywhere.
query node1 "$data/tree.topo,state=cold" \
	"-D portinfo 0 1|LinkState=Initialize|PhysLinkState=LinkUp|Lid=0"
query node1 "$data/tree.topo,state=cold" "-D nodedesc 0,1,1,3,2|Node Description=node3 HCA-1"

# A LID that no port has, a path that leads nowhere: they time out as on a real wire.
for arguments in "-t 100 nodeinfo 99" "-t 100 -D nodeinfo 0,1,5"; do
	# shellcheck disable=SC2086
	if stock node1 "$data/tree.topo" smpquery $arguments >"$work/out" 2>&1; then
		tap_fail "smpquery $arguments finds no port" "$(cat "$work/out")"
	else
		tap_has "smpquery $arguments finds no port" "$(cat "$work/out")" "query failed"
	fi
done

# ibstat: the adapters of one host with all their ports, as sysfs would show them.
stat_is() {
	tap_is "ibstat on $1, $2" "$("$AWK" -v guid="$3" -v num="$4" '
		/Node GUID:/ { ca = $3 == guid }
		/^\tPort / { port = $2 == num ":" }
		ca && port && /Rate:/ { rate = $2 }
		ca && port && /Base lid:/ { lid = $3 }
		ca && port && /LMC:/ { lmc = $2 }
		ca && port && /State:/ { state = $2 }
		ca && port && /Physical state:/ { phys = $3 }
		ca && port && /Port GUID:/ { print state, phys, rate, lid, lmc, $3 }' \
			"$work/stat")" "$5"
}

stock node3 "$data/tree.topo" ibstat >"$work/stat" 2>"$work/err"
tap_is "ibstat on node3: two adapters" "$(grep -c '^CA ' "$work/stat")" 2
stat_is node3 "HCA-1 port 1, 4xQDR" 0x00000101000c0030 1 "Active LinkUp 40 5 0 0x00000101000c0031"
stat_is node3 "HCA-1 port 2, 4xFDR10" 0x00000101000c0030 2 "Active LinkUp 40 6 0 0x00000101000c0032"
# sysfs has 2, and ibstat prints 2.5 for it.
stat_is node3 "HCA-2, 1xSDR" 0x00000101000c0040 1 "Active LinkUp 2.5 7 0 0x00000101000c0040"
stock node2 "$data/tree.topo" ibstat >"$work/stat" 2>"$work/err"
tap_is "ibstat on node2: the device has the topology's name" "$(sed -n 's/^CA //p' "$work/stat")" \
	"'mlx5_0'"
stat_is node2 "LMC 2, 2xHDR" 0x00000101000c0020 1 "Active LinkUp 100 8 2 0x00000101000c0021"
stock b3 "$data/ring.net" ibstat >"$work/stat" 2>"$work/err"
tap_is "ibstat on b3: a port without a cable is Down" \
	"$("$AWK" '/Port 1:/ { p = 1 } p && /State:/ { print $2; exit }' "$work/stat")" Down

tool_rows fabric <<'END'
ibstat | right, one port | right, all adapters and ports of the host | ibstat on
END
tool_rows ports <<'END'
smpquery nodeinfo, nodedesc, portinfo, switchinfo (by LID), -D | right | right, every node and port | smpquery nodeinfo
smpquery -t MS (an unassigned LID) | fails at once | times out after -t | smpquery -t
END
tap_done
