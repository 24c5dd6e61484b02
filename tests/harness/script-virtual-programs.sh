#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-virtual-programs: programs of scenarios share the script's virtual
# time, lines come at their instants, and two runs write the same capture.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibstat
. "$top_srcdir/tests/rig/audit.sh"

nap="$(cd "$top_builddir" && pwd)/tests/tools/exec-probe nap"
stuck="$(cd "$top_builddir" && pwd)/tests/tools/lockstep-stuck"
case $umadrig in /*) ;; *) umadrig=$PWD/$umadrig ;; esac
# Times are printed to the nanosecond.
PATH=$(cd "$top_builddir" && pwd)/tests/tools/exact:$PATH
cd "$work" || exit 99
mkdir temporary
export TMPDIR="$work/temporary" TZ=UTC LC_ALL=C
can_fix=$(setarch -R true 2>/dev/null && echo yes)

# NAME EXPECTED LINE...: the message of the failure, or "ok".
says() {
	name=$1 expected=$2
	shift 2
	{ echo 'scenario "s"'; printf '%s\n' "$@"; } >s.mad
	out=$(timeout -s KILL 300 "$umadrig" run --timeout 240 ${audit:+--audit} s.mad 2>/dev/null)
	tap_is "$name" "$(printf '%s\n' "$out" | sed -n 's/^  message: //p; s/^ok .*/ok/p')" \
		"$expected"
}

says "an hour" ok '0 run sleep 3600 fabric=no' '3600s check counter(self, PortXmitPkts) == 0' \
	'+0 run date +%T = 0, prints="23:13:20" fabric=no'
says "processes below one" ok '0 run sh -c "(sleep 5; date +%T) & sleep 10; wait; date +%T" = 0, prints={"22:13:25", "22:13:30"} fabric=no' '10s check counter(self, PortXmitPkts) == 0'
printf '#!/no-such-interpreter\n' >odd
chmod 755 odd
says "one that is refused: what to do instead is a sentence of its own" "\"$work/odd cannot be run: $work/odd is a script \
for /no-such-interpreter.\\ncannot read /no-such-interpreter (No such file or directory), and so cannot tell whether it \
would load umadrig's library.\\nMake it readable (chmod a+r), or run a copy. Or have the scenario in real time ('clock \
real').\"" "0 run $work/odd fabric=no"
says "two programs and the script take turns" ok \
	"0 start a = run sh -c \"$nap 1; echo a >>f; $nap 2; echo a >>f\" fabric=no" \
	"0 start b = run sh -c \"$nap 2; echo b >>f; $nap 2; echo b >>f\" fabric=no" \
	'1500ms run sh -c "echo s >>f" fabric=no' '3s run sh -c "echo s >>f" fabric=no' \
	'5s run sh -c "paste -sd, f" = 0, prints="a,s,b,a,s,b" fabric=no' '+0 end a = 0' '+0 end b = 0'
says "one is stopped at an instant" ok '0 start p = run sleep 600 fabric=no' '+0 run true fabric=no' '5s stop p' \
	'+0 end p = 143'
says "what it does then is in its own time" ok \
	'0 start p = run sh -c "trap \"date +%T; exit 3\" TERM; while :; do sleep 1; done" fabric=no' \
	'7500ms stop p' '+0~+2s end p = 3, prints="22:13:27"'
# More real time than it is waited for in one go; another has something to do each millisecond.
says "one that computes for long has ended at its instant" ok \
	'0 start t = run sh -c "while :; do sleep 0.001; done" fabric=no' \
	'0 run sh -c "sleep 1; i=0; while [ $i -lt 500000 ]; do i=$((i + 1)); done" fabric=no' \
	'+0 run date +%T.%N = 0, prints="22:13:21.000000000" fabric=no'
says "again and again in a window" ok '0~20s run sh -c "echo >>f; wc -l <f" = 0, prints="3" fabric=no' \
	'+0 run date +%T = 0, prints="22:13:20" fabric=no'
says "one that never ends by itself" '"sleep: it has not ended"' '0 start p = run sleep 600 fabric=no' \
	'+0~+200ms end p = 0'
says "one that waits for nothing that can come" '"sh: it has not ended"' \
	'0~60s run sh -c "mkfifo f; read x <>f" fabric=no'
says "one that is killed while it waits" ok '0 start p = run sh -c "echo $$ >pid; exec sleep 600" fabric=no' \
	'1s run sh -c "kill -9 $(cat pid)" fabric=no' '+0 end p = 137'
