#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# readme: each command of README does what README shows, and what it names is there. A command
# without output there may print anything, but has to succeed. UMADRIG_REWRITE=1 writes the outputs
# that differ.
set -u
. "$top_srcdir/tests/rig/tap.sh"

readme=$top_srcdir/README
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# ---- what it names ----

# The indented lines below the first one that contains $1, up to the next that is not indented.
shown() {
	awk -v first="$1" '
		!on && substr($0, 1, 4) == "    " && index($0, first) { on = 1 }
		on && $0 != "" && substr($0, 1, 4) != "    " { exit }
		on { print substr($0, 5) }
	' "$readme" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

shown 'scenario "' >"$work/shown.mad"
sed '/^$/{N;/SPDX/d;}' "$top_srcdir/doc/examples/retry.mad" >"$work/retry.mad"
tap_is "its scenario is doc/examples/retry.mad" "$(cat "$work/shown.mad")" "$(cat "$work/retry.mad")"
shown 'import umadrig' >"$work/shown.py"
tap_is "its Python is doc/examples/lossy-cable.py" "$(cat "$work/shown.py")" \
	"$(sed '1,2d' "$top_srcdir/doc/examples/lossy-cable.py")"
documents=$(shown 'doc/tutorial.md   ' | sed -n 's/ .*//p')
tap_is "its documents are there" "$(for file in $documents; do
	[ -e "$top_srcdir/$file" ] || echo "$file"; done)" ""
tap_ok "and more than five" test "$(printf '%s\n' "$documents" | wc -l)" -gt 5
tap_is "all documents are among them" "$(cd "$top_srcdir" && for file in doc/*.md; do
	grep -q -F "$file" README || echo "$file"; done)" ""
targets=$(shown 'make check-swarm' | sed -n 's/^make \([^ ]*\).*/\1/p')
tap_is "its targets are the Makefile's" "$(for target in $targets; do
	grep -q "^$target:" "$top_builddir/Makefile" || echo "$target"; done)" ""
tap_ok "and more than five" test "$(printf '%s\n' "$targets" | wc -l)" -gt 5
tap_is "its words of quickstart are quickstart's" "$(shown './quickstart run' |
	sed -n 's/^\.\/quickstart \([a-z]*\) .*/\1/p' | while read -r word; do
	"$top_srcdir/quickstart" --help | grep -q "^  $word  " || echo "$word"; done)" ""
tap_is "each command of umadrig is shown as one" "$(grep -n '^ *umadrig [a-z]* .*-- ' "$readme")" ""
tap_done >"$work/plan" || status=1

# ---- what it shows ----

count=$tap_count
if ! command -v python3 >/dev/null 2>&1; then
	tap_skip "its commands" "python3 is not installed"
	tap_done
	exit "${status:-0}"
fi
mkdir -p "$work/clone/doc" "$work/tmp" "$work/home"
ln -s "$top_builddir" "$work/clone/build"
ln -s "$top_srcdir/python" "$work/clone/python"
cp -R "$top_srcdir/doc/examples" "$work/clone/doc/"
chmod -R u+w "$work/clone/doc"
cd "$work/clone" || exit 99
TMPDIR=$work/tmp HOME=$work/home LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
export TMPDIR HOME LC_ALL PYTHONDONTWRITEBYTECODE
unset UMAD_BACKEND UMADRIG_HOST LD_LIBRARY_PATH LD_PRELOAD COLUMNS
set -- --silent-ok --first "export PATH="
[ -z "${UMADRIG_REWRITE:-}" ] || set -- "$@" --rewrite
if nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	set -- "$@" --skip "the library has sanitizers"
fi
python3 "$top_srcdir/tests/rig/transcript.py" "$@" "$readme" >"$work/commands" || status=1
awk -v before="$count" '
	/^(not )?ok [0-9]+/ { sub(/ok [0-9]+/, "ok " before + ++n) }
	/^1\.\.[0-9]+$/ { $0 = "1.." before + n }
	{ print }' "$work/commands"
exit "${status:-0}"
