# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# golden.sh: what a command says of many scripts, word for word. Sourced behind tap.sh, in a
# directory of the test's own. The file has a section for each: "== NAME", the script, "--", and
# what is said. With UMADRIG_REWRITE=1 that is written anew; never where CI is set.
#
#	golden FILE SAY		for each section SAY gets the script's file: it writes the file
#				"said", and returns 0, or why it did not (a text in "skipped", and 77)
#				or what is wrong (1)

golden_sections() {
	awk '
		/^== / { n++; file = n ".script"; print substr($0, 4) >(n ".name"); printf "" >file; next }
		n && $0 == "--" { file = n ".says"; printf "" >file; next }
		n { print >file }
		!n { print >"head" }
		END { print n + 0 >"count" }
	' "$1"
	count=$(cat count)
}

golden_write() {
	cat head >new
	i=1
	while [ "$i" -le "$count" ]; do
		{ echo "== $(cat "$i.name")"; cat "$i.script"; echo "--"; cat "$i.says"; } >>new
		i=$((i + 1))
	done
	cp new "$1"
}

# SAY N: one section.
golden_one() {
	name=$(cat "$2.name")
	: >said
	"$1" "$2.script"
	verdict=$?
	if [ "$verdict" = 77 ]; then
		tap_skip "$name" "$(cat skipped)"
		return
	fi
	[ -z "${UMADRIG_REWRITE-}" ] || cp said "$2.says"
	if [ "$verdict" = 0 ] && [ -s said ] && cmp -s said "$2.says"; then
		tap_pass "$name"
	else
		tap_fail "$name" "$(diff "$2.says" said)" "$(cat errors)"
	fi
}

golden() {
	if [ -n "${UMADRIG_REWRITE-}" ] && [ -n "${CI-}" ]; then
		tap_fail "nothing is rewritten in CI" "unset UMADRIG_REWRITE"
		tap_done
		exit 1
	fi
	golden_sections "$1"
	tap_ok "there are 25 sections or more: $count" test "$count" -ge 25
	section=1
	while [ "$section" -le "$count" ]; do
		golden_one "$2" "$section"
		section=$((section + 1))
	done
	[ -z "${UMADRIG_REWRITE-}" ] || golden_write "$1"
}
