#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-links: the distribution's iblinkinfo and ibtracert, unmodified, show every port and every
# path as described.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs iblinkinfo ibstat ibtracert
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch iblinkinfo ibstat ibtracert

# NAME FABRIC NODE-ID: compares iblinkinfo with the description; the id is that of a connected node.
links_are() {
	if ! stock "" "$2" iblinkinfo -l >"$work/out" 2>"$work/err"; then
		tap_fail "iblinkinfo: $1" "$(tail -n 20 "$work/err")"
	elif summary=$(graph graph-linkinfo.awk -v from="$3" "$2" "$work/out"); then
		tap_pass "iblinkinfo: $1"
	else
		tap_fail "iblinkinfo: $1" "$(echo "$summary" | tail -n 20)"
	fi
}

# FABRIC FROM TO: compares one path with the description.
route_is() {
	stock "" "$1" ibtracert "$2" "$3" >"$work/out" 2>"$work/err" || cat "$work/err"
	graph graph-route.awk -v from="$2" -v to="$3" "$1" "$work/out"
}

# NAME FABRIC NODE-ID [EVERY]: paths between all LIDs that are connected with the node (every
# EVERY-th).
routes_are() {
	graph graph-route.awk -v list="$3" "$2" |
		"$AWK" -v every="${4:-1}" 'NR % every == 0' >"$work/lids"
	for from in $(cat "$work/lids"); do
		said=$(for to in $(cat "$work/lids"); do
			[ "$from" = "$to" ] || route_is "$2" "$from" "$to"
		done)
		tap_is "ibtracert: $1, from LID $from to $(wc -l <"$work/lids") others" "$said" ""
	done
}

tree=$data/tree.topo
links_are "tree.topo" "$tree" S-00000101000a0010
# Four of them belong to one port, whose LMC is 2; the switch without a cable is not among them.
tap_is "tree.topo has LIDs to go between" \
	"$(graph graph-route.awk -v list=S-00000101000a0010 "$tree" | tr '\n' ' ')" \
	"1 2 3 4 8 9 10 11 5 6 7 13 14 "
routes_are "tree.topo" "$tree" S-00000101000a0010 2

# The comparisons detect errors; otherwise their silence would mean nothing.
sed '/^\[7\].*a0030/s/lid 3 8xDDR/lid 3 4xDDR/' "$tree" >"$work/other.topo"
stock "" "$tree" iblinkinfo -l >"$work/out" 2>"$work/err"
tap_has "a width that differs is seen" \
	"$(graph graph-linkinfo.awk -v from=S-00000101000a0010 "$work/other.topo" "$work/out")" \
	"0x00000101000a0020 7: '8X 5.0 Gbps"
stock "" "$tree" ibtracert 4 5 >"$work/out" 2>"$work/err"
tap_has "a wrong end is seen" "$(graph graph-route.awk -v from=4 -v to=6 "$tree" "$work/out")" \
	"ends at port 1"
sed 's/^\[7\] -> switch port {0x00000101000a0031}\[6\]/[7] -> switch port {0x00000101000a0031}[5]/' \
	"$work/out" >"$work/bent"
tap_has "a step without a cable is seen" \
	"$(graph graph-route.awk -v from=4 -v to=5 "$tree" "$work/bent")" "step 2 takes port 7"

# The fastest links: this iblinkinfo does not know XDR yet, and uses the older fields.
printf '%s\n' 'Hca 1 "N"' '[1] "S"[1] # 4xNDR' '' 'Hca 1 "X"' '[1] "S"[2] # 4xXDR' '' \
	'Switch 4 "S"' '[1] "N"[1] # 4xNDR' '[2] "X"[1] # 4xXDR' >"$work/fast.net"
stock "" "$work/fast.net" iblinkinfo >"$work/out" 2>"$work/err"
tap_has "iblinkinfo: 4xNDR" "$(cat "$work/out")" '4X        106.25 Gbps'
for rate in N=400 X=800; do
	stock "" "$work/fast.net,host=${rate%=*}" ibstat >"$work/out" 2>"$work/err"
	tap_has "ibstat: the rate of ${rate%=*}" "$(cat "$work/out")" "Rate: ${rate#*=}"
done

"$top_srcdir/tests/bench/fat-tree" 16 4 3 >"$work/fat-tree.topo"
node=$(sed -n 's/^Switch[^"]*"\([^"]*\)".*/\1/p' "$work/fat-tree.topo" | head -n 1)
links_are "a fat tree" "$work/fat-tree.topo" "$node"
routes_are "a fat tree" "$work/fat-tree.topo" "$node" 9
if [ -d "$shared" ]; then
	links_are small_topo_file "$shared/ibnetdiscover/ufm_sdk-small_topo_file.txt" \
		S-b8599f0300fc6de4
	links_are jumanji "$shared/ibnetdiscover/jumanji-ibnetdiscover-full.out" S-002264ffff34e9c8
	links_are psmn "$shared/ibnetdiscover/psmn-X5.topofile" S-0008f10500200b50
	links_are loginoff "$shared/ibnetdiscover/loginoff-topo.txt" S-f4521403001165a0
	links_are selene "$shared/ibnetdiscover/ufm_sdk-selene.compute.txt" S-1c34da0300728866
	routes_are psmn "$shared/ibnetdiscover/psmn-X5.topofile" S-0008f10500200b50 13
	routes_are selene "$shared/ibnetdiscover/ufm_sdk-selene.compute.txt" S-1c34da0300728866 1700
fi

tool_rows fabric <<'END'
iblinkinfo, iblinkinfo -l | right | right, on every topology of the tests | iblinkinfo: tree.topo
ibstat (the rate of NDR and XDR) | - | right | ibstat: the rate
END
tool_rows routes <<'END'
ibtracert LID LID | right | right, all pairs | ibtracert: tree.topo
END
tap_done
