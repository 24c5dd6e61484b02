#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# reports: what umadrig run says of each scenario in tests/data/failures.txt, word for word.
#
# UMADRIG_REWRITE=1 writes the reports in that file anew; never where CI is set.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/golden.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

say() {
	sed 's/^BEGIN$/scenario "wrong"\
0        fd = umad_open_port($CA, $PORT)\
+0       a = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Set})/' "$1" >wrong.mad
	rm -f wrong.pcapng
	# Programs run in real time.
	"$umadrig" run wrong.mad 2>errors >out
	status=$?
	if grep -q '# SKIP a library with sanitizers' out; then
		echo "programs and sanitizers" >skipped
		return 77
	fi
	sed '/^TAP version/d; /^1\.\./d; /^# umadrig /d' out >said
	grep -q '^0 *run ' wrong.mad && sed -i 's/^#  *[0-9.]*ms /#       (real time) /' said
	[ "$status" = 1 ]
}
golden "$top_srcdir/tests/data/failures.txt" say

tap_done
