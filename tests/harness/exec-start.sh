#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-start: programs that come when something happens, and programs that say whether what must
# hold does: in virtual time, at the same instant each time, and refused where nobody starts them.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
# Times are printed to the nanosecond.
PATH=$top_builddir/tests/tools/exact:$PATH

unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
probe=$top_builddir/tests/tools/exec-probe
walker=$top_builddir/tests/tools/fabric-walk
export probe walker umadrig
tab=$(printf '\t')

# SCRIPT OPTION...: standard output is in $out, and errors are in $err.
session() {
	script=$1
	shift
	out=$(timeout -s KILL 60 "$umadrig" exec --fabric "${fabric:-,clock=virtual}" "$@" -- \
		sh -c "$script" 2>err </dev/null)
	status=$?
	err=$(grep -v '^simulated fabric: ' err)
}
# The session's time in seconds, and its parts of a second.
now='date +%S.%N'

# ---- started ----
session '"$probe" open >open; sleep 20' --do "after 5s start $now; sleep 2; $now"
tap_is "a program comes later, and takes time of its own" "$status:$err:$out" \
"0::25.000000000
27.000000000"
session '"$probe" open >open; sleep 20; echo end' --do 'start echo "a  b" $((1 + 1)) ">"' \
	--do "after 1s start cat; echo 'in' >&2"
tap_is "the shell takes it apart; its input is empty" "$status:$err:$out" \
"0:in:a  b 2 >
end"
session '"$probe" open >open; sleep 2; "$probe" open >open; sleep 20; wait; echo "wait $?"' \
	--when "log-has $work/open lid do start $now; exit 5"
tap_is "when a condition is true, and the first program has no child by it" "$status:$err:$out" \
"0::20.000000000
wait 0"
session '"$probe" open >open; sleep 5' --do 'after 1s start exec sleep 100' --grace 3s
tap_is "what still runs at the end is ended" "$status:$err" "0:"
session '"$probe" open >open; sleep 5; "$umadrig" ctl start "$probe" open; sleep 1' \
	--do 'after 100s start true'
tap_has "who has somebody that starts programs may start more" "$status:$out" "0:"
tap_has "which are on the fabric" "$out" "H1 lid 1"

# No program takes its turn while all these MADs cross cables: they wait, all but the first one.
fabric=generate:fat-tree:16,8,clock=virtual
session '"$walker" >walk.out; "$walker" >walk.out; sleep 10; wc -l started' \
	--when 'all SubnGet() do start echo >>started'
tap_is "1,024 wait to be started, and no more" "$status:$out" "0:1025 started"
tap_is "what is said of each that is not" "$(printf '%s\n' "$err" | sed 's/at [0-9.]*s/at T/' | sort -u)" \
	"umadrig: at T: start echo >>started: 1024 programs wait already, to be started or for their end, \
and no more may: start one at fewer MADs ('when 5 ...', 'when 1% ...'), or ask less often ('every 10s')"
fabric=,clock=virtual

# ---- asked ----
session '"$probe" open >open; sleep 60; "$umadrig" ctl property list' \
	--always "program 'echo no; echo at \$($now); test \$(date +%S) -lt 40' every 5s within 0" \
	--always "program 'test \$(date +%S) -ne 40' within 15s" \
	--never 'program "$probe" open  >asked every 30s' \
	--sometimes "program 'test x = x' every 20s" \
	--sometimes 'program exit 1'
tap_is "programs that say no" "$status:$err" \
"1:umadrig: at 20.000s: always program 'echo no; echo at \$($now); test \$(date +%S) -lt 40' every 5s: \
it exits with 1 (at 40.000000000)
umadrig: at 30.000s: never program \"\$probe\" open >asked every 30s: it exits with 0
umadrig exec: 2 of 5 properties did not hold"
tap_is "their states" "$(printf '%s\n' "$out" | cut -f 1,3)" \
"1${tab}met at 20.000s
2${tab}holds
3${tab}broken at 20.000s
4${tab}holds
5${tab}broken at 30.000s"
session '"$probe" open >open; sleep 100' --always "program 'kill \$\$'"
tap_is "one that a signal ends, for as long as it is allowed" "$status:$err" \
"1:umadrig: at 70.000s: always program 'kill \$\$': signal 15 ends it, for 60s
umadrig exec: 1 of 1 property did not hold"
session '"$probe" open >open; sleep 40; cat times' \
	--always "program '$now >>times; sleep 12' every 5s" --never "program 'sleep 1000; false' every 5s"
tap_is "one that runs is not asked again before it has ended" "$status:$out" \
"0:25.000000000
40.000000000
55.000000000"

# What counts is what it says when the time has come.
session '"$probe" open >open; sleep 40; "$umadrig" ctl property list' --heal 12s \
	--finally "program 'sleep 1; test \$(date +%S) -eq 38' within 5s" \
	--finally "program 'test \$(date +%S) -eq 38' within 5s"
tap_is "finally: asked when it is due" "$status:$(printf '%s\n' "$out" | cut -f 1,3,4)" \
"1:1${tab}met at 18.000s
2${tab}broken at 17.000s${tab}it exits with 1, after 5s"
session '"$probe" open >open; sleep 5' --finally 'program false' --always 'program false'
tap_is "what was never asked is not judged" "$status:$err" "0:"

