#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-limits: where limits leave too little for a fabric server, umadrig says so before
# a program waits for it, names the limit, and how to raise it.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

walk=$top_builddir/tests/tools/fabric-walk
# Not libtool's wrapper, which needs processes of its own.
plain=$umadrig
if [ -x "$top_builddir/.libs/umadrig" ]; then
	plain=$top_builddir/.libs/umadrig
	export LD_LIBRARY_PATH="$top_builddir/.libs"
fi

# ---- descriptors ----

for command in "serve" "exec -- true"; do
	# shellcheck disable=SC2086 # words
	(ulimit -n 64 && timeout 60 "$umadrig" $command) >out 2>err
	tap_is "64 descriptors: $command is refused" $? 125
	tap_has "with the limit" "$(cat err)" "descriptors at least, and may have 64 (ulimit -n)"
	tap_is "and nothing is said to be ready" "$(cat out)" ""
done
(ulimit -n 96 && timeout 60 "$umadrig" exec --how preload -- "$walk") >out 2>err
tap_has "96 descriptors are enough for a program" "$?:$(cat out)" "2 answers"

# ---- threads ----

# COMMAND...: as a user who has nothing else, and may have so many processes and threads.
with_threads() {
	setpriv --reuid 64321 --regid 64321 --clear-groups prlimit --nproc="$1" \
		"$plain" exec --how preload -- true 2>err
}
if [ "$(id -u)" = 0 ] && command -v prlimit >/dev/null &&
	setpriv --reuid 64321 --clear-groups "$plain" --version >/dev/null 2>&1; then
	chmod 777 . tmp
	for threads in 2 3 4; do
		with_threads $threads >out
		status=$?
		tap_ok "$threads threads: status $status, no signal" test $status -lt 127
		tap_ok "$threads threads: the reason is said" grep -q "umadrig" err
		grep -q "no thread for the fabric server" err && named=1
	done
	tap_is "and where none is left for the server, that is" "${named-0}" 1
else
	tap_skip "threads" "only root can be a user who has nothing else"
fi

# ---- inotify ----

# COMMAND...: with no inotify instance left.
without_inotify() {
	unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_inotify_instances && exec "$@"' sh "$@"
}
if without_inotify true 2>/dev/null; then
	for how in "preload --sysfs" filter; do
		# shellcheck disable=SC2086 # words
		without_inotify "$umadrig" exec --how $how -- ls /sys/class/infiniband >out 2>err
		tap_has "no inotify instance, $how: the limit is named" "$(cat err)" \
			"fs.inotify.max_user_instances"
	done
else
	tap_skip "inotify" "no namespaces of users here"
fi
tap_done
