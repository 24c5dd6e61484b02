# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# stock-fabric.sh: a fabric that stays while programs come and go, and subnet managers on it.
# Sourced.

. "$top_srcdir/tests/stock/stock.sh"
walker=$top_builddir/tests/tools/fabric-walk
OSM_TMP_DIR=$work OSM_CACHE_DIR=$work
export OSM_TMP_DIR OSM_CACHE_DIR
server=""
managers=""

# NAME: is it running? Process ids are reused soon, but the name of its log is unique.
sm_lives() {
	grep -qs "$work/sm-$1/log" "/proc/$(cat "$work/sm-$1/pid")/cmdline"
}

sm_is_gone() {
	! sm_lives "$1"
}

# NAME [SIGNAL]
sm_kill() {
	sm_is_gone "$1" || kill "-${2:-KILL}" "$(cat "$work/sm-$1/pid")"
}

# NAME: stops it, by SIGKILL if necessary.
sm_stop() {
	sm_kill "$1" TERM
	within 5 sm_is_gone "$1" || sm_kill "$1"
}

# What still runs is stopped at the end of the test. Managers first: an OpenSM that is exiting while
# its device is removed may hang for ever, with its logger's lock held by a thread that it has
# cancelled.
fabric_end() {
	for manager in $managers; do
		sm_stop "$manager"
	done
	managers=""
	[ -z "$server" ] || kill "$server" 2>/dev/null
	wait
	server=""
}
trap 'fabric_end; rm -rf "$work"' EXIT

# FABRIC: serves it from now on; "on" runs programs on it.
fabric_serve() {
	[ -z "$server" ] || fabric_end
	rm -rf "$work"/sm-* "$work/ready" "$work/socket"
	mkfifo "$work/ready"
	"$umadrig" serve --fabric "$1" --socket "$work/socket" >"$work/ready" 2>"$work/serve.err" &
	server=$!
	read -r fabric_line <"$work/ready" || {
		cat "$work/serve.err" >&2
		return 1
	}
}

# HOST COMMAND...: runs it on a host of the fabric ("" is the default one).
on() {
	on_host=$1
	shift
	"$umadrig" exec --attach "$work/socket" ${on_host:+--host "$on_host"} -- "$@"
}

# NAME HOST ARGUMENT...: starts OpenSM, which keeps running. Its log is $work/sm-NAME/log.
sm_start() {
	sm_name=$1
	sm_host=$2
	shift 2
	mkdir "$work/sm-$sm_name"
	OSM_TMP_DIR=$work/sm-$sm_name OSM_CACHE_DIR=$work/sm-$sm_name
	export OSM_TMP_DIR OSM_CACHE_DIR
	# kill needs its own process id, not that of timeout(1).
	timeout -k 5 "${sm_limit:-120}" "$umadrig" exec --attach "$work/socket" \
		${sm_host:+--host "$sm_host"} -- \
		sh -c 'echo $$ >"$1/pid"; shift; exec opensm "$@"' sh "$work/sm-$sm_name" \
		-d 2 -f "$work/sm-$sm_name/log" "$@" >"$work/sm-$sm_name/out" 2>&1 &
	managers="$managers $sm_name"
}

# NAME: how often it has reported that the subnet is up.
sm_ups() {
	grep -c "SUBNET UP" "$work/sm-$1/log" 2>/dev/null
}

# NAME COUNT
sm_has_upped() {
	[ "$(sm_ups "$1")" -ge "$2" ]
}

# NAME COUNT: waits until it has reported so that often; prints its log if it does not within a
# minute.
sm_wait() {
	within "${sm_limit:-60}" sm_has_upped "$1" "$2" || {
		tail -n 30 "$work/sm-$1/log" "$work/sm-$1/out" | cut -c 1-160
		return 1
	}
}

# NAME ARGUMENT...: the fabric, read with SMPs by fabric-walk, gets in order. It may be read while
# an SM is still sweeping; errors must disappear within seconds.
in_order() {
	order_name=$1
	shift
	if within 10 walked_well "$@"; then
		tap_pass "$order_name: $(grep -v '^simulated' "$work/walk")"
	else
		tap_fail "$order_name" "$(cut -c 1-160 "$work/walk")"
	fi
}

walked_well() {
	on "" "$walker" -s "$@" >"$work/walk" 2>&1
}