# ---- umadrig explore ----
timeout -s KILL 100 "$umadrig" explore --output found --runs 6 --twice \
	--fabric 'generate:fat-tree:4,4,fault=drop 5%' \
	--when '3 SubnGet(PortInfo) do start "$walker" -r 20 >>$UMADRIG_RUN/walks' \
	--each 'start "$walker" -r 20 >>$UMADRIG_RUN/walks' \
	--always "program '\"\$walker\" -r 20 >>\$UMADRIG_RUN/walks' every 5s" \
	-- sh -c '"$walker" -r 20 >>$UMADRIG_RUN/walks; sleep 60; test "$(wc -l <$UMADRIG_RUN/walks)" -ge 8' >out 2>&1
tap_is "each run twice, with the same bytes" "$?:$(tail -n 1 out | sed 's/;.*//')" "0:6 runs, 0 failed"
tap_ok "of many MADs" test "$(sed -n 's/.*, \([0-9]*\) MADs in all.*/\1/p' out)" -gt 1000
cat >judged.plan <<'END'
runs 2
no-shrink
always program 'echo "it is $(date +%S)"; exit 3' every 7s within 0
command "$probe" open; sleep 30
END
rm -rf found
timeout -s KILL 100 "$umadrig" explore --output found --plan judged.plan >out 2>&1
tap_has "in a plan, and in what failed" "$(cat out)" "run 1: always program \
'echo \"it is \$(date +%S)\"; exit 3' every 7s: it exits with 3 (it is 27) (broken at 7.000s)"
tap_has "the command repeats it" "$(sh -c "$(sed "s|^umadrig |\"$umadrig\" |" found/failure-000001/command)" 2>&1)" \
	"it exits with 3 (it is 27)"

# ---- a scenario as a condition ----
cat >lid.mad <<'END'
scenario "the port has LID 1"

0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register(fd, class=0x81, methods={Get})
+0       umad_send(fd, a, timeout=100ms, SubnGet(PortInfo) hop_cnt=0) = 0
+0~+1s   umad_recv(fd) = a, status=0 mad.status=0x8000 SubnGetResp(PortInfo) { Lid=1 }
END
session 'sleep 60' --do 'after 25s Baselid H1[1] 7' \
	--always "program '\"\$umadrig\" run --backend attach --port A=H1/1 lid.mad' within 20s"
tap_is "a scenario that passes, and then fails for too long" "$status:$err" \
"1:umadrig: at 50.000s: always program '\"\$umadrig\" run --backend attach --port A=H1/1 lid.mad': \
it exits with 1 (#        0.000ms    recv SubnGetResp(PortInfo) tid=0x0000000400000001 status=0x8000  line 6   \
DIFFERS), for 20s
umadrig exec: 1 of 1 property did not hold"
session '"$umadrig" run --backend attach --port A=H1/1 lid.mad; "$umadrig" run --backend attach --port A=H2/1 lid.mad'
tap_has "in the session itself" "$out" "# umadrig 0.1.0: backend attach H1/1 -> no peer, the server's clock; "
tap_has "it passes" "$out" "ok 1 - lid.mad: the port has LID 1"
tap_is "a port that is none" "$status:$err" \
"99:umadrig run: --port A=H2/1: there is no such port; did you mean H1/1?
The ports of this host:
  H1/1         InfiniBand, Active"
"$umadrig" run --backend attach --port A=H1/1 lid.mad >out 2>&1
tap_is "without a server" "$?:$(head -n 1 out)" "2:umadrig run: --backend attach needs a fabric server in \
UMAD_BACKEND: run it below 'umadrig exec', or with what 'umadrig env' prints"
UMAD_BACKEND=attach:$work/none "$umadrig" run --backend attach --port A=H1/1 lid.mad >out 2>&1
tap_is "a server that is not there" "$?:$(tail -n 1 out)" \
	"99:umadrig run: --port A=H1/1: no fabric server answers, or it has no devices"

# ---- refused ----
session true --do 'start'
tap_lacks "ibsim's Start needs nobody" "$err" "start:"
fabric=,latency=0
session true --do 'start true'
tap_is "in real time" "$status:$err" "125:umadrig exec: start true: this fabric knows of no programs: \
'umadrig exec' with clock=virtual and 'umadrig explore' do"
session true --always 'program true'
tap_is "a condition as well" "$status:$err" "125:umadrig exec: always program true: this fabric knows of no \
programs: 'umadrig exec' with clock=virtual and 'umadrig explore' do"
fabric=,clock=virtual
session '"$probe" open >open; "$umadrig" ctl start true; "$umadrig" ctl always program true'
tap_is "where nobody starts programs" "$err" "umadrig ctl: nobody starts programs: say at the \
session's beginning that one is to be started, by --when, --do or a condition 'program'
umadrig ctl: nobody starts programs: say at the session's beginning that one is to be started, by --when, \
--do or a condition 'program'"
many=$(seq -s ' ' 40)
printf 'when all do start echo %s\ncommand true\n' "$many" >many.plan
session true --plan many.plan
tap_is "a command of too many words, in a plan" "$status:$(printf '%s\n' "$err" | sed 's/echo .*40/echo/')" \
"125:umadrig exec: many.plan:1: when all do start echo: more than 32 words; put names with blanks in double \
quotes, and what is to be started into a script"
tap_has "nobody else is an attendant" "$("$umadrig" attendant 2>&1; echo "$?")" "'attendant' is for umadrig exec"
tap_done
