#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# editors: Vim and VS Code's grammar colour every word of a scenario by its kind. (That they have
# all words, tests/harness/tables.sh shows.)
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
data=$top_srcdir/data

# Vim: what each word of this scenario is.
cat >"$work/sample.mad" <<'EOT'
scenario "fd drops # no comment"  # fault
tags     retry
needs    program opensm, kernel>=6.1
profile  linux-6.12
define   ask(n) = VendGet(0x0010) tid.low=$n
0        fd = umad_open_port($CA, $PORT)
+0       peer answers VendGet(0x0010) class=0x32 after 5ms
+0       fault drop 1 SubnGetResp(PortInfo) from peer
+0       umad_send(fd, a, timeout=100ms) = -EINVAL
+1ms     > same
+0~+5ms  > nothing
+0       do Unlink "H3"[1]
+0       < SubnGetResp(PortInfo) rmpp=ACK { LinkState=Down } exact
on sim {
* umad_recv(fd) = a, status=0
}
EOT
cat >"$work/probe.vim" <<'EOT'
for number in range(1, line("$"))
	let words = []
	let at = 0
	while 1
		let [word, start, at] = matchstrpos(getline(number), '"\|\c[$]\=[a-z_][a-z_.0-9-]*\|[<>#]\|\d\+', at)
		if start < 0
			break
		endif
		let group = synIDattr(synID(number, start + 1, 1), "name")
		call add(words, word . ":" . substitute(group, "umadrig", "", ""))
	endwhile
	call writefile([join(words)], $PROBE_OUT, "a")
endfor
EOT
vim=$(command -v vim.nox || command -v vim.basic || command -v vim)
if [ -n "$vim" ] && "$vim" --version | grep -q '+syntax' && "$vim" --version | grep -q '+eval'; then
	PROBE_OUT=$work/probed HOME=$work "$vim" -N -u NONE -i NONE -n -es \
		-c "set runtimepath^=$data/vim" -c 'filetype plugin on' -c 'syntax on' \
		-c "edit $work/sample.mad" -c "source $work/probe.vim" \
		-c "call writefile([&filetype . ' ' . &commentstring], '$work/type')" -c 'qa!' \
		</dev/null >"$work/said" 2>&1
	tap_is "Vim recognises the file, and its comments" "$(cat "$work/type")" "umadrig # %s"
	tap_is "and says nothing" "$(cat "$work/said")" ""
	tap_is "and highlights its words" "$(cat "$work/probed")" "$(cat <<'EOT'
scenario:Directive ":String fd:String drops:String #:String no:String comment:String ":String #:Comment fault:Comment
tags:Directive retry:
needs:Directive program:Need opensm:Needs kernel:Need >:Needs 6:Number 1:Number
profile:Directive linux-6.12:Profile
define:Directive ask:Word n: VendGet:Method 0:Number x0010:Number tid.low:Field $n:Use
0:Number fd: umad_open_port:Call $CA:Use $PORT:Use
0:Number peer:Verb answers:Verb VendGet:Method 0:Number x0010:Number class:Field 0:Number x32:Number after:Word 5:Time ms:Time
0:Number fault:Verb drop:Fault 1:Number SubnGetResp:Method PortInfo:Attribute from:Word peer:Role
0:Number umad_send:Call fd: a: timeout:Field 100:Time ms:Time EINVAL:Errno
1:Time ms:Time >:Verb same:Verb
0:Number 5:Time ms:Time >:Verb nothing:Verb
0:Number do:Verb Unlink:Command ":String H3:String ":String 1:Number
0:Number <:Verb SubnGetResp:Method PortInfo:Attribute rmpp:Field ACK:Value LinkState:AttributeField Down: exact:Word
on:Directive sim:Word
umad_recv:Call fd: a: status:Field 0:Number

EOT
)"
else
	tap_skip "Vim highlights a scenario" "no vim with +syntax and +eval"
fi

python=${PYTHON:-python3}
if command -v "$python" >/dev/null 2>&1 && [ "$python" != : ]; then
	for file in package.json language-configuration.json syntaxes/umadrig.tmLanguage.json; do
		tap_ok "VS Code's $file is JSON" "$python" -c 'import json, sys; json.load(open(sys.argv[1]))' \
			"$data/vscode/$file"
	done
	tap_has "the extension has umadrig's version" "$(cat "$data/vscode/package.json")" \
		"\"version\": \"$("$top_builddir/umadrig" --version | sed 's/.* //')\""
	"$top_builddir/tests/tools/word-tables" >"$work/rows"
	grammar=$data/vscode/syntaxes/umadrig.tmLanguage.json
	tap_ok "its grammar gives every word of the shipped scenarios its scope" \
		"$python" -B "$top_srcdir/tests/tools/grammar-check" "$grammar" "$work/rows" \
		"$top_srcdir"/scenarios/*/*.mad "$work/sample.mad"
	sed 's/"match": "\\\\b(?:umad_register_oui|/"match": "\\\\b(?:/; s/umad_register_oui|//' "$grammar" >"$work/other"
	if "$python" -B "$top_srcdir/tests/tools/grammar-check" "$work/other" "$work/rows" \
		"$work/sample.mad" "$top_srcdir"/scenarios/timeout/*.mad >"$work/said" 2>&1; then
		tap_fail "a word that it lacks is seen"
	else
		tap_has "a word that it lacks is seen" "$(cat "$work/said")" "umad_register_oui is plain"
	fi
else
	tap_skip "VS Code's grammar" "no Python"
fi
tap_done
