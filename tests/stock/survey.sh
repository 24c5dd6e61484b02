#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-survey: the circle. What the distribution's ibnetdiscover, OpenSM and saquery ask a fabric
# is captured; the fabric that umadrig topology makes of the capture alone looks the same to
# ibnetdiscover as the original, and so does the capture when it is replayed.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs ibnetdiscover opensm saquery

# FILE: what ibnetdiscover printed, its nodes in the order of their lines.
sorted() {
	"$AWK" 'BEGIN { RS = ""; FS = "\n" } {
		record = ""
		for (i = 1; i <= NF; i++)
			if ($i !~ /^#/)
				record = record $i "\001"
		print record }' "$1" | LC_ALL=C sort | tr '\001' '\n'
}

# FILE: the same without the port that asked: its node, and the lines of cables to it.
sorted_others() {
	asker=$(sed -n 's/^# Initiated from node \([0-9a-f]*\) .*/\1/p' "$1")
	"$AWK" -v asker="-$asker\"" 'BEGIN { RS = ""; FS = "\n" } {
		record = ""
		for (i = 1; i <= NF; i++) {
			if ($i ~ /^(Switch|Ca|Rt)/ && index($i, asker))
				next
			if ($i !~ /^#/ && !index($i, asker))
				record = record $i "\001"
		}
		print record }' "$1" | LC_ALL=C sort | tr '\001' '\n'
}

# CAPTURE: the fabric that it shows, as $work/rebuilt.
rebuild() {
	"$umadrig" topology --from-capture "$1" >"$work/rebuilt" 2>"$work/rebuild.err"
}

# NAME FABRIC HOST HOW: ibnetdiscover on the rebuilt fabric prints what it does on the original.
looks_the_same() {
	stock "$3" "$2" ibnetdiscover >"$work/original.out" 2>"$work/err"
	if ! stock "$3" "$work/rebuilt" ibnetdiscover >"$work/rebuilt.out" 2>"$work/err"; then
		tap_fail "$1" "ibnetdiscover failed:" "$(tail -n 20 "$work/err")"
		return
	fi
	"$4" "$work/original.out" >"$work/original.sorted"
	"$4" "$work/rebuilt.out" >"$work/rebuilt.sorted"
	tap_ok "$1" diff "$work/original.sorted" "$work/rebuilt.sorted"
	tap_ok "$1: there is something" test -s "$work/original.sorted"
	tap_is "$1: the file is right" "$(grep "$work/rebuilt:" "$work/err" | grep -v 'LID 0')" ""
}

# NAME FABRIC HOST: from one host; and replayed, which does not have all of that host's attributes.
one_sweep() {
	stock "$3" "$2,capture=$work/sweep.pcapng" ibnetdiscover >"$work/then" 2>"$work/err"
	rebuild "$work/sweep.pcapng"
	tap_is "$1: the capture shows a fabric" $? 0
	looks_the_same "$1: rebuilt from one sweep" "$2" "$3" sorted
	sorted_others "$work/original.out" >"$work/original.sorted"
	"$umadrig" replay "$work/sweep.pcapng" --mode answer -- ibnetdiscover >"$work/now" \
		2>"$work/err"
	sorted_others "$work/now" >"$work/now.sorted"
	tap_ok "$1: replayed" diff "$work/original.sorted" "$work/now.sorted"
}

# NAME FABRIC HOST OTHER: two hosts see each other.
two_sweeps() {
	"$umadrig" exec --fabric "$2,capture=$work/sweeps.pcapng" --host "$3" -- \
		sh -c 'ibnetdiscover && UMADRIG_HOST="$1" ibnetdiscover' sh "$4" >"$work/then" \
		2>"$work/err"
	rebuild "$work/sweeps.pcapng"
	looks_the_same "$1: rebuilt from two sweeps" "$2" "$3" sorted
	tap_lacks "$1: nobody is unknown" "$(cat "$work/rebuilt")" "from where the requests came"
}

