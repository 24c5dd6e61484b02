#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# site: the pages of the web site can be made, and lead nowhere that is not there; where Sphinx is
# installed, the whole site.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"
command -v mandoc >/dev/null 2>&1 || tap_skip_all "mandoc is not installed"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
TMPDIR=$work/tmp LC_ALL=C.UTF-8
export TMPDIR LC_ALL
mkdir "$work/tmp"

# A tree of our own, to break.
tree=$work/tree
mkdir "$tree"
cp -R "$top_srcdir/doc" "$top_srcdir/man" "$top_srcdir/scenarios" "$top_srcdir/NEWS" \
	"$top_srcdir"/*.md "$top_srcdir/action.yml" "$tree"
chmod -R u+w "$tree"

make_site() {
	python3 -B "$top_srcdir/doc/site/make-site" "$@" "$tree" "$top_builddir/umadrig" "$work/site" 2>&1
}

out=$(make_site --pages)
tap_is "the pages" "$?:$out" 0:
tap_is "a page for each manual page that is no alias" \
	"$(find "$work/site/man" -name 'umad*.md' | wc -l | tr -d ' ')" \
	"$(grep -L '^\.so ' "$tree"/man/*.[1-7]* | wc -l | tr -d ' ')"
tap_is "every document" "$(for file in "$tree"/doc/*.md; do
	name=$(basename "$file" .md)
	[ -s "$work/site/doc/$name.md" ] && grep -qx "doc/$name" "$work/site/index.md" || echo "$name"
done)" ""
tap_is "a drawing for each entry of the gallery" "$(grep -c '^<svg ' "$work/site/gallery.md")" \
	"$(grep -v '^#' "$tree/doc/site/gallery.txt" | grep -c '^[^ ]*/[^ ]* ')"
tap_has "names of manual pages lead there" "$(cat "$work/site/doc/tutorial.md")" \
	"[umadrig(1)](../man/umadrig.1.md)"
tap_has "in manual pages, too, and from aliases" "$(cat "$work/site/man/umad.7.md")" \
	'<a href="umad_recv.3.html">umad_recv(3)</a>'

printf '\n[gone](nowhere.md)\n' >>"$tree/doc/scale.md"
out=$(make_site --pages)
tap_is "a link to what is not there" "$?:$out" "1:make-site: doc/scale.md: there is no nowhere.md"
cp "$top_srcdir/doc/scale.md" "$tree/doc/scale.md"
mkdir "$work/other"
out=$(python3 -B "$top_srcdir/doc/site/make-site" --pages "$tree" "$top_builddir/umadrig" "$work/other" 2>&1)
tap_is "a directory of somebody's is left alone" "$?:$(printf '%s\n' "$out" | grep -c 'no site')" 1:1
mkdir "$work/bin"
ln -s "$(command -v mandoc)" "$(python3 -c 'import sys; print(sys.executable)')" "$work/bin/"
mv "$work"/bin/python* "$work/bin/python3" 2>/dev/null
out=$(PATH=$work/bin make_site)
tap_is "what is missing is named" "$?:$out" \
	"1:make-site: these packages are missing: python3-sphinx python3-myst-parser furo"

mkdir "$work/html"
printf '<p id="here"><a href="b.html#here">b</a> <a href="#here">a</a>' >"$work/html/a.html"
printf '<p id="there"><a href="a.html">a</a> <img src="c.png"> <a href="https://a.b/">' >"$work/html/b.html"
tap_is "what is broken in pages of HTML" "$(python3 -c 'import runpy, sys
print(*runpy.run_path(sys.argv[1])["broken_html"](sys.argv[2]), sep="\n")' \
	"$top_srcdir/doc/site/make-site" "$work/html")" "$(printf '%s\n' \
	'a.html: there is no such place: b.html#here' 'b.html: there is no c.png')"

if out=$(make_site); then
	tap_pass "the whole site, without a warning or a broken link"
	tap_is "with every page" "$(find "$work/site/pages" -name '*.md' | sed "s,$work/site/pages/,,; s/md$/html/" |
		while read -r page; do [ -s "$work/site/html/$page" ] || echo "$page"; done)" ""
else
	case $out in
	*"packages are missing"*) tap_skip "the whole site" "${out#*make-site: }" ;;
	*) tap_fail "the whole site" "$out" ;;
	esac
fi
tap_done
