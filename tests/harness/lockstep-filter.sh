#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-filter: programs that could load the library and have a stand-in nevertheless: those
# whose libraries make system calls past libc (OpenMP), and all of a session with how=filter.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

umadrig=$top_builddir/umadrig
source=$top_srcdir/tests/tools/lockstep-openmp.c
loads=$top_srcdir/tests/tools/lockstep-loads.c
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB,clock=virtual

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
# OPTIONS COMMAND...: the status and the output, joined. What is said is in err.
run() {
	options=$1
	shift
	# shellcheck disable=SC2016
	out=$(timeout -s KILL 60 "$umadrig" exec --fabric "$fabric$options" -- sh -c \
		'"$@"; status=$?; ibstat -p >/dev/null; exit $status' - "$@" 2>err </dev/null)
	printf '%s:%s\n' "$?" "$out"
}

# ---- all of a session ----

# shellcheck disable=SC2016
filtered='exec sed -n "s/^Seccomp:[[:space:]]*//p" /proc/self/status'
run ,how=filter sh -c "$filtered" >out
if grep -q "past libc, and" err; then
	tap_skip_all "$(grep -m 1 "past libc, and" err)"
fi
tap_is "how=filter: a program that could load the library is below the filter" "$(cat out)" 0:2
tap_is "how=preload: it is not" "$(run ,how=preload sh -c "$filtered")" 0:0
timeout -s KILL 60 "$umadrig" exec --how filter --fabric "$fabric" -- sh -c "$filtered" >out 2>err
tap_is "--how filter is the same" "$(cat out)" 2
# shellcheck disable=SC2016
words='date; sleep 3600; date; ibstat -p | head -n 1; echo $$; (sleep 1; echo $PPID) & wait'
run "" sh -c "$words" >wanted
tap_has "a shell, sleep, date and ibstat: there is something to compare" "$(cat wanted)" \
	"Tue Nov 14 23:13:20 UTC 2023"
tap_is "they do the same" "$(run ,how=filter sh -c "$words")" "$(cat wanted)"

# 'options': as a message has them.
refused() {
	timeout -s KILL 60 "$umadrig" exec --fabric "$top_srcdir/tests/data/two-switches.net,$2" -- \
		true >out 2>err
	tap_is "$1: status" "$?" 125
	tap_has "$1: why" "$(cat err)" "$3"
}
refused "in real time" how=filter "how=filter is of virtual time: it needs clock=virtual"
refused "with an audit" clock=virtual,how=filter,audit "leave out audit, or how=filter"
refused "by another word" clock=virtual,how=both "how=both: expected preload or filter"
cat >below.mad <<'END'
topology "two-switches.net" self="HostA[1]"
scenario "a program below the filter"
0 run grep -c "^Seccomp:.*2$" /proc/self/status = 0, prints="1" fabric=no
END
cp "$top_srcdir/tests/data/two-switches.net" .
"$umadrig" run --how filter below.mad >out 2>err
tap_is "umadrig run --how filter: status" "$?" 0
tap_has "the program of the scenario is below it" "$(cat out)" "ok 1 - "
"$umadrig" run below.mad >out 2>err
tap_is "and without it is not" "$?" 1

# ---- what calls do ----

# As in lockstep-calls.sh, where the library answers. These rows are not so below the filter:
# a lock or a loop in the program's memory alone makes no call that could be stopped
others="looks_trylock looks_work pthread_spin_lock"
# syslog(3) of libc is the kernel's there; clone(2) makes a process there that shares all memory
others="$others syslog raw_clone"
# of random devices read(2) is answered alone; a program that asks the kernel by itself how nice it
# is asks the session there; libc counts processors in /sys
others="$others dev_random priorities processors"
# the library's alone, so far (doc/virtual-time.md)
others="$others fiosetown ports_taken reuseport recvmmsg so_timestamp seccomp ptrace rings
	clone_namespaces terminal terminal_end proc_list proc_names"
all=$(grep -o '_([a-z_0-9]*)' "$top_srcdir/tests/tools/lockstep-calls.h" | sed 's/^_(//; s/)$//')
# shellcheck disable=SC2086 # words
rows=$(printf '%s\n' $all | grep -vxF "$(printf '%s\n' $others)")
# NAME OPTIONS: the rows; the output is in NAME
below() {
	# shellcheck disable=SC2086 # words
	timeout -s KILL 60 "$umadrig" exec --fabric ",clock=virtual,how=filter$2" -- \
		"$top_builddir/tests/tools/lockstep-calls" $rows >"$1" 2>err </dev/null
	tap_is "$1: rows that are not so" "$(grep '^not ok' "$1")" ""
	tap_is "$1: all of the others are" "$(grep -c '^ok' "$1")" \
		"$(echo "$rows" | wc -l)"
	[ "$(grep -c '^1\.\.' "$1")" = 1 ] || sed 's/^/# /' err
}
tap_ok "there are rows" test "$(echo "$rows" | wc -l)" -gt 120
below first ""
below again ""
tap_ok "the same, to the nanosecond and the random byte" cmp first again
below "schedule 2" ,schedule=2

