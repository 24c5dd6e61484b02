#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-watch: umadrig run --watch runs again when something changes that a run depends on.
set -u
. "$top_srcdir/tests/rig/tap.sh"

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
watching=
trap '[ -z "$watching" ] || kill "$watching"; rm -rf "$work"' EXIT
cd "$work" || exit 99

mkdir suite suite/deep
printf 'scenario "one"\ninclude "part.inc"\n' >suite/one.mad
printf '0 note "text"\n' >suite/part.inc
printf 'scenario "two"\ntopology "../two.net"\n0 note "text"\n' >suite/two.mad
"$umadrig" topology --generate fat-tree:8,4 >two.net 2>/dev/null

# WHICH: waits until it waits for the WHICHth time.
waits() {
	while [ "$(grep -c 'waiting for a change' err)" -lt "$1" ]; do
		kill -0 "$watching" 2>/dev/null || { tap_fail "it still runs" "$(cat out err)"; tap_done; exit 1; }
		sleep 0.05
	done
}
# NAME POINTS: after the change that NAME describes.
again() {
	runs=$((runs + 1))
	waits "$runs"
	tap_is "$1: the runs" "$(grep -c '^TAP version' out)" "$runs"
	tap_is "$1: the last one" "$(sed -n '/^TAP version/{h;d;};H;${x;p;}' out | grep -E '^(not )?ok')" "$2"
}

: >out
: >err
"$umadrig" run --watch --json r.json suite >out 2>err &
watching=$! runs=0
both='ok 1 - one.mad: one
ok 2 - two.mad: two'
again "the beginning" "$both"
echo >suite/notes.txt
echo >suite/.one.mad.swp
printf 'scenario "one, changed"\ninclude "part.inc"\n' >suite/one.mad
again "a script, not other files" 'ok 1 - one.mad: one, changed
ok 2 - two.mad: two'
printf 'scenario "one"\ninclude "part.inc"\n' >new
mv new suite/one.mad
again "a script that is replaced" "$both"
printf '0 nonsense\n' >suite/part.inc
again "what it includes" 'not ok 1 - one.mad: the script can be read
ok 2 - two.mad: two'
printf '0 note "text"\n' >suite/part.inc
again "and back" "$both"
echo damaged >two.net
again "a topology" 'ok 1 - one.mad: one
not ok 2 - two.mad: two'
"$umadrig" topology --generate fat-tree:8,4 >new 2>/dev/null
mv new two.net
again "and back again" "$both"
printf 'scenario "three"\n0 note "text"\n' >new
mv new suite/deep/three.mad
again "a new script" 'ok 1 - deep/three.mad: three
ok 2 - one.mad: one
ok 3 - two.mad: two'
tap_has "reports are written again" "$(cat r.json)" '"pass":3'
rm suite/deep/three.mad
again "one that is gone" "$both"
kill "$watching"
wait "$watching"
tap_is "a signal ends it" $? 143
watching=

"$umadrig" run --watch nowhere >out 2>err
tap_is "what is not there at the beginning is not waited for" $? 99

tap_done
