#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-tools: the distribution's diagnostic programs, unmodified, on a fabric that the
# distribution's OpenSM runs: from any host, along each kind of route, and with multicast groups
# that come and go.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibping ibsysstat ibqueryerrors iblinkinfo ibnetdiscover ibportstate smpquery \
	ibroute ibtracert saquery dump_mfts
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch ibping ibsysstat ibqueryerrors iblinkinfo ibnetdiscover ibportstate smpquery ibroute \
	ibtracert saquery dump_mfts dump_fts dump_lfts
member=$top_builddir/tests/tools/sa-member

fabric_serve "$data/ring.net,state=cold"
sm_start a a1
tap_is "the subnet is up" "$(sm_wait a 1)" ""
on "" "$walker" -R NR 2>/dev/null >"$work/nodes"

# DESCRIPTION: its LID.
lid_of() {
	"$AWK" -v name="$1" 'index($0 "\n", " " name "\n") { print $2 }' "$work/nodes"
}
# DESCRIPTION [short]: its port's GUID, with or without leading zeros.
guid_of() {
	"$AWK" -v name="$1" 'index($0 "\n", " " name "\n") { print $4 }' "$work/nodes" |
		sed "${2:+s/^0x0*/0x/}"
}
ring1=$(lid_of "ring 1") ring4=$(lid_of ring4) a1=$(lid_of a1) a4=$(lid_of a4)

# ---- from different hosts ----

# HOST ARGUMENT...: what ibnetdiscover finds from there, in an order that does not depend on the
# host.
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
# Without -C libibmad 56 looks for a port that is not down.
tap_is "and only itself at a port without a cable" \
	"$(found_from b3 -C sim0 -P 1 | grep -c -E '^(Switch|Ca)')" 1

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
on "" "$walker" -R LFTR 2>/dev/null |
	"$AWK" -v lid="$ring1" '$2 == lid { print $4, $5 }' >"$work/want"
tap_is "ibroute: the table of a switch" "$(on "" ibroute -n "$ring1" 2>/dev/null |
	sed -n 's/^0x0*\([0-9a-f]*\) 0*\([0-9][0-9]*\)\( .*\)*$/0x\1 \2/p' |
	while read -r lid port; do
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

# ---- by GUID, through the SA ----

on b1 ibping -S 2>/dev/null &
on b1 ibping -S -o 0x1406 2>/dev/null &
on b1 ibsysstat -S 2>/dev/null &
on b1 ibsysstat -S -o 0x1406 2>/dev/null &
b1=$(lid_of b1) b1_guid=$(guid_of b1)
tap_ok "servers are there" within 20 on "" sh \
	-c "ibsysstat -t 100 $b1 && ibsysstat -t 100 -o 0x1406 $b1 &&
	ibping -c 1 $b1 | grep -q ' 0% packet loss' && ibping -c 1 -o 0x1406 $b1 | grep -q ' 0% packet loss'"
for options in "-L $b1" "-G $b1_guid" "-o 0x1406 -G $b1_guid"; do
	# shellcheck disable=SC2086
	tap_has "ibping $options" "$(on a1 ibping -c 3 -f $options 2>/dev/null)" \
		"3 packets transmitted, 3 received, 0% packet loss"
done
tap_has "ibping -o: another OUI is another server" \
	"$(on a1 ibping -t 20 -c 1 -o 0x1407 "$b1" 2>/dev/null)" "100% packet loss"
# It takes "unsupported" for an empty answer.
tap_is "ibsysstat -o: as well" "$(on a1 ibsysstat -t 20 -o 0x1407 "$b1" host 2>/dev/null)" ""
for options in "-L $b1" "-G $b1_guid" "-o 0x1406 -G $b1_guid"; do
	# shellcheck disable=SC2086
	tap_has "ibsysstat $options" "$(on a1 ibsysstat $options host 2>/dev/null)" "$(uname -n)"
done
tap_is "ibqueryerrors: the link that was down, at both ends" \
	"$(on "" ibqueryerrors -s PortXmitDiscards 2>/dev/null | grep 'port [0-9]' | tr -s ' ' |
	sort)" \
	" GUID $(guid_of "ring 1" short) port 1: [LinkDownedCounter == 1 (1.000)]
 GUID $(guid_of "ring 2" short) port 2: [LinkDownedCounter == 1 (1.000)]"
for options in "-G $b1_guid" "-S $(guid_of ring4)"; do
	# shellcheck disable=SC2086
	tap_is "ibqueryerrors --counters $options: that node" \
		"$(on "" ibqueryerrors --counters $options 2>/dev/null |
		sed -n 's/^Data Counters for .* "\(.*\)"/\1/p')" \
		"$("$AWK" -v guid="${options#* }" '$4 == guid { print $NF }' "$work/nodes")"
done
for option in -S -G; do
	on "" iblinkinfo -l $option "$(guid_of ring4)" >"$work/out" 2>/dev/null
	tap_is "iblinkinfo $option: that switch" \
		"$(cut -c 1-18 "$work/out" | sort | uniq -c | tr -s ' ')" " 6 $(guid_of ring4)"
