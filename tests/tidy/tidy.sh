#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tidy: the tree follows the rules that a program can check (tests/tidy/tidy --help).
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"
command -v python3 >/dev/null || tap_skip_all "no python3"
command -v nm >/dev/null || tap_skip_all "no nm"
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$top_srcdir/tests/tidy/tidy" --top "$top_srcdir" \
	--build "${top_builddir:-$top_srcdir/build}"
