# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# fake-tree.sh: a copy of the kernel tree of ours in the directory "tree", into which mistakes are
# planted. Sourced behind tap.sh.
core=tree/drivers/infiniband/core

# A tree without mistakes, of a release that umadrig knows.
fresh() {
	rm -rf tree
	cp -R "$top_srcdir/tests/kmod-stub/fake-tree" tree && chmod -R u+w tree || exit 99
	sed -i 's/^VERSION = .*/VERSION = 6/; s/^SUBLEVEL = .*/SUBLEVEL = 192/' tree/Makefile
}
# FILE TEXT BY: plants a mistake in a line that must be there.
plant() {
	grep -qF -- "$2" "$core/$1" || { tap_fail "$1 has the line to be changed" "$2"; return; }
	awk -v text="$2" -v by="$3" 'at = index($0, text) {
		$0 = substr($0, 1, at - 1) by substr($0, at + length(text)) } { print }' \
		"$core/$1" >new && cat new >"$core/$1"
}
# FILE TEXT: the number of the line that has it.
line_of() {
	grep -nF -- "$2" "$core/$1" | head -n 1 | cut -d: -f1
}
