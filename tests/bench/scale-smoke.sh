#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of sizes works, and the drawing in doc/ shows the table beside it. Nothing is timed.
set -u
bash "$top_srcdir/tests/bench/scale" --smoke || exit
if "${AWK:-awk}" -f "$top_srcdir/tests/bench/scale-plot.awk" "$top_srcdir/doc/scale.txt" |
   cmp -s - "$top_srcdir/doc/scale.svg"; then
	echo "ok 2 - doc/scale.svg draws doc/scale.txt"
else
	echo "not ok 2 - doc/scale.svg draws doc/scale.txt"
fi
