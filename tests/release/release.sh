#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# release: build-aux/release dates a tree, refuses one that is not finished, and makes of an archive
# what a release consists of: sums, an SPDX document that depends on the archive alone, a signature.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"
date -u -d 2026-12-24 +%F >/dev/null 2>&1 || tap_skip_all "no GNU date"
version=$(sed -n "s/^AC_INIT(\[umadrig\], \[\([0-9.]*\)\].*/\1/p" "$top_srcdir/configure.ac")
release=$top_srcdir/build-aux/release

tree=$work/tree
mkdir -p "$tree/debian" "$tree/tests/release" "$tree/lib/attach" "$tree/lib/base" "$tree/harness/bridge" "$tree/doc" \
	"$tree/sim/api" \
	"$tree/python/umadrig" "$tree/data/vscode"
for file in NEWS umadrig.spec.in debian/changelog tests/release/record tests/release/versions \
	lib/attach/protocol.h lib/backend.h lib/base/port-attr.h harness/bridge/bridge.h sim/api/umadrig.h python/umadrig/__init__.py \
	data/vscode/package.json; do
	cp "$top_srcdir/$file" "$tree/$file"
done
cp -R "$top_srcdir/doc/schema" "$tree/doc/"
chmod -R u+w "$tree"
# As before a release, whatever this tree is.
sed -i "s/^Changes in $version ([0-9-]*)/Changes in $version (not yet released)/" "$tree/NEWS"
sed -i '3,$s/ [^ ]*$/ -/' "$tree/tests/release/versions"

said=$("$release" check "$tree" "$version" 2>&1)
tap_is "no date: refused" "$?:$said" \
	"1:release: NEWS: $version has no date: make release-date DAY=YYYY-MM-DD"
said=$("$release" date "$tree" "$version" tomorrow 2>&1)
tap_is "a day that is none" "$?:$said" "1:release: 'tomorrow' is no day: DAY=2026-12-24"
tap_ok "it is dated" "$release" date "$tree" "$version" 2026-12-24
tap_is "in NEWS" "$(grep -A 1 "^Changes in $version" "$tree/NEWS")" "Changes in $version (2026-12-24)
$(echo "Changes in $version (2026-12-24)" | tr '[:print:]' -)"
tap_is "in Debian's change log" "$(sed -n '/^ -- /{s/.*>  //p;q}' "$tree/debian/changelog")" \
	"Thu, 24 Dec 2026 12:00:00 +0000"
tap_is "in RPM's" "$(sed -n '/^%changelog/{n;p;}' "$tree/umadrig.spec.in")" \
	"* Thu Dec 24 2026 The umadrig authors - $version-1"
tap_is "and its promises are its own" "$(grep -c " $version\$" "$tree/tests/release/versions"):$(grep -c ' -$' "$tree/tests/release/versions")" \
	"$(grep -vc '^#' "$tree/tests/release/versions"):0"
tap_is "its API, too" "$(cmp "$tree/sim/api/umadrig.h" "$tree/tests/release/umadrig.h.txt" && echo same)" same
said=$("$release" check "$tree" "$version" 2>&1)
tap_is "now it may be made" "$?:$said" 0:
said=$("$release" check "$tree" 9.9.9 2>&1)
tap_is "another version may not" "$?:$(echo "$said" | sed 's/:.*//' | tr '\n' ' ')" \
	"1:release debian/changelog umadrig.spec.in python/umadrig/__init__.py data/vscode/package.json "
sed -i 's/"type": "string"/"type": "integer"/' "$tree/doc/schema/run.json"
said=$("$release" check "$tree" "$version" 2>&1)
tap_has "nor one that breaks a promise" "$?:$said" "1:release: run.json: umadrig $version has version"
if command -v git >/dev/null 2>&1; then
	cp "$top_srcdir/doc/schema/run.json" "$tree/doc/schema/"
	git -C "$tree" init -q
	git -C "$tree" add -A
	said=$("$release" check "$tree" "$version" 2>&1)
	tap_is "nor what is not committed" "$?:$said" "1:release: the tree has changes that are not committed"
fi

# ---- what it consists of ----

# An archive with two files, as umadrig's would be.
mkdir -p "umadrig-$version/LICENSES" "umadrig-$version/debian" keys
chmod 700 keys
# REUSE-IgnoreStart
printf '/* SPDX-FileCopyrightText: A\n * SPDX-License-Identifier: BSD-2-Clause */\n' >"umadrig-$version/a.c"
# REUSE-IgnoreEnd
cp "$top_srcdir/LICENSES/BSD-2-Clause.txt" "umadrig-$version/LICENSES/"
cp "$tree/NEWS" "umadrig-$version/"
"$top_srcdir/build-aux/dist-tar" "umadrig-$version" | xz >"umadrig-$version.tar.xz"
if command -v reuse >/dev/null 2>&1; then
	for out in one other/place; do
		"$release" pack "umadrig-$version.tar.xz" "$out" >said 2>&1 || cat said
	done
	tap_is "its files" "$(ls one | tr '\n' ' ')" "SHA256SUMS umadrig-$version.spdx umadrig-$version.tar.xz "
	tap_has "no key: that is said" "$(cat said)" "not signed"
	tap_ok "the sums are right" sh -c 'cd one && sha256sum -c --quiet SHA256SUMS'
	tap_ok "it is the same a second time, somewhere else" diff -r one other/place
	tap_has "the SPDX document has the files and their terms" "$(cat "one/umadrig-$version.spdx")" "FileName: ./a.c"
	tap_has "... with their sums" "$(cat "one/umadrig-$version.spdx")" \
		"FileChecksum: SHA1: $(sha1sum "umadrig-$version/a.c" | cut -d ' ' -f 1)"
	tap_has "... terms" "$(cat "one/umadrig-$version.spdx")" "LicenseInfoInFile: BSD-2-Clause"
	tap_has "... and the release's day" "$(cat "one/umadrig-$version.spdx")" "Created: 2026-12-24T00:00:00Z"
	if command -v gpg >/dev/null 2>&1; then
		GNUPGHOME=$work/keys
		export GNUPGHOME
		gpg --batch --quiet --passphrase '' --quick-generate-key test@umadrig.invalid >said 2>&1
		said=$("$release" pack "umadrig-$version.tar.xz" one test@umadrig.invalid 2>&1)
		tap_ok "with a key it is signed" gpg --verify one/SHA256SUMS.asc one/SHA256SUMS
		echo >>one/SHA256SUMS
		tap_ok "for what it is alone" sh -c '! gpg --verify one/SHA256SUMS.asc one/SHA256SUMS'
		said=$("$release" pack "umadrig-$version.tar.xz" one nobody 2>&1)
		tap_has "a key that is not there" "$?:$said" "gpg has no signature"
		gpgconf --kill gpg-agent
	else
		tap_skip "a signature" "gpg is not installed"
	fi
else
	said=$("$release" pack "umadrig-$version.tar.xz" one 2>&1)
	tap_is "without reuse: refused" "$?:$said" "1:release: reuse is missing: install reuse"
fi

tap_done
