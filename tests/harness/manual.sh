#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# manual: each command has a manual page with its options, all of them and no others; umadrig(1)
# lists the commands; what a page refers to is there.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
man=$top_srcdir/man
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

# A page without escapes: what it says, line by line.
plain() {
	sed -e 's/\\f[BIRP]//g' -e 's/\\-/-/g' -e 's/\\&//g' "$@"
}

# The options that a text names, each once.
options() {
	grep -oE -e '(^|[^-A-Za-z0-9_])--?[a-z][-a-z]*' | sed 's/^[^-]*//' | grep -xE -e '-[a-z]' -e '--[a-z][-a-z]+' |
		sort -u
}

"$umadrig" --help | sed -n 's/^  \([a-z]*\)  *\(.*\)$/\1 \2/p' >"$work/commands"
tap_ok "there are commands" test "$(grep -c . "$work/commands")" -ge 15

plain "$man/umadrig.1" | sed -n '/^\.SH COMMANDS/,/^\.SH EXIT/p' | awk '
	/^\.BR umadrig-[a-z]* \(1\)$/ { sub(/^umadrig-/, "", $2); name = $2; getline; print name " " $0 }
' >"$work/listed"
tap_is "umadrig(1) lists them, in the order of --help, in its words" "$(cat "$work/listed")" \
	"$(awk '{ name = $1; sub(/^[^ ]* /, ""); print name " " toupper(substr($0, 1, 1)) substr($0, 2) "." }' \
		"$work/commands")"

while read -r name summary; do
	page=$man/umadrig-$name.1
	if ! [ -e "$page" ]; then
		tap_fail "umadrig-$name(1) is there"
		continue
	fi
	help=$("$umadrig" "$name" --help)
	tap_is "umadrig-$name(1): its name" "$(plain "$page" | sed -n '/^\.SH NAME/{n;p;}')" "umadrig-$name - $summary"
	printf '%s\n' "$help" | sed -n '/^Application Options:/,/^$/p' | sed -n 's/^  \(-[^=]*\).*/\1/p' |
		sed 's/   .*//' | options >"$work/has"
	plain "$page" | sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' | awk 'before == ".TP" { print } { before = $0 }' >"$work/heads"
	tap_is "umadrig-$name(1) has each option of --help, and no other" "$(options <"$work/heads")" "$(cat "$work/has")"
	tap_is "and none twice" "$(while read -r head; do printf '%s\n' "$head" | options; done <"$work/heads" | sort | uniq -d)" ""
	tap_is "its synopsis names options that there are" \
		"$(plain "$page" | sed -n '/^\.SH SYNOPSIS/,/^\.fi/p' | options | comm -23 - "$work/has")" ""
	tap_has "and --help leads to it" "$help" "umadrig-$name(1)"
	cat "$work/has" >>"$work/all"
done <"$work/commands"
sort -u "$work/all" -o "$work/all"
tap_ok "there are options" test "$(grep -c . "$work/all")" -gt 40
printf '%s\n' --help --version >>"$work/all"

# What a page says of options is of options that some command has.
unknown=
for page in "$man"/umadrig*.[1-8]; do
	# (What begins with --ladder- are variables of style sheets, in what show --svg writes.)
	for option in $(plain "$page" | options | grep -e '^--' | grep -v -e '^--ladder-'); do
		grep -qx -e "$option" "$work/all" || unknown="$unknown ${page##*/}:$option"
	done
done
tap_is "no page speaks of an option that no command has" "$unknown" ""

# What a page refers to is there, and it is shipped.
missing='' unshipped=''
for page in "$man"/umadrig*.[1-8]; do
	for other in $(plain "$page" | sed -n 's/.*\(umadrig[a-z-]*\) \{0,1\}(\([1-8]\)).*/\1.\2/p'); do
		[ -e "$man/$other" ] || missing="$missing ${page##*/}:$other"
	done
	grep -q "man/${page##*/}\>" "$man/local.mk" || unshipped="$unshipped ${page##*/}"
done
tap_is "every page that one refers to is there" "$missing" ""
tap_is "every page is shipped" "$unshipped" ""

if command -v groff >/dev/null; then
	for page in "$man"/umadrig*.[1-8]; do
		groff -man -ww -Tutf8 -z "$page" 2>&1
	done >"$work/warnings"
	tap_is "the pages are clean troff" "$(cat "$work/warnings")" ""
else
	tap_skip "the pages are clean troff" "no groff"
fi
if command -v mandoc >/dev/null; then
	# The pages have no date: what they describe has a version.
	tap_is "mandoc finds nothing wrong" "$(mandoc -T lint -W warning "$man"/umadrig*.[1-8] 2>&1 |
		grep -v 'missing date, using "": TH$')" ""
else
	tap_skip "mandoc finds nothing wrong" "no mandoc"
fi
tap_done
