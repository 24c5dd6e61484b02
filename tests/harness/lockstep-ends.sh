#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-ends: what ends a session in virtual time, or is refused in one, and what is said.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/process-session.sh"

umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe
stuck=$top_builddir/tests/tools/lockstep-stuck
walk=$top_builddir/tests/tools/fabric-walk
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

# COMMAND...: the status and the output, joined; what is said is in err.
run() {
	out=$(timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- "$@" 2>"$work/err" </dev/null)
	printf '%s:%s\n' "$?" "$out"
}
said() {
	cat "$work/err"
}

# ---- nothing can happen any more ----
tap_is "two that wait for each other" "$(run sh -c "$probe open; exec $stuck deadlock")" "123:H1 lid 1"
tap_has "each is named, with what it waits for: the first thread" "$(said)" \
	"1000.0 lockstep-stuck waits for mutex 0x"
tap_has "the second" "$(said)" "1000.1 lockstep-stuck waits for mutex 0x"
tap_is "a read of a pipe that nobody writes" "$(run sh -c "$probe open; $stuck pipe; echo over")" \
	"123:H1 lid 1"
tap_has "is named, too" "$(said)" "1002.0 lockstep-stuck waits for descriptor "
tap_has "and the parent" "$(said)" "1000.0 sh waits for a child's end"

tap_is "although nothing has opened the fabric" "$(run "$stuck" deadlock)" "123:"
tap_lacks "and no other reason is given" "$(said)" "Likely reasons"
tap_is "one that ends, and has not opened it" "$(run true)" "124:"
tap_lacks "gets no reason that is refused in virtual time" "$(said)" "statically"

# ---- deaths ----
tap_is "one that crashes" "$(run sh -c "$stuck crash; echo \$?; $probe open" | tail -n 3)" "0:139
H1 lid 1"
tap_has "is named" "$(said)" "lockstep-stuck was killed while running, at virtual time "
tap_is "abort" "$(run sh -c "$stuck abort; echo \$?; $probe open" | tail -n 3)" "0:134
H1 lid 1"
tap_is "the first program is killed" "$(run sh -c 'sleep 1000 & kill -9 $$')" "137:"
tap_is "one killed from outside: the others go on" \
	"$(run sh -c "$stuck killed; echo \$?; sleep 1; $probe open" | tail -n 3)" "0:137
H1 lid 1"

if [ -e /proc/thread-self/children ]; then
	tap_is "one that waits is killed from outside: its parent learns of it" \
		"$(run sh -c "$stuck killed-child; echo \$?; $probe open" | tail -n 3)" "0:9
H1 lid 1"
	tap_has "and a line says so" "$(said)" "lockstep-stuck was killed from outside while it waited"
else
	tap_skip "one that waits is killed from outside" "this kernel does not list children"
fi

if "$stuck" no-dispatch /bin/sh -c :; then
	tap_is "one that is killed while it asks for time leaves no reply to others" \
		"$(run sh -c "$stuck killed-asking; echo \$?; sleep 1; $probe open" | tail -n 3)" "0:0
H1 lid 1"
else
	tap_skip "one that is killed while it asks for time" "no seccomp filter is allowed here"
fi

# ---- what runs out ----
tap_is "no descriptors are left" "$(run sh -c "$probe open; exec $stuck no-descriptors")" \
	"123:H1 lid 1"
tap_has "is said" "$(said)" "lockstep-stuck has no descriptor left for a call to the server"

# ---- what virtual time does not know ----
# The line comes after 5 s; the file ends the program, which goes on until then.
(cd "$work" && exec timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- sh -c \
	"$stuck compute; $probe open" >out 2>err </dev/null) &
job=$!
while kill -0 "$job" 2>/dev/null && ! grep -q "for 5 s: it computes" "$work/err" 2>/dev/null; do
	sleep 0.1
done
: >"$work/told"
wait "$job"
tap_is "one that computes is named, and left alone" "$?:$(cat "$work/out")" "0:H1 lid 1"
tap_has "with what it does" "$(said)" " for 5 s: it computes"
# What came last is in the capture then, should all of it be killed.
rm -f "$work/told" "$work/err"
: >"$work/killed.pcapng"
(cd "$work" && exec "$umadrig" exec --fabric ,clock=virtual,capture=killed.pcapng -- sh -c \
	"$walk >/dev/null; $stuck compute" 2>err </dev/null) &
job=$!
while kill -0 "$job" 2>/dev/null && ! grep -q "for 5 s: it computes" "$work/err" 2>/dev/null; do
	sleep 0.1
done
tries=0
until [ "$(wc -c <"$work/killed.pcapng")" -gt 1000 ] || [ $((tries += 1)) -gt 50 ]; do
	sleep 0.1
