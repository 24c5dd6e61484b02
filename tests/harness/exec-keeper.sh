#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-keeper: the process between "umadrig exec" and the program: what happens when either of the
# two is killed, and that nobody notices it otherwise.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
unset UMAD_BACKEND

# is_gone PID...: within ten seconds; a zombie has gone
is_gone() {
	for pid; do
		n=0
		while grep -q '^State:[^Z]*$' "/proc/$pid/status" 2>/dev/null; do
			n=$((n + 1))
			[ "$n" -lt 100 ] || return 1
			sleep 0.1
		done
	done
}
# is_in STATE PID: within ten seconds
is_in() {
	n=0
	until grep -q "^State:.$1" "/proc/$2/status"; do
		n=$((n + 1))
		[ "$n" -lt 100 ] || return 1
		sleep 0.1
	done
}
# no_directory: within ten seconds
no_directory() {
	n=0
	while [ -n "$(ls "$work/tmp")" ]; do
		n=$((n + 1))
		[ "$n" -lt 100 ] || return 1
		sleep 0.1
	done
}
# The parent of a process.
parent() {
	sed -n 's/^PPid:.//p' "/proc/$1/status"
}

# A command that leaves a process in a session of its own, and one that ignores SIGTERM; then it
# says who they all are, and waits.
cat >"$work/command" <<'END2'
#!/bin/sh
"$1" open
(setsid sleep 1000 & echo $! >"$2/daemon")
(trap '' TERM; exec sleep 1000) &
echo $! >"$2/stubborn"
echo $$ >"$2/ready"
wait
END2
chmod 755 "$work/command"
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
mkfifo "$work/ready" "$work/hold"

# start: 'exec', 'keeper', 'program', 'daemon' and 'stubborn' are processes
start() {
	"$umadrig" exec -- "$work/command" "$probe" "$work" >"$work/out" 2>"$work/err" &
	exec=$!
	read -r program <"$work/ready"
	read -r daemon <"$work/daemon"
	read -r stubborn <"$work/stubborn"
	keeper=$(parent "$program")
}

start
tap_is "the keeper is between" "$(parent "$keeper")" "$exec"
kill -9 "$keeper"
wait "$exec"
tap_is "it is killed: umadrig fails" $? 125
tap_has "with the reason" "$(cat "$work/err")" \
	"umadrig exec: the process $keeper, which looked after '$work/command', was killed by signal 9"
tap_ok "and nothing is left" is_gone "$program" "$daemon" "$stubborn"

start
kill -9 "$exec"
wait "$exec" 2>/dev/null
tap_ok "umadrig is killed: nothing is left" is_gone "$program" "$daemon" "$stubborn" "$keeper"
tap_has "and it is said" "$(cat "$work/err")" "umadrig exec: was killed, and the fabric with it"
tap_ok "nor a directory" no_directory

# Nobody else sleeps for so long. (Its own command line is not to have that.)
mark=9$(printf '%07d' $$)
# nothing_sleeps: within ten seconds
nothing_sleeps() {
	n=0
	while grep -aqs "sleep.[9]${mark#9}" /proc/[0-9]*/cmdline; do
		n=$((n + 1))
		[ "$n" -lt 100 ] || return 1
		sleep 0.1
	done
}
cat >"$work/leaver" <<'END2'
#!/bin/sh
setsid sleep "$2" &
(trap '' TERM; exec sleep "$2") &
sleep 1
echo $$ >"$1/ready"
read -r line <"$1/hold"
END2
chmod 755 "$work/leaver"
# timeout(1) and CI kill umadrig's whole group. What has left that sleeps for ever in virtual time,
# by the library and below the filter, where its server has gone.
for options in ",seed=1" ",clock=virtual" ",clock=virtual,how=filter"; do
	setsid "$umadrig" exec --fabric "$options" -- "$work/leaver" "$work" "$mark" \
		>"$work/out" 2>"$work/err" &
	exec=$!
	read -r program <"$work/ready"
	tap_ok "with $options something sleeps" grep -aqs "sleep.[9]${mark#9}" /proc/[0-9]*/cmdline
	kill -KILL "-$exec"
	wait "$exec" 2>/dev/null
	tap_ok "its group is killed: nothing is left" nothing_sleeps
done
tap_ok "nor a directory" no_directory

# It waits for the other end of a bridge, and its program for an order.
"$umadrig" exec --attach-command "echo >'$work/ready'; exec sleep 1000" -- true >/dev/null 2>&1 &
exec=$!
read -r line <"$work/ready"
tap_is "before there is a program there is a directory" "$(ls "$work/tmp" | wc -l)" 1
kill "$exec"
wait "$exec"
tap_is "SIGTERM ends umadrig" $? 143
tap_ok "and takes that away" no_directory

# As a shell does for ctrl-Z and fg.
"$probe" job "$umadrig" exec -- sh -c "$probe open; echo \$\$ >$work/ready
	read -r line <$work/hold; exit 7" >/dev/null 2>&1 &
exec=$!
read -r program <"$work/ready"
kill -TSTP "-$exec"
tap_ok "ctrl-Z stops the program" is_in T "$program"
tap_ok "and umadrig" is_in T "$exec"
kill -CONT "-$exec"
echo go >"$work/hold"
wait "$exec"
tap_is "afterwards they go on" $? 7

"$umadrig" exec -- "$probe" wait "$work/ready" >/dev/null 2>&1 &
read -r program <"$work/ready"
# A shell without job control has background commands ignore SIGINT and SIGQUIT; 7: SIGHUP as well
# (nohup).
tap_has "a signal that was ignored still is" \
	"$(sed -n 's/^SigIgn:.*\(.\)$/\1/p' "/proc/$program/status" | tr 7 6)" 6
kill -USR1 $!
wait $!
tap_is "SIGUSR1 comes to the program" $? 138

cat >"$work/quiet.py" <<'END2'
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
END2
if command -v python3 >/dev/null; then
	python3 "$work/quiet.py" "$umadrig" exec -- "$probe" status 9 >/dev/null 2>&1
	tap_is "a caller that ignores its children: status" $? 9
	tap_is "and the program inherits that" "$(python3 "$work/quiet.py" "$umadrig" exec -- \
		sed -n 's/^SigIgn:.*\(.\)....$/\1/p' /proc/self/status 2>/dev/null)" 1
else
	tap_skip "a caller that ignores its children: status" "no python3"
fi
tap_done
