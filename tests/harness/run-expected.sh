#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-expected: umadrig run --expected-failures.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

mkdir suite
cat >suite/a.mad <<'END'
scenario "fails #1"
0 fd = umad_open_port($CA, $PORT)
+0 umad_close_port(fd) = 3

scenario "passes"
0 note "text"

scenario "skipped"
needs program nosuchprogram
0 note "text"
END
cat >suite/b.mad <<'END'
scenario "runs [0s]"
clock real
0 run sh -c "kill -KILL $PPID" fabric=no
END

# NAME STATUS WORD...: runs the suite; the points, and what it says on stderr.
run() {
	name=$1 status=$2
	shift 2
	"$umadrig" run --expected-failures known suite/a.mad "$@" >out 2>err
	tap_is "$name: status" $? "$status"
}

cat >known <<'END'
# what is known

a.mad: fails /1   # CLOSE-3, and #4
  other/c.mad: something else # no such script here
END
run "a failure that is expected" 0 --junit r.xml --json r.json
tap_is "it is marked" "$(grep -E '^(not )?ok' out | head -n 2)" "not ok 1 - a.mad: fails /1 # TODO CLOSE-3, and #4
ok 2 - a.mad: passes"
tap_has "with its report" "$(cat out)" 'message: "umad_close_port() returned 0, not 3"'
tap_has "in JSON" "$(cat r.json)" '"verdict":"expected failure","issue":"CLOSE-3, and #4"'
tap_has "in JUnit it is skipped" "$(cat r.xml)" '<skipped message="expected failure (CLOSE-3, and #4): umad_close_port() returned 0, not 3"'
run "until it fails: that does not count" 0 --until-fail --repeat 2

printf 'a.mad: passes # NO-1\r\na.mad: fails /1 # CLOSE-3\r\na.mad: skipped # NO-2\n' >known
run "a pass that is not expected" 1 --json r.json
tap_has "it fails" "$(cat out)" "not ok 2 - a.mad: passes
"
tap_has "and says what to do" "$(cat out)" \
	'message: "it passes, but known:1 says that it fails (NO-1): remove that line"'
tap_has "in JSON" "$(cat r.json)" '"verdict":"unexpected pass","issue":"NO-1"'
tap_has "what is skipped is skipped" "$(cat out)" "ok 3 - a.mad: skipped # SKIP"

printf 'a.mad: fails /1 # CLOSE-3\nb.mad: runs [0s] # KILL-1\n' >known
run "what is inconclusive is no failure, expected or not" 98 suite/b.mad
tap_has "it is inconclusive" "$(cat out)" "verdict: inconclusive"

# NAME TEXT MESSAGE
refused() {
	printf '%s' "$2" >known
	run "$1" 2
	tap_has "$1: the message" "$(cat err)" "$3"
	tap_is "$1: nothing is run" "$(cat out)" ""
}
refused "no issue" 'a.mad: passes' "known:1: expected '# ISSUE' after the name"
refused "an empty issue" '
a.mad: passes  #  ' "known:2: expected '# ISSUE' after the name"
refused "no name" 'a.mad # X' "known:1: expected the name of a point, as TAP prints it"
refused "one point twice" 'a.mad: passes # X
a.mad: passes # Y' "known:2: this point is in line 1 already"
refused "no such point" 'a.mad: pases # X' "known:1: a.mad has no such point; did you mean 'a.mad: passes'?"
refused "two mistakes" 'x
y' "known:2: expected"
rm known
run "no such file" 2
tap_has "it is named" "$(cat err)" "--expected-failures: Failed to open file"

tap_done
