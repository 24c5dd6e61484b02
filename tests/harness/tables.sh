#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tables: what data/generate makes of the code's tables is in the tree as it would make it now; a
# word more or less, in the code or in what was made, is seen.
set -u
. "$top_srcdir/tests/rig/tap.sh"

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 && [ "$python" != : ] || tap_skip_all "no Python"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

check() {
	"$python" -B "$top_srcdir/data/generate" --check "$@" 2>&1
}

rows=$("$top_builddir/tests/tools/word-tables")
for table in directive verb need unit call field errno topology link-type cause option profile fault command limit \
	data request; do
	tap_ok "the code has a table: $table" test "$(printf '%s\n' "$rows" | grep -c "^$table	")" -gt 3
done
out=$(check "$top_srcdir" "$top_builddir")
tap_is "what is made of them is as they are (otherwise: make tables)" "$?:$out" 0:

# A tree and a build of our own, in which one thing is wrong.
tree=$work/tree
build=$work/build
mkdir -p "$tree/harness/script" "$build/tests/tools"
cp -R "$top_srcdir/man" "$top_srcdir/doc" "$top_srcdir/data" "$top_srcdir/NEWS" "$tree"
for file in python/umadrig/fault.py tests/fuzz/corpus-spec/actions tests/fuzz/corpus-console/actions \
	tests/fuzz/corpus-script/actions tests/fuzz/corpus-spec/each-quirk \
	lib/stand-in/stopped-calls.c harness/filter/trap-table.c; do
	mkdir -p "$tree/${file%/*}"
	cp "$top_srcdir/$file" "$tree/$file"
done
for folder in stock harness; do
	mkdir -p "$tree/tests/$folder"
	grep -l '^[[:blank:]]*tool_rows ' "$top_srcdir/tests/$folder"/*.sh |
		xargs -I {} cp {} "$tree/tests/$folder"
done
cp -R "$top_srcdir/harness/script/parse" "$top_srcdir/harness/script/verb" "$tree/harness/script"
chmod -R u+w "$tree"
# What the command says is asked once: its tables stay as they are.
cat >"$build/umadrig" <<EOT
#!/bin/sh
said="$build/said-\$(echo "\$*" | tr ' ' _)"
[ -e "\$said" ] || "$top_builddir/umadrig" "\$@" >"\$said"
cat "\$said"
EOT
printf '%s\n' "$rows" >"$build/rows"
printf '#!/bin/sh\ncat "%s"\n' "$build/rows" >"$build/tests/tools/word-tables"
chmod +x "$build/umadrig" "$build/tests/tools/word-tables"
out=$(check "$tree" "$build")
tap_is "a copy is as good" "$?:$out" 0:

# NAME ROW...: a row that the tables have in addition.
more() {
	name=$1
	shift
	{ printf '%s\n' "$rows"; (IFS='	'; printf '%s\n' "$*"); } >"$build/rows"
	out=$(check "$tree" "$build")
	tap_is "$name is seen" $? 1
	tap_has "and named" "$out" "$2"
	printf '%s\n' "$rows" >"$build/rows"
}
more "a verb that the manual does not have" verb fly ""
more "a directive" directive colour
more "a condition of needs" need moon " N"
more "an option of a fabric" option gravity "a number"
more "a profile" profile linux-9.9
more "a command of the console" command Explode "" "it is gone"
more "a limit of the server" limit patience

# A row that a test has in addition, and one that lacks a field.
functions=$tree/tests/stock/functions.sh
sed -i 's/^tool_rows functions.*/&\nibstat -s | right | ibstat/' "$functions"
out=$(check "$tree" "$build")
tap_is "a row of a test that doc/programs.md lacks is seen" "$?:$out" \
	"1:doc/programs.md is not what the tables say: run 'make tables'"
sed -i 's/^ibstat -s | right | /ibstat -s | /' "$functions"
out=$(check "$tree" "$build")
tap_has "and one that lacks a field" "$out" "or with ibsim's four: ibstat -s | ibstat"
sed -i 's/^ibstat -s | /&- | right | /' "$functions"
out=$(check "$tree" "$build")
tap_has "or that alone says what ibsim does" "$out" \
	"all rows of the table 'functions' say what ibsim does, or none"
cp "$top_srcdir/tests/stock/functions.sh" "$functions"

# One that ends the making of a page: what is written by hand is looked at all the same.
{ printf '%s\n' "$rows"; printf 'verb\tfly\t\nlimit\tpatience\n'; } >"$build/rows"
out=$(check "$tree" "$build")
tap_has "a verb without a sentence" "$out" "the table of events lacks 'fly'"
tap_has "and a limit beside it" "$out" "umadrig-serve(1), --limit lacks 'patience'"
tap_has "and its rule" "$out" "doc/scenario-grammar.ebnf, action, lacks 'fly'"

