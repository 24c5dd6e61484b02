#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# filter-cost: how many system calls the supervisor makes for each call of a program that is stopped
# below "umadrig exec --how filter". They are counted; nothing is timed.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

any_needs_filter
command -v strace >/dev/null || tap_skip_all "no strace here"
strace -f -qq -o trace true 2>/dev/null || tap_skip_all "strace may not trace here"

# WHAT COUNT: all system calls of the supervisor while a program does that so often.
calls_of() {
	rm -f trace*
	timeout -s KILL 120 strace -f -ff -qq -o trace "$umadrig" exec --how filter -- \
		"$top_builddir/tests/bench/umad-raw" "$1" "$2" >out 2>err
	# The threads that serve, in their turn; the one that watches over them goes by time.
	# A traced thread is so slow that its turn is often taken away, which costs futex(2).
	grep -l SECCOMP_IOCTL_NOTIF_RECV trace.* >threads &&
		xargs grep -h -v '^futex(' <threads >supervisor &&
		wc -l <supervisor
}

# WHAT MOST NAME: hundredths of a system call for each.
costs() {
	few=$(calls_of "$1" 100) && many=$(calls_of "$1" 400) || {
		tap_fail "$3" "no supervisor was traced" "$(cat err)"
		return
	}
	each=$(((many - few) / 3))
	if [ "$each" -ge 300 ] && [ "$each" -le "$2" ]; then
		tap_pass "$3"
	else
		tap_fail "$3" "$each hundredths, of at most $2" "$(sed 's/(.*//' supervisor |
			sort | uniq -c | sort -rn | head)"
	fi
}

# poll, take the call, read the path, let it go on. On a busy machine a thread waits in vain now and
# then; one call more for each would be 500.
costs open 450 "open of another file: 4 system calls"
costs stat 450 "stat of another file: 4 system calls"
# While it is traced all that is quick otherwise is late, and more has to be waited for: 13 to 15,
# and some more on a busy machine.
costs trip 2400 "a MAD and its answer: at most 24 system calls"
tap_done
