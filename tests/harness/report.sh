#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# report: a page about a capture: its parts, that it is XHTML and needs nothing else, that it is the
# same each time, what a browser makes of it, and what is refused.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
walker=$top_builddir/tests/tools/fabric-walk

"$umadrig" topology --generate fat-tree:4,4 >tree.net
"$umadrig" exec -f tree.net,clock=virtual,capture=walk.pcapng --host host-0 \
	--do 'fault drop 1 SubnGet(PortInfo) from host-0' -- "$walker" -r 1 >walk.out 2>&1
"$umadrig" report walk.pcapng -o walk.html >out 2>&1
tap_is "a report" "$?:$(cat out)" "0:"
page=$(cat walk.html)
for part in Summary Fabric Ladder "What has changed" "What was lost, and why" Conversations; do
	tap_has "it has: $part" "$page" "<h2>$part</h2>"
done
tap_has "the date" "$page" "<td>Begins</td><td>2023-11-14 22:13:20 UTC</td>"
tap_has "how much" "$page" "$("$umadrig" show walk.pcapng | sed -n 's/^# \([0-9]*\) frames: \([0-9]*\) MADs.*/\1, of which \2 are MADs/p')"
tap_is "each conversation has a row" "$(grep -c '^<tr[^>]*><td class="number">' walk.html)" \
	"$("$umadrig" show --conversations walk.pcapng | sed '/^# Totals/,$d' | grep -c '^ *[0-9]')"
tap_has "what was lost" "$page" "dropped: fault drop 1 SubnGet(PortInfo) from host-0"
tap_is "each node is drawn" "$(grep -c '<rect x=.*</text></g>' walk.html)" 8
tap_is "each cable, too" "$(grep -c '<line .*\] - .*</title></line>' walk.html)" 8
tap_is "a ladder in pieces, the first unfolded" "$(grep -c '<details open="open"><summary>Frames 1 to 60</summary>' walk.html)" 1
tap_lacks "nothing is loaded" "$(grep -E '(src|href)="|url\(' walk.html)" http
if python3 -c 'import xml.dom.minidom' 2>/dev/null; then
	tap_ok "it is XHTML" python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("walk.html")'
else
	tap_skip "it is XHTML" "no python3"
fi
if command -v node >/dev/null; then
	sed -n '/^<script>$/,/^<\/script>$/p' walk.html | sed '1d; $d' >sort.js
	tap_ok "the script that sorts can be read" node --check sort.js
else
	tap_skip "the script that sorts" "no node"
fi
"$umadrig" report walk.pcapng -o again.html
tap_ok "the same capture, the same page" cmp walk.html again.html
"$umadrig" report "$top_srcdir/doc/examples/april.pcapng" -o april.html
tap_has "of another program's capture" "$(cat april.html)" "<h1>april.pcapng</h1>"
"$umadrig" record -o bundle -f tree.net,clock=virtual --host host-0 -- "$walker" >record.out 2>&1
"$umadrig" report bundle -o bundle.html
tap_has "a bundle" "$(cat bundle.html)" "<h1>capture.pcapng</h1>"
"$umadrig" exec -f tree.net,clock=virtual,capture=empty.pcapng -- true >/dev/null 2>&1
"$umadrig" report empty.pcapng -o empty.html
tap_has "a capture without MADs" "$(cat empty.html)" "<p>The capture does not show it.</p>"

browser=
for name in chromium chromium-browser google-chrome; do
	command -v $name >/dev/null && browser=$name
done
if [ -n "$browser" ]; then
	"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
		--dump-dom "file://$work/walk.html" >dom 2>browser.err
	tap_is "a browser has all headings" "$(grep -c '<h2>' dom)" 6
	tap_has "and the table" "$(cat dom)" '<table id="conversations">'
	"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
		--screenshot="$work/page.png" "file://$work/walk.html" >browser.out 2>&1
	tap_ok "and draws it" test -s page.png
	# PAGE COLUMN: the cells of the table in their order, in the browser.
	column() {
		"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
			--dump-dom "file://$work/$1" 2>browser.err | sed 's/<tr/\n<tr/g' |
			sed '1,/id="conversations"/d' | grep '^<tr[^>]*><td' |
			sed 's,</td>,\t,g; s/<[^>]*>//g' | cut -f "$2"
	}
	# PAGE HEADING TIMES: the report, in which a heading has been clicked so many times.
	click() {
		awk -v heading="$2" -v times="$3" '
			/^<\/body>/ {
				print "<script>for (let i = 0; i < " times "; i++)"
				print "document.querySelectorAll(\"th[data-sort]\")[" heading "].click();</script>"
			}
			{ print }' walk.html >"$1"
	}
	click frames.html 0 2
	column walk.html 1 >frames.now
	tap_is "frames rise, before anything is clicked" "$(cat frames.now)" "$(sort -n frames.now)"
	tap_is "a second click on a heading sorts its numbers downward" "$(column frames.html 1)" \
		"$(sort -rn frames.now)"
	column walk.html 4 >responders.now
	click responders.html 3 1
	column responders.html 4 >responders.clicked
	tap_ok "a click on another heading changes the order" \
		sh -c "! cmp -s responders.now responders.clicked"
	tap_is "to that of its words" "$(cat responders.clicked)" \
		"$(sort -f -V responders.now)"
else
	tap_skip "a browser opens it" "no chromium"
fi

# NAME STATUS WORDS ARGUMENT...
refuse() {
	name=$1 status=$2 words=$3
	shift 3
	said=$("$umadrig" report "$@" 2>&1)
	tap_is "$name: status" $? "$status"
	tap_has "$name" "$said" "$words"
}
refuse "no file" 2 "nosuch.pcapng: No such file or directory" nosuch.pcapng -o x.html
mkdir directory
refuse "a directory that is no bundle" 2 "directory/capture.pcapng: No such file" directory -o x.html
mkfifo fifo
refuse "a pipe" 2 "fifo: a report reads a capture several times: put it into a file" fifo -o x.html
refuse "nowhere" 2 "where to? -o FILE names the page" walk.pcapng
refuse "two captures" 2 "one capture is expected" walk.pcapng walk.pcapng -o x.html
refuse "no capture" 1 "tree.net" tree.net -o x.html
refuse "standard output" 1 "standard output is /dev/stdout" walk.pcapng -o -
refuse "no place for it" 1 "nosuch/x.html" walk.pcapng -o nosuch/x.html
tap_ok "nothing is left of those" test ! -e x.html

tap_done
