#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-filter: the distribution's programs print the same with their own libibumad, by the filter,
# as with ours in front of it; and opensm makes the same subnet.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs ibstat ibstatus ibnetdiscover iblinkinfo smpquery saquery perfquery opensm osmtest
cd "$work" || exit 99
. "$top_srcdir/tests/rig/any.sh"
any_needs_filter

# HOW HOST COMMAND...
by() {
	by_how=$1 by_host=$2
	shift 2
	timeout -k 5 120 "$umadrig" exec --how "$by_how" --attach "$work/socket" --host "$by_host" \
		-- "$@"
}

# NAME COMMAND...: the same status and output of both, but for the process's own.
same() {
	same_name=$1
	shift
	by preload a2 "$@" >preload.out 2>preload.err
	echo "status $?" >>preload.out
	by filter a2 "$@" >filter.out 2>filter.err
	echo "status $?" >>filter.out
	if [ "$(wc -l <preload.out)" -lt 2 ]; then
		tap_fail "$same_name prints something" "$(cat preload.err)"
	elif cmp -s preload.out filter.out; then
		tap_pass "$same_name"
	else
		tap_fail "$same_name" "$(diff preload.out filter.out | head -n 20)" \
			"$(head -n 20 filter.err)"
	fi
}

# HOW: opensm brings a cold fabric up, and ends; what it has made of it.
subnet_by() {
	fabric_serve "$data/ring.net,state=cold"
	mkdir "sm-$1"
	OSM_TMP_DIR=$work/sm-$1 OSM_CACHE_DIR=$work/sm-$1 \
		by "$1" a1 opensm -o -f "$work/sm-$1/log" >"$1.out" 2>&1
	tap_is "opensm -o --how $1" "$?:$(grep -c "SUBNET UP" "sm-$1/log")" 0:1
	"$umadrig" ctl --socket "$work/socket" report >"$1.subnet" 2>&1
}
subnet_by preload
cp preload.subnet expected
subnet_by filter
tap_ok "the same subnet" cmp expected filter.subnet
tap_has "which is complete" "$(cat expected)" "ways 144 lead 144"

# opensm under the filter, for what needs an SM.
fabric_serve "$data/ring.net,state=cold"
mkdir sm-master
OSM_TMP_DIR=$work/sm-master OSM_CACHE_DIR=$work/sm-master \
	by filter a1 sh -c 'echo $$ >"$1/pid"; shift; exec opensm "$@"' sh "$work/sm-master" -d 2 \
	-f "$work/sm-master/log" >sm-master/out 2>&1 &
managers=master
tap_is "opensm stays" "$(sm_wait master 1)" ""
tap_has "and its port has the IsSM bit" "$(by filter a1 smpquery -D portinfo 0 2>/dev/null)" "IsSM"

same "ibstat" ibstat
same "ibstat -p" ibstat -p
# A shell script that reads /sys: the preloaded library cannot show it anything.
by filter a2 ibstatus >status.out 2>&1
tap_is "ibstatus: its LIDs" \
	"$(sed -n 's/.* lid:[^0]*\(0x\)/\1/p' status.out |
		while read -r lid; do echo $((lid)); done)" \
	"$(by preload a2 ibstat 2>/dev/null | sed -n 's/.* lid: //p')"
tap_has "ibstatus: its state" "$(cat status.out)" "4: ACTIVE"
same "ibnetdiscover" sh -c 'ibnetdiscover | grep -v "^# Topology file"'
same "iblinkinfo" iblinkinfo
same "smpquery nodeinfo" smpquery -D nodeinfo 0,1
same "smpquery by LID" smpquery portinfo 1 1
same "smpquery of what is not there" smpquery -t 100 -D nodeinfo 0,1,7
same "saquery" saquery
same "saquery -p" saquery -p
same "saquery SMIR" saquery SMIR
# The queries themselves are counted.
same "perfquery" sh -c 'perfquery | grep -v -e Data -e Pkts'
same "perfquery of another" sh -c 'perfquery 1 1 | grep -v -e Data -e Pkts'
for how in preload filter; do
	by "$how" a3 osmtest -f c -i "$work/inventory-$how" -t 500 -l "$work/osmtest-$how" \
		>"$how.out" 2>&1
	tap_has "osmtest, --how $how" "$(cat "$how.out")" 'OSMTEST: TEST "Create Inventory" PASS'
done
tap_ok "the same inventory" cmp inventory-preload inventory-filter
tap_done