done
tap_is "ibqueryerrors -R: no other answer" "$(on "" ibqueryerrors -R 2>/dev/null)" \
	"$(on "" ibqueryerrors 2>/dev/null)"

# ---- multicast groups ----

group=ff12:401b:ffff::abc
# NAME HOST...: these are in the group, according to the SA and to the tables of all switches.
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
on "" ibtracert -m "$mlid" "$(lid_of a2)" "$a4" >"$work/from" 2>/dev/null
status=$?
on "" ibtracert -m "$mlid" "$(lid_of a2)" "$(lid_of b1)" >"$work/out" 2>&1
if [ "$status" -gt 128 ] && [ "$(diags_release)" -gt 44 ]; then
	tap_skip "ibtracert -m goes from member to member" \
		"ibtracert from 50 on crashes: it uses what it has freed (doc/programs.md)"
else
	tap_has "ibtracert -m goes from member" "$(cat "$work/from")" '"a2"'
	tap_has "to member" "$(tail -n 1 "$work/from")" '"a4"'
	tap_has "and does not come to others" "$(cat "$work/out")" "multicast route"
fi
on "" "$walker" -R LR 2>/dev/null >"$work/links"
tap_is "ibroute -M: the switch of a1 sends to it, and on" \
	"$(on "" ibroute -M "$ring1" 2>/dev/null |
		"$AWK" -v mlid="$mlid" '
			/Ports:/ { at = index($0, " 3 ") + 1 }
			$1 == mlid { print substr($0, at, 1) }')" "x"
for lid in $(sed -n 's/^NR \([0-9]*\) .* Switch .*/\1/p' "$work/nodes"); do
	on "" ibroute -M "$lid" 2>/dev/null
done | sed -n 's/^.* guid \(0x[0-9a-f]*\) .*/\1/p; /^0xc/p' | sort >"$work/want"
for program in dump_mfts "dump_mfts -M" "dump_fts -M" "dump_lfts -M"; do
	# shellcheck disable=SC2086
	tap_is "$program: each switch has it as ibroute -M says" "$(on "" $program 2>/dev/null |
		sed -n 's/^.* guid \(0x[0-9a-f]*\) .*/\1/p; /^0xc/p' | sort)" "$(cat "$work/want")"
done
on "" dump_mfts -a 2>/dev/null >"$work/all"
tap_is "dump_mfts -a: the same, and what is in no switch's table" \
	"$(sed -n 's/^.* guid \(0x[0-9a-f]*\) .*/\1/p; /^0xc.* x/p' "$work/all" | sort):$(
	[ "$(grep -c ^0xc "$work/all")" -gt "$(grep -c ^0xc "$work/want")" ]; echo $?)" \
	"$(cat "$work/want"):0"
tap_is "in every switch's table" "$(grep -c "^$mlid" "$work/want")" 4
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

# A new SM knows no members: it asks ports to register again, and their programs do.
on a2 "$member" join "$group" >/dev/null 2>&1
sm_kill a
sm_start b a3
tap_is "another SM" "$(sm_wait b 1)" ""
tap_is "knows nothing of the group" "$(on "" saquery -g 2>/dev/null | grep -c "MGID\.*$group$")" 0
for host in a2 b4; do joined=$(on "$host" "$member" join "$group" 2>/dev/null); done
mlid=${joined##* }
members_are "they join again" a2 b4

tool_rows fabric <<'END'
ibnetdiscover -C, -P (attached at a switch, at port 2, at a port without a cable) | cannot | the same fabric, or itself | the same, attached at
iblinkinfo -G, -S | hang | right: that switch | iblinkinfo -
END
tool_rows ports <<'END'
ibportstate LID PORT query | fails at the peer | right, with the peer | ibportstate by LID
ibportstate disable, enable (OpenSM is there) | the peer is not affected; no trap | right, at both ends; OpenSM, told by a trap, sweeps | ibportstate disable
smpquery -c | times out | right: combined routes | smpquery -c
END
tool_rows routes <<'END'
ibroute -n | right | right, every entry | ibroute: the table
ibtracert -m | no route | right, from member to member | ibtracert -m
ibroute -M | right until a group has members | right, with members | ibroute -M
dump_fts, dump_lfts -M | right until a group has members | right, with members | dump_
dump_mfts -M, -a | right until a group has members | right, with members | dump_mfts
END
tool_rows subnet <<'END'
saquery -g, -m MLID, --smkey KEY (members come and go) | first MAD of the answer | right, with the tables of all switches | saquery -g
END
tool_rows performance <<'END'
ibqueryerrors -G, -S, -R (which does nothing) | hangs | right: one node | ibqueryerrors --counters
END
tool_rows gsi <<'END'
ibping -S, -c, -f, -t MS, -o, -L, -G | 100 % loss; the server crashes | right, by LID and by GUID | ibping
ibsysstat -S, -o, -L, -G, host | if the server is an SM | right | ibsysstat
END
tap_done
