#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-programs: scenarios that run programs: the message about one that does not end as its line
# expects, windows, programs that keep running, where they run, and that none is left behind.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibstat

case $umadrig in /*) ;; *) umadrig=$PWD/$umadrig ;; esac
cd "$work" || exit 99
# What is left behind is looked for where nobody else leaves anything.
mkdir temporary
export TMPDIR="$work/temporary"

# NAME EXPECTED LINE...: the message of the failure, or "ok".
says() {
	name=$1 expected=$2
	shift 2
	{ echo 'scenario "s"'; printf '%s\n' "$@"; } >s.mad
	out=$("$umadrig" run s.mad 2>/dev/null)
	tap_is "$name" "$(printf '%s\n' "$out" | sed -n 's/^  message: //p; s/^ok .*/ok/p')" \
		"$expected"
}

says "a program that ends as it shall" ok '0 run true fabric=no' '+0 run false = 1 fabric=no' \
	'+0 run sh -c "exit 7" = 7 fabric=no'
says "another status" '"sh: its status is 3, not 0"' '0 run sh -c "exit 3" fabric=no'
says "ended by a signal" ok "0 run sh -c \"kill -9 \$\$\" = 137 fabric=no"
says "what it prints" ok '0 run echo one "two words" = 0, lines=1 prints={"one two", "words"} fabric=no'
says "what it does not print" '"echo: it prints 1 lines; it does not print \"two\""' \
	'0 run echo one = 0, lines=2 prints={"one", "two"} fabric=no'
says "no such program" "\"there is no program 'no-such-program-here' in PATH\"" \
	'0 run touch it-ran fabric=no' '+0 run no-such-program-here'
tap_has "the line is named, though it was found before the first ran" "$out" "s.mad:3:8"
tap_has "and how to skip it" "$out" "needs program no-such-program-here"
says "a typo" "\"there is no program 'ibstta' in PATH; did you mean 'ibstat'?\"" \
	'0 start p = run on peer ibstta'
says "a path of no program" "\"there is no program $work/none\"" "0 run $work/none fabric=no"
printf '#!/bin/sh\nexit 3\n' >beside.sh
chmod 755 beside.sh
for line in '' 'clock real'; do
	says "a program beside the script, $line: not where programs run" \
		"\"./beside.sh cannot be run: it is not in the directory where the programs of this point run, which \
is empty at first: name it by its whole path\"" ${line:+"$line"} '0 run ./beside.sh fabric=no'
done
says "by its whole path" ok "0 run $work/beside.sh = 3 fabric=no"
says "a path that an earlier line makes" ok \
	'0 run sh -c "echo \"exit 3\" >made; chmod 755 made" fabric=no' '+0 run ./made = 3 fabric=no'
says "a program that is needed and not there" ok 'needs program no-such-program-here' \
	'0 run no-such-program-here'
tap_is "is skipped, with the reason" "$(printf '%s\n' "$out" | sed -n 's/.*# SKIP //p')" \
	"needs program no-such-program-here"
says "what varies and is known is filled in" "ok
ok" 'vary n in 12, 0x0d' '0 run echo $n $PORT = 0, lines=1 fabric=no'
says "again and again in a window" ok '0~20s run sh -c "echo >>f; wc -l <f" = 0, prints="3" fabric=no'
says "and in vain" '"echo: it does not print \"x\""' '0~250ms run echo y = 0, prints="x" fabric=no'
says "one that does not end in time" '"sleep: it has not ended"' '0~200ms run sleep 20 fabric=no'
says "programs share a directory, which was empty" ok '0 run ls = 0, lines=0 fabric=no' '+0 run touch x fabric=no' \
	'+0 run ls = 0, lines=1 fabric=no'
says "one that goes on" ok '0 start p = run sleep 600 fabric=no' '+0 run true fabric=no' '+0 stop p' \
	'+0~+5s end p = 143'
says "one that ends by itself" ok '0 start p = run sh -c "echo it" fabric=no' '+0~+5s end p = 0, prints="it"'
says "one that is not stopped in time" '"sleep: it has not ended"' '0 start p = run sleep 600 fabric=no' \
	'+0~+200ms end p = 0'
says "A's host, and another's" ok '0 run ibstat = 0, prints="Base lid: 1"' \
	'+0 run on peer ibstat = 0, prints="Base lid: 2"' \
	'+0 run on "H2[1]" ibstat = 0, prints="Base lid: 2"'
says "a link down" ok '0 link down peer' '+0 run ibstat = 0, prints="State: Down"' \
	'+0 link up peer' '+0~+5s run ibstat = 0, prints="State: Initializing"'
says "a node's power, in virtual time" ok '0 power off "H2"' '+1s power on "H2"' \
	'+0 fd = umad_open_port($PEER_CA, $PEER_PORT)'

# The console's commands, in virtual time and in real time.
says "a command" ok '0 do Unlink "H1"[1]' '+0 do counters H1[1] = 0, prints="LinkDownedCounter: 1"'
says "one on a name with blanks" \
	'"Unlink \"no such\"[1]: there is no node '"'no such'"'; Dump lists them"' \
	'0 do Unlink "no such[1]" = -EINVAL'
says "one that is refused, as it should be" ok '0 do Dump S9 = -ENOENT' '+0 do unlinc = -EINVAL'
says "one that should be refused" '"Dump H1: succeeded, but should have failed"' \
	'0 do Dump H1 = -ENOENT'
