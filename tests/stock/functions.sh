#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-functions: HCAs with virtual functions, and these, as the distribution's programs see them.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibstat ibnetdiscover smpquery perfquery saquery sminfo opensm
[ "${1:-}" = cold ] || . "$top_srcdir/tests/rig/tool-rows.sh"
[ "${1:-}" = cold ] || tool_watch ibstat ibnetdiscover smpquery perfquery saquery sminfo opensm
TMPDIR=$work OSM_TMP_DIR=$work OSM_CACHE_DIR=$work
export TMPDIR OSM_TMP_DIR OSM_CACHE_DIR

# Below: an SM brings a cold fabric up; then a function's port comes up.
if [ "${1:-}" = cold ]; then
	timeout -k 5 60 opensm -f "$work/log" >/dev/null 2>&1 &
	sm=$!
	within 60 sh -c 'ibstat mlx5_0 | grep -q Active'
	"$umadrig" ctl vf port host-0 0 0x77
	"$umadrig" ctl vf policy host-0 0 follow
	ibstat | sed -n "s/^CA '\(.*\)'/\1/p; s/^.*State: \([AIPD]\)/\1/p; s/^.*Port GUID: //p" |
		tr '\n' ' '
	ibnetdiscover | grep -c '^Ca	1'
	kill "$sm"
	wait "$sm"
	exit 0
fi

out=$(stock host-0 generate:rail:4,1,4,vfs=2,state=cold,clock=virtual sh "$0" cold 2>"$work/err")
tap_is "opensm, which knows no vports, brings up the HCA; they have its LIDs, and stay in Init" \
	"$out" "mlx5_0 Active 0x0002c90300000030 mlx5_1 Initializing 0x0000000000000077 \
mlx5_2 Down 0x0000000000000000 4"

# Of the leaf, two hosts and their functions: host-0 has LIDs 5 and 6, host-1 7 and 8.
run() {
	stock host-0 generate:rail:2,1,4,vfs=2,vf-lids=yes,sa=builtin,clock=virtual sh -c \
		'"$0" ctl vf policy host-0 0 up && "$0" ctl vf policy host-1 1 up && exec "$@"' \
		"$umadrig" "$@" >"$work/out" 2>"$work/err" </dev/null
}

run ibstat -l
tap_is "ibstat -l: a device for each, behind the HCA" "$(tr '\n' ' ' <"$work/out")" \
	"mlx5_0 mlx5_1 mlx5_2 "
run ibstat mlx5_1
tap_is "ibstat: a LID of its own, the SM and the rate of the HCA's port" \
	"$(sed -n 's/^.*\(State\|Rate\|Base lid\|SM lid\|CA type\): /\1 /p' "$work/out" | tr '\n' ' ')" \
	"CA type MT4126 State Active Rate 400 Base lid 5 SM lid 3 "
run perfquery 8 1
tap_is "perfquery of a function: its own counters" \
	"$(sed -n 's/^PortXmitPkts:\.*//p; s/^# Port counters: //p' "$work/out")" \
	"Lid 8 port 1 (CapMask: 0xD300)
1"
run perfquery 7 1
tap_has "perfquery of one that is down: no answer" "$(cat "$work/err")" "_do_madrpc failed; dport (Lid 7)"
run smpquery nodeinfo 8
tap_is "smpquery at a function's LID: the HCA answers" \
	"$(sed -n 's/^\(Guid\|NumPorts\):\.*/\1 /p' "$work/out" | tr '\n' ' ')" \
	"NumPorts 1 Guid 0x0002c90300000030 "
run smpquery -C mlx5_1 nodeinfo 4
# The second is said since infiniband-diags 56, which looks for a port with a QP0 first.
tap_ok "smpquery by a function is refused: it has no QP0" \
	grep -q "client_register for mgmt 1 failed\|can't open UMAD port (mlx5_1" "$work/err"
run saquery -C mlx5_1 PR --src-to-dst 5:8
tap_is "saquery by a function: the path between two of them" \
	"$(sed -n 's/^\t*\(dlid\|slid\|dgid\|sgid\)\.*/\1 /p' "$work/out" | tr '\n' ' ')" \
	"dgid fe80::2:c903:0:30 sgid fe80::2:c903:0:20 dlid 8 slid 5 "
run sminfo -C mlx5_1
tap_ok "sminfo by a function is refused as well" \
	grep -q "client_register for mgmt 1 failed\|can't open UMAD port (mlx5_1" "$work/err"
tool_rows functions <<'END'
ibstat, -l | right: a device for each, behind those of HCAs; State and Port GUID as `ctl vf` sets them, LID and rate of the HCA's port | ibstat
opensm -f FILE (3.3.23) | brings up HCAs as usual, and leaves vports in Init | opensm
ibnetdiscover | right: HCAs, and none of their functions | opensm
perfquery LID | right with `vf-lids=yes`: a function's own counters; nothing of one that is down | perfquery
smpquery nodeinfo (LID) | the HCA answers, at LIDs of its functions too | smpquery at
smpquery -C DEVICE | refused: it wants QP0, which a function has not | smpquery by
sminfo -C DEVICE | refused: the same | sminfo by
saquery -C DEVICE, --src-to-dst | right: paths between functions | saquery
END
tap_done
