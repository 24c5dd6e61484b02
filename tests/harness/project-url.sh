#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# project-url: the project's URL and address are in configure.ac; packages take them from there, and
# have none as long as it has none.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
url=https://example.org/ address=somebody@example.org

# URL: umadrig.spec, with that one.
spec_with() {
	sed "s,^S\[\"PACKAGE_URL\"\]=.*,S[\"PACKAGE_URL\"]=\"$1\"," "$top_builddir/config.status" >"$work/config.status"
	# It writes config.log where it runs, and not all may write to the build directory.
	(cd "$work" && sh ./config.status -q --file="umadrig.spec:$top_srcdir/umadrig.spec.in") || return
	cat "$work/umadrig.spec"
}
# TARGET WORD...: what make would run for it, with these variables.
recipe() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$top_builddir" -n -W Makefile "$@" 2>&1
}

tap_has "the RPM packages have the URL" "$(spec_with $url)" "
%if \"$url\" != \"\"
URL:            $url
%endif
"
tap_has "which may be unset" "$(spec_with '')" '
%if "" != ""
URL:            
%endif
'
tap_has "their release is configure's" "$(spec_with '')" \
	"Version:        $(sed -n 's/^PACKAGE_VERSION = //p' "$top_builddir/Makefile")"
tap_has "so has the Python module" "$(recipe python/METADATA PACKAGE_URL=$url)" "'Home-page: $url'"
tap_lacks "or not" "$(recipe python/METADATA PACKAGE_URL=)" Home-page
tap_has "and the web site" "$(recipe site PACKAGE_URL=$url)" "make-site --url '$url' "
tap_lacks "or not" "$(recipe site PACKAGE_URL=)" --url

# The commands that "make deb" runs on debian/, on a copy of it.
mkdir -p "$work/debian"
cp "$top_srcdir/debian/control" "$top_srcdir/debian/changelog" "$top_srcdir/debian/watch" "$work/debian"
chmod -R u+w "$work/debian"
deb=$(recipe deb PACKAGE_URL=$url PACKAGE_BUGREPORT=$address | tr '\n' ' ' |
	sed 's/\\ //g; s/.*&& cd [^ ]* &&//; s/&&[[:space:]]*dpkg-buildpackage.*//')
(cd "$work" && eval "$deb")
tap_is "Debian packages have the URL and the address" \
	"$(sed -n 's/^Homepage: //p; s/^Maintainer: .*<\(.*\)>/\1/p' "$work/debian/control" | sort | tr '\n' ' ')$(
	sed -n 's/^ -- .*<\(.*\)>.*/\1/p' "$work/debian/changelog")" "$url $address $address"
tap_is "uscan has where to look" "$(sed -n '$p' "$work/debian/watch")" \
	'https://example.org/tags .*/v?@ANY_VERSION@@ARCHIVE_EXT@'
tap_lacks "or not" "$(recipe deb PACKAGE_URL= PACKAGE_BUGREPORT=)" "sed -i"

# No address is invented: where Debian asks for one, it is one that nobody can have.
tap_is "no other file has an address of the project" \
	"$(cd "$top_srcdir" && grep -rlE 'umadrig(@[a-z0-9-]+\.|[a-z.-]*\.(invalid|org|com|io)\b)' README NEWS ./*.md configure.ac \
		umadrig.spec.in debian doc man python lib kmod-stub sim harness data .github .gitlab-ci.yml | sort | tr '\n' ' ')" \
	"debian/changelog debian/control "
tap_done
