#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# mistakes: what umadrig lint says of each mistake in tests/data/mistakes.txt, word for word.
#
# UMADRIG_REWRITE=1 writes the messages in that file anew; never where CI is set.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/golden.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
echo 'include "mistake.mad"' >mistake.inc

long=$(printf '%065536d' 0)

say() {
	# shellcheck disable=SC2059
	printf "$(sed 's/%/%%/g; s/\\"/\\\\"/g' "$1")\n" >mistake.mad
	if grep -q @64KiB@ mistake.mad; then
		sed "s/@64KiB@/$long/" mistake.mad >longer && mv longer mistake.mad
	fi
	"$umadrig" lint mistake.mad >said 2>errors
	[ $? = 1 ] && [ ! -s errors ]
}
golden "$top_srcdir/tests/data/mistakes.txt" say

# A message of one line, and its place and caret: one mistake, one message.
tap_is "one mistake has one message" "$(grep -c ': \(error\|warning\): ' 1.says)" 1

# The limit itself.
printf 'scenario "s"\n#%.65535s\n0~1ms    > nothing\n' "$long" >limit.mad
tap_is "a line of 64 KiB is not too long" "$("$umadrig" lint limit.mad 2>&1):$?" :0

# All of the shipped scripts are as lint wants them.
tap_is "lint has nothing to say of the shipped scripts" \
	"$("$umadrig" lint "$top_srcdir/scenarios" 2>&1):$?" :0

tap_done
