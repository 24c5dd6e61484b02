#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-programs: unmodified programs in virtual time: shells, pipelines, opensm and the tools of
# infiniband-diags. Twice the same bytes, in captures, logs and output.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe
walker=$top_builddir/tests/tools/fabric-walk
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
TZ=UTC LC_ALL=C
export TZ LC_ALL
PATH=$PATH:/usr/sbin:/sbin
. "$top_srcdir/tests/rig/audit.sh"

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi

# FABRIC COMMAND...: in virtual time; the status and the output, joined. What is said is in err.
run() {
	fabric=$1
	shift
	out=$(timeout -s KILL 60 "$umadrig" exec --fabric "$fabric" -- "$@" 2>"$work/err" </dev/null)
	printf '%s:%s\n' "$?" "$out"
}

tap_is "an hour" "$(run ",clock=virtual$audit" sh -c "date +%T; sleep 3600; date +%T; $probe open")" \
	"0:22:13:20
23:13:20
H1 lid 1"
tap_is "processes run in one order" "$(run ",clock=virtual$audit" sh -c "
	(sleep 5; echo five) & (sleep 2; echo two) & sleep 3; echo three; wait; date +%S; $probe open")" \
	"0:two
three
five
25
H1 lid 1"
tap_is "a pipeline of more than a pipe takes" "$(run ",clock=virtual$audit" sh -c "
	seq 1 200000 | sed s/9/x/ | grep -c x; seq 100000 | tail -n 1; $probe open")" "0:81902
100000
H1 lid 1"
tap_is "timeout(1)" "$(run ",clock=virtual$audit" sh -c "timeout 5 sleep 100; echo \$?; date +%S; $probe open")" \
	"0:124
25
H1 lid 1"
tap_is "process numbers" "$(run ",clock=virtual$audit" sh -c "echo \$\$; sh -c 'echo \$\$ \$PPID'; $probe open")" \
	"0:1000
1001 1000
H1 lid 1"
tap_is "what the command leaves ends in its own time" "$(run ",clock=virtual$audit" sh -c "
	(trap 'date +%S; exit' TERM; while :; do sleep 1; done) & sleep 1.5; $probe open")" "0:H1 lid 1
21"

# One that has a function of its own by the name of one of libc's, and exports it.
cat >"$work/own-gettid.c" <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

pid_t gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

int main(void)
{
	printf("%d %d\n", (int)gettid(), (int)getpid());
	return 0;
}
END
if gcc -O2 -rdynamic -o "$work/own-gettid" "$work/own-gettid.c" 2>"$work/err"; then
	tap_is "a program that has its own gettid(), of syscall(2)" \
		"$(run ",clock=virtual$audit" sh -c "$work/own-gettid; $probe open")" \
		"0:1001 1001
H1 lid 1"
else
	tap_skip "a program that has its own gettid()" "gcc cannot build a program here"
fi

# NAME FABRIC COMMAND: with a capture, in a directory whose name is the same each time; what comes
# of it is in $work/NAME.*
recorded() {
	rm -rf "$work/o"
	mkdir -p "$work/o/cache"
	OSM_TMP_DIR=$work/o OSM_CACHE_DIR=$work/o/cache timeout -s KILL 60 "$umadrig" exec \
		--fabric "$2,clock=virtual,capture=$work/o/capture.pcapng" -- sh -c "$3" sh "$work/o" \
		>"$work/o/out" 2>"$work/o/err" </dev/null
	echo "$?" >>"$work/o/out"
	mv "$work/o/capture.pcapng" "$work/$1.pcapng"
	mv "$work/o/out" "$work/$1.out"
	[ ! -f "$work/o/log" ] || mv "$work/o/log" "$work/$1.log"
}

# The same MADs everywhere; the same bytes where addresses are.
can_fix=$(setarch -R true 2>/dev/null && echo yes)
same() {
	tap_ok "$1 and $2: the same output" cmp "$work/$1.out" "$work/$2.out"
	if [ "$can_fix" ]; then
		tap_ok "$1 and $2: the same capture" cmp "$work/$1.pcapng" "$work/$2.pcapng"
		[ ! -f "$work/$1.log" ] ||
			tap_ok "$1 and $2: the same log" cmp "$work/$1.log" "$work/$2.log"
	else
		tap_skip "$1 and $2: the same capture" "addresses cannot be fixed here"
	fi
}

