#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-ends: "umadrig exec" ends what its command leaves running, and the fabric after it; with
# --detach it leaves both.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
unset UMAD_BACKEND
PATH=$PATH:/usr/sbin:/sbin
touch "$work/go"

# within SECONDS COMMAND...: until it succeeds
within() {
	tries=$(($1 * 10))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}
# has_gone PID: a zombie has
has_gone() {
	! grep -q '^State:[^Z]*$' "/proc/$1/status" 2>/dev/null
}

# run ARGUMENT...: 'out', 'err' and 'status'; it waits for each process that has standard output
run() {
	out=$(timeout -s KILL 60 "$umadrig" "$@" 2>"$work/err")
	status=$?
	err=$(grep '^umadrig' "$work/err")
}

# A part of commands: what they leave, and wait for.
leave() {
	echo "($1; touch $work/there; $2) & until [ -e $work/there ]; do sleep 0.1; done; rm $work/there"
}
stubborn=$(leave "trap '' TERM" "exec sleep 1000")

run exec -- sh -c "$probe open
	$(leave "trap 'echo ended; exit' TERM" "while :; do sleep 0.1; done"); exit 3"
tap_is "what is left gets SIGTERM, the status is the command's" "$status:$out:$err" "3:H1 lid 1
ended:"
run exec --grace 60s -- sh -c "$probe open; setsid sh -c 'sleep 1000 & sleep 1000' & exit 4"
tap_is "a daemon too, and what it has started" "$status:$err" "4:"
run exec --grace 60s -- sh -c "$probe open; sleep 1000 & kill -STOP \$!; exit 5"
tap_is "one that is stopped wakes for it" "$status:$err" "5:"
run exec --grace 300ms -- sh -c "$probe open; $stubborn; exit 6"
tap_is "one that ignores it is killed" "$status:$(echo "$err" | sed 's/[0-9][0-9.]*/N/g')" \
	"6:umadrig exec: killed what had not ended N s after SIGTERM: sleep (N)"
run exec --grace 0 -- sh -c "$probe open; for i in 1 2 3 4 5; do sleep 1000 & done"
tap_has "or at once, without any grace" "$status:$err" "0:umadrig exec: killed what was left: "
tap_has "three are named, and the others counted" "$err" " and 2 more"
run exec -- sh -c "$probe open; sleep 1000 & kill -TERM \$\$"
tap_is "a signal that ends the command still ends umadrig" "$status:$err" "143:"

cat >"$work/storm" <<'END2'
trap '' TERM
touch "$1/there"
grow() {
	[ -e "$1/go" ] && grow "$1" &
}
grow "$1"
while [ -e "$1/go" ]; do
	sleep 1 &
	sleep 0.01
done
END2
run exec --grace 200ms -- sh -c "$probe open; sh $work/storm $work &
	until [ -e $work/there ]; do sleep 0.1; done"
tap_is "processes that make others all the time are ended" \
	"$status:$(echo "$err" | sed 's/[0-9][0-9.]*/N/; s/:[^:]*$//')" \
	"0:umadrig exec: killed what had not ended N s after SIGTERM"
rm "$work/go" "$work/there"

# As a terminal does.
"$probe" job "$umadrig" exec -- sh -c "$probe open
	(trap '' INT; exec sleep 1000) & echo \$! >$work/pid
	sleep 1000" >/dev/null 2>"$work/err" &
group=$!
within 20 test -s "$work/pid"
sleep 0.3
kill -INT "-$group"
wait "$group"
tap_is "ctrl-C ends the command by its signal" $? 130
tap_ok "and what it left, by SIGTERM" has_gone "$(cat "$work/pid")"
tap_is "without a word" "$(grep -c killed "$work/err")" 0

"$umadrig" exec --grace 1000s -- sh -c "$probe open; $stubborn; echo \$\$ >$work/shell" \
	>/dev/null 2>"$work/err" &
exec=$!
within 20 test -s "$work/shell"
within 20 has_gone "$(cat "$work/shell")"
until has_gone "$exec"; do
	kill -TERM "$exec"
	sleep 0.2
done
wait "$exec"
tap_is "a signal to umadrig ends a long grace" $? 0
tap_has "which it says" "$(cat "$work/err")" "killed what had not ended"

run exec --grace soon -- "$probe" open
tap_has "a grace that is no time" "$status:$err" "2:umadrig exec: --grace soon: expected a time"
tap_is "no trace of any fabric is left" "$(ls "$TMPDIR")" ""

