#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Measures a little of what virtual time costs, to see that it works. No figure is judged.
exec bash "$top_srcdir/tests/bench/lockstep" --smoke
