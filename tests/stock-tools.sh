#!/bin/sh
# stock-tools: the distribution's diagnostic programs, unmodified, on a fabric that the distribution's
# OpenSM runs: from wherever they are attached, along each kind of route, with multicast groups that
# come and go, and ibutils on fabrics that are well and on one that is not.
: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/stock-fabric.sh"
stock_needs opensm ibnetdiscover ibportstate smpquery ibroute ibtracert saquery ibdiagnet ibdiagpath
member=$top_builddir/tests/sa-member

fabric_serve "$data/ring.net,state=cold"
sm_start a a1
tap_is "the subnet is up" "$(sm_wait a 1)" ""
on "" "$walker" -R NR 2>/dev/null >"$work/nodes"

# DESCRIPTION: its LID.
lid_of() {
	"$AWK" -v name="$1" 'index($0 "\n", " " name "\n") { print $2 }' "$work/nodes"
}
ring1=$(lid_of "ring 1") ring4=$(lid_of ring4) a1=$(lid_of a1) a4=$(lid_of a4)

# ---- attached here and there ----

# HOST ARGUMENT...: what ibnetdiscover finds from there, in an order that does not depend on it.
found_from() {
	found_host=$1
	shift
	on "$found_host" ibnetdiscover "$@" 2>/dev/null | grep -v '^#' | sort
}
found_from a1 >"$work/from-a1"
tap_is "ibnetdiscover finds every node" "$(grep -c -E '^(Switch|Ca)' "$work/from-a1")" \
	"$(wc -l <"$work/nodes" | tr -d ' ')"
tap_is "the same, attached at a switch" "$(found_from ring3)" "$(cat "$work/from-a1")"
tap_is "the same, attached at port 2" "$(found_from b3 -P 2)" "$(cat "$work/from-a1")"
tap_is "and only itself at a port without a cable" "$(found_from b3 -P 1 | grep -c -E '^(Switch|Ca)')" 1

# ---- routes ----

on "" ibportstate "$ring1" 2 query >"$work/out" 2>&1
tap_is "ibportstate by LID asks the peer by a combined route" \
	"$(sed -n 's/^# Port info: //p' "$work/out")" "Lid $ring1 port 2
Lid $ring1 DR path slid $a1; dlid 65535; 0,2 port 1"
tap_is "both are Active" "$(grep -c '^LinkState.*Active' "$work/out")" 2
tap_is "smpquery -c: beyond the switch with the LID, by the port" \
	"$(on "" smpquery -c nodedesc "$ring4" 0,3 2>/dev/null)" \
	"$(on "" smpquery nodedesc "$a4" 2>/dev/null)"
tap_has "smpquery -c: the port there" "$(on "" smpquery -c portinfo "$ring4" 0,3 1 2>/dev/null)" \
	"Lid:.............................$a4"
on "" "$walker" -R LFTR 2>/dev/null | "$AWK" -v lid="$ring1" '$2 == lid { print $4, $5 }' >"$work/want"
tap_is "ibroute: the table of a switch" "$(on "" ibroute -n "$ring1" 2>/dev/null |
	sed -n 's/^0x0*\([0-9a-f]*\) 0*\([0-9][0-9]*\)\( .*\)*$/0x\1 \2/p' | while read -r lid port; do
		echo "$((lid)) $port"
	done)" "$(cat "$work/want")"
before=$(sm_ups a)
on "" ibportstate "$ring1" 1 disable >"$work/out" 2>&1
tap_is "ibportstate disable by LID" "$(sm_wait a $((before + 1)))" ""
tap_has "takes the link down" "$(on "" ibportstate "$ring1" 1 query 2>/dev/null)" \
	"PhysLinkState:...................Disabled"
before=$(sm_ups a)
on "" ibportstate "$ring1" 1 enable >"$work/out" 2>&1
tap_is "and enable brings it back" "$(sm_wait a $((before + 1)))" ""
in_order "the ring"

# ---- multicast groups ----

group=ff12:401b:ffff::abc
guid_of() {
	"$AWK" -v name="$1" 'index($0 "\n", " " name "\n") { print $4 }' "$work/nodes"
}
# NAME HOST...: these are in the group, by the SA and in the tables of all switches.
members_are() {
	members_name=$1 members_guids="" members_count=0
	shift
	for host; do
		members_guids=$members_guids,$(guid_of "$host")
		members_count=$((members_count + 1))
	done
	tap_is "$members_name: as the SA has it" "$(on "" saquery --smkey 1 -m "$mlid" 2>/dev/null |
		grep -c PortGid)" "$members_count"
	in_order "$members_name: by the tables" -m "$mlid:${members_guids#,}"
}

