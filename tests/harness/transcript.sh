#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# transcript: what reads the tutorial and README finds what is wrong in a page.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"

# [OPTION...]: judges x.md, written from standard input; the verdicts without their names.
verdicts() {
	cat >x.md
	out=$(python3 "$top_srcdir/tests/rig/transcript.py" "$@" x.md)
	status=$?
	printf '%s:' "$status"
	printf '%s\n' "$out" | sed -n -e 's/^ok.*# SKIP.*/s/p; s/^ok.*/o/p; s/^not ok.*/n/p' | tr -d '\n'
}

tap_is "what is so passes" "$(verdicts <<'END2'
```text name.txt
in the file
```
```console
$ cat name.txt; \
  echo more
in the file
more
$ cat <<END
> text
> END
text
$ sh -c 'exit 3'
$ echo $?
3
$ cd / && A=b
$ pwd; echo $A; echo to stderr >&2
/
b
to stderr
$ printf 'one 12 s\ntwo\nthree\nend\n'
one ... s
...
end
```
END2
)" 0:ooooooo
tap_is "other output, more of it, less, and none" "$(verdicts <<'END2'
```console
$ echo b
a
$ printf 'a\nb\n'
a
$ echo a
a
b
$ true
a
$ echo a
```
END2
)" 1:nnnnn
tap_is "a failure that the page does not show" "$(verdicts <<'END2'
```console
$ false
$ true
$ exit 0
$ echo not reached
not reached
```
END2
)" 1:nonn
tap_is "placeholders are no licence" "$(verdicts <<'END2'
```console
$ echo took 12 ms
took ... s
$ printf 'a\nb\n'
...
a
```
END2
)" 1:nn
tap_is "a page without commands" "$(printf 'text\n' | verdicts)" 1:
tap_is "without a program the rest of its section is skipped" "$(PATH=$PATH verdicts --skip why <<'END2'
```console
$ echo a
a
$ ibnetdiscover
$ echo b
c
```
# Another
```console
$ echo b
b
```
END2
)" 0:osso
tap_is "an option that needs a program is skipped like the program" "$(verdicts --skip why <<'END2'
```console
$ echo --with-sm
nothing
```
END2
)" 0:s
printf '%s\n' 'Text' '====' '' '    $ echo a' '    b' '' '    c' '' 'More text.' '' '    no command' >page
out=$(python3 "$top_srcdir/tests/rig/transcript.py" page)
tap_is "a page that is no Markdown: what differs" "$?:$(printf '%s\n' "$out" | grep -c '^#  [abc]*$')" 1:4

printf '%s\n' '```console' '$ echo took 3 s; echo b; echo 77' 'took ... s' 'a' ' ...' '```' >x.md
python3 "$top_srcdir/tests/rig/transcript.py" --rewrite x.md >/dev/null
tap_is "rewritten, with the placeholder that fits" "$(tr '\n' '|' <x.md)" \
	'```console|$ echo took 3 s; echo b; echo 77|took ... s|b|77|```|'
tap_ok "and then it is so" python3 "$top_srcdir/tests/rig/transcript.py" x.md
tap_done
