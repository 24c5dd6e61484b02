#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark works: every response is correct, ours and ibsim's. Nothing is timed.
exec bash "$top_srcdir/tests/bench/compare-ibsim" --smoke
