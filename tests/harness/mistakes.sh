#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# mistakes: what umadrig lint says of each mistake in tests/data/mistakes.txt, word for word.
#
# UMADRIG_REWRITE=1 writes the messages in that file anew; never where CI is set.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
golden=$top_srcdir/tests/data/mistakes.txt
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
echo 'include "mistake.mad"' >mistake.inc

if [ -n "${UMADRIG_REWRITE-}" ] && [ -n "${CI-}" ]; then
	tap_fail "nothing is rewritten in CI" "unset UMADRIG_REWRITE"
	tap_done
fi

# N.name, N.script, N.says and N.end of each section.
awk '
	/^== / { n++; file = n ".script"; print substr($0, 4) >(n ".name"); printf "" >file; next }
	n && $0 == "--" { file = n ".says"; printf "" >file; next }
	n { print >file }
	!n { print >"head" }
	END { print n >"count" }
' "$golden"
count=$(cat count)
tap_ok "there are 25 mistakes or more: $count" test "$count" -ge 25
long=$(printf '%065536d' 0)
i=1
while [ "$i" -le "$count" ]; do
	name=$(cat "$i.name")
	# shellcheck disable=SC2059
	printf "$(sed 's/%/%%/g; s/\\"/\\\\"/g' "$i.script")\n" >mistake.mad
	if grep -q @64KiB@ mistake.mad; then
		sed "s/@64KiB@/$long/" mistake.mad >longer && mv longer mistake.mad
	fi
	"$umadrig" lint mistake.mad >said 2>errors
	status=$?
	if [ -n "${UMADRIG_REWRITE-}" ]; then
		cp said "$i.says"
	fi
	if [ "$status" = 1 ] && cmp -s said "$i.says" && [ -s said ] && [ ! -s errors ]; then
		tap_pass "$name"
	else
		tap_fail "$name" "status $status" "$(diff "$i.says" said)" "$(cat errors)"
	fi
	i=$((i + 1))
done
if [ -n "${UMADRIG_REWRITE-}" ]; then
	cat head >new
	i=1
	while [ "$i" -le "$count" ]; do
		{ echo "== $(cat "$i.name")"; cat "$i.script"; echo "--"; cat "$i.says"; } >>new
		i=$((i + 1))
	done
	cp new "$golden"
fi

# A message of one line, and its place and caret: one mistake, one message.
tap_is "one mistake has one message" "$(grep -c ': \(error\|warning\): ' 1.says)" 1

# The limit itself.
printf 'scenario "s"\n#%.65535s\n0~1ms    > nothing\n' "$long" >limit.mad
tap_is "a line of 64 KiB is not too long" "$("$umadrig" lint limit.mad 2>&1):$?" :0

# All of the shipped scripts are as lint wants them.
tap_is "lint has nothing to say of the shipped scripts" \
	"$("$umadrig" lint "$top_srcdir/scenarios" 2>&1):$?" :0

tap_done
