#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Counts the instructions of a round trip, and checks that two counts agree. Nothing is timed.
exec bash "$top_srcdir/tests/bench/instructions" --smoke
