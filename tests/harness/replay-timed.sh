#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# replay-timed: what a captured port received arrives again at its times, at a simulated port in
# virtual time or at a program's in real time.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe

# H1 asks H2 after 0, 7.003 and 1507.003 ms; each answer comes at once.
cat >asked.mad <<'END'
scenario "asked"
ignore > class=4
0  fd = umad_open_port($CA, $PORT)
+0 pm = umad_register(fd, class=PERF)
+0 umad_send(fd, pm, timeout=10ms, PerfGet(ClassPortInfo) to=peer) = 0
* umad_recv(fd) = pm
+7.003ms umad_send(fd, pm, timeout=10ms, PerfGet(PortCounters) to=peer) = 0
* umad_recv(fd) = pm
+1.5s umad_send(fd, pm, timeout=10ms, PerfGet(PortCountersExtended) to=peer) = 0
* umad_recv(fd) = pm
END
tap_ok "a capture" "$umadrig" run --keep . asked.mad

# NAME TIMES LAST PORT ARGUMENT...: when they arrive, and all that is said about it.
row() {
	name=$1 times=$2 last=$3 port=$4 sent=$5
	shift 5
	rm -f out.pcapng
	said=$("$umadrig" replay asked.pcapng --mode timed "$@" 2>&1)
	tap_is "$name: status" $? 0
	tap_is "$name: count" "$(printf '%s\n' "$said" | grep -v '^simulated fabric')" \
		"umadrig replay: 3 MADs arrived at $port, the last one after $last s; $sent of the capture were sent by the captured port or by others"
	[ -z "$times" ] || tap_is "$name: times" "$("$umadrig" show out.pcapng | grep -v dropped |
		grep -c '^ *[0-9]'):$("$umadrig" show out.pcapng | awk '/> .*GetResp/ && !/dropped/ { printf "%s ", $2 }')" "3:$times"
}
own=asked.pcapng,capture=out.pcapng
row "as captured" "0.000000ms 7.003000ms 1507.003000ms " 1.507003 "H1[1]" 3 --fabric $own
row "speed 1" "0.000000ms 7.003000ms 1507.003000ms " 1.507003 "H1[1]" 3 --fabric $own --speed 1
row "speed 2" "0.000000ms 3.501500ms 753.501500ms " 0.753501 "H1[1]" 3 --fabric $own --speed 2
row "speed 0.5" "0.000000ms 14.006000ms 3014.006000ms " 3.014006 "H1[1]" 3 --fabric $own --speed=0.5
row "latency" "0.000000ms 7.003000ms 1507.003000ms " 1.508003 "H1[1]" 3 \
	--fabric ",latency=1ms,capture=out.pcapng"
row "the capture's own fabric" "" 1.507003 "H1[1]" 3
row "the other host" "" 0.150700 "H1[1]" 3 --host 2 --speed 10
row "a host by name" "" 1.507003 "H1[1]" 3 --host H1 --fabric ",latency=0us"
row "a port by name" "" 1.507003 "H2[1]" 3 --host "H2[1]" --fabric ",latency=0us"

# ---- on a terminal ----

if command -v python3 >/dev/null; then
	seen=$(TERM=xterm python3 "$top_srcdir/tests/rig/terminal.py" "$umadrig" replay asked.pcapng \
		--mode timed --fabric ,clock=real)
	tap_has "a terminal: how far it is" "$seen" ' of 3 MADs, '
	tap_has "the line goes at the end" "$seen" '\r\e[Kumadrig replay: 3 MADs arrived at H1[1]'
	seen=$(TERM=dumb python3 "$top_srcdir/tests/rig/terminal.py" "$umadrig" replay asked.pcapng \
		--mode timed)
	tap_lacks "a terminal without such a line: nothing" "$seen" "of 3 MADs,"
else
	tap_skip "a terminal: how far it is" "python3 is not installed"
fi
tap_lacks "no terminal: nothing" "$("$umadrig" replay asked.pcapng --mode timed 2>&1)" "of 3 MADs,"

# NAME MESSAGE ARGUMENT...: a command line that is refused.
wrong() {
	name=$1 message=$2
	shift 2
	said=$("$umadrig" replay "$@" 2>&1)
	tap_is "$name: status" $? 2
	tap_has "$name: message" "$said" "$message"
}
wanted="expected a number from 0.001 to 1000000, such as 2 (twice as fast) or 0.5"
wrong "speed 0" "--speed 0: $wanted" asked.pcapng --mode timed --speed 0
wrong "speed x" "--speed x: $wanted" asked.pcapng --mode timed --speed x
wrong "speed of answers" "--speed is for --mode timed, not --mode answer" asked.pcapng \
	--mode answer --speed 2 -- true