# ---- nothing bypasses virtual time ----
# COMMAND: the status, and how many calls went past.
audited() {
	timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual,audit=fail -- \
		sh -c "$1; $probe open" >"$work/out" 2>"$work/err" </dev/null
	echo "$?:$(grep -c 'bypasses virtual time' "$work/err")"
	[ "$(grep -c 'audit: of [0-9]* system calls' "$work/err")" = 1 ] || echo "no summary"
}
stuck=$top_builddir/tests/tools/lockstep-stuck
if [ "$audit" ]; then
	tap_is "audit: a shell, sleep, date, timeout and a pipeline" \
		"$(audited 'sleep 5; date; timeout 2 sleep 9; seq 100000 | tail -n 1
			(sleep 1; :) & wait')" 0:0
	if command -v python3 >/dev/null; then
		tap_is "audit: threads and processes of python3" "$(audited "python3 -c '
import subprocess, threading, time
thread = threading.Thread(target=time.sleep, args=(3,))
thread.start()
thread.join()
subprocess.check_call([\"sleep\", \"1\"])'")" 0:0
	else
		tap_skip "audit: python3" "there is none here"
	fi
	if command -v opensm >/dev/null && command -v saquery >/dev/null; then
		tap_is "audit: opensm and saquery" \
			"$(audited "OSM_CACHE_DIR=$work opensm -f $work/osm.log & sleep 30; saquery
				kill \$!; wait")" 0:0
	else
		tap_skip "audit: opensm and saquery" "they are not here"
	fi
	tap_is "audit: a system call of a program's own" "$(audited "$stuck look")" 1:1
	made="audit: 1001.1 lockstep-stuck makes the system call"
	tap_ok "is named, with program, thread, call and place" grep -q \
		"$made poll (7), which bypasses virtual time, at .*/lockstep-stuck+0x" "$work/err"
	tap_ok "and counted at the end" \
		grep -q "^  lockstep-stuck, thread 1: poll (7), 3 times" "$work/err"
	tap_is "audit: the processor's clock, in two threads" "$(audited "$stuck rdtsc")" 1:2
	made="audit: 1001.1 lockstep-stuck reads the processor's clock (rdtsc)"
	tap_ok "is named, with program, thread and place" grep -q \
		"$made, which bypasses virtual time, at .*/lockstep-stuck+0x" "$work/err"
	tap_ok "and counted at the end, too" \
		grep -q "^  lockstep-stuck, thread 1: rdtsc, at least 1 times" "$work/err"
	tap_is "and faults are the program's own" \
		"$(run ,clock=virtual,audit sh -c "$stuck rdtsc && $probe open")" "0:H1 lid 1"
	tap_is "audit: a process that a program makes by itself" "$(audited "$stuck clone")" 1:1
	tap_ok "is named" grep -q "lockstep-stuck makes the system call clone (56)" "$work/err"
	tap_is "audit: what a program does to be rid of it" "$(audited "$stuck evade")" 1:1
	tap_ok "is in vain" grep -q "lockstep-stuck makes the system call poll (7)" "$work/err"
	tap_is "audit=yes leaves the status alone" \
		"$(run ,clock=virtual,audit sh -c "$stuck look; $probe open"):$(
			grep -c 'bypasses virtual time' "$work/err")" "0:H1 lid 1:1"
else
	tap_skip "audit" "$no_audit"
fi
if "$stuck" no-dispatch /bin/sh -c :; then
	tap_is "audit: a kernel that cannot" \
		"$("$stuck" no-dispatch "$umadrig" exec --fabric ,clock=virtual,audit=yes -- true \
			2>&1 | grep -o 'audit needs x86_64 and a kernel with syscall user dispatch')" \
		"audit needs x86_64 and a kernel with syscall user dispatch"
else
	tap_skip "audit: a kernel that cannot" "no seccomp filter is allowed here"
fi
tap_has "audit: without virtual time" "$("$umadrig" exec --fabric ,audit -- true 2>&1)" \
	"audit is of virtual time: it needs clock=virtual"

