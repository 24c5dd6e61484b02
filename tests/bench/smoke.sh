#!/bin/sh
# The benchmark works: every answer is right, ours and ibsim's. Nothing is timed.
exec bash "$top_srcdir/tests/bench/compare-ibsim" --smoke
