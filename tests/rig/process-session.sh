# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# process-session.sh: what setsid(1) has started. Sourced:
# . "$top_srcdir/tests/rig/process-session.sh"

# SESSION: succeeds where a process of it runs. In /proc/PID/stat the session is the fourth field
# behind the name, which may hold anything.
session_runs() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/.*) //' |
		awk -v session="$1" '$1 != "Z" && $4 == session { n++ } END { exit n == 0 }'
}

# SESSION: succeeds when no process of it runs any more, at the latest after 20 seconds.
session_ends() {
	for session_try in $(seq 400); do
		session_runs "$1" || return 0
		sleep 0.05
	done
	return 1
}