# An action of faults is missing in each of these places.
{ printf '%s\n' "$rows"; printf 'fault\tsomersault\t\tIt turns.\t\tsomersault 5%%\n'; printf 'command\tfault somersault\t[WORD...]\tx\n'; } \
	>"$build/rows"
out=$(check "$tree" "$build")
tap_is "an action of faults that nothing has is seen" $? 1
for file in man/umadrig-formats.5 man/umadrig-scenario.5 man/umadrig-ctl.1 doc/scenario-language.md \
	doc/scenario-grammar.ebnf data/vim/syntax/umadrig.vim data/vscode/syntaxes/umadrig.tmLanguage.json \
	data/completion/umadrig data/completion/_umadrig python/umadrig/fault.py tests/fuzz/corpus-spec/actions \
	tests/fuzz/corpus-console/actions tests/fuzz/corpus-script/actions; do
	tap_has "so that $file is named" "$out" "$file is not what the tables say"
done
tap_has "and NEWS" "$out" "NEWS lacks 'fault somersault'"
printf '%s\n' "$rows" >"$build/rows"

# And a quirk in these.
{ printf '%s\n' "$rows"; printf 'quirk\tupside-down\tit hangs\t\n'; } >"$build/rows"
out=$(check "$tree" "$build")
tap_is "a quirk that nothing has is seen" $? 1
for file in man/umadrig-formats.5 data/completion/umadrig data/completion/_umadrig tests/fuzz/corpus-spec/each-quirk; do
	tap_has "so that $file is named" "$out" "$file is not what the tables say"
done
tap_has "and NEWS" "$out" "NEWS lacks the quirk 'upside-down'"
tap_has "and doc/programs.md" "$out" "doc/programs.md has no row for the quirk 'upside-down'"
printf '%s\n' "$rows" >"$build/rows"

# The grammar, against the code; and what is made of it.
sed -i 's/stop | link/link/; /^stop = /d' "$tree/doc/scenario-grammar.ebnf"
out=$(check "$tree" "$build")
tap_has "a verb that the grammar lacks is seen" "$?:$out" "doc/scenario-grammar.ebnf, action, lacks 'stop'"
tap_has "and so is syntax highlighting that is not the grammar's" "$out" "data/vim/syntax/umadrig.vim is not"
tap_has "in both editors" "$out" "data/vscode/syntaxes/umadrig.tmLanguage.json is not"
cp "$top_srcdir/doc/scenario-grammar.ebnf" "$tree/doc/scenario-grammar.ebnf"
sed -i 's/| "s" ;/| "s" | "min" ;/' "$tree/doc/scenario-grammar.ebnf"
out=$(check "$tree" "$build")
tap_has "and a unit that the code does not know" "$?:$out" "has 'min', which the code does not know"
cp "$top_srcdir/doc/scenario-grammar.ebnf" "$tree/doc/scenario-grammar.ebnf"

sed -i 's/^\.BR ETIMEDOUT/.BR ETIMEDOOT/' "$tree/man/umadrig-scenario.5"
out=$(check "$tree" "$build")
tap_has "a page with another word is seen" "$?:$out" "1:man/umadrig-scenario.5"
tap_ok "and mended" "$python" -B "$tree/data/generate" "$tree" "$build"
tap_ok "as it was" cmp "$tree/man/umadrig-scenario.5" "$top_srcdir/man/umadrig-scenario.5"

# The table of system calls, which both filters are made of.
out=$(cp "$top_srcdir/data/calls.toml" "$tree/data/calls.toml" &&
	sed -i 's/^	\["socket", "NETLINK", "netlink_on_socket"\]/	["socket", "ALWAYS", "path_on_open"]/' \
		"$tree/data/calls.toml" && check "$tree" "$build")
for file in harness/filter/trap-table.c doc/system-calls.md; do
	tap_has "another answer to a call changes $file" "$out" "$file is not what the tables say"
done
tap_lacks "and no other's" "$out" stopped-calls.c
# SCRIPT EXPECTED: sed with that makes of it what nothing can be made of.
unusable() {
	sed "$1" "$top_srcdir/data/calls.toml" >"$tree/data/calls.toml"
	tap_has "a table with a mistake: $2" "$(check "$tree" "$build")" "data/calls.toml: $2"
}
unusable 's/^often = .*/&"nothing",/' "often has nothing, which is not stopped"
unusable 's/^	\["umask", /	["umount2", /' "umount2 is there twice"
unusable 's/"NETLINK"/"SOMETIMES"/' "socket, SOMETIMES: there is no such call, or no such condition"
unusable 's/^\[\[group\]\]$/[[group/' "Expected"
tap_done
