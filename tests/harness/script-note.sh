#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-note: notes of a scenario are in its ladder and in its capture, each at its time, and
# Wireshark shows them: before the first packet, between packets and after the last one.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/tmp"
HOME=$work/home
XDG_CONFIG_HOME=$work/home
TMPDIR=$work/tmp
export HOME XDG_CONFIG_HOME TMPDIR
cd "$work" || exit 99

cat >note.mad <<'EOF'
scenario "notes"
vary phase in "two", "three"

0      note "phase one"
+1ms   < VendGet(0x0010) class=0x32 tid=7
+0     > VendGetResp(0x0010) class=0x32 status=0x000c
+1.5us note $phase
+2ms   < VendGet(0x0010) class=0x32 tid=8
+0     > VendGetResp(0x0010) class=0x32 status=0x000c
+1s    note "the end:\n\"so far\""
EOF

out=$("$umadrig" run --ladder --twice --keep . note.mad 2>&1)
tap_is "it runs, and is the same twice" "$(printf '%s\n' "$out" | grep -c '^ok')" 2
tap_is "the run's ladder has them" \
	"$(printf '%s\n' "$out" | sed -n 's/^# *\([0-9.]*ms\) *# \(.*[^ ]\)  *line \([0-9]*\) *ok/\1 \3 \2/p' |
		head -n 3)" \
	'0.000ms 4 phase one
1.001ms 7 two
1003.001ms 10 the end: "so far"'

tap_is "the capture's lines have them" \
	"$("$umadrig" show note-02.pcapng | sed -n 's/^ *\([0-9]*\) *\([0-9.]*ms\) *# /\1 \2 /p; /frames/p')" \
	'1 0.000000ms phase one
5 1.001500ms three
9 1003.001500ms the end: "so far"
# 9 frames: 6 MADs, 3 notes, 0 others, 0 damaged'

tap_is "the capture's ladder has them, each in its place" \
	"$(COLUMNS=200 "$umadrig" show --ladder note-01.pcapng | sed 's/^ *//; s/ *|.*/ (a MAD)/; 1,/\[1\]/{/\[1\]/d}')" \
	'0.000ms  -- phase one --
1.000ms (a MAD)
1.000ms (a MAD)
1.002ms  -- two --
3.002ms (a MAD)
3.002ms (a MAD)
1003.001ms  -- the end: "so far" --'

if command -v tshark >/dev/null 2>&1; then
	tap_is "Wireshark shows them" \
		"$(tshark -n -r note-01.pcapng -T fields -e frame.number -e frame.time_relative \
			-e _ws.col.Info 2>/dev/null | grep -v VENDOR | tr '\t' ' ')" \
		'1 0.000000000 phase one
5 0.001001000 two
9 1.003001000 the end: "so far"'
	tap_is "and finds nothing wrong" "$(tshark -n -r note-01.pcapng -Y _ws.malformed 2>/dev/null)" ""
else
	tap_skip "Wireshark shows them" "no tshark: install tshark"
	tap_skip "and finds nothing wrong" "no tshark: install tshark"
fi

tap_done
