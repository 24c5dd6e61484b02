#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of replays works: what it looks up is found. Nothing is timed.
exec "$top_builddir/tests/bench/replay" --smoke
