#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of counters that move works, and its counters are the same twice. Nothing is timed.
exec "$top_builddir/tests/bench/load" --smoke