says "what it does not print" '"report: it does not print \"links 7\""' \
	'0 do report = 0, prints={"ends 2", "links 7"}'
says "until it fits" ok '0 link down self' '+1s link up self' \
	'0~5s do Dump H1 = 0, prints="Init/LinkUp"' \
	'+0 link down self' '+0~+5s do Dump H1 = 0, prints="Down/Polling"'
says "in vain" '"report: it does not print \"links 7\""' '0~1s do report = 0, prints="links 7"'
says "what varies" ok 'vary port in 1' '0 do counters "H$port" = -ENOENT'
says "beside programs" ok '0 run true fabric=no' '+0 do Unlink H1[1]' \
	'+0 run ibstat = 0, prints="State: Down"' \
	'+0 do ReLink H1[1]' '+0~+5s do Dump H1 = 0, prints="Init/LinkUp"'

# Ports of any host, on generated fabrics.
says "a port of any host" ok 'topology "generate:fat-tree:6,4"' \
	'0 fd = umad_open_port("host-5 HCA-1[1]")' \
	'+0 a = umad_register(fd, class=SUBN_DR)' \
	'+0 umad_send(fd, a, timeout=1s, SubnGet(NodeInfo) hop_cnt=0) = 0' \
	'+0 umad_recv(fd) = a, status=0 SubnGetResp(NodeInfo) { PortGuid=0x2c903000000a0 }'

# The script's own port and agents are on the same fabric.
says "a program asks the script" ok '0 fd = umad_open_port($CA, $PORT)' \
	'+0 a = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Get})' \
	'+0 check counter(self, PortXmitPkts) == 0' \
	'+0 run perfquery 2 1 = 0, prints="PortSelect"' \
	'+0 check counter(self, PortXmitPkts) > 0'

# A limit of real time: what it waited for, and nothing that was started goes on.
# NAME TIMEOUT LINE...: 'out', and whether a process has a line in its file that is still there.
times_out() {
	name=$1 timeout=$2
	shift 2
	{ echo 'scenario "s"'; echo 'clock real'; printf '%s\n' "$@" 'scenario "next"' '0~1ms > nothing'; } >s.mad
	out=$("$umadrig" run --timeout "$timeout" s.mad 2>/dev/null)
	tap_is "$name: status" $? 1
	tap_is "$name: the next scenario runs" "$(printf '%s\n' "$out" | grep '^ok')" "ok 2 - s.mad: next"
}
# Are all processes gone whose ids are in pids?
gone() {
	left=
	while read -r pid; do
		# shellcheck disable=SC2015
		[ -d "/proc/$pid" ] && ! grep -q '^State:.*Z' "/proc/$pid/status" && left="$left $pid"
	done <"$work/pids"
	tap_is "$1: is gone, with $(wc -l <"$work/pids") processes" "$left" ""
	: >"$work/pids"
}
: >pids
pids=$work/pids
times_out "a program that sleeps for ever" 1 \
	"0 run sh -c \"echo \$\$ >>$pids; echo it sleeps; exec sleep 1000\" fabric=no"
tap_has "it is named" "$out" 'message: "TIMED OUT after 1s of real time: sh has not ended"'
tap_has "with its line" "$out" "at: s.mad:3:3"
tap_has "and what it printed" "$out" "# it sleeps"
gone "a program that sleeps for ever"
times_out "one that was started, and a daemon" 1 \
	"0 start p = run sh -c \"echo \$\$ >>$pids; echo up >&2; exec sleep 1000\" fabric=no" \
	"+0 run sh -c \"setsid sh -c 'echo \$\$ >>$pids; exec sleep 1000' >/dev/null 2>&1 &\" fabric=no" \
	"+0~+500s end p = 0"
tap_has "which is waited for in a window" "$out" "TIMED OUT after 1s of real time: sh has not ended"
gone "one that was started, and a daemon"
times_out "time itself" 0.5 "0 start p = run sh -c \"echo \$\$ >>$pids; exec sleep 1000\" fabric=no" \
	'1000s check counter(self, PortXmitPkts) == 0'
tap_has "is waited for by a line" "$out" "TIMED OUT after 500ms of real time: this line is not over"
tap_has "and what runs is named" "$out" "sh (line 3) was running, too"
gone "time itself"
times_out "children that ignore SIGTERM" 1 \
	"0 run sh -c \"trap '' TERM; (echo \$\$ >>$pids; sleep 1000) & sh -c 'echo \$\$ >>$pids; sleep 1000; sleep 1000'\" fabric=no"
gone "children that ignore SIGTERM"
says "what a program leaves behind is ended where nothing fails" ok \
	"0 run sh -c \"setsid sleep 1000 >/dev/null 2>&1 & echo \$! >>$pids\" fabric=no"
gone "what a program leaves behind"
cat >wait.mad <<END
scenario "waits"
clock real
0 run sh -c "echo \$\$ >>$pids; sleep 1000" fabric=no
END
# A directory whose name is not known when the signal comes stays.
mkdir tmp
TMPDIR=$work/tmp "$umadrig" run wait.mad >/dev/null 2>&1 &
runner=$!
while [ ! -s pids ]; do sleep 0.05; done
kill -TERM "$runner"
wait "$runner"
tap_is "SIGTERM ends umadrig" $? 143
sleep 0.1
gone "and its programs with their children"

tap_is "nothing is left behind" "$(ls "${TMPDIR:-/tmp}" | grep -c umadrig-run-)" 0
tap_done