if env --ignore-signal=CHLD true 2>/dev/null; then
	printf '%s\n' 'scenario "s"' '0 run sh -c "exit 3" = 3 fabric=no' '+0 start p = run sleep 3 fabric=no' \
		'+3s~+3001ms end p = 0' >s.mad
	out=$(timeout -s KILL 300 env --ignore-signal=CHLD "$umadrig" run s.mad 2>/dev/null)
	tap_is "a parent that ignores SIGCHLD does not matter" \
		"$(printf '%s\n' "$out" | grep -c '^ok 1')" 1
else
	tap_skip "a parent that ignores SIGCHLD does not matter" "env has no --ignore-signal"
fi
says "one that ignores SIGTERM, and one that it leaves" ok \
	'0 start p = run sh -c "trap : TERM; sleep 1000; sleep 1000; sleep 1000" fabric=no' \
	'+0 run sh -c "setsid sleep 1000 >/dev/null 2>&1 &" fabric=no' '+1s run true fabric=no'
says "the tools see the fabric" ok '0 run ibstat = 0, prints="Base lid: 1"' '+0 link down self' \
	'+0 run ibstat = 0, prints="State: Down"'
says "the script's own port is on it" ok '0 fd = umad_open_port($CA, $PORT)' \
	'+0 a = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Get})' \
	'+0 start r = umad_recv(fd, timeout=10s)' '+0 run perfquery 2 1 = 0, prints="PortSelect"' \
	'10s end r = -ETIMEDOUT'
why=$("$umadrig" exec --fabric ,clock=virtual -- /sbin/ldconfig -p 2>&1 >/dev/null | grep "past libc, and")
if [ "$why" ]; then
	tap_skip "a static program" "$why"
elif ldd /sbin/ldconfig 2>&1 | grep -q "statically linked\|not a dynamic"; then
	says "a static program" ok '0 run /sbin/ldconfig -p = 0, prints="libs found in cache" fabric=no'
else
	tap_skip "a static program" "there is no /sbin/ldconfig that is static"
fi
printf '%s\n' 'scenario "s"' '0 run sleep 1 fabric=no' '+0 run ls /proc/self/fd fabric=no' >s.mad
tap_has "--how filter means real time" "$("$umadrig" run --how filter s.mad 2>/dev/null)" "ok 1"
printf '%s\n' 'scenario "s"' 'clock virtual' \
	'0 run grep -c "^Seccomp:.*2$" /proc/self/status = 0 fabric=no' >s.mad
tap_has "and virtual time below the filter where that was asked for" \
	"$("$umadrig" run --how filter s.mad 2>/dev/null)" "ok 1"

if [ "$audit" ]; then
	says "a system call that bypasses virtual time" \
		'"--audit: system calls bypassed virtual time, or no program ran: stderr names them"' \
		"0 run $stuck look fabric=no"
	tap_has "it is named" "$(timeout -s KILL 300 "$umadrig" run --audit s.mad 2>&1)" \
		"  lockstep-stuck, thread 1: poll (7), 3 times"
	tap_has "without --audit it passes" "$("$umadrig" run s.mad 2>/dev/null)" "ok 1"
	says "programs in real time" '"--audit is of virtual time: these programs run in real time"' \
		'clock real' '0 run true fabric=no'
else
	tap_skip "a system call that bypasses virtual time" "$no_audit"
fi

# ---- schedules ----

# Two programs that wake at the same instants: each row of "orders" is a run, as N:ORDER.
racers() {
	printf '%s\n' "$@" "0 start a = run sh -c \"for i in 1 2 3 4 5 6; do $nap 1; printf a >>f; done\" fabric=no" \
		"0 start b = run sh -c \"for i in 1 2 3 4 5 6; do $nap 1; printf b >>f; done\" fabric=no" \
		'10s end a = 0' '10s end b = 0'
}
look="+0 run sh -c \"echo \$1:\$(cat f) >>$work/orders\" sh \$n fabric=no"
orders() {
	rm -f orders
	timeout -s KILL 300 "$umadrig" run ${audit:+--audit} "$@" race.mad >race.out 2>&1
	cat orders
}
racers 'scenario "s"' 'vary n in 0..7' 'schedule $n' >race.mad
echo "$look" >>race.mad
orders >first
tap_is "a scenario has a point for each schedule" "$(cut -d: -f1 first | paste -sd,)" \
	"0,1,2,3,4,5,6,7"
tap_is "schedule 0 is in order" "$(sed -n 's/^0://p' first)" "abababababab"
tap_is "others have other orders" \
	"$([ "$(cut -d: -f2 first | sort -u | wc -l)" -ge 4 ] && echo yes)" yes
