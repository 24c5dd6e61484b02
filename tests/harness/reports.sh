#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# reports: what umadrig run says of each scenario in tests/data/failures.txt, word for word.
#
# UMADRIG_REWRITE=1 writes the reports in that file anew; never where CI is set.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
golden=$top_srcdir/tests/data/failures.txt
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

if [ -n "${UMADRIG_REWRITE-}" ] && [ -n "${CI-}" ]; then
	tap_fail "nothing is rewritten in CI" "unset UMADRIG_REWRITE"
	tap_done
fi

# N.name, N.script and N.says of each section.
awk '
	/^== / { n++; file = n ".script"; print substr($0, 4) >(n ".name"); printf "" >file; next }
	n && $0 == "--" { file = n ".says"; printf "" >file; next }
	n { print >file }
	!n { print >"head" }
	END { print n >"count" }
' "$golden"
count=$(cat count)
tap_ok "there are 25 reports or more: $count" test "$count" -ge 25
i=1
while [ "$i" -le "$count" ]; do
	name=$(cat "$i.name")
	sed 's/^BEGIN$/scenario "wrong"\
0        fd = umad_open_port($CA, $PORT)\
+0       a = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Set})/' \
		"$i.script" >wrong.mad
	rm -f wrong.pcapng
	# Programs run in real time.
	"$umadrig" run wrong.mad 2>errors >out
	status=$?
	sed '/^TAP version/d; /^1\.\./d; /^# umadrig /d' out >said
	grep -q '^0 *run ' wrong.mad && sed -i 's/^#  *[0-9.]*ms /#       (real time) /' said
	if grep -q '# SKIP a library with sanitizers' out; then
		[ -z "${UMADRIG_REWRITE-}" ] || cp "$i.says" said
		tap_skip "$name" "programs and sanitizers"
		i=$((i + 1))
		continue
	fi
	if [ -n "${UMADRIG_REWRITE-}" ]; then
		cp said "$i.says"
	fi
	if [ "$status" = 1 ] && cmp -s said "$i.says" && [ -s said ]; then
		tap_pass "$name"
	else
		tap_fail "$name" "status $status" "$(diff "$i.says" said)" "$(cat errors)"
	fi
	i=$((i + 1))
done
if [ -n "${UMADRIG_REWRITE-}" ]; then
	cat head >new
	i=1
	while [ "$i" -le "$count" ]; do
		{ echo "== $(cat "$i.name")"; cat "$i.script"; echo "--"; cat "$i.says"; } >>new
		i=$((i + 1))
	done
	cp new "$golden"
fi
tap_done
