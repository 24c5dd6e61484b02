#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# readme: the README's scenario does what the README shows.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# Indented lines of the README from the first that contains $1 up to the next that is not indented.
shown() {
	awk -v first="$1" '
		!on && substr($0, 1, 4) == "    " && index($0, first) { on = 1 }
		on && $0 != "" && substr($0, 1, 4) != "    " { exit }
		on { print substr($0, 5) }
	' "$top_srcdir/README" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

# NAME SHOWN ACTUAL: every line that is shown is in the actual output.
lines_are_in() {
	printf '%s\n' "$2" | grep -v -e '^\$ ' -e '^$' >"$work/shown"
	missing=$(printf '%s\n' "$3" | grep -v -x -F -f - "$work/shown")
	tap_is "$1" "$(wc -l <"$work/shown" | tr -d ' ') lines, wrong: $missing" \
		"$4 lines, wrong: "
}

shown 'scenario "' >retry.mad
tap_is "a scenario of twelve lines" "$(wc -l <retry.mad | tr -d ' ')" 12
out=$("$umadrig" run --keep captures retry.mad 2>/dev/null)
tap_is "it passes" $? 0
lines_are_in "with the output that is shown" "$(shown '$ umadrig run --keep' | sed '/^$/,$d')" "$out" 3
out=$("$umadrig" show --ladder captures/retry.pcapng 2>/dev/null)
lines_are_in "and the ladder" "$(shown '$ umadrig show --ladder captures')" "$out" 5
sed -i 's/^40s /41s /' retry.mad
out=$("$umadrig" run retry.mad 2>/dev/null)
tap_is "with line 9 changed it fails" $? 1
lines_are_in "and says what is shown" "$(shown '# retry.mad:9:10')" "$out" 5

# Commands on a generated fabric need no file from the reader.
if command -v ibping >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin && command -v ibping >/dev/null 2>&1 &&
   ! nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	shown '$ umadrig exec --fabric generate:' | sed 's/^\$ //; /^$/,$d' >ping.sh
	tap_is "a ping between two nodes, in two lines" "$(wc -l <ping.sh | tr -d ' ')" 2
	out=$(PATH=$top_builddir:$PATH sh ping.sh 2>/dev/null)
	tap_has "is answered" "$out" "3 packets transmitted, 3 received, 0% packet loss"
else
	tap_skip "a ping between two nodes" "no ibping for a library without sanitizers here"
fi

tap_done
