#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# explore-repeats: the command of a failure repeats it, twenty times in twenty environments.
set -u
. "$top_srcdir/tests/rig/tap.sh"
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/elsewhere.sh"
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
planted=$(realpath "$top_builddir/tests/tools/planted")
probe=$(realpath "$top_builddir/tests/tools/exec-probe")
walker=$(realpath "$top_builddir/tests/tools/fabric-walk")

# NAME OPTION...: explores until a failure is found, and repeats that.
repeats() {
	name=$1
	shift
	rm -rf found
	"$umadrig" explore --output "$work/found" "$@" >said 2>&1 </dev/null
	tap_is "$name: is found" "$?" 1
	wanted=$(sed -n 's/^run [0-9]*: //p' said)
	command=$(sed -n 's,^  kept in: \(.*\)$,\1/command,p' said)
	for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		elsewhere "$number" "$(dirname "$umadrig")" sh "$command" </dev/null 2>&1 |
			sed -n 's/^run 1: //p'
	done >again
	tap_is "$name: is repeated in 20 environments" "$(sort again | uniq -c | sed 's/^ *//')" "20 $wanted"
}
repeats "a race" --runs 200 -- "$planted" race
repeats "what only one late switch shows" --runs 60 -- "$planted" late 20
repeats "a lost answer" --runs 100 --fabric "generate:fat-tree:20,8,fault=drop 3%" --has '^9 switches, 29 ends, 40 links' -- \
	"$walker" -r 0
# shellcheck disable=SC2016 # for the run's shell
repeats "what goes by random bytes" --runs 60 -- bash -c '"$0" open; exit $((RANDOM % 9 == 4 ? 7 : 0))' "$probe"
tap_done