tree=$data/tree.topo ring=$data/ring.net
one_sweep "tree.topo" "$tree" node1
one_sweep "ring.net" "$ring" a1
one_sweep "a fat tree" generate:fat-tree:16,4,3 ""
one_sweep "a torus" generate:torus:3x3,1 ""
if [ -d "$shared" ]; then
	for name in hyung-Topo.3.txt psmn-X5.topofile ufm_sdk-small_topo_file.txt; do
		one_sweep "$name" "$shared/ibnetdiscover/$name" ""
	done
fi
two_sweeps "tree.topo" "$tree" node1 node3
two_sweeps "ring.net" "$ring" b3 a2

# A pcap does not say what the port is that asked, and no packet does.
stock node1 "$tree,capture=$work/sweep.pcap" ibnetdiscover >"$work/then" 2>"$work/err"
rebuild "$work/sweep.pcap"
looks_the_same "tree.topo: rebuilt from a pcap" "$tree" "" sorted_others
tap_has "tree.topo: the port is named that is not known" "$(cat "$work/rebuilt")" \
	"from where the requests came"

# NAME ["known" [SED]]: the capture shows what the served fabric is, as another host sees it at the
# end; with "known" also the host that asked, which is node1; after SED has changed what is printed.
as_at_the_end() {
	"$umadrig" ctl --socket "$work/socket" capture stop >"$work/out" 2>&1
	on node2 ibnetdiscover >"$work/original.out" 2>"$work/err"
	rebuild "$work/osm.pcapng"
	stock "node2 mlx5_0" "$work/rebuilt" ibnetdiscover >"$work/rebuilt.out" 2>"$work/err"
	for file in original rebuilt; do
		sorted "$work/$file.out" | sed "${3:-}" >"$work/$file.sorted"
		[ "${2:-}" = known ] ||
			"$AWK" 'BEGIN { RS = ""; FS = "\n" } !/\nCa.*"node1 / {
				for (i = 1; i <= NF; i++)
					if (!index($i, "\"node1 "))
						print $i
				print "" }' "$work/$file.sorted" >"$work/$file.others"
		[ "${2:-}" = known ] || mv "$work/$file.others" "$work/$file.sorted"
	done
	tap_ok "$1: the fabric as it was at the end" \
		diff "$work/original.sorted" "$work/rebuilt.sorted"
	tap_ok "$1: there is something" test -s "$work/original.sorted"
}

ctl() {
	"$umadrig" ctl --socket "$work/socket" "$@" >"$work/out" 2>&1 ||
		tap_fail "ctl $*" "$(cat "$work/out")"
}

# NAME: OpenSM sweeps again, until the subnet is in order.
sweeps_on() {
	tap_is "$1: the SM sweeps again" "$(sm_wait a $((sweeps_before + 1)))" ""
	in_order "$1"
}

# OpenSM brings the subnet up: the capture begins without LIDs.
fabric_serve "$tree,state=cold,capture=$work/osm.pcapng"
sm_start a node1
tap_is "the subnet comes up" "$(sm_wait a 1)" ""
as_at_the_end "a bring-up"

# All that the SA knows, asked of it by another host: no SMP is needed, but none of it says FDR10.
ctl capture start "$work/osm.pcapng"
for record in NR PIR SWIR LR; do
	on node2 saquery "$record" >"$work/out" 2>"$work/err" ||
		tap_fail "saquery $record" "$(cat "$work/err")"
done
as_at_the_end "the SA's records" known s/FDR10/QDR/
fabric_end

# While it is captured a cable is moved, another is pulled, and a node goes with its power.
fabric_serve "$tree,state=cold,capture=$work/osm.pcapng"
sm_start a node1
tap_is "the subnet comes up" "$(sm_wait a 1)" ""
sweeps_before=$(sm_ups a)
ctl Unlink 'node2 mlx5_0[1]'
ctl Unlink 'S-00000101000a0020[7]'
ctl Link 'node2 mlx5_0[1]' 'S-00000101000a0020[7]'
sweeps_on "a cable is moved"
sweeps_before=$(sm_ups a)
ctl node off 'node3 HCA-2'
sweeps_on "a node goes"
as_at_the_end "a moved cable and a lost node"
tap_has "the lost node is named" "$(cat "$work/rebuilt")" "(node3 HCA-2)"
fabric_end
tap_done
