#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# grammar: doc/scenario-grammar.ebnf is the grammar of the parser. What is shipped is derived by it;
# what is made from it the parser takes; what it does not derive the parser refuses.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 && [ "$python" != : ] || tap_skip_all "no Python"
: >empty
parser=$top_builddir/tests/tools/script-parse
grammar=$top_srcdir/doc/scenario-grammar.ebnf

check() {
	"$python" -B "$top_srcdir/tests/tools/script-grammar" "$@"
}

(cd "$top_srcdir" && find scenarios doc/examples tests/data -name '*.mad' | sort) >list
tap_ok "there are scenarios" test "$(wc -l <list)" -gt 40
# shellcheck disable=SC2046
tap_ok "every shipped scenario is a sentence" check derive $(sed "s|^|$top_srcdir/|" list)
tap_ok "and those in the documents" check derive "$top_srcdir/README" "$top_srcdir/doc/scenario-language.md" \
	"$top_srcdir/man/umadrig-scenario.5"
for seed in 1 2; do
	tap_ok "the parser takes what is made from each alternative: seed $seed" \
		check --seed "$seed" sentences 500 "$parser"
	tap_ok "and refuses what the grammar does not derive: seed $seed" \
		check --seed "$seed" mistakes 4000 "$parser"
done
said=$(printf 'scenario "s"\n0 > same\n\036scenario "s"\nreplay "no" timed\n\036scenario "s\n' | "$parser")
tap_is "the parser tells the form of a text from what it means" "$(echo "$said" | cut -d: -f1 | tr '\n' ,)" \
	"ok,refused 2,malformed 1,"

# NAME SCRIPT DEED...: a grammar with one rule changed by sed's SCRIPT is found out by the DEED.
planted() {
	name=$1 script=$2
	shift 2
	sed "$script" "$grammar" >wrong.ebnf
	if cmp -s wrong.ebnf "$grammar"; then tap_fail "$name" "nothing was changed"; return; fi
	if check --grammar wrong.ebnf "$@" >said 2>&1; then tap_fail "$name is found" "$(cat said)"
	else tap_pass "$name is found"; fi
}
# shellcheck disable=SC2046
planted "a rule that is too narrow" 's/^count = ( number | bracketed )/count = ( bracketed )/' \
	derive $(sed "s|^|$top_srcdir/|" list)
planted "a rule that is too wide" 's/^duration = time | zero/duration = time | number/' sentences 500 "$parser"
planted "a word that the parser does not know" 's/"first" | "last"/"first" | "latest"/' sentences 500 "$parser"
planted "a rule that the parser is wider than" 's/^negative = "-", ( word | number/negative = "-", ( number/' \
	mistakes 10000 "$parser"
planted "an alternative that nothing reaches" 's/^stop = "stop", word/moon = "moon" ;\nstop = "stop", word/' \
	sentences 10 "$parser"
planted "what is no EBNF" 's/^stop = "stop", word ;/stop = "stop", word/' sentences 10 "$parser"
tap_done
