# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# own-directory.sh: changes to $work, a directory of the test's own, which goes with it; TMPDIR is
# in there, so that what is killed on purpose leaves nothing behind. Sourced; $umadrig, and the
# directories of the tree and the build, are absolute then.

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" && mkdir tmp || exit 99
TMPDIR=$work/tmp
export TMPDIR
