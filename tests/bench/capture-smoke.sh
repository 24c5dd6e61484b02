#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of captures works: every MAD is read, and memory stays flat. Nothing is timed.
exec "$top_builddir/tests/bench/capture" --smoke
