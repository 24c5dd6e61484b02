#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# replay-order: a capture in which time goes backwards is not replayed unless order=any allows it,
# by umadrig replay, by umadrig exec, or by a scenario in either mode.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
cp "$top_srcdir/tests/fuzz/corpus-capture/mixed.pcapng" .

# Its program runs on the capture's fabric and opens nothing: 124, where it is not refused.
"$umadrig" replay mixed.pcapng --mode answer -- "$probe" nothing >out 2>&1
tap_is "replay refuses it" $? 125
tap_has "naming the frame" "$(cat out)" "time goes backwards at frame 3"
tap_has "and the cure" "$(cat out)" "reordercap"
"$umadrig" replay mixed.pcapng --mode answer --order=any -- "$probe" nothing >out 2>&1
tap_is "--order=any takes it" $? 124
tap_has "and still reports it" "$(cat out)" "time goes backwards at frame 3"
"$umadrig" replay mixed.pcapng --mode answer --order=time -- "$probe" nothing >out 2>&1
tap_is "--order=time is the default" $? 125
"$umadrig" replay mixed.pcapng --mode answer --order=file -- "$probe" nothing >out 2>&1
tap_is "another order is a wrong command line" "$?:$(head -n 1 out)" \
	"2:umadrig replay: --order is 'time' or 'any', not 'file'"
"$umadrig" exec --fabric mixed.pcapng,order=any -- "$probe" nothing >out 2>&1
tap_is "exec takes the option after the file" $? 124

printf 'Hca 1 "A"\n[1] "S"[1]\n\nSwitch 1 "S"\n[1] "A"[1]\n' >small.net
"$umadrig" replay mixed.pcapng --mode ask --fabric small.net >out 2>&1
tap_is "--mode ask refuses it" "$?:$(grep -c 'time goes backwards at frame 3, so' out)" 2:1
"$umadrig" replay mixed.pcapng --mode ask --order=any --fabric small.net >out 2>&1
tap_is "and takes it with --order=any" "$(grep -c 'time goes backwards at frame 3, so' out)" 0

for how in answer timed; do
	printf 'scenario "x"\nreplay "mixed.pcapng" %s\n0~1ms > nothing\n' "$how" >refused.mad
	out=$("$umadrig" run refused.mad 2>&1)
	tap_is "a scenario with $how is refused it" "$?" 1
	tap_has "naming the frame" "$out" "time goes backwards at frame 3"
	printf 'scenario "x"\nreplay "mixed.pcapng" %s order=any\n0~1ms > nothing\n' "$how" >taken.mad
	out=$("$umadrig" run taken.mad 2>/dev/null)
	tap_is "order=any takes it" "$?:$(printf '%s\n' "$out" | grep -c '^ok')" 0:1
done

printf 'scenario "x"\n0 replay "mixed.pcapng" ask\n' >refused.mad
out=$("$umadrig" run refused.mad 2>&1)
tap_is "a scenario that asks is refused it" "$?" 1
tap_has "naming the frame" "$out" "time goes backwards at frame 3"
printf 'scenario "x"\n0 replay "mixed.pcapng" ask order=any\n' >taken.mad
out=$("$umadrig" run taken.mad 2>&1)
tap_is "order=any takes it" "$(printf '%s\n' "$out" | grep -c 'so what answers what')" 0

tap_done
