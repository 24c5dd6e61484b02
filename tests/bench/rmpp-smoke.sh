#!/bin/sh
# The benchmark of RMPP and of many requests works: every byte is right. Nothing is timed.
exec "$top_builddir/tests/bench/rmpp" --smoke
