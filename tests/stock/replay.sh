#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-replay: saquery fetches tables from OpenSM in up to 1,500 segments; from a capture of that,
# it fetches the same tables again.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm saquery

fabric_serve "generate:fat-tree:40,8,state=cold,capture=$work/sweep.pcapng"
sm_start a host-0
tap_is "the subnet is up" "$(sm_wait a 1)" ""
for record in NR PIR LR PR; do
	on host-1 saquery $record >"$work/$record" 2>/dev/null
	tap_ok "saquery $record: a table" grep -q 'dump:' "$work/$record"
done
fabric_end
tap_ok "the table of paths has more than 1,000 records" \
	test "$(grep -c dump: "$work/PR")" -gt 1000

for record in NR PIR LR PR; do
	"$umadrig" replay "$work/sweep.pcapng" -- saquery $record >"$work/again" 2>"$work/err"
	tap_is "saquery $record on the replay: its exit status" $? 0
	tap_ok "saquery $record on the replay prints the same" cmp "$work/$record" "$work/again"
	tap_has "saquery $record: one answer" "$(cat "$work/err")" "as captured: 1 exactly"
done
tap_done