# ---- --detach ----

# What is left waits for a file, and then opens the fabric. The colon keeps the shell from becoming
# what it runs last: two processes are left.
later="until [ -e $work/open ]; do sleep 0.1; done; $probe open"
run exec --detach -- sh -c "$probe open; ($later >$work/late 2>&1; sleep 1000; :) \
	>/dev/null 2>&1 & echo \$! >$work/pid; exit 7"
left=$(cat "$work/pid")
tap_is "--detach: the command's status at once" "$status:$out" "7:H1 lid 1"
owner=$(echo "$err" | sed -n "s/^umadrig exec: left running: sh ($left).*; process \([0-9]*\) has the fabric .*/\1/p")
tap_ok "what runs on is named, and who has the fabric" kill -0 "$owner"
touch "$work/open"
within 20 grep -qs . "$work/late"
tap_is "it opens the fabric afterwards" "$(cat "$work/late")" "H1 lid 1"
kill -HUP "$owner"
kill "$left"
sleep 0.3
tap_ok "the fabric is there as long as any of it" kill -0 "$owner"
kill "$owner"
tap_ok "SIGTERM ends it" within 20 has_gone "$owner"
tap_is "with what is on it, and all traces" "$(ls "$TMPDIR")" ""

run exec --detach -- sh -c "$probe open; sleep 0.5 >/dev/null 2>&1 & exit 8"
owner=$(echo "$err" | sed -n 's/.*; process \([0-9]*\) has the fabric .*/\1/p')
tap_ok "without SIGTERM it ends with the last of them" within 20 has_gone "$owner"
tap_is "and leaves no trace" "$status:$(ls "$TMPDIR")" "8:"
run exec --detach -- "$probe" nothing
tap_is "--detach with nothing left is as usual: 124" "$status" 124
run exec --detach -- "$probe" signal 15
tap_is "a signal" "$status:$err" "143:"
run exec --detach -- no-such-program-anywhere
tap_is "no such program" "$status" 127
rm "$work/pid" "$work/open"
mkfifo "$work/pid"
"$umadrig" exec --detach -- "$probe" wait "$work/pid" >/dev/null 2>&1 &
read -r left <"$work/pid"
kill -TERM $!
wait $!
tap_is "SIGTERM is passed on to the command" $? 33

run record -o "$work/a.bundle" -- sh -c "$probe open; sleep 1000 & exit 9"
tap_is "record ends what is left, too" "$status:$(echo "$err" | grep -c killed)" 9:0

if command -v opensm >/dev/null 2>&1 &&
   ! nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	OSM_TMP_DIR=$work/tmp OSM_CACHE_DIR=$work/tmp
	export OSM_TMP_DIR OSM_CACHE_DIR
	run exec --grace 30s --fabric ,state=cold -- sh -c "opensm -f $work/osm.log >/dev/null 2>&1 &
		until $probe open | grep -q 'lid [1-9]'; do sleep 0.1; done; exit 10"
	tap_is "opensm is not killed" "$status:$err" "10:"
	tap_ok "but ends orderly" grep -q "Exiting SM" "$work/osm.log"
	tap_ok "with a log of some lines" test "$(wc -c <"$work/osm.log")" -lt 100000
else
	tap_skip "opensm is not killed" "no opensm for a library without sanitizers here"
fi
# A supervisor has several threads, and the end of the last program wakes them: where freed memory
# was spoilt, 9 of 320 such ends were the crash of one. Eight at a time: it needs a busy machine.
"$umadrig" exec --how filter -- true 2>"$work/err"
if [ $? = 125 ]; then
	tap_skip "the supervisor ends with its last program" \
		"there is none here: $(grep -v simulated "$work/err" | head -n 1)"
else
	"$umadrig" serve --socket "$work/ends" >/dev/null 2>&1 &
	server=$!
	within 20 test -S "$work/ends"
	tap_is "the supervisor ends with its last program" "$(for worker in 1 2 3 4 5 6 7 8; do
		(for run in $(seq 30); do
			MALLOC_PERTURB_=165 timeout 60 "$umadrig" exec --how filter \
				--attach "$work/ends" -- sh -c '
					for reader in 1 2 3 4 5 6; do
						cat /sys/class/infiniband/*/node_guid &
					done
					wait' >/dev/null 2>&1
			status=$?
			[ $status = 0 ] || { echo "run $run of $worker: $status"; break; }
		done) &
	done; wait)" ""
	kill "$server"
	wait "$server" 2>/dev/null
fi
tap_done
