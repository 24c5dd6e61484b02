#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-sm: a program that needs a subnet manager and finds none is told to start one.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

ask="$top_builddir/tests/tools/sa-member join ff12:401b:ffff::1"
unset UMAD_BACKEND UMADRIG_HOST
PATH=$PATH:/usr/sbin:/sbin

# Runs umadrig with the arguments: 'status', and in 'hint' what it says of subnet managers.
run() {
	"$umadrig" "$@" >out 2>err
	status=$?
	hint=$(grep -A1 '^umadrig [a-z]*: .*subnet manager' err)
}

run exec -- $ask
tap_is "a request without an answer" "$status:$hint" "1:$(cat <<'END2'
umadrig exec: no subnet manager answered requests to the subnet administrator. Start one on the fabric, for example:
  umadrig exec --with-sm ... -- saquery
END2
)"
run exec -- sh -c "$ask; $ask; true"
tap_is "two of them, and the command succeeds: it is said once" \
	"$status:$(printf '%s\n' "$hint" | grep -c 'no subnet manager')" 0:1
run exec -- "$top_builddir/tests/tools/exec-probe" open
tap_is "no request, no hint" "$status:$hint" 0:
run exec --fabric ,state=cold -- sh -c "$top_builddir/tests/tools/exec-probe open; exit 5"
tap_is "a cold fabric, and the command fails" "$status:$(printf '%s\n' "$hint" | head -n 1)" \
	"5:$(printf '%s ' "umadrig exec: the ports have no LIDs (state=cold): no subnet manager gave" \
		"them any. Start one on the fabric, for example:" | sed 's/ $//')"
run exec --fabric ,state=cold -- sh -c "$top_builddir/tests/tools/exec-probe open; exit 0"
tap_is "a command that succeeds did without LIDs" "$status:$hint" 0:
run exec --fabric generate:fat-tree:2,4 --host host-1 -- \
	sh -c "$top_builddir/tests/tools/exec-probe open; exit 5"
tap_is "one that fails with LIDs failed for another reason" "$status:$hint" 5:

"$umadrig" serve --socket "$work/socket" >ready 2>served &
server=$!
until [ -s ready ] || ! kill -0 "$server"; do
	sleep 0.1
done
run exec --attach "$work/socket" -- $ask
kill "$server"
wait "$server"
tap_is "a server says it at its end" "$(grep -c '^umadrig serve: no subnet manager answered' served)" 1

if command -v opensm >/dev/null 2>&1 && command -v saquery >/dev/null 2>&1 &&
   ! nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	# shellcheck disable=SC2046
	run $(sed -n 's/^  umadrig \(exec --with-sm\) \.\.\. \(-- saquery\)$/\1 --fabric generate:fat-tree:2,4,state=cold \2/p' served)
	tap_is "with what it proposes the request is answered" \
		"$status:$(grep -c 'NodeRecord dump' out):$hint" 0:5:
else
	tap_skip "with what it proposes the request is answered" \
		"no opensm or saquery for a library without sanitizers here"
fi
tap_done
