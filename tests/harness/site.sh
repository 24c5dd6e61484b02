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
mkdir -p "$tree/sim/api" "$tree/python"
cp -R "$top_srcdir/python/umadrig" "$tree/python/"
cp "$top_srcdir/sim/api/umadrig.h" "$tree/sim/api/"
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

# ---- reference ----

page=$work/site/reference/umadrig-h.md header=$tree/sim/api/umadrig.h
declared=$(sed -e 's,/\*.*\*/,,' -e '/\/\*/,/\*\//d' -e '/^typedef/d' "$header" |
	grep -o 'umadrig_[a-z_]*(' | tr -d '(' | LC_ALL=C sort)
tap_is "each function of umadrig.h, once" "$(sed -n 's/^\(\.\. c:function::\|               \) .*[ *]\(umadrig_[a-z_]*\)(.*/\2/p' "$page" |
	LC_ALL=C sort)" "$declared"
tap_has "with what its comment says" "$(cat "$page")" \
	"   Frees everything. Handles opened on it must be closed before, and no thread may wait in it."
tap_is "each struct that has members" "$(grep -c -e '^       struct umadrig_.* {$' -e '^    struct umadrig_.* {$' "$page")" \
	"$(grep -c '^struct umadrig_.* {$' "$header")"
tap_is "each comment" "$(sed -n 's/^\/\* \([^-].*[a-z]\)\. .*/\1/p; s/^ \* \([A-Z][a-z ]*[a-z]\)$/\1/p' "$header" | tail -n +3 |
	while read -r line; do
		tr -d '\\`' <"$page" | grep -qF "$(echo "$line" | tr -d "'\`")" ||
			tr -d "\\\`'" <"$page" | grep -qF "$(echo "$line" | tr -d "'\`")" || echo "$line"
	done)" ""
tap_is "all that import umadrig has" "$(sed -n 's/^\.\. auto[a-z]*:: umadrig\.//p' "$work/site/reference/python.md" |
	grep -v '^pytest_plugin$' | LC_ALL=C sort)" \
	"$(PYTHONPATH=$tree/python python3 -B -c 'import umadrig; print(*umadrig.__all__, sep="\n")' | LC_ALL=C sort)"
tap_has "the first page has a scenario" "$(cat "$work/site/index.md")" "$(sed -n 3p "$tree/doc/examples/retry.mad")"
tap_has "... its ladder, with words below" "$(cat "$work/site/index.md")" "</svg>
<figcaption>The request"
tap_has "... a terminal" "$(cat "$work/site/index.md")" "
$ umadrig show --ladder captures/retry.pcapng
"
tap_has "... the version" "$(cat "$work/site/index.md")" \
	"This is version $("$top_builddir/umadrig" --version | sed 's/.* //')."
tap_has "... where the source is, if that is known" "$(make_site --pages --url https://example.org/
	cat "$work/site/index.md")" "From a clone of <https://example.org/>, on Debian"
make_site --pages >"$work/out"
tap_has "... or not" "$(cat "$work/site/index.md")" "From a clone of its repository, on Debian"
tap_has "... the licence" "$(cat "$work/site/index.md")" "BSD-2-Clause or GPL-2.0-only"

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
tap_is "what is broken in pages of HTML" "$(PYTHONPATH=$top_srcdir/doc/site python3 -B -c 'import runpy, sys
print(*runpy.run_path(sys.argv[1])["broken_html"](sys.argv[2]), sep="\n")' \
	"$top_srcdir/doc/site/make-site" "$work/html")" "$(printf '%s\n' \
	'a.html: there is no such place: b.html#here' 'b.html: there is no c.png')"

if out=$(make_site); then
	tap_pass "the whole site, without a warning or a broken link"
	tap_is "with every page" "$(find "$work/site/pages" -name '*.md' | sed "s,$work/site/pages/,,; s/md$/html/" |
		while read -r page; do [ -s "$work/site/html/$page" ] || echo "$page"; done)" ""
	# ---- in a browser ----
	look() {
		python3 -B "$top_srcdir/tests/tools/site-in-browser" "$work/site/html" "$@" 2>&1
		echo "status $?"
	}
	seen=$(look umadrig_fabric_open=reference/umadrig-h.html#c.umadrig_fabric_open \
		umadrig_step=reference/umadrig-h.html#c.umadrig_step \
		link_down=reference/python.html#umadrig.Fabric.link_down \
		umad_send=man/umad_send.3.html#umad-send-3)
	case $seen in
	*"no Chromium"*) tap_skip "no page is wider than a window, a search finds definitions first" "$seen" ;;
	*)
		tap_has "no page is wider than 1280 or 390 pixels; a search finds definitions first" "$seen" \
			" looks
status 0"
		rm -rf "$work/site/html"/*/
		find "$work/site/html" -name '*.html' ! -name search.html -exec rm {} +
		printf '<article><pre>%0600d</pre></article>' 0 >"$work/site/html/wide.html"
		seen=$(look nothing=wide.html)
		tap_has "one that is wider is found" "$seen" "wide.html: "
		tap_has "... in the narrow window as well" "$seen" " pixels in a window of 390: <pre> 0000"
		tap_has "... and a search that leads elsewhere" "$seen" "the first result of a search for nothing is "
		tap_has "... by its status" "$seen" "status 1"
		;;
	esac
else
	case $out in
	*"packages are missing"*) tap_skip "the whole site" "${out#*make-site: }" ;;
	*) tap_fail "the whole site" "$out" ;;
	esac
fi
tap_done