# ---- hosts ----

# Programs go to the host that their own UMADRIG_HOST names, and back, as those that load the
# library: with devices, what is in /sys, and a file that they have open.
cat >hosts.sh <<'END'
desc=/sys/class/infiniband/sim0/node_desc
cat $desc
UMADRIG_HOST=HostA cat $desc
UMADRIG_HOST=HostA sh -c 'cat "$0"; env -u UMADRIG_HOST cat "$0"; cat "$0"; ibstat -p' $desc
UMADRIG_HOST=HostC cat $desc || echo refused
UMADRIG_HOST= ibstat -p
UMADRIG_HOST=HostA "$1"
"$1"
UMADRIG_HOST=HostA sh -c 'UMADRIG_HOST=HostB exec head -n 1 /proc/self/fd/3 3<$0' $desc
END
gcc -O2 -o neighbour "$top_srcdir/tests/any/neighbour.c" || exit 99
run "" sh hosts.sh ./neighbour >wanted
cp err said
tap_has "each program has its host: there is something to compare" "$(head -n 7 wanted | xargs)" \
	"0:HostB HostA HostA HostB HostA"
tap_is "below the filter, too" "$(run ,how=filter sh hosts.sh ./neighbour)" "$(cat wanted)"
tap_is "and learns in the same words that there is no such host" "$(grep -c "there is no host 'HostC'" err)" \
	"$(grep -c "there is no host 'HostC'" said)"

# ---- ends ----

stuck=$top_builddir/tests/tools/lockstep-stuck
# shellcheck disable=SC2016 # for the other shell
tap_is "one that crashes: status" \
	"$(run ,how=filter sh -c '"$0" crash; echo $?' "$stuck" | tail -n 1)" 0:139
tap_has "is named" "$(cat err)" "lockstep-stuck was killed while running, at virtual time "
if [ -e /proc/thread-self/children ]; then
	# shellcheck disable=SC2016
	tap_is "one that waits is killed from outside: its parent learns of it" \
		"$(run ,how=filter sh -c '"$0" killed-child; echo $?' "$stuck" | tail -n 1)" 0:9
	tap_has "and a line says so" "$(cat err)" \
		"lockstep-stuck was killed from outside while it waited"
else
	tap_skip "one that waits is killed from outside" "this kernel does not list children"
fi

# ---- OpenMP ----

if ! gcc -O2 -fopenmp -o team "$source" 2>log; then
	tap_skip "OpenMP" "gcc has no OpenMP here"
	tap_done
	exit
fi
gcc -O2 -fopenmp -fPIC -shared -DLIBRARY -o libteam.so "$source" &&
	gcc -O2 -o linked "$loads" ./libteam.so && gcc -O2 -DLATE -o late "$loads" -ldl || exit 99
run "" ./team >first
tap_has "OpenMP: all have done their work" "$(cat first)" "sum 499500, 4 threads at 1700003601."
tap_is "and ended" "$(cut -d: -f1 first | head -n 1)" 0
tap_has "an hour later" "$(cat first)" "an hour later all meet at 1700003601.0"
tap_is "once more" "$(run "" ./team)" "$(cat first)"
for schedule in 7 pct:3 pos:4; do
	run ",schedule=$schedule" ./team >other
	tap_has "schedule $schedule" "$(cat other)" "sum 499500"
	tap_is "schedule $schedule, once more" "$(run ",schedule=$schedule" ./team)" "$(cat other)"
done
tap_is "of a library" "$(run "" ./linked)" "$(cat first)"
tap_is "whose program a script starts" "$(printf '#!/bin/sh\n./linked\n' >script; chmod 755 script
	run "" ./script)" "$(cat first)"
tap_is "that is loaded later, with how=filter" "$(run ,how=filter ./late ./libteam.so)" \
	"$(cat first)"
run "" ./late ./libteam.so >out
tap_has "that is loaded later: where it waits is named" "$(cat err)" "it is in futex"
tap_has "with the cure" "$(cat err)" "with how=filter no program's call bypasses virtual time"
tap_done
