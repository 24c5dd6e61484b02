#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show --time: times since the capture began, since the line before, dates and seconds, in lines,
# conversations, JSON and ladders; and those that tshark prints.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

TZ=UTC
export TZ

cat >some.mad <<'END'
scenario "s"
0  peer listens class=0x32 oui=0x001405 methods={Get}
0  fd = umad_open_port($CA, $PORT)
+0 a = umad_register_oui(fd, class=0x32, oui=0x001405)
+0 umad_send(fd, a, timeout=100ms, retries=2, VendGet(0x0010) to=peer) = 0
+0 > VendGet(0x0010)
+100ms > same
+100ms > same
+100ms umad_recv(fd) = a, status=ETIMEDOUT
+0 peer answers VendGet(0x0020) class=0x32 after 5ms
+1500ms umad_send(fd, a, timeout=100ms, VendGet(0x0020) to=peer) = 0
+0 > VendGet(0x0020)
+5ms umad_recv(fd) = a, status=0
END
"$umadrig" run --keep . some.mad >/dev/null 2>&1
shown() {
	"$umadrig" show --time "$@" some.pcapng | sed -n 's/^ *[0-9][0-9]* *\([0-9-]* *[0-9:.]*\(ms\)*\)  .*/\1/p'
}
tap_is "relative is what there is without it" "$("$umadrig" show --time relative some.pcapng)" \
	"$("$umadrig" show some.pcapng)"
tap_is "absolute" "$(shown absolute)" "2023-11-14 22:13:20.000000000
2023-11-14 22:13:20.100000000
2023-11-14 22:13:20.200000000
2023-11-14 22:13:21.800000000
2023-11-14 22:13:21.805000000"
tap_is "in another zone" "$(TZ=EAST-3 shown absolute | head -n 1)" "2023-11-15 01:13:20.000000000"
tap_is "epoch" "$(shown epoch | tail -n 1)" 1700000001.805000000
tap_is "delta" "$(shown delta)" "0.000000ms
100.000000ms
100.000000ms
1600.000000ms
5.000000ms"
tap_is "delta of what is shown" "$("$umadrig" show --time delta some.pcapng 'attr=0x0020' | grep -o ' [0-9.]*ms ')" " 0.000000ms 
 5.000000ms "
tap_is "conversations" "$("$umadrig" show -t epoch -c some.pcapng | grep -c \
	-e ' 1700000000.000000000 ' -e ' 1700000001.800000000 ' -e 'at 1700000001.800000000: ')" 3
tap_is "JSON" "$("$umadrig" show -t absolute -j some.pcapng | grep -c \
	'"time_ns":[0-9]*,"time":"2023-11-14 22:13:2[01].[0-9]\{9\}"')" 5
tap_is "a ladder" "$("$umadrig" show -t absolute -l some.pcapng | grep -c '^  22:13:2[01]\.[0-9]0[05] ')" 5
tap_is "a ladder, in seconds" "$("$umadrig" show -t epoch -l some.pcapng | grep -c '^ *170000000[01]\.[0-9]0[05] ')" 5
"$umadrig" show --time never some.pcapng >out 2>err
tap_is "another word" "$?:$(cat err)" \
	"2:$(printf "umadrig show: --time never: expected relative, delta, absolute or epoch\n%s" \
		"$(tail -n 1 err)")"

if command -v tshark >/dev/null 2>&1; then
	for form in absolute:ad epoch:e; do
		"$umadrig" show -t "${form%:*}" some.pcapng |
			sed -n 's/^ *\([0-9][0-9]*\) *\([0-9-]* *[0-9:.]*\)  .*/\1 \2/p' >ours
		tshark -r some.pcapng -t "${form#*:}" -Y infiniband -o "gui.column.format:\"N\",\"%m\",\"T\",\"%t\"" \
			2>/dev/null | sed 's/^ *//; s/ *$//' >theirs
		tap_is "tshark's $form" "$(wc -l <ours) $(cat ours)" "5 $(cat theirs)"
	done
else
	tap_skip "tshark's times" "tshark is not installed"
fi

# ---- dates ----

walker=$top_builddir/tests/tools/fabric-walk
# The date of virtual time is that of the programs in it, second for second.
"$umadrig" exec -f "$top_srcdir/tests/data/two-switches.net,clock=virtual,seed=1,capture=virtual.pcapng" -- \
	sh -c 'sleep 30; date -u "+%Y-%m-%d %H:%M:%S" >date; "$0"' "$walker" >walk.out 2>&1
tap_is "virtual: as the programs see it" \
	"$(TZ=UTC "$umadrig" show -t absolute virtual.pcapng | sed -n 's/^ *1 *\([0-9-]* [0-9:]*\)\..*/\1/p')" \
	"$(cat date)"
before=$(date +%s)
"$umadrig" exec -f "$top_srcdir/tests/data/two-switches.net,capture=real.pcapng" -- "$walker" >walk.out 2>&1
"$umadrig" show -t epoch real.pcapng | sed -n 's/^ *[0-9][0-9]* *\([0-9]*\)\.\([0-9]*\) .*/\1 \2/p' >times
tap_ok "real: the date at which it was" awk -v before="$before" -v after="$(date +%s)" \
	'$1 < before - 1 || $1 > after + 1 { exit 1 } END { exit NR < 20 }' times
tap_is "real: no two MADs at one time" "$(sort times | uniq -d | wc -l)" 0
tap_ok "virtual: there are such" sh -c '[ "$("$0" show -t epoch virtual.pcapng | \
	sed -n "s/^ *[0-9][0-9]* *\([0-9.]*\) .*/\1/p" | sort | uniq -d | wc -l)" -gt 0 ]' "$umadrig"

tap_done
