#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show --time: times since the capture began, since the line before, dates and seconds, in lines,
# conversations, JSON and ladders; and those that tshark prints.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
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
tap_is "absolute" "$(shown absolute)" "2000-01-01 00:00:00.000000000
2000-01-01 00:00:00.100000000
2000-01-01 00:00:00.200000000
2000-01-01 00:00:01.800000000
2000-01-01 00:00:01.805000000"
tap_is "in another zone" "$(TZ=EAST-3 shown absolute | head -n 1)" "2000-01-01 03:00:00.000000000"
tap_is "epoch" "$(shown epoch | tail -n 1)" 946684801.805000000
tap_is "delta" "$(shown delta)" "0.000000ms
100.000000ms
100.000000ms
1600.000000ms
5.000000ms"
tap_is "delta of what is shown" "$("$umadrig" show --time delta some.pcapng 'attr=0x0020' | grep -o ' [0-9.]*ms ')" " 0.000000ms 
 5.000000ms "
tap_is "conversations" "$("$umadrig" show -t epoch -c some.pcapng | grep -c \
	-e ' 946684800.000000000 ' -e ' 946684801.800000000 ' -e 'at 946684801.800000000: ')" 3
tap_is "JSON" "$("$umadrig" show -t absolute -j some.pcapng | grep -c \
	'"time_ns":[0-9]*,"time":"2000-01-01 00:00:0[01].[0-9]\{9\}"')" 5
tap_is "a ladder" "$("$umadrig" show -t absolute -l some.pcapng | grep -c '^  00:00:0[01]\.[0-9]0[05] ')" 5
tap_is "a ladder, in seconds" "$("$umadrig" show -t epoch -l some.pcapng | grep -c '^ 94668480[01]\.[0-9]0[05] ')" 5
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
tap_done
