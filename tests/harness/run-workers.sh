#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-workers: umadrig run -j: the same output and captures as without; what becomes of a run when a
# worker is killed, or the run itself is ended.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# ---- the same as one at a time ----

cat >fails.mad <<'END'
scenario "fails"
0 fd = umad_open_port($CA, $PORT)
+0 a = umad_register(fd, class=4) = -EPERM

scenario "passes"
0 note "text"
END
printf 'scenario "x"\n0 nonsense\n' >unreadable.mad
suite="fails.mad unreadable.mad $top_srcdir/scenarios/timeout $top_srcdir/scenarios/umad"
for jobs in 1 3; do
	mkdir "in$jobs"
	# shellcheck disable=SC2086
	"$umadrig" run -j$jobs --ladder --twice --keep kept $suite >"$jobs.tap" 2>"$jobs.err"
	tap_is "-j$jobs: status" $? 1
	mv kept "in$jobs"
done
tap_ok "points were run" test "$(grep -c '^ok' 1.tap)" -ge 50
tap_ok "-j3 prints what -j1 does" cmp 1.tap 3.tap
tap_ok "and writes the same captures" diff -r in1 in3
tap_is "that it is a simulation is said once" "$(grep -c '^simulated fabric' 3.err)" 1
tap_ok "as many as there are points" test "$(find in1 -name '*.pcapng' | wc -l)" -ge 50
tap_is "-j 0: one on each processor" "$("$umadrig" run -j 0 fails.mad 2>/dev/null | grep -c '^ok')" 1

err=$("$umadrig" run --backend ib_umad --port A=x/1 -j2 fails.mad 2>&1)
tap_is "on real ports it is refused: status" $? 2
tap_has "and why" "$err" "-j 2 needs the simulator: on real ports one scenario would see the MADs of the other"
err=$("$umadrig" run -j -1 fails.mad 2>&1)
tap_is "a wrong number: status" $? 2
tap_has "and what it may be" "$err" "-j -1: expected a number from 1 to"

# ---- a worker is killed ----

cat >killed.mad <<END
scenario "before"
0 note "text"

scenario "killed"
clock real
0 run sh -c "sleep 1000 & echo \$! > $work/left; kill -KILL \$PPID; sleep 1000" fabric=no

scenario "behind"
0 note "text"
END
for jobs in 1 2; do
	out=$("$umadrig" run -j$jobs --json r.json --junit r.xml killed.mad 2>/dev/null)
	tap_is "-j$jobs, a worker is killed: status" $? 98
	tap_is "its point has no verdict, the others have theirs" "$(printf '%s\n' "$out" | grep -E '^(not )?ok|verdict|message')" \
'ok 1 - killed.mad: before
not ok 2 - killed.mad: killed
  verdict: inconclusive
  message: "the process that ran it was ended by signal 9 (Killed)"
ok 3 - killed.mad: behind'
	tap_has "in JSON, too" "$(cat r.json)" '"verdict":"inconclusive"'
	tap_has "in JUnit an error" "$(cat r.xml)" '<error message="the process that ran it was ended by signal 9 (Killed)" type="inconclusive">'
	tap_is "and what it had started has ended" "$(kill -0 "$(cat left)" 2>&1 | grep -c 'No such process')" 1
done
printf 'scenario "fails"\n0 fd = umad_open_port($CA, $PORT)\n+0 umad_close_port(fd) = 7\n' >>killed.mad
"$umadrig" run killed.mad >/dev/null 2>&1
tap_is "a failure is a failure" $? 1

# ---- the run is ended ----

cat >ended.mad <<END
scenario "before"
0 note "text"

scenario "runs"
clock real
0 run sh -c "echo \$\$ > $work/program; mkdir made; sleep 1000" = 0 fabric=no

scenario "behind"
0 note "text"
END
# SIGNAL STATUS [OPTION...]
ended() {
	signal=$1 status=$2
	shift 2
	rm -rf program tmp/*
	# In a shell's background SIGINT would be ignored.
	python3 - "$signal" "$work/program" "$umadrig" run --junit r.xml --json r.json "$@" ended.mad >out 2>err <<'END'
import os
import signal
import subprocess
import sys
import time

number = getattr(signal, sys.argv[1])
run = subprocess.Popen(sys.argv[3:], preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
while run.poll() is None and not (os.path.exists(sys.argv[2]) and open(sys.argv[2]).read().endswith("\n")):
    time.sleep(0.01)
run.send_signal(number)
print("ended", run.wait())
END
	tap_is "$signal $*: it ends by it" "$(grep "^ended" out)" "ended -$status"
	tap_is "what has a result is printed" "$(grep '^ok' out)" "ok 1 - ended.mad: before"
	tap_has "and that it was cut off" "$(cat out)" "Bail out! cut off by $signal after 1 results"
	tap_has "JSON says so" "$(cat r.json)" "\"cut_off\":\"cut off by $signal after 1 results\",\"status\":$((128 + status))"
	tap_has "JUnit has an error" "$(cat r.xml)" "<error message=\"cut off by $signal"
	tap_is "the program has ended" "$(kill -0 "$(cat program)" 2>&1 | grep -c 'No such process')" 1
	tap_is "nothing is left behind" "$(ls tmp)" ""
}
# The run itself is killed: its workers notice.
rm -rf program tmp/*
"$umadrig" run -j2 ended.mad >out 2>err &
run=$!
while kill -0 $run 2>/dev/null && ! [ -s program ]; do sleep 0.01; done
# It may be the wrapper that libtool makes, which then has become the program.
kill -KILL $run
wait $run 2>/dev/null
gone=0
for _ in $(seq 1000); do
	! kill -0 "$(cat program)" 2>/dev/null && [ -z "$(ls tmp)" ] && { gone=1; break; }
	sleep 0.01
done
tap_is "a run that is killed leaves neither its program nor its directory" "$gone" 1

if command -v python3 >/dev/null 2>&1; then
	ended SIGINT 2
	ended SIGTERM 15 -j2 --twice
	ended SIGHUP 1
else
	tap_skip "a run that is ended" "no python3"
fi
tap_done