joined=$(on a1 "$member" join "$group" 2>/dev/null)
mlid=${joined##* }
tap_has "one creates a group" "$joined" "status 0x0000 mlid 0xc"
for host in b3 a4 a2; do on "$host" "$member" join "$group" >/dev/null 2>&1; done
members_are "four members" a1 b3 a4 a2
tap_has "saquery -g has it" "$(on "" saquery -g 2>/dev/null)" "MGID....................$group"
from=$(on "" ibtracert -m "$mlid" "$(lid_of a2)" "$a4" 2>/dev/null)
tap_has "ibtracert -m goes from member" "$from" '"a2"'
tap_has "to member" "$(echo "$from" | tail -n 1)" '"a4"'
on "" ibtracert -m "$mlid" "$(lid_of a2)" "$(lid_of b1)" >"$work/out" 2>&1
tap_has "and does not come to others" "$(cat "$work/out")" "multicast route"
on "" "$walker" -R LR 2>/dev/null >"$work/links"
tap_is "ibroute -M: the switch of a1 sends to it, and on" \
	"$(on "" ibroute -M "$ring1" 2>/dev/null |
		"$AWK" -v mlid="$mlid" '
			/Ports:/ { at = index($0, " 3 ") + 1 }
			$1 == mlid { print substr($0, at, 1) }')" "x"
on a4 "$member" leave "$group" >/dev/null 2>&1
members_are "one leaves" a1 b3 a2
on b1 "$member" join "$group" sender >/dev/null 2>&1
members_are "one joins to send only; OpenSM has it receive too" a1 b3 a2 b1
on b1 "$member" leave "$group" sender >/dev/null 2>&1
for host in b3 a2 a1; do on "$host" "$member" leave "$group" >/dev/null 2>&1; done
tap_is "all have left: the group has ended" \
	"$(on "" saquery -g 2>/dev/null | grep -c "MGID\.*$group$")" 0
in_order "and is in no table" -m "$mlid"
left=$(on a2 "$member" leave "$group" 2>/dev/null)
tap_is "who is no member cannot leave" "$?" 1
tap_lacks "and is told so" "$left" "status 0x0000"

# A new SM knows of no member: it asks ports to register again, and their programs do.
on a2 "$member" join "$group" >/dev/null 2>&1
sm_kill a
sm_start b a3
tap_is "another SM" "$(sm_wait b 1)" ""
tap_is "knows nothing of the group" "$(on "" saquery -g 2>/dev/null | grep -c "MGID\.*$group$")" 0
for host in a2 b4; do joined=$(on "$host" "$member" join "$group" 2>/dev/null); done
mlid=${joined##* }
members_are "they join again" a2 b4

# ---- ibutils ----

mkdir "$work/diag"
on "" timeout -k 5 60 ibdiagnet -o "$work/diag" >"$work/out" 2>&1
tap_is "ibdiagnet ends well" $? 0
tap_has "and has discovered every node" "$(cat "$work/out")" " 12 nodes (4 Switches & 8 CA-s) discovered"
tap_lacks "without an error" "$(cat "$work/out")" "-E-"
tap_is "its links are those of the fabric" "$(grep -c . "$work/diag/ibdiagnet.lst")" \
	"$(($(grep -c . "$work/links") / 2))"
tap_is "its tables as well" "$(grep -c '^0x[0-9A-Fa-f]* *: *[0-9]' "$work/diag/ibdiagnet.fdbs")" \
	"$(on "" "$walker" -R LFTR 2>/dev/null | wc -l | tr -d ' ')"
tap_has "and the SM" "$(cat "$work/diag/ibdiagnet.sm")" "a3"

# ibdiagpath takes, of the 64 ports of a table, the one before the one it wants: its list begins with
# the word "-lft". So it goes, as ibtracert does, to the LID that is one less.
to=$(lid_of a4)
on a1 ibtracert "$(lid_of a1)" $((to - 1)) >"$work/out" 2>&1
one_less=$(sed -n 's/^\[.*-> .* lid \([0-9]*\)-.*/\1/p' "$work/out")
on a1 timeout -k 5 60 ibdiagpath -l "$(lid_of a1),$to" -o "$work/diag" >"$work/out" 2>&1
tap_is "ibdiagpath by LIDs goes to one less, by its own mistake" \
	"$(sed -n 's/^-I- To: *lid=\(0x[0-9a-f]*\) .*/\1/p' "$work/out" | while read -r lid; do
		echo $((lid)); done)" "$one_less"
on a1 timeout -k 5 60 ibdiagpath -d 1,2,3 -o "$work/diag" >"$work/out" 2>&1
tap_is "ibdiagpath along a direct route" \
	"$(sed -n 's/^-I- To: *lid=\(0x[0-9a-f]*\) .*/\1/p' "$work/out" | while read -r lid; do
		echo $((lid)); done)" "$ring1
$ring4
$a4"
fabric_end

# Nobody has run an SM here, and two adapters have one GUID.
fabric_serve "$data/ring.net,state=cold"
"$umadrig" ctl --socket "$work/socket" Guid '"b4"' 0x51000 >"$work/out" 2>&1
rm -rf "$work/diag" && mkdir "$work/diag"
on a1 timeout -k 5 60 ibdiagnet -o "$work/diag" >"$work/out" 2>&1
tap_has "ibdiagnet sees links in Init" "$(cat "$work/out")" "LOG=INI"
tap_has "and the GUID that two have" "$(cat "$work/out")" "Found 2 Devices with identical NodeGUID"
tap_has "and that there are no LIDs" "$(cat "$work/out")" "Found 12 Devices with LID=0x0000"
tap_has "nor an SM" "$(cat "$work/out")" "Missing master SM"
tap_done
