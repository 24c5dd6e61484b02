#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of RMPP and of many requests works: every byte is right. Nothing is timed.
exec "$top_builddir/tests/bench/rmpp" --smoke
