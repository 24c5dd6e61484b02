# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=bash
# sides.bash: the two simulators on one fabric file, ours and Debian's ibsim, started and stopped in
# the same way. Sourced by the benchmarks; top_builddir is set.

umadrig=$top_builddir/.libs/umadrig
if [ -x "$umadrig" ]; then
	# The program itself, not libtool's script, whose start would be measured too.
	export LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
else
	umadrig=$top_builddir/umadrig
fi
umad2sim=$(ls /usr/lib/*/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
debian=$(ls -d /usr/lib/*/libibumad.so.3 2>/dev/null | head -n 1)
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d) || exit 2
side_pid=""
IBSIM_SOCKNAME=umadrig-bench-$$
export IBSIM_SOCKNAME

side_stop() {
	[ -z "$side_pid" ] || { kill "$side_pid" && wait "$side_pid"; } 2>/dev/null
	side_pid=""
}
trap 'side_stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

have_ibsim() {
	command -v ibsim >/dev/null && [ -n "$umad2sim" ] && [ -n "$debian" ]
}

# The clock, in milliseconds with three decimals, into $now: no process is started for it.
tick() {
	now=${EPOCHREALTIME/./}
	now=${now:0:-3}.${now: -3}
}

# Of the side that runs: processor time (ms) and memory (kB), into $cpu and $rss.
side_look() {
	local line
	read -r line _ <"/proc/$side_pid/schedstat" && cpu=$((line / 1000000))
	while read -r line value _; do
		if [ "$line" = VmRSS: ]; then rss=$value; fi
	done <"/proc/$side_pid/status"
}

# NET: until programs may come; its pid is $side_pid, the time it took (ms) $took.
ours_start() {
	local line began
	rm -f "$work/ready" "$work/socket"
	mkfifo "$work/ready"
	tick; began=$now
	"$umadrig" serve --fabric "$1,state=cold" --socket "$work/socket" >"$work/ready" \
		2>"$work/ours.err" &
	side_pid=$!
	read -r line <"$work/ready" || { cat "$work/ours.err" >&2; return 1; }
	tick; took=$(awk "BEGIN { printf \"%.1f\", $now - $began }")
	side_look
}

# NET: ibsim makes its sockets when the fabric stands. Its tables are larger than it needs, as far as
# that costs nothing: of each switch's LIDs (-L) it has as many as are usual, while they are enough.
ibsim_start() {
	local began names lids=()
	[ "$(grep -c '^[SC]' "$1")" -lt 30000 ] || lids=(-L 49152)
	tick; began=$now
	(cd "$work" && exec ibsim -s -n -N 60000 -S 6000 -P 600000 "${lids[@]}" "$1" >ibsim.log 2>&1) &
	side_pid=$!
	# A pipe that nobody writes to: read -t is a sleep without a process.
	[ -p "$work/never" ] || mkfifo "$work/never"
	exec 9<>"$work/never"
	until mapfile -t names </proc/net/unix && [[ ${names[*]} == *"$IBSIM_SOCKNAME:ctl"* ]]; do
		kill -0 "$side_pid" 2>/dev/null || { cat "$work/ibsim.log" >&2; return 1; }
		read -r -t 0.005 -u 9
	done
	exec 9>&-
	tick; took=$(awk "BEGIN { printf \"%.1f\", $now - $began }")
	side_look
}

# PROGRAM...: on the side that runs.
on_ours() {
	"$umadrig" exec --attach "$work/socket" -- "$@"
}
on_ibsim() {
	(cd "$work" && LD_LIBRARY_PATH=$(dirname "$debian") LD_PRELOAD=$umad2sim "$@")
}

median() {
	sort -n | awk '{ v[NR] = $1 }
		END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
