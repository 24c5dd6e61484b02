#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tutorial: each command of doc/tutorial.md prints what the page shows. UMADRIG_REWRITE=1 writes
# what they print into the page; lines with '...' stay where they still fit.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/clone" "$work/work" "$work/tmp"
# What the page's first set-up expects of the current directory, wherever the build is.
ln -s "$top_builddir" "$work/clone/build"
ln -s "$top_srcdir/scenarios" "$top_srcdir/python" "$work/clone/"
cd "$work/clone" || exit 99

TMPDIR=$work/tmp LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
export TMPDIR LC_ALL PYTHONDONTWRITEBYTECODE PYTEST_DISABLE_PLUGIN_AUTOLOAD
unset UMAD_BACKEND UMADRIG_HOST LD_LIBRARY_PATH LD_PRELOAD COLUMNS PYTEST_ADDOPTS
set -- --setup 1 --work "$work/work"
[ -z "${UMADRIG_REWRITE:-}" ] || set -- "$@" --rewrite
if nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	set -- "$@" --skip "the library has sanitizers"
fi
python3 "$top_srcdir/tests/rig/transcript.py" "$@" "$top_srcdir/doc/tutorial.md"
