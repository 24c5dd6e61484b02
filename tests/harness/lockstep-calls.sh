#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-calls: what each call does in virtual time (tests/tools/lockstep-calls.c), twice.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
calls=$top_builddir/tests/tools/lockstep-calls
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
. "$top_srcdir/tests/rig/audit.sh"

# NAME FABRIC: a test for each row; the output is in $work/NAME
rows() {
	timeout -s KILL 60 "$umadrig" exec --fabric "$2" -- "$calls" >"$work/$1" 2>"$work/err" \
		</dev/null
	while read -r line; do
		case $line in
		"ok "*) tap_pass "$1: ${line#* - }" ;;
		"not ok "*) tap_fail "$1: ${line#* - }" ;;
		*) printf '# %s\n' "$line" ;;
		esac
	done <"$work/$1"
	tap_lacks "$1: nobody dies unseen" "$(cat "$work/err")" "killed while running"
	tap_is "$1: rings and debuggers are refused by name, once" \
		"$(grep -c "asks for a ring of io_uring(7)\|wants to trace a program" "$work/err")" 2
	tap_is "$1: all of them" "$(grep -c '^1\.\.' "$work/$1")" 1
	if [ "$audit" ]; then
		tap_lacks "$1: no system call bypasses virtual time" "$(cat "$work/err")" \
			"bypasses virtual time"
		tap_has "$1: of all that were made" "$(cat "$work/err")" "audit: of "
	else
		tap_skip "$1: no system call bypasses virtual time" "$no_audit"
	fi
}

rows "in order" ",clock=virtual$audit"
rows "once more" ",clock=virtual$audit"
tap_ok "the same, to the nanosecond and the random byte" cmp "$work/in order" "$work/once more"
for seed in 1 2 3; do
	rows "schedule $seed" ",clock=virtual$audit,schedule=$seed"
done

# Programs send memory that they have not set. It ends with 0 itself, and opens no device: 124.
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- "$top_builddir/tests/tools/lockstep-left" \
	>"$work/left" 2>&1 </dev/null
tap_is "no call leaves a number of the kernel's behind" "$?:$(grep '^not ok\|^# ' "$work/left")" 124:
tap_is "of all of them" "$(grep -c '^ok' "$work/left")" "$(sed -n 's/^1\.\.//p' "$work/left")"

# In real time they are not so: the rows can fail.
timeout -s KILL 60 "$umadrig" exec -- "$calls" clock_gettime >"$work/real" 2>/dev/null
tap_is "in real time rows fail" "$(grep -c '^not ok' "$work/real")" 1

library=$top_builddir/.libs/libumadlockstep.so
tap_is "the library needs libc only" \
	"$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')" libc.so.6
tap_is "and starts before all others" "$(readelf -d "$library" | grep -c INITFIRST)" 1
tap_done
