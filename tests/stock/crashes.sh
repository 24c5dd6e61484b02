#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-crashes: what crashes or hangs ibsim 0.10 or programs under it, with the same triggers: here
# every program survives, and the responses are those of a real port.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibping vendstat perfquery ibccquery ibsysstat ibdiagnet ibdiagpath sminfo saquery
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm ibping vendstat perfquery ibccquery ibsysstat ibdiagnet ibdiagpath
odd=$top_builddir/tests/tools/odd-client
rate=$top_builddir/tests/bench/madrate

# WHAT: the SM that it was aimed at is still master, and its SA answers.
sm_well() {
	tap_ok "$1: OpenSM lives" sm_lives a
	tap_has "$1: it is master" "$(on a2 sminfo 2>/dev/null)" "SMINFO_MASTER"
	tap_is "$1: its SA answers" "$(on a2 saquery NR 2>/dev/null | grep -c '^NodeRecord')" 12
}

fabric_serve "$data/ring.net,state=cold"
sm_start a a1
tap_is "the subnet is up" "$(sm_wait a 1)" ""
sm=$(on a2 sminfo 2>/dev/null | sed -n 's/.*sm lid \([0-9]*\) .*/\1/p')

# 1: a MAD of a class for which the SM's node has no agent. Linux returns it to the requester with a
# status; ibping takes any response for its own, vendstat sees the status.
on a2 ibping -c 2 "$sm" >"$work/out" 2>&1
tap_has "ibping at the SM's node ends" "$(cat "$work/out")" "2 packets transmitted"
on a2 vendstat -N "$sm" >"$work/out" 2>&1
tap_is "vendstat -N there fails" $? 255
on a2 ibsysstat "$sm" >"$work/out" 2>&1
sm_well "classes without an agent"

# 2: requests that belong to the node itself, or to no agent, and not to OpenSM's agents.
tap_ok "perfquery --xmtsl at the SM's node" on a2 perfquery --xmtsl "$sm" 1
on a2 ibccquery CongestionInfo "$sm" >"$work/out" 2>&1
tap_is "ibccquery there is answered by the node" $? 0
sm_well "classes that OpenSM only asks in"

# 3: the first ping that a server receives.
on b1 ibping -S 2>"$work/err" &
responder=$!
b1=$(on "" "$walker" -R NR 2>/dev/null | "$AWK" '$NF == "b1" { print $2 }')
tap_ok "ibping -S answers" within 20 on a2 sh -c "ibping -c 1 $b1 | grep -q ' 0% packet loss'"
on a2 ibping -c 20 -f "$b1" >"$work/out" 2>&1
tap_has "and goes on answering" "$(cat "$work/out")" " 0% packet loss"
kill "$responder"

# 4
mkdir "$work/diag"
on a2 timeout -k 5 60 ibdiagnet -o "$work/diag" >"$work/out" 2>&1
tap_is "ibdiagnet ends well" $? 0
tap_has "with all nodes" "$(cat "$work/out")" " 12 nodes (4 Switches & 8 CA-s) discovered"
on a2 timeout -k 5 60 ibdiagpath -d 1,2 -o "$work/diag" >"$work/out" 2>&1
tap_ok "ibdiagpath is killed by no signal" [ $? -lt 124 ]
tap_has "it went the way" "$(cat "$work/out")" "-I- To:"

# 5: enough time for the agent to be removed before its response comes.
tap_has "a response to an agent that has gone is dropped" \
	"$(stock a2 "$data/ring.net,latency=50ms" "$odd" two-agents 2>&1)" "one answer"

# 6: more outstanding requests than sockets hold, while other programs continue.
for count in 512 4000; do
	on a2 timeout -k 5 60 "$rate" -P 0,1 -n 20000 -o "$count" >"$work/out.$count" 2>&1 &
	sender=$!
	tap_ok "others get answers beside $count outstanding" on b2 sminfo "$sm"
	wait "$sender"
	tap_is "$count outstanding MADs are answered" $? 0
done

is_no_sm() {
	on a3 ibstat 2>/dev/null | grep -q "Capability mask: 0x.......[014589cd]"
}
# 7: what killed clients had is freed.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	on a3 "$odd" idle >"$work/ready.$i" 2>/dev/null &
	clients="${clients:-} $!"
done
tap_ok "twenty clients are there" within 60 sh -c "[ \$(cat $work/ready.* | grep -c ready) = 20 ]"
tap_is "their port says that it is an SM's" "$(is_no_sm || echo yes)" yes
# shellcheck disable=SC2046
kill -KILL $(cat "$work"/ready.* | cut -d ' ' -f 2)
for client in $clients; do wait "$client" 2>/dev/null; done
tap_ok "killed, they are gone, and their port is no SM any more" within 20 is_no_sm
tap_ok "and another may come" on a3 sminfo "$sm"
sm_well "killed clients"
fabric_end

# 8: a port that claims to have an SM, and does not answer SMInfo.
fabric_serve "$data/ring.net,state=cold"
mkfifo "$work/idle"
on b3 "$odd" idle-sm >"$work/idle" 2>/dev/null &
idle=$!
read -r ready <"$work/idle"
tap_is "a port says that it is an SM" "${ready% *}" ready
printf 'transaction_timeout 100\n' >"$work/conf"
sm_start a a1 -F "$work/conf"
tap_is "OpenSM asks it in vain, and takes over" "$(sm_wait a 1)" ""
tap_has "having waited for it" "$(cat "$work/sm-a/log")" "SMInfo"
in_order "the subnet"
kill "${ready#* }"
wait "$idle"
sm_stop a

# 9
timeout -k 5 20 "$umadrig" serve --fabric "$data/ring.net" --socket "$work/socket" >"$work/out" 2>&1
tap_is "a second server on the socket is refused" $? 125
tap_ok "the first goes on" on a2 ibstat
fabric_end
timeout -k 5 20 "$umadrig" exec --attach "$work/socket" -- ibstat >"$work/out" 2>&1
tap_is "without a server exec is refused" $? 125
tap_has "and says why" "$(cat "$work/out")" "$work/socket"

tool_rows subnet <<'END'
opensm (a port with IsSM does not answer) | hangs | waits until its timeout, comes up | OpenSM asks it in vain
END
tool_rows gsi <<'END'
vendstat -N, perfquery --xmtsl, ibccquery, ibping, ibsysstat (at the SM's node) | OpenSM crashes | answered, or refused as Linux does; OpenSM lives | classes
END
tap_done
