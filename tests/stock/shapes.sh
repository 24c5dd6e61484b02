#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-shapes: generated fabrics as the distribution's programs see them: the names that vendors
# give, rails, aggregation nodes, hosts with several adapters, speeds and widths.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibnetdiscover iblinkinfo ibstat smpquery

# SPEC EXPECTED: what topology-rule.awk understands of ibnetdiscover's output.
understood() {
	stock "" "generate:$1" ibnetdiscover >"$work/out" 2>"$work/err" || cat "$work/err"
	tap_is "a program that schedules by topology reads $1" \
		"$("$AWK" -f "$top_srcdir/tests/stock/topology-rule.awk" "$work/out")" "$2"
}

understood rail:8,4,8 "12 of 12, 8 with 32 of 32, tiers: 8 4"
understood rail:8,4,8,aggregation=yes "12 of 12, 8 with 32 of 44, tiers: 8 4"
understood rail:8,4,8,ports=2,speed=XDR "40 of 40, 8 with 32 of 32, tiers: 16 16 8"
understood fat-tree:16,4,3,names=vendor,aggregation=yes "20 of 20, 16 with 16 of 36, tiers: 8 8 4"
understood fat-tree:16,8,2,names=vendor,hcas=4 "8 of 8, 4 with 16 of 16, tiers: 4 4"
understood torus:3x3,1,names=vendor,hcas=2 "9 of 9, 9 with 18 of 18, tiers: 9"
understood dragonfly+:3,2,2,1,names=vendor "12 of 12, 6 with 6 of 6, tiers: 6 6"
# The rule tells others from these: blanks in names of switches, aggregation nodes of hosts.
understood dragonfly+:3,2,2,1 "0 of 12, 6 with 6 of 6, tiers: 6 6"

# SPEC: what is described is what ibnetdiscover finds, and iblinkinfo.
seen_alike() {
	"$umadrig" topology "generate:$1" >"$work/written.topo"
	stock "" "generate:$1" ibnetdiscover >"$work/out" 2>"$work/err"
	summary=$(graph graph-compare.awk "$work/written.topo" "$work/out") ||
		summary="differs: $summary"
	tap_has "ibnetdiscover: $1" "$summary" ", 0 dangling, 0 differences"
	stock "" "generate:$1" iblinkinfo -l >"$work/out" 2>"$work/err"
	if summary=$(graph graph-linkinfo.awk -v from=S-0002c90200000000 "$work/written.topo" \
		"$work/out"); then
		tap_pass "iblinkinfo: $1"
	else
		tap_fail "iblinkinfo: $1" "$(echo "$summary" | tail -n 20)"
	fi
}
for spec in rail:6,8,8,aggregation=yes rail:5,2,4,speed=EDR,width=1x \
	fat-tree:6,4,3,hcas=2,ports=2,names=vendor,speed=NDR; do
	seen_alike "$spec"
done

# A host's devices are called as its rails are.
stock host-3 generate:rail:8,8,16 ibstat -l >"$work/out" 2>"$work/err"
tap_is "eight rails are eight devices" "$(tr '\n' ' ' <"$work/out")" \
	"mlx5_0 mlx5_1 mlx5_2 mlx5_3 mlx5_4 mlx5_5 mlx5_6 mlx5_7 "
stock host-3 generate:rail:8,8,16 ibstat mlx5_5 >"$work/out" 2>&1
tap_has "a rail's device" "$(cat "$work/out")" "CA type: MT4129"
stock host-0 generate:fat-tree:4,4,2,names=vendor,hcas=2,ports=2 ibstat >"$work/out" 2>&1
tap_is "two adapters with two ports each" \
	"$(grep -c "^CA 'mlx5_[01]'" "$work/out") $(grep -c 'State: Active' "$work/out")" "2 4"

# SPEED WIDTH RATE: what the kernel says of it, by which programs choose ports.
rate_is() {
	tap_is "$2$1 is $3" "$(stock "" "generate:rail:1,1,4,speed=$1,width=$2" ibstat mlx5_0 1 2>&1 |
		sed -n 's/^Rate: //p')" "$3"
}
rate_is EDR 4x 100
rate_is HDR 2x 100
rate_is HDR 4x 200
rate_is NDR 2x 200
rate_is NDR 4x 400
rate_is XDR 4x 800
rate_is XDR 1x 200
rate_is XDR 2x 400

# PortInfo of each speed, as stock smpquery decodes it; LinkSpeedExtSupported has four bits.
port_info() {
	stock "" "generate:rail:1,1,4,speed=$1,width=$2" smpquery -D portinfo 0 2>&1 |
		sed -n 's/^LinkSpeedExt\(Active\|Supported\):\.*/\1 /p; s/^LinkWidthActive:\.*/Width /p' |
		tr '\n' ','
}
tap_is "PortInfo: EDR" "$(port_info EDR 4x)" \
	"Width 4X,Active 25.78125 Gbps,Supported 14.0625 Gbps or 25.78125 Gbps,"
tap_is "PortInfo: HDR at 2x" "$(port_info HDR 2x)" \
	"Width 2X,Active 53.125 Gbps,Supported 14.0625 Gbps or 25.78125 Gbps or 53.125 Gbps,"
for speed in NDR XDR; do
	tap_is "PortInfo: $speed" "$(port_info $speed 4x)" "Width 4X,Active 106.25 Gbps,Supported \
14.0625 Gbps or 25.78125 Gbps or 53.125 Gbps or 106.25 Gbps,"
done
tap_done