orders >second
tap_ok "each is the same twice" cmp first second
tap_is "--schedule is for all of them" "$(orders --schedule 5 | cut -d: -f2 | sort -u)" \
	"$(sed -n 's/^5://p' first)"
racers 'scenario "s"' 'vary n in 9' >race.mad
echo "$look" >>race.mad
tap_is "each round has the next one" "$(orders --repeat 8 | cut -d: -f2)" "$(cut -d: -f2 first)"
tap_is "the first of them the one that is asked for" \
	"$(orders --repeat 3 --schedule 5 | cut -d: -f2)" "$(sed -n 's/^[567]://p' first)"
racers 'scenario "s"' 'clock real' 'schedule 3' >race.mad
tap_has "real time has no schedule" "$("$umadrig" run race.mad 2>&1)" \
	"'schedule' is of virtual time"
racers 'scenario "s"' 'schedule $n' >race.mad
tap_has "a name that does not vary" "$("$umadrig" run race.mad 2>&1)" '$n is not varied'
racers 'scenario "s"' 'schedule 3s' >race.mad
tap_has "what is no number" "$("$umadrig" run race.mad 2>&1)" \
	"expected a number, or \$NAME of a line 'vary'"
printf '%s\n' 'scenario "s"' 'seed 3' '0 run false fabric=no' >fails.mad
tap_has "a failure names the schedule, and how to have it again" \
	"$("$umadrig" run --repeat 2 fails.mad 2>/dev/null)" '  schedule: 1
  repro: "umadrig run --seed 4 --schedule 1 fails.mad"'
tap_has "JSON has it, too" "$("$umadrig" run --schedule 7 --json run.json fails.mad 2>/dev/null
	cat run.json)" '"seed":"3","schedule":"7"'
tap_has "--explain shows it" "$("$umadrig" run --explain --schedule 7 fails.mad 2>&1)" \
	"seed 3; schedule 7"
tap_has "a wrong one" "$("$umadrig" run --schedule x fails.mad 2>&1)" "--schedule x"

printf '%s\n' 'scenario "s"' '0 run sh -c "while :; do :; done" fabric=no' >s.mad
tap_has "one that computes for ever is held against real time" \
	"$(timeout -s KILL 300 "$umadrig" run --timeout 0.5 s.mad 2>/dev/null)" \
	'message: "TIMED OUT after 500ms of real time: sh has not ended"'
tap_is "nothing is left behind" "$(ls "$TMPDIR" | grep -c umadrig-)" 0

{ echo 'scenario "s"'; echo '0 run smpquery nodeinfo 2'; } >s.mad
"$umadrig" run --keep kept s.mad >/dev/null 2>&1
mv kept/*.pcapng asked.pcapng
says "a capture is compared with its times" ok '0 run smpquery nodeinfo 2' '+0 wire == "asked.pcapng"'
says "and one that is later is not the same" \
	'"the wire differs: conversations of asked.pcapng: 1 changed, 0 missing, 0 extra, 0 the same"' \
	'1s run smpquery nodeinfo 2' \
	'+0 wire == "asked.pcapng"'
{ echo 'scenario "s"'; echo 'clock real'; echo '0 run smpquery nodeinfo 2'; echo '+0 wire == "asked.pcapng"'; } >s.mad
tap_has "which real time has to do without" "$("$umadrig" run s.mad 2>&1)" \
	"where programs run in real time ('clock real'), a capture needs 'ignoring time'"

for program in opensm saquery; do
	command -v "$program" >/dev/null || { tap_skip "opensm" "there is no $program"; tap_done; }
done
cat >sm.mad <<END
scenario "a switch loses its power while OpenSM sweeps"
topology "$(cd "$top_srcdir" && pwd)/scenarios/programs/three-hosts.net" self="H1[1]" state=cold
0        start sm = run opensm -f osm.log -s 1 -t 50
10s      run sh -c "saquery NR | grep -c 'NodeRecord dump'" = 0, prints="5"
30s      power off "S2"
40s      run sh -c "saquery NR | grep -c 'NodeRecord dump'" = 0, prints="3"
+1s      stop sm
+1s      end sm = 0
END
for run in one two; do
	tap_ok "opensm, $run" timeout -s KILL 300 "$umadrig" run --keep "$run" sm.mad
done
if [ "$can_fix" ]; then
	tap_ok "both have the same capture" cmp one/*.pcapng two/*.pcapng
	tap_ok "which --twice compares" timeout -s KILL 300 "$umadrig" run --twice sm.mad
else
	tap_skip "both have the same capture" "addresses cannot be fixed here"
fi
tap_done
