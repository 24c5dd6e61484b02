#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-schedules: sessions of programs with the library, static ones, musl's and Go's side by side,
# each with another schedule and seed: each does the same twice, and none hangs. ANY_SCHEDULES says
# how many; make check-any has 1,000.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

umadrig=$top_builddir/umadrig
source=$top_srcdir/tests/tools/lockstep-foreign.c
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
TZ=UTC
export TZ
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
gcc -O2 -pthread -o dynamic -I"$top_srcdir" "$source" "${source%.c}"-*.c 2>log || tap_skip_all "gcc cannot build a program here"
gcc -O2 -static -pthread -o static -I"$top_srcdir" "$source" "${source%.c}"-*.c 2>log ||
	tap_skip_all "no static libc here (libc6-dev)"
musl-gcc -O2 -static -o musl -I"$top_srcdir" "$source" "${source%.c}"-*.c 2>log || cp static musl
HOME=$PWD GOCACHE=$PWD/cache GOTOOLCHAIN=local CGO_ENABLED=0 \
	go build -o go-children "$top_srcdir/tests/any/children.go" 2>log
[ ! -d cache ] || chmod -R u+w cache
# The machine's ports are everybody's: another run of this test would have it fail.
PORT=$((20000 + $$ % 10000))
COMMAND="ibstat -p >/dev/null"
export PORT COMMAND
cat >mixed <<'END'
./dynamic threads & ./static threads & ./musl processes & ./static streams & ./musl timers &
./dynamic signals & ./static descriptors & ./musl semaphores & ./static locks & ./musl priorities &
./static children & ./musl many &
[ ! -x go-children ] || ./go-children sh -c "ibstat -p; sleep 1; echo 3; sleep 2" &
if command -v prometheus-node-exporter >/dev/null; then
	prometheus-node-exporter --web.listen-address="127.0.0.1:$PORT" --log.level=error \
		--collector.disable-defaults --collector.infiniband &
	go=$!
	(sleep 50; kill $go) &
fi
wait
ibstat -p
END

# NUMBER SCHEDULE OUT: one session.
once() {
	timeout -s KILL 60 "$umadrig" exec --fabric \
		"generate:fat-tree:2,4,clock=virtual,seed=$1,schedule=$2" -- sh mixed \
		>"$3" 2>"$3.err" </dev/null
	echo "status $?" >>"$3"
}

once 1 0 first
if grep -q "past libc, and" first.err; then
	tap_skip_all "$(grep -m 1 "past libc, and" first.err)"
fi
sessions=${ANY_SCHEDULES:-6} number=1 differ='' stuck=''
while [ "$number" -le "$sessions" ]; do
	case $((number % 3)) in
	0) schedule=walk:$number ;;
	1) schedule=pct:$number ;;
	*) schedule=pos:$number ;;
	esac
	once "$number" "$schedule" first
	once "$number" "$schedule" second
	cmp -s first second || differ="$differ $schedule"
	[ "$(tail -n 1 first)" = "status 0" ] || stuck="$stuck $schedule: $(tail -n 2 first.err)"
	number=$((number + 1))
done
tap_is "of $sessions schedules these were not the same twice" "$differ" ""
tap_is "and these did not end" "$stuck" ""
tap_has "there was something to compare" "$(cat first)" "1600 pipe 300000"
tap_done
