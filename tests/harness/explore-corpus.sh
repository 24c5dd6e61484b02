#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Runs of umadrig explore that are made of those that have shown something new.
. "$top_srcdir/tests/rig/tap.sh"

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi

# OPTION...: what it prints is in out, what it says in err.
explore() {
	out=$(timeout -s KILL 120 "$umadrig" explore "$@" 2>"$work/err" </dev/null)
	status=$?
	err=$(cat "$work/err")
}
last() {
	printf '%s\n' "$out" | tail -n 1
}

# ---- what is varied ----
# A line for each seed divided by 5: new ones now and then.
# shellcheck disable=SC2016 # for the run's shell
script='"$0" open; echo "part $(printf %s $((UMADRIG_SEED / 5 % 40)) | tr 0-9 a-j)"; test $((UMADRIG_SEED % 29)) != 0'
explore --runs 90 --jobs 2 --keep-going --no-shrink --output first --fabric "generate:fat-tree:4,4,fault=drop 2%" -- \
	sh -c "$script" "$probe"
first=$out
tap_has "what was seen is said" "$out" "pairs of MADs, "
tap_has "and which runs had something new" "$out" " runs had something new, the last is run "
explore --runs 90 --jobs 7 --keep-going --no-shrink --output second --fabric "generate:fat-tree:4,4,fault=drop 2%" -- \
	sh -c "$script" "$probe"
tap_is "the same runs, however many at a time" "$(printf '%s\n' "$out" | sed s,/second/,/first/,)" "$first"
explore --runs 90 --jobs 2 --keep-going --no-shrink --no-vary --fabric "generate:fat-tree:4,4,fault=drop 2%" \
	--lacks 'part never' -- sh -c "$script" "$probe"
tap_lacks "in turn" "$out" "had something new"
tap_has "runs have seeds one after the other" "$out" "run 58: exit status 1, as run 29
  with:    seed=58 "

# ---- edges ----
cat >edges.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int seed = atoi(getenv("UMADRIG_SEED"));

	return seed % 3 == 0 ? puts("a") < 0 : seed % 3 == 1 ? puts("b") < 0 : putchar('\n') < 0;
}
END
if clang -g -fsanitize=undefined -fsanitize-coverage=trace-pc-guard edges.c -o edges 2>/dev/null; then
	# shellcheck disable=SC2016 # for the run's shell
	explore --runs 40 --jobs 2 -- sh -c '"$0" open >/dev/null; ./edges >/dev/null' "$probe"
	edges=$(printf '%s\n' "$out" | sed -n 's/^seen: .* lines, \([0-9]*\) edges.*/\1/p')
	tap_ok "a program's edges are seen ($edges)" test "${edges:-0}" -gt 5
else
	tap_skip "a program's edges are seen" "no clang with its sanitizers"
fi
tap_done