walk="$walker; sleep 10; $walker >/dev/null"
recorded walk1 generate:fat-tree:20,8 "$walk"
recorded walk2 generate:fat-tree:20,8 "$walk"
same walk1 walk2
tap_is "the last MAD is of ten seconds later" \
	"$("$umadrig" show "$work/walk1.pcapng" 2>/dev/null | tail -n 2 | grep -c ' 10000\.00000.ms ')" 1

for program in opensm sminfo saquery perfquery; do
	command -v "$program" >/dev/null || missing=$program
done
if [ "${missing-}" ]; then
	tap_skip "opensm and its friends" "there is no $missing here"
	tap_done
fi
fabric=generate:fat-tree:20,8,state=cold
recorded once "$fabric" 'opensm -o -f "$1/log" >/dev/null'
tap_is "opensm -o brings the subnet up" "$(tail -n 1 "$work/once.out"):$(grep -c 'SUBNET UP' \
	"$work/once.log")" "0:1"
tools='opensm -f "$1/log" >/dev/null & sm=$!; sleep 30; date +%T; sminfo; saquery | grep -c lid
perfquery | head -n 2; kill $sm; wait $sm; echo $?; date +%T'
recorded tools1 "$fabric" "$tools"
recorded tools2 "$fabric" "$tools"
same tools1 tools2
tap_is "the tools get their answers" "$(sed 's/activity count [0-9]*/activity count N/' \
	"$work/tools1.out" | grep -v '^# Port' | head -n 3)" "22:13:50
sminfo: sm lid 1 sm guid 0x2c90300000090, activity count N priority 0 state 3 SMINFO_MASTER
29"
orders=
for seed in 1 2 3 4; do
	recorded "a$seed" "$fabric$audit,schedule=$seed" "$tools"
	recorded "b$seed" "$fabric$audit,schedule=$seed" "$tools"
	same "a$seed" "b$seed"
	orders="$orders
$(cksum <"$work/a$seed.pcapng")"
done
tap_is "nothing bypasses virtual time in them" "$(tail -q -n 1 "$work"/[ab][1-4].out | sort -u)" 0
# By chance two may be the same.
tap_is "other schedules have other orders" \
	"$(printf '%s\n' "$orders" | sed 1d | sort -u | grep -c . | tr 3 4)" 4

# Two SMs; the master is killed without a word, and the other one takes over.
# shellcheck disable=SC2016
two='opensm -f "$1/log" >/dev/null & one=$!
UMADRIG_HOST=host-1 opensm -f "$1/log2" >/dev/null & two=$!
sleep 60; sminfo; kill -9 $one; sleep 100; sminfo; kill $two; wait $two; date +%T'
recorded two1 "$fabric" "$two"
recorded two2 "$fabric" "$two"
same two1 two2
tap_is "the standby takes over" "$(sed -n 's/.*sm lid \([0-9]*\) .* state 3.*/\1/p' \
	"$work/two1.out" | tr '\n' ' ')" "1 21 "

for program in osmtest ibping ibaddr; do
	command -v "$program" >/dev/null || missing=$program
done
if [ "${missing-}" ]; then
	tap_skip "osmtest and ibping" "there is no $missing here"
	tap_done
fi
# shellcheck disable=SC2016
tests='opensm -f "$1/log" >/dev/null & sm=$!
sleep 20; osmtest -f c -i "$1/inventory" | tail -n 1; osmtest -f a -i "$1/inventory" | tail -n 1
cd "$1"; osmtest -f q -i inventory | tail -n 1
UMADRIG_HOST=host-1 ibping -S & server=$!
sleep 1; ibping -c 3 -L "$(UMADRIG_HOST=host-1 ibaddr -L | sed "s/.* //")" | grep packets
kill $server; wait $server; kill $sm; wait $sm; date +%T'
recorded tests1 "$fabric" "$tests"
recorded tests2 "$fabric" "$tests"
same tests1 tests2
tap_has "osmtest -f c" "$(cat "$work/tests1.out")" 'OSMTEST: TEST "Create Inventory" PASS'
tap_has "osmtest -f a" "$(cat "$work/tests1.out")" 'OSMTEST: TEST "All Validations" PASS'
tap_has "osmtest -f q" "$(cat "$work/tests1.out")" 'OSMTEST: TEST "QoS: VLArb and SLtoVL" PASS'
tap_has "ibping" "$(cat "$work/tests1.out")" "3 packets transmitted, 3 received, 0% packet loss"
tap_done
