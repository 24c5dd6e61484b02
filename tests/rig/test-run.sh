#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# test-run: a test that waits for ever is ended and says what it waits for, and so is a process that
# it leaves behind.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"
run=$top_builddir/tests/rig/test-run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Whether the process whose number is in file $1 is there; a zombie is not.
alive() {
	state=$(sed 's/.*) //' "/proc/$(cat "$1")/stat" 2>/dev/null) || return 1
	case $state in Z*) return 1 ;; esac
}

# The exit status of a test is its own.
for status in 0 1 77 99; do
	"$run" sh -c "exit $status" 2>/dev/null
	tap_is "a test that exits with $status" $? "$status"
done
"$run" sh -c 'kill -SEGV $$' 2>/dev/null
tap_is "a test that a signal ends" $? 139
"$run" "$work/nosuch" 2>/dev/null
tap_is "a test that is not there" $? 127
tap_is "its output is its own" "$(echo in | "$run" sh -c 'cat; echo err >&2' 2>/dev/null)" in

# What it took, and in which order make tells so.
busy='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
took=$("$run" sh -c "sh -c '$busy'; :" 2>&1)
tap_ok "what a test took of a processor, with what it starts" expr "$took" : \
	'# took [0-9]*\.[0-9] seconds, .*[1-9].* of a processor$'
for test in 'quick 0.1 0.0' 'slow 12.5 3.2' 'slower 101.0 2.0'; do
	# shellcheck disable=SC2086 # three words
	set -- $test
	printf 'ok 1\n# took %s seconds, %s of a processor\n' "$2" "$3" >"$work/$1.log"
done
tap_is "make check-slowest" "$(env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$top_builddir" \
	check-slowest TEST_LOGS="$work/quick.log $work/slow.log $work/none.log $work/slower.log" |
	sed "s|$work/||; s/  */ /g" | tr '\n' ';')" \
	' 101.0 2.0 slower; 12.5 3.2 slow; 0.1 0.0 quick;'

# One that hangs.
out=$(TEST_SECONDS=1 "$run" sh -c 'echo $$ >"$0"; sleep 600; :' "$work/pid" 2>"$work/err")
tap_is "a test that hangs is an error" $? 99
tap_has "says so" "$out" 'Bail out! still running after 1 seconds'
tap_has "names the process" "$out" ': sleep 600'
tap_has "and what it waits for" "$out" 'system call '
alive "$work/pid"
tap_is "and is gone" $? 1

# One that leaves something behind, which has a session of its own and ignores polite signals.
cat >"$work/leave" <<'TEXT'
setsid sh -c 'trap "" TERM HUP; echo $$ >"$0.new"; mv "$0.new" "$0"; sleep 600; :' "$1" &
until [ -e "$1" ]; do sleep 0.1; done
echo '1..0'
TEXT
out=$(TEST_LINGER_SECONDS=1 "$run" sh "$work/leave" "$work/left" 2>"$work/err")
tap_is "a test that leaves a process behind ends with its own status" $? 0
tap_has "says so" "$out" 'left this behind'
tap_has "names it" "$out" ': sleep 600'
alive "$work/left"
tap_is "and it is gone" $? 1

# One whose suite is ended.
cat >"$work/end" <<'TEXT'
"$1" sh -c 'echo $$ >"$0.new"; mv "$0.new" "$0"; sleep 600; :' "$2" &
until [ -e "$2" ]; do sleep 0.1; done
kill -TERM $!
wait $!
TEXT
sh "$work/end" "$run" "$work/ended" 2>"$work/err"
tap_is "a run that is ended ends with the signal's status" $? 143
alive "$work/ended"
tap_is "and its test with it" $? 1
tap_done