wrong "speed of questions" "--speed is for --mode timed, not --mode ask" asked.pcapng \
	--mode ask --speed 2 --fabric ",latency=0us"
wrong "speed, without --mode" "--as-of is for --mode answer, not --mode timed" asked.pcapng \
	--as-of last --speed 2
wrong "rewrite" "--rewrite lid: expected tid" asked.pcapng --mode timed --rewrite lid
wrong "rewrite of answers" "--rewrite is for --mode timed, not --mode answer" asked.pcapng \
	--mode answer --rewrite tid -- true
wrong "as-of" "--as-of is for --mode answer, not --mode timed" asked.pcapng --mode timed --as-of last
wrong "ignoring" "--ignoring is for --mode ask, not --mode timed" asked.pcapng -m timed -i tid
wrong "no such host" "--host H7: expected the name of a host" asked.pcapng -m timed --host H7 \
	--fabric ",latency=0us"
wrong "no such port" "--host H1[4]: expected the name of a host" asked.pcapng -m timed \
	--host "H1[4]" --fabric ",latency=0us"
wrong "no such host of the capture" "host '7' sent nothing in the capture; requests came from LID 1" \
	asked.pcapng -m timed --host 7
wrong "no such fabric" "nothing.net" asked.pcapng -m timed --fabric nothing.net
wrong "no such capture" "nothing.pcap" nothing.pcap -m timed
wrong "a fabric and a command" "the fabric is the capture's own" asked.pcapng -m timed \
	--fabric ",latency=0us" -- true
wrong "a real port of another kind" "--backend sim: expected ib_umad" asked.pcapng -m timed -b sim
wrong "a real port and a fabric" "--fabric is for simulated fabrics, not --backend ib_umad" \
	asked.pcapng -m timed -b ib_umad --fabric ",latency=0us"
wrong "a real port and TIDs" "--rewrite is for simulated fabrics" asked.pcapng -b ib_umad --rewrite tid
wrong "a real port and a command" "--backend ib_umad runs no command" asked.pcapng -m timed \
	-b ib_umad -- true
wrong "a destination of nothing" "--to needs --backend ib_umad" asked.pcapng --to 7
wrong "a port of nothing" "--port needs --backend ib_umad" asked.pcapng -m timed --port sim0/1
wrong "writes of nothing" "--allow-writes needs --backend ib_umad" asked.pcapng -m timed \
	--allow-writes sim0/1
wrong "a destination of questions" "--to is for --mode timed, not --mode ask" asked.pcapng -m ask --to 7
wrong "no port" "--port 'rxe0': expected CA/PORT" asked.pcapng -m timed -b ib_umad --port rxe0
if [ ! -e /sys/class/infiniband_mad ]; then
	wrong "no such real port" "rxe9/1 cannot be opened" asked.pcapng -m timed -b ib_umad --port rxe9/1 --to 7
else
	tap_skip "no such real port" "there are devices"
fi
tap_has "--help has it" "$("$umadrig" replay --help)" "--speed=N[.N]"

# A program: its times begin when it opens the port. --speed implies the mode.
"$umadrig" replay asked.pcapng --speed 1000 -- "$probe" then sleep 0.3 >out 2>err
tap_is "a program" "$?:$(cat out)" "0:H1 lid 1"
tap_has "all arrives while it runs" "$(cat err)" \
	"MADs that arrived at their times: 3; that were still to come: 0; that the capture has of other ports, or as sent from this one: 3"
"$umadrig" replay asked.pcapng --mode timed --speed 0.001 -- "$probe" then sleep 0.1 >out 2>err
tap_is "a program that ends early" "$?:$(cat out)" "0:H1 lid 1"
tap_has "the rest is counted" "$(cat err)" "MADs that arrived at their times: 1; that were still to come: 2;"
"$umadrig" replay asked.pcapng --mode timed -- "$probe" nothing >out 2>err
tap_is "a program that opens nothing" $? 124
tap_has "gets nothing" "$(cat err)" "MADs that arrived at their times: 0; that were still to come: 3;"

tap_done
