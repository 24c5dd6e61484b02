#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# keywords: every directive and verb that the parser knows is used well and used wrongly in
# tests/data/keywords.txt: a new one without both fails here. What is no word of its own
# ("also ...") has its section there, too.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# N.name, N.0 (passes), N.1 (fails) and N.2 (what is said) of each section.
awk '
	/^== / { n++; part = 0; print substr($0, 4) >"names"; next }
	n && $0 == "--" { part++; next }
	n && $0 == "BEGIN" {
		print "scenario \"s\"\n0 fd = umad_open_port($CA, $PORT)" >(n "." part)
		print "+0 a = umad_register_oui(fd, class=0x32, oui=0x001405)" >(n "." part)
		next
	}
	n { print >(n "." part) }
' "$top_srcdir/tests/data/keywords.txt"

"$top_builddir/tests/tools/keyword-list" >known || exit 99
tap_is "every word of the parser is here, and no other" \
	"$(grep -v '^also ' names | LC_ALL=C sort)" "$(LC_ALL=C sort known)"

echo '0~1ms > nothing' >quiet.inc
cat >captured.mad <<'END'
scenario "s"
0  fd = umad_open_port($CA, $PORT)
+0 a = umad_register(fd, class=0x81, version=1)
+0 umad_send(fd, a, timeout=10ms, SubnGet(NodeInfo) path={1}) = 0
+0 > SubnGet(NodeInfo)
+0 umad_recv(fd) = a, status=0
END
tap_ok "a capture to replay" "$umadrig" run --keep . captured.mad

i=0
while read -r name; do
	i=$((i + 1))
	mv "$i.0" use.mad
	out=$("$umadrig" run use.mad 2>/dev/null)
	status=$?
	case $out in
	*'# SKIP a library with sanitizers'*) tap_skip "$name: passes" "programs and sanitizers"; continue ;;
	*'# SKIP'*) status=skipped ;;
	esac
	if [ "$status" = 0 ]; then tap_pass "$name: passes"
	else tap_fail "$name: passes" "status $status" "$out"; fi
	mv "$i.1" use.mad
	out=$("$umadrig" run use.mad 2>/dev/null)
	tap_is "$name: fails: status" $? 1
	tap_has "$name: fails" "$out" "$(cat "$i.2")"
done <names

tap_done
