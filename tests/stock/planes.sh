#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-planes: hosts with planarized HCAs as the distribution's programs see them. Those of
# infiniband-diags take the GSI device for GMPs and the SMI device for SMPs from 56.0 on; older ones
# open one device for both, which Linux refuses on either, as it does here. make check-current runs
# this with both kinds.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibnetdiscover iblinkinfo ibstat smpquery perfquery saquery sminfo ibaddr ibroute \
	ibtracert ibqueryerrors ibportstate opensm
[ "$(diags_release)" -ge 56 ] && pairs=yes || pairs=no
printf '# infiniband-diags %s: it %s pairs of devices\n' "$(diags_release)" \
	"$([ $pairs = yes ] && echo knows || echo "does not know")"

# LIDs: leaf and spine of plane 1 are 1 and 2, host-0 3, host-1 4; plane 2 has 5 and 6, 3 7 and 8.
fabric=generate:rail:2,1,4,speed=XDR,planes=4,sa=builtin

# PROGRAM...: what it prints is in $work/out, what it says of errors in $work/err.
run() {
	stock "" "$fabric" "$@" >"$work/out" 2>"$work/err" </dev/null
}

# NAME EXPECTED PROGRAM...: a program that needs both devices has that in its output; one that knows
# no pairs is refused, and says so.
both() {
	both_name=$1 both_wanted=$2
	shift 2
	run "$@"
	if [ $pairs = yes ]; then
		tap_has "$both_name" "$(cat "$work/out" "$work/err")" "$both_wanted"
	else
		tap_has "$both_name: refused" "$(cat "$work/err")" "client_register for mgmt"
	fi
}

# ---- one device is enough ----

run ibstat -l
tap_is "ibstat -l: two devices of one HCA" "$(tr '\n' ' ' <"$work/out")" "mlx5_0 smi0 "
run ibstat
tap_is "ibstat: the rate of all planes, and of each" \
	"$(sed -n 's/^.*Rate: //p' "$work/out" | tr '\n' ' ')" "800 200 200 200 200 "
tap_is "ibstat: one GUID and one LID" \
	"$(grep -cE 'Port GUID: 0x0002c90300000020$|Base lid: 3$' "$work/out")" 10
# The SA makes the port IsSM, which the GSI device does not show.
tap_is "ibstat: IsSMDisabled of the GSI device, no CM on planes" \
	"$(sed -n 's/^.*Capability mask: //p' "$work/out" | sort | uniq -c | tr -s ' \n' ' ')" \
	" 4 0xa670ca4a 1 0xa671ce48 "
for plane in 1 4; do
	run ibnetdiscover -C smi0 -P $plane
	tap_is "ibnetdiscover by plane $plane: the switches of that plane, and all HCAs" \
		"$(sed -n 's|^\(Switch\).*/\(U[1-4]\)".*|\1 \2|p; s/^\(Ca\)	4.*"\(.*\)"$/\1 \2/p' \
			"$work/out" | sort | tr '\n' ' ')" \
		"Ca host-0 mlx5_0 Ca host-1 mlx5_0 Switch U$plane Switch U$plane "
	tap_is "ibnetdiscover by plane $plane: HCAs are at their port $plane, with one GUID" \
		"$(grep -c "^\[$plane\](2c903000000[23]0)" "$work/out")" 2
done
run saquery -C mlx5_0 NodeRecord
tap_is "saquery by the GSI device: an HCA is one record" \
	"$(grep -c '"\{0,1\}host-[01] mlx5_0' "$work/out")" 2

# ---- programs for which the right device is chosen ----

both "ibnetdiscover without a device" 'ports 4 devid 0x1023 vendid 0x2c9 "host-1 mlx5_0"' \
	ibnetdiscover -l
both "ibnetdiscover by the GSI device's name" '/U1"' ibnetdiscover -l -C mlx5_0
both "iblinkinfo by plane 2" '/U2"      5    3[  ] ==( 1X         ' iblinkinfo -C smi0 -P 2 -l
both "smpquery by directed route" "host-0 mlx5_0" smpquery -D nodedesc 0
both "smpquery by directed route, plane 3" "/U3" smpquery -C smi0 -P 3 -D nodedesc 0,3
both "smpquery by LID" "host-1 mlx5_0" smpquery nodedesc 4
both "smpquery portinfo of a plane" "LinkWidthActive:.................1X" smpquery portinfo 4 2
both "perfquery of the other HCA" "# Port counters: Lid 4 port 1" perfquery 4 1
both "perfquery of a switch of plane 3" "# Port counters: Lid 7 port 2" perfquery 7 2
both "sminfo" "sm lid 3 sm guid 0x2c90300000020" sminfo
both "ibaddr" "LID start 0x4 end 0x4" ibaddr 4
both "ibroute" "(Channel Adapter portguid 0x0002c90300000030" ibroute 1
both "ibtracert" 'To ca {0x0002c90300000030} portnum 1 lid 4-4 "host-1 mlx5_0"' ibtracert 3 4
both "ibportstate" "LinkState:.......................Active" ibportstate -D 0 1 query
both "ibqueryerrors" "4 nodes checked, 0 bad nodes found" ibqueryerrors

