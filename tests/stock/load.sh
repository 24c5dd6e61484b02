#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-load: the distribution's perfquery and ibqueryerrors, unmodified, sample counters that move,
# in virtual time: the values are known to the word, and the same the second time.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs perfquery ibqueryerrors
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch perfquery ibqueryerrors

# H1 asks; H2 and H3 send to H4. A link of 4x at 2.5 Gb/s carries 250,000,000 words a second.
cat >"$work/net" <<'EOT'
Switch 4 "S1"
[1] "H1"[1]
[2] "H2"[1]
[3] "H3"[1]
[4] "H4"[1]

Hca 1 "H1"
[1] "S1"[1]

Hca 1 "H2"
[1] "S1"[2]

Hca 1 "H3"
[1] "S1"[3]

Hca 1 "H4"
[1] "S1"[4]
EOT
# LIDs in the order of the file: the switch has the first one.
switch=1
cat >"$work/ask" <<EOT
cd "\$1"
sleep 10
perfquery -x $switch 2 >h2
perfquery -x $switch 4 >h4
perfquery -R $switch 4
sleep 10
perfquery $switch 4 >h4-later
sleep 100
perfquery $switch 4 >h4-much-later
ibqueryerrors --skip-sl >errors
ibqueryerrors --skip-sl --counters >data
EOT
# DIRECTORY
ask() {
	mkdir -p "$work/$1"
	stock H1 "$work/net,clock=virtual,load=H2:H4:6G,load=H3:H4:6G:size=2048" \
		sh "$work/ask" "$work/$1" >"$work/$1/out" 2>&1
}
ask first
ask second
# 4 Gb/s of each, for 10 s, in packets of 4096 and 2048 octets.
shows "perfquery -x: one of two that share a link" "$work/first/h2" \
	"PortRcvData=1250000000 PortRcvPkts=1220703 PortXmitData=0 PortXmitWait=0"
shows "perfquery -x: the link that is full" "$work/first/h4" \
	"PortXmitData=2500000000 PortXmitPkts=3662109 PortUnicastXmitPkts=3662109 PortRcvData=0"
shows "perfquery, after a reset and 10 s" "$work/first/h4-later" "PortXmitData=2500000000"
shows "and much later: it stays at its highest value" "$work/first/h4-much-later" \
	"PortXmitData=4294967295"
tap_ok "ibqueryerrors finds the ports that wait for credits" \
	grep -q 'GUID .* port 1: .*PortXmitWait == ' "$work/first/errors"
tap_is "which are those of two senders" "$(grep -c 'PortXmitWait' "$work/first/errors")" 2
tap_ok "ibqueryerrors --counters" grep -q 'PortXmitData == ' "$work/first/data"
tap_ok "the second time everything is the same" diff -r "$work/first" "$work/second"

# A counter with a rate.
cat >"$work/ask" <<EOT
"$umadrig" ctl counter 'S1[4]' SymbolErrorCounter +10/s for 60s
sleep 30
perfquery $switch 4 >"$work/thirty"
sleep 60
perfquery $switch 4 >"$work/ninety"
"$umadrig" ctl PerformanceSet 'S1[4]' PortCounters.SymbolErrorCounter=7 >/dev/null
ibqueryerrors --skip-sl >"$work/set"
EOT
stock H1 "$work/net,clock=virtual" sh "$work/ask" >"$work/out" 2>&1
shows "a counter with a rate, after half of its time" "$work/thirty" "SymbolErrorCounter=300"
shows "and afterwards" "$work/ninety" "SymbolErrorCounter=600"
tap_ok "ibqueryerrors shows what PerformanceSet has set" \
	grep -q 'SymbolErrorCounter == 7' "$work/set"

tool_rows performance <<'END'
perfquery -x, -R (sampled while a load or a rate moves counters) | nothing moves | right, to the word, in virtual time | perfquery -x
ibqueryerrors --skip-sl, --counters (the same) | nothing moves | right | ibqueryerrors
END
tap_done
