#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# reuse-lint: each file has a licence whose text is in LICENSES, and every licence line can be read.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v reuse >/dev/null 2>&1 || tap_skip_all "reuse is not installed"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# A copy without build directories: reuse asks git for them, which answers nobody but the owner.
tree=$work/tree
mkdir "$tree"
(
	cd "$top_srcdir" || exit
	find . -mindepth 2 -name config.status | sed 's,/config.status$,,' >"$work/builds"
	tar -cf - --exclude=./.git --exclude=./autom4te.cache --exclude-from="$work/builds" .
) | tar -xf - -C "$tree"
chmod -R u+w "$tree"

# What reuse says of the tree, its exit status, and the files whose licence line it cannot read.
lint() {
	(cd "$tree" && reuse lint 2>&1) >"$work/out"
	echo "$?:$(sed -n "s,.* ERROR - '\(.*\)' holds an SPDX expression.*,\1,p" "$work/out" | sed "s,^$tree/,," | sort | tr '\n' ' ')"
}

said=$(lint)
[ "$said" = 0: ] || sed 's/^/# /' "$work/out"
tap_is "each file has a licence, whose text is there" "$said" 0:
line='SPDX-License''-Identifier:'
echo "# $line BSD-2-Clause, or so" >"$tree/unreadable"
tap_is "a line that cannot be read is found" "$(lint)" "0:unreadable "
echo "# $line MIT" >"$tree/unreadable"
tap_is "a licence without its text is found" "$(lint)" 1:
tap_has "and named" "$(cat "$work/out")" "Missing licenses: MIT"
tap_done
