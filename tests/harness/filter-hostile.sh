#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# filter-hostile: below one "umadrig exec", programs that mean harm to its supervisor: many threads,
# memory that is never there or changes, a file system that never answers, numbers that are reused,
# forged records, processes that are killed. A program beside each gets the right answer to each
# call, and SIGTERM ends all of it.
#
# "make check-hostile" (UMADRIG_HOSTILE_SECONDS) has more rounds, and more threads. How long the
# rounds took is appended to the file UMADRIG_HOSTILE_ROWS (tests/tools/hostile-table.awk).
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"
. "$top_srcdir/tests/rig/real-root.sh"

unset UMAD_BACKEND UMADRIG_HOST LD_PRELOAD

any_needs_filter
any_builds_static hostile-calls "$top_srcdir/tests/tools/hostile-calls.c"
rounds=100 attacks="looks looks-1000 opens opens-300 paths messages mounts changes numbers records kills"
if [ -n "${UMADRIG_HOSTILE_SECONDS:-}" ]; then
	rounds=10000 attacks="looks looks-300 looks-1000 looks-3000 ${attacks#looks looks-1000 }"
fi
rows=${UMADRIG_HOSTILE_ROWS:-$work/rows}
users=$(cksum </etc/passwd)

# ATTACK [THREADS]: what the innocent program prints beside it
beside() {
	timeout -s KILL 300 "$umadrig" exec --how filter -- sh -c '
		mkfifo hold told
		./hostile-calls "$@" <hold >told 2>attack.err &
		exec 9>hold
		read -r line <told
		./hostile-calls innocent "$0"
		status=$?
		exec 9>&-
		wait
		rm -f hold told
		exit $status' "$rounds" "$@" 2>err
	status=$?
}

# ATTACK: false, and the reason, where the machine lacks what it needs (userfaultfd, FUSE, mounts)
can() {
	case $1 in
	paths | messages)
		./hostile-calls paths </dev/null >/dev/null 2>err
		status=$? ;;
	mounts)
		timeout -s KILL 60 "$umadrig" exec --how filter -- ./hostile-calls "$1" </dev/null \
			>/dev/null 2>err
		status=$? ;;
	*) return 0 ;;
	esac
	reason=$(grep -v "^simulated fabric" err | head -n 1)
	return "$status"
}

# ATTACK ROUNDS MEDIAN P99 WORST, the last four as hostile-calls prints them
row() {
	[ $# != 5 ] || echo "supervisor $1 $3 $4 $5" >>"$rows"
}

# shellcheck disable=SC2046 # words
row alone $(timeout 60 "$umadrig" exec --how filter -- ./hostile-calls innocent "$rounds" 2>err)
for name in $attacks; do
	attack=$(echo "$name" | tr - ' ')
	if ! can "$attack"; then
		tap_skip "$attack" "$reason"
		continue
	fi
	# shellcheck disable=SC2086 # words
	beside $attack >out
	if [ "$status" = 0 ] && [ "$(cut -d ' ' -f 1 out)" = "$rounds" ]; then
		tap_pass "$attack: a neighbour has its $rounds rounds"
	else
		tap_fail "$attack: a neighbour has its $rounds rounds" "status $status: $(cat out)" \
			"$(head -n 5 err)"
	fi
	# shellcheck disable=SC2046 # words
	row "$name" $(cat out)
done
awk -f "$top_srcdir/tests/tools/hostile-table.awk" "$rows" >table
tap_is "a table of all" "$(grep -c "^supervisor .* [0-9]*\.[0-9]$" table)" \
	"$(grep -c "^supervisor" "$rows")"
tap_is "as multiples of what it is beside none" "$(grep -c "^supervisor *alone .* 1\.0$" table)" 1

# SIGNAL ATTACK: ends it all while the supervisor waits. (What nohup starts has SIGHUP ignored.)
ends() {
	mkfifo hold
	: >out
	env --default-signal="$1" "$umadrig" exec --how filter -- ./hostile-calls "$2" <hold >>out 2>err &
	program=$!
	exec 9>hold
	tries=0
	until grep -q ready out || [ "$tries" -eq 300 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	kill -s "$1" "$program"
	# A minute for what takes some milliseconds.
	tries=0
	while kill -0 "$program" 2>/dev/null && [ "$tries" -lt 600 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	if [ "$tries" -lt 600 ]; then
		tap_pass "SIG$1 ends a program that holds the supervisor up ($2)"
	else
		tap_fail "SIG$1 ends a program that holds the supervisor up ($2)" "it runs after a minute"
		kill -s KILL "$program"
	fi
	wait "$program" 2>/dev/null
	exec 9>&-
	rm -f hold
}

# Another thread of the supervisor takes over twice within one call.
if ! is_real_root && [ "$(cat /proc/sys/vm/unprivileged_userfaultfd 2>/dev/null)" = 0 ]; then
	tap_skip "one whose memory is late twice in each call" \
		"vm.unprivileged_userfaultfd is 0: the kernel's own faults are not for this user"
elif can paths; then
	timeout -s KILL 60 "$umadrig" exec --how filter -- ./hostile-calls late 10 >out 2>err
	tap_is "one whose memory is late twice in each call" "$?: $(cat out)" "0: 10"
else
	tap_skip "one whose memory is late twice in each call" "$reason"
fi

for attack in paths mounts; do
	if ! can "$attack"; then
		tap_skip "signals ($attack)" "$reason"
		continue
	fi
	ends TERM "$attack"
	ends HUP "$attack"
done
# Root may write what they open.
tap_is "and the machine's files are as they were" "$(cksum </etc/passwd)" "$users"
tap_done
