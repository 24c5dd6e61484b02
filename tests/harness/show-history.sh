#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show --history: what has changed at ports and nodes, when, and who has set it; compared with what
# was done to the fabric.
set -u
. "$top_srcdir/tests/stock/stock.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
# Times are printed to the nanosecond.
PATH=$top_builddir/tests/tools/exact:$PATH

# ---- a port that flaps, below a real subnet manager ----
stock_needs opensm perfquery
# shellcheck disable=SC2016 # for the inner shell
"$umadrig" exec --fabric "$data/two-switches.net,state=cold,clock=virtual,capture=flap.pcapng" \
	--do 'after 30s link down "Leaf"[3]' --do 'after 40s link up "Leaf"[3]' -- sh -c '
	opensm -f osm.log -s 5 >/dev/null 2>&1 & sm=$!
	sleep 20
	perfquery 2 3 >/dev/null
	sleep 50
	perfquery 2 3 >/dev/null
	kill $sm; wait $sm' >said 2>&1
"$umadrig" show --history flap.pcapng >all 2>err
tap_is "a whole fabric: status" "$?:$(cat err)" "0:"
tap_is "each port that comes up is Armed, then Active" \
	"$(sed -n 's/^ *0\.[0-9]*ms \(.*\): LinkState Init -> Armed, set by HostA\[1\]  #[0-9]*$/\1/p' all | sort | tr '\n' ' ')" \
	"HostB[1] HostB[2] Leaf[1] Leaf[3] Leaf[5] Spine[1] Spine[2] Spine[3] Spine[5] "
tap_has "LIDs, and who has given them" "$(cat all)" " Leaf[0]: Lid 0 -> 2, SMLid 0 -> 1, set by HostA[1]  #"
"$umadrig" show --history --ports 'Leaf[3]' flap.pcapng | sed 's/  #[0-9]*$//; s/PortXmitData.*/.../' >one
tap_is "why does this port flap?" "$(grep -v ' 0\.000000ms ' one)" "\
  30000.000000ms Leaf: trap 128, LIDADDR=2
  30000.000000ms Leaf[3]: LinkState Active -> Down, PhysLinkState LinkUp -> Polling
  40010.000000ms Leaf: trap 128, LIDADDR=2
  40010.000000ms Leaf[3]: LinkState Down -> Init, PhysLinkState Polling -> LinkUp
  40010.000000ms Leaf[3]: LinkState Init -> Armed, set by HostA[1]
  40010.000000ms Leaf[3]: LinkState Armed -> Active, set by HostA[1]
  70000.000000ms Leaf[3]: LinkDownedCounter 0 -> 1 (+1), ...
$(sed -n 's/^# [0-9]* changes/# 9 changes/p' all)"
tap_is "a node has all of its ports" \
	"$("$umadrig" show --history --ports Spine flap.pcapng | sed -n 's/^.* \(Spine[^:]*\): LinkState Init -> Armed.*/\1/p' | sort -u | tr '\n' ' ')" \
	"Spine[1] Spine[2] Spine[3] Spine[5] "
tap_is "ports stand before the capture, too" "$("$umadrig" show --history 'Leaf[3]' flap.pcapng)" \
	"$("$umadrig" show --history --ports 'Leaf[3]' flap.pcapng)"
tap_has "with no capture behind it, it is one" "$("$umadrig" show --history 'Leaf[3]' 2>&1)" "No such file"
tap_has "a port that is not there" "$("$umadrig" show --history --ports 'Leaf[3],Laef' flap.pcapng)" \
	"# the capture has nothing of Laef"
tap_is "with a filter" "$("$umadrig" show --history flap.pcapng 'SubnTrap' | grep -c ': trap 128, LIDADDR=')" 4
"$umadrig" show flap.pcapng SubnTrap >traps
tap_is "each trap says in its line what it is about" \
	"$(grep -c ' SubnTrap(Notice) tid=0x[0-9a-f]* trap=128 LIDADDR=[0-9]' traps)" "$(grep -c ' SubnTrap(Notice) ' traps)"
tap_has "and in a ladder which it is" "$("$umadrig" show --ladder flap.pcapng 'SubnTrap')" "SubnTrap(Notice) trap=128"
tap_is "times as dates" "$(TZ=UTC "$umadrig" show --history --time absolute flap.pcapng | grep -c '^2023-11-14 22:13:50.* Leaf\[3\]: ')" 1

# The same traffic without names of ports: they are learned from what nodes say.
tshark=$(command -v editcap)
if [ -n "$tshark" ] && "$tshark" -F nsecpcap flap.pcapng plain.pcap 2>/dev/null; then
	tap_has "a plain pcap" "$("$umadrig" show --history plain.pcap)" "LinkState Active -> Down, PhysLinkState LinkUp -> Polling"
else
	tap_skip "a plain pcap" "no editcap (Debian: wireshark-common)"
fi

# In a pcap, of its first sweep, a node that is asked along several routes is one, and no other's.
"$umadrig" exec --fabric generate:fat-tree:16,4,state=cold,clock=virtual,capture=sweep.pcap -- opensm -o -f osm.log >said 2>&1
"$umadrig" show --history sweep.pcap >first
tap_is "no node's GUID changes in a sweep" "$(grep -c 'Guid 0x.* -> ' first)" 0
tap_is "each port that comes up has its name" "$(grep -c ': LinkState Init -> Armed' first)" \
	"$(grep -v 'ms DR ' first | grep -c '[a-z]-[0-9].*\]: LinkState Init -> Armed')"
"$umadrig" show --conversations --by responder sweep.pcap >by
tap_is "who has answered: every responder has a name" "$(sed -n '/^# Totals/,/^# all/p' by | grep -c '^DR')" 0

# ---- refusals ----
"$umadrig" show --history --json flap.pcapng >out 2>err
tap_has "two ways at once" "$?:$(cat err)" "2:umadrig show: --ladder, --svg, --mermaid, --perfetto, --verbose, --fields, --json, --conversations, --history and --why exclude each other"
"$umadrig" show --ports Leaf flap.pcapng >out 2>err
tap_has "ports without a history" "$?:$(cat err)" "2:umadrig show: --ports names the ports of a --ladder, --svg or --history"
tap_done
