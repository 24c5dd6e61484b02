#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-flood: below one "umadrig exec", a program that uses up all it can get has errors of its own;
# its neighbour's round trips go on.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

flood=$(cd "$top_builddir" && pwd)/tests/tools/flood
"$umadrig" exec --how filter -- true 2>err
has_filter=$(($? != 125))

# Both programs are below one exec: the flood first, until it is refused. OPTION... of exec; $mode,
# $count: of the flood.
beside() {
	timeout 120 "$umadrig" exec "$@" -- sh -c '
		mkfifo hold told
		"$0" "$@" <hold >told 2>flood.err &
		exec 9>hold
		read -r line <told
		echo "$line"
		"$0" polite
		status=$?
		exec 9>&-
		wait
		rm -f hold told
		exit $status' "$flood" "$mode" ${count:+"$count"} >out 2>err
	echo "$?:$(cat out)"
}

# HOW: all floods, where programs come to the fabric so.
floods() {
	mode=sends count=
	"$umadrig" serve --socket "$work/socket" --limit=sending=300K >ready 2>serve.err &
	server=$!
	while [ ! -s ready ]; do sleep 0.05; done
	tap_is "$1: sends are refused to the program that has too many" \
		"$(beside --how "$1" --attach "$work/socket")" "0:sends: ENOMEM
200 round trips"
	tap_is "$1: which is said once" "$(grep -c "limit: sending" serve.err)" 1
	kill "$server"
	wait "$server"
	rm -f ready

	mode=files count=1
	"$umadrig" serve --socket "$work/socket" --limit=handles=40 >ready 2>serve.err &
	server=$!
	while [ ! -s ready ]; do sleep 0.05; done
	tap_is "$1: open ports likewise" "$(beside --how "$1" --attach "$work/socket")" \
		"0:files: EMFILE
200 round trips"
	kill "$server"
	wait "$server"
	rm -f ready

	# Of descriptors there are few, for umadrig, too.
	count=8
	tap_is "$1: many that take all descriptors leave enough" \
		"$(ulimit -n 300 && beside --how "$1")" "0:files: EMFILE
200 round trips"
}

floods preload
if [ "$has_filter" = 1 ]; then
	floods filter
	tap_is "filter: that is said once" "$(grep -c "its share of the" err)" 1
else
	tap_skip "below a filter" "there is none here: $(grep -v simulated err | head -n 1)"
fi
tap_done