# Counters: a GMP to a switch of plane 4 leaves by it; the GSI device's are those of all planes.
# The files follow a moment later. Each perfquery asks twice. The filter shows the files where no
# mount may.
cat >"$work/counters" <<'END'
cd /sys/class/infiniband || exit
perfquery 9 1
perfquery 1 1
tries=100
sent() { cat $1/counters/port_xmit_packets; }
# One file is written after the other.
while [ "$(sent mlx5_0/ports/1) $(sent smi0/ports/1) $(sent smi0/ports/4)" != "4 2 2" ] &&
	[ $tries -gt 0 ]; do
	tries=$((tries - 1))
	sleep 0.05
done
for port in mlx5_0/ports/1 smi0/ports/1 smi0/ports/2 smi0/ports/4; do
	sent $port >&2
done
END
if [ $pairs = no ]; then
	tap_skip "counters of planes" "perfquery cannot be run here"
elif "$umadrig" exec --fabric "$fabric" -- ls /sys/class/infiniband >"$work/out" 2>&1; then
	"$umadrig" exec --fabric "$fabric" -- sh "$work/counters" >"$work/out" 2>"$work/err"
	tap_is "counters of all planes, and of planes 1, 2 and 4" \
		"$(grep '^[0-9]*$' "$work/err" | tr '\n' ' ')" "4 2 0 2 "
else
	tap_skip "counters of planes" "no seccomp filter may be set here"
fi

# ---- a program with its own libibumad, on the files of /sys ----

if "$umadrig" exec --how filter --fabric "$fabric" -- ls /sys/class/infiniband >"$work/out" 2>&1; then
	[ $pairs = yes ] && device= || device=smi0
	"$umadrig" exec --how filter --fabric "$fabric" -- ibnetdiscover -l ${device:+-C $device} \
		>"$work/out" 2>"$work/err"
	tap_is "the usual libibumad finds the devices, too" \
		"$(grep -cE '^(Ca|Switch)' "$work/out")" 4
else
	tap_skip "the usual libibumad" "no seccomp filter may be set here"
fi

# OpenSM needs QP0 and QP1 on one device, and has issm devices where there is QP0.
"$umadrig" exec --fabric generate:rail:2,1,4,speed=XDR,planes=4,state=cold -- \
	opensm -o -f "$work/osm.log" >"$work/out" 2>"$work/err"
tap_has "opensm does not run on an HCA with planes" "$(cat "$work/osm.log" "$work/out")" "ERR 542E"

# On a usual HCA it brings up the plane that it is on: with that the port has LIDs, and GMPs a way.
cat >"$work/sm.net" <<'END'
Switch 4 "plane1"
[1] "host-0"[1] 1xXDR
[2] "host-1"[1] 1xXDR
[3] "sm"[1]

Switch 4 "plane2"
[1] "host-0"[2] 1xXDR
[2] "host-1"[2] 1xXDR

planes=2
Hca 2 "host-0"
[1] "plane1"[1]
[2] "plane2"[1]

planes=2
Hca 2 "host-1"
[1] "plane1"[2]
[2] "plane2"[2]

Hca 1 "sm"
[1] "plane1"[3]
END
"$umadrig" exec --with-sm=sm --fabric "$work/sm.net,state=cold" --host host-0 -- sh -c '
	ibstat && saquery -C sim0 NodeRecord' >"$work/out" 2>"$work/err"
tap_is "opensm on plane 1: both devices of another host have a LID and an SM" \
	"$(grep -cE 'State: Active|Base lid: [1-9]|SM lid: 1$' "$work/out")" 9
tap_is "and its SA is asked by the GSI device" \
	"$(grep -c 'NodeDescription\..*host-[01]' "$work/out")" 2

# Two ports with one GUID in one subnet are too much for it: it goes on with a port that it has not
# made, and crashes.
"$umadrig" exec --fabric generate:rail:3,1,8,ports=2,state=cold,quirk=planarized:host-1 -- \
	opensm -o -f "$work/osm.log" >"$work/out" 2>"$work/err"
tap_has "opensm takes two planes in one subnet for a mistake" "$(cat "$work/osm.log")" \
	"ERR 0D1C: No physical port found for node GUID"

# ---- beside a usual HCA ----

fabric=generate:rail:2,2,8,ports=2,quirk=planarized:host-0\ mlx5_1
run ibstat -l
tap_is "one planarized HCA of two" "$(tr '\n' ' ' <"$work/out")" "mlx5_0 mlx5_1 smi1 "
for device in mlx5_0 mlx5_1 smi1; do
	run smpquery -C $device -D nodedesc 0
	name="smpquery by $device"
	if [ $pairs = yes ] || [ $device = mlx5_0 ]; then
		[ $device = mlx5_0 ] && wanted="host-0 mlx5_0" || wanted="host-0 mlx5_1"
		tap_has "$name" "$(cat "$work/out")" "$wanted"
	else
		tap_has "$name: refused" "$(cat "$work/err")" "client_register for mgmt"
	fi
done
tap_done
