#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-ibnetdiscover: the distribution's ibnetdiscover, unmodified, prints the fabric that a file
# describes: the same nodes, GUIDs, descriptions, links, widths, speeds, LIDs, compared as graphs.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibnetdiscover
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch ibnetdiscover

# NAME HOST FABRIC DESCRIPTION
discovers() {
	if ! stock "$2" "$3" ibnetdiscover >"$work/out" 2>"$work/err"; then
		tap_fail "$1" "ibnetdiscover failed:" "$(tail -n 20 "$work/err")"
	elif summary=$(graph graph-compare.awk "$4" "$work/out"); then
		tap_pass "$1"
	else
		tap_fail "$1" "$(echo "$summary" | tail -n 20)"
	fi
}

# NAME FABRIC OPTION...: what ibnetdiscover prints with options is read back as the same fabric,
# without errors.
reads_back() {
	reads_name=$1
	reads_fabric=$2
	shift 2
	if ! stock "" "$reads_fabric" ibnetdiscover "$@" >"$work/first" 2>"$work/err"; then
		tap_fail "$reads_name" "ibnetdiscover failed:" "$(tail -n 20 "$work/err")"
	elif ! stock "" "$work/first" ibnetdiscover >"$work/second" 2>"$work/err"; then
		tap_fail "$reads_name" "ibnetdiscover failed:" "$(tail -n 20 "$work/err")"
	elif said=$(grep -E 'warning|error' "$work/err"); then
		tap_fail "$reads_name" "$said"
	elif summary=$(graph graph-compare.awk "$reads_fabric" "$work/second"); then
		tap_pass "$reads_name"
	else
		tap_fail "$reads_name" "$(echo "$summary" | tail -n 20)"
	fi
}

for file in "$data"/tree.topo "$data"/ring.net; do
	discovers "$(basename "$file")" "" "$file" "$file"
done
for host in node1 node2 node3; do
	discovers "tree.topo seen from $host" "$host" "$data/tree.topo" "$data/tree.topo"
done
for host in a1 b3 b4; do
	discovers "ring.net seen from $host" "$host" "$data/ring.net" "$data/ring.net"
done

for options in -f -g "-f -g" -m; do
	# shellcheck disable=SC2086
	reads_back "tree.topo, printed with $options, is read again" "$data/tree.topo" $options
done

# As after power-up: the same fabric, without LIDs.
sed 's/ lid [0-9]* lmc [0-9]*//' "$data/tree.topo" >"$work/no-lids.topo"
discovers "tree.topo, cold" node1 "$data/tree.topo,state=cold" "$work/no-lids.topo"
tap_is "tree.topo, cold: no LID" "$(grep -c 'lid [1-9]' "$work/out")" 0

# Local damage: reported with file and line; the rest is loaded and discovered.
"$AWK" '/^caguid=0x101000c0020/ { cut = 1 } /^$/ { cut = 0 } !cut' "$data/tree.topo" \
	>"$work/cut.topo"
discovers "a fabric with a dangling peer" node1 "$work/cut.topo" "$work/cut.topo"
line=$(grep -n '^\[4\].*c0020' "$work/cut.topo" | cut -d: -f1)
tap_has "its line is named" "$(cat "$work/err")" \
	"$work/cut.topo:$line: error: 'S-00000101000a0020'[4]"

# Nothing to load: the reason, and no program is run.
printf 'Switch\t: 0x0000000000000a01 ports 36 "s" base port 0 lid 1 lmc 0\n' >"$work/fabric.topo"
stock "" "$work/fabric.topo" ibnetdiscover >"$work/out" 2>"$work/err"
tap_ok "a file without a fabric fails" [ $? -ne 0 ]
tap_is "and nothing is discovered" "$(grep -cE '^(Switch|Ca|Rt)' "$work/out")" 0
tap_has "and its kind is named" "$(cat "$work/err")" "a list of nodes"

"$top_srcdir/tests/bench/fat-tree" 16 4 3 >"$work/fat-tree.topo"
discovers "a fat tree" "" "$work/fat-tree.topo" "$work/fat-tree.topo"
for options in -f -g; do
	reads_back "a fat tree, printed with $options, is read again" "$work/fat-tree.topo" $options
done
if [ -d "$shared" ]; then
	for file in "$shared"/ibnetdiscover/* "$shared"/ibsim/*; do
		discovers "$(basename "$file")" "" "$file" "$file"
	done
	for options in -f -g; do
		for name in mlunacek-ibnetdiscover-2-12-2014.txt psmn-X5.topofile \
			ufm_sdk-small_topo_file.txt; do
			reads_back "$name, printed with $options, is read again" \
				"$shared/ibnetdiscover/$name" $options
		done
	done
fi

tool_rows fabric <<'END'
ibnetdiscover | right | right, on every topology of the tests | tree.topo seen from
ibnetdiscover -f, -g, -m (printed and read again) | right | right: the same fabric again | tree.topo, printed with
END
tap_done