done
kill -KILL "$job"
: >"$work/told"
wait "$job" 2>/dev/null
tap_has "a session that hangs and is killed has its last MADs in the capture" \
	"$("$umadrig" show "$work/killed.pcapng" 2>&1 | tail -n 1)" "0 damaged"
tap_lacks "all of them" "$("$umadrig" show "$work/killed.pcapng" 2>&1 | tail -n 1)" " 0 MADs"
# A limit of virtual time is one of computing, too.
timeout -s KILL 60 "$umadrig" explore --runs 1 --limit 1s -o "$work/explored" --fabric ,clock=virtual -- \
	sh -c "cd $TMPDIR; $stuck compute" >"$work/out" 2>&1 </dev/null
tap_is "one that computes ends with the session's limit" "$?" 1
tap_has "and that is said" "$(cat "$work/out")" \
	"it has computed for longer than the session's limit, 1 s: ends the session"
tap_is "a system call that waits" "$(run "$stuck" call)" "137:"
tap_has "is named, with program, thread and call" "$(said)" \
	"virtual time is not advancing: 1000 lockstep-stuck (process "
tap_has "the call" "$(said)" "it is in read ("

# By a signal to one thread, which is not the session's; lockstep-stops.sh has those that are.
stop='import signal, threading; signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)'
if command -v python3 >/dev/null; then
	tap_is "one that is stopped by others" "$(run sh -c "$probe open; exec python3 -c '$stop'")" \
		"137:H1 lid 1"
	tap_has "is named, with that" "$(said)" " for 5 s: it is stopped"
	tap_has "and the session ends" "$(said)" \
		"it still is stopped, which virtual time does not know"
else
	tap_skip "one that is stopped by others" "no python3"
fi
tap_is "one that goes on before it is its turn does so in time" \
	"$(run sh -c "$probe open; sleep 3 & sleep 1; kill -STOP \$!; sleep 1; kill -CONT \$!; wait; date +%s")" \
	"0:H1 lid 1
1700000003"

# ---- what cannot be put in ----
# A section of this name is what the compiler of Go leaves in each program.
cat >"$work/go.c" <<'END'
#include <stdio.h>
__attribute__((section(".go.buildinfo"), used)) static char info[] = "\xff Go buildinf:";
int main(void) { return puts("it runs") < 0 || !info[0]; }
END
# NAME EXPECTED COMMAND: a program that no library can be put into, which containers may refuse.
foreign() {
	got=$(run sh -c "$3")
	case $(said) in
	*"past libc, and "*) tap_skip "$1" "$(said | grep -m 1 -o "past libc, and.*")" ;;
	*) tap_is "$1" "$got" "$2" ;;
	esac
}
if ${CC:-cc} -o "$work/go" "$work/go.c" 2>/dev/null; then
	foreign "a program in Go that is linked with libc" "0:it runs
0
H1 lid 1" "$work/go; echo \$?; $probe open"
	tap_is "in real time it runs" "$("$umadrig" exec -- sh -c "$probe open; $work/go" 2>&1 | tail -n 1)" \
		"it runs"
else
	tap_skip "programs in Go" "there is no compiler"
fi
echo 'int main(void) { return 0; }' >"$work/static.c"
if ${CC:-cc} -static -o "$work/static" "$work/static.c" 2>/dev/null; then
	foreign "a static program" "0:0
H1 lid 1" "$work/static; echo \$?; $probe open"
else
	tap_skip "static programs" "the compiler cannot link so here"
fi
tap_is "--detach" "$("$umadrig" exec --detach --fabric ,clock=virtual -- true 2>"$work/err"; echo $?)" 125
tap_has "with the reason" "$(said)" "clock=virtual"

# ---- signals from outside ----
# SIGNAL: sent to all of a session that would go on for ever, or SIGKILL to umadrig alone; what that
# ends with. Then nothing runs any more.
interrupted() {
	rm -f "$work/ready"
	# shellcheck disable=SC2016
	# A shell has its background commands ignore SIGINT.
	setsid env --default-signal=INT "$umadrig" exec --fabric ,clock=virtual -- sh -c 'sleep 1000000 & : >"$1/ready"
		while :; do sleep 1; done' sh "$work" 2>"$work/err" </dev/null &
	job=$!
	while ! [ -e "$work/ready" ]; do
		sleep 0.05
	done
	if [ "$1" = KILL ]; then
		kill -KILL "$job"
	else
		kill "-$1" "-$job"
	fi
	wait "$job"
	echo "$?"
	session_ends "$job" || echo "something is left"
}
tap_is "SIGTERM ends all" "$(interrupted TERM)" 143
tap_is "SIGINT does, too" "$(interrupted INT)" 130
tap_is "if umadrig is killed, so are its programs" "$(interrupted KILL)" 137
run "$probe" open >"$work/out"
tap_is "nothing is left" "$(ls "$TMPDIR")" ""
tap_done
