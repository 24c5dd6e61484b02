#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lie: nodes that answer with a wrong value: what captures, the console and umadrig explore say of
# that, of whom the answers are, and that the seed decides it.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
walker=$top_builddir/tests/tools/fabric-walk
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
TMPDIR=$work

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
fabric=generate:fat-tree:20,8

# OPTIONS NAME: walks over the fabric; the capture is NAME. The rules are listed behind it.
walk() {
	"$umadrig" exec --fabric "$fabric,clock=virtual,$1,capture=$work/$2" -- sh -c \
		"'$walker'; '$umadrig' ctl fault list" >"$work/out" 2>"$work/err"
}
# NAME: the lies in the capture, each with the port that it leaves.
lies() {
	"$umadrig" show "$work/$1" 2>/dev/null |
	sed -n 's/^ *[0-9]* *[0-9.]*ms *\([^ ]*\) .*: \(lie .* -> [^;]*\)$/\1 \2/p'
}

walk "fault=lie NodeInfo.LocalPortNum=255 all from leaf-1" one.pcapng
count=$(lies one.pcapng | grep -c .)
tap_ok "a node lies" test "$count" -gt 1
tap_is "and no other" "$(lies one.pcapng | cut -d' ' -f1 | sort -u)" "S-0002c90200000001[0]"
tap_is "in the field, by its name in the dictionary" \
	"$(lies one.pcapng | sed 's/^[^ ]* //; s/ [0-9]* -> / N -> /' | sort -u)" \
	"lie NodeInfo.LocalPort N -> 255"
tap_is "captures have what was said" "$("$umadrig" show --json "$work/one.pcapng" 2>/dev/null |
	grep -c '"LocalPort": *255')" "$count"
tap_has "the rules count lies" "$(cat "$work/out" "$work/err")" "$count"
tap_has "a program takes it for true" "$(cat "$work/out" "$work/err")" "LocalPortNum 255"

walk "fault=lie any 5% class=0x81,seed=7" a.pcapng
walk "fault=lie any 5% class=0x81,seed=7" b.pcapng
walk "fault=lie any 5% class=0x81,seed=8" c.pcapng
tap_ok "lies of many kinds" test "$(lies a.pcapng | sed 's/.*lie \([^ ]*\) .*/\1/' | sort -u | grep -c .)" -gt 5
tap_is "the seed decides which" "$(lies a.pcapng)" "$(lies b.pcapng)"
tap_ok "another one draws others" test "$(lies a.pcapng)" != "$(lies c.pcapng)"

# ---- explore ----
"$umadrig" explore --runs 20 --output "$work/found" --fabric "$fabric,fault=lie NodeInfo.LocalPort=+1 2%" \
	-- "$walker" >"$work/out" 2>"$work/err"
tap_is "a program that breaks on a lie is found" "$?" 1
tap_is "one lie is left" "$(sed -n 's/^  shrunk to: .*fault=//p' "$work/out")" "lie NodeInfo.LocalPort=+1 2% 1"
tap_ok "the report names it" grep -Eqx \
	'  lies:    lie NodeInfo.LocalPort [0-9]+ -> [0-9]+, frame [0-9]+ from [SH]-[0-9a-f]*\[[0-9]+\]' "$work/out"
kept=$(sed -n 's/^  kept in: //p' "$work/out")
frame=$(sed -n 's/.*, frame \([0-9]*\) from.*/\1/p' "$work/out")
tap_has "the frame is that of the capture" "$("$umadrig" show "$kept/capture.pcapng" 2>/dev/null |
	grep "^ *$frame ")" ": lie NodeInfo.LocalPort "
command=$(sed -n 's/^  repeat:  umadrig //p' "$work/out")
eval "'$umadrig' $command" >"$work/again" 2>&1
tap_is "and the command repeats it" "$(sed -n 's/^  lies: *//p' "$work/again")" \
	"$(sed -n 's/^  lies: *//p' "$work/out")"
tap_done
