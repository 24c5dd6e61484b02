#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# captures: each command of doc/captures.md prints what the page shows. UMADRIG_REWRITE=1 writes
# what they print into the page.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/clone" "$work/work" "$work/tmp"
ln -s "$top_builddir" "$work/clone/build"
cd "$work/clone" || exit 99
# Times are printed to the nanosecond.
PATH=$work/clone/build/tests/tools/exact:$PATH

TMPDIR=$work/tmp LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
export TMPDIR LC_ALL PYTHONDONTWRITEBYTECODE
unset UMAD_BACKEND UMADRIG_HOST LD_LIBRARY_PATH LD_PRELOAD COLUMNS
set -- --setup 1 --work "$work/work"
[ -z "${UMADRIG_REWRITE:-}" ] || set -- "$@" --rewrite
if nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	set -- "$@" --skip "the library has sanitizers"
fi
python3 "$top_srcdir/tests/rig/transcript.py" "$@" "$top_srcdir/doc/captures.md"
