#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-verbs: a program that loads no library of ours is recorded, and has a capture replayed to it,
# as others are: by record, by record to a scenario, and by replay.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

fabric=$top_srcdir/tests/data/two-switches.net
any_needs_filter
any_expected
gcc -std=gnu11 -O2 -static -o static "$top_srcdir/tests/any/neighbour.c" 2>log ||
	tap_skip_all "no static libc here (libc6-dev)"

"$umadrig" record -o bundle --fabric "$fabric" --host HostB -- ./static >out 2>err
any_is "record: the program prints what it does under exec" $? everything
tap_has "and what it asked is in the bundle" \
	"$("$umadrig" show bundle/capture.pcapng)" "Get(NodeInfo)"
# A capture knows no names of devices.
sed 's/sim0/H1/' everything >replayed
"$umadrig" replay bundle -- ./static >out 2>err
any_is "replay: the capture answers it" $? replayed
"$umadrig" replay bundle --how filter -- ./static >out 2>err
any_is "and with --how filter" $? replayed
"$umadrig" record -o made.mad --fabric "$fabric" --host HostB -- ./static >out 2>err
any_is "record: a scenario of it" $? everything
"$umadrig" run made.mad >out 2>err
tap_is "which passes" $? 0
tap_has "and sends what it sent" "$(cat made.mad)" NodeInfo

# ---- scenarios ----
# Takes as long as it is given, and may leave a child behind that goes on.
cat >stays.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	if (argc > 2 && fork() > 0)
		return atoi(argv[2]);
	if (argc > 2)
		setsid();
	return sleep((unsigned int)atoi(argv[1])) > 0;
}
END
gcc -O2 -static -o stays stays.c || exit 99
# Prints the processes that run it; fails where there is none.
cat >running <<'END'
#!/bin/sh
found=
for exe in /proc/[0-9]*/exe; do
	[ "$exe" -ef "${0%/*}/stays" ] && echo "$exe" && found=yes
done
[ -n "$found" ]
END
chmod 755 running

# NAME EXPECTED LINE...: what "umadrig run" says of each, and that nothing is left.
says() {
	name=$1 expected=$2
	shift 2
	{ echo 'scenario "s"'; echo "clock real"; echo "topology \"$fabric\""; printf '%s\n' "$@"; } >s.mad
	"$umadrig" run s.mad >out 2>err
	tap_is "run: $name" "$(sed -n 's/^  message: //p; s/^ok .*/ok/p' out)" "$expected"
	tap_is "run: $name: nothing is left" "$("$work/running")" ""
}
says "a static program is on the fabric" ok \
	"0 run on \"HostB[1]\" $work/static = 0, prints=\"$(head -n 1 everything)\"" \
	"+0 run on \"HostB[1]\" $work/static = 0, lines=$(wc -l <everything)"
says "one that has nothing to do with it" ok "0 run $work/stays 0 = 0 fabric=no"
tap_lacks "which needs no word" "$(cat out err)" "opened"
says "its status" "\"$work/stays: its status is 3, not 0\"" "0 run $work/stays 0 3 fabric=no"
for ms in 5 10 15 20 25 30; do
	says "one that is stopped when it may not be there yet" ok "0 start p = run $work/stays 600 fabric=no" \
		"+${ms}ms stop p" '+0~+20s end p = 143'
done
says "one that is stopped" ok "0 start p = run $work/stays 600 fabric=no" "+0~+20s run $work/running fabric=no" '+0 stop p' \
	'+0~+20s end p = 143'
says "one that is not, at the end" ok "0 start p = run $work/stays 600 fabric=no" '+500ms run true fabric=no'
says "what it leaves behind goes on" ok "0 run $work/stays 600 0 = 0 fabric=no" \
	"+0 run $work/running fabric=no"
says "what does not end in time" "\"$work/stays: it has not ended\"" "0~500ms run $work/stays 600 fabric=no"

# A shell has the library, and its children have nothing else, unless --how says so.
cat >s.mad <<END
scenario "s"
topology "$fabric"
0 run on "HostB[1]" sh -c "$work/static; exit 0" = 0, prints="neighbour: method 0x81"
END
for how in filter both; do
	"$umadrig" run --how $how s.mad >out 2>err
	tap_is "run --how $how: what a shell starts is on the fabric" $? 0
done
"$umadrig" run --how preload s.mad >out 2>err
status=$?
if grep -q "past libc, and" out err; then
	tap_skip "run --how preload: in virtual time it is as well" \
		"$(grep -h -m 1 -o "past libc, and.*" out err)"
else
	tap_is "run --how preload: in virtual time it is as well" $status 0
fi
sed 's/^topology/clock real\n&/' s.mad >real.mad
"$umadrig" run --how preload real.mad >out 2>err
tap_is "run --how preload, in real time: it is not" $? 1
tap_has "and how to try again says so" "$(cat out)" "umadrig run --how preload"

{ echo 'scenario "s"'; echo "0 start p = run $work/stays 600 fabric=no"; echo "+600s run true fabric=no"; } >s.mad
for signal in TERM KILL; do
	"$umadrig" run s.mad >out 2>err &
	run=$!
	for try in $(seq 600); do
		"$work/running" >/dev/null && break
		sleep 0.05
	done
	kill -$signal "$run"
	wait "$run" 2>/dev/null
	for try in $(seq 200); do
		"$work/running" >/dev/null || break
		sleep 0.05
	done
	tap_is "SIG$signal for umadrig run: the program ends" "$("$work/running")" ""
done

# PART COMMAND...: refused, with this part of the reason.
refuses() {
	part=$1
	shift
	"$umadrig" "$@" >out 2>err
	tap_has "$1: $part" "$?:$(cat err)" "$part"
}
refuses "125:" replay bundle --how preload -- ./static
refuses "is linked statically" record -o new --how preload -- ./static
refuses "expected preload, filter or both" record -o new --how any -- ./static
refuses "expected preload, filter or both" replay bundle --how any -- ./static
refuses "expected preload, filter or both" run --how any s.mad
refuses "--how is for the simulator" run --backend ib_umad --port A=none/1 --how both s.mad
refuses "--how goes with a command" replay bundle --mode timed --how both
refuses "--how, which are of simulated" record -o new --backend ib_umad --how both -- ./static
refuses "recorded by libibumad" record -o real --backend ib_umad -- ./static
tap_done
